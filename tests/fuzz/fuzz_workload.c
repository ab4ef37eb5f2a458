/* The workload loader on any bytes, then bound to a small machine. */
#include "memfile.h"

#include "workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct workload_plan *plan;
	const struct workload *w;
	const struct machine *m;
	struct text out = {0};
	struct failure f;
	struct arena a;
	char path[64];
	int fd = memfile(data, size, path);

	arena_init(&a);
	if (!workload_load(&a, path, &w, &f)) {
		workload_show(w, &out);
		if (!machine_load(&a, "core:2 pu:2", &m, &f))
			workload_bind(&a, w, m, NULL, 0, &plan, &f);
	}
	text_free(&out);
	arena_free(&a);
	close(fd);
	return 0;
}
