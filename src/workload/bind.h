/* From a workload, a machine and parameter values to a plan. */
#ifndef WORKLOAD_BIND_H
#define WORKLOAD_BIND_H

#include "compile.h"

/**
 * As workload_bind(), but m may be NULL: everything is checked that does not depend on
 * the machine, and the plan is good for nothing else.
 */
int plan_make(struct arena *a, const struct workload *w, const struct machine *m,
	      const struct param *params, u32 nparams, const struct workload_plan **out,
	      struct failure *f);

/** Value of parameter i from its default; those before it are known. */
int param_default(struct env *e, u32 i, struct value *out);

/** Values of all parameters; the array lives in the arena. */
int params_bind(struct arena *a, struct env *e, const struct param *params, u32 nparams);

/** "name=value name=value" in file order, with units that keep the values exact. */
const char *params_text(struct arena *a, const struct env *e);

#endif
