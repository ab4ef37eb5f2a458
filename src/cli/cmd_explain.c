/* sibyl explain RUN RUN: which counters of two stored runs differ. */
#include "cli.h"
#include "report/show.h"

int cmd_explain(struct cli *c, struct options *o)
{
	struct store *s;
	int err;

	if (store_open(&s, o->db, &c->fail))
		return -1;
	err = explain_runs(&c->arena, s, o->rest[0], o->rest[1], &c->out, &c->fail);
	store_close(s);
	return err;
}
