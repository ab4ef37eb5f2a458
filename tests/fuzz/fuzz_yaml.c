/* The YAML reader and number parser on any bytes. */
#include <stdint.h>
#include <string.h>

#include "base/yaml.h"

static void walk(const struct ynode *n, struct failure *f)
{
	s64 i;
	u64 v;
	bool b;

	if (n->kind == Y_SCALAR) {
		for (enum unit u = UNIT_COUNT; u <= UNIT_RATIO; u++)
			y_value(n, u, 0, UINT64_MAX, &v, f);
		y_int(n, INT64_MIN, INT64_MAX, &i, f);
		y_bool(n, &b, f);
	}
	y_for_each (c, n)
		walk(c, f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ynode *top;
	struct failure f;
	struct arena a;
	char line[1200];

	arena_init(&a);
	if (yaml_load_text(&a, "fuzz", (const char *)data, size, &top, &f))
		fail_format(&f, line, sizeof(line));
	else
		walk(top, &f);
	arena_free(&a);
	return 0;
}
