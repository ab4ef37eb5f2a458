/* JSON writer: see base/text.h. */
#include "base/text.h"

#include <math.h>
#include <string.h>

void json_init(struct json *j, struct text *out)
{
	memset(j, 0, sizeof(*j));
	j->out = out;
}

static void quoted(struct text *out, const char *s)
{
	text_char(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			text_fmt(out, "\\%c", c);
		else if (c == '\n')
			text_str(out, "\\n");
		else if (c == '\t')
			text_str(out, "\\t");
		else if (c < 0x20)
			text_fmt(out, "\\u%04x", c);
		else
			text_char(out, (char)c);
	}
	text_char(out, '"');
}

static void begin(struct json *j, const char *key)
{
	if (j->comma[j->depth])
		text_char(j->out, ',');
	j->comma[j->depth] = true;
	if (key) {
		quoted(j->out, key);
		text_char(j->out, ':');
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	begin(j, key);
	text_char(j->out, bracket);
	j->depth++;
	j->comma[j->depth] = false;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	text_char(j->out, bracket);
}

void json_str(struct json *j, const char *key, const char *value)
{
	begin(j, key);
	if (value)
		quoted(j->out, value);
	else
		text_str(j->out, "null");
}

void json_u64(struct json *j, const char *key, u64 value)
{
	begin(j, key);
	text_fmt(j->out, "%llu", (unsigned long long)value);
}

void json_num(struct json *j, const char *key, double value)
{
	begin(j, key);
	if (isfinite(value))
		text_fmt(j->out, "%.9g", value);
	else
		text_str(j->out, "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin(j, key);
	text_str(j->out, value ? "true" : "false");
}

void json_fixed(struct json *j, const char *key, u64 value, u32 scale)
{
	begin(j, key);
	while (scale && value % 10 == 0) {
		value /= 10;
		scale--;
	}
	text_fixed(j->out, value, scale, scale);
}
