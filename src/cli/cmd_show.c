/* sibyl show RUN: what the store holds of a run, in words or as JSON. */
#include "cli.h"
#include "report/show.h"

int cmd_show(struct cli *c, struct options *o)
{
	struct store *s;
	int err;

	if (store_open(&s, o->db, &c->fail))
		return -1;
	err = (o->json ? show_run_json : show_run)(&c->arena, s, o->rest[0], &c->out,
						   &c->fail);
	store_close(s);
	return err;
}
