/*
 * Data files. A YAML text becomes a tree of nodes that keep their order, repeated keys
 * and line:column marks, so that every complaint can point at its place. Anchors, aliases
 * and tags are refused: a data file says what it means in place.
 */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include "base/arena.h"
#include "base/failure.h"
#include "base/units.h"

enum ykind { Y_SCALAR, Y_MAP, Y_SEQ };

struct ynode {
	enum ykind kind;
	u32 line, col; /* 1-based */
	const char *file;
	const char *text; /* scalar */
	bool quoted;	  /* scalar was in quotes or a block */
	const char *key;  /* set on the values of a map */
	u32 key_line, key_col;
	u32 n; /* children */
	struct ynode *first, *next;
};

#define YAML_MAX_DEPTH 64
#define YAML_MAX_BYTES (64u << 20)
#define YAML_MAX_NODES 4000000u

/** Load a file or a text. The tree lives in the arena. */
int yaml_load_file(struct arena *a, const char *path, const struct ynode **out,
		   struct failure *f);
int yaml_load_text(struct arena *a, const char *name, const char *text, size_t len,
		   const struct ynode **out, struct failure *f);

/** Whole file into the arena, terminated; refuses more than max bytes. */
int file_read(struct arena *a, const char *path, size_t max, char **text, size_t *len,
	      struct failure *f);

#define y_for_each(child, node) \
	for (const struct ynode *child = (node)->first; child; child = child->next)

/** First value of a key in a map, or NULL. */
const struct ynode *y_get(const struct ynode *map, const char *key);

/** As y_get, but a missing key is a failure at the place of the map. */
const struct ynode *y_need(const struct ynode *map, const char *key, struct failure *f);

/** Fail at the place of a node, or at its key. Both return -1. */
int y_fail(const struct ynode *n, struct failure *f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int y_fail_key(const struct ynode *n, struct failure *f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** Give a failure without a place the place of a node, for what it asked for. Returns -1.
 */
int y_place(const struct ynode *n, struct failure *f);

/** The node is of that kind, or a failure that says what was expected. */
int y_expect(const struct ynode *n, enum ykind kind, struct failure *f);

/**
 * A map whose keys are all in the NULL-terminated list and appear once; otherwise a
 * failure that names the nearest key.
 */
int y_check_keys(const struct ynode *map, const char *const *keys, struct failure *f);

/** Scalars. Ranges are inclusive. */
int y_str(const struct ynode *n, const char **out, struct failure *f);
int y_bool(const struct ynode *n, bool *out, struct failure *f);
int y_value(const struct ynode *n, enum unit u, u64 lo, u64 hi, u64 *out,
	    struct failure *f);
/** Whole number with a sign. */
int y_int(const struct ynode *n, s64 lo, s64 hi, s64 *out, struct failure *f);
/** One of n names; *out is its index. */
int y_choice(const struct ynode *n, const char *const *names, u32 count, u32 *out,
	     struct failure *f);

/**
 * The name in `names` (count of them) nearest to `word` by edits, or NULL if none is
 * near enough to be meant.
 */
const char *nearest_name(const char *word, const char *const *names, size_t count);

#endif
