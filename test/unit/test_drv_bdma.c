/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_malloc.h>

#include "drv_rig.h"
#include "tsi721_bdma.h"
#include "tsi721_window.h"

#define RADDR		0x100000000ull
#define BASE		TSI721_DMAC_BASE(0)
#define COOKIE(n)	((void *)(uintptr_t)(n))

/* Opened by each test: channel 0 of device 0, a window onto all memory of device 1. */
static struct tsi721_bdma *q;
static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	assert_int_equal(tsi721_ibwin_open(b->dev, RADDR, b->iova, RIG_MEM_SIZE), 0);
	assert_int_equal(tsi721_bdma_open(a->dev, 0, 32, SOCKET_ID_ANY, &q), 0);
	rig_fill(a->mem, RIG_MEM_SIZE, 1);
	return 0;
}

static int
teardown(void **state)
{
	rig_let(a);
	tsi721_bdma_close(q, NULL, NULL);
	return rig_teardown(state);
}

static struct tsi721_bdma_req
to_b(uint64_t off, uint8_t rtype)
{
	return (struct tsi721_bdma_req){
		.raddr = RADDR + off, .rtype = rtype, .destid = b->destid,
	};
}

static int
post1(uint64_t off, uint8_t rtype, size_t from, uint64_t len, void *cookie)
{
	struct tsi721_bdma_req req = to_b(off, rtype);
	struct tsi721_bdma_seg seg = { a->iova + from, len };

	return tsi721_bdma_post(q, &req, &seg, 1, cookie);
}

/* Reap exactly nb, with these statuses (NULL: all 0) and cookies 1, 2, ... */
static void
reap(unsigned int nb, const int *want)
{
	void *cookies[64];
	int status[64];
	unsigned int got = 0, tries = 0, i;

	while (got < nb && tries++ < 100000)
		got += tsi721_bdma_reap(q, &cookies[got], &status[got], 64 - got);
	assert_int_equal(got, nb);
	for (i = 0; i < nb; i++) {
		assert_ptr_equal(cookies[i], COOKIE(i + 1));
		assert_int_equal(status[i], want != NULL ? want[i] : 0);
	}
	assert_int_equal(tsi721_bdma_reap(q, cookies, status, 64), 0);
}

static void
write_and_read(void **state)
{
	static const uint8_t rtypes[] = {
		TSI721_RTYPE_LAST_NWRITE_R, TSI721_RTYPE_ALL_NWRITE, TSI721_RTYPE_ALL_NWRITE_R,
	};
	size_t i;

	(void)state;
	for (i = 0; i < RTE_DIM(rtypes); i++) {
		memset(b->mem, 0, 8192);
		assert_int_equal(post1(5, rtypes[i], 3, 4097, COOKIE(1)), 0);
		tsi721_bdma_kick(q);
		reap(1, NULL);
		assert_memory_equal(b->mem + 5, a->mem + 3, 4097);
		assert_int_equal(b->mem[4], 0);
		assert_int_equal(b->mem[5 + 4097], 0);
	}
	memset(a->mem + 0x10000, 0, 8192);
	assert_int_equal(post1(5, TSI721_RTYPE_NREAD, 0x10001, 4097, COOKIE(1)), 0);
	tsi721_bdma_kick(q);
	reap(1, NULL);
	assert_memory_equal(a->mem + 0x10001, b->mem + 5, 4097);
	assert_int_equal(a->mem[0x10000], 0);
}

/* Nothing runs before the kick, and one burst is one register write. */
static void
kick_starts(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 10; i++)
		assert_int_equal(post1(i * 16, TSI721_RTYPE_ALL_NWRITE, i * 16, 16,
				       COOKIE(i + 1)), 0);
	assert_int_equal(tsi721_bdma_pending(q), 10);
	assert_int_equal(b->mem[0], 0);
	rig_reads = rig_writes = 0;
	tsi721_bdma_kick(q);
	tsi721_bdma_kick(q);
	assert_int_equal(rig_writes, 1);
	reap(10, NULL);
	assert_memory_equal(b->mem, a->mem, 160);
	/* And completions are read from memory. */
	assert_int_equal(rig_reads, 0);
	assert_int_equal(tsi721_bdma_pending(q), 0);
}

