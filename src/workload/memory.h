/* Regions of memory as a workload file declares them. */
#ifndef WORKLOAD_MEMORY_H
#define WORKLOAD_MEMORY_H

#include "resources.h"

/** `process: each`: thing i of the entry is an address space of its own. */
#define PROCESS_EACH UINT32_MAX

struct region_decl {
	struct decl d;
	struct region_attr
		attr;	/* name, process and, with `each_node`, node come later */
	bool each_node; /* thing i is on node i, modulo their number */
	u32 process;	/* number of its name, 0 = none; PROCESS_EACH */
};

extern const struct decl_type region_decl_type;

/** A region that the tasks of an entry use. */
struct memory_ref {
	struct ref ref;
	u32 weight;
};

/** Make all regions of the plan; once, before tasks. */
void memory_launch(struct workload_run *r);

/** The regions of an instance, up to REGIONS_OF_TASK; how many. */
u32 memory_of(struct inst *t, const struct group *g, struct region_use *out);

#endif
