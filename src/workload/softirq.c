/*
 * The receive work of loopback networking: done on the CPU of the sender, at the end of
 * its send, and left to the CPU's ksoftirqd where there is too much of it. Corresponds to
 * __do_softirq(), wakeup_softirqd(), ksoftirqd_running() of Linux 6.1: at most ten
 * restarts, and nothing at all while ksoftirqd has work.
 *
 * differs from Linux: a packet is a restart; the limits of 2 ms and need_resched() are
 * not modelled.
 */
#include <stdio.h>

#include "channel.h"

/* Restarts of __do_softirq() before the rest is left to ksoftirqd. */
#define SOFTIRQ_RESTARTS 10u
/* Bytes of one packet: loopback carries what segmentation offload gathers. */
#define PACKET_BYTES 65536u

static u64 packet_cost(const struct inst *t, const struct channel_run *ch)
{
	return machine_cost(sched_machine(t->run->sched), ch->decl->kind == CHAN_TCP
								  ? COST_SOFTIRQ_TCP
								  : COST_SOFTIRQ_UDP);
}

/* ksoftirqd: a packet a pass, paid for before it is delivered. */
static enum flow daemon_step(struct inst *t, const struct op *op, enum step *next)
{
	struct softirq *q = &t->run->channels->softirq[t->number];
	struct packet *p = q->first;

	(void)op;
	if (t->phase && p) {
		q->first = p->next;
		channel_deliver(t, p->to, p->message);
		pool_put(&t->run->channels->packets, p);
		t->run->channels->npackets--;
		p = q->first;
	}
	t->phase = p != NULL;
	q->asleep = !p;
	*next = p ? STEP_AGAIN : STEP_BLOCK;
	if (p)
		sched_charge(t->run->sched, t->task, SYS_SOFTIRQ, p->ns);
	return FLOW_HOLD;
}

static const struct op_type op_daemon = {NULL, daemon_step};
static const struct op daemon_op = {.type = &op_daemon};
static const struct program daemon_program = {.op = &daemon_op, .nop = 1};

/* A kernel thread for one CPU; it stands in no list and no group, and never leaves. */
static struct inst *daemon_new(struct workload_run *r, u32 cpu)
{
	struct cpumask *mask = cpumask_new(r->arena, sched_machine(r->sched)->ncpu);
	struct inst *t = pool_get(&r->pool);
	char comm[16];
	struct task_attr attr = {
		.comm = comm,
		.group = UINT32_MAX,
		.cpus = mask,
		.kthread = KTHREAD_SOFTIRQ,
		.program = t,
		.stream = stream_child(&r->stream, UINT32_MAX - 1),
	};

	snprintf(comm, sizeof(comm), "ksoftirqd/%u", cpu % 100000);
	cpumask_set(mask, cpu);
	t->run = r;
	t->program = &daemon_program;
	t->number = cpu;
	t->task = sched_spawn(r->sched, &attr, cpu);
	return t;
}

static void leave_to_daemon(struct inst *t, struct softirq *q, struct channel_run *ch,
			    struct message *m, u64 ns)
{
	struct packet *p = pool_get(&t->run->channels->packets);

	*p = (struct packet){.to = ch, .message = m, .ns = ns};
	t->run->channels->npackets++;
	if (q->first)
		q->last->next = p;
	else
		q->first = p;
	q->last = p;
	if (!q->daemon)
		q->daemon = daemon_new(t->run, task_cpu(t->task));
	else if (q->asleep)
		inst_wake(t, q->daemon, false);
	q->asleep = false;
}

bool softirq_send(struct inst *t, struct channel_run *ch, struct message *m)
{
	struct softirq *q = &t->run->channels->softirq[task_cpu(t->task)];
	u64 packets = (m->size + PACKET_BYTES - 1) / PACKET_BYTES, now = packets;
	u64 each = packet_cost(t, ch);

	if (q->first)
		now = 0;
	else if (packets > SOFTIRQ_RESTARTS)
		now = SOFTIRQ_RESTARTS;
	sched_charge(t->run->sched, t->task, SYS_SOFTIRQ, each * now);
	if (now == packets)
		return false;
	leave_to_daemon(t, q, ch, m, each * (packets - now));
	return true;
}