static void
segments(void **state)
{
	struct tsi721_bdma_req req = to_b(7, TSI721_RTYPE_LAST_NWRITE_R);
	struct tsi721_bdma_seg segs[8];
	uint64_t at = 7;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(segs); i++) {
		segs[i].iova = a->iova + i * 0x1000 + i;
		segs[i].len = 100 * i + 1;
	}
	assert_int_equal(tsi721_bdma_descs(segs, RTE_DIM(segs)), 8);
	assert_int_equal(tsi721_bdma_post(q, &req, segs, RTE_DIM(segs), COOKIE(1)), 0);
	assert_int_equal(tsi721_bdma_free(q), 24);
	tsi721_bdma_kick(q);
	reap(1, NULL);
	assert_int_equal(tsi721_bdma_free(q), 32);
	for (i = 0; i < RTE_DIM(segs); i++) {
		assert_memory_equal(b->mem + at, a->mem + i * 0x1000 + i, segs[i].len);
		at += segs[i].len;
	}
}

/* Descriptors as the chip wants them, looked at before they run. */
static void
descriptors(void **state)
{
	struct tsi721_bdma_req req = {
		.raddr = 0xfedcba9876543213ull, .raddr_hi = 2, .destid = 0x42, .prio = 3,
		.rtype = TSI721_RTYPE_LAST_NWRITE_R,
	};
	/* 64 MiB takes one descriptor with a count of 0; a byte more takes a second. */
	struct tsi721_bdma_seg seg = { 0x123456789ull, TSI721_DMA_BLOCK_MAX + 1ull };
	const struct tsi721_dma_desc *d;
	uint64_t raddr = req.raddr + TSI721_DMA_BLOCK_MAX;
	uint32_t lo, hi;

	(void)state;
	lo = tsi721_read32(a->dev, BASE + TSI721_DMAC_DPTRL);
	hi = tsi721_read32(a->dev, BASE + TSI721_DMAC_DPTRH);
	d = (const void *)(uintptr_t)((uint64_t)hi << 32 | lo);
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, NULL), 0);

	assert_int_equal(d[0].type_id, 1u << 29 | TSI721_RTYPE_ALL_NWRITE << 19 | 3u << 17 | 0x42);
	assert_int_equal(d[0].bcount, 3u << 30);
	assert_int_equal(d[0].raddr_lo, (uint32_t)(req.raddr >> 2));
	assert_int_equal(d[0].raddr_hi, (uint32_t)(req.raddr >> 34) | 2u << 30);
	assert_int_equal(d[0].bufptr_lo, 0x23456789u);
	assert_int_equal(d[0].bufptr_hi, 1);
	assert_int_equal(d[1].type_id,
			 1u << 29 | TSI721_RTYPE_LAST_NWRITE_R << 19 | 3u << 17 | 0x42);
	assert_int_equal(d[1].bcount, 3u << 30 | 1);
	assert_int_equal(d[1].raddr_lo, (uint32_t)(raddr >> 2));
	assert_int_equal(d[1].raddr_hi, (uint32_t)(raddr >> 34) | 2u << 30);
	assert_int_equal(d[1].bufptr_lo, 0x27456789u);
	/* The link at the end leads to the beginning. */
	assert_int_equal(d[32].type_id, 3u << 29);
	assert_int_equal(d[32].raddr_lo, lo);
	assert_int_equal(d[32].raddr_hi, hi);
}

