/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef LATENCY_RECORD_H
#define LATENCY_RECORD_H

/*
 * What one lcore has measured. Written by that lcore, read by the one that shows it;
 * a reader sees figures that belong together nearly, as cyclictest's does.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define LATENCY_HISTOGRAM_MAX	1000000u

struct latency_record {
	_Atomic uint64_t cycles;	/* measured so often */
	_Atomic uint64_t min, act, max;	/* nanoseconds */
	_Atomic uint64_t sum;
	uint64_t unit;			/* nanoseconds of a place in the histogram */
	uint32_t places;		/* of the histogram; 0: none */
	_Atomic uint32_t *histogram;
	_Atomic uint64_t overflows;	/* beyond the last place */
	uint64_t first_overflow[16];	/* in which cycle, the first ones */
	_Atomic bool over;		/* beyond the threshold: the one that `act` is */
};

/* places: 0 to LATENCY_HISTOGRAM_MAX. Returns 0, or -1 without memory. */
int latency_record_init(struct latency_record *rec, uint32_t places, uint64_t unit);
void latency_record_free(struct latency_record *rec);

/* One measured value, nanoseconds. By the lcore that owns the record. */
void latency_record_add(struct latency_record *rec, uint64_t ns);

uint64_t latency_record_avg(const struct latency_record *rec);

/*
 * The value that p percent of those in the histogram do not exceed, nanoseconds; those beyond
 * it count as the maximum. 0 without a histogram.
 */
uint64_t latency_record_percentile(const struct latency_record *rec, double p);

#endif
