/*
 * One line of `trace-cmd report`, parsed by hand:
 *
 *   COMM-PID [CPU] FLAGS? SECONDS.FRACTION: EVENT: FIELDS
 *
 * and the fields of the four events that count, in the words of trace-cmd's plugins
 * ("hog:12 [120] R ==> per:13 [120]") or of the kernel ("prev_comm=hog prev_pid=12 ...").
 * Everything else is time that passes.
 */
#include <string.h>

#include "event.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

/* Digits at s; NULL if there are none or too many. */
static const char *number(const char *s, const char *end, u32 *out)
{
	const char *at = s;
	u64 v = 0;

	while (at < end && is_digit(*at) && at - s < 11)
		v = 10 * v + (u64)(*at++ - '0');
	if (at == s || v > UINT32_MAX)
		return NULL;
	*out = (u32)v;
	return at;
}

void trace_comm(char *to, const char *s, const char *end)
{
	size_t n;

	while (s < end && is_blank(*s))
		s++;
	while (s < end && is_blank(end[-1]))
		end--;
	n = min_u64((u64)(end - s), sizeof(((struct trace_event *)NULL)->comm[0]) - 1);
	memcpy(to, s, n);
	to[n] = '\0';
}

/* "SECONDS.FRACTION:" at s, as ns. */
static const char *timestamp(const char *s, const char *end, u64 *ns)
{
	const char *at = s;
	u32 digits = 0;
	u64 v = 0;

	while (at < end && is_digit(*at) && at - s < 11)
		v = 10 * v + (u64)(*at++ - '0');
	if (at == s || at == end || *at++ != '.')
		return NULL;
	for (; at < end && is_digit(*at) && digits < 9; digits++)
		v = 10 * v + (u64)(*at++ - '0');
	if (!digits || at == end || *at != ':')
		return NULL;
	for (; digits < 9; digits++)
		v *= 10;
	*ns = v;
	return at + 1;
}

