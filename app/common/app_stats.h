/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_STATS_H
#define APP_STATS_H

/*
 * Statistics over samples that are all kept. Not thread safe: one owner a set.
 */

#include <stddef.h>

/* A growing set of samples. Zeroed memory is an empty set. */
struct app_samples {
	double *value;
	size_t count;
	size_t room;
};

/* All figures have the unit of the samples; all are 0 when there are none. */
struct app_stats {
	size_t count;
	double min;
	double avg;
	double max;
	double p10;
	double p50;
	double p90;
	double p99;
};

/* Returns 0, or -1 when there is no memory (the set is unchanged then). */
int app_samples_add(struct app_samples *set, double value);
void app_samples_free(struct app_samples *set);

/* Sorts the samples of the set. */
void app_samples_stats(struct app_samples *set, struct app_stats *out);

/*
 * Percentile of values in ascending order, p from 0 to 100, linear between the
 * two nearest ranks; 0 when count is 0.
 */
double app_percentile(const double *sorted, size_t count, double p);

#endif
