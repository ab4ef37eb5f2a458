/* The registry of options, from features.def, tunables.def and seams.def. */
#include "options_fn.h"

const struct feat_row feat_rows[FEAT_COUNT] = {
#define FEATURE(id, name, linux_name, def, doc) {name, linux_name, def, doc},
#include "sched/features.def"
#undef FEATURE
};

const struct tun_row tun_rows[TUN_COUNT] = {
#define TUNABLE(id, name, linux_name, unit, lo, hi, def, doc) \
	{name, linux_name, unit, lo, hi, def, doc},
#include "sched/tunables.def"
#undef TUNABLE
};

#define SEAM_FN(f)                        \
	{                                 \
		.fn = (void (*)(void))(f) \
	}

const struct seam_row seam_rows[SEAM_COUNT] = {
#define SEAM(id, name, linux_name, def, doc) {name, linux_name, def, doc},
#define CHOICE(seam, name, value, doc)
#include "sched/seams.def"
#undef SEAM
#undef CHOICE
};

const struct choice_row choice_rows[] = {
#define SEAM(id, name, linux_name, def, doc)
#define CHOICE(seam, name, value, doc) {SEAM_##seam, name, value, doc},
#include "sched/seams.def"
#undef SEAM
#undef CHOICE
};

const u32 choice_count = ARRAY_SIZE(choice_rows);

const struct choice_row *seam_choice(enum seam_id seam, u32 n)
{
	for (u32 i = 0; i < choice_count; i++)
		if (choice_rows[i].seam == seam && !n--)
			return &choice_rows[i];
	return NULL;
}
