/*
 * sibyl summary FILE: the counts of a recording as JSON. What the recording lacks (lost
 * events, wake-ups that were not recorded) is said on stderr.
 */
#include <stdio.h>

#include "cli.h"
#include "trace/trace.h"

void cli_trace_options(const struct options *o, const char *pattern,
		       struct trace_options *out)
{
	*out = (struct trace_options){
		.pattern = o->pattern ? o->pattern : pattern,
		.cpus = o->cpus,
		.siblings = o->siblings,
		.from = o->from < 0 ? TRACE_FROM : o->from,
		.to = o->to,
	};
}

void cli_trace_notes(const char *file, const struct trace_summary *s)
{
	if (s->lost || s->lost_more)
		fprintf(stderr, "sibyl: %s: %s%llu events were lost while recording\n",
			file, s->lost_more ? "more than " : "",
			(unsigned long long)s->lost);
	if (!s->has_wakeups)
		fprintf(stderr,
			"sibyl: %s: wake-ups were not recorded, their latency is n/a\n",
			file);
}

int cmd_summary(struct cli *c, struct options *o)
{
	const struct trace_summary *s;
	struct trace_options opt;

	cli_trace_options(o, TRACE_PATTERN, &opt);
	if (trace_summarise(&c->arena, o->rest[0], &opt, &s, &c->fail))
		return -1;
	cli_trace_notes(o->rest[0], s);
	trace_json(s, &c->out);
	return 0;
}
