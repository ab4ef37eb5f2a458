/*
 * Options of all commands, parsed with getopt_long. One row an option; a command names
 * the keys of those that it takes.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/yaml.h"
#include "cli.h"

#define MAX_OPTIONS 64

struct option_row {
	char key;
	bool letter; /* has a short form, which is the key */
	const char *name, *value, *help;
};

static const struct option_row rows[] = {
	{'m', true, "machine", "M",
	 "machine: a name, a file, this, \"pack:2 core:4 pu:2\""},
	{'w', true, "workload", "W", "workload: a name or a file"},
	{'k', true, "kernel", "K", "kernel[:option=value,...]; where many: K1,K2,..."},
	{'p', true, "param", "NAME=V1,V2",
	 "parameter of the workload; each value is a row"},
	{'n', true, "runs", "RUNS", "independent runs of each cell (5), or auto[:PCT]"},
	{'t', true, "time", "SECONDS",
	 "simulated time, e.g. 2 or 500ms (the workload's)"},
	{'s', false, "seed", "N", "base seed (1)"},
	{'j', true, "jobs", "N", "runs at the same time (the CPUs of this machine)"},
	{'d', false, "db", "FILE", "database of results (sibyl.db)"},
	{'f', false, "format", "F", "text, csv or json (text)"},
	{'i', false, "metric", "NAME",
	 "metric that the table shows (the workload's main one)"},
	{'R', false, "stats", "RULE",
	 "stars by: welch, paired, mmtests-2018, mmtests-2025"},
	{'x', false, "practical", "PCT", "smallest change that gets a star (1)"},
	{'r', false, "rows", "SET", "short, classic or all rows of the statistics"},
	{'Y', false, "anyway", NULL, "also where the model lacks what decides"},
	{'A', false, "against", "FILE", "printed values of another file, as CSV"},
	{'X', false, "experiment", "NAME", "the experiment that predicts that file"},
	{'J', false, "json", NULL, "print JSON"},
	{'T', false, "trace", "FILE", "write a trace of the run"},
	{'F', false, "trace-format", "F", "ftrace (what trace-cmd report prints)"},
	{'D', false, "schedstat", "FILE",
	 "write /proc/schedstat as it is at the end of the run"},
	{'C', false, "recount", NULL, "recount every queue after every event (slow)"},
	{'W', false, "wasted", NULL,
	 "watch for CPUs that idle while a task waits elsewhere"},
	{'Q', false, "reasons", NULL, "account for the time of every task and CPU"},
	{'H', false, "why", NULL, "run again with one mechanism frozen at a time"},
	{'V', false, "pairs", "N",
	 "pairs of runs, with seeds of their own, for --why (3)"},
	{'o', true, "output", "FILE", "write to a file instead of the standard output"},
	{'u', false, "full", NULL, "the long form of the experiment"},
	{'c', false, "calibrate", NULL,
	 "fit the declared parameters to the baseline column"},
	{'N', false, "numactl", "FILE", "output of numactl -H"},
	{'M', false, "name", "NAME", "name of the new machine"},
	{'y', false, "yaml", NULL, "as a native workload file"},
	{'a', false, "all", NULL, "every file of the data folder"},
	{'P', false, "pattern", "REGEX", "names of the tasks that count"},
	{'U', false, "cpus", "N", "number of CPUs (as the file says)"},
	{'S', false, "siblings", "N",
	 "2: CPUs 2i and 2i+1 are a core (2); else none are"},
	{'B', false, "from", "SECONDS", "what is dropped after the first task ran (0.3)"},
	{'E', false, "to", "SECONDS", "where the window ends (with the last task)"},
	{'h', true, "help", NULL, "this text"},
};

static const struct option_row *row_of(char key)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].key == key)
			return &rows[i];
	return NULL;
}

static bool allows(const struct command *cmd, char key)
{
	return key == 'h' || strchr(cmd->options, key);
}

void options_help(const struct command *cmd, struct text *out)
{
	struct table t;

	text_fmt(out, "usage: sibyl %s%s%s%s\n\n%s\n", cmd->name,
		 *cmd->options ? " [option]..." : "", *cmd->operands ? " " : "",
		 cmd->operands, cmd->summary);
	if (*cmd->help)
		text_fmt(out, "\n%s\n", cmd->help);
	text_char(out, '\n');
	table_init(&t, 2, 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct option_row *r = &rows[i];
		const char letter[] = {'-', r->key, ',', ' ', '\0'};

		if (!allows(cmd, r->key))
			continue;
		table_cell(&t, "%-4s--%s%s%s", r->letter ? letter : "", r->name,
			   r->value ? " " : "", r->value ? r->value : "");
		table_cell(&t, "%s", r->help);
	}
	table_render(&t, out, "  ");
	table_free(&t);
}

