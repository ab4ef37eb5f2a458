/* Names of events, decisions and causes, from their lists. */
#include "engine/sink.h"
#include "sched/sched.h"

const char *const sim_kind_name[SIM_KINDS] = {
#define EVENT(id, name, hashed) name,
#include "sched/events.def"
#undef EVENT
};

void sim_kind_codes(u64 code[SIM_KINDS])
{
	static const bool hashed_kind[SIM_KINDS] = {
#define EVENT(id, name, hashed) hashed,
#include "sched/events.def"
#undef EVENT
	};

	for (u32 i = 0; i < SIM_KINDS; i++)
		code[i] = hashed_kind[i] ? sink_code(sim_kind_name[i]) : 0;
}

const struct decision_row decision_rows[DEC_COUNT] = {
#define DECISION(id, name, doc) {name, doc},
#include "sched/decisions.def"
#undef DECISION
};

const char *const sys_cause_name[SYS_CAUSES] = {
	[SYS_SWITCH] = "switch",       [SYS_WAKE] = "wake",
	[SYS_SCAN] = "scan",	       [SYS_TICK] = "tick",
	[SYS_TIMER] = "timer",	       [SYS_BALANCE] = "balance",
	[SYS_FORK] = "fork",	       [SYS_EXIT] = "exit",
	[SYS_SYSCALL] = "syscall",     [SYS_CORE] = "core",
	[SYS_MESSAGE] = "message",     [SYS_SOFTIRQ] = "softirq",
	[SYS_LOCK] = "lock",	       [SYS_IO] = "io",
	[SYS_KERNEL] = "kernel",       [SYS_STOLEN] = "stolen",
	[SYS_CORE_LOCK] = "core_lock", [SYS_MEMORY] = "memory",
};
