/* What the machine tests share: an arena, a scratch folder, loads that must (not) work.
 */
#ifndef TEST_MACHINE_HELPERS_H
#define TEST_MACHINE_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "machine/machine.h"

struct bench {
	struct arena arena;
	char dir[64];
	char files[24][128];
	u32 nfile;
	char error[1200];
};

static inline int bench_setup(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	arena_init(&b->arena);
	strcpy(b->dir, "/tmp/sibyl-machine-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	*state = b;
	return 0;
}

static inline int bench_teardown(void **state)
{
	struct bench *b = *state;

	for (u32 i = 0; i < b->nfile; i++)
		unlink(b->files[i]);
	rmdir(b->dir);
	arena_free(&b->arena);
	free(b);
	return 0;
}

/* A file of the scratch folder; rewritten if the name was used. */
static inline const char *bench_write(struct bench *b, const char *name, const char *text,
				      size_t len)
{
	char path[128];
	FILE *out;
	u32 i = 0;

	snprintf(path, sizeof(path), "%s/%s", b->dir, name);
	while (i < b->nfile && strcmp(b->files[i], path))
		i++;
	if (i == b->nfile) {
		assert_true(b->nfile < ARRAY_SIZE(b->files));
		strcpy(b->files[b->nfile++], path);
	}
	out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
	return b->files[i];
}

static inline const char *bench_text(struct bench *b, const char *name, const char *text)
{
	return bench_write(b, name, text, strlen(text));
}

static inline const struct machine *load(struct bench *b, const char *what)
{
	const struct machine *m = NULL;
	struct failure f = {0};

	if (machine_load(&b->arena, what, &m, &f)) {
		fail_format(&f, b->error, sizeof(b->error));
		fail_msg("%s", b->error);
	}
	return m;
}

static inline const struct machine *load_data(struct bench *b, const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/machines/%s", SIBYL_SOURCE_DATA, name);
	return load(b, path);
}

/* One line of bad input; returns it. */
static inline const char *refuse(struct bench *b, const char *what)
{
	const struct machine *m = NULL;
	struct failure f = {0};

	if (!machine_load(&b->arena, what, &m, &f))
		fail_msg("'%s' was loaded, expected a failure", what);
	assert_int_equal(f.kind, FAIL_INPUT);
	fail_format(&f, b->error, sizeof(b->error));
	assert_null(strchr(b->error, '\n'));
	return b->error;
}

static inline void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static inline void same_machine(const struct machine *a, const struct machine *b)
{
	struct text x = {0}, y = {0};

	machine_canonical(a, &x);
	machine_canonical(b, &y);
	assert_string_equal(x.s, y.s);
	text_free(&x);
	text_free(&y);
}

#endif
