/*
 * sibyl: a wind tunnel for the Linux CPU scheduler. This is the C interface for programs
 * that want one run and its numbers; the command `sibyl` does the rest.
 *
 * Linking: libreport.a and the layers below it, libyaml, hwloc, GSL, SQLite, xxHash.
 * The interface is plain C11 and C++. Nothing here prints or exits, and nothing is shared
 * between two handles: different threads may use different handles at the same time, once
 * the first run is over (the first machine that is loaded sets hwloc up).
 *
 *	struct sibyl *s;
 *	char *json;
 *	struct sibyl_request req = {.machine = "this", .workload = "mixed",
 *				    .kernel = "linux-6.1"};
 *
 *	if (sibyl_open(&s, NULL) || sibyl_run(s, &req, &json))
 *		fprintf(stderr, "%s\n", sibyl_error(s));
 *	else
 *		puts(json);
 *	sibyl_free(json);
 *	sibyl_close(s);
 */
#ifndef SIBYL_SIBYL_H
#define SIBYL_SIBYL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque; made by sibyl_open(), ended by sibyl_close(). */
struct sibyl;

/** Return values; the exit statuses of the command. */
enum sibyl_status {
	SIBYL_OK = 0,
	SIBYL_FAILED_CHECK = 1, /**< a check did not hold */
	SIBYL_BAD_INPUT = 2,	/**< an unknown name, a bad file, a value out of range */
	SIBYL_IO_ERROR = 3	/**< the system refused */
};

/** One run. Members that are 0 or NULL have defaults, unless said otherwise. */
struct sibyl_request {
	const char *machine;  /**< needed: a name, a path, "this", "pack:2 core:4 pu:2" */
	const char *workload; /**< needed: a name or a path */
	const char *kernel;   /**< needed: "NAME" or "NAME:option=value,option=value" */
	/** Parameters of the workload, "name=value" each; nparams of them. */
	const char *const *params;
	uint32_t nparams;
	uint64_t duration_ns; /**< simulated time; must be 0 for a workload of fixed work
			       */
	uint64_t seed;	      /**< base seed, as `sibyl run --seed` */
};

/** Version of the library, e.g. "0.1.0". Borrowed, never NULL. */
const char *sibyl_version(void);

/**
 * Open the data folder (machines, kernels, workloads). NULL: $SIBYL_DATA is not looked
 * at; the folder is searched next to the running program. *out is set even on failure, so
 * that sibyl_error() can say why; close it in any case.
 */
int sibyl_open(struct sibyl **out, const char *data_folder);

/** NULL is fine. */
void sibyl_close(struct sibyl *s);

/**
 * Simulate one run and describe it: *json is the document of `sibyl run --json`, a
 * terminated UTF-8 string that the caller gives back with sibyl_free(). The same request
 * gives the same numbers. On failure *json is NULL.
 */
int sibyl_run(struct sibyl *s, const struct sibyl_request *req, char **json);

/** One line on what went wrong last. Borrowed until the next call; "" if nothing did. */
const char *sibyl_error(const struct sibyl *s);

/** Give back a string; NULL is fine. */
void sibyl_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
