/* What show.c and draw.c share. Private to the machine layer. */
#ifndef MACHINE_SHOW_H
#define MACHINE_SHOW_H

#include "machine/machine.h"

/** "31.4 GiB": rounded to a tenth. */
void size_print(u64 bytes, char *buf, size_t size);

typedef bool (*cpu_test)(const struct machine_cpu *c, u32 arg);

/** OS numbers of the CPUs that pass: "0-3,8", or "none". */
void cpus_print(const struct machine *m, cpu_test test, u32 arg, struct text *out);

/** Some node's memory is known: then 0 elsewhere means none. */
bool memory_known(const struct machine *m);

#endif
