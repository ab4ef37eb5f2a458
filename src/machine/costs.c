/* The cost rows of costs.def as a table, and as text for docs/machines.md. */
#include "machine/machine.h"

const struct cost_row cost_rows[COST_COUNT] = {
#define COST(id, name, unit, lo, hi, def, source, doc) \
	[COST_##id] = {name, source, doc, unit, lo, hi, def},
#include "machine/costs.def"
#undef COST
};

void machine_costs_doc(struct text *out)
{
	text_str(out,
		 "| row | unit | default | lowest | highest | meaning | source of the "
		 "default |\n|---|---|---|---|---|---|---|\n");
	for (u32 i = 0; i < COST_COUNT; i++) {
		static const char *const units[] = {"count",	 "time",      "size",
						    "frequency", "bandwidth", "ratio"};
		const struct cost_row *r = &cost_rows[i];
		char def[40], lo[40], hi[40];

		unit_print(r->def, r->unit, def, sizeof(def));
		unit_print(r->lo, r->unit, lo, sizeof(lo));
		unit_print(r->hi, r->unit, hi, sizeof(hi));
		text_fmt(out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", r->name,
			 units[r->unit], def, lo, hi, r->doc, r->source);
	}
}
