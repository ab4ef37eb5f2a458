/* Reasons of a difference (experiment/reasons.h, experiment/counter.h) in sentences and
 * as JSON. */
#ifndef REPORT_REASONS_H
#define REPORT_REASONS_H

#include "experiment/counter.h"

/** The three largest first, then the others in one line. Appended to out. */
void reasons_text(const struct reasons *r, struct text *out);

/** What became of the difference when one thing was changed: report/counter.c. */
void counter_text(const struct counter_answer *c, struct text *out);
void counter_json(const struct counter_answer *c, struct json *j);

/** One line: the first reason and its share. Appended to out, without a line end. */
void reasons_first(const struct reasons *r, struct text *out);

/** An object in an open document. */
void reasons_json(const struct reasons *r, struct json *j, const char *key);

#endif
