/*
 * Declares every function that a row of seams.def names, so that a new choice needs one
 * row and one C file. A seam whose choices are functions has its DECLARE_ line here.
 */
#ifndef SCHED_OPTIONS_FN_H
#define SCHED_OPTIONS_FN_H

#include "internal.h"

#undef SEAM_FN
#define SEAM_FN(f)		 f
#define DECLARE_WAKE_SCAN(f)	 scan_fn f;
#define DECLARE_FORK(f)		 fork_fn f;
#define DECLARE_IDLE_GOVERNOR(f) governor_fn f;
#define DECLARE_PREEMPT(v)
#define DECLARE_TICK_ALIGN(v)
#define DECLARE_SMT(v)
#define DECLARE_SCALING(v)
#define DECLARE_BALANCE(v)
#define DECLARE_NUMA(v)
#define DECLARE_CORE(v)
#define DECLARE_CORE_ORDER(v)
#define DECLARE_CORE_CLOCK(v)
#define DECLARE_CORE_TICK_RULE(v)
#define DECLARE_FAIR(v)
#define SEAM(id, name, linux_name, def, doc)
#define CHOICE(seam, name, value, doc) DECLARE_##seam(value)
#include "sched/seams.def"
#undef SEAM
#undef CHOICE
#undef SEAM_FN

#endif
