/*
 * NUMA balancing: its arithmetic against values made by hand from the rules of Linux 6.1,
 * and runs in which tasks and pages must find each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numa/balancing.h"
#include "rt/rt.h"
#include "sched_fixture.h"

#define MIB (1ull << 20)

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 1000 * NS_PER_SEC);
	return STEP_WORK;
}

static const struct sched_client hog = {.step = forever};

static void start(struct fixture *x, const char *options)
{
	fixture_kernel(x, options);
	fixture_start(x, &hog, 1);
}

static void machine(struct fixture *x, u32 nodes, u32 cores)
{
	fixture_init(x);
	fixture_machine(x, nodes, 1, cores, 1);
}

static u32 region(struct fixture *x, u64 size, enum region_place place, u32 node,
		  u32 process)
{
	struct region_attr attr = {.name = "r",
				   .size = size,
				   .page = 2 * MIB,
				   .place = place,
				   .node = node,
				   .process = process};

	return sched_region_add(x->sched, &attr);
}

static struct task *worker(struct fixture *x, u32 cpu, u32 r)
{
	struct profile_attr profile = {.name = "m", .memory = Q32_ONE / 2};
	struct region_use use = {.region = r, .weight = 1};
	struct task_attr attr = {.comm = "w", .memory = &use, .nmemory = 1};

	attr.profile = sched_profile_add(x->sched, &profile);
	return sched_spawn(x->sched, &attr, cpu);
}

static void run_to(struct fixture *x, u64 when)
{
	struct failure f;

	while (engine_step(&x->engine, when))
		if (sched_check_touched(x->sched, &f))
			fail_msg("%s", f.what);
	if (sched_check(x->sched, &f))
		fail_msg("%s", f.what);
}

static u32 node_of(const struct fixture *x, const struct task *t)
{
	return x->machine.cpu[t->rq->cpu].node;
}

/* One task with a region of 1 GiB: 4 windows, periods of 250 to 15000 ms. */
static struct task *one_task(struct fixture *x)
{
	struct task *t;

	machine(x, 2, 4);
	start(x, "");
	t = worker(x, 0, region(x, 1024 * MIB, PLACE_POPULATED, 0, 0));
	assert_int_equal(scan_min(x->sched, t), 250);
	assert_int_equal(scan_max(x->sched, t), 15000);
	assert_int_equal(scan_start(x->sched, t), 250);
	return t;
}

/* Ten slots a period; 7 tenths private or local are enough. */
static void test_scan_period(void **state)
{
	static const struct {
		u32 period;
		u64 local, remote, failed, shared, private;
		u32 want;
	} v[] = {
		{1000, 0, 0, 0, 0, 0, 2000},	      /* nothing seen */
		{1000, 0, 900, 0, 0, 900, 2000},      /* none is local, none shared */
		{1000, 500, 500, 1, 500, 500, 2000},  /* a page could not move */
		{9000, 500, 500, 1, 500, 500, 15000}, /* ... up to the longest */
		{1000, 100, 900, 0, 300, 700, 1100},  /* 7 tenths private: one slot */
		{1000, 100, 900, 0, 100, 900, 1200},  /* 9 tenths: two */
		{1000, 1000, 0, 0, 0, 1000, 1300},    /* all: three */
		{1000, 800, 200, 0, 900, 100, 1100},  /* shared, 8 tenths local */
		{1000, 500, 500, 0, 900, 100, 800},   /* 5 tenths local at best */
		{1000, 200, 800, 0, 600, 400, 700},   /* 4 tenths private at best */
		{1005, 0, 1000, 0, 1000, 0, 298},     /* none of either: 7 x 101 less */
		{300, 0, 1000, 0, 1000, 0, 250},      /* not below the shortest */
		{14900, 1000, 0, 0, 0, 1000, 15000},  /* nor above the longest */
	};
	struct fixture x;
	struct task *t;

	(void)state;
	t = one_task(&x);
	t->mem->numa->period_max = 15000;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct numa_task *nt = t->mem->numa;

		nt->period = v[i].period;
		nt->local = v[i].local;
		nt->remote = v[i].remote;
		nt->failed = v[i].failed;
		scan_adapt(x.sched, t, v[i].shared, v[i].private);
		assert_int_equal(nt->period, v[i].want);
	}
	fixture_free(&x);
}

