/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdlib.h>
#include <string.h>

#include "latency_record.h"

#define MIN_AT_FIRST 1000000000ull

int
latency_record_init(struct latency_record *rec, uint32_t places, uint64_t unit)
{
	memset(rec, 0, sizeof(*rec));
	rec->min = MIN_AT_FIRST;
	rec->unit = unit;
	rec->places = places;
	if (places == 0)
		return 0;
	rec->histogram = calloc(places, sizeof(*rec->histogram));
	return rec->histogram == NULL ? -1 : 0;
}

void
latency_record_free(struct latency_record *rec)
{
	free(rec->histogram);
	rec->histogram = NULL;
	rec->places = 0;
}

/* Of a value that one thread alone writes. */
static uint64_t
get(const _Atomic uint64_t *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static void
set(_Atomic uint64_t *value, uint64_t to)
{
	atomic_store_explicit(value, to, memory_order_relaxed);
}

static void
count(struct latency_record *rec, uint64_t ns)
{
	uint64_t place = ns / rec->unit, nth;
	uint32_t was;

	if (rec->places == 0)
		return;
	if (place < rec->places) {
		was = atomic_load_explicit(&rec->histogram[place], memory_order_relaxed);
		atomic_store_explicit(&rec->histogram[place], was + 1, memory_order_relaxed);
		return;
	}
	nth = get(&rec->overflows);
	if (nth < sizeof(rec->first_overflow) / sizeof(rec->first_overflow[0]))
		rec->first_overflow[nth] = get(&rec->cycles);
	set(&rec->overflows, nth + 1);
}

void
latency_record_add(struct latency_record *rec, uint64_t ns)
{
	count(rec, ns);
	if (ns < get(&rec->min))
		set(&rec->min, ns);
	if (ns > get(&rec->max))
		set(&rec->max, ns);
	set(&rec->act, ns);
	set(&rec->sum, get(&rec->sum) + ns);
	atomic_store_explicit(&rec->cycles, get(&rec->cycles) + 1, memory_order_release);
}

uint64_t
latency_record_avg(const struct latency_record *rec)
{
	uint64_t cycles = atomic_load_explicit(&rec->cycles, memory_order_acquire);

	return cycles == 0 ? 0 : get(&rec->sum) / cycles;
}

uint64_t
latency_record_percentile(const struct latency_record *rec, double p)
{
	double wanted = (double)get(&rec->cycles) * p / 100;
	uint64_t seen = 0;

	for (uint32_t i = 0; i < rec->places; i++) {
		seen += atomic_load_explicit(&rec->histogram[i], memory_order_relaxed);
		if (seen > 0 && (double)seen >= wanted)
			return (i + 1) * rec->unit - 1;
	}
	return rec->places == 0 ? 0 : get(&rec->max);
}
