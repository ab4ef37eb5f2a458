/*
 * sibyl explain --why: the runs of counter-experiments (experiment/counter.h). Both runs
 * again on machines on which one mechanism takes no time, then on one on which none of
 * them does; and B with one option after the other as A has it, then with all of them.
 * All of it for several pairs: the stored one and others, whose seeds are drawn from its.
 */
#include <math.h>
#include <string.h>

#include "cli.h"
#include "experiment/counter.h"
#include "experiment/freeze.h"
#include "experiment/grid.h"

struct why {
	struct cli *c;
	const struct run_spec *const *spec;
	const struct reasons *reasons;
	u32 pairs;
	struct counter_pair *plain;
	struct counter_answer *out;
};

/* The first pair is the stored one. */
static u64 seed_of(const struct run_spec *spec, u32 pair)
{
	return pair ? grid_seed(spec->seed, pair) : spec->seed;
}

/* Pair i, each side on its machine with its kernel. */
static int run_pair(const struct why *w, u32 i, const struct machine *const machine[2],
		    const struct kernel *const kernel[2], struct counter_pair *out)
{
	struct run_spec s[2] = {*w->spec[0], *w->spec[1]};
	const struct run_spec *const both[2] = {&s[0], &s[1]};

	for (u32 k = 0; k < 2; k++) {
		s[k].seed = seed_of(w->spec[k], i);
		s[k].machine = machine[k];
		s[k].kernel = kernel[k];
	}
	return cli_account(w->c, both, w->reasons->metric, out->r);
}

static int freeze(const struct why *w, u32 which, struct counter_pair *out)
{
	const struct kernel *const kernel[2] = {w->spec[0]->kernel, w->spec[1]->kernel};
	const struct machine *machine[2];

	for (u32 k = 0; k < 2; k++)
		machine[k] =
			which ? freeze_machine(&w->c->arena, w->spec[k]->machine, which)
			      : w->spec[k]->machine;
	for (u32 i = 0; i < w->pairs; i++)
		if (run_pair(w, i, machine, kernel, &out[i]))
			return -1;
	return 0;
}

/*
 * B with another kernel; A is what it was. What changes no event of the first pair, time
 * included, is not tried on the others.
 */
static int undo(const struct why *w, const struct kernel *kernel,
		struct counter_value *out)
{
	struct counter_pair *p = arena_array(&w->c->arena, struct counter_pair, w->pairs);
	const struct run_options opt = {.stop = &w->c->stop,
					.account = true,
					.account_metric = w->reasons->metric};

	*out = (struct counter_value){0, w->pairs < 2 ? NAN : 0};
	for (u32 i = 0; i < w->pairs; i++) {
		struct run_spec s = *w->spec[1];

		s.seed = seed_of(w->spec[1], i);
		s.kernel = kernel;
		p[i].r[0] = w->plain[i].r[0];
		if (run_execute(&w->c->arena, &s, &opt, &p[i].r[1], &w->c->fail))
			return -1;
		if (!i && p[0].r[1].digest == w->plain[0].r[1].digest)
			return 0;
	}
	*out = counter_gone(&w->c->arena, w->plain, p, w->pairs);
	return 0;
}

static bool has_share(const struct reasons *why, enum reason reason)
{
	for (u32 i = 0; i < why->n; i++)
		if (why->row[i].reason == reason)
			return fabs(why->row[i].share) >= COUNTER_LEAST;
	return false;
}

static int freezes_of(const struct why *w)
{
	struct counter_pair *p = arena_array(&w->c->arena, struct counter_pair, w->pairs);
	struct counter_together *all = &w->out->frozen;
	u32 mask = 0;

	for (u32 i = 0; i < freeze_count; i++) {
		struct counter_experiment *e = &w->out->row[w->out->n];

		if (!has_share(w->reasons, freezes[i].reason))
			continue;
		if (freeze(w, 1u << i, p))
			return -1;
		*e = (struct counter_experiment){.what = freezes[i].what};
		counter_build(&w->c->arena, w->reasons, freezes[i].reason, w->plain, p,
			      w->pairs, e);
		w->out->n++;
		mask |= 1u << i;
		all->n++;
		all->sum += e->gone.mean;
	}
	all->what = "all of these";
	if (all->n < 2)
		return 0;
	if (freeze(w, mask, p))
		return -1;
	all->gone = counter_gone(&w->c->arena, w->plain, p, w->pairs);
	return 0;
}

static int options_back(const struct why *w)
{
	struct cli *c = w->c;
	const char **kernel = arena_array(&c->arena, const char *, OPTION_COUNT + 1);
	struct counter_together *all = &w->out->undone;
	const struct kernel *k;

	all->what = "all options";
	all->n = cli_put_back(c, w->spec[1]->kernel, w->spec[0]->kernel, kernel);
	for (u32 i = 0; i < all->n; i++) {
		struct counter_experiment *e = &w->out->row[w->out->n];

		*e = (struct counter_experiment){.share = {NAN, NAN},
						 .apart = {NAN, NAN}};
		if (kernel_load(&c->arena, kernel[i], library_resolve_kernel, &c->library,
				&k, &c->fail) ||
		    undo(w, k, &e->gone))
			return -1;
		e->what = strrchr(kernel[i], strchr(k->name, ',') ? ',' : ':') + 1;
		all->sum += e->gone.mean;
		w->out->n++;
	}
	return all->n < 2 ? 0 : undo(w, w->spec[0]->kernel, &all->gone);
}

int cli_why(struct cli *c, const struct run_spec *const spec[2],
	    const struct reasons *why, u32 pairs, struct counter_answer *out)
{
	struct why w = {.c = c,
			.spec = spec,
			.reasons = why,
			.pairs = pairs,
			.plain = arena_array(&c->arena, struct counter_pair, pairs),
			.out = out};

	*out = (struct counter_answer){
		.pairs = pairs,
		.row = arena_array(&c->arena, struct counter_experiment,
				   freeze_count + OPTION_COUNT + 1),
	};
	if (why->refusal || !(why->value[0] > 0) || !(why->value[1] > 0) ||
	    why->value[0] == why->value[1])
		return 0;
	if (freeze(&w, 0, w.plain) || freezes_of(&w))
		return -1;
	return options_back(&w);
}
