/*
 * `lines:`: cache lines that many CPUs write, as statistics counters and reference
 * counts are. Only the queue of their writers is modelled (sched/ledger.h): reading is
 * free, and so is false sharing, which is one line under several names.
 */
#include "line.h"

static int compile_line(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	(void)c;
	(void)entry;
	(void)d;
	return 0;
}

const struct decl_type line_decl_type = {
	.what = "line",
	.keys = (const char *const[]){NULL},
	.size = sizeof(struct decl),
	.compile = compile_line,
};

struct ledger *lines_start(struct arena *a, const struct workload_plan *p)
{
	return arena_array(a, struct ledger, p->res.lines.total);
}

struct ledger *line_ledger(struct workload_run *r, u32 i)
{
	return &r->lines[i];
}
