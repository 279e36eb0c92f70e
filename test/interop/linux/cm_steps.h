/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef CM_STEPS_H
#define CM_STEPS_H

/*
 * A talk over channelised messages, the same whoever is Linux. The one that connects
 * sends messages of all these lengths, the other sends each back. Then either the one
 * that connected closes, or it says one thing more and the other one closes.
 */

#include <string.h>

#include "pattern.h"

#define CM_DATA_MAX	4076u
#define CM_ROUNDS	20u
#define CM_BYE_LEN	9u
#define CM_WAIT_MS	30000u

static const unsigned int cm_lengths[] = {
	0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 100, 236, 255, 256, 1000, 2028, 3000, 4068, 4071, 4072,
	4073, 4075, CM_DATA_MAX,
};
#define CM_LENGTHS	(sizeof(cm_lengths) / sizeof(cm_lengths[0]))
#define CM_MESSAGES	(CM_ROUNDS * CM_LENGTHS)

struct cm_side {
	/* 0, or 1 after saying what went wrong. */
	int (*send)(void *ctx, const uint8_t *data, unsigned int len);
	/* The length; -1 the other side closed; -2 after saying what went wrong. */
	int (*receive)(void *ctx, uint8_t *data);
	int (*close)(void *ctx);
	void *ctx;
};

static inline unsigned int
cm_length(unsigned int i)
{
	return i < CM_MESSAGES ? cm_lengths[i % CM_LENGTHS] : CM_BYE_LEN;
}

static inline int
cm_got(const struct cm_side *s, uint8_t *data, unsigned int i)
{
	int len = s->receive(s->ctx, data);

	if (len == -2)
		return 1;
	if (len != (int)cm_length(i)) {
		printf("message %u has length %d, not %u\n", i, len, cm_length(i));
		return 1;
	}
	return pattern_check(data, (uint64_t)len, i);
}

static inline int
cm_closed(const struct cm_side *s, uint8_t *data)
{
	int len = s->receive(s->ctx, data);

	if (len >= 0)
		printf("a message of %d bytes, and no end\n", len);
	/* It is over on this side too. */
	s->close(s->ctx);
	return len != -1;
}

/* other_closes: the one that did not connect. */
static inline int
cm_talk(const struct cm_side *s, int other_closes)
{
	static uint8_t data[CM_DATA_MAX];
	unsigned int i;

	for (i = 0; i < CM_MESSAGES; i++) {
		pattern_fill(data, cm_length(i), i);
		if (s->send(s->ctx, data, cm_length(i)))
			return 1;
		memset(data, 0, sizeof(data));
		if (cm_got(s, data, i))
			return 1;
	}
	if (!other_closes)
		return s->close(s->ctx);
	pattern_fill(data, CM_BYE_LEN, i);
	return s->send(s->ctx, data, CM_BYE_LEN) || cm_closed(s, data);
}

static inline int
cm_serve(const struct cm_side *s, int this_closes)
{
	static uint8_t data[CM_DATA_MAX];
	unsigned int i;

	for (i = 0; i < CM_MESSAGES; i++)
		if (cm_got(s, data, i) || s->send(s->ctx, data, cm_length(i)))
			return 1;
	if (!this_closes)
		return cm_closed(s, data);
	return cm_got(s, data, i) || s->close(s->ctx);
}

#endif /* CM_STEPS_H */
