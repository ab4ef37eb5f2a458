/* Parts of the loading of an experiment. Private to the layer. */
#ifndef EXPERIMENT_FILE_H
#define EXPERIMENT_FILE_H

#include "experiment/experiment.h"

/** Fill x->cell from the printed values; the rest of x is there. */
int published_read(struct arena *a, struct experiment *x, struct failure *f);

/** No cell of x is printed. */
void published_none(struct arena *a, struct experiment *x);

/** The `calibrate:` declaration; x->cell is there. */
int fits_read(struct arena *a, const struct ynode *n, struct experiment *x,
	      struct failure *f);

/** Every parameter to fit exists, and its range is one that it can have. */
int fits_check(struct arena *a, const struct experiment *x, const struct grid *g,
	       struct failure *f);

/** A copy of the machine with the values of its fitted rows. */
const struct machine *fits_machine(struct arena *a, const struct experiment *x,
				   const struct machine *m, const u64 *value);

/** What the first cell of a grid runs with. */
int fit_now(const struct experiment_fit *fit, const struct grid *g, u64 *out,
	    struct failure *f);

/** Print a value of a fit with its unit. */
const char *fit_text(struct arena *a, const struct experiment_fit *fit, u64 value);

/** A source of one of the four kinds. */
int source_read(const struct ynode *n, const char **out, struct failure *f);

#endif
