/* What a workload file says, in words: for `sibyl workload show`. */
#include "bind.h"

#include <string.h>

static void show_params(const struct workload *w, struct text *out)
{
	struct table t;

	if (!w->nparam)
		return;
	table_init(&t, 4, 0);
	for (u32 i = 0; i < w->nparam; i++) {
		const struct param_decl *p = &w->param[i];

		table_cell(&t, "%s", p->name);
		table_cell(&t, "%s", p->def->text);
		if (p->lo && p->lo->kind == Y_SCALAR && p->hi->kind == Y_SCALAR)
			table_cell(&t, "%s to %s", p->lo->text, p->hi->text);
		else
			table_cell(&t, "-");
		table_cell(&t, "%s", p->help);
	}
	text_str(out, "\nparameters (-p name=value): name, default, range, what\n");
	table_render(&t, out, "  ");
	table_free(&t);
}

static void show_ops(const struct ynode *list, u32 depth, struct text *out);

/* A value as it could stand in a file, on one line. */
static void show_value(const struct ynode *n, struct text *out)
{
	const char *sep = "";

	if (n->kind == Y_SCALAR) {
		text_str(out, n->text);
		return;
	}
	text_char(out, n->kind == Y_MAP ? '{' : '[');
	y_for_each (c, n) {
		if (c->key && !strcmp(c->key, "do"))
			continue;
		text_str(out, sep);
		if (c->key)
			text_fmt(out, "%s: ", c->key);
		show_value(c, out);
		sep = ", ";
	}
	text_char(out, n->kind == Y_MAP ? '}' : ']');
}

static void show_op(const struct ynode *item, u32 depth, struct text *out)
{
	const struct ynode *arg = item->kind == Y_MAP ? item->first : NULL, *body = NULL;

	text_fmt(out, "%*s- ", (int)depth * 2, "");
	if (!arg) {
		text_fmt(out, "%s\n", item->text);
		return;
	}
	if (!strcmp(arg->key, "loop"))
		body = arg->kind == Y_SEQ ? arg : y_get(arg, "do");
	text_fmt(out, "%s: ", arg->key);
	if (body == arg || (body && arg->n == 1))
		text_str(out, "forever");
	else
		show_value(arg, out);
	text_char(out, '\n');
	if (body)
		show_ops(body, depth + 1, out);
}

static void show_ops(const struct ynode *list, u32 depth, struct text *out)
{
	y_for_each (item, list)
		show_op(item, depth, out);
}

static void show_task(const struct ynode *entry, struct text *out)
{
	text_fmt(out, "  %s", entry->key);
	y_for_each (k, entry) {
		if (!strcmp(k->key, "program"))
			continue;
		text_fmt(out, "  %s: ", k->key);
		show_value(k, out);
	}
	text_char(out, '\n');
	show_ops(y_get(entry, "program"), 2, out);
}

static void show_hotplug(const struct workload *w, struct text *out)
{
	if (!w->hotplug)
		return;
	text_str(out, "\nCPUs that go and come\n");
	y_for_each (entry, w->hotplug) {
		text_str(out, "  ");
		show_value(entry, out);
		text_char(out, '\n');
	}
}

static void show_time(const char *key, const struct ynode *n, const char *def,
		      struct text *out)
{
	text_fmt(out, "%-13s %s\n", key, n ? n->text : def);
}

void workload_show(const struct workload *w, struct text *out)
{
	bool fixed = w->fixed && strcmp(w->fixed->text, "no") &&
		     strcmp(w->fixed->text, "off") && strcmp(w->fixed->text, "false");

	text_fmt(out, "%s: %s\n", w->name, w->description);
	text_fmt(out, "%-13s %s\n", "file", w->file);
	text_fmt(out, "%-13s %s\n", "source", *w->source ? w->source : "not given");
	text_fmt(out, "%-13s %s\n", "ends",
		 fixed ? "when its tasks have left (fixed work)" : "by the clock");
	show_time(fixed ? "at most" : "duration", w->duration, fixed ? "60 s" : "3 s",
		  out);
	if (!fixed)
		show_time("warm-up", w->warmup, "a tenth, at most 300 ms", out);
	show_time("start jitter", w->jitter, "1 ms", out);
	show_params(w, out);
	show_hotplug(w, out);
	text_str(out, "\ntasks (accounting groups)\n");
	y_for_each (entry, w->tasks)
		show_task(entry, out);
	text_str(out, "\nmetrics\n");
	y_for_each (m, w->metrics) {
		const struct ynode *main = w->main;
		bool shown = main ? !strcmp(main->text, m->key) : m == w->metrics->first;

		text_fmt(out, "  %s: ", m->key);
		show_value(m, out);
		text_str(out, shown ? "  (main)\n" : "\n");
	}
}

void workload_list_operations(struct text *out)
{
	struct table t;

	table_init(&t, 2, 0);
	for (u32 i = 0; i < op_row_count; i++) {
		table_cell(&t, "%s", op_rows[i].name);
		table_cell(&t, "%s", op_rows[i].doc);
	}
	table_render(&t, out, "");
	table_free(&t);
}