/* " EVENT: " at s; the fields begin at what is returned. */
static const char *event_name(const char *s, const char *end, const char **name,
			      size_t *len)
{
	const char *at = s;

	while (at < end && is_blank(*at))
		at++;
	*name = at;
	while (at < end && is_word(*at))
		at++;
	*len = (size_t)(at - *name);
	if (*name == s || !*len || at == end || *at++ != ':')
		return NULL;
	if (at == end || !is_blank(*at))
		return NULL;
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* Is q the '[' of "COMM-PID [CPU]"? Returns what follows. */
static const char *place(const char *s, const char *q, const char *end, u32 *cpu)
{
	const char *at = q, *digits;

	while (at > s && is_blank(at[-1]))
		at--;
	digits = at;
	while (at > s && is_digit(at[-1]))
		at--;
	if (digits == q || at == digits || at < s + 2 || at[-1] != '-')
		return NULL;
	at = number(q + 1, end, cpu);
	return at && at < end && *at == ']' ? at + 1 : NULL;
}

/* Everything before the fields. */
static const char *head(const char *s, const char *end, struct trace_event *ev,
			const char **name, size_t *len)
{
	const char *at, *q = s, *rest, *stamp;
	u64 ns;
	u32 cpu;

	for (at = NULL; !at; q++) {
		q = memchr(q, '[', (size_t)(end - q));
		if (!q)
			return NULL;
		at = place(s, q, end, &ev->cpu);
	}
	for (; at < end; at++) {
		/* a name may look like a place: the last one before the time counts */
		if (*at == '[' && (rest = place(s, at, end, &cpu))) {
			ev->cpu = cpu;
			at = rest - 1;
			continue;
		}
		if (!is_blank(*at) || at + 1 == end || !is_digit(at[1]))
			continue;
		stamp = timestamp(at + 1, end, &ns);
		rest = stamp ? event_name(stamp, end, name, len) : NULL;
		if (rest) {
			ev->time = trace_seconds(ns);
			return rest;
		}
	}
	return NULL;
}

/*
 * ":PID [PRIO]" that ends at `end`, which is after the ']'. Returns its start, where the
 * name ends.
 */
static const char *task_before(const char *s, const char *end, u32 *pid)
{
	const char *at = end, *digits;

	if (at == s || *--at != ']')
		return NULL;
	digits = at;
	while (at > s && is_digit(at[-1]))
		at--;
	if (at == digits)
		return NULL;
	if (at > s && at[-1] == '-')
		at--;
	if (at - s < 2 || at[-1] != '[' || at[-2] != ' ')
		return NULL;
	at -= 2;
	digits = at;
	while (at > s && is_digit(at[-1]))
		at--;
	if (at == digits || at == s || at[-1] != ':' || number(at, digits, pid) != digits)
		return NULL;
	return at - 1;
}

/* The last "NAME:PID [PRIO]" in the text. */
static const char *last_task(const char *s, const char *end, u32 *pid)
{
	const char *q, *at;

	for (q = end; (q = memrchr(s, ']', (size_t)(q - s)));) {
		at = task_before(s, q + 1, pid);
		if (at)
			return at;
	}
	return NULL;
}

/* "KEY=number" anywhere: the last one. `key` begins with a blank and ends with '='. */
static const char *field(const char *s, const char *end, const char *key, u32 *out)
{
	size_t n = strlen(key);
	const char *found = NULL, *at = s;

	while ((at = memmem(at, (size_t)(end - at), key, n))) {
		found = at;
		at += n;
	}
	return found && number(found + n, end, out) ? found : NULL;
}

/* prev_comm=A prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=B next_pid=2 ... */
static bool raw_switch(const char *s, const char *end, struct trace_event *ev)
{
	static const char first[] = "prev_comm=", second[] = " ==> next_comm=",
			  state[] = " prev_state=";
	const char *mid = memmem(s, (size_t)(end - s), second, strlen(second));
	const char *a, *b, *st;

	if (!mid || (size_t)(end - s) < strlen(first) || memcmp(s, first, strlen(first)))
		return false;
	st = memmem(s, (size_t)(mid - s), state, strlen(state));
	a = field(s, mid, " prev_pid=", &ev->pid);
	b = field(mid, end, " next_pid=", &ev->next);
	if (!a || !b || !st || a < s + strlen(first) || b < mid + strlen(second))
		return false;
	ev->runnable = st[strlen(state)] == 'R';
	trace_comm(ev->comm[0], s + strlen(first), a);
	trace_comm(ev->comm[1], mid + strlen(second), b);
	return true;
}

/* A:1 [120] R ==> B:2 [120] */
static bool sched_switch(const char *s, const char *end, struct trace_event *ev)
{
	const char *arrow = NULL, *at = s, *st, *name;

	while ((at = memmem(at, (size_t)(end - at), " ==> ", 5))) {
		arrow = at;
		at += 5;
	}
	if (!arrow)
		return false;
	for (st = arrow; st > s && !is_blank(st[-1]); st--)
		;
	if (st == arrow || st == s || st[-1] != ' ')
		return false;
	name = task_before(s, st - 1, &ev->pid);
	if (!name)
		return raw_switch(s, end, ev);
	trace_comm(ev->comm[0], s, name);
	ev->runnable = *st == 'R';
	name = last_task(arrow + 5, end, &ev->next);
	if (!name)
		return false;
	trace_comm(ev->comm[1], arrow + 5, name);
	return true;
}

/* A:1 [120] CPU:003, or comm=A pid=1 prio=120 target_cpu=003 */
static bool sched_wakeup(const char *s, const char *end, struct trace_event *ev)
{
	const char *cpu;
	u32 ignored;

	for (cpu = end; (cpu = memrchr(s, 'C', (size_t)(cpu - s)));)
		if (end - cpu > 4 && !memcmp(cpu, "CPU:", 4) && is_digit(cpu[4]))
			return last_task(s, cpu, &ev->pid) != NULL;
	return field(s, end, " target_cpu=", &ignored) &&
	       field(s, end, " pid=", &ev->pid);
}

/* comm=A pid=1 prio=120 orig_cpu=0 dest_cpu=3 */
static bool sched_migrate(const char *s, const char *end, struct trace_event *ev)
{
	return field(s, end, " pid=", &ev->pid) &&
	       field(s, end, " orig_cpu=", &ev->from) &&
	       field(s, end, " dest_cpu=", &ev->to);
}

/* CPU:3 [LOST 12 EVENTS], CPU:3 [12 EVENTS DROPPED], CPU:3 [EVENTS DROPPED] */
static bool lost_events(const char *s, const char *end, struct trace_event *ev)
{
	const char *at;
	u32 n = 0;

	while (s < end && is_blank(*s))
		s++;
	if (end - s < 6 || memcmp(s, "CPU", 3) || (s[3] != ':' && s[3] != ' '))
		return false;
	at = number(s + 4, end, &ev->cpu);
	if (!at || !(memmem(at, (size_t)(end - at), "LOST", 4) ||
		     memmem(at, (size_t)(end - at), "lost", 4) ||
		     memmem(at, (size_t)(end - at), "DROPPED", 7)))
		return false;
	for (; at < end && !number(at, end, &n); at++)
		;
	ev->lost = n;
	ev->kind = TRACE_LOST;
	return true;
}

static bool is(const char *name, size_t len, const char *what)
{
	return len == strlen(what) && !memcmp(name, what, len);
}

int trace_line(const char *s, const char *end, struct trace_event *ev, const char **want)
{
	const char *name, *at;
	size_t len;

	at = head(s, end, ev, &name, &len);
	if (!at)
		return lost_events(s, end, ev);
	ev->kind = TRACE_OTHER;
	if (len < 12 || memcmp(name, "sched_", 6))
		return 1;
	if (is(name, len, "sched_switch")) {
		ev->kind = TRACE_SWITCH;
		*want = "'COMM:PID [PRIO] STATE ==> COMM:PID [PRIO]' after sched_switch";
		return sched_switch(at, end, ev) ? 1 : -1;
	}
	if (is(name, len, "sched_wakeup") || is(name, len, "sched_wakeup_new")) {
		ev->kind = TRACE_WAKEUP;
		*want = "'COMM:PID [PRIO] CPU:NNN' after sched_wakeup";
		return sched_wakeup(at, end, ev) ? 1 : -1;
	}
	if (is(name, len, "sched_migrate_task")) {
		ev->kind = TRACE_MIGRATE;
		*want = "'comm=COMM pid=PID prio=PRIO orig_cpu=N dest_cpu=N' after "
			"sched_migrate_task";
		return sched_migrate(at, end, ev) ? 1 : -1;
	}
	return 1;
}
