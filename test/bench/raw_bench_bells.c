/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Doorbells between two processes, each polling on a processor of its own. */

#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_pause.h>

#include "app_error.h"
#include "app_stats.h"
#include "raw_bench.h"
#include "rte_pmd_tsi721.h"

#define SENDER		0u
#define RECEIVER	1u
#define POLL		64u
#define BELLS		20000u		/* of a round: short, so that many are undisturbed */
#define ROUNDS_EACH	10u
#define PINGS		200000u

static int dev;
static struct shared *shared;
/* Counted by who polls, or by the EAL's thread when an interrupt was faster; never at once. */
static uint32_t seen;

/* --- the receiver --- */

static void
on_bell(void *arg, uint16_t from, uint16_t info)
{
	(void)arg;
	atomic_store_explicit(&shared->seen, ++seen, memory_order_release);
	if (atomic_load_explicit(&shared->echo, memory_order_relaxed) != 0)
		rte_pmd_tsi721_doorbell_send((uint16_t)dev, from, info);
}

int
bench_bells_peer(int sock, void *arg)
{
	const struct part *part = arg;

	(void)sock;
	shared = part->shared;
	if (app_eal_start(&part->eal) != 0)
		return 1;
	dev = bench_device(part, RECEIVER);
	if (dev < 0 || rte_pmd_tsi721_doorbell_request((uint16_t)dev, 0, 0xffff, on_bell,
						       NULL) != 0)
		return 1;
	atomic_store(&shared->ready, 1);
	while (atomic_load_explicit(&shared->stop, memory_order_relaxed) == 0)
		rte_pmd_tsi721_doorbell_poll((uint16_t)dev, POLL);
	app_eal_stop(&part->eal);
	return 0;
}

/* --- the sender --- */

static uint32_t pongs;

static void
on_pong(void *arg, uint16_t from, uint16_t info)
{
	(void)arg;
	(void)from;
	(void)info;
	pongs++;
}

/* Millions a second, from the first sent to the last received. */
static double
rate(void)
{
	uint32_t first = atomic_load(&shared->seen), i;
	uint64_t begin = rte_rdtsc_precise();

	for (i = 0; i < BELLS; i++)
		rte_pmd_tsi721_doorbell_send((uint16_t)dev, RECEIVER, (uint16_t)i);
	while (atomic_load_explicit(&shared->seen, memory_order_acquire) - first != BELLS)
		rte_pause();
	return BELLS / bench_seconds(rte_rdtsc_precise() - begin) / 1e6;
}

/* Nanoseconds there and back. */
static double
ping(uint16_t n)
{
	uint32_t before = pongs;
	uint64_t begin = rte_rdtsc_precise();

	rte_pmd_tsi721_doorbell_send((uint16_t)dev, RECEIVER, n);
	while (pongs == before)
		rte_pmd_tsi721_doorbell_poll((uint16_t)dev, POLL);
	return bench_seconds(rte_rdtsc_precise() - begin) * 1e9;
}

static void
report_rate(int sock, unsigned int rounds)
{
	struct figure f = { .what = "doorbells between two processes", .wanted = 10 };
	struct app_samples samples = { 0 };
	struct app_stats stats;
	unsigned int i;

	rate();
	for (i = 0; i < rounds * ROUNDS_EACH; i++)
		app_samples_add(&samples, rate());
	app_samples_stats(&samples, &stats);
	f.held = stats.p50;
	snprintf(f.value, sizeof(f.value), "%.1f M/s", stats.p50);
	snprintf(f.beside, sizeof(f.beside), "best: %.1f M/s", stats.max);
	bench_send(sock, &f);
	app_samples_free(&samples);
}

static void
report_ping(int sock)
{
	struct figure f = { .what = "doorbell there and back, median", .wanted = 500,
			    .at_most = true };
	struct app_samples samples = { 0 };
	struct app_stats stats;
	unsigned int i;

	atomic_store(&shared->echo, 1);
	for (i = 0; i < PINGS / 10; i++)
		ping((uint16_t)i);
	for (i = 0; i < PINGS; i++)
		app_samples_add(&samples, ping((uint16_t)i));
	atomic_store(&shared->echo, 0);
	app_samples_stats(&samples, &stats);
	f.held = stats.p50;
	snprintf(f.value, sizeof(f.value), "%.0f ns", stats.p50);
	snprintf(f.beside, sizeof(f.beside), "99 %%: %.0f ns", stats.p99);
	bench_send(sock, &f);
	app_samples_free(&samples);
}

int
bench_bells(int sock, void *arg)
{
	const struct part *part = arg;

	shared = part->shared;
	if (app_eal_start(&part->eal) != 0)
		return 1;
	dev = bench_device(part, SENDER);
	if (dev < 0 || rte_pmd_tsi721_doorbell_request((uint16_t)dev, 0, 0xffff, on_pong,
						       NULL) != 0)
		return 1;
	while (atomic_load(&shared->ready) == 0)
		rte_delay_ms(1);
	report_rate(sock, part->rounds);
	report_ping(sock);
	bench_send(sock, &(struct figure){ .last = true });
	app_eal_stop(&part->eal);
	return 0;
}
