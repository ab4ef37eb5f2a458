/* What the events of a span consist of, in the hands of the operations: split.c. */
#ifndef WORKLOAD_SPLIT_H
#define WORKLOAD_SPLIT_H

#include "inst.h"

/** An event of a span began at `from`, now or earlier; of another span: nothing. */
void split_begin(struct split *s, const struct inst *t, u32 span, u64 from);

/** It has ended now. */
void split_end(struct split *s, const struct inst *t, u32 span);

/** The measured window begins: forget what has ended. */
void split_reset(struct split *s);

#endif
