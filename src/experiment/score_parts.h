/* What the files of the score share. Private to the layer. */
#ifndef EXPERIMENT_SCORE_PARTS_H
#define EXPERIMENT_SCORE_PARTS_H

#include "experiment/score.h"

/** What a model says of a cell, ln of the ratio; constant: of the models that have one.
 */
double score_predictor(const struct score_cell *c, enum score_model model,
		       double constant);

/** Quantile of n values, which are sorted; NAN for none. */
double score_quantile(double *v, u32 n, double q);

#endif
