/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef PATTERN_H
#define PATTERN_H

/*
 * What the programs of both sides write and check. Byte i of a pattern is a hash
 * of its seed and i, so that bytes that come to the wrong place, or not at all,
 * are told from right ones. Checks return 0, or 1 after saying where it differs.
 */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint8_t
pattern(uint64_t seed, uint64_t i)
{
	uint64_t h = (seed << 32 ^ i) * 0x9e3779b97f4a7c15ull;

	return (uint8_t)(h >> 56 ^ h >> 24);
}

static inline void
pattern_fill(uint8_t *p, uint64_t len, uint64_t seed)
{
	uint64_t i;

	for (i = 0; i < len; i++)
		p[i] = pattern(seed, i);
}

static inline int
pattern_differs(uint64_t i, uint8_t is, uint8_t expected)
{
	printf("byte %#llx is %#x, not %#x\n", (unsigned long long)i, is, expected);
	return 1;
}

static inline int
pattern_check(const uint8_t *p, uint64_t len, uint64_t seed)
{
	uint64_t i;

	for (i = 0; i < len; i++)
		if (p[i] != pattern(seed, i))
			return pattern_differs(i, p[i], pattern(seed, i));
	return 0;
}

static inline int
value_check(const uint8_t *p, uint64_t len, uint8_t val)
{
	uint64_t i;

	for (i = 0; i < len; i++)
		if (p[i] != val)
			return pattern_differs(i, p[i], val);
	return 0;
}

/* A number in any base. Anything else ends the program. */
static inline uint64_t
number(const char *text)
{
	char *end;
	unsigned long long val;

	errno = 0;
	val = strtoull(text, &end, 0);
	if (errno != 0 || end == text || *end != '\0') {
		fprintf(stderr, "'%s' is not a number\n", text);
		exit(2);
	}
	return val;
}

#endif /* PATTERN_H */
