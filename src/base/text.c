/* Growing text buffer and text table: see base/text.h. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct text *t, size_t more)
{
	size_t cap = t->cap ? t->cap : 128;

	if (t->len + more + 1 <= t->cap)
		return;
	while (cap < t->len + more + 1)
		cap *= 2;
	t->s = realloc(t->s, cap);
	if (!t->s)
		abort();
	t->cap = cap;
}

void text_free(struct text *t)
{
	free(t->s);
	memset(t, 0, sizeof(*t));
}

void text_put(struct text *t, const char *s, size_t n)
{
	reserve(t, n);
	memcpy(t->s + t->len, s, n);
	t->len += n;
	t->s[t->len] = '\0';
}

void text_str(struct text *t, const char *s)
{
	text_put(t, s, strlen(s));
}

void text_char(struct text *t, char c)
{
	text_put(t, &c, 1);
}

static void text_vfmt(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	reserve(t, (size_t)n);
	vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
	t->len += (size_t)n;
}

void text_fmt(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vfmt(t, fmt, ap);
	va_end(ap);
}

void text_fixed(struct text *t, u64 value, u32 scale, u32 places)
{
	u64 unit = 1;

	for (; scale > places; scale--)
		value = value / 10 + (scale == places + 1 && value % 10 >= 5);
	for (u32 i = 0; i < scale; i++)
		unit *= 10;
	text_fmt(t, "%llu", (unsigned long long)(value / unit));
	if (!places)
		return;
	text_char(t, '.');
	if (scale)
		text_fmt(t, "%0*llu", (int)scale, (unsigned long long)(value % unit));
	for (u32 i = scale; i < places; i++)
		text_char(t, '0');
}

void text_csv(struct text *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		text_str(out, s);
		return;
	}
	text_char(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			text_char(out, '"');
		text_char(out, *s);
	}
	text_char(out, '"');
}

void table_init(struct table *t, u32 cols, u64 right)
{
	memset(t, 0, sizeof(*t));
	t->cols = cols;
	t->right = right;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vfmt(&t->cells, fmt, ap);
	va_end(ap);
	text_char(&t->cells, '\0');
	t->n++;
}

/* Columns a UTF-8 string takes on a terminal, one per code point. */
static u32 columns(const char *s)
{
	u32 n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void pad(struct text *out, u32 n)
{
	while (n--)
		text_char(out, ' ');
}

void table_render(const struct table *t, struct text *out, const char *indent)
{
	u32 *width = calloc(t->cols, sizeof(*width));
	const char *c = t->cells.s;

	if (!width)
		abort();
	for (u32 i = 0; i < t->n; i++, c += strlen(c) + 1)
		width[i % t->cols] = max_u32(width[i % t->cols], columns(c));
	c = t->cells.s;
	for (u32 i = 0; i < t->n; i++, c += strlen(c) + 1) {
		u32 col = i % t->cols, gap = width[col] - columns(c);
		bool last = col == t->cols - 1;

		if (!col)
			text_str(out, indent);
		if (t->right >> col & 1)
			pad(out, gap);
		text_str(out, c);
		if (!(t->right >> col & 1) && !last)
			pad(out, gap);
		if (!last) {
			text_str(out, "  ");
			continue;
		}
		while (out->len && out->s[out->len - 1] == ' ')
			out->s[--out->len] = '\0';
		text_char(out, '\n');
	}
	free(width);
}

void table_free(struct table *t)
{
	text_free(&t->cells);
}
