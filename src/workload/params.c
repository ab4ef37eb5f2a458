/*
 * Parameters: the load axis of a workload. The unit of a parameter is that of its
 * default, or is given; a default may use the machine ($cpus * 2) and the parameters
 * before it.
 */
#include "bind.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	enum unit unit;
} kinds[] = {
	{"count", UNIT_COUNT},
	{"time", UNIT_TIME},
	{"bytes", UNIT_BYTES},
	{"ratio", UNIT_RATIO},
};

static int param_unit(struct env *e, const struct param_decl *p, enum unit *out)
{
	const char *names[ARRAY_SIZE(kinds)];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		names[i] = kinds[i].name;
	if (y_choice(p->unit, names, ARRAY_SIZE(kinds), &i, e->f))
		return -1;
	*out = kinds[i].unit;
	return 0;
}

/* n: where the value comes from. */
static int check_range(struct env *e, const struct param_decl *p, const struct ynode *n,
		       const struct value *v)
{
	struct value lo, hi;
	char got[40], a[40], b[40];

	if (!p->lo)
		return 0;
	if (expr_value(e, p->lo, &lo) || expr_coerce(e, p->lo, v->unit, &lo) ||
	    expr_value(e, p->hi, &hi) || expr_coerce(e, p->hi, v->unit, &hi))
		return -1;
	if (lo.open || hi.open)
		return 0;
	if (lo.v > hi.v)
		return y_fail(p->lo, e->f, "an empty range, expected [lowest, highest]");
	if (v->open || (v->v >= lo.v && v->v <= hi.v))
		return 0;
	unit_print(v->v, v->unit, got, sizeof(got));
	unit_print(lo.v, v->unit, a, sizeof(a));
	unit_print(hi.v, v->unit, b, sizeof(b));
	return y_fail(n, e->f, "%s=%s is out of range, expected %s to %s", p->name, got,
		      a, b);
}

int param_default(struct env *e, u32 i, struct value *out)
{
	const struct param_decl *p = &e->w->param[i];
	const struct ynode *declared = y_get(e->w->params, p->name);
	struct value own;

	e->nparam = i;
	if (declared->kind == Y_MAP)
		declared = y_get(declared, "default");
	/* the unit is that of the declaration, whatever a derived file sets */
	if (expr_value(e, declared, &own))
		return -1;
	if (p->unit && param_unit(e, p, &own.unit))
		return -1;
	if (expr_value(e, p->def, out) || expr_coerce(e, p->def, own.unit, out))
		return -1;
	return check_range(e, p, p->def, out);
}

static int param_given(struct env *e, u32 i, const struct param *given, struct value *v)
{
	const struct param_decl *p = &e->w->param[i];
	char where[96];
	struct ynode n = {.kind = Y_SCALAR, .file = where, .text = given->value};
	enum unit unit = v->unit;

	snprintf(where, sizeof(where), "parameter %.60s", p->name);
	if (expr_value(e, &n, v) || expr_coerce(e, &n, unit, v))
		return -1;
	return check_range(e, p, &n, v);
}

static int unknown_given(struct env *e, const struct param *given)
{
	const struct workload *w = e->w;
	const char *near = nearest_name(given->name, w->param_name, w->nparam);

	if (near)
		return fail_input(e->f, w->file, 0, 0,
				  "unknown parameter '%.60s', expected '%s'?",
				  given->name, near);
	return fail_input(e->f, w->file, 0, 0, "unknown parameter '%.60s', expected %s%s",
			  given->name,
			  w->nparam ? "one such as " : "none: it has no params",
			  w->nparam ? w->param_name[0] : "");
}

int params_bind(struct arena *a, struct env *e, const struct param *params, u32 nparams)
{
	const struct workload *w = e->w;
	struct value *v = arena_array(a, struct value, w->nparam + 1);

	e->param = v;
	for (u32 k = 0; k < nparams; k++) {
		u32 i = 0;

		while (i < w->nparam && strcmp(w->param[i].name, params[k].name))
			i++;
		if (i == w->nparam)
			return unknown_given(e, &params[k]);
	}
	for (u32 i = 0; i < w->nparam; i++) {
		if (param_default(e, i, &v[i]))
			return -1;
		for (u32 k = 0; k < nparams; k++)
			if (!strcmp(w->param[i].name, params[k].name) &&
			    param_given(e, i, &params[k], &v[i]))
				return -1;
	}
	e->nparam = w->nparam;
	return 0;
}

const char *params_text(struct arena *a, const struct env *e)
{
	const char *text = "";

	for (u32 i = 0; i < e->nparam; i++) {
		char buf[40];

		unit_print(e->param[i].v, e->param[i].unit, buf, sizeof(buf));
		text = arena_printf(a, "%s%s%s=%s", text, i ? " " : "",
				    e->w->param[i].name, buf);
	}
	return text;
}
