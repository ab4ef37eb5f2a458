/*
 * The data folder: finds machines, kernels, workloads and experiments by name. A name
 * with a '/' or with a suffix of a file is a path and is taken as it is.
 */
#ifndef REPORT_LIBRARY_H
#define REPORT_LIBRARY_H

#include "base/arena.h"
#include "base/failure.h"

enum library_kind {
	LIBRARY_MACHINE,
	LIBRARY_KERNEL,
	LIBRARY_WORKLOAD,
	LIBRARY_EXPERIMENT,
	LIBRARY_KINDS
};

struct library {
	const char *dir;
};

/** "machine", "kernel", ...; and the folder, "machines", "kernels", ... */
const char *library_kind_name(enum library_kind kind);
const char *library_folder(enum library_kind kind);

/**
 * Find the data folder: `dir` if not NULL, else next to the running program
 * (../share/sibyl, data, ../data, ../../data), else `fallback` if not NULL. Paths live in
 * the arena.
 */
int library_open(struct arena *a, const char *dir, const char *fallback,
		 struct library *out, struct failure *f);

/** Names of one kind in byte order; count in *n (0 is fine). */
int library_names(const struct library *lib, struct arena *a, enum library_kind kind,
		  const char *const **out, u32 *n, struct failure *f);

/**
 * The path of a thing. A machine may also be `this` or a synthetic topology ("pack:2
 * core:4 pu:2"): these are returned as they are. An unknown name fails with the nearest.
 */
int library_find(const struct library *lib, struct arena *a, enum library_kind kind,
		 const char *name, const char **path, struct failure *f);

/** Path of a file in the data folder. */
const char *library_path(const struct library *lib, struct arena *a, const char *file);

/** library_find() for kernels in the form that kernel_load() wants; ctx is the library.
 */
int library_resolve_kernel(void *ctx, struct arena *a, const char *name,
			   const char **path, struct failure *f);

#endif
