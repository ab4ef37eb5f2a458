/*
 * `profiles:` of a workload file: what kind of code its tasks run. The name is matched
 * with the SMT rows of the machine; the licence is a column of its frequency bins.
 *
 *   profiles:
 *     avx: {licence: avx512, memory: 10 %, working-set: 1 MiB, bandwidth: 2 GB/s}
 */
#include <string.h>

#include "compile.h"

int find_profile(struct compiler *c, const struct ynode *n, u32 *out)
{
	const char **names = arena_array(c->a, const char *, c->nprofile + 1), *near;

	if (y_expect(n, Y_SCALAR, c->f))
		return -1;
	for (u32 i = 0; i < c->nprofile; i++) {
		names[i] = c->profile[i].attr.name;
		if (strcmp(names[i], n->text))
			continue;
		*out = i;
		return 0;
	}
	near = nearest_name(n->text, names, c->nprofile);
	return y_fail(n, c->f, "no profile '%.60s', expected %s%s", n->text,
		      near ? near : "one of `profiles:`", near ? "?" : "");
}

static int compile_one(struct compiler *c, const struct ynode *entry,
		       struct profile_attr *p)
{
	static const char *const keys[] = {"licence", "memory", "working-set",
					   "bandwidth", NULL};
	static const char *const licences[] = {"scalar", "avx2", "avx512"};
	const struct ynode *licence, *memory, *set, *bandwidth;

	if (y_check_keys(entry, keys, c->f))
		return -1;
	if (!strcmp(entry->key, "integer"))
		return y_fail_key(
			entry, c->f,
			"'integer' is the profile of tasks without one, expected "
			"another name");
	licence = y_get(entry, "licence");
	memory = y_get(entry, "memory");
	set = y_get(entry, "working-set");
	bandwidth = y_get(entry, "bandwidth");
	p->name = entry->key;
	if (licence &&
	    y_choice(licence, licences, ARRAY_SIZE(licences), &p->licence, c->f))
		return -1;
	if (memory && expr_get(&c->env, memory, UNIT_RATIO, 0, Q32_ONE, &p->memory))
		return -1;
	if (bandwidth &&
	    y_value(bandwidth, UNIT_BANDWIDTH, 0, 10000000000000, &p->bandwidth, c->f))
		return -1;
	if (set && expr_get(&c->env, set, UNIT_BYTES, 0, 1ull << 40, &p->working_set))
		return -1;
	return 0;
}

int compile_profiles(struct compiler *c, const struct ynode *profiles)
{
	if (!profiles)
		return 0;
	if (y_expect(profiles, Y_MAP, c->f))
		return -1;
	c->profile = arena_array(c->a, struct profile, profiles->n + 1);
	y_for_each (entry, profiles) {
		if (y_get(profiles, entry->key) != entry)
			return y_fail_key(entry, c->f, "profile '%s' is given twice",
					  entry->key);
		if (compile_one(c, entry, &c->profile[c->nprofile].attr))
			return -1;
		c->nprofile++;
	}
	return 0;
}
