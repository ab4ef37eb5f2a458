/* Cache lines that many CPUs write: see line.c. */
#ifndef WORKLOAD_LINE_H
#define WORKLOAD_LINE_H

#include "resources.h"

extern const struct decl_type line_decl_type;

struct ledger *lines_start(struct arena *a, const struct workload_plan *p);
struct ledger *line_ledger(struct workload_run *r, u32 i);

#endif
