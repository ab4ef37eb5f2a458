/*
 * How much longer does a task wait for memory than one that is alone on the machine with
 * all its pages at home?
 *
 *   M = sum over nodes of  share(node) * latency(here, node) * saturation(node)
 *
 *   latency    = 1 + (distance / 10 - 1) * memory.distance
 *   saturation = s >= 1 with  demand(s) = bandwidth, or 1 if demand(1) is less
 *
 * The demand of a task is its profile's bandwidth times its rate, which falls as s grows.
 * s is looked at at most every 500 us, and follows by s' = s * demand / bandwidth, which
 * goes to the solution without passing it:  d s'/d s = 1 - (memory share of the rate).
 *
 * differs from Linux: this is not Linux but the hardware below it. Links between nodes
 * have no bandwidth of their own, and tasks without regions take none.
 */
#include "numa/memory.h"

#define LOOK_PERIOD (500 * NS_PER_US)
/* A change below 1/256 is none: it would cost events and move nothing. */
#define STEP (Q32_ONE / 256)

/* share[] of the task, if pages of its regions have come or gone. */
void speed_share(const struct memory *m, struct task_memory *tm)
{
	u64 version = 1;

	for (u32 i = 0; i < tm->nuse; i++)
		version += tm->use[i].region->version;
	if (version == tm->version)
		return;
	tm->version = version;
	for (u32 n = 0; n < m->nnode; n++) {
		tm->share[n] = 0;
		for (u32 i = 0; i < tm->nuse; i++) {
			const struct region *r = tm->use[i].region;
			u64 whole = (u64)(r->nchunk - r->untouched) * tm->weight;

			if (r->on_node[n])
				tm->share[n] += mul_div(
					Q32_ONE, (u64)r->on_node[n] * tm->use[i].weight,
					whole);
		}
	}
}

u64 memory_slow(const struct sched *s, const struct rq *rq, const struct task *t)
{
	const struct memory *m = s->memory;
	u32 here = cpu_node(s, rq->cpu);
	u64 slow = 0, left = Q32_ONE;

	speed_share(m, t->mem);
	for (u32 n = 0; n < m->nnode; n++) {
		u64 share = min_u64(t->mem->share[n], left);

		left -= share;
		slow += mul_q32(mul_q32(share, m->latency[here * m->nnode + n]),
				m->node[n].saturated);
	}
	return slow + left; /* rounding, and what nobody has touched yet */
}

static void sum_demand(struct sched *s)
{
	struct memory *m = s->memory;

	for (u32 n = 0; n < m->nnode; n++)
		m->node[n].demand = 0;
	for_each_cpu (cpu, s->online) {
		const struct rq *rq = cpu_rq(s, cpu);
		const struct task_memory *tm = rq->curr ? rq->curr->mem : NULL;
		u64 want;

		if (!tm)
			continue;
		want = mul_q32(tm->bandwidth, rq->rate);
		for (u32 n = 0; n < m->nnode; n++)
			m->node[n].demand += mul_q32(want, tm->share[n]);
	}
}

/* At most 1/256 of s away counts as there: the rest would take for ever. */
static bool follow(const struct memory *m, struct node *n)
{
	u64 want = max_u64(mul_div(n->saturated, n->demand, m->bandwidth), Q32_ONE);
	u64 away = want > n->saturated ? want - n->saturated : n->saturated - want;

	if (!away || (want != Q32_ONE && away < STEP))
		return false;
	n->saturated = want;
	return true;
}

void speed_look(void *ctx, u32 entity)
{
	struct sched *s = ctx;
	struct memory *m = s->memory;
	bool changed = false;

	(void)entity;
	m->looked = s->engine->now;
	sum_demand(s);
	for (u32 n = 0; n < m->nnode; n++)
		changed |= follow(m, &m->node[n]);
	if (!changed)
		return;
	for_each_cpu (cpu, s->online)
		if (s->rq[cpu].curr && s->rq[cpu].curr->mem)
			rate_refresh(s, cpu_rq(s, cpu));
	speed_changed(s);
}

/* Somebody began or ended to want memory, or wants it from elsewhere. */
void speed_changed(struct sched *s)
{
	struct memory *m = s->memory;

	if (m->bandwidth && !engine_pending(s->engine, m->ev_look, 0))
		engine_set(s->engine, m->ev_look, 0,
			   max_u64(s->engine->now, m->looked + LOOK_PERIOD));
}