/* The 66-bit address carries into its two highest bits, and may not wrap. */
static void
address_carry(void **state)
{
	struct tsi721_bdma_req req = { .raddr = UINT64_MAX, .raddr_hi = 2,
				       .rtype = TSI721_RTYPE_ALL_NWRITE };
	struct tsi721_bdma_seg segs[2] = { { 0x1000, 1 }, { 0x2000, 1 } };
	const struct tsi721_dma_desc *d;

	(void)state;
	d = (const void *)(uintptr_t)(tsi721_read32(a->dev, BASE + TSI721_DMAC_DPTRL) |
		(uint64_t)tsi721_read32(a->dev, BASE + TSI721_DMAC_DPTRH) << 32);
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 2, NULL), 0);
	assert_int_equal(d[0].raddr_hi, UINT32_MAX >> 2 | 2u << 30);
	assert_int_equal(d[1].raddr_hi, 3u << 30);
	assert_int_equal(d[1].raddr_lo, 0);
	req.raddr_hi = 3;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 2, NULL), -EINVAL);
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), 0);
	/* Between the descriptors of one segment, too. */
	req.raddr_hi = 1;
	req.raddr = UINT64_MAX - TSI721_DMA_BLOCK_MAX + 1;
	segs[0].len = TSI721_DMA_BLOCK_MAX + 4ull;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), 0);
	assert_int_equal(d[3].raddr_hi, UINT32_MAX >> 2 | 1u << 30);
	assert_int_equal(d[4].raddr_hi, 2u << 30);
	assert_int_equal(d[4].raddr_lo, 0);
}

static void
bad_operations(void **state)
{
	struct tsi721_bdma_req req = to_b(0, TSI721_RTYPE_ALL_NWRITE);
	struct tsi721_bdma_seg segs[40] = { { a->iova, 1 } };
	unsigned int i;

	(void)state;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 0, NULL), -EINVAL);
	segs[0].len = 0;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), -EINVAL);
	segs[0].len = 1;
	req.destid = 0x100;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), -EINVAL);
	req.destid = 1;
	req.prio = 4;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), -EINVAL);
	req.prio = 0;
	req.rtype = TSI721_RTYPE_MAINT_RD;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), -EINVAL);
	req.rtype = TSI721_RTYPE_NREAD;
	req.raddr_hi = 4;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 1, NULL), -EINVAL);
	req.raddr_hi = 0;
	for (i = 0; i < RTE_DIM(segs); i++)
		segs[i] = (struct tsi721_bdma_seg){ a->iova, 1 };
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 33, NULL), -E2BIG);
	segs[0].len = UINT64_MAX;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 2, NULL), -EINVAL);
	assert_int_equal(tsi721_bdma_free(q), 32);
	assert_int_equal(tsi721_bdma_pending(q), 0);
}

static void
full_ring(void **state)
{
	struct tsi721_bdma_stats stats;
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++)
		assert_int_equal(post1(i, TSI721_RTYPE_ALL_NWRITE, i, 1, COOKIE(i + 1)), 0);
	assert_int_equal(post1(0, TSI721_RTYPE_ALL_NWRITE, 0, 1, NULL), -ENOSPC);
	tsi721_bdma_kick(q);
	reap(32, NULL);
	assert_memory_equal(b->mem, a->mem, 32);
	tsi721_bdma_stats(q, &stats);
	assert_int_equal(stats.ops, 32);
	assert_int_equal(stats.bytes, 32);
	assert_int_equal(stats.full, 1);
	assert_int_equal(stats.errors, 0);
}

/* Many times around the ring and the FIFO, in bursts of every size. */
static void
around(void **state)
{
	unsigned int burst, i, round;

	(void)state;
	for (round = 0; round < 40; round++)
		for (burst = 1; burst <= 32; burst++) {
			for (i = 0; i < burst; i++)
				assert_int_equal(post1(i * 8, TSI721_RTYPE_ALL_NWRITE,
						       i * 8 + round, 8, COOKIE(i + 1)), 0);
			tsi721_bdma_kick(q);
			reap(burst, NULL);
			assert_memory_equal(b->mem, a->mem + round, burst * 8);
		}
}

