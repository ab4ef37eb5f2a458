/*
 * Reading a machine file, piece by piece. Private to the machine layer.
 */
#ifndef MACHINE_FILE_H
#define MACHINE_FILE_H

#include "base/yaml.h"
#include "topo.h"

/** `topology:`, `nodes:`, `distances:`, `caches:` of a file. */
int file_topology(struct topo *t, const struct ynode *root, struct failure *f);

/** Keys of a machine file, its sources, and the rows of the file and of its bases. */
int file_check_keys(const struct ynode *root, struct failure *f);
int file_rows(struct arena *a, const struct ynode *root, struct machine *m,
	      struct failure *f);

/** Defaults for whatever no file sets. */
void rows_defaults(struct arena *a, struct machine *m);

/** A text that says where a value comes from: "measured: ...", "estimate: ...". */
int file_source(const struct ynode *n, const char **out, struct failure *f);

/** `name` as seen from the folder of `file`. */
const char *file_relative(struct arena *a, const char *file, const char *name);

#endif
