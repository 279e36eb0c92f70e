/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The sender. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_pmd_tsi721.h>
#include <rte_rawdev.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "app_progress.h"
#include "doorbell.h"

#define PATIENCE_S	2.0
/* As many under way as a receiver's queue surely holds; more is answered with RETRY. */
#define LOOK_EVERY	1024u

static int
send_one(struct doorbell_end *end, uint16_t peer, uint16_t info)
{
	int ret = rte_pmd_tsi721_doorbell_send(end->dev, peer, info);

	return ret == 0 ? 0 : app_error("--peer: %u: %s", peer, rte_strerror(-ret));
}

static int
no_answer(uint16_t peer)
{
	return app_interrupted() ? -1 :
	       app_error("no answer from destination %u within %.0f s: is there a receiver (--receive)?",
			 peer, PATIENCE_S);
}

/* Ask, and wait for the answer. */
static int
ask(struct doorbell_end *end, uint16_t peer, uint16_t info)
{
	uint64_t before = doorbell_pongs();
	double end_time = app_now() + PATIENCE_S;

	if (send_one(end, peer, info) < 0)
		return -1;
	while (doorbell_pongs() == before) {
		doorbell_end_turn(end);
		if (app_now() > end_time || app_interrupted())
			return no_answer(peer);
	}
	return 0;
}

static int
ask_count(struct doorbell_end *end, uint16_t peer, uint64_t *count)
{
	double end_time = app_now() + PATIENCE_S;

	doorbell_forget_count();
	if (send_one(end, peer, DOORBELL_COUNT) < 0)
		return -1;
	while (!doorbell_count_came(count)) {
		doorbell_end_turn(end);
		if (app_now() > end_time || app_interrupted())
			return no_answer(peer);
	}
	return 0;
}

static uint64_t
device_errors(uint16_t dev)
{
	unsigned int id;

	return rte_rawdev_xstats_by_name_get(dev, "dbell_errors", &id);
}

/*
 * The receiver's count is asked for from time to time, so that its queue never
 * overflows for good and the rate is that of doorbells that were taken.
 */
int
doorbell_measure_rate(struct doorbell_end *end, const struct doorbell_options *opt, uint16_t peer,
		      struct doorbell_result *result)
{
	uint64_t errors = device_errors(end->dev), from;

	if (ask(end, peer, DOORBELL_RESET) < 0)
		return -1;
	from = rte_rdtsc();
	while (result->sent < opt->loops && !app_interrupted()) {
		uint64_t until = RTE_MIN(result->sent + LOOK_EVERY, (uint64_t)opt->loops);

		for (; result->sent < until; result->sent++)
			if (send_one(end, peer, (uint16_t)opt->info) < 0)
				return -1;
		if (ask_count(end, peer, &result->received) < 0)
			return -1;
	}
	result->seconds = (double)(rte_rdtsc() - from) / (double)rte_get_tsc_hz();
	result->errors = device_errors(end->dev) - errors;
	return 0;
}

int
doorbell_measure_trips(struct doorbell_end *end, const struct doorbell_options *opt, uint16_t peer,
		       struct doorbell_result *result)
{
	double ns_per_cycle = 1e9 / (double)rte_get_tsc_hz();
	uint32_t loops = RTE_MAX(opt->loops / 10, 1u);

	for (uint32_t i = 0; i < loops && !app_interrupted(); i++) {
		uint64_t from = rte_rdtsc();

		if (ask(end, peer, DOORBELL_PING) < 0)
			return -1;
		app_hist_add(&result->trip, (uint64_t)((double)(rte_rdtsc() - from) * ns_per_cycle));
	}
	return 0;
}