/* A group of 3 that shares half of its faults: 3 * 501 / 1001 of the period. */
static void test_scan_period_of_group(void **state)
{
	struct numa_group g = {.tasks = 3};
	struct fixture x;
	struct task *t;
	u64 faults[8] = {0};

	(void)state;
	t = one_task(&x);
	g.faults = faults;
	faults[fault_index(x.sched->memory, FAULTS_MEM, 0, true)] = 500;
	faults[fault_index(x.sched->memory, FAULTS_MEM, 1, false)] = 500;
	t->mem->numa->group = &g;
	assert_int_equal(scan_start(x.sched, t), 250 * 3 * 501 / 1001);
	assert_int_equal(scan_max(x.sched, t), 15000 * 3 * 501 / 1001);
	t->mem->numa->group = NULL;
	fixture_free(&x);
}

static void test_page_rule(void **state)
{
	static const struct {
		u32 preferred, seq; /* of the task on node 0 */
		bool known, mine;   /* who touched it last */
		u32 last_cpu, page;
		u64 cpu0, cpu1, mem0, mem1; /* of its group; all 0 = no group */
		bool want;
	} v[] = {
		/* young: what is new or its own comes */
		{NODE_NONE, 9, false, false, 0, 1, 0, 0, 0, 0, true},
		{1, 4, true, true, 5, 1, 0, 0, 0, 0, true},
		{1, 4, true, false, 5, 1, 0, 0, 0, 0, false},
		/* old: two touches from here */
		{1, 5, true, true, 5, 1, 0, 0, 0, 0, false},
		{1, 5, true, true, 1, 1, 0, 0, 0, 0, true},
		{1, 5, true, false, 1, 1, 0, 0, 0, 0, true}, /* no group */
		{1, 5, false, false, 0, 1, 0, 0, 0, 0, true},
		/* a group: more than three times the CPU time here */
		{1, 5, true, false, 1, 1, 301, 100, 900, 100, true},
		{1, 5, true, false, 1, 1, 300, 100, 900, 100, false},
		/* ... or 4/3 of what is there, for its memory */
		{1, 5, true, false, 1, 1, 200, 200, 75, 101, true},
		{1, 5, true, false, 1, 1, 200, 200, 75, 100, false},
	};
	struct numa_group g = {.tasks = 2};
	struct fixture x;
	struct task *t;
	u64 faults[8];

	(void)state;
	t = one_task(&x);
	g.faults = faults;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct numa_task *nt = t->mem->numa;
		const struct memory *m = x.sched->memory;
		struct chunk c = {.node = (u16)v[i].page,
				  .cpu = (u16)v[i].last_cpu,
				  .pid = (u8)(t->pid + !v[i].mine),
				  .touched_by = v[i].known};

		memset(faults, 0, sizeof(faults));
		faults[fault_index(m, FAULTS_CPU, 0, false)] = v[i].cpu0;
		faults[fault_index(m, FAULTS_CPU, 1, true)] = v[i].cpu1;
		faults[fault_index(m, FAULTS_MEM, 0, true)] = v[i].mem0;
		faults[fault_index(m, FAULTS_MEM, 1, false)] = v[i].mem1;
		nt->group = v[i].cpu0 ? &g : NULL;
		nt->preferred = v[i].preferred;
		nt->scan_seq = v[i].seq;
		if (page_should_move(x.sched, t, &c, 2) != v[i].want)
			fail_msg("row %zu", i);
		/* it was touched, in any case */
		assert_true(c.touched_by && c.cpu == 2 && c.pid == (u8)t->pid);
		nt->group = NULL;
	}
	fixture_free(&x);
}

