/* Reasons of a difference (experiment/reasons.h) in sentences and as JSON. */
#ifndef REPORT_REASONS_H
#define REPORT_REASONS_H

#include "experiment/reasons.h"

/** The three largest first, then the others in one line. Appended to out. */
void reasons_text(const struct reasons *r, struct text *out);

/** What became of a difference when one thing was changed in both runs, or undone in B.
 */
struct counter_experiment {
	const char *what;
	double gone;  /* part of the difference; NAN = n/a */
	double share; /* of the account; NAN = it has no such reason */
	bool agrees;
};

void counter_text(const struct counter_experiment *e, u32 n, struct text *out);
void counter_json(const struct counter_experiment *e, u32 n, struct json *j);

/** One line: the first reason and its share. Appended to out, without a line end. */
void reasons_first(const struct reasons *r, struct text *out);

/** An object in an open document. */
void reasons_json(const struct reasons *r, struct json *j, const char *key);

#endif
