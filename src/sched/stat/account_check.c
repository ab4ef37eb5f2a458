/* The identities of sched/account.h. */
#include "account.h"

static u64 states(const struct account_row *r)
{
	u64 sum = 0;

	for (u32 i = 0; i < REASON_COUNT; i++)
		sum += r->ns[i];
	return sum;
}

static int check_sums(struct account *a, struct failure *f)
{
	const struct sched *s = a->s;
	u64 on_cpu = 0, window = s->engine->now - a->began;

	for (u32 i = 0; i < a->ngroup; i++) {
		const struct account_row *r = &a->group[i];

		if (states(r) != r->sum)
			return check_wrong(s, f, "accounted time of a group of tasks",
					   CPU_NONE, states(r), r->sum);
		for (u32 k = 0; k < REASON_COUNT; k++)
			on_cpu += reason_rows[k].place == REASON_BOTH ? r->ns[k] : 0;
	}
	for (u32 i = 0; i < a->nnode; i++)
		if (states(&a->node[i]) != a->node[i].sum)
			return check_wrong(s, f, "accounted time of the CPUs of a node",
					   CPU_NONE, states(&a->node[i]), a->node[i].sum);
	if (on_cpu != a->with_task)
		return check_wrong(s, f, "accounted time of tasks on CPUs", CPU_NONE,
				   on_cpu, a->with_task);
	if (a->with_task + a->without_task != window * s->ncpu)
		return check_wrong(s, f, "accounted time of all CPUs", CPU_NONE,
				   a->with_task + a->without_task, window * s->ncpu);
	return 0;
}

/* Against what the scheduler counts by itself. */
static int check_totals(struct account *a, struct failure *f)
{
	struct sched *s = a->s;
	struct sched_totals now;
	u64 busy, idle, offline = 0;

	sched_totals(s, &now);
	busy = now.busy_ns - a->before.busy_ns;
	idle = now.idle_ns - a->before.idle_ns;
	for (u32 i = 0; i < a->nnode; i++)
		offline += a->node[i].ns[REASON_OFFLINE];
	if (busy != a->with_task)
		return check_wrong(s, f, "accounted busy time", CPU_NONE, a->with_task,
				   busy);
	if (idle != a->without_task - offline)
		return check_wrong(s, f, "accounted idle time", CPU_NONE,
				   a->without_task - offline, idle);
	return 0;
}

/* What is still to be paid ends when the scheduler says so. */
static int check_cpus(const struct account *a, struct failure *f)
{
	const struct sched *s = a->s;

	for (u32 i = 0; i < s->ncpu; i++) {
		const struct account_cpu *c = &a->cpu[i];
		u64 now = s->engine->now, due = 0;

		for (u32 k = c->first; k < c->n; k++)
			due += c->due[k].ns;
		if (s->rq[i].online && now + due != max_u64(now, s->rq[i].run_from))
			return check_wrong(s, f, "system time that is due", i, due,
					   max_u64(now, s->rq[i].run_from) - now);
	}
	return 0;
}

static int check_tasks(const struct account *a, struct failure *f)
{
	const struct sched *s = a->s;

	for (u32 i = 0; i < s->nr_tasks; i++) {
		const struct task *t = s->task[i];

		if (!t || t->exiting)
			continue;
		if (!a->task[i].alive || a->task[i].state != account_state(t))
			return check_wrong(s, f, "accounted state of a task", t->rq->cpu,
					   a->task[i].state, account_state(t));
	}
	return 0;
}

int account_check(struct account *a, struct failure *f)
{
	account_all(a);
	for (u32 i = 0; i < a->nnode; i++)
		a->node[i].sum = 0;
	for (u32 i = 0; i < a->s->ncpu; i++)
		a->node[a->s->machine->cpu[i].node].sum += a->s->engine->now - a->began;
	if (check_sums(a, f) || check_totals(a, f) || check_cpus(a, f))
		return -1;
	return check_tasks(a, f);
}
