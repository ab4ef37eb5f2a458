/*
 * The host below a guest. It has fewer CPUs than the guest has busy ones, so each busy
 * CPU runs for about a slice and is then stopped for as long as the others take:
 *
 *   stopped = slice * (busy - host CPUs) / host CPUs,   on average
 *
 * with exponential times of both, since the host's own scheduler is not modelled. What is
 * stopped takes no tick, timer or IPI until it runs again; the guest's clock goes on, so
 * the time counts as that of its task (no paravirtual steal clock). What has come
 * meanwhile it takes before the program that was stopped goes on.
 *
 * An idle CPU has no host CPU. While others have them all, it gets one some time after
 * its interrupt: exponential with the mean `wake`. Without that row it runs at once, as a
 * waking thread that preempts.
 *
 * With the row `timer` a busy CPU waits, after so many of its timers, for the end of
 * another one's turn: an emulator's devices are used by one CPU at a time, and a CPU sets
 * its timer anew before it looks at whom the interrupt has woken. The wake-up is seen at
 * the time of the timer, the switch after the wait.
 *
 * differs from Linux: this is the hypervisor below it.
 */
#include "base/dist.h"
#include "internal.h"

/* An idle CPU that has got a host CPU keeps it for so long: what it does takes a while.
 */
#define AWAKE (20 * NS_PER_US)

struct host {
	u32 ev;	    /* engine class: the end of a CPU's slice */
	u64 *until; /* by CPU: stopped until then */
};

static u32 busy_cpus(const struct sched *s)
{
	return s->nr_online - cpumask_weight(s->idle_mask);
}

static u64 draw(struct rq *rq, u64 mean)
{
	const struct dist d = {.kind = DIST_EXP, .a = mean};

	return max_u64(dist_draw(&d, &rq->stream), NS_PER_US);
}

static void stop(struct sched *s, struct rq *rq, u64 ns)
{
	cpu_steal(s, rq, ns);
	/* interrupts are delivered as it enters the guest, so one ns earlier */
	s->host->until[rq->cpu] = s->engine->now + ns - 1;
}

static void host_event(void *ctx, u32 cpu)
{
	struct sched *s = ctx;
	struct rq *rq = cpu_rq(s, cpu);
	u32 busy = busy_cpus(s);
	u32 have = s->machine->host_cpus;
	u64 next = s->engine->now + draw(rq, s->machine->host_slice);

	if (rq->curr && busy > have) {
		u64 ns = draw(rq, s->machine->host_slice * (busy - have) / have);

		stop(s, rq, ns);
		next += ns;
	}
	engine_set(s->engine, s->host->ev, cpu, next);
}

void host_init(struct sched *s)
{
	if (!s->machine->host_cpus)
		return;
	s->host = arena_new(s->arena, struct host);
	s->host->until = arena_array(s->arena, u64, s->ncpu);
	s->host->ev = engine_class_add(s->engine, s->ncpu, host_event, s);
}

void host_start(struct sched *s)
{
	if (!s->host)
		return;
	for_each_cpu (cpu, s->online)
		engine_set(s->engine, s->host->ev, cpu,
			   s->engine->now + draw(cpu_rq(s, cpu), s->machine->host_slice));
}

/* A CPU of the guest comes or goes. */
void host_cpu(struct sched *s, u32 cpu, bool up)
{
	if (!s->host)
		return;
	s->host->until[cpu] = 0;
	if (up)
		engine_set(s->engine, s->host->ev, cpu,
			   s->engine->now + draw(cpu_rq(s, cpu), s->machine->host_slice));
	else
		engine_cancel(s->engine, s->host->ev, cpu);
}

/* An event of a stopped CPU comes when it runs again. */
static bool deferred(struct sched *s, u32 cpu, u32 class, u32 id)
{
	u64 now = s->engine->now;
	struct rq *rq = cpu_rq(s, cpu);

	if (s->machine->host_wake && !rq->curr && s->host->until[cpu] + AWAKE < now &&
	    busy_cpus(s) >= s->machine->host_cpus)
		s->host->until[cpu] = now + draw(rq, s->machine->host_wake);
	if (s->host->until[cpu] <= now)
		return false;
	engine_set(s->engine, class, id, s->host->until[cpu]);
	return true;
}

/* What is left of its own turn comes after the wait. */
static void timer_taken(struct sched *s, struct rq *rq)
{
	u64 ns;

	if (busy_cpus(s) <= s->machine->host_cpus ||
	    !engine_pending(s->engine, s->host->ev, rq->cpu) ||
	    stream_range(&rq->stream, 1, Q32_ONE) > s->machine->host_timer)
		return;
	ns = draw(rq, s->machine->host_slice);
	stop(s, rq, ns);
	engine_set(s->engine, s->host->ev, rq->cpu,
		   engine_when(s->engine, s->host->ev, rq->cpu) + ns);
}

void host_event_timer(void *ctx, u32 id)
{
	struct sched *s = ctx;
	struct rq *rq = s->task[id]->rq;

	if (deferred(s, rq->cpu, s->ev_timer, id))
		return;
	if (s->machine->host_timer && rq->curr)
		timer_taken(s, rq);
	task_event_timer(ctx, id);
}

/* Taken late, the tick is followed by the next one when that is due. */
void host_event_tick(void *ctx, u32 cpu)
{
	struct sched *s = ctx;

	if (deferred(s, cpu, s->ev_tick, cpu))
		return;
	tick_event(ctx, cpu);
	if (engine_pending(s->engine, s->ev_tick, cpu))
		engine_set(s->engine, s->ev_tick, cpu, tick_due(s, cpu_rq(s, cpu)));
}

void host_event_ipi(void *ctx, u32 cpu)
{
	struct sched *s = ctx;

	if (!deferred(s, cpu, s->ev_ipi, cpu))
		cpu_event_ipi(ctx, cpu);
}
