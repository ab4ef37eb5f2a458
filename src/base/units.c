/* Numbers with units: see base/units.h. */
#include "base/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct suffix {
	enum unit unit;
	const char *name;
	u64 scale;
};

static const struct suffix suffixes[] = {
	{UNIT_TIME, "ns", 1},
	{UNIT_TIME, "us", NS_PER_US},
	{UNIT_TIME, "ms", NS_PER_MS},
	{UNIT_TIME, "s", NS_PER_SEC},
	{UNIT_TIME, "min", 60 * NS_PER_SEC},
	{UNIT_TIME, "h", 3600 * NS_PER_SEC},
	{UNIT_BYTES, "B", 1},
	{UNIT_BYTES, "KiB", 1ull << 10},
	{UNIT_BYTES, "MiB", 1ull << 20},
	{UNIT_BYTES, "GiB", 1ull << 30},
	{UNIT_BYTES, "TiB", 1ull << 40},
	{UNIT_FREQ, "Hz", 1},
	{UNIT_FREQ, "kHz", 1000},
	{UNIT_FREQ, "MHz", 1000000},
	{UNIT_FREQ, "GHz", 1000000000},
	{UNIT_BANDWIDTH, "B/s", 1},
	{UNIT_BANDWIDTH, "kB/s", 1000},
	{UNIT_BANDWIDTH, "MB/s", 1000000},
	{UNIT_BANDWIDTH, "GB/s", 1000000000},
	{UNIT_RATIO, "", Q32_ONE},
	{UNIT_RATIO, "%", Q32_ONE / 100},
	{UNIT_COUNT, "", 1},
};

const char *unit_expected(enum unit u)
{
	static const char *const names[] = {
		[UNIT_COUNT] = "a whole number",
		[UNIT_TIME] = "a time with a unit (ns, us, ms, s, min, h), e.g. 1.5 ms",
		[UNIT_BYTES] = "a size with a unit (B, KiB, MiB, GiB, TiB), e.g. 512 KiB",
		[UNIT_FREQ] = "a frequency with a unit (Hz, kHz, MHz, GHz), e.g. 2.1 GHz",
		[UNIT_BANDWIDTH] =
			"a bandwidth with a unit (B/s, kB/s, MB/s, GB/s), e.g. 12 GB/s",
		[UNIT_RATIO] = "a ratio, e.g. 0.85 or 85 %",
	};

	return names[u];
}

/* digits[.digits] -> mantissa / 10^places; returns the rest of the text or NULL. */
static const char *decimal(const char *p, u64 *mantissa, u32 *places)
{
	u32 digits = 0;
	bool point = false;

	*mantissa = 0;
	*places = 0;
	for (;; p++) {
		if (*p == '.' && !point && digits) {
			point = true;
			if (!isdigit((unsigned char)p[1]))
				return NULL;
			continue;
		}
		if (!isdigit((unsigned char)*p))
			break;
		if (++digits > 18)
			return NULL;
		*mantissa = *mantissa * 10 + (u64)(*p - '0');
		*places += point;
	}
	return digits ? p : NULL;
}

static u64 pow10_u64(u32 n)
{
	u64 v = 1;

	while (n--)
		v *= 10;
	return v;
}

int unit_parse(const char *text, enum unit u, u64 *out)
{
	u64 mantissa, scale = 0, ten;
	u32 places;
	const char *p = text;
	u128 v;

	while (isspace((unsigned char)*p))
		p++;
	p = decimal(p, &mantissa, &places);
	if (!p)
		return -1;
	while (isspace((unsigned char)*p))
		p++;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes) && !scale; i++)
		if (suffixes[i].unit == u && !strcmp(p, suffixes[i].name))
			scale = suffixes[i].scale;
	if (!scale && !*p && !mantissa)
		scale = 1; /* a bare 0 needs no unit */
	if (!scale || (u == UNIT_COUNT && places))
		return -1;
	ten = pow10_u64(places);
	v = (u128)mantissa * scale;
	if (u == UNIT_RATIO && p[0] == '%')
		v = (u128)mantissa * Q32_ONE / 100;
	v /= ten;
	if (v > UINT64_MAX)
		return -1;
	*out = (u64)v;
	return 0;
}

static void print_ratio(u64 value, char *buf, size_t size)
{
	u64 ppm = (u64)(((u128)value * 1000000 + Q32_ONE / 2) >> 32);
	int n = snprintf(buf, size, "%llu.%06llu", (unsigned long long)(ppm / 1000000),
			 (unsigned long long)(ppm % 1000000));

	while (n > 2 && buf[n - 1] == '0' && buf[n - 2] != '.')
		buf[--n] = '\0';
}

void unit_print(u64 value, enum unit u, char *buf, size_t size)
{
	const struct suffix *best = NULL;

	if (u == UNIT_RATIO) {
		print_ratio(value, buf, size);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		const struct suffix *s = &suffixes[i];

		if (s->unit == u && (!best || value >= s->scale))
			best = s;
	}
	/* at most three places: step down until that is exact */
	while (value * 1000 / 1000 == value && value * 1000 % best->scale &&
	       best > suffixes && best[-1].unit == u)
		best--;
	if (value % best->scale == 0) {
		snprintf(buf, size, "%llu%s%s", (unsigned long long)(value / best->scale),
			 *best->name ? " " : "", best->name);
	} else {
		u64 milli = mul_div(value, 1000, best->scale);
		int n = snprintf(buf, size, "%llu.%03llu",
				 (unsigned long long)(milli / 1000),
				 (unsigned long long)(milli % 1000));

		while (n > 1 && buf[n - 1] == '0')
			buf[--n] = '\0';
		snprintf(buf + n, size - (size_t)n, " %s", best->name);
	}
}
