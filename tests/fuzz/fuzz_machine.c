/* Machine files and what people paste: hwloc XML, lscpu output; any bytes. */
#include "memfile.h"

#include "machine/machine.h"

/* libxml2, below hwloc, loses memory on a document of an unknown encoding. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct machine *m;
	struct text out = {0};
	struct failure f;
	struct arena a;
	char path[64];
	int fd = memfile(data, size, path);

	arena_init(&a);
	machine_import(&a, path, NULL, "fuzz", &out, &f);
	text_free(&out);
	if (!machine_load(&a, path, &m, &f)) {
		machine_show(m, &out);
		machine_draw(m, &out);
	}
	text_free(&out);
	arena_free(&a);
	close(fd);
	return 0;
}
