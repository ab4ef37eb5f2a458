/* `memory:` of a workload file: what reaches the scheduler, and what is refused. */
#include "mock_sched.h"

#define TASKS	"tasks: {t: {program: [loop: [run: 1 ms, count: n]]}}\n" METRICS
#define METRICS "metrics: {n: {rate: n}}\n"

static void test_regions(void **state)
{
	static const struct region_attr want[] = {
		{"heap", 4ull << 30, 4096, PLACE_FIRST_TOUCH, 0, true, 0},
		{"part", 1 << 20, 2 << 20, PLACE_POPULATED, 0, false, 3},
		{"part", 1 << 20, 2 << 20, PLACE_POPULATED, 1, false, 4},
		{"part", 1 << 20, 2 << 20, PLACE_POPULATED, 0, false, 5},
		{"a", 1 << 20, 4096, PLACE_INTERLEAVE, 0, false, 1},
		{"b", 1 << 20, 4096, PLACE_BIND, 1, false, 2},
		{"c", 1 << 20, 4096, PLACE_SPREAD, 0, false, 1},
	};
	struct mock k;

	(void)state;
	mock_open(&k,
		  "memory:\n"
		  "  heap: {size: 4 GiB, order: random}\n"
		  "  part: {count: 3, size: 1 MiB, page: 2 MiB, place: {populated: each},"
		  " process: each}\n"
		  "  a: {size: 1 MiB, place: interleave, process: x}\n"
		  "  b: {size: 1 MiB, place: {bind: 4}, process: y}\n"
		  "  c: {size: 1 MiB, place: spread, process: x}\n"
		  "profiles: {p: {memory: 50 %, bandwidth: 3 GB/s}}\n"
		  "tasks:\n"
		  "  t:\n"
		  "    count: 3\n"
		  "    profile: p\n"
		  "    memory: [{region: \"part[own]\", weight: 3}, heap]\n"
		  "    program: [loop: [run: 1 ms, count: n]]\n" METRICS,
		  1);
	assert_int_equal(k.s->nregion, ARRAY_SIZE(want));
	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		const struct region_attr *r = &k.s->region[i];

		assert_string_equal(r->name, want[i].name);
		assert_int_equal(r->size, want[i].size);
		assert_int_equal(r->page, want[i].page);
		assert_int_equal(r->place, want[i].place);
		assert_int_equal(r->node, want[i].node);
		assert_int_equal(r->random, want[i].random);
		assert_int_equal(r->process, want[i].process);
	}
	assert_int_equal(k.s->profile[0].bandwidth, 3000000000);
	mock_run(k.s, k.run, 40 * NS_PER_MS);
	/* the launcher, then three tasks with a part of their own */
	assert_int_equal(k.s->task[0]->nuse, 0);
	for (u32 i = 0; i < 3; i++) {
		const struct task *t = k.s->task[1 + i];

		assert_int_equal(t->nuse, 2);
		assert_int_equal(t->use[0].region, 1 + i);
		assert_int_equal(t->use[0].weight, 3);
		assert_int_equal(t->use[1].region, 0);
		assert_int_equal(t->use[1].weight, 1);
	}
	mock_free(&k);
}

static void refused(const char *text, u32 line, const char *part)
{
	struct mock k = {0};
	int rc;

	arena_init(&k.arena);
	rc = mock_load(&k, text);
	if (!rc)
		rc = workload_bind(&k.arena, k.w, mock_machine(&k.arena), NULL, 0,
				   &k.plan, &k.f);
	if (!rc)
		fail_msg("accepted: %s", text);
	if (!strstr(k.f.what, part) || k.f.line != line || k.f.kind != FAIL_INPUT)
		fail_msg("%s\n-> %u:%u: %s\n(wanted line %u, '%s')", text, k.f.line,
			 k.f.col, k.f.what, line, part);
	arena_free(&k.arena);
}

static void test_bad_regions(void **state)
{
	(void)state;
	refused("memory: {a: {}}\n" TASKS, 1, "size");
	refused("memory: {a: {size: 0}}\n" TASKS, 1, "0");
	refused("memory: {a: {sise: 1 MiB}}\n" TASKS, 1, "expected 'size'?");
	refused("memory: {a: {size: 1 MiB, place: interleaved}}\n" TASKS, 1,
		"interleave?");
	refused("memory: {a: {size: 1 MiB, place: {bind: 7}}}\n" TASKS, 1, "no node 7");
	refused("memory: {a: {size: 1 MiB, place: {bind: 0, populated: 0}}}\n" TASKS, 1,
		"one of");
	refused("memory: {a: {size: 1 MiB, page: 8 KiB}}\n" TASKS, 1, "2 MiB");
	refused("memory: {a: {size: 1 MiB, order: rnadom}}\n" TASKS, 1, "random?");
	refused("profiles: {p: {bandwidth: 3 GB}}\n" TASKS, 1, "bandwidth");
	refused("memory: {heap: {size: 1 MiB}}\n"
		"tasks: {t: {memory: heep, program: [run: forever]}}\n" METRICS,
		2, "no region 'heep', expected heap?");
	refused("memory: {heap: {size: 1 MiB}}\n"
		"tasks: {t: {memory: [], program: [run: forever]}}\n" METRICS,
		2, "1 to 8");
	refused("memory: {h: {size: 1 MiB}}\n"
		"tasks: {t: {memory: [{region: h, weight: 0}], program: [run: forever]}}\n" METRICS,
		2, "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_bad_regions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
