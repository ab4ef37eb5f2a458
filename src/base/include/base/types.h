/*
 * Integer names used everywhere. Time is u64 nanoseconds; a ratio is Q32: 1.0 == 1 << 32.
 */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

#define NS_PER_US  1000ull
#define NS_PER_MS  1000000ull
#define NS_PER_SEC 1000000000ull
#define TIME_NEVER UINT64_MAX

#define Q32_ONE (1ull << 32)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(p, type, member) \
	((type *)(void *)((char *)(p)-offsetof(type, member)))

static inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

static inline u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}

static inline u32 max_u32(u32 a, u32 b)
{
	return a > b ? a : b;
}

/** a * b / c without overflow of the product; rounds down. c must not be 0. */
static inline u64 mul_div(u64 a, u64 b, u64 c)
{
	return (u64)((u128)a * b / c);
}

/** a * q, q in Q32; rounds down. */
static inline u64 mul_q32(u64 a, u64 q)
{
	return (u64)(((u128)a * q) >> 32);
}

#endif
