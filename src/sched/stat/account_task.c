/*
 * What one task did since a given time: see account_mark() of sched/account.h. A total by
 * state for each task, and a ring of its last bookings, for a time that has passed
 * already when somebody asks for it: a timer was due, a message was sent. Bookings follow
 * each other without a gap, so that the ring is walked back from now.
 *
 * This is no part of Linux.
 */
#include <string.h>

#include "account.h"

#define RING 256u

struct booking {
	u64 ns;
	enum reason reason;
};

struct account_own {
	struct account_row total; /* since its fork; sum is their sum */
	struct account_row mark;
	bool marked;
	u32 next; /* place in the ring of the next booking */
	struct booking ring[RING];
};

void account_by_task(struct account *a)
{
	a->by_task = true;
}

static struct account_own *own_of(struct account *a, u32 id)
{
	if (id >= a->nown) {
		u32 cap = max_u32(id + 1, 2 * a->nown);
		struct account_own **own =
			arena_array(a->arena, struct account_own *, cap);

		if (a->nown)
			memcpy(own, a->own, sizeof(*own) * a->nown);
		a->own = own;
		a->nown = cap;
	}
	if (!a->own[id])
		a->own[id] = arena_new(a->arena, struct account_own);
	return a->own[id];
}

void account_born(struct account *a, u32 id)
{
	memset(own_of(a, id), 0, sizeof(struct account_own));
}

void account_note(struct account *a, u32 id, enum reason r, u64 ns)
{
	struct account_own *own = own_of(a, id);

	if (!ns)
		return;
	own->total.ns[r] += ns;
	own->total.sum += ns;
	own->ring[own->next++ % RING] = (struct booking){ns, r};
}

/* Takes the last `ns` of what it did from a row; false: that is not remembered. */
static bool take_back(const struct account_own *own, u64 ns, struct account_row *row)
{
	u32 have = min_u32(own->next, RING);

	if (ns > own->total.sum)
		return false;
	for (u32 i = 1; ns && i <= have; i++) {
		const struct booking *b = &own->ring[(own->next - i) % RING];
		u64 part = min_u64(ns, b->ns);

		row->ns[b->reason] -= part;
		row->sum -= part;
		ns -= part;
	}
	return !ns;
}

void account_mark(struct account *a, const struct task *t, u64 from)
{
	struct account_own *own = own_of(a, t->id);

	account_task_now(a, t);
	own->mark = own->total;
	own->marked = take_back(own, a->s->engine->now - from, &own->mark);
}

bool account_since_mark(struct account *a, const struct task *t, struct account_row *out)
{
	struct account_own *own = own_of(a, t->id);

	account_task_now(a, t);
	for (u32 i = 0; i < REASON_COUNT; i++)
		out->ns[i] = own->total.ns[i] - own->mark.ns[i];
	out->sum = own->total.sum - own->mark.sum;
	return own->marked;
}
