/* Everything that the programs of a file share, kind by kind. */
#include "resources.h"

#include "channel.h"
#include "device.h"

int compile_resources(struct compiler *c, const struct workload *w)
{
	return compile_decls(c, w->polls, &poll_decl_type, &c->res.polls) ||
	       compile_decls(c, w->channels, &channel_decl_type, &c->res.channels) ||
	       compile_decls(c, w->devices, &device_decl_type, &c->res.devices);
}
