/*
 * One stored run in words, and two stored runs side by side: which counters differ.
 */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "store/store.h"

/** A stored run: what ran, its metrics, its counters that are not zero. */
int show_run(struct arena *a, struct store *s, const char *id, struct text *out,
	     struct failure *f);

/** The document of a stored run. */
int show_run_json(struct arena *a, struct store *s, const char *id, struct text *out,
		  struct failure *f);

/**
 * Counters that differ between two stored runs, largest relative difference first. why: a
 * text that comes before them, "" = none.
 */
int explain_runs(struct arena *a, struct store *s, const char *id_a, const char *id_b,
		 const char *why, struct text *out, struct failure *f);

#endif