/* Errors anywhere in a burst, also as first, last, and beside the link. */
static void
errors(void **state)
{
	unsigned int begin, bad, i;
	int want[8];

	(void)state;
	for (begin = 0; begin < 32; begin++)
		for (bad = 0; bad < 8; bad++) {
			memset(b->mem, 0, 64);
			for (i = 0; i < 8; i++) {
				want[i] = i == bad ? -EIO : 0;
				assert_int_equal(post1(i == bad ? RIG_MEM_SIZE : i * 8,
						       TSI721_RTYPE_ALL_NWRITE_R, i * 8, 8,
						       COOKIE(i + 1)), 0);
			}
			tsi721_bdma_kick(q);
			reap(8, want);
			for (i = 0; i < 8; i++)
				assert_int_equal(memcmp(b->mem + i * 8, a->mem + i * 8, 8) == 0,
						 i != bad);
			/* One more, so that the next burst begins at the next slot. */
			assert_int_equal(post1(0, TSI721_RTYPE_ALL_NWRITE, 0, 8, COOKIE(1)), 0);
			tsi721_bdma_kick(q);
			reap(1, NULL);
		}
}

/* All of them fail, and what is staged meanwhile is not forgotten. */
static void
all_fail(void **state)
{
	struct tsi721_bdma_stats stats;
	int want[32];
	unsigned int i;

	(void)state;
	for (i = 0; i < 16; i++) {
		want[i] = -EIO;
		assert_int_equal(post1(RIG_MEM_SIZE, TSI721_RTYPE_NREAD, 0, 8, COOKIE(i + 1)), 0);
	}
	tsi721_bdma_kick(q);
	for (; i < 20; i++) {
		want[i] = 0;
		assert_int_equal(post1(i, TSI721_RTYPE_ALL_NWRITE, i, 1, COOKIE(i + 1)), 0);
	}
	want[16] = want[17] = want[18] = want[19] = 0;
	tsi721_bdma_kick(q);
	reap(20, want);
	tsi721_bdma_stats(q, &stats);
	assert_int_equal(stats.errors, 16);
	assert_int_equal(stats.ops, 4);
	assert_int_equal(stats.bytes, 4);
}

/* An operation of many descriptors fails as a whole, in the middle; the next one runs. */
static void
error_in_segments(void **state)
{
	struct tsi721_bdma_req req = to_b(RIG_MEM_SIZE - 16, TSI721_RTYPE_ALL_NWRITE_R);
	struct tsi721_bdma_seg segs[4] = {
		{ a->iova, 8 }, { a->iova + 8, 8 }, { a->iova + 16, 8 }, { a->iova + 24, 8 },
	};
	const int want[2] = { -EIO, 0 };

	(void)state;
	assert_int_equal(tsi721_bdma_post(q, &req, segs, 4, COOKIE(1)), 0);
	assert_int_equal(post1(0, TSI721_RTYPE_ALL_NWRITE_R, 100, 50, COOKIE(2)), 0);
	tsi721_bdma_kick(q);
	reap(2, want);
	assert_memory_equal(b->mem + RIG_MEM_SIZE - 16, a->mem, 16);
	assert_memory_equal(b->mem, a->mem + 100, 50);
	assert_int_equal(tsi721_bdma_free(q), 32);
}

static void
nobody_there(void **state)
{
	struct tsi721_bdma_req req = to_b(0, TSI721_RTYPE_ALL_NWRITE_R);
	struct tsi721_bdma_seg seg = { a->iova, 8 };
	void *cookie;
	int status = 0;
	unsigned int tries = 0;

	(void)state;
	req.destid = 0x77;
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, COOKIE(1)), 0);
	tsi721_bdma_kick(q);
	while (tsi721_bdma_reap(q, &cookie, &status, 1) == 0)
		assert_true(tries++ < 100000);
	assert_true(status == -EIO || status == -ETIMEDOUT);
}

/* Memory that no bus address leads to is an error of its own kind, not a crash. */
static void
bad_memory(void **state)
{
	struct tsi721_bdma_req req = to_b(0, TSI721_RTYPE_ALL_NWRITE_R);
	struct tsi721_bdma_seg seg = { 0x10, 8 };
	const int want[1] = { -EFAULT };

	(void)state;
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, COOKIE(1)), 0);
	tsi721_bdma_kick(q);
	reap(1, want);
	req.rtype = TSI721_RTYPE_NREAD;
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, COOKIE(1)), 0);
	tsi721_bdma_kick(q);
	reap(1, want);
}

static uint64_t *
fifo(void)
{
	return (void *)(uintptr_t)(tsi721_read32(a->dev, BASE + TSI721_DMAC_DSBL) |
		(uint64_t)tsi721_read32(a->dev, BASE + TSI721_DMAC_DSBH) << 32);
}

