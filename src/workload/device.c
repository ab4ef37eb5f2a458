/* Devices as queues: see device.h. */
#include "device.h"

#define PARALLEL_MAX 4096u

static int compile_device(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	static const char *const kinds[] = {"disk", "journal"};
	struct device_decl *dev = (struct device_decl *)(void *)d;
	const struct ynode *kind = y_get(entry, "kind"), *n;
	u64 parallel = 1;
	u32 k = 0;

	if (kind && y_choice(kind, kinds, ARRAY_SIZE(kinds), &k, c->f))
		return -1;
	dev->journal = k == 1;
	n = y_get(entry, "service");
	if (n && compile_dist(c, n, &dev->service))
		return -1;
	n = y_get(entry, "bandwidth");
	if (n && y_value(n, UNIT_BANDWIDTH, 1000, 1ull << 50, &dev->bandwidth, c->f))
		return -1;
	if (!dev->service && !dev->bandwidth)
		return y_fail(entry, c->f, "expected 'service' or 'bandwidth', or both");
	n = y_get(entry, "parallel");
	if (n && dev->journal)
		return y_fail(n, c->f,
			      "a journal has one commit at a time, expected no "
			      "'parallel'");
	if (n && expr_get(&c->env, n, UNIT_COUNT, 1, PARALLEL_MAX, &parallel))
		return -1;
	dev->parallel = (u32)parallel;
	return 0;
}

const struct decl_type device_decl_type = {
	.what = "device",
	.keys = (const char *const[]){"kind", "service", "bandwidth", "parallel", NULL},
	.size = sizeof(struct device_decl),
	.compile = compile_device,
};

struct devices *devices_new(struct arena *a, const struct workload_plan *p)
{
	const struct decls *list = &p->res.devices;
	struct devices *ds = arena_new(a, struct devices);

	ds->dev = arena_array(a, struct device_run, list->total);
	for (u32 i = 0; i < list->n; i++) {
		const struct device_decl *d =
			(const struct device_decl *)(void *)list->d[i];

		for (u32 k = 0; k < d->d.count; k++) {
			struct device_run *dev = &ds->dev[d->d.first + k];

			dev->decl = d;
			dev->free_at = arena_array(a, u64, d->parallel);
		}
	}
	return ds;
}

static u64 service(struct inst *t, const struct device_decl *d, u64 size)
{
	u64 ns = d->service ? dist_draw(d->service, task_stream(t->task)) : 0;

	if (d->bandwidth)
		ns += mul_div(size, NS_PER_SEC, d->bandwidth);
	return min_u64(max_u64(ns, 1), DURATION_MAX);
}

/* The one who starts a commit draws how long it takes. */
static u64 journal_request(struct inst *t, struct device_run *dev, u64 now, u64 size)
{
	if (dev->end <= now && dev->next_end) {
		dev->end = dev->next_end;
		dev->next_end = 0;
	}
	if (dev->end <= now) {
		dev->end = now + service(t, dev->decl, size);
		dev->ledger.hold_ns += dev->end - now;
		return dev->end;
	}
	dev->ledger.contended++;
	if (!dev->next_end) {
		u64 ns = service(t, dev->decl, size);

		dev->next_end = dev->end + ns;
		dev->ledger.hold_ns += ns;
	}
	dev->ledger.wait_ns += dev->end - now;
	return dev->next_end;
}

u64 device_request(struct inst *t, struct device_run *dev, u64 now, u64 size)
{
	u32 best = 0;
	u64 start, ns;

	dev->ledger.acquisitions++;
	if (dev->decl->journal)
		return journal_request(t, dev, now, size);
	for (u32 i = 1; i < dev->decl->parallel; i++)
		if (dev->free_at[i] < dev->free_at[best])
			best = i;
	start = max_u64(now, dev->free_at[best]);
	ns = service(t, dev->decl, size);
	dev->free_at[best] = start + ns;
	dev->ledger.contended += start > now;
	dev->ledger.wait_ns += start - now;
	dev->ledger.hold_ns += ns;
	return start + ns;
}
