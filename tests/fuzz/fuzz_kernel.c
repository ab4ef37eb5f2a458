/* Kernel recipes, and ad hoc options after a ':'; any bytes. */
#include "memfile.h"

#include <string.h>

#include "sched/kernel.h"

/* Every base is the fuzzed file itself: cycles must end. */
static int resolve(void *ctx, struct arena *a, const char *name, const char **path,
		   struct failure *f)
{
	(void)a;
	(void)name;
	(void)f;
	*path = ctx;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct kernel *k;
	struct text out = {0};
	struct failure f;
	struct arena a;
	char path[64], *what;
	int fd = memfile(data, size, path);

	arena_init(&a);
	if (!kernel_load(&a, "x", resolve, path, &k, &f))
		kernel_show(k, &out);
	what = arena_printf(&a, "x:%.*s", (int)size, (const char *)data);
	kernel_load(&a, what, resolve, path, &k, &f);
	text_free(&out);
	arena_free(&a);
	close(fd);
	return 0;
}
