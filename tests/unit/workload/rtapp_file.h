/* rt-app files out of a text: for the tests of that front end. */
#ifndef TESTS_RTAPP_FILE_H
#define TESTS_RTAPP_FILE_H

#include "mock_sched.h"

/** Load a text as a .json, and bind it. */
static inline int rt_load(struct mock *k, const char *text)
{
	char *path = arena_strdup(&k->arena, "/tmp/sibyl-test-XXXXXX.json");
	int fd = mkstemps(path, 5), rc;
	size_t len = strlen(text);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
	rc = workload_load(&k->arena, path, &k->w, &k->f);
	unlink(path);
	if (rc)
		return rc;
	return workload_bind(&k->arena, k->w, mock_machine(&k->arena), NULL, 0, &k->plan,
			     &k->f);
}

/** Load, bind and launch, without start jitter. */
static inline void rt_open(struct mock *k, const char *text)
{
	memset(k, 0, sizeof(*k));
	arena_init(&k->arena);
	k->s = arena_new(&k->arena, struct sched);
	k->s->arena = &k->arena;
	k->s->machine = mock_machine(&k->arena);
	k->s->client = &k->client;
	k->s->log_on = true;
	mock_must(k, rt_load(k, text));
	k->run = workload_start(&k->arena, k->plan, stream_root(1), &k->client);
	workload_launch(k->run, k->s);
}

/** The native file of a text holds these lines, in this order. */
static inline void translates(const char *text, const char *const *lines)
{
	struct mock k = {0};
	struct text out = {0};
	const char *at;

	arena_init(&k.arena);
	mock_must(&k, rt_load(&k, text));
	workload_yaml(k.w, &out);
	at = out.s;
	for (; *lines; lines++) {
		const char *found = strstr(at, *lines);

		if (!found)
			fail_msg("%s\n->\n%s\n(no '%s' from there on: %s)", text, out.s,
				 *lines, at);
		at = found + strlen(*lines);
	}
	text_free(&out);
	arena_free(&k.arena);
}

#define TRANSLATES(text, ...) translates(text, (const char *const[]){__VA_ARGS__, NULL})

/** A line that says why not. */
static inline void rt_refused(const char *text, u32 line, u32 col, const char *part)
{
	struct mock k = {0};

	arena_init(&k.arena);
	if (!rt_load(&k, text))
		fail_msg("accepted: %s", text);
	if (!strstr(k.f.what, part) || (line && k.f.line != line) ||
	    (col && k.f.col != col) || k.f.kind != FAIL_INPUT)
		fail_msg("%s\n-> %u:%u: %s\n(wanted %u:%u '%s')", text, k.f.line, k.f.col,
			 k.f.what, line, col, part);
	arena_free(&k.arena);
}

#endif
