/*
 * Numbers as Python has them. A time is the double that is nearest to its decimal text; a
 * rounded value is the decimal that is nearest to the double, ties (of the exact binary
 * value) to even. Sums and differences are then the same to the last bit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"

#define EXACT (1ull << 53) /* integers below are doubles */

double trace_seconds(u64 ns)
{
	u32 shift = 0;
	u128 wide;
	u64 q, rem;

	/* both operands exact: the division rounds once */
	if (ns < EXACT)
		return (double)ns / 1e9;
	while (((u128)ns << (shift + 1)) / NS_PER_SEC < EXACT)
		shift++;
	wide = (u128)ns << shift;
	q = (u64)(wide / NS_PER_SEC);
	rem = (u64)(wide % NS_PER_SEC);
	if (2 * rem > NS_PER_SEC || (2 * rem == NS_PER_SEC && (q & 1)))
		q++;
	return ldexp((double)q, -(int)shift);
}

u64 trace_round(double v, u32 places)
{
	static const double scale[] = {1, 10, 100, 1000, 10000};
	double scaled = v * scale[places], whole = floor(scaled);
	double part = scaled - whole;
	char buf[400], *dot;

	if (!(v > 0))
		return 0;
	/* the product is off by less than this, away from a tie it does not matter */
	if (scaled < 1e9 && fabs(part - 0.5) > 1e-5)
		return (u64)whole + (part > 0.5);
	if (scaled > 1e18)
		return (u64)1e18;
	snprintf(buf, sizeof(buf), "%.*f", (int)places, v);
	dot = strchr(buf, '.');
	if (dot)
		memmove(dot, dot + 1, strlen(dot));
	return strtoull(buf, NULL, 10);
}

u32 trace_group(const char *name)
{
	u32 n = 0;

	while ((name[n] >= 'A' && name[n] <= 'Z') || (name[n] >= 'a' && name[n] <= 'z'))
		n++;
	return n;
}
