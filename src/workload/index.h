/* Which one of an array: "[own * 20 + pass]". */
#ifndef WORKLOAD_INDEX_H
#define WORKLOAD_INDEX_H

#include "compile.h"

struct index;
struct inst;

/** Parse "[...]" of a scalar; `open` is its bracket. */
int index_compile(struct compiler *c, const struct ynode *n, const char *open,
		  const struct index **out);

/**
 * Its value now, not yet below the count. t NULL: only `own` is known; the rest is 0.
 */
u64 index_value(const struct index *x, struct inst *t, u64 own, u64 count);

#endif