/* Half of the old and all of the new; the node with most is preferred. */
static void test_preferred_node(void **state)
{
	struct fixture x;
	struct numa_task *nt;
	const struct memory *m;
	struct task *t;

	(void)state;
	t = one_task(&x);
	nt = t->mem->numa;
	m = x.sched->memory;
	nt->faults[fault_index(m, FAULTS_MEM, 0, true)] = 1001;
	nt->total = 1001;
	nt->fresh[fault_index(m, FAULTS_MEM, 1, true)] = 300;
	nt->fresh[fault_index(m, FAULTS_MEM, 1, false)] = 300;
	nt->fresh[fault_index(m, FAULTS_CPU, 0, true)] = 600;
	nt->local = 600;
	numa_placement(x.sched, t); /* no new pass: nothing happens */
	assert_int_equal(nt->preferred, NODE_NONE);
	t->mem->process->scan_seq++;
	numa_placement(x.sched, t);
	assert_int_equal(task_faults(m, t, 0), 501);
	assert_int_equal(task_faults(m, t, 1), 600);
	assert_int_equal(nt->total, 1101);
	assert_int_equal(nt->preferred, 1);
	assert_int_equal(task_weight(x.sched, t, 0, 21), 501 * 1000 / 1101);
	assert_int_equal(task_weight(x.sched, t, 1, 21), 600 * 1000 / 1101);
	/* nothing comes: halves, and who was ahead stays so */
	t->mem->process->scan_seq++;
	numa_placement(x.sched, t);
	assert_int_equal(task_faults(m, t, 0), 251);
	assert_int_equal(task_faults(m, t, 1), 300);
	fixture_free(&x);
}

/* A ring of four nodes: a neighbour's faults count by how near it is. */
static void test_weight_in_mesh(void **state)
{
	static const u32 ring[16] = {10, 16, 22, 16, 16, 10, 16, 22,
				     22, 16, 10, 16, 16, 22, 16, 10};
	struct fixture x;
	struct numa_task *nt;
	const struct memory *m;
	struct task *t;

	(void)state;
	machine(&x, 4, 1);
	memcpy(x.machine.distance, ring, sizeof(ring));
	start(&x, "");
	t = worker(&x, 0, region(&x, 64 * MIB, PLACE_POPULATED, 0, 0));
	nt = t->mem->numa;
	m = x.sched->memory;
	assert_int_equal(m->topology, NODES_MESH);
	nt->faults[fault_index(m, FAULTS_MEM, 0, true)] = 400;
	nt->faults[fault_index(m, FAULTS_MEM, 1, true)] = 600;
	nt->total = 1000;
	/* 400 + 600 * (22 - 16) / (22 - 10); the opposite node counts nothing */
	assert_int_equal(task_weight(x.sched, t, 0, 16), 700);
	assert_int_equal(task_weight(x.sched, t, 1, 16), 800);
	assert_int_equal(task_weight(x.sched, t, 2, 16), 300);
	fixture_free(&x);
}

