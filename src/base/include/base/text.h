/*
 * Growing text buffer, JSON writer and aligned text table. The library never prints: it
 * fills a struct text, and the command writes it out.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/types.h"

struct text {
	char *s; /* always terminated once non-NULL; owned, free with text_free */
	size_t len, cap;
};

void text_free(struct text *t);
/** A field of comma separated values (RFC 4180): quoted only where it must be. */
void text_csv(struct text *out, const char *s);
void text_put(struct text *t, const char *s, size_t n);
void text_str(struct text *t, const char *s);
void text_char(struct text *t, char c);
void text_fmt(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** value / 10^scale with `places` digits after the point, rounded half up. */
void text_fixed(struct text *t, u64 value, u32 scale, u32 places);

/*
 * JSON writer. Commas and nesting are kept by the writer; the caller opens and closes.
 * key may be NULL inside arrays. Doubles are printed with %.9g ("null" if not finite):
 * callers that need byte-identical output across compilers pass integers.
 */
struct json {
	struct text *out;
	u32 depth;
	bool comma[32];
};

void json_init(struct json *j, struct text *out);
void json_open(struct json *j, const char *key, char bracket);	   /* '{' or '[' */
void json_close(struct json *j, char bracket);			   /* '}' or ']' */
void json_str(struct json *j, const char *key, const char *value); /* NULL -> null */
void json_u64(struct json *j, const char *key, u64 value);
void json_num(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
/** value / 10^scale, exactly, without trailing zeros. Nanoseconds as seconds: scale 9. */
void json_fixed(struct json *j, const char *key, u64 value, u32 scale);

/*
 * Text table: cells are strings; a column is as wide as its widest cell; columns are
 * separated by two blanks; numbers are right-justified by the caller's choice.
 */
struct table {
	struct text cells; /* cells separated by '\0' */
	u32 cols, n;
	u64 right; /* bit c: column c is right-justified */
};

void table_init(struct table *t, u32 cols, u64 right);
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void table_render(const struct table *t, struct text *out, const char *indent);
void table_free(struct table *t);

#endif
