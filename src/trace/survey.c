/*
 * The first reading: which pids ever had a wanted name (a program is renamed after its
 * fork, and counts from the start), when they were first and last switched, how many CPUs
 * there are, what was lost. A regular expression is asked once for a name as long as the
 * name stays in a small cache.
 */
#include <regex.h>
#include <string.h>

#include "pids.h"

#define CACHE 1024u /* names */

static u32 slot_of(const struct pids *p, u32 pid)
{
	u32 i = (pid * 2654435769u) >> 7 & (p->cap - 1);

	while (p->slot[i] && p->slot[i]->pid != pid)
		i = (i + 1) & (p->cap - 1);
	return i;
}

struct pid_info *pids_find(const struct pids *p, u32 pid)
{
	return p->cap ? p->slot[slot_of(p, pid)] : NULL;
}

struct pid_info *pids_get(struct pids *p, u32 pid)
{
	struct pid_info *info = pids_find(p, pid);
	struct pid_info **old = p->slot;
	u32 cap = p->cap;

	if (info)
		return info;
	if (2 * p->n >= cap) {
		p->cap = cap ? 2 * cap : 256;
		p->slot = arena_array(p->arena, struct pid_info *, p->cap);
		for (u32 i = 0; i < cap; i++)
			if (old[i])
				p->slot[slot_of(p, old[i]->pid)] = old[i];
	}
	info = arena_new(p->arena, struct pid_info);
	info->pid = pid;
	info->woken = info->waits = -1;
	p->slot[slot_of(p, pid)] = info;
	p->n++;
	return info;
}

struct known_name {
	char comm[24];
	bool asked, wanted;
};

struct surveyor {
	const struct source *s;
	const struct trace_options *o;
	struct survey *out;
	struct known_name *cache;
	regex_t pattern;
	double last;
	u32 top; /* CPU numbers that were seen, + 1 */
};

static bool wanted(struct surveyor *v, const char *comm)
{
	struct known_name *k;
	regmatch_t m;
	u32 hash = 5381;

	for (const char *p = comm; *p; p++)
		hash = 33 * hash + (u32)(unsigned char)*p;
	k = &v->cache[(hash ^ hash >> 10) & (CACHE - 1)];
	if (!k->asked || strcmp(k->comm, comm)) {
		k->asked = true;
		memcpy(k->comm, comm, sizeof(k->comm));
		k->wanted = !regexec(&v->pattern, comm, 1, &m, 0) && !m.rm_so;
	}
	return k->wanted;
}

static void see_switch(struct surveyor *v, const struct trace_event *ev)
{
	const u32 pid[2] = {ev->pid, ev->next};

	for (u32 i = 0; i < 2; i++) {
		struct pid_info *p = pids_get(&v->out->pids, pid[i]);

		if (!p->switched)
			p->first = ev->time;
		p->switched = true;
		p->last = ev->time;
		if (!wanted(v, ev->comm[i]))
			continue;
		p->named = true;
		memcpy(p->name, ev->comm[i], sizeof(p->name));
	}
}

static int see_cpu(struct surveyor *v, u32 cpu, struct failure *f)
{
	if (cpu >= (v->o->cpus ? v->o->cpus : 1u << 16))
		return fail_input(f, v->s->name, v->s->line, 1,
				  "CPU %u, expected less than %u%s", cpu,
				  v->o->cpus ? v->o->cpus : 1u << 16,
				  v->o->cpus ? " (--cpus)" : "");
	v->top = max_u32(v->top, cpu + 1);
	return 0;
}

static int see(void *ctx, const struct trace_event *ev, struct failure *f)
{
	struct surveyor *v = ctx;

	if (see_cpu(v, ev->cpu, f))
		return -1;
	if (ev->kind == TRACE_LOST) {
		v->out->lost += ev->lost;
		v->out->lost_more |= !ev->lost;
		return 0;
	}
	if (ev->time < v->last)
		return fail_input(f, v->s->name, v->s->line, 1,
				  "time goes back from %.9f to %.9f s, expected lines in "
				  "order of time",
				  v->last, ev->time);
	v->last = ev->time;
	if (ev->kind == TRACE_SWITCH)
		see_switch(v, ev);
	v->out->has_wakeups |= ev->kind == TRACE_WAKEUP;
	return 0;
}

/* The window, from when wanted tasks were switched. */
static int window(struct surveyor *v, struct failure *f)
{
	struct survey *out = v->out;
	double first = 0, last = 0;
	bool any = false;

	for (u32 i = 0; i < out->pids.cap; i++) {
		const struct pid_info *p = out->pids.slot[i];

		if (!p || !p->named || !p->switched)
			continue;
		first = !any || p->first < first ? p->first : first;
		last = !any || p->last > last ? p->last : last;
		any = true;
	}
	if (!any)
		return fail_input(f, v->s->name, 0, 0,
				  "no task is named as --pattern '%.200s' says, expected "
				  "one (. is any)",
				  v->o->pattern);
	out->t0 = first + v->o->from;
	out->t1 = v->o->to > 0 ? first + v->o->to : last;
	if (out->t1 > out->t0)
		return 0;
	return fail_input(f, v->s->name, 0, 0,
			  "nothing is left to count from %g s (--from) to %g s, expected "
			  "some time between them",
			  v->o->from, out->t1 - first);
}

int trace_survey(struct source *s, const struct trace_options *o, struct survey *out,
		 struct failure *f)
{
	struct surveyor v = {.s = s, .o = o, .out = out, .last = -1};
	char why[128];
	int err;

	err = regcomp(&v.pattern, o->pattern, REG_EXTENDED);
	if (err) {
		regerror(err, &v.pattern, why, sizeof(why));
		return fail_input(f, NULL, 0, 0,
				  "--pattern '%.200s': %s, expected a POSIX extended "
				  "regular expression",
				  o->pattern, why);
	}
	v.cache = arena_array(out->pids.arena, struct known_name, CACHE);
	err = source_each(s, see, &v, f);
	if (!err)
		err = window(&v, f);
	out->cpus = o->cpus ? o->cpus : max_u32(v.top, s->cpus);
	if (!err && out->cpus > 1u << 16)
		err = fail_input(f, s->name, 0, 0, "%u CPUs, expected at most 65536",
				 out->cpus);
	regfree(&v.pattern);
	return err;
}
