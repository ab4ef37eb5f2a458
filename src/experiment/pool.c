/*
 * Worker threads and the reorder buffer: see experiment/grid.h. Everything shared is
 * under one mutex, except the flag that stops runs.
 *
 *        handed      next
 *   0 ... |..........|................... ntodo     places in the list of runs to do
 *          \__ ring __/  at most `window` of them
 *
 * Workers take places in order; the calling thread waits for the place `handed`.
 */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum slot_state { SLOT_FREE, SLOT_RUNNING, SLOT_DONE, SLOT_FAILED };

struct slot {
	enum slot_state state;
	struct arena arena; /* of the result */
	struct run_result result;
	struct failure failure;
};

struct pool_state {
	const struct run_spec *spec;
	const u32 *todo; /* indices of specs */
	u32 ntodo, next, handed;
	struct slot *ring;
	u32 window;
	bool closed; /* no more places are taken */
	int halt;    /* running runs are to give up */
	pool_execute execute;
	volatile const int *stop;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

static bool interrupted(const struct pool_state *p)
{
	return p->stop && __atomic_load_n(p->stop, __ATOMIC_RELAXED);
}

/* Wait for room in the ring. False: nothing more is to begin. Called with the lock. */
static bool wait_turn(struct pool_state *p)
{
	while (!p->closed && p->next < p->ntodo && p->next - p->handed >= p->window)
		pthread_cond_wait(&p->changed, &p->lock);
	/* runs too short to look at the flag themselves must not go on for ever */
	if (interrupted(p) && !p->closed) {
		p->closed = true;
		pthread_cond_broadcast(&p->changed);
	}
	return !p->closed && p->next < p->ntodo;
}

static void *worker(void *arg)
{
	struct pool_state *p = arg;
	const struct run_options opt = {.stop = p->stop, .halt = &p->halt};

	pthread_mutex_lock(&p->lock);
	while (wait_turn(p)) {
		u32 place = p->next++;
		struct slot *s = &p->ring[place % p->window];
		int err;

		s->state = SLOT_RUNNING;
		pthread_mutex_unlock(&p->lock);
		err = p->execute(&s->arena, &p->spec[p->todo[place]], &opt, &s->result,
				 &s->failure);
		pthread_mutex_lock(&p->lock);
		s->state = err ? SLOT_FAILED : SLOT_DONE;
		/* what comes after a failed run is not wanted */
		if (err)
			p->closed = true;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Wait until the place is over. False: it was never begun. Called with the lock. */
static bool await(struct pool_state *p, u32 place)
{
	struct slot *s = &p->ring[place % p->window];

	for (;;) {
		if (place < p->next && s->state >= SLOT_DONE)
			return true;
		if (place >= p->next && p->closed)
			return false;
		pthread_cond_wait(&p->changed, &p->lock);
	}
}

static void close_pool(struct pool_state *p)
{
	p->closed = true;
	__atomic_store_n(&p->halt, 1, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&p->changed);
}

struct hand_over {
	const struct grid_hooks *hooks;
	u32 known, total; /* for progress */
	bool failed;	  /* the failure is filled in */
};

/* One place that is over. Called without the lock. */
static void hand_over(struct pool_state *p, struct hand_over *h, u32 place,
		      struct failure *f)
{
	const struct grid_hooks *hooks = h->hooks;
	struct slot *s = &p->ring[place % p->window];

	if (s->state == SLOT_FAILED) {
		if (!h->failed)
			*f = s->failure;
		h->failed = true;
	} else if (!h->failed || f->kind == FAIL_INTERRUPTED) {
		struct failure late;

		if (hooks->done && hooks->done(hooks->ctx, &p->spec[p->todo[place]],
					       &s->result, h->failed ? &late : f))
			h->failed = true;
		else if (hooks->progress)
			hooks->progress(hooks->ctx, ++h->known, h->total);
	}
	arena_free(&s->arena);
	memset(s, 0, sizeof(*s));
}

/* The calling thread: hand over in order until all are over or nothing more begins. */
static void drain(struct pool_state *p, struct hand_over *h, struct failure *f)
{
	pthread_mutex_lock(&p->lock);
	for (u32 place = 0; place < p->ntodo; place++) {
		if (!await(p, place)) {
			if (!h->failed)
				fail_set(f, FAIL_INTERRUPTED, NULL, "interrupted");
			h->failed = true;
			break;
		}
		pthread_mutex_unlock(&p->lock);
		hand_over(p, h, place, f);
		pthread_mutex_lock(&p->lock);
		p->handed = place + 1;
		if (h->failed)
			close_pool(p);
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
}

static int start_and_drain(struct pool_state *p, u32 jobs, struct hand_over *h,
			   struct failure *f)
{
	pthread_t *thread = calloc(jobs, sizeof(*thread));
	u32 n = 0;

	if (!thread)
		return fail_set(f, FAIL_IO, NULL, "no memory for %u threads", jobs);
	while (n < jobs && !pthread_create(&thread[n], NULL, worker, p))
		n++;
	/* fewer threads than asked for do the same work */
	if (n)
		drain(p, h, f);
	for (u32 i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	if (!n)
		return fail_set(f, FAIL_IO, NULL, "cannot start a thread");
	return h->failed ? -1 : 0;
}

static int run_pending(struct pool_state *p, u32 jobs, struct hand_over *h,
		       struct failure *f)
{
	int err;

	jobs = min_u32(max_u32(jobs, 1), p->ntodo);
	p->window = jobs;
	p->ring = calloc(p->window, sizeof(*p->ring));
	if (!p->ring)
		return fail_set(f, FAIL_IO, NULL, "no memory for %u runs", jobs);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	err = start_and_drain(p, jobs, h, f);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p->ring);
	return err;
}

int pool_run(const struct run_spec *spec, u32 nspec, u32 jobs, volatile const int *stop,
	     const struct grid_hooks *hooks, pool_execute execute, struct failure *f)
{
	struct pool_state p = {.spec = spec, .execute = execute, .stop = stop};
	struct hand_over h = {.hooks = hooks, .total = nspec};
	u32 *todo;
	int err = 0;

	if (!nspec)
		return 0;
	todo = calloc(nspec, sizeof(*todo));
	if (!todo)
		return fail_set(f, FAIL_IO, NULL, "no memory for %u runs", nspec);
	for (u32 i = 0; i < nspec; i++) {
		if (hooks->have && hooks->have(hooks->ctx, &spec[i]))
			h.known++;
		else
			todo[p.ntodo++] = i;
	}
	p.todo = todo;
	if (hooks->progress)
		hooks->progress(hooks->ctx, h.known, nspec);
	if (p.ntodo)
		err = run_pending(&p, jobs, &h, f);
	free(todo);
	return err;
}
