/*
 * Numbers with units, parsed straight to integers: no floating point between a file and a
 * decision. A time is ns, a size bytes, a frequency Hz, a bandwidth bytes/s, a ratio Q32
 * ("0.85" or "85 %"), a count plain.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/types.h"

enum unit { UNIT_COUNT, UNIT_TIME, UNIT_BYTES, UNIT_FREQ, UNIT_BANDWIDTH, UNIT_RATIO };

/** What a unit is called and what a value of it looks like, for error texts. */
const char *unit_expected(enum unit u);

/**
 * Parse "12.5 us", "4KiB", "2.1 GHz", "85 %", "12". The number is decimal, not negative,
 * at most 18 digits. A count takes no unit and no fraction; a time needs a unit unless it
 * is 0. Returns 0, or -1 if the text is not such a value or does not fit in 64 bits.
 */
int unit_parse(const char *text, enum unit u, u64 *out);

/** Print a value with the largest unit that keeps it exact, e.g. "12.5 us". */
void unit_print(u64 value, enum unit u, char *buf, size_t size);

#endif
