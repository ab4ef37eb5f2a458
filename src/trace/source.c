/*
 * Opening a recording: what kind it is says its first bytes, not its name. What cannot be
 * read twice (a pipe) is copied to a hidden temporary file first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event.h"

#define SPOOL_BLOCK 65536u

bool trace_is_dat(const char *head, size_t n)
{
	static const char magic[] = "\x17\x08\x44tracing";

	return n >= strlen(magic) && !memcmp(head, magic, strlen(magic));
}

static int cannot(const struct source *s, const char *what, struct failure *f)
{
	return fail_set(f, FAIL_IO, s->name, "cannot be %s: %s", what, strerror(errno));
}

static int write_all(int fd, const char *buf, size_t n)
{
	while (n) {
		ssize_t did = write(fd, buf, n);

		if (did < 0 && errno != EINTR)
			return -1;
		if (did > 0) {
			buf += did;
			n -= (size_t)did;
		}
	}
	return 0;
}

/* Replace s->fd by a file with the same bytes. */
static int spool(struct source *s, struct failure *f)
{
	const char *dir = getenv("TMPDIR");
	char *buf = arena_array(s->arena, char, SPOOL_BLOCK);
	char *path =
		arena_printf(s->arena, "%s/sibyl.XXXXXX", dir && *dir ? dir : "/tmp");
	int to = mkostemp(path, O_CLOEXEC);
	ssize_t got;

	if (to < 0)
		return fail_set(f, FAIL_IO, path, "cannot be made: %s", strerror(errno));
	unlink(path);
	while ((got = read(s->fd, buf, SPOOL_BLOCK))) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || write_all(to, buf, (size_t)got)) {
			cannot(s, got < 0 ? "read" : "copied to a temporary file", f);
			close(to);
			return -1;
		}
	}
	close(s->fd);
	s->fd = to;
	return 0;
}

static int kind_of(struct source *s, struct failure *f)
{
	char head[16];
	ssize_t n = pread(s->fd, head, sizeof(head), 0);

	if (n < 0)
		return cannot(s, "read", f);
	s->kind = SOURCE_TEXT;
	if (n >= 2 && !memcmp(head, "\x1f\x8b", 2))
		s->kind = SOURCE_GZIP;
	else if (trace_is_dat(head, (size_t)n))
		s->kind = SOURCE_DAT;
	return 0;
}

int source_open(struct arena *a, const char *path, struct source *s, struct failure *f)
{
	bool in = !strcmp(path, "-");
	struct stat st;

	memset(s, 0, sizeof(*s));
	s->arena = a;
	s->name = in ? "standard input" : path;
	s->fd = in ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
		   : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st)) {
		cannot(s, "opened", f);
		source_close(s);
		return -1;
	}
	if ((!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && spool(s, f)) ||
	    kind_of(s, f)) {
		source_close(s);
		return -1;
	}
	return 0;
}

int source_each(struct source *s, trace_fn fn, void *ctx, struct failure *f)
{
	if (lseek(s->fd, 0, SEEK_SET) < 0)
		return cannot(s, "read from its start", f);
	return s->kind == SOURCE_DAT ? dat_each(s, fn, ctx, f) : text_each(s, fn, ctx, f);
}

void source_close(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

bool trace_is_file(const char *path)
{
	static const char *const ends[] = {".dat", ".txt", ".gz"};
	size_t n = strlen(path);

	/* an identity of a run, whatever lies in this folder */
	if (!strcmp(path, "last") || strspn(path, "0123456789abcdef") == n)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(ends); i++)
		if (n > strlen(ends[i]) && !strcmp(path + n - strlen(ends[i]), ends[i]))
			return true;
	return access(path, F_OK) == 0;
}