static int whole(struct cli *c, const char *opt, const char *text, u64 lo, u64 hi,
		 u64 *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (errno || *end || text[0] < '0' || text[0] > '9' || *out < lo || *out > hi)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"%s '%.40s', expected a whole number from %llu to %llu",
				opt, text, (unsigned long long)lo,
				(unsigned long long)hi);
	return 0;
}

/* Plain seconds, as trace times are. */
static int seconds(struct cli *c, const char *opt, const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	if (end == text || *end || !(*out >= 0 && *out < 1e9))
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"%s '%.40s', expected seconds, e.g. 0.3", opt, text);
	return 0;
}

/* "2" is seconds; else a time with a unit. */
static int duration(struct cli *c, const char *text, u64 *out)
{
	char *seconds = arena_printf(&c->arena, "%s s", text);

	if ((unit_parse(text, UNIT_TIME, out) && unit_parse(seconds, UNIT_TIME, out)) ||
	    !*out || *out > 365 * 24 * 3600 * NS_PER_SEC)
		return fail_set(
			&c->fail, FAIL_INPUT, NULL,
			"-t '%.40s', expected seconds or a time with a unit, e.g. 2 "
			"or 500ms",
			text);
	return 0;
}

/* Cut at commas outside of brackets; returns the pieces. */
static u32 pieces(struct arena *a, const char *text, const char ***out)
{
	u32 n = 1, depth = 0;
	char *s = arena_strdup(a, text);

	for (const char *p = text; *p; p++)
		n += *p == ',';
	*out = arena_array(a, const char *, n);
	n = 0;
	(*out)[n++] = s;
	for (; *s; s++) {
		if (*s == '[')
			depth++;
		else if (*s == ']' && depth)
			depth--;
		else if (*s == ',' && !depth) {
			*s = '\0';
			(*out)[n++] = s + 1;
		}
	}
	return n;
}

/*
 * "K1,K2:a=b,c=d,K3": commas separate kernels and also the options of a kernel. A piece
 * with a '=' and no ':' before it goes on with the kernel before it.
 */
static int add_kernels(struct cli *c, struct options *o, const char *text)
{
	const char **piece;
	u32 n = pieces(&c->arena, text, &piece), have = o->req.nkernel;
	const char **all = arena_array(&c->arena, const char *, have + n);

	if (have)
		memcpy(all, o->req.kernel, have * sizeof(*all));
	for (u32 i = 0; i < n; i++) {
		const char *eq = strchr(piece[i], '='), *colon = strchr(piece[i], ':');

		if (!*piece[i])
			return fail_set(&c->fail, FAIL_INPUT, NULL,
					"-k '%.60s' holds an empty name", text);
		if (!eq || (colon && colon < eq)) {
			all[have++] = piece[i];
			continue;
		}
		if (!have)
			return fail_set(
				&c->fail, FAIL_INPUT, NULL,
				"-k '%.60s' begins with an option, expected a kernel",
				text);
		all[have - 1] =
			arena_printf(&c->arena, "%s%c%s", all[have - 1],
				     strchr(all[have - 1], ':') ? ',' : ':', piece[i]);
	}
	o->req.kernel = all;
	o->req.nkernel = have;
	return 0;
}

static int add_param(struct cli *c, struct options *o, const char *text)
{
	const char *eq = strchr(text, '=');
	u32 n = o->req.naxis;
	struct axis *all;

	if (!eq || eq == text || !eq[1])
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"-p '%.60s', expected name=value or name=value,value",
				text);
	all = arena_array(&c->arena, struct axis, n + 1);
	if (n)
		memcpy(all, o->req.axis, n * sizeof(*all));
	all[n].name = arena_strndup(&c->arena, text, (size_t)(eq - text));
	all[n].n = pieces(&c->arena, eq + 1, &all[n].value);
	for (u32 i = 0; i < n; i++)
		if (!strcmp(all[i].name, all[n].name))
			return fail_set(
				&c->fail, FAIL_INPUT, NULL,
				"-p %.60s is given twice, expected one list of values",
				all[n].name);
	o->req.axis = all;
	o->req.naxis = n + 1;
	return 0;
}

static int set_format(struct cli *c, struct options *o, const char *text)
{
	static const char *const names[] = {"text", "csv", "json"};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i])) {
			o->format = (enum format)i;
			return 0;
		}
	}
	return fail_set(&c->fail, FAIL_INPUT, NULL,
			"--format '%.40s', expected text, csv or json", text);
}