static uint64_t
desc_at(unsigned int slot)
{
	return (tsi721_read32(a->dev, BASE + TSI721_DMAC_DPTRL) |
		(uint64_t)tsi721_read32(a->dev, BASE + TSI721_DMAC_DPTRH) << 32) + slot * 32;
}

/* The test is the device: lines closed early, entries late, entries that make no sense. */
static void
status_fifo(void **state)
{
	uint64_t *sts = fifo(), base = desc_at(0);
	void *cookies[32];
	unsigned int i;

	(void)state;
	rig_hold(a);
	for (i = 0; i < 20; i++)
		assert_int_equal(post1(0, TSI721_RTYPE_ALL_NWRITE, 0, 8, COOKIE(i + 1)), 0);
	tsi721_bdma_kick(q);
	assert_int_equal(rig_held(BASE + TSI721_DMAC_DWRCNT), 20);
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 0);

	/* Three in line 0, seen while it is open, then a fourth in the same line. */
	for (i = 0; i < 3; i++)
		sts[i] = base + i * 32;
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 3);
	sts[3] = base + 3 * 32;
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 1);
	assert_ptr_equal(cookies[0], COOKIE(4));
	/* Line 0 is closed, it goes on in line 1; then a whole line 2. */
	sts[8] = base + 4 * 32;
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 1);
	for (i = 0; i < 8; i++)
		sts[16 + i] = base + (5 + i) * 32;
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 8);
	assert_ptr_equal(cookies[7], COOKIE(13));
	/* Everything that was read is zero again. */
	for (i = 0; i < 24; i++)
		assert_int_equal(sts[i], 0);
	/* The link, a stranger, a misaligned one, one that is not out: none counts. */
	sts[24] = base + 32 * 32;
	sts[25] = base + 33 * 32;
	sts[26] = base + 13 * 32 + 8;
	sts[27] = base + 25 * 32;
	sts[28] = base - 32;
	sts[29] = UINT64_MAX;
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 0);
	sts[30] = base + 19 * 32;
	/* A later one stands for all before it: they end in order. */
	assert_int_equal(tsi721_bdma_reap(q, cookies, NULL, 32), 7);
	assert_int_equal(tsi721_bdma_pending(q), 0);
	rig_let(a);
}

/* The read pointer is told now and then, always before the FIFO could be full. */
static void
fifo_pointer(void **state)
{
	uint64_t *sts = fifo(), base = desc_at(0);
	unsigned int lines = 16u << tsi721_read32(a->dev, BASE + TSI721_DMAC_DSSZ), line = 0, i;
	unsigned int told = 0;
	void *cookie;

	(void)state;
	rig_hold(a);
	assert_int_equal(lines, 64);
	/* One completion a line: the worst that a device does. */
	for (i = 0; i < 500; i++) {
		assert_int_equal(post1(0, TSI721_RTYPE_ALL_NWRITE, 0, 8, COOKIE(i + 1)), 0);
		tsi721_bdma_kick(q);
		sts[line * 8] = base + i % 32 * 32;
		line = (line + 1) % lines;
		assert_int_equal(tsi721_bdma_reap(q, &cookie, NULL, 1), 1);
		assert_ptr_equal(cookie, COOKIE(i + 1));
		if (rig_held_count(BASE + TSI721_DMAC_DSRP) != 0)
			told = rig_held(BASE + TSI721_DMAC_DSRP);
		assert_true(((line - told) & (lines - 1)) + 33 < lines);
	}
	/* 500 completions took 500 lines; telling of each would be 500 writes. */
	assert_in_range(rig_held_count(BASE + TSI721_DMAC_DSRP), 10, 60);
	/* 500 descriptors, and a link each time round. */
	assert_int_equal(rig_held(BASE + TSI721_DMAC_DWRCNT), 500 + 500 / 32);
	rig_let(a);
}

