/*
 * The text reader: blocks of a file, inflated if they are gzip, cut into lines, parsed.
 * Memory is two blocks, whatever the size of the file. Lines that are no events (headers,
 * stack traces) are passed over; a line with a zero byte, one that does not end, and a
 * file without any event are failures.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "event.h"

#define BLOCK (1u << 18) /* longer lines are not text */

struct bytes {
	struct source *s;
	z_stream z;
	bool gzip, at_end, member_done;
	unsigned char *in; /* of gzip */
};

/* Up to n bytes of the file; 0 at its end, -1 failed. */
static ssize_t get_raw(const struct source *s, void *to, size_t n, struct failure *f)
{
	ssize_t got;

	do
		got = read(s->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		fail_set(f, FAIL_IO, s->name, "cannot be read: %s", strerror(errno));
	return got;
}

/* More input for inflate(). Returns as get_raw(). */
static ssize_t refill(struct bytes *b, struct failure *f)
{
	ssize_t got = get_raw(b->s, b->in, BLOCK, f);

	if (got > 0) {
		b->z.next_in = b->in;
		b->z.avail_in = (uInt)got;
	}
	return got;
}

static int broken_gzip(const struct bytes *b, const char *what, struct failure *f)
{
	return fail_input(f, b->s->name, b->s->line, 1,
			  "the gzip data %s, expected a complete .gz file", what);
}

static ssize_t get_gzip(struct bytes *b, char *to, size_t n, struct failure *f)
{
	int err;

	b->z.next_out = (unsigned char *)to;
	b->z.avail_out = (uInt)n;
	while (b->z.avail_out == n) {
		if (!b->z.avail_in) {
			ssize_t got = refill(b, f);

			if (got < 0)
				return -1;
			if (!got)
				return b->member_done ? 0
						      : broken_gzip(b, "is cut off", f);
		}
		/* members follow one another, as `cat a.gz b.gz` makes them */
		if (b->member_done && inflateReset(&b->z) != Z_OK)
			return broken_gzip(b, "cannot be read", f);
		b->member_done = false;
		err = inflate(&b->z, Z_NO_FLUSH);
		if (err == Z_STREAM_END)
			b->member_done = true;
		else if (err != Z_OK && err != Z_BUF_ERROR)
			return broken_gzip(b, "is damaged", f);
	}
	return (ssize_t)(n - b->z.avail_out);
}

static int bad_line(const struct source *s, const char *what, struct failure *f)
{
	return fail_input(f, s->name, s->line, 1,
			  "%s, expected the text of 'trace-cmd report' or a trace.dat",
			  what);
}

/* "cpus=8", which trace-cmd writes first. */
static void header(struct source *s, const char *line, const char *end)
{
	u32 n = 0;

	if (end - line < 6 || end - line > 11 || memcmp(line, "cpus=", 5))
		return;
	for (line += 5; line < end && *line >= '0' && *line <= '9'; line++)
		n = 10 * n + (u32)(*line - '0');
	if (line == end)
		s->cpus = n;
}

struct lines {
	struct source *s;
	trace_fn fn;
	void *ctx;
	u64 events;
};

static int one_line(struct lines *l, const char *line, const char *end, struct failure *f)
{
	struct trace_event ev;
	const char *want = NULL;
	int got;

	if (memchr(line, '\0', (size_t)(end - line)))
		return bad_line(l->s, "a zero byte in the text", f);
	got = trace_line(line, end, &ev, &want);
	if (got < 0)
		return fail_input(f, l->s->name, l->s->line, 1,
				  "the event cannot be read, expected %s", want);
	if (!got) {
		header(l->s, line, end);
		return 0;
	}
	l->events++;
	return l->fn(l->ctx, &ev, f);
}

/* All lines that end in buf; *used: bytes of them. */
static int whole_lines(struct lines *l, const char *buf, size_t n, size_t *used,
		       struct failure *f)
{
	const char *at = buf, *nl;
	int err;

	while ((nl = memchr(at, '\n', n - (size_t)(at - buf)))) {
		l->s->line++;
		err = one_line(l, at, nl, f);
		if (err)
			return err;
		at = nl + 1;
	}
	*used = (size_t)(at - buf);
	return 0;
}

static int each(struct lines *l, struct bytes *b, char *buf, struct failure *f)
{
	size_t have = 0, used;
	ssize_t got;
	int err;

	for (;;) {
		got = b->gzip ? get_gzip(b, buf + have, BLOCK - have, f)
			      : get_raw(l->s, buf + have, BLOCK - have, f);
		if (got < 0)
			return -1;
		if (!got)
			break;
		have += (size_t)got;
		err = whole_lines(l, buf, have, &used, f);
		if (err)
			return err < 0 ? -1 : 0;
		have -= used;
		memmove(buf, buf + used, have);
		if (have == BLOCK) {
			l->s->line++;
			return bad_line(l->s, "a line of more than 256 KiB", f);
		}
	}
	if (have) {
		l->s->line++;
		return fail_input(f, l->s->name, l->s->line, 1,
				  "the file is cut off in this line, expected it to end "
				  "with a newline");
	}
	if (!l->events)
		return bad_line(l->s, "no event", f);
	return 0;
}

int text_each(struct source *s, trace_fn fn, void *ctx, struct failure *f)
{
	struct lines l = {.s = s, .fn = fn, .ctx = ctx};
	struct bytes b = {.s = s, .gzip = s->kind == SOURCE_GZIP};
	struct arena a;
	int err;

	s->line = 0;
	arena_init(&a);
	if (b.gzip) {
		b.in = arena_array(&a, unsigned char, BLOCK);
		if (inflateInit2(&b.z, 15 + 16) != Z_OK) {
			arena_free(&a);
			return fail_set(f, FAIL_IO, s->name, "no memory to inflate");
		}
	}
	err = each(&l, &b, arena_array(&a, char, BLOCK), f);
	if (b.gzip)
		inflateEnd(&b.z);
	arena_free(&a);
	return err;
}
