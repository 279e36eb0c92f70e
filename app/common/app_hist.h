/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_HIST_H
#define APP_HIST_H

/*
 * Counts of values from 0 to 2^63 in places that are as wide as 1/64 of what is in
 * them: percentiles are right to 1.6 %. Zeroed memory is empty. One owner.
 */

#include <stdint.h>

#define APP_HIST_SUB	64u
#define APP_HIST_PLACES	(APP_HIST_SUB * 59)

struct app_hist {
	uint64_t count, sum, min, max;
	uint64_t place[APP_HIST_PLACES];
};

void app_hist_add(struct app_hist *hist, uint64_t value);

/* All of `from` into `to`. */
void app_hist_merge(struct app_hist *to, const struct app_hist *from);

/* Smallest value that p percent do not exceed, to 1.6 %, between min and max; 0 when empty. */
uint64_t app_hist_percentile(const struct app_hist *hist, double p);

double app_hist_avg(const struct app_hist *hist);

#endif
