/*
 * rt-app JSON as people write it: with comments of C and of C++, tabs, commas behind the
 * last value, keys without a value and keys that come twice. The YAML reader takes all of
 * that but comments and some tabs: these become blanks, byte for byte, so that lines and
 * columns stay those of the file. What can only be YAML is refused here.
 *
 * A comment behind // ends with its line; but files that went through mail have comments
 * whose text was wrapped. So a line behind such a comment is taken for its rest if it
 * cannot be JSON: it starts with a letter (and not true, false or null) or a sign that
 * starts no value, and holds no quote and no bracket. A line that is JSON is never taken.
 *
 * Differs from rt-app: a character of several bytes inside a comment counts as so many
 * columns for what stands behind it on the same line.
 */
#include <ctype.h>
#include <string.h>

#include "rtapp.h"

struct scan {
	const char *path;
	char *p, *end;
	u32 line;
	char *bol; /* begin of the line */
	struct failure *f;
};

static int bad(const struct scan *s, const char *what)
{
	return fail_input(s->f, s->path, s->line, (u32)(s->p - s->bol) + 1, "%s", what);
}

static void newline(struct scan *s)
{
	s->line++;
	s->p++;
	s->bol = s->p;
}

/* Blank up to the end of the line. */
static void blank_line(struct scan *s)
{
	while (s->p < s->end && *s->p != '\n')
		*s->p++ = ' ';
}

static bool word_of_json(const char *p, size_t n)
{
	static const char *const words[] = {"true", "false", "null"};

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == n && !strncasecmp(words[i], p, n))
			return true;
	return false;
}

/* The line at p goes on with the text of a comment: it cannot be JSON. */
static bool is_wrapped(const char *p, const char *end)
{
	const char *stop;
	size_t word = 0;

	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	if (p == end || !*p || strchr("\n\"{}[],:-/", *p) || isdigit((unsigned char)*p))
		return false;
	while (p + word < end && isalnum((unsigned char)p[word]))
		word++;
	if (word_of_json(p, word))
		return false;
	stop = memchr(p, '\n', (size_t)(end - p));
	for (stop = stop ? stop : end; p < stop; p++)
		if (!*p || strchr("\"{}[]", *p))
			return false;
	return true;
}

static void line_comment(struct scan *s)
{
	blank_line(s);
	while (s->p < s->end && is_wrapped(s->p + 1, s->end)) {
		newline(s);
		blank_line(s);
	}
}

static int block_comment(struct scan *s)
{
	struct scan from = *s;

	s->p[0] = s->p[1] = ' ';
	for (s->p += 2; s->p < s->end;) {
		if (*s->p == '*' && s->p + 1 < s->end && s->p[1] == '/') {
			s->p[0] = s->p[1] = ' ';
			s->p += 2;
			return 0;
		}
		if (*s->p == '\n')
			newline(s);
		else
			*s->p++ = ' ';
	}
	return bad(&from, "a comment that does not end, expected */");
}

static int string(struct scan *s)
{
	struct scan from = *s;

	for (s->p++; s->p < s->end && *s->p != '\n'; s->p++) {
		if (*s->p == '"') {
			s->p++;
			return 0;
		}
		if (!*s->p)
			break;
		if (*s->p == '\\' && s->p + 1 < s->end && s->p[1] != '\n')
			s->p++;
	}
	return bad(&from, "a text that does not end on its line, expected '\"'");
}

static int other(struct scan *s)
{
	char c = *s->p;

	if (c == '\t' || c == '\r')
		*s->p = ' ';
	else if (!isalnum((unsigned char)c) && !(c && strchr(" {}[],:+-._", c)))
		return bad(s, "not JSON, expected a value, a comma or a bracket");
	s->p++;
	return 0;
}

static int next(struct scan *s)
{
	bool two = s->p + 1 < s->end;

	if (*s->p == '\n') {
		newline(s);
		return 0;
	}
	if (*s->p == '"')
		return string(s);
	if (two && s->p[0] == '/' && s->p[1] == '/') {
		line_comment(s);
		return 0;
	}
	if (two && s->p[0] == '/' && s->p[1] == '*')
		return block_comment(s);
	return other(s);
}

int rtapp_text(const char *path, char *text, size_t len, struct failure *f)
{
	struct scan s = {path, text, text + len, 1, text, f}, start;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		s.p += 3; /* a byte order mark */
	start = s;
	while (s.p < s.end)
		if (next(&s))
			return -1;
	s = start;
	while (s.p < s.end && (*s.p == ' ' || *s.p == '\n')) {
		if (*s.p == '\n')
			newline(&s);
		else
			s.p++;
	}
	if (s.p < s.end && *s.p == '{')
		return 0;
	return bad(&s, "not an rt-app file, expected '{'");
}
