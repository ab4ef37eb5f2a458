/*
 * Durations of operations: a constant, or a distribution that is drawn from the task's
 * own stream each time. Ranges keep every product of base/dist.h inside 64 bits.
 */
#include "compile.h"

#include <string.h>

#define EXP_MAX (10000 * NS_PER_SEC)
#define MEDIAN_MAX \
	(8 * NS_PER_SEC) /* times 2^31, the most that a lognormal stretches it */
#define SIGMA_MAX (4 * Q32_ONE)

static const char *const dist_word[] = {
	[DIST_CONST] = "const",
	[DIST_UNIFORM] = "uniform",
	[DIST_EXP] = "exp",
	[DIST_LOGNORMAL] = "lognormal",
	[DIST_QUANTILES] = "quantiles",
};

int compile_time(struct compiler *c, const struct ynode *n, u64 lo, u64 *out)
{
	return expr_get(&c->env, n, UNIT_TIME, lo, DURATION_MAX, out);
}

static int uniform(struct compiler *c, const struct ynode *n, struct dist *d)
{
	if (y_expect(n, Y_SEQ, c->f))
		return -1;
	if (n->n != 2)
		return y_fail(n, c->f, "%u values, expected [lowest, highest]", n->n);
	if (compile_time(c, n->first, 0, &d->a) ||
	    compile_time(c, n->first->next, 0, &d->b))
		return -1;
	if (d->b < d->a)
		return y_fail(n->first->next, c->f,
			      "the highest value is below the lowest, expected [lowest, "
			      "highest]");
	return 0;
}

static int lognormal(struct compiler *c, const struct ynode *n, struct dist *d)
{
	static const char *const keys[] = {"median", "sigma", NULL};
	const struct ynode *median, *sigma;

	if (y_check_keys(n, keys, c->f))
		return -1;
	median = y_need(n, "median", c->f);
	sigma = median ? y_need(n, "sigma", c->f) : NULL;
	if (!sigma || expr_get(&c->env, median, UNIT_TIME, 1, MEDIAN_MAX, &d->a))
		return -1;
	return expr_get(&c->env, sigma, UNIT_RATIO, 0, SIGMA_MAX, &d->sigma);
}

static int quantiles(struct compiler *c, const struct ynode *n, struct dist *d)
{
	u64 *q;
	u32 i = 0;

	if (y_expect(n, Y_SEQ, c->f))
		return -1;
	if (n->n < 2)
		return y_fail(n, c->f, "%u values, expected at least 2 quantiles", n->n);
	q = arena_array(c->a, u64, n->n);
	y_for_each (v, n) {
		if (compile_time(c, v, 0, &q[i]))
			return -1;
		if (i && q[i] < q[i - 1])
			return y_fail(v, c->f,
				      "a quantile below the one before, expected them in "
				      "order");
		i++;
	}
	d->quantiles = q;
	d->n = n->n;
	return 0;
}

static int by_kind(struct compiler *c, const struct ynode *n, struct dist *d)
{
	switch (d->kind) {
	case DIST_UNIFORM:
		return uniform(c, n, d);
	case DIST_EXP:
		return expr_get(&c->env, n, UNIT_TIME, 1, EXP_MAX, &d->a);
	case DIST_LOGNORMAL:
		return lognormal(c, n, d);
	case DIST_QUANTILES:
		return quantiles(c, n, d);
	case DIST_CONST:
		break;
	}
	return compile_time(c, n, 0, &d->a);
}

int compile_dist(struct compiler *c, const struct ynode *n, const struct dist **out)
{
	struct dist *d = arena_new(c->a, struct dist);
	const char *near;

	*out = d;
	if (n->kind == Y_SCALAR)
		return compile_time(c, n, 0, &d->a);
	if (n->kind != Y_MAP || n->n != 1)
		return y_fail(
			n, c->f,
			"expected a time, or one of {exp: T}, {uniform: [T, T]}, "
			"{lognormal: {median: T, sigma: R}}, {quantiles: [T, ...]}");
	for (u32 i = 0; i < ARRAY_SIZE(dist_word); i++)
		if (!strcmp(n->first->key, dist_word[i])) {
			d->kind = (enum dist_kind)i;
			return by_kind(c, n->first, d);
		}
	near = nearest_name(n->first->key, dist_word, ARRAY_SIZE(dist_word));
	return y_fail_key(n->first, c->f, "unknown distribution '%.40s', expected %s%s",
			  n->first->key,
			  near ? near : "exp, uniform, lognormal or quantiles",
			  near ? "?" : "");
}
