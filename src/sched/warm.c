/*
 * What a task finds in the caches of a core that it comes to: it loads min(its working
 * set, what it lost) again before it gets on.
 *
 * A task knows the last few cores that it was on, and what it had there. A core counts
 * the bytes that were loaded into its own caches. Since recency decides what goes, what
 * others load takes the free part first and then what the task had left behind. On
 * another core of a last-level cache in which it was lately, the set comes from there,
 * else from memory, by distance.
 *
 * In one stay a task loads for no longer than its last stay worked: who runs for a few us
 * between two moves does not touch its whole set in them. What it still lacks is loaded
 * in its next stays on the core.
 *
 * differs from Linux: this is not Linux but the hardware below it. Tasks do not share
 * what they load, tasks that stay on a core never lose anything, and what was in a
 * last-level cache stays there.
 */
#include "internal.h"

#define PLACES 4u

struct warm_place {
	u32 cpu;    /* of the core */
	u64 bytes;  /* of its working set that it had there */
	u64 loaded; /* by anybody on that core when it came there last */
};

struct warm {
	struct warm_place at[PLACES]; /* latest first */
	u32 n;
	u64 ran;   /* sum_exec when its last stay began */
	u64 stall; /* ns of that stay spent loading */
	u64 lacks; /* bytes that it has yet to load here */
	u64 rate;  /* bytes/s at which they come */
};

/* The largest cache that a core has to itself, bytes; 0 = not known. */
static u64 own_cache(const struct sched *s)
{
	const struct machine *m = s->machine;
	u32 threads = m->ncore ? m->ncpu / m->ncore : 1;
	u64 size = 0;

	for (u32 i = 0; i < m->ncache; i++)
		if (m->cache[i].cpus <= threads)
			size = max_u64(size, m->cache[i].size);
	return size;
}

static void warm_use(struct sched *s)
{
	s->warm = arena_new(s->arena, struct warm_caches);
	pool_init(&s->warm->tasks, s->arena, sizeof(struct warm));
	s->warm->loaded = arena_array(s->arena, u64, s->machine->ncore);
	s->warm->size = own_cache(s);
}

static bool same_core(const struct sched *s, u32 a, u32 b)
{
	return s->machine->cpu[a].core == s->machine->cpu[b].core;
}

static u64 *loaded_on(const struct sched *s, u32 cpu)
{
	return &s->warm->loaded[s->machine->cpu[cpu].core];
}

/* Bytes a second of what comes from the last-level cache or from memory. */
static u64 refill_rate(const struct sched *s, const struct warm *w, u32 cpu)
{
	const struct machine *m = s->machine;
	u32 from = w->at[0].cpu;

	for (u32 i = 0; i < w->n; i++)
		if (share_cache(s, w->at[i].cpu, cpu))
			return s->cost[COST_REFILL_LLC];
	return mul_div(s->cost[COST_REFILL_MEMORY], 10,
		       machine_distance(m, m->cpu[from].node, m->cpu[cpu].node));
}

/* Bytes that are still there of what was left there. */
static u64 still_there(const struct sched *s, const struct warm_place *p)
{
	u64 others = *loaded_on(s, p->cpu) - p->loaded;
	u64 room = s->warm->size > p->bytes ? s->warm->size - p->bytes : 0;

	if (others <= room)
		return p->bytes;
	return p->bytes - min_u64(p->bytes, others - room);
}

/* The task is on another core from now on. */
static void arrive(struct sched *s, struct warm *w, u32 cpu, u64 set)
{
	u64 has = 0;
	u32 i;

	w->rate = refill_rate(s, w, cpu);
	w->at[0].bytes = set - w->lacks;
	for (i = 0; i < w->n; i++)
		if (same_core(s, w->at[i].cpu, cpu))
			break;
	if (i < w->n)
		has = still_there(s, &w->at[i]);
	else if (w->n < PLACES)
		i = w->n++;
	else
		i = PLACES - 1;
	for (; i; i--)
		w->at[i] = w->at[i - 1];
	w->at[0] = (struct warm_place){.cpu = cpu};
	w->lacks = set - has;
}

/* Loads what it lacks, for at most `longest` ns. */
static u64 load_set(struct sched *s, struct warm *w, u64 longest)
{
	u64 bytes = w->lacks, ns = mul_div(bytes, NS_PER_SEC, w->rate);

	if (ns > longest) {
		bytes = mul_div(bytes, longest, ns);
		ns = longest;
	}
	w->lacks -= bytes;
	*loaded_on(s, w->at[0].cpu) += bytes;
	return ns;
}

/** The task is switched in on `rq`: ns that it loads its working set for. */
u64 warm_cold_start(struct sched *s, const struct rq *rq, struct task *t)
{
	u64 set = rate_profile(s, t->profile)->working_set, stay;
	struct warm *w = t->warm;

	if (!set)
		return 0;
	if (!w) {
		if (!s->warm)
			warm_use(s);
		w = t->warm = pool_get(&s->warm->tasks);
		w->at[0].cpu = rq->cpu;
		w->n = 1;
	}
	stay = t->se.sum_exec - w->ran;
	stay -= min_u64(stay, w->stall);
	w->ran = t->se.sum_exec;
	if (!same_core(s, w->at[0].cpu, rq->cpu))
		arrive(s, w, rq->cpu, set);
	w->stall = w->lacks ? load_set(s, w, stay) : 0;
	w->at[0].loaded = *loaded_on(s, rq->cpu);
	return w->stall;
}

void warm_free(struct sched *s, struct task *t)
{
	pool_put(&s->warm->tasks, t->warm);
	t->warm = NULL;
}