static int set_number(struct cli *c, struct options *o, char key, const char *arg)
{
	u64 v;

	if (key == 's')
		return whole(c, "--seed", arg, 0, UINT64_MAX, &o->req.seed);
	if (key == 'U' || key == 'S') {
		if (whole(c, key == 'U' ? "--cpus" : "--siblings", arg, 1, 65536, &v))
			return -1;
		*(key == 'U' ? &o->cpus : &o->siblings) = (u32)v;
		return 0;
	}
	if (key == 'V') {
		if (whole(c, "--pairs", arg, 1, 1000, &v))
			return -1;
		o->pairs = (u32)v;
		return 0;
	}
	if (key == 'n' && !strncmp(arg, "auto", 4))
		return cli_auto_parse(c, arg, o);
	if (whole(c, key == 'n' ? "-n" : "-j", arg, 1, key == 'n' ? 100000 : 1024, &v))
		return -1;
	if (key == 'n') {
		o->req.runs = (u32)v;
		o->has_runs = true;
		o->auto_percent = 0;
	} else {
		o->jobs = (u32)v;
	}
	return 0;
}

static void set_flag(struct options *o, char key)
{
	o->json |= key == 'J';
	o->all |= key == 'a';
	o->yaml |= key == 'y';
	o->calibrate |= key == 'c';
	o->full |= key == 'u';
	o->recount |= key == 'C';
	o->wasted |= key == 'W';
	o->account |= key == 'Q';
	o->why |= key == 'H';
	o->anyway |= key == 'Y';
	o->help |= key == 'h';
}

static void set_string(struct options *o, char key, const char *arg)
{
	const char **where = key == 'm'	  ? &o->req.machine
			     : key == 'w' ? &o->req.workload
			     : key == 'd' ? &o->db
			     : key == 'i' ? &o->metric
			     : key == 'T' ? &o->trace
			     : key == 'D' ? &o->schedstat
			     : key == 'o' ? &o->output
			     : key == 'N' ? &o->numactl
			     : key == 'A' ? &o->against
			     : key == 'X' ? &o->experiment
			     : key == 'P' ? &o->pattern
					  : &o->name;

	*where = arg;
	o->has_db |= key == 'd';
}

static int set_rule(struct cli *c, struct options *o, const char *text)
{
	const char *names[STAT_MODES];

	for (u32 i = 0; i < STAT_MODES; i++) {
		names[i] = stat_mode_name((enum stat_mode)i);
		if (strcmp(text, names[i]))
			continue;
		o->rule.mode = (enum stat_mode)i;
		return 0;
	}
	return cli_unknown(c, "--stats", text, names, STAT_MODES);
}

static int set_rows(struct cli *c, struct options *o, const char *text)
{
	const char *names[STAT_ROW_SETS];

	for (u32 i = 0; i < STAT_ROW_SETS; i++) {
		names[i] = stat_row_set_name((enum stat_row_set)i);
		if (strcmp(text, names[i]))
			continue;
		o->rows = (enum stat_row_set)i;
		o->has_rows = true;
		return 0;
	}
	return cli_unknown(c, "--rows", text, names, STAT_ROW_SETS);
}

static int percent(struct cli *c, const char *opt, const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) ||
	    !(*out >= 0 && *out <= 1000))
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"%s '%.40s', expected percent, e.g. 1", opt, text);
	return 0;
}

static int set_option(struct cli *c, struct options *o, char key, const char *arg)
{
	if (key == 'k')
		return add_kernels(c, o, arg);
	if (key == 'p')
		return add_param(c, o, arg);
	if (key == 'B')
		return seconds(c, "--from", arg, &o->from);
	if (key == 'E')
		return seconds(c, "--to", arg, &o->to);
	if (strchr("nsjUSV", key))
		return set_number(c, o, key, arg);
	if (key == 'f')
		return set_format(c, o, arg);
	if (key == 't')
		return duration(c, arg, &o->req.duration);
	if (key == 'R')
		return set_rule(c, o, arg);
	if (key == 'r')
		return set_rows(c, o, arg);
	if (key == 'x')
		return percent(c, "--practical", arg, &o->rule.practical);
	if (key == 'F') {
		if (!strcmp(arg, "ftrace"))
			return 0;
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"--trace-format '%.40s', expected ftrace", arg);
	}
	if (row_of(key)->value)
		set_string(o, key, arg);
	else
		set_flag(o, key);
	return 0;
}

