/*
 * Requests: CPUs offline and online, and the switch for SMT. Corresponds to cpu_down(),
 * cpu_up(), cpuhp_smt_disable(), cpuhp_smt_enable() of Linux 6.1.
 *
 * As there, the last CPU that is online stays (-EBUSY), a second thread of a core does
 * not come up while SMT is off (-EPERM), and switching SMT on brings up every CPU that is
 * offline, whoever took it down. The first thread of a core is that with the lowest
 * number; switching SMT off takes all others down, even where the first one is offline.
 *
 * differs from Linux: taking a CPU down takes no time but for the cost row hotplug.stop:
 * there the hotplug threads work for some ms. CPU 0 can go offline, as on arm64; x86
 * keeps it.
 */
#include "hotplug/hotplug.h"

static bool first_thread(const struct sched *s, u32 cpu)
{
	const struct machine *m = s->machine;

	for (u32 i = 0; i < cpu; i++)
		if (m->cpu[i].core == m->cpu[cpu].core)
			return false;
	return true;
}

static void emit(struct sched *s, u32 cpu, bool online)
{
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = SIM_HOTPLUG,
		.place = cpu,
		.who = TASK_NONE,
		.other = TASK_NONE,
		.arg = online,
	};

	count(s, online ? DEC_HOTPLUG_ONLINE : DEC_HOTPLUG_OFFLINE);
	engine_emit(s->engine, &ev);
}

static bool take_down(struct sched *s, u32 cpu)
{
	if (!cpu_rq(s, cpu)->online)
		return false;
	if (s->nr_online == 1) {
		count(s, DEC_HOTPLUG_REFUSED);
		return false;
	}
	emit(s, cpu, false);
	hotplug_down(s, cpu_rq(s, cpu));
	return true;
}

static bool bring_up(struct sched *s, u32 cpu)
{
	if (cpu_rq(s, cpu)->online)
		return false;
	if (s->hotplug->smt_off && !first_thread(s, cpu)) {
		count(s, DEC_HOTPLUG_REFUSED);
		return false;
	}
	emit(s, cpu, true);
	hotplug_up(s, cpu_rq(s, cpu));
	return true;
}

/* Which CPUs a request is about. */
static void wanted(struct sched *s, const struct hotplug_request *r, struct cpumask *out)
{
	switch (r->kind) {
	case HOTPLUG_OFFLINE:
	case HOTPLUG_ONLINE:
		cpumask_copy(out, r->cpus);
		return;
	case HOTPLUG_SMT_ON:
		cpumask_copy(out, s->possible);
		return;
	case HOTPLUG_SMT_OFF:
		cpumask_copy(out, s->possible);
		for (u32 i = 0; i < s->ncpu; i++)
			if (first_thread(s, i))
				cpumask_clear(out, i);
		return;
	}
}

static void carry_out(struct sched *s, const struct hotplug_request *r)
{
	struct hotplug *h = s->hotplug;
	bool up = r->kind == HOTPLUG_ONLINE || r->kind == HOTPLUG_SMT_ON;
	bool changed = false;

	wanted(s, r, h->mask);
	if (r->kind == HOTPLUG_SMT_OFF || r->kind == HOTPLUG_SMT_ON)
		h->smt_off = !up;
	for_each_cpu (cpu, h->mask)
		changed |= up ? bring_up(s, cpu) : take_down(s, cpu);
	if (changed)
		hotplug_rebuild(s);
}

static void hotplug_event(void *ctx, u32 entity)
{
	struct sched *s = ctx;
	struct hotplug *h = s->hotplug;
	struct hotplug_request *r = h->first;

	h->first = r->next;
	carry_out(s, r);
	r->next = h->free;
	h->free = r;
	if (h->first)
		engine_set(s->engine, h->ev, entity,
			   max_u64(h->first->when, s->engine->now));
}

static void use_hotplug(struct sched *s)
{
	struct hotplug *h;

	if (s->hotplug)
		return;
	h = arena_new(s->arena, struct hotplug);
	arena_init_in(&h->mem, s->arena);
	h->mask = cpumask_new(s->arena, s->ncpu);
	h->smt_off = !seam_choice(SEAM_SMT, s->kernel->seam[SEAM_SMT])->value.constant;
	h->ev = engine_class_add(s->engine, 1, hotplug_event, s);
	s->hotplug = h;
}

static struct hotplug_request *new_request(struct sched *s)
{
	struct hotplug_request *r = s->hotplug->free;

	if (r) {
		s->hotplug->free = r->next;
		return r;
	}
	r = arena_new(s->arena, struct hotplug_request);
	r->cpus = cpumask_new(s->arena, s->ncpu);
	return r;
}

void sched_hotplug(struct sched *s, u64 when, enum hotplug_kind kind,
		   const struct cpumask *cpus)
{
	struct hotplug_request *r, **link;

	use_hotplug(s);
	r = new_request(s);
	r->when = max_u64(when, s->engine->now);
	r->kind = kind;
	if (cpus)
		cpumask_copy(r->cpus, cpus);
	link = &s->hotplug->first;
	while (*link && (*link)->when <= r->when)
		link = &(*link)->next;
	r->next = *link;
	*link = r;
	engine_set(s->engine, s->hotplug->ev, 0, s->hotplug->first->when);
}

const struct cpumask *sched_online(const struct sched *s)
{
	return s->online;
}
