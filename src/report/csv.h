/* Writing comma separated values. Private to the layer. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <string.h>

#include "base/text.h"

/** A field of RFC 4180: quoted only where it must be. */
static inline void csv_put(struct text *out, const char *s)
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

#endif
