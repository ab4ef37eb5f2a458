/* sibyl doctor: is everything there, and does it give the same result twice? */
#include <gsl/gsl_version.h>
#include <hwloc.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <yaml.h>

#include "cli.h"

static void versions(struct cli *c)
{
	unsigned hw = hwloc_get_api_version(), xx = XXH_versionNumber();

	text_fmt(&c->out, "sibyl      %s, semantics %d\n", SIBYL_VERSION,
		 SIBYL_SEMANTICS);
	text_fmt(&c->out,
		 "libraries  libyaml %s, hwloc %u.%u, GSL %s, SQLite %s, xxHash %u.%u\n",
		 yaml_get_version_string(), hw >> 16, hw >> 8 & 0xff, gsl_version,
		 sqlite3_libversion(), xx / 10000, xx / 100 % 100);
#ifdef __clang__
	text_fmt(&c->out, "compiler   %s\n", __VERSION__);
#else
	text_fmt(&c->out, "compiler   gcc %s\n", __VERSION__);
#endif
}

static int data(struct cli *c)
{
	text_fmt(&c->out, "data       %s:", c->library.dir);
	for (enum library_kind k = 0; k < LIBRARY_KINDS; k++) {
		const char *const *names;
		u32 n;

		if (library_names(&c->library, &c->arena, k, &names, &n, &c->fail))
			return -1;
		text_fmt(&c->out, "%s %u %s", k ? "," : "", n, library_folder(k));
	}
	text_char(&c->out, '\n');
	return 0;
}

static int database(struct cli *c, const char *path)
{
	struct store *s;

	if (store_open(&s, path, &c->fail))
		return -1;
	store_close(s);
	text_fmt(&c->out, "database   %s can be written\n", path);
	return 0;
}

/* The example's first cell, twice; the second time with every queue recounted. */
static int self_test(struct cli *c, struct options *o)
{
	struct run_result r[2];
	struct axis *axis;
	struct grid g;
	bool all;

	if (cli_example(c, o, &all))
		return -1;
	axis = arena_array(&c->arena, struct axis, o->req.naxis + 1);
	for (u32 i = 0; i < o->req.naxis; i++) {
		axis[i] = o->req.axis[i];
		axis[i].n = 1;
	}
	o->req.axis = axis;
	o->req.runs = 1;
	o->req.nkernel = 1;
	if (request_plan(&c->arena, &c->library, &o->req, &g, &c->fail))
		return -1;
	for (int i = 0; i < 2; i++) {
		const struct run_options opt = {.check = i == 1};

		if (run_execute(&c->arena, &g.spec[0], &opt, &r[i], &c->fail))
			return -1;
	}
	if (r[0].digest != r[1].digest)
		return fail_set(
			&c->fail, FAIL_CHECK, NULL,
			"self-test: digests %016llx and %016llx of one run differ",
			(unsigned long long)r[0].digest, (unsigned long long)r[1].digest);
	text_fmt(&c->out, "self-test  %s, %s, %s: digest %016llx twice, %llu events\n",
		 o->req.machine, o->req.workload, o->req.kernel[0],
		 (unsigned long long)r[0].digest, (unsigned long long)r[0].events);
	return 0;
}

int cmd_doctor(struct cli *c, struct options *o)
{
	versions(c);
	if (data(c) || database(c, o->db) || self_test(c, o))
		return -1;
	text_str(&c->out, "all is well\n");
	return 0;
}
