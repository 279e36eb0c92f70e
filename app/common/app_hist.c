/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_hist.h"

/* Values below APP_HIST_SUB have a place each; above, each power of two has APP_HIST_SUB. */
static unsigned int
place_of(uint64_t value)
{
	unsigned int shift;

	if (value < APP_HIST_SUB)
		return (unsigned int)value;
	shift = 63 - (unsigned int)__builtin_clzll(value) - 6;
	if (shift + 2 > APP_HIST_PLACES / APP_HIST_SUB)
		return APP_HIST_PLACES - 1;
	return (shift + 1) * APP_HIST_SUB + (unsigned int)((value >> shift) - APP_HIST_SUB);
}

/* The largest value of a place. */
static uint64_t
end_of(unsigned int place)
{
	unsigned int shift;

	if (place < APP_HIST_SUB)
		return place;
	shift = place / APP_HIST_SUB - 1;
	return (((uint64_t)APP_HIST_SUB + place % APP_HIST_SUB + 1) << shift) - 1;
}

void
app_hist_add(struct app_hist *hist, uint64_t value)
{
	if (hist->count == 0 || value < hist->min)
		hist->min = value;
	if (value > hist->max)
		hist->max = value;
	hist->count++;
	hist->sum += value;
	hist->place[place_of(value)]++;
}

void
app_hist_merge(struct app_hist *to, const struct app_hist *from)
{
	if (from->count == 0)
		return;
	if (to->count == 0 || from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->count += from->count;
	to->sum += from->sum;
	for (unsigned int i = 0; i < APP_HIST_PLACES; i++)
		to->place[i] += from->place[i];
}

uint64_t
app_hist_percentile(const struct app_hist *hist, double p)
{
	double wanted = (double)hist->count * p / 100;
	uint64_t seen = 0, value;

	for (unsigned int i = 0; i < APP_HIST_PLACES; i++) {
		seen += hist->place[i];
		if (seen == 0 || (double)seen < wanted)
			continue;
		value = end_of(i);
		value = value > hist->max ? hist->max : value;
		return value < hist->min ? hist->min : value;
	}
	return hist->max;
}

double
app_hist_avg(const struct app_hist *hist)
{
	return hist->count == 0 ? 0 : (double)hist->sum / (double)hist->count;
}
