/*
 * Where the pages of a region are: first touch, interleaved, bound to a node, or there
 * from the start. A node of known size that is full sends what would be put there to the
 * nearest node with room; if there is none it takes it nevertheless. Corresponds to
 * alloc_pages_vma() and the policies of mm/mempolicy.c.
 *
 * differs from Linux: pages are counted in chunks of 2 MiB, which are touched and moved
 * as one; nothing is ever freed but with the run, swapped, or reclaimed; what programs
 * and the kernel need besides regions takes no room.
 */
#include <string.h>

#include "numa/memory.h"

bool node_has_room(const struct node *n, const struct region *r)
{
	return n->room == UINT64_MAX || n->used + r->chunk_size / CHUNK_SIZE <= n->room;
}

/* The wanted node or, if it is full, the nearest with room. */
static u32 with_room(const struct memory *m, const struct machine *machine,
		     const struct region *r, u32 want)
{
	u32 best = want, best_distance = UINT32_MAX;

	if (node_has_room(&m->node[want], r))
		return want;
	for (u32 n = 0; n < m->nnode; n++) {
		u32 distance = machine_distance(machine, want, n);

		if (distance >= best_distance || !node_has_room(&m->node[n], r))
			continue;
		best = n;
		best_distance = distance;
	}
	return best;
}

u32 region_choose(struct memory *m, const struct machine *machine, struct region *r,
		  u32 node)
{
	switch (r->attr.place) {
	case PLACE_FIRST_TOUCH:
		break;
	case PLACE_BIND:
	case PLACE_POPULATED:
		node = r->attr.node;
		break;
	case PLACE_INTERLEAVE:
	case PLACE_SPREAD:
		node = r->turn;
		r->turn = (r->turn + 1) % m->nnode;
		break;
	}
	return with_room(m, machine, r, node);
}

void region_put(struct memory *m, struct region *r, u32 chunk, u32 node)
{
	struct chunk *c = &r->chunk[chunk];
	u64 units = r->chunk_size / CHUNK_SIZE;

	if (c->node != NODE_NONE) {
		r->on_node[c->node]--;
		m->node[c->node].used -= units;
	} else {
		r->untouched--;
		m->process[r->attr.process]->pages += region_pages(r, 1);
	}
	c->node = (u16)node;
	r->on_node[node]++;
	m->node[node].used += units;
	r->version++;
}

static struct process *process_of(struct sched *s, u32 number)
{
	struct memory *m = s->memory;

	if (number >= m->process_cap) {
		u32 cap = max_u32(number + 1, m->process_cap * 2);
		struct process **p = arena_array(s->arena, struct process *, cap);

		if (m->process_cap)
			memcpy(p, m->process, sizeof(*p) * m->process_cap);
		m->process = p;
		m->process_cap = cap;
	}
	if (!m->process[number]) {
		m->process[number] = arena_new(s->arena, struct process);
		m->process[number]->first = m->process[number]->last = REGION_NONE;
		m->process[number]->at = REGION_NONE;
	}
	return m->process[number];
}

static void link_region(struct sched *s, struct region *r, u32 number)
{
	struct process *p = process_of(s, r->attr.process);

	r->next = REGION_NONE;
	if (p->first == REGION_NONE)
		p->first = number;
	else
		s->memory->region[p->last]->next = number;
	p->last = number;
	p->at = p->first;
	p->at_chunk = 0;
}

static struct region *region_new(struct sched *s, const struct region_attr *attr)
{
	struct region *r = arena_new(s->arena, struct region);

	r->attr = *attr;
	r->attr.name = arena_strdup(s->arena, attr->name);
	r->chunk_size = CHUNK_SIZE;
	while ((attr->size + r->chunk_size - 1) / r->chunk_size > REGION_CHUNKS)
		r->chunk_size *= 2;
	r->nchunk = (u32)((attr->size + r->chunk_size - 1) / r->chunk_size);
	r->untouched = r->nchunk;
	r->on_node = arena_array(s->arena, u32, s->memory->nnode);
	r->chunk = arena_array(s->arena, struct chunk, r->nchunk);
	for (u32 i = 0; i < r->nchunk; i++)
		r->chunk[i].node = NODE_NONE;
	return r;
}

u32 sched_region_add(struct sched *s, const struct region_attr *attr)
{
	struct memory *m;
	struct region *r;

	memory_use(s);
	m = s->memory;
	if (m->nregion == m->region_cap) {
		u32 cap = m->region_cap ? m->region_cap * 2 : 16;
		struct region **all = arena_array(s->arena, struct region *, cap);

		if (m->nregion)
			memcpy(all, m->region, sizeof(*all) * m->nregion);
		m->region = all;
		m->region_cap = cap;
	}
	r = region_new(s, attr);
	m->region[m->nregion] = r;
	link_region(s, r, m->nregion);
	if (attr->place == PLACE_POPULATED || attr->place == PLACE_SPREAD)
		for (u32 i = 0; i < r->nchunk; i++)
			region_put(m, r, i, region_choose(m, s->machine, r, 0));
	return m->nregion++;
}

u64 sched_region_pages(const struct sched *s, u32 region, u32 node)
{
	const struct region *r = s->memory->region[region];

	return region_pages(r, r->on_node[node]);
}
