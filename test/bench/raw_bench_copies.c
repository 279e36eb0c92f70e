/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Block DMA writes and messages from one device to another of the same process,
 * so that rte_memcpy can have the very same buffers. Rounds of both take
 * turns.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memcpy.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "app_error.h"
#include "app_stats.h"
#include "raw_bench.h"
#include "rte_pmd_tsi721.h"

#define HALF		(WORKING_SET / 2)
#define RADDR		0x100000000ull
#define BURST		32u
#define MBOX		0u
#define MBOX_OUT	256u
#define MSG		4096u
#define MBOX_IN		(HALF / MSG)	/* buffers of the same size as the destination */

static uint8_t *src, *dst;
static rte_iova_t src_iova, dst_iova;
static int from, to;		/* devices */

static int
memory_open(void)
{
	const struct rte_memzone *mz = rte_memzone_reserve_aligned("bench", WORKING_SET,
		SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG, HALF);

	if (mz == NULL)
		return app_error("no %u MiB of memory in one piece", WORKING_SET >> 20);
	src = mz->addr;
	src_iova = mz->iova;
	dst = src + HALF;
	dst_iova = src_iova + HALF;
	memset(src, 0x5a, HALF);
	memset(dst, 0, HALF);
	return 0;
}

static int
devices_open(const struct part *part)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 1 };
	struct rte_rawdev_info info = { .dev_private = &config };

	from = bench_device(part, 0);
	to = bench_device(part, 1);
	if (from < 0 || to < 0 || memory_open() != 0)
		return -1;
	if (rte_pmd_tsi721_window_open((uint16_t)to, RADDR, dst_iova, HALF) < 0 ||
	    rte_rawdev_configure((uint16_t)from, &info, sizeof(config)) != 0 ||
	    rte_rawdev_start((uint16_t)from) != 0 ||
	    rte_pmd_tsi721_mbox_open((uint16_t)from, MBOX, MBOX_OUT, 0, SOCKET_ID_ANY) != 0 ||
	    rte_pmd_tsi721_mbox_open((uint16_t)to, MBOX, 0, MBOX_IN, SOCKET_ID_ANY) != 0)
		return app_error("cannot set devices up");
	return 0;
}

/* Each returns the cycles that it took to move all of src. */
static uint64_t
round_memcpy(size_t size)
{
	uint64_t begin = rte_rdtsc_precise();
	size_t off;

	for (off = 0; off + size <= HALF; off += size)
		rte_memcpy(dst + off, src + off, size);
	return rte_rdtsc_precise() - begin;
}

static uint64_t
round_dma(size_t size)
{
	static struct rte_pmd_tsi721_op op[BURST];
	static struct rte_pmd_tsi721_seg seg[BURST];
	struct rte_rawdev_buf buf[BURST], *bufs[BURST];
	uint64_t begin = rte_rdtsc_precise();
	size_t off = 0;
	unsigned int n, done, i;

	for (i = 0; i < BURST; i++)
		bufs[i] = &buf[i];
	while (off + size <= HALF) {
		for (n = 0; n < BURST && off + size <= HALF; n++, off += size) {
			seg[n].iova = src_iova + off;
			seg[n].len = size;
			op[n] = (struct rte_pmd_tsi721_op){
				.type = RTE_PMD_TSI721_WRITE_LAST_R, .destid = 1,
				.raddr = RADDR + off, .segs = &seg[n], .nb_segs = 1,
			};
			buf[n].buf_addr = &op[n];
		}
		if (rte_rawdev_enqueue_buffers((uint16_t)from, bufs, n, NULL) != (int)n)
			exit(app_error("operations were refused") != 0);
		for (done = 0; done < n; )
			done += (unsigned int)rte_rawdev_dequeue_buffers((uint16_t)from, bufs,
									 n - done, NULL);
		for (i = 0; i < n; i++)
			if (op[i].status != 0)
				exit(app_error("an operation failed: %d", op[i].status) != 0);
	}
	return rte_rdtsc_precise() - begin;
}

static uint64_t
round_messages(size_t size)
{
	struct rte_pmd_tsi721_msg_out out[BURST];
	struct rte_pmd_tsi721_msg_in in[BURST];
	uint64_t begin = rte_rdtsc_precise();
	size_t off = 0, taken = 0, ended = 0, all = HALF / size;
	void *users[BURST];
	int status[BURST], n, i;

	while (ended < all || taken < all) {
		for (n = 0; n < (int)BURST && off + (size_t)n * size + size <= HALF; n++)
			out[n] = (struct rte_pmd_tsi721_msg_out){
				.destid = 1, .len = (uint16_t)size, .iova = src_iova + off +
				(size_t)n * size,
			};
		n = rte_pmd_tsi721_msg_send((uint16_t)from, MBOX, out, (unsigned int)n);
		off += (size_t)n * size;
		n = rte_pmd_tsi721_msg_peek((uint16_t)to, MBOX, in, BURST);
		rte_pmd_tsi721_msg_release((uint16_t)to, MBOX, (unsigned int)n);
		taken += (size_t)n;
		n = rte_pmd_tsi721_msg_reap((uint16_t)from, MBOX, users, status, BURST);
		ended += (size_t)n;
		for (i = 0; i < n; i++)
			if (status[i] != 0)
				exit(app_error("a message failed: %d", status[i]) != 0);
	}
	return rte_rdtsc_precise() - begin;
}