/* A channel that does not answer is looked at, ever more seldom. */
static void
late_is_looked_at(void **state)
{
	void *cookie;
	unsigned int i;

	(void)state;
	rig_hold(a);
	rig_give(BASE + TSI721_DMAC_STS, TSI721_DMAC_STS_RUN);
	assert_int_equal(post1(0, TSI721_RTYPE_ALL_NWRITE, 0, 8, COOKIE(1)), 0);
	tsi721_bdma_kick(q);
	rig_reads = 0;
	for (i = 0; i < 10000; i++)
		assert_int_equal(tsi721_bdma_reap(q, &cookie, NULL, 1), 0);
	assert_in_range(rig_reads, 5, 30);
	rig_let(a);
}

static void
open_errors(void **state)
{
	static const unsigned int bad_desc[] = { 0, 16, 33, 65536 };
	struct tsi721_bdma *other;
	void *blocks[300];
	size_t nb = 0, i;

	(void)state;
	assert_int_equal(tsi721_bdma_open(a->dev, 0, 32, SOCKET_ID_ANY, &other), -EBUSY);
	assert_int_equal(tsi721_bdma_open(a->dev, TSI721_DMAC_MAINT, 32, SOCKET_ID_ANY, &other),
			 -ENODEV);
	assert_int_equal(tsi721_bdma_open(a->dev, 8, 32, SOCKET_ID_ANY, &other), -ENODEV);
	a->dev->conf.dma_sel = 1;
	assert_int_equal(tsi721_bdma_open(a->dev, 1, 32, SOCKET_ID_ANY, &other), -ENODEV);
	a->dev->conf.dma_sel = 0x7f;
	for (i = 0; i < RTE_DIM(bad_desc); i++) {
		rig_log_lines();
		assert_int_equal(tsi721_bdma_open(a->dev, 1, bad_desc[i], SOCKET_ID_ANY, &other),
				 -EINVAL);
		assert_int_equal(rig_log_lines(), 1);
		assert_non_null(strstr(rig_log_last(), "32 to 32768"));
	}
	/* No memory is left: refused, and then the channel is still free. */
	while ((blocks[nb] = rte_malloc(NULL, 1 << 20, 0)) != NULL)
		assert_true(++nb < RTE_DIM(blocks));
	assert_int_equal(tsi721_bdma_open(a->dev, 1, 32768, SOCKET_ID_ANY, &other), -ENOMEM);
	while (nb > 0)
		rte_free(blocks[--nb]);
	assert_int_equal(tsi721_bdma_open(a->dev, 1, 32768, SOCKET_ID_ANY, &other), 0);
	tsi721_bdma_close(other, NULL, NULL);
}

static void
count_cookie(void *cookie, void *arg)
{
	uint64_t *seen = arg;

	*seen |= 1ull << (uintptr_t)cookie;
}

static void
close_gives_back(void **state)
{
	struct tsi721_bdma *other;
	struct tsi721_bdma_req req = to_b(0, TSI721_RTYPE_ALL_NWRITE);
	struct tsi721_bdma_seg segs[2] = { { a->iova, 8 }, { a->iova, 8 } };
	uint64_t seen = 0;

	(void)state;
	assert_int_equal(tsi721_bdma_open(a->dev, 3, 32, SOCKET_ID_ANY, &other), 0);
	assert_int_equal(tsi721_bdma_post(other, &req, segs, 2, COOKIE(1)), 0);
	tsi721_bdma_kick(other);
	assert_int_equal(tsi721_bdma_post(other, &req, segs, 1, COOKIE(2)), 0);
	tsi721_bdma_close(other, count_cookie, &seen);
	assert_int_equal(seen, 1 << 1 | 1 << 2);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(write_and_read), TEST(kick_starts), TEST(segments), TEST(descriptors),
		TEST(address_carry), TEST(bad_operations), TEST(full_ring), TEST(around),
		TEST(errors), TEST(all_fail), TEST(error_in_segments), TEST(nobody_there),
		TEST(bad_memory), TEST(status_fifo), TEST(fifo_pointer), TEST(late_is_looked_at),
		TEST(open_errors), TEST(close_gives_back),
	};

	return cmocka_run_group_tests_name("drv_bdma", tests, rig_eal, NULL);
}
