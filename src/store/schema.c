/*
 * Schema, version 1. Every table is keyed by data and has no row numbers, so that the
 * content does not depend on the order in which runs were stored; `timing` alone may
 * differ between two executions of the same experiment.
 *
 *   input       what the replicates of a cell share of their canonical texts
 *   run         one row a run
 *   metric, grp, decision, system_time, counter
 *               its numbers; `pos` keeps the order in which they are shown
 *   set_head, set_cell
 *               named tables of runs
 *   timing      order of arrival, wall and CPU time
 *
 * Unsigned 64-bit values (seed, counters) are stored as signed ones with the same bits.
 */
#include "schema.h"

const char store_schema[] =
	"CREATE TABLE input(\n"
	"  hash TEXT PRIMARY KEY NOT NULL,\n"
	"  body BLOB NOT NULL\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE run(\n"
	"  id TEXT PRIMARY KEY NOT NULL,\n"
	"  input TEXT NOT NULL REFERENCES input(hash),\n"
	"  rest TEXT NOT NULL,\n" /* last line of the canonical text */
	"  json TEXT NOT NULL,\n"
	"  machine TEXT NOT NULL,\n"
	"  kernel TEXT NOT NULL,\n"
	"  workload TEXT NOT NULL,\n"
	"  params TEXT NOT NULL,\n"
	"  seed INTEGER NOT NULL,\n"
	"  replicate INTEGER NOT NULL,\n"
	"  duration_ns INTEGER NOT NULL,\n"
	"  digest TEXT NOT NULL,\n"
	"  main_metric INTEGER NOT NULL\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE metric(\n"
	"  run TEXT NOT NULL REFERENCES run(id),\n"
	"  pos INTEGER NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  unit TEXT NOT NULL,\n"
	"  higher_better INTEGER NOT NULL,\n"
	"  value REAL,\n" /* NULL = missing */
	"  PRIMARY KEY(run, pos)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE grp(\n"
	"  run TEXT NOT NULL REFERENCES run(id),\n"
	"  pos INTEGER NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  cpu_ns INTEGER NOT NULL,\n"
	"  PRIMARY KEY(run, pos)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE decision(\n"
	"  run TEXT NOT NULL REFERENCES run(id),\n"
	"  pos INTEGER NOT NULL,\n"
	"  reason TEXT NOT NULL,\n"
	"  n INTEGER NOT NULL,\n"
	"  PRIMARY KEY(run, pos)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE system_time(\n"
	"  run TEXT NOT NULL REFERENCES run(id),\n"
	"  pos INTEGER NOT NULL,\n"
	"  cause TEXT NOT NULL,\n"
	"  ns INTEGER NOT NULL,\n"
	"  PRIMARY KEY(run, pos)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE counter(\n"
	"  run TEXT NOT NULL REFERENCES run(id),\n"
	"  pos INTEGER NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  unit TEXT NOT NULL,\n"
	"  scale INTEGER NOT NULL,\n" /* value / 10^scale is in the unit */
	"  value INTEGER NOT NULL,\n"
	"  PRIMARY KEY(run, pos)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE set_head(\n"
	"  name TEXT PRIMARY KEY NOT NULL,\n"
	"  machine TEXT NOT NULL,\n"
	"  workload TEXT NOT NULL\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE set_cell(\n"
	"  name TEXT NOT NULL REFERENCES set_head(name),\n"
	"  pos INTEGER NOT NULL,\n"
	"  load TEXT NOT NULL,\n"
	"  kernel TEXT NOT NULL,\n"
	"  replicate INTEGER NOT NULL,\n"
	"  run TEXT NOT NULL REFERENCES run(id),\n"
	"  PRIMARY KEY(name, pos)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE timing(\n"
	"  seq INTEGER PRIMARY KEY,\n"
	"  run TEXT NOT NULL UNIQUE REFERENCES run(id),\n"
	"  wall_ns INTEGER NOT NULL,\n"
	"  cpu_ns INTEGER NOT NULL\n"
	");\n";