int cli_unknown(struct cli *c, const char *what, const char *word,
		const char *const *names, size_t n)
{
	const char *near = nearest_name(word, names, n);

	if (near)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"unknown %s '%.60s', did you mean '%s'?", what, word,
				near);
	return fail_set(&c->fail, FAIL_INPUT, NULL,
			"unknown %s '%.60s', try 'sibyl %s%s-h'", what, word,
			c->command ? c->command->name : "", c->command ? " " : "");
}

static int unknown_option(struct cli *c, const struct command *cmd, const char *word)
{
	const char *names[ARRAY_SIZE(rows)];
	char *bare = arena_strdup(&c->arena, word + strspn(word, "-"));
	size_t n = 0;

	bare[strcspn(bare, "=")] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (allows(cmd, rows[i].key))
			names[n++] = rows[i].name;
	if (word[0] == '-' && word[1] == '-' && word[2]) {
		const char *near = nearest_name(bare, names, n);

		if (near)
			return fail_set(&c->fail, FAIL_INPUT, NULL,
					"unknown option '%.60s', did you mean '--%s'?",
					word, near);
	}
	return fail_set(&c->fail, FAIL_INPUT, NULL,
			"unknown option '%.60s', try 'sibyl %s -h'", word, cmd->name);
}

/* The forms that getopt_long() wants. */
static void getopt_tables(const struct command *cmd, char *letters, struct option *longs)
{
	size_t n = 0, l = 0;

	letters[l++] = ':';
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!allows(cmd, rows[i].key))
			continue;
		longs[n].name = rows[i].name;
		longs[n].has_arg = rows[i].value ? required_argument : no_argument;
		longs[n].flag = NULL;
		longs[n++].val = 256 + rows[i].key;
		if (!rows[i].letter)
			continue;
		letters[l++] = rows[i].key;
		if (rows[i].value)
			letters[l++] = ':';
	}
	letters[l] = '\0';
	memset(&longs[n], 0, sizeof(longs[n]));
}

static int getopt_complaint(struct cli *c, const struct command *cmd, int got,
			    char **argv)
{
	char letter[3] = {'-', (char)(optopt & 0x7f), '\0'};
	const char *word = argv[optind - 1];

	if (optopt >= 256 && got == ':')
		return fail_set(&c->fail, FAIL_INPUT, NULL, "--%s needs a value",
				row_of((char)(optopt - 256))->name);
	if (got == ':')
		return fail_set(&c->fail, FAIL_INPUT, NULL, "%s needs a value", letter);
	if (optopt >= 256)
		return fail_set(&c->fail, FAIL_INPUT, NULL, "--%s takes no value",
				row_of((char)(optopt - 256))->name);
	return unknown_option(c, cmd, optopt ? letter : word);
}

static int operands(struct cli *c, const struct command *cmd, int argc, char **argv,
		    struct options *o)
{
	o->nrest = (u32)(argc - optind);
	o->rest = arena_array(&c->arena, const char *, o->nrest + 1);
	for (u32 i = 0; i < o->nrest; i++)
		o->rest[i] = argv[optind + (int)i];
	if (o->nrest > cmd->max)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"'%.60s' is too much, expected: sibyl %s%s%s",
				o->rest[cmd->max], cmd->name, *cmd->operands ? " " : "",
				cmd->operands);
	if (o->nrest < cmd->min)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"something is missing, expected: sibyl %s %s", cmd->name,
				cmd->operands);
	return 0;
}

int options_parse(struct cli *c, const struct command *cmd, int argc, char **argv,
		  struct options *o)
{
	struct option longs[MAX_OPTIONS];
	char letters[2 * MAX_OPTIONS + 2];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int got;

	_Static_assert(ARRAY_SIZE(rows) < MAX_OPTIONS, "room for getopt's tables");
	memset(o, 0, sizeof(*o));
	o->req.runs = 5;
	o->req.seed = 1;
	o->jobs = cpus > 0 ? (u32)cpus : 1;
	o->db = "sibyl.db";
	o->siblings = 2;
	o->pairs = 3;
	o->from = o->to = -1;
	o->rule.practical = STAT_PRACTICAL;
	getopt_tables(cmd, letters, longs);
	opterr = 0;
	optind = 1;
	while ((got = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (got == '?' || got == ':')
			return getopt_complaint(c, cmd, got, argv);
		if (set_option(c, o, (char)(got >= 256 ? got - 256 : got), optarg))
			return -1;
		if (o->help)
			return 0;
	}
	return operands(c, cmd, argc, argv, o);
}
