/*
 * `memory:` of a workload file: regions that tasks use while they run, and where their
 * pages are. What it means for the tasks is the scheduler's: src/sched/numa/.
 *
 *   memory:
 *     heap:  {size: 4 GiB}                                  # first touch
 *     table: {size: 1 GiB, place: interleave, page: 2 MiB, order: random}
 *     part:  {count: 8, size: 256 MiB, place: {populated: each}, process: each}
 *   tasks:
 *     worker: {count: 8, memory: [{region: "part[own]", weight: 3}, heap], ...}
 *
 * Tasks that use a region are threads of its process: all regions without a `process`
 * are in one.
 */
#include "memory.h"

#include <string.h>

#define SIZE_MAX_REGION (1ull << 44)
#define WEIGHT_MAX	1000000u

static int node_index(struct compiler *c, const struct ynode *n, u32 *out)
{
	const struct machine *m = c->env.machine;
	u64 os;

	if (expr_get(&c->env, n, UNIT_COUNT, 0, UINT32_MAX, &os))
		return -1;
	*out = 0;
	for (u32 i = 0; m && i < m->nnode; i++) {
		if (m->node[i].os != os)
			continue;
		*out = i;
		return 0;
	}
	if (!m)
		return 0; /* not bound to a machine yet */
	return y_fail(n, c->f, "no node %llu, expected one of the machine's %u",
		      (unsigned long long)os, m->nnode);
}

static int compile_place(struct compiler *c, const struct ynode *n, struct region_decl *r)
{
	static const char *const words[] = {"first-touch", "interleave", "spread"};
	static const enum region_place places[] = {PLACE_FIRST_TOUCH, PLACE_INTERLEAVE,
						   PLACE_SPREAD};
	static const char *const keys[] = {"bind", "populated", NULL};
	const struct ynode *bind, *populated, *node;
	u32 i;

	if (n->kind != Y_MAP) {
		if (y_choice(n, words, ARRAY_SIZE(words), &i, c->f))
			return -1;
		r->attr.place = places[i];
		return 0;
	}
	if (y_check_keys(n, keys, c->f))
		return -1;
	bind = y_get(n, "bind");
	populated = y_get(n, "populated");
	if (!bind == !populated)
		return y_fail(n, c->f,
			      "expected one of {bind: NODE} and {populated: NODE}");
	node = bind ? bind : populated;
	r->attr.place = bind ? PLACE_BIND : PLACE_POPULATED;
	r->each_node = is_word(node, "each");
	return r->each_node ? 0 : node_index(c, node, &r->attr.node);
}

static int compile_page(struct compiler *c, const struct ynode *n, u64 *out)
{
	if (expr_get(&c->env, n, UNIT_BYTES, 1, SIZE_MAX_REGION, out))
		return -1;
	if (*out == 4096 || *out == 2u << 20)
		return 0;
	return y_fail(n, c->f, "a page of another size, expected 4 KiB or 2 MiB");
}

static int compile_process(struct compiler *c, const struct ynode *n, u32 *out)
{
	const char *name;

	if (is_word(n, "each")) {
		*out = PROCESS_EACH;
		return 0;
	}
	if (compile_name(c, n, &name))
		return -1;
	*out = name_index(c, &c->processes, name) + 1;
	return 0;
}

static int compile_region(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	static const char *const orders[] = {"sequential", "random"};
	struct region_decl *r = (struct region_decl *)(void *)d;
	const struct ynode *size = y_need(entry, "size", c->f);
	const struct ynode *place = y_get(entry, "place"), *page = y_get(entry, "page");
	const struct ynode *order = y_get(entry, "order");
	const struct ynode *process = y_get(entry, "process");
	u32 i = 0;

	r->attr.page = 4096;
	if (!size ||
	    expr_get(&c->env, size, UNIT_BYTES, 1, SIZE_MAX_REGION, &r->attr.size))
		return -1;
	if (place && compile_place(c, place, r))
		return -1;
	if (page && compile_page(c, page, &r->attr.page))
		return -1;
	if (order && y_choice(order, orders, ARRAY_SIZE(orders), &i, c->f))
		return -1;
	r->attr.random = i == 1;
	return process ? compile_process(c, process, &r->process) : 0;
}

const struct decl_type region_decl_type = {
	.what = "region",
	.keys = (const char *const[]){"size", "place", "page", "order", "process", NULL},
	.size = sizeof(struct region_decl),
	.compile = compile_region,
};

static int compile_use(struct compiler *c, const struct ynode *n, struct memory_ref *out)
{
	static const char *const keys[] = {"region", "weight", NULL};
	const struct ynode *name = n, *weight = NULL;
	u64 value = 1;

	if (n->kind == Y_MAP) {
		if (y_check_keys(n, keys, c->f))
			return -1;
		name = y_need(n, "region", c->f);
		weight = y_get(n, "weight");
	}
	if (!name || compile_ref(c, name, &c->res.memory, "region", &out->ref))
		return -1;
	if (weight && expr_get(&c->env, weight, UNIT_COUNT, 1, WEIGHT_MAX, &value))
		return -1;
	out->weight = (u32)value;
	return 0;
}

int compile_memory(struct compiler *c, const struct ynode *n, struct group *g)
{
	struct memory_ref *refs = arena_array(c->a, struct memory_ref, REGIONS_OF_TASK);

	g->memory = refs;
	if (n->kind != Y_SEQ) {
		g->nmemory = 1;
		return compile_use(c, n, refs);
	}
	if (!n->n || n->n > REGIONS_OF_TASK)
		return y_fail(n, c->f, "%u regions, expected 1 to %u", n->n,
			      REGIONS_OF_TASK);
	y_for_each (use, n)
		if (compile_use(c, use, &refs[g->nmemory++]))
			return -1;
	return 0;
}

/* Numbers of address spaces: the nameless one, the named ones, then one for each. */
void memory_launch(struct workload_run *r)
{
	const struct decls *all = &r->plan->res.memory;
	u32 each = r->plan->nprocess + 1;

	for (u32 i = 0; i < all->n; i++) {
		const struct region_decl *decl = (const void *)all->d[i];

		for (u32 k = 0; k < decl->d.count; k++) {
			struct region_attr attr = decl->attr;

			attr.name = decl->d.name;
			if (decl->each_node)
				attr.node = k % r->plan->machine->nnode;
			attr.process =
				decl->process == PROCESS_EACH ? each++ : decl->process;
			sched_region_add(r->sched, &attr);
		}
	}
}

u32 memory_of(struct inst *t, const struct group *g, struct region_use *out)
{
	for (u32 i = 0; i < g->nmemory; i++) {
		out[i].region = ref_get(t, &g->memory[i].ref);
		out[i].weight = g->memory[i].weight;
	}
	return g->nmemory;
}
