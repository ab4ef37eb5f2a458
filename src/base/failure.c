/* Failure values: see base/failure.h. */
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

static void set_place(struct failure *f, const char *file, u32 line, u32 col)
{
	f->line = line;
	f->col = col;
	snprintf(f->file, sizeof(f->file), "%s", file ? file : "");
}

int fail_input(struct failure *f, const char *file, u32 line, u32 col, const char *fmt,
	       ...)
{
	va_list ap;

	f->kind = FAIL_INPUT;
	set_place(f, file, line, col);
	va_start(ap, fmt);
	vsnprintf(f->what, sizeof(f->what), fmt, ap);
	va_end(ap);
	return -1;
}

int fail_set(struct failure *f, enum fail_kind kind, const char *file, const char *fmt,
	     ...)
{
	va_list ap;

	f->kind = kind;
	set_place(f, file, 0, 0);
	va_start(ap, fmt);
	vsnprintf(f->what, sizeof(f->what), fmt, ap);
	va_end(ap);
	return -1;
}

void fail_format(const struct failure *f, char *buf, size_t size)
{
	if (!f->file[0])
		snprintf(buf, size, "%s", f->what);
	else if (!f->line)
		snprintf(buf, size, "%s: %s", f->file, f->what);
	else
		snprintf(buf, size, "%s:%u:%u: %s", f->file, f->line, f->col, f->what);
	for (char *p = buf; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p == 0x7f)
			*p = '?';
}
