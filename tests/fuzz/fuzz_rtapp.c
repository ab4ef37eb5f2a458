/* The rt-app front end on any bytes: loaded, bound to a small machine, printed. */
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
	char path[64], name[64];
	int fd = memfile(data, size, path);

	/* the loader goes by the name of a file */
	snprintf(name, sizeof(name), "/tmp/fuzz-rtapp-%d.json", (int)getpid());
	unlink(name);
	if (symlink(path, name))
		abort();
	arena_init(&a);
	if (!workload_load(&a, name, &w, &f)) {
		workload_show(w, &out);
		workload_yaml(w, &out);
		if (!machine_load(&a, "core:2 pu:2", &m, &f))
			workload_bind(&a, w, m, NULL, 0, &plan, &f);
	}
	text_free(&out);
	arena_free(&a);
	unlink(name);
	close(fd);
	return 0;
}
