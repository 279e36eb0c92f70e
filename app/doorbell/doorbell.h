/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef DOORBELL_H
#define DOORBELL_H

/*
 * dpdk-rio-doorbell: how many doorbells a second, how long one takes there and back.
 *
 * Sender and receiver agree by doorbells of their own, in DOORBELL_CONTROL and above:
 * the sender asks, the receiver answers to whoever asked. They are of the same
 * flow as the others, so an answer covers all that was sent before it was asked for.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app_hist.h"
#include "app_output.h"

#define DOORBELL_CONTROL	0xfd00	/* ranges below are the user's */
#define DOORBELL_RESET		0xfd00	/* counting begins at 0 */
#define DOORBELL_COUNT		0xfd01	/* answered with DOORBELL_BYTES, the count's lowest first */
#define DOORBELL_PING		0xfd02	/* answered with DOORBELL_PONG */
#define DOORBELL_PONG		0xfe00
#define DOORBELL_BYTE		0xff00	/* | a byte of the count */
#define DOORBELL_BYTES		8

struct doorbell_options {
	bool receive, interrupt, rate, latency;
	uint32_t peer;		/* UINT32_MAX: a second device of this process */
	uint32_t first, last;	/* range that is counted */
	uint32_t info;		/* that is sent; first by default */
	uint32_t loops;		/* doorbells of the rate, round trips */
	struct app_output json;
};

enum doorbell_parsed { DOORBELL_RUN, DOORBELL_HELPED, DOORBELL_BAD };

enum doorbell_parsed doorbell_options_parse(int argc, char **argv, struct doorbell_options *opt);
bool doorbell_options_help(int argc, char **argv);

/* One end: takes doorbells, polling or sleeping. */
struct doorbell_end {
	uint16_t dev, destid;
	bool interrupt;
	int fd;			/* of the interrupt */
	uint32_t first, last;
	bool counting, answering;	/* which ranges are requested */
	_Atomic uint64_t count;	/* of the range */
	uint64_t beyond;	/* info other than what was asked for, for the receiver's report */
	uint64_t sleeps;
};

/* The n-th Tsi721 of this process; 0 or -1. */
int doorbell_find(unsigned int n, uint16_t *dev, uint16_t *destid);

/* Functions that fail print one line and return -1. */
int doorbell_receiver_open(struct doorbell_end *end, const struct doorbell_options *opt);
/* Take what came; sleeps a while when there is nothing and it is driven by interrupts. */
void doorbell_end_turn(struct doorbell_end *end);
void doorbell_receiver_close(struct doorbell_end *end);

struct doorbell_result {
	uint64_t sent, received;
	double seconds;
	uint64_t errors;	/* as the device counts them: answers that were errors, or none */
	struct app_hist trip;	/* round trips, nanoseconds */
};

int doorbell_sender_open(struct doorbell_end *end, const struct doorbell_options *opt);
int doorbell_measure_rate(struct doorbell_end *end, const struct doorbell_options *opt,
			  uint16_t peer, struct doorbell_result *result);
int doorbell_measure_trips(struct doorbell_end *end, const struct doorbell_options *opt,
			   uint16_t peer, struct doorbell_result *result);
void doorbell_sender_close(struct doorbell_end *end);

/* Answers that came to the sender: pongs so far; the count since it was forgotten. */
uint64_t doorbell_pongs(void);
bool doorbell_count_came(uint64_t *count);
void doorbell_forget_count(void);

#endif