static double
gbytes(size_t size, double cycles)
{
	return (double)(HALF / size * size) / (cycles / (double)rte_get_tsc_hz()) / 1e9;
}

static void
compare(int sock, unsigned int rounds, const char *what, size_t size, double wanted,
	uint64_t (*round)(size_t))
{
	struct figure f = { .wanted = wanted };
	struct app_samples own = { 0 }, copy = { 0 }, ratio = { 0 };
	struct app_stats own_stats, copy_stats, ratio_stats;
	unsigned int i;

	round_memcpy(size);
	round(size);
	for (i = 0; i < rounds; i++) {
		double a = (double)round_memcpy(size), b = (double)round(size);

		app_samples_add(&copy, a);
		app_samples_add(&own, b);
		app_samples_add(&ratio, a / b);
	}
	app_samples_stats(&own, &own_stats);
	app_samples_stats(&copy, &copy_stats);
	app_samples_stats(&ratio, &ratio_stats);
	snprintf(f.what, sizeof(f.what), "%s, %zu bytes", what, size);
	snprintf(f.value, sizeof(f.value), "%.2f GB/s", gbytes(size, own_stats.min));
	snprintf(f.beside, sizeof(f.beside), "memcpy: %.2f GB/s", gbytes(size, copy_stats.min));
	/* The best of each: what else runs on the machine only makes rounds longer. */
	f.held = copy_stats.min / own_stats.min;
	f.median = ratio_stats.p50;
	bench_send(sock, &f);
	app_samples_free(&own);
	app_samples_free(&copy);
	app_samples_free(&ratio);
}

/* --- doorbells, sent and received by one thread --- */

#define BELLS		4096u
#define BELLS_BURST	256u

/* Callbacks run in this thread, or in the EAL's when an interrupt was faster. */
static uint32_t bells;

static void
on_bell(void *arg, uint16_t source, uint16_t number)
{
	(void)arg;
	(void)source;
	(void)number;
	__atomic_fetch_add(&bells, 1, __ATOMIC_RELAXED);
}

static double
round_bells(void)
{
	uint64_t begin = rte_rdtsc_precise();
	unsigned int i, n;

	__atomic_store_n(&bells, 0, __ATOMIC_RELAXED);
	for (i = BELLS_BURST; i <= BELLS; i += BELLS_BURST) {
		for (n = 0; n < BELLS_BURST; n++)
			rte_pmd_tsi721_doorbell_send((uint16_t)from, 1, (uint16_t)n);
		while (__atomic_load_n(&bells, __ATOMIC_RELAXED) < i)
			rte_pmd_tsi721_doorbell_poll((uint16_t)to, 64);
	}
	return BELLS / bench_seconds(rte_rdtsc_precise() - begin) / 1e6;
}

static void
doorbells(int sock, unsigned int rounds)
{
	struct figure f = { .what = "doorbells, one thread sends and polls" };
	struct app_samples samples = { 0 };
	struct app_stats stats;
	unsigned int i;

	rte_pmd_tsi721_doorbell_request((uint16_t)to, 0, 0xffff, on_bell, NULL);
	for (i = 0; i < rounds; i++)
		app_samples_add(&samples, round_bells());
	app_samples_stats(&samples, &stats);
	snprintf(f.value, sizeof(f.value), "%.1f M/s", stats.p50);
	snprintf(f.beside, sizeof(f.beside), "best: %.1f M/s", stats.max);
	bench_send(sock, &f);
	app_samples_free(&samples);
}

int
bench_copies(int sock, void *arg)
{
	static const struct {
		size_t size;
		double wanted;
	} dma[] = {
		{ 64, 0 }, { 512, 0 }, { 4096, 0.75 }, { 65536, 0.95 }, { 1u << 20, 0.95 },
		{ HALF, 0.95 },
	};
	const struct part *part = arg;
	size_t i;

	if (app_eal_start(&part->eal) != 0 || devices_open(part) != 0)
		return 1;
	for (i = 0; i < RTE_DIM(dma); i++)
		compare(sock, part->rounds, "block DMA write", dma[i].size, dma[i].wanted,
			round_dma);
	if (memcmp(src, dst, HALF) != 0)
		return app_error("block DMA: source and destination differ") != 0;
	compare(sock, part->rounds, "messages", MSG, 0.7, round_messages);
	doorbells(sock, part->rounds * 10);
	bench_send(sock, &(struct figure){ .last = true });
	rte_rawdev_stop((uint16_t)from);
	app_eal_stop(&part->eal);
	return 0;
}