/* What load balancing is told, for a task on CPU 0 of node 0 that might go to CPU 2. */
static void test_locality(void **state)
{
	struct fixture x;
	struct numa_task *nt;
	struct task *t, *other;
	struct rq *src, *dst;
	const struct memory *m;
	u32 r;

	(void)state;
	machine(&x, 2, 2);
	start(&x, "");
	r = region(&x, 64 * MIB, PLACE_POPULATED, 0, 0);
	t = worker(&x, 0, r);
	run_to(&x, 20 * NS_PER_MS);
	src = t->rq;
	assert_int_equal(x.machine.cpu[src->cpu].node, 0);
	dst = cpu_rq(x.sched, 2);
	nt = t->mem->numa;
	m = x.sched->memory;
	/* no fault so far, or the same node: it has no opinion */
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), -1);
	nt->counted = true;
	assert_int_equal(numa_locality(x.sched, t, src, cpu_rq(x.sched, 1), false), -1);
	/* at home and alone, then beside one that is not at home, then beside one that is
	 */
	nt->preferred = 0;
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), -1);
	other = worker(&x, 0, r);
	class_dequeue(x.sched, other->rq, other);
	group_set_task_rq(other, src);
	class_enqueue(x.sched, src, other);
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), 1);
	other->mem->numa->preferred = 0;
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), -1);
	/* it goes home */
	nt->preferred = 1;
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), 0);
	/* neither: idle CPUs do not mind, others compare weights */
	nt->preferred = NODE_NONE;
	nt->faults[fault_index(m, FAULTS_MEM, 0, true)] = 600;
	nt->faults[fault_index(m, FAULTS_MEM, 1, true)] = 400;
	nt->total = 1000;
	assert_int_equal(numa_locality(x.sched, t, src, dst, true), -1);
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), 1);
	nt->faults[fault_index(m, FAULTS_MEM, 1, true)] = 600;
	assert_int_equal(numa_locality(x.sched, t, src, dst, false), 0);
	fixture_free(&x);
}

/*
 * Its pages are on node 1, node 0 has no memory. The first scan is due after scan_delay
 * of CPU time. The fault behind it ends a pass in which nothing was seen: the period
 * doubles, to 2 s. The second scan is due that and two ticks later; a fault behind it
 * looks at what the first has found, and sends the task home.
 */
static void test_goes_home(void **state)
{
	const u64 second = NS_PER_SEC + 2 * NS_PER_SEC; /* delay, period */
	struct fixture x;
	struct task *t;

	(void)state;
	machine(&x, 2, 4);
	x.machine.node[1].memory = 1024 * MIB;
	start(&x, "");
	t = worker(&x, 0, region(&x, 64 * MIB, PLACE_POPULATED, 1, 0));
	run_to(&x, second);
	assert_int_equal(node_of(&x, t), 0);
	assert_true(x.sched->totals.numa_faults_remote > 0);
	/* two ticks of the stamp, one each to the scan, the fault, the move */
	run_to(&x, second + 6 * NS_PER_SEC / 250);
	assert_int_equal(node_of(&x, t), 1);
	assert_int_equal(t->mem->numa->preferred, 1);
	assert_int_equal(x.sched->totals.decisions[DEC_NUMA_MOVE], 1);
	assert_true(t->rq->rate > Q32_ONE - 8);
	fixture_free(&x);
}

/* A task with room where it is: its pages come to it, and it stays. */
static void test_pages_come(void **state)
{
	struct fixture x;
	struct task *t;
	u32 r;

	(void)state;
	machine(&x, 2, 4);
	start(&x, "");
	r = region(&x, 64 * MIB, PLACE_POPULATED, 1, 0);
	t = worker(&x, 0, r);
	run_to(&x, 3 * NS_PER_SEC);
	assert_int_equal(node_of(&x, t), 0);
	assert_int_equal(sched_region_pages(x.sched, r, 0), 64 * MIB / 4096);
	assert_int_equal(x.sched->totals.numa_pages_moved, 64 * MIB / 4096);
	fixture_free(&x);
}

/* Bound and interleaved memory is where the user wants it: no faults. */
static void test_bound_stays(void **state)
{
	struct fixture x;
	u32 r;

	(void)state;
	machine(&x, 2, 4);
	start(&x, "");
	r = region(&x, 64 * MIB, PLACE_BIND, 1, 0);
	worker(&x, 0, r);
	worker(&x, 1, region(&x, 64 * MIB, PLACE_INTERLEAVE, 0, 1));
	run_to(&x, 4 * NS_PER_SEC);
	assert_int_equal(sched_region_pages(x.sched, r, 1), 64 * MIB / 4096);
	assert_int_equal(x.sched->totals.numa_faults_local, 0);
	assert_int_equal(x.sched->totals.numa_faults_remote, 0);
	assert_true(x.sched->totals.decisions[DEC_NUMA_SCAN] > 0);
	fixture_free(&x);
}

