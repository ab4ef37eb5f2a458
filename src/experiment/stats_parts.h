/* What the files of the statistics share. Private to the layer. */
#ifndef EXPERIMENT_STATS_PARTS_H
#define EXPERIMENT_STATS_PARTS_H

#include "base/types.h"

bool stat_all_equal(const double *v, u32 n);

/**
 * Sample variance; needs n >= 2. Of equal values it is 0, not the square of what rounding
 * left in their mean: tables divide by it.
 */
double stat_variance(const double *v, u32 n);

#endif
