/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdlib.h>
#include <string.h>

#include "app_stats.h"

int
app_samples_add(struct app_samples *set, double value)
{
	if (set->count == set->room) {
		size_t room = set->room == 0 ? 64 : set->room * 2;
		double *grown = realloc(set->value, room * sizeof(*grown));

		if (grown == NULL)
			return -1;
		set->value = grown;
		set->room = room;
	}
	set->value[set->count++] = value;
	return 0;
}

void
app_samples_free(struct app_samples *set)
{
	free(set->value);
	memset(set, 0, sizeof(*set));
}

static int
compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
app_percentile(const double *sorted, size_t count, double p)
{
	double rank, fraction;
	size_t low;

	if (count == 0)
		return 0;
	if (p <= 0)
		return sorted[0];
	if (p >= 100)
		return sorted[count - 1];
	rank = p / 100 * (double)(count - 1);
	low = (size_t)rank;
	fraction = rank - (double)low;
	if (fraction == 0)
		return sorted[low];
	return sorted[low] + fraction * (sorted[low + 1] - sorted[low]);
}

void
app_samples_stats(struct app_samples *set, struct app_stats *out)
{
	double sum = 0;

	memset(out, 0, sizeof(*out));
	if (set->count == 0)
		return;
	qsort(set->value, set->count, sizeof(*set->value), compare_double);
	for (size_t i = 0; i < set->count; i++)
		sum += set->value[i];
	out->count = set->count;
	out->min = set->value[0];
	out->avg = sum / (double)set->count;
	out->max = set->value[set->count - 1];
	out->p10 = app_percentile(set->value, set->count, 10);
	out->p50 = app_percentile(set->value, set->count, 50);
	out->p90 = app_percentile(set->value, set->count, 90);
	out->p99 = app_percentile(set->value, set->count, 99);
}
