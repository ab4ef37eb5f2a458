/* The reader of recordings on any bytes but a trace.dat, which a library reads. */
#include "memfile.h"

#include "trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct trace_options o = {.pattern = ".", .siblings = 2};
	const struct trace_summary *s[2];
	const char *const name[2] = {"a", "b"};
	struct text out = {0};
	struct failure f;
	struct arena a;
	char path[64];
	int fd;

	if (size > 1 && data[0] == 0x17 && data[1] == 0x08)
		return 0;
	fd = memfile(data, size, path);
	arena_init(&a);
	if (!trace_summarise(&a, path, &o, &s[0], &f)) {
		s[1] = s[0];
		trace_json(s[0], &out);
		trace_compare(&a, s, name, false, &out);
	}
	text_free(&out);
	arena_free(&a);
	close(fd);
	return 0;
}
