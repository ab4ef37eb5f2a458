/* Recipes and options as text: flat, as a difference in words, canonical. */
#include <stdio.h>
#include <string.h>

#include "sched/kernel.h"

/* The registry as one list: features, then tunables, then choices. */
static const char *option_name(u32 i)
{
	if (i < FEAT_COUNT)
		return feat_rows[i].name;
	if (i < FEAT_COUNT + TUN_COUNT)
		return tun_rows[i - FEAT_COUNT].name;
	return seam_rows[i - FEAT_COUNT - TUN_COUNT].name;
}

static const char *option_linux(u32 i)
{
	if (i < FEAT_COUNT)
		return feat_rows[i].linux_name;
	if (i < FEAT_COUNT + TUN_COUNT)
		return tun_rows[i - FEAT_COUNT].linux_name;
	return seam_rows[i - FEAT_COUNT - TUN_COUNT].linux_name;
}

static const char *option_doc(u32 i)
{
	if (i < FEAT_COUNT)
		return feat_rows[i].doc;
	if (i < FEAT_COUNT + TUN_COUNT)
		return tun_rows[i - FEAT_COUNT].doc;
	return seam_rows[i - FEAT_COUNT - TUN_COUNT].doc;
}

static void option_value(const struct kernel *k, u32 i, char *buf, size_t size)
{
	if (i < FEAT_COUNT) {
		snprintf(buf, size, "%s", k->feat[i] ? "on" : "off");
	} else if (i < FEAT_COUNT + TUN_COUNT) {
		unit_print(k->tun[i - FEAT_COUNT], tun_rows[i - FEAT_COUNT].unit, buf,
			   size);
	} else {
		u32 seam = i - FEAT_COUNT - TUN_COUNT;

		snprintf(buf, size, "%s", seam_choice(seam, k->seam[seam])->name);
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void kernel_show(const struct kernel *k, struct text *out)
{
	struct table t;
	char value[64];

	text_fmt(out, "%s: %s\nsource: %s\nchain: %s\n\n", k->name, k->description,
		 k->source, k->chain);
	table_init(&t, 4, 0);
	table_cell(&t, "option");
	table_cell(&t, "value");
	table_cell(&t, "set in");
	table_cell(&t, "Linux name");
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		const struct option_origin *o = &k->origin[i];

		option_value(k, i, value, sizeof(value));
		table_cell(&t, "%s", option_name(i));
		table_cell(&t, "%s", value);
		if (o->line)
			table_cell(&t, "%s:%u", base_name(o->file), o->line);
		else
			table_cell(&t, "%s", o->file);
		table_cell(&t, "%s", option_linux(i));
	}
	table_render(&t, out, "");
	table_free(&t);
}

u32 kernel_diff(const struct kernel *a, const struct kernel *b, struct text *out)
{
	char va[64], vb[64];
	u32 n = 0;

	for (u32 i = 0; i < OPTION_COUNT; i++) {
		option_value(a, i, va, sizeof(va));
		option_value(b, i, vb, sizeof(vb));
		if (!strcmp(va, vb))
			continue;
		n++;
		text_fmt(out, "%s: %s in %s, %s in %s\n    %s\n", option_name(i), va,
			 a->name, vb, b->name, option_doc(i));
		if (i < FEAT_COUNT + TUN_COUNT)
			continue;
		for (u32 side = 0; side < 2; side++) {
			const struct kernel *k = side ? b : a;
			u32 seam = i - FEAT_COUNT - TUN_COUNT;
			const struct choice_row *c = seam_choice(seam, k->seam[seam]);

			text_fmt(out, "    %s: %s\n", c->name, c->doc);
		}
	}
	if (!n)
		text_fmt(out, "%s and %s make the same choices\n", a->name, b->name);
	return n;
}

static void list_range(u32 i, struct table *t)
{
	char lo[40], hi[40], def[40];
	struct text choices = {0};

	if (i < FEAT_COUNT) {
		table_cell(t, "%s", feat_rows[i].def ? "on" : "off");
		table_cell(t, "on, off");
		return;
	}
	if (i < FEAT_COUNT + TUN_COUNT) {
		const struct tun_row *r = &tun_rows[i - FEAT_COUNT];

		unit_print(r->lo, r->unit, lo, sizeof(lo));
		unit_print(r->hi, r->unit, hi, sizeof(hi));
		unit_print(r->def, r->unit, def, sizeof(def));
		table_cell(t, "%s", def);
		table_cell(t, "%s to %s", lo, hi);
		return;
	}
	i -= FEAT_COUNT + TUN_COUNT;
	for (u32 n = 0; seam_choice(i, n); n++)
		text_fmt(&choices, "%s%s", n ? ", " : "", seam_choice(i, n)->name);
	table_cell(t, "%s", seam_rows[i].def);
	table_cell(t, "%s", choices.s);
	text_free(&choices);
}

void kernel_list_options(struct text *out)
{
	struct table t;

	table_init(&t, 4, 0);
	table_cell(&t, "option");
	table_cell(&t, "default");
	table_cell(&t, "values");
	table_cell(&t, "what it does (Linux name)");
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		table_cell(&t, "%s", option_name(i));
		list_range(i, &t);
		if (*option_linux(i))
			table_cell(&t, "%s (%s)", option_doc(i), option_linux(i));
		else
			table_cell(&t, "%s", option_doc(i));
	}
	table_render(&t, out, "");
	table_free(&t);
}

void kernel_canonical(const struct kernel *k, struct text *out)
{
	char value[64];

	for (u32 i = 0; i < OPTION_COUNT; i++) {
		option_value(k, i, value, sizeof(value));
		text_fmt(out, "%s=%s\n", option_name(i), value);
	}
}