/* Two processes of four threads, mixed over two nodes of four CPUs: they separate. */
static void separate(const char *options, bool want)
{
	struct fixture x;
	struct task *t[8];
	u32 r[2], on[2] = {0, 0};

	machine(&x, 2, 4);
	start(&x, options);
	for (u32 p = 0; p < 2; p++)
		r[p] = region(&x, 256 * MIB, PLACE_FIRST_TOUCH, 0, p);
	for (u32 i = 0; i < 8; i++)
		t[i] = worker(&x, i, r[i % 2]);
	run_to(&x, 60 * NS_PER_SEC);
	for (u32 i = 0; i < 8; i++)
		on[i % 2] += node_of(&x, t[i]) == node_of(&x, t[0]);
	print_message("'%s': %u and %u threads on the node of the first; %llu swaps, "
		      "%llu moves, %llu pages\n",
		      options, on[0], on[1],
		      (unsigned long long)x.sched->totals.decisions[DEC_NUMA_SWAP],
		      (unsigned long long)x.sched->totals.decisions[DEC_NUMA_MOVE],
		      (unsigned long long)x.sched->totals.numa_pages_moved);
	assert_int_equal(want, on[0] == 4 && on[1] == 0);
	fixture_free(&x);
}

static void test_groups_separate(void **state)
{
	(void)state;
	separate("", true);
	separate("  numa.spare: off\n", true);
	separate("  numa.balancing: off\n", false);
}

/* How many of `n` tasks that share memory stay on the node of it, after a while. */
static u32 together(const char *kernel, u32 n)
{
	struct fixture x;
	struct failure f;
	struct task *t[4];
	u32 r, on = 0;

	machine(&x, 2, 16);
	if (kernel_load(&x.arena, kernel, fixture_resolve, SIBYL_SOURCE_DATA "/kernels",
			&x.kernel, &f))
		fail_msg("%s", f.what);
	fixture_start(&x, &hog, 1);
	r = region(&x, 64 * MIB, PLACE_POPULATED, 0, 0);
	for (u32 i = 0; i < n; i++) {
		t[i] = worker(&x, 0, r);
		run_to(&x, (i + 1) * 10 * NS_PER_MS);
	}
	run_to(&x, 6 * NS_PER_SEC);
	for (u32 i = 0; i < n; i++)
		on += node_of(&x, t[i]) == 0;
	fixture_free(&x);
	return on;
}

/*
 * The counter-example to even loads: a pair that shares memory, and an idle node. 5.3 has
 * no allowance for it and takes the pair apart, and NUMA balancing cannot repair what
 * makes loads less even; 5.13 leaves up to a quarter of the CPUs together, 6.1 of a node
 * of one cache an eighth, which is two of sixteen and not three.
 */
static void test_pair_stays_together(void **state)
{
	(void)state;
	assert_int_equal(together("linux-5.3", 2), 1);
	assert_int_equal(together("linux-5.13", 2), 2);
	assert_int_equal(together("linux-5.13", 3), 3);
	assert_int_equal(together("linux-6.1", 2), 2);
	assert_int_equal(together("linux-6.1", 3), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scan_period),
		cmocka_unit_test(test_scan_period_of_group),
		cmocka_unit_test(test_page_rule),
		cmocka_unit_test(test_preferred_node),
		cmocka_unit_test(test_weight_in_mesh),
		cmocka_unit_test(test_locality),
		cmocka_unit_test(test_goes_home),
		cmocka_unit_test(test_pages_come),
		cmocka_unit_test(test_bound_stays),
		cmocka_unit_test(test_groups_separate),
		cmocka_unit_test(test_pair_stays_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
