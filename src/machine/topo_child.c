/*
 * A topology read by a child process, which hands over numbers.
 *
 * hwloc trusts the XML that it reads: its importer compares no object's sets with those
 * of its parent or its siblings, and malformed files end in failed assertions, invalid
 * memory and endless loops, other ones with every version of hwloc. hwloc_xml_check()
 * names the place of the usual mistakes; a whitelist that promises to hold back every
 * crash would have to be a second importer, right for each installed hwloc. So the
 * parser runs where it can do no harm, and a child that dies is bad input. The parent
 * never reads the XML with hwloc: no second parse, and no memory lost on broken files.
 *
 * The child changes nothing that the caller can see: no output, no handlers, no core
 * file, no exit functions; the parent keeps no state. It may be called while other
 * threads run: the child then relies on the C library to hand it a usable malloc(), as
 * glibc does, and on the time limit for any lock that another thread held.
 *
 * Units: seconds of real time for the limit.
 */
#include "topo.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Comes first; then the CPUs, the nodes and the distances, as many as it says. */
struct message {
	int rc;
	struct failure f;
	struct topo t;
};

static bool put(int fd, const void *from, size_t size)
{
	const char *p = from;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

static bool get(int fd, void *to, size_t size)
{
	char *p = to;

	while (size) {
		ssize_t n = read(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

static size_t cpu_bytes(const struct topo *t)
{
	return sizeof(*t->cpu) * t->ncpu;
}

static size_t node_bytes(const struct topo *t)
{
	return sizeof(*t->node) * t->nnode;
}

static size_t distance_bytes(const struct topo *t)
{
	return t->distance ? sizeof(*t->distance) * t->nnode * t->nnode : 0;
}

/* Handlers of the caller do not run in the child; what it ignores stays ignored. */
static void default_signals(const sigset_t *mask, u32 seconds)
{
	sigset_t open = *mask;
	struct sigaction a;

	for (int sig = 1; sig < NSIG; sig++)
		if (!sigaction(sig, NULL, &a) &&
		    (sig == SIGALRM || a.sa_handler != SIG_IGN))
			signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN); /* a parent that does not listen is no crash */
	sigdelset(&open, SIGALRM);
	pthread_sigmask(SIG_SETMASK, &open, NULL);
	alarm(seconds);
}

static void be_silent(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
	}
	prctl(PR_SET_DUMPABLE, 0);
}

static _Noreturn void child(int fd, const struct topo *t, topo_reader *read_it,
			    const struct topo_text *in)
{
	struct message m = {.t = *t};
	bool sent;

	m.rc = read_it(&m.t, in, &m.f);
	sent = put(fd, &m, sizeof(m)) &&
	       (m.rc || (put(fd, m.t.cpu, cpu_bytes(&m.t)) &&
			 put(fd, m.t.node, node_bytes(&m.t)) &&
			 put(fd, m.t.distance, distance_bytes(&m.t))));
	_exit(!sent);
}

/* Everything the child says, or false if it stops before it has said it. */
static bool receive(int fd, struct topo *t, struct message *m)
{
	const struct topo *from = &m->t;

	if (!get(fd, m, sizeof(*m)))
		return false;
	if (m->rc)
		return true;
	if (from->ncpu > MACHINE_MAX_CPUS || from->nnode > MACHINE_MAX_NODES ||
	    from->ncache > TOPO_MAX_CACHE)
		return false;
	t->ncpu = from->ncpu;
	t->nnode = from->nnode;
	t->ncache = from->ncache;
	memcpy(t->cache, from->cache, sizeof(t->cache));
	t->cpu = arena_array(t->arena, struct topo_cpu, t->ncpu);
	/* topo_node_add() may add more */
	t->node = arena_array(t->arena, struct topo_node, MACHINE_MAX_NODES);
	t->distance = from->distance
			      ? arena_array(t->arena, u32, (size_t)t->nnode * t->nnode)
			      : NULL;
	return get(fd, t->cpu, cpu_bytes(t)) && get(fd, t->node, node_bytes(t)) &&
	       get(fd, t->distance, distance_bytes(t));
}

/* How it ended; 0 if the caller collects children in a way of its own. */
static int wait_for(pid_t pid)
{
	int status = 0;
	pid_t got;

	do {
		got = waitpid(pid, &status, 0);
	} while (got < 0 && errno == EINTR);
	return got == pid ? status : 0;
}

static int stopped(const struct topo_text *in, int status, u32 seconds, struct failure *f)
{
	static const char expected[] =
		"expected a topology as written by 'lstopo --of xml'";

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return fail_input(f, in->file, 0, 0,
				  "hwloc is not done with this after %u s, %s", seconds,
				  expected);
	if (WIFSIGNALED(status))
		return fail_input(f, in->file, 0, 0,
				  "hwloc crashes on this (signal %d), %s",
				  WTERMSIG(status), expected);
	return fail_input(f, in->file, 0, 0, "hwloc gives up on this, %s", expected);
}

int topo_in_child(struct topo *t, topo_reader *read_it, const struct topo_text *in,
		  u32 seconds, struct failure *f)
{
	struct message m;
	sigset_t all, mask;
	int fd[2], err, status;
	bool received;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return fail_set(f, FAIL_IO, in->file, "no pipe to read it through: %s",
				strerror(errno));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	pid = fork();
	err = errno;
	if (!pid) {
		default_signals(&mask, seconds);
		be_silent();
		close(fd[0]); /* so that the parent may stop listening */
		child(fd[1], t, read_it, in);
	}
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return fail_set(f, FAIL_IO, in->file, "no process to read it in: %s",
				strerror(err));
	}
	received = receive(fd[0], t, &m);
	close(fd[0]);
	status = wait_for(pid);
	if (!received)
		return stopped(in, status, seconds, f);
	if (m.rc)
		*f = m.f;
	return m.rc;
}
