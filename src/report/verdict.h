/* How tables show a change and say what marks it. Private to the layer. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "experiment/stats.h"
#include "report/compare.h"

#define VERDICT_WIDTH 10 /* "(  12.34%)" */

/** "(  12.34%)", "*  12.34%*" or "~  12.34%~"; s NULL: brackets. At most 32 bytes. */
void verdict_percent(char out[32], double pct, const struct stat_cell *s);

/** The lines of a legend on what is marked, and how many marks are expected to be false.
 */
void verdict_legend(const struct compare_request *q, const struct compare_table *t,
		    struct text *out);

/** "the minimum detectable change", "columns share their seeds": what n allows to say. */
void verdict_power(const struct compare_request *q, const struct compare_table *t,
		   struct text *out);

/**
 * The reason, what is not modelled, and columns that took the decisions of the first in
 * every run.
 */
void verdict_remarks(const struct compare_report *r, struct text *out);

/** The tests of a cell as members of a JSON object. */
void json_cell_tests(struct json *j, const struct stat_cell *s);

#endif
