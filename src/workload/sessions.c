/*
 * `session:` of a task entry: the login session (setsid) that its tasks belong to. With
 * autogroups every session is a group of its own, unless its tasks are in a cgroup.
 *
 *   tasks:
 *     make: {session: build, ...}
 *     cc:   {session: {name: build, nice: 10}, ...}   # nice value of the autogroup
 *
 * A session is there once it is named; one nice value holds for all of its tasks.
 */
#include <string.h>

#include "compile.h"

static struct session *session_of(struct compiler *c, const char *name, u32 *number)
{
	for (u32 i = 0; i < c->nsession; i++) {
		*number = i + 1;
		if (!strcmp(c->session[i].name, name))
			return &c->session[i];
	}
	c->session[c->nsession].name = name;
	*number = ++c->nsession;
	return &c->session[c->nsession - 1];
}

int compile_session(struct compiler *c, const struct ynode *n, u32 *number)
{
	static const char *const keys[] = {"name", "nice", NULL};
	const struct ynode *name = n, *nice = NULL;
	struct session *session;
	const char *text;
	s64 value;

	if (n->kind == Y_MAP) {
		if (y_check_keys(n, keys, c->f))
			return -1;
		name = y_need(n, "name", c->f);
		nice = y_get(n, "nice");
	}
	if (!name || compile_name(c, name, &text))
		return -1;
	session = session_of(c, text, number);
	if (!nice)
		return 0;
	if (expr_signed(&c->env, nice, -20, 19, &value))
		return -1;
	if (session->given && session->nice != (s32)value)
		return y_fail(nice, c->f,
			      "session '%.60s' has the nice value %d already, expected "
			      "one value",
			      text, session->nice);
	session->given = true;
	session->nice = (s32)value;
	return 0;
}
