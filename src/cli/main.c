/*
 * The command `sibyl`: finds the command, runs it, writes what it made, prints the
 * failure if there was one, and exits. The only place that does so.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static void overview(struct text *out)
{
	struct table t;

	text_str(
		out,
		"usage: sibyl COMMAND [option]...\n\n"
		"A wind tunnel for the Linux CPU scheduler: runs a scheduler on a machine "
		"that you\nmay not own, under a workload, in virtual time.\n\n");
	table_init(&t, 2, 0);
	for (u32 i = 0; i < command_count; i++) {
		table_cell(&t, "%s", commands[i].name);
		table_cell(&t, "%s", commands[i].summary);
	}
	table_render(&t, out, "  ");
	table_free(&t);
	text_str(
		out,
		"\n'sibyl compare' without arguments is a good start; 'sibyl COMMAND -h' "
		"says more.\n"
		"Exit status: 0 fine, 1 a check failed, 2 bad input, 3 I/O, "
		"130 interrupted.\n");
}

static const struct command *find_command(struct cli *c, const char *name)
{
	const char *names[32];

	for (u32 i = 0; i < command_count; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
		names[i] = commands[i].name;
	}
	cli_unknown(c, "command", name, names, command_count);
	return NULL;
}

static int dispatch(struct cli *c, int argc, char **argv)
{
	struct options o;

	if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
	    !strcmp(argv[1], "help")) {
		overview(&c->out);
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		text_fmt(&c->out, "sibyl %s\n", SIBYL_VERSION);
		return 0;
	}
	c->command = find_command(c, argv[1]);
	if (!c->command || options_parse(c, c->command, argc - 1, argv + 1, &o))
		return -1;
	if (o.help) {
		options_help(c->command, &c->out);
		return 0;
	}
	if (cli_library(c))
		return -1;
	return c->command->run(c, &o);
}

int cli_library(struct cli *c)
{
	const char *data = getenv("SIBYL_DATA");

	return library_open(&c->arena, data && *data ? data : NULL, SIBYL_SOURCE_DATA,
			    &c->library, &c->fail);
}

/*
 * A closed descriptor 0, 1 or 2 would be given to the first file that is opened, and the
 * table would be written into the database: fill the gaps with something unwritable.
 */
static void fill_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

static void *watch(void *arg)
{
	volatile int *stop = arg;
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigwait(&set, &sig);
	*stop = 1;
	sigwait(&set, &sig);
	_exit(FAIL_INTERRUPTED);
}

int cli_watch_signals(volatile int *stop, struct failure *f)
{
	pthread_t thread;
	sigset_t set;
	int err;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	err = pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (!err)
		err = pthread_create(&thread, NULL, watch, (void *)stop);
	if (!err)
		err = pthread_detach(thread);
	if (err)
		return fail_set(f, FAIL_IO, NULL, "no thread for signals: %s",
				strerror(err));
	return 0;
}

/* Write what the command made; a failure that is there already comes first. */
static void write_out(struct cli *c)
{
	bool bad = c->out.len && fwrite(c->out.s, 1, c->out.len, stdout) != c->out.len;
	int err = errno;

	if (!fflush(stdout) && !bad)
		return;
	if (!c->fail.kind)
		fail_set(&c->fail, FAIL_IO, NULL, "standard output: %s",
			 strerror(bad ? err : errno));
}

int main(int argc, char **argv)
{
	struct cli c = {0};
	char line[sizeof(c.fail.what) + sizeof(c.fail.file) + 64];

	fill_descriptors();
	signal(SIGPIPE, SIG_IGN);
	arena_init(&c.arena);
	if (!dispatch(&c, argc, argv))
		c.fail.kind = FAIL_NONE;
	write_out(&c);
	if (c.fail.kind) {
		fail_format(&c.fail, line, sizeof(line));
		fprintf(stderr, "sibyl: %s\n", line);
	}
	text_free(&c.out);
	arena_free(&c.arena);
	return (int)c.fail.kind;
}
