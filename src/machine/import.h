/* Readers of pasted text. Private to the machine layer. */
#ifndef MACHINE_IMPORT_H
#define MACHINE_IMPORT_H

#include "topo.h"

/** `lscpu -p`, `lscpu -e` or `lscpu -J -e` text; *kind names the format. */
int topo_from_lscpu(struct topo *t, const char *path, char *text, size_t len,
		    const char **kind, struct failure *f);

/**
 * Nodes, memory and distances of `numactl -H` text, set on a topology that has its CPUs
 * already. A CPU that the two texts put into different nodes is a failure.
 */
int topo_apply_numactl(struct topo *t, const char *path, struct failure *f);

#endif
