/*
 * The name that was probably meant: restricted Damerau-Levenshtein distance, at most a
 * third of the word.
 */
#include "base/yaml.h"

#include <string.h>

#define MAX_WORD 63

static u32 min3(u32 a, u32 b, u32 c)
{
	return min_u32(a, min_u32(b, c));
}

static u32 distance(const char *a, const char *b)
{
	u32 la = (u32)strlen(a), lb = (u32)strlen(b);
	u32 row[3][MAX_WORD + 1];
	u32 *two = row[0], *one = row[1], *now = row[2];

	if (la > MAX_WORD || lb > MAX_WORD)
		return UINT32_MAX;
	for (u32 j = 0; j <= lb; j++)
		one[j] = j;
	for (u32 i = 1; i <= la; i++) {
		u32 *t = two;

		now[0] = i;
		for (u32 j = 1; j <= lb; j++) {
			u32 sub = one[j - 1] + (a[i - 1] != b[j - 1]);

			now[j] = min3(one[j] + 1, now[j - 1] + 1, sub);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = min_u32(now[j], two[j - 2] + 1);
		}
		two = one;
		one = now;
		now = t;
	}
	return one[lb];
}

const char *nearest_name(const char *word, const char *const *names, size_t count)
{
	u32 best = (u32)strlen(word) / 3 + 2;
	const char *name = NULL;

	for (size_t i = 0; i < count; i++) {
		u32 d = distance(word, names[i]);

		if (d < best) {
			best = d;
			name = names[i];
		}
	}
	return name;
}
