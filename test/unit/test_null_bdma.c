/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Block DMA: transfers, status FIFO, causes, errors. */

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "null_rig.h"

/* Layout of a device's memory in these tests. */
#define RING		0x0000u
#define RING_LEN	0x40000u
#define FIFO		0x40000u
#define SRC		0x100000u
#define DST		0x200000u	/* the window shows [DST, DST + WIN) of the target */
#define WIN		0x100000u
#define RIO		0x10000000ull	/* where the window is */

#define DONE	TSI721_DMAC_INT_DONE
#define ERR	TSI721_DMAC_INT_ERR

struct pair {
	struct rig_dev *a, *b;
	struct rig_bdma dma;
};

static struct pair
pair_open(void **state, unsigned int dssz)
{
	struct rig *rig = *state;
	struct pair p = { .a = &rig->d[0], .b = &rig->d[1] };

	rig_ibwin(p.b, 0, RIO, WIN, DST);
	rig_bdma_open(&p.dma, p.a, 0, RING, FIFO, dssz);
	return p;
}

static uint32_t
reg(struct pair *p, uint32_t r)
{
	return rig_bdma_reg(&p->dma, r);
}

static uint32_t
abort_code(struct pair *p)
{
	uint32_t sts = reg(p, TSI721_DMAC_STS);

	return (sts & TSI721_DMAC_STS_ABORT) == 0 ? 0 :
	       (sts & TSI721_DMAC_STS_CS) >> TSI721_DMAC_STS_CS_SHIFT;
}

/* The channel is idle, has done what was asked, and raised DONE alone. */
static void
check_done(struct pair *p)
{
	assert_int_equal(reg(p, TSI721_DMAC_STS), 0);
	assert_int_equal(reg(p, TSI721_DMAC_DRDCNT), p->dma.nb);
	assert_int_equal(reg(p, TSI721_DMAC_INT), DONE);
	rig_bdma_set(&p->dma, TSI721_DMAC_INT, DONE);
	assert_int_equal(reg(p, TSI721_DMAC_INT), 0);
}

/* The channel has aborted with this code and raised ERR alone; INIT makes it new. */
static void
check_abort(struct pair *p, uint32_t code)
{
	assert_int_equal(abort_code(p), code);
	assert_int_equal(reg(p, TSI721_DMAC_STS) & TSI721_DMAC_STS_RUN, 0);
	assert_int_equal(reg(p, TSI721_DMAC_INT), ERR);
	rig_bdma_set(&p->dma, TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
	rig_bdma_set(&p->dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	assert_int_equal(reg(p, TSI721_DMAC_STS), 0);
	assert_int_equal(reg(p, TSI721_DMAC_DWRCNT), 0);
	assert_int_equal(reg(p, TSI721_DMAC_DRDCNT), 0);
	assert_int_equal(reg(p, TSI721_DMAC_DSWP), 0);
	assert_int_equal(reg(p, TSI721_DMAC_DSRP), 0);
	p->dma.nb = 0;
}

/* One data descriptor; its outcome. */
static void
one(struct pair *p, uint32_t rtype, uint32_t destid, uint64_t rio, uint64_t mem, uint32_t len)
{
	if (p->dma.nb * TSI721_DMA_DESC_SIZE >= RING_LEN - TSI721_DMA_DESC_SIZE)
		fail_msg("the ring is too short for this test");
	rig_desc_data(&p->dma, rtype, destid, rio, mem, len);
	rig_bdma_go(&p->dma);
	rig_bdma_set(&p->dma, TSI721_DMAC_DSRP, reg(p, TSI721_DMAC_DSWP));
}

static void
again(struct pair *p)
{
	rig_bdma_set(&p->dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	p->dma.nb = 0;
}

/* ---- transfers ---- */

static const uint32_t writes[] = {
	TSI721_RTYPE_LAST_NWRITE_R, TSI721_RTYPE_ALL_NWRITE, TSI721_RTYPE_ALL_NWRITE_R,
};

static void
write_sizes(void **state)
{
	struct pair p = pair_open(state, 4);
	uint32_t len, i, seed = 0;

	for (len = 1; len <= 700; len += len < 300 ? 1 : 37) {
		for (i = 0; i < 3; i++) {
			uint32_t from = (len * 7 + i) % 61, to = (len * 3 + i * 5) % 59;

			rig_fill(p.a->mem + SRC + from, len, ++seed);
			memset(p.b->mem + DST, 0, 1024);
			one(&p, writes[i], 1, RIO + to, SRC + from, len);
			check_done(&p);
			assert_true(rig_is_zero(p.b->mem + DST, to));
			assert_true(rig_is_filled(p.b->mem + DST + to, len, seed));
			assert_true(rig_is_zero(p.b->mem + DST + to + len, 128));
		}
	}
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_DESCS), seed);
	assert_true(rig_is_zero(p.b->mem + DST - 4096, 4096));
}

static void
read_sizes(void **state)
{
	struct pair p = pair_open(state, 4);
	uint32_t len, seed = 0;

	for (len = 1; len <= 700; len += len < 300 ? 1 : 37) {
		uint32_t from = len * 7 % 61, to = len * 3 % 59;

		rig_fill(p.b->mem + DST + from, len, ++seed);
		memset(p.a->mem + SRC, 0, 1024);
		one(&p, TSI721_RTYPE_NREAD, 1, RIO + from, SRC + to, len);
		check_done(&p);
		assert_true(rig_is_zero(p.a->mem + SRC, to));
		assert_true(rig_is_filled(p.a->mem + SRC + to, len, seed));
		assert_true(rig_is_zero(p.a->mem + SRC + to + len, 128));
	}
}

static void
large(void **state)
{
	struct pair p = pair_open(state, 0);

	rig_fill(p.a->mem + SRC, WIN, 1);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, WIN);
	check_done(&p);
	assert_true(rig_is_filled(p.b->mem + DST, WIN, 1));
	assert_true(rig_is_zero(p.b->mem + DST + WIN, 4096));
	memset(p.a->mem + SRC, 0, WIN);
	one(&p, TSI721_RTYPE_NREAD, 1, RIO, SRC, WIN);
	check_done(&p);
	assert_true(rig_is_filled(p.a->mem + SRC, WIN, 1));
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_BYTES), 2 * WIN);
}

/* Of a burst whose last descriptor fails, what went before it counts. */
static void
failed_bytes(void **state)
{
	struct pair p = pair_open(state, 0);

	rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO + 64, SRC, 32);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO + WIN, SRC, 64);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 2);
	check_abort(&p, NULL_ABORT_ERROR);
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_BYTES), 64 + 32);
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_DESCS), 2);
}

/* A count of 0 is 64 MiB. Most of it misses the window, which is at its very end. */
static void
count_zero(void **state)
{
	struct pair p = pair_open(state, 0);
	uint64_t iova = p.a->iova + 0x10000000, rio = RIO + WIN - TSI721_DMA_BLOCK_MAX;
	uint8_t *big;

	big = mmap(NULL, TSI721_DMA_BLOCK_MAX, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(big, MAP_FAILED);
	rig_fill(big + TSI721_DMA_BLOCK_MAX - WIN, WIN, 2);
	assert_int_equal(null_device_dma_map(p.a->dev, iova, TSI721_DMA_BLOCK_MAX, big, -1, 0), 0);

	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, rio, iova - p.a->iova, 0);
	check_done(&p);
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_BYTES), TSI721_DMA_BLOCK_MAX);
	assert_true(rig_is_filled(p.b->mem + DST, WIN, 2));
	assert_true(rig_is_zero(p.b->mem + DST + WIN, 4096));
	assert_int_not_equal(rig_stat(p.b, NULL_STAT_WINDOW_MISSES), 0);

	/* Its last packet is answered, and hits. */
	memset(p.b->mem + DST, 0, WIN);
	one(&p, TSI721_RTYPE_LAST_NWRITE_R, 1, rio, iova - p.a->iova, 0);
	check_done(&p);
	assert_true(rig_is_filled(p.b->mem + DST, WIN, 2));
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, rio, iova - p.a->iova, 0);
	check_abort(&p, NULL_ABORT_ERROR);

	assert_int_equal(null_device_dma_unmap(p.a->dev, iova, TSI721_DMA_BLOCK_MAX), 0);
	munmap(big, TSI721_DMA_BLOCK_MAX);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, rio, iova - p.a->iova, 0);
	check_abort(&p, NULL_ABORT_PCI);
}

/* Own memory and the target's in several pieces, neighbours only on the bus. */
static void
pieces(void **state)
{
	struct pair p = pair_open(state, 0);
	uint64_t iova = p.a->iova + 0x10000000, liova = p.b->iova + 0x10000000;
	uint8_t *m = mmap(NULL, 0x10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	assert_ptr_not_equal(m, MAP_FAILED);
	/* Pages in reverse: never merged. */
	for (i = 0; i < 4; i++) {
		assert_int_equal(null_device_dma_map(p.a->dev, iova + i * 0x1000, 0x1000,
						     m + (3 - i) * 0x2000, -1, 0), 0);
		assert_int_equal(null_device_dma_map(p.b->dev, liova + i * 0x1000, 0x1000,
						     m + 0x1000 + (3 - i) * 0x2000, -1, 0), 0);
	}
	rig_ibwin(p.b, 1, 0x80000000, 0x4000, 0x10000000);
	for (i = 0; i < 4; i++)
		rig_fill(m + (3 - i) * 0x2000, 0x1000, i);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, 0x80000000, 0x10000000, 0x4000);
	check_done(&p);
	for (i = 0; i < 4; i++)
		assert_true(rig_is_filled(m + 0x1000 + (3 - i) * 0x2000, 0x1000, i));
	for (i = 0; i < 4; i++)
		memset(m + (3 - i) * 0x2000, 0, 0x1000);
	one(&p, TSI721_RTYPE_NREAD, 1, 0x80000000 + 0x800, 0x10000000 + 0x400, 0x3000);
	check_done(&p);
	assert_true(rig_is_zero(m + 3 * 0x2000, 0x400));
	assert_memory_equal(m + 3 * 0x2000 + 0x400, m + 0x1000 + 3 * 0x2000 + 0x800, 0x800);
	assert_memory_equal(m + 3 * 0x2000 + 0xc00, m + 0x1000 + 2 * 0x2000, 0x400);

	/* A hole in the target's memory behind its window. */
	assert_int_equal(null_device_dma_unmap(p.b->dev, liova + 0x1000, 0x1000), 0);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, 0x80000000, 0x10000000, 0x4000);
	check_abort(&p, NULL_ABORT_ERROR);
	one(&p, TSI721_RTYPE_NREAD, 1, 0x80000000, 0x10000000, 0x4000);
	check_abort(&p, NULL_ABORT_ERROR);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, 0x80000000, 0x10000000, 0x4000);
	check_done(&p);
	assert_int_equal(rig_stat(p.b, NULL_STAT_DMA_FAULTS), 3);
	assert_int_equal(rig_stat(p.b, NULL_STAT_WINDOW_MISSES), 0);
	munmap(m, 0x10000);
}

/* The target may be oneself. */
static void
loopback(void **state)
{
	struct pair p = pair_open(state, 0);

	rig_ibwin(p.a, 0, RIO, WIN, DST);
	rig_fill(p.a->mem + SRC, 5000, 9);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 0, RIO + 3, SRC, 5000);
	check_done(&p);
	assert_true(rig_is_filled(p.a->mem + DST + 3, 5000, 9));
	/* Overlapping: any result, but nothing outside. */
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 0, RIO + 100, DST, 5000);
	check_done(&p);
	assert_true(rig_is_zero(p.a->mem + DST + 5100, 4096));
}

static void
windows_and_targets_alternate(void **state)
{
	struct rig *rig = *state;
	struct pair p = pair_open(state, 5);
	struct rig_dev *c = &rig->d[2];
	unsigned int i, w;

	for (w = 0; w < TSI721_IBWIN_NUM; w++) {
		rig_ibwin(p.b, w, 0x100000ull * (w + 1), 0x1000, DST + w * 0x4000);
		rig_ibwin(c, w, 0x100000ull * (w + 1), 0x1000, DST + w * 0x4000);
	}
	for (i = 0; i < 800; i++) {
		struct rig_dev *t = i % 2 != 0 ? p.b : c;

		w = i / 2 % TSI721_IBWIN_NUM;
		rig_fill(p.a->mem + SRC, 64, i);
		one(&p, TSI721_RTYPE_ALL_NWRITE, t->destid, 0x100000ull * (w + 1) + i % 64, SRC, 64);
		check_done(&p);
		assert_true(rig_is_filled(t->mem + DST + w * 0x4000 + i % 64, 64, i));
	}
}

/* ---- misses ---- */

static void
window_bounds(void **state)
{
	struct pair p = pair_open(state, 4);
	static const uint64_t bad[] = { RIO - 1, RIO - 256, RIO + WIN, RIO + WIN + 4096, 0, 4096,
					RIO + (1ull << 34), ~0ull - 300 };
	unsigned int i;

	rig_fill(p.a->mem + SRC, 4096, 3);
	memset(p.b->mem, 0x5a, RIG_MEM_SIZE);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, bad[i], SRC, 1);
		check_abort(&p, NULL_ABORT_ERROR);
		one(&p, TSI721_RTYPE_NREAD, 1, bad[i], SRC, 1);
		check_abort(&p, NULL_ABORT_ERROR);
		one(&p, TSI721_RTYPE_LAST_NWRITE_R, 1, bad[i], SRC, 1);
		check_abort(&p, NULL_ABORT_ERROR);
		one(&p, TSI721_RTYPE_ALL_NWRITE, 1, bad[i], SRC, 1);
		check_done(&p);
		again(&p);
	}
	assert_int_equal(rig_stat(p.b, NULL_STAT_WINDOW_MISSES), 4 * i);
	for (i = 0; i < RIG_MEM_SIZE; i++)
		assert_int_equal(p.b->mem[i], 0x5a);
}

/* Address bits 65:64 are part of the address. */
static void
high_bits(void **state)
{
	struct pair p = pair_open(state, 0);
	struct tsi721_dma_desc *d;
	uint32_t hi2;

	for (hi2 = 1; hi2 < 4; hi2++) {
		d = rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
		d->raddr_hi = htole32(le32toh(d->raddr_hi) | hi2 << 30);
		rig_bdma_go(&p.dma);
		check_abort(&p, NULL_ABORT_ERROR);
	}
	assert_true(rig_is_zero(p.b->mem + DST, 64));
}

static void
over_the_end(void **state)
{
	struct pair p = pair_open(state, 4);
	uint8_t *end = p.b->mem + DST + WIN;

	rig_fill(p.a->mem + SRC, 8192, 4);

	/* What fits is written, what does not is not; only the last packet of LAST is answered. */
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO + WIN - 1000, SRC, 2000);
	check_done(&p);
	assert_true(rig_is_filled(end - 1000, 1000, 4));
	assert_true(rig_is_zero(end, 4096));
	memset(end - 1000, 0, 1000);
	one(&p, TSI721_RTYPE_LAST_NWRITE_R, 1, RIO + WIN - 1000, SRC, 2000);
	check_abort(&p, NULL_ABORT_ERROR);
	assert_true(rig_is_filled(end - 1000, 1000, 4));
	assert_true(rig_is_zero(end, 4096));

	/* Into the begin of the window. */
	one(&p, TSI721_RTYPE_LAST_NWRITE_R, 1, RIO - 5000, SRC, 6000);
	check_done(&p);
	assert_true(rig_is_zero(p.b->mem + DST - 4096, 4096));
	assert_memory_equal(p.b->mem + DST, p.a->mem + SRC + 5000, 1000);
	assert_true(rig_is_zero(p.b->mem + DST + 1000, 4096));
	again(&p);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO - 5000, SRC, 6000);
	check_abort(&p, NULL_ABORT_ERROR);

	/* A read over the end leaves what it has read. */
	memset(p.a->mem + SRC, 0, 8192);
	one(&p, TSI721_RTYPE_NREAD, 1, RIO + WIN - 1000, SRC, 2000);
	check_abort(&p, NULL_ABORT_ERROR);
	assert_true(rig_is_filled(p.a->mem + SRC, 1000, 4));
	assert_true(rig_is_zero(p.a->mem + SRC + 1000, 4096));
}

static void
nobody_there(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int i;

	/* Lost in the fabric: only what is answered is missed. */
	one(&p, TSI721_RTYPE_ALL_NWRITE, 77, RIO, SRC, 64);
	check_done(&p);
	again(&p);
	one(&p, TSI721_RTYPE_NREAD, 77, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_TIMEOUT);
	one(&p, TSI721_RTYPE_LAST_NWRITE_R, 77, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_TIMEOUT);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 0xff, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_TIMEOUT);

	/* The target's link, then the own one. */
	rig_wr(p.b, TSI721_DEVCTL, 0);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_TIMEOUT);
	rig_wr(p.b, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_done(&p);
	again(&p);
	rig_wr(p.a, TSI721_DEVCTL, 0);
	for (i = 0; i < 3; i++) {
		one(&p, writes[i], 1, RIO, SRC, 64);
		check_abort(&p, NULL_ABORT_TIMEOUT);
	}
}

static void
window_closed(void **state)
{
	struct pair p = pair_open(state, 0);

	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_done(&p);
	rig_ibwin_close(p.b, 0);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_ERROR);
	rig_fill(p.a->mem + SRC, 64, 5);
	rig_ibwin(p.b, 0, RIO, 0x1000, DST + 0x8000);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_done(&p);
	assert_true(rig_is_zero(p.b->mem + DST, 64));
	assert_true(rig_is_filled(p.b->mem + DST + 0x8000, 64, 5));
}

/* ---- own side of the bus ---- */

static void
bus_faults(void **state)
{
	struct pair p = pair_open(state, 0);
	uint64_t out = RIG_MEM_SIZE - 32;

	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, out, 64);
	check_abort(&p, NULL_ABORT_PCI);
	one(&p, TSI721_RTYPE_NREAD, 1, RIO, out, 64);
	check_abort(&p, NULL_ABORT_PCI);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, ~p.a->iova, 64);
	check_abort(&p, NULL_ABORT_PCI);

	/* Descriptors and FIFO where there is no memory. */
	rig_bdma_set(&p.dma, TSI721_DMAC_DPTRH, 0x7fffffff);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_PCI);
	rig_bdma_set(&p.dma, TSI721_DMAC_DPTRH, (uint32_t)(p.a->iova >> 32));
	rig_bdma_set(&p.dma, TSI721_DMAC_DSBH, 0x7fffffff);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_PCI);
	rig_bdma_set(&p.dma, TSI721_DMAC_DSBH, (uint32_t)(p.a->iova >> 32));
	rig_desc_link(&p.dma, 0x123456789a0ull);
	p.dma.nb++;
	rig_bdma_go(&p.dma);
	check_abort(&p, NULL_ABORT_PCI);

	/* Bus mastering off stops the own DMA, and what a peer would do here. */
	rig_master(p.a, false);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_PCI);
	rig_master(p.a, true);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_done(&p);
	rig_master(p.b, false);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_abort(&p, NULL_ABORT_ERROR);
	rig_master(p.b, true);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
	check_done(&p);
}

/* Data in the descriptor itself, of 1 to 15 bytes at any address. */
static void
immediate(void **state)
{
	struct pair p = pair_open(state, 0);
	struct tsi721_dma_desc *d;
	uint32_t rtype, len, off;

	for (rtype = TSI721_RTYPE_LAST_NWRITE_R; rtype <= TSI721_RTYPE_ALL_NWRITE_R; rtype++)
		for (len = 1; len <= TSI721_DMA_IMM_MAX; len++) {
			off = rtype + 2 * len;
			again(&p);
			memset(p.b->mem + DST, 0, 64);
			d = rig_desc_data(&p.dma, rtype, 1, RIO + off, SRC, len);
			d->type_id = htole32((le32toh(d->type_id) & ~TSI721_DMAD_DTYPE) |
					     TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT);
			rig_fill((uint8_t *)&d->bufptr_lo, 16, len);
			rig_bdma_go(&p.dma);
			check_done(&p);
			assert_true(rig_is_filled(p.b->mem + DST + off, len, len));
			assert_int_equal(p.b->mem[DST + off - 1], 0);
			assert_int_equal(p.b->mem[DST + off + len], 0);
		}
	again(&p);
	d = rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, 0, SRC, 8);
	d->type_id = htole32((le32toh(d->type_id) & ~TSI721_DMAD_DTYPE) |
			     TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT);
	rig_bdma_go(&p.dma);
	check_abort(&p, NULL_ABORT_ERROR);
}

static void
bad_descriptors(void **state)
{
	struct pair p = pair_open(state, 0);
	static const uint32_t types[] = { 0, 4, 5, 6, 7 };
	struct tsi721_dma_desc *d;
	uint32_t i;

	for (i = 0; i < 5; i++) {
		d = rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
		d->type_id = htole32((le32toh(d->type_id) & ~TSI721_DMAD_DTYPE) |
				     types[i] << TSI721_DTYPE_SHIFT);
		rig_bdma_go(&p.dma);
		check_abort(&p, NULL_ABORT_DESC);
	}
	for (i = 4; i < 16; i++) {
		one(&p, i, 1, RIO, SRC, 64);
		check_abort(&p, NULL_ABORT_DESC);
	}
	for (i = 2; i < 4; i++) {
		d = rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
		d->bcount |= htole32(i << TSI721_DMAD_TT_SHIFT);
		rig_bdma_go(&p.dma);
		check_abort(&p, NULL_ABORT_DESC);
		d = rig_desc_maint(&p.dma, false, 1, 0xff, 0, 0);
		d->bcount |= htole32(i << TSI721_DMAD_TT_SHIFT);
		rig_bdma_go(&p.dma);
		check_abort(&p, NULL_ABORT_DESC);
	}
	for (i = 0; i < 16; i++) {
		d = rig_desc_maint(&p.dma, false, 1, 0xff, 0, 0);
		d->bcount = htole32(i);
		if (i == 4)
			d->type_id = htole32(TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT | 1);
		rig_bdma_go(&p.dma);
		check_abort(&p, NULL_ABORT_DESC);
	}
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_ABORTS), 5 + 12 + 4 + 16);
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_DESCS), 0);
}

/* ---- ring and counts ---- */

static void
links_count(void **state)
{
	struct pair p = pair_open(state, 4);
	unsigned int lap, i;
	uint32_t count = 0;

	for (i = 0; i < 7; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO + i * 64, SRC + i * 64, 64);
	rig_desc_link(&p.dma, rig_desc_iova(&p.dma, 0));
	for (lap = 0; lap < 100; lap++) {
		rig_fill(p.a->mem + SRC, 7 * 64, lap);
		/* Up to the link, then the link with the next lap's first. */
		for (i = 0; i < 2; i++) {
			count += i == 0 ? 6 : 2;
			p.dma.nb = count;
			rig_bdma_go(&p.dma);
			check_done(&p);
			rig_bdma_set(&p.dma, TSI721_DMAC_DSRP, reg(&p, TSI721_DMAC_DSWP));
		}
		assert_true(rig_is_filled(p.b->mem + DST, 7 * 64, lap));
	}
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_DESCS), 800);

	/* Counts are free-running. */
	assert_int_equal(reg(&p, TSI721_DMAC_DWRCNT), 800);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 800);
}

/* A link's five lowest bits are no part of where it leads; a descriptor is 32-byte aligned. */
static void
link_low_bits(void **state)
{
	struct pair p = pair_open(state, 1);
	struct tsi721_dma_desc *d;
	uint32_t low;

	for (low = 0; low < TSI721_DMA_DESC_SIZE; low++) {
		again(&p);
		rig_fill(p.a->mem + SRC, 64, low);
		memset(p.b->mem + DST, 0, 64);
		rig_desc_link(&p.dma, rig_desc_iova(&p.dma, 3) | low);
		/* Those that would be met otherwise. */
		rig_desc_data(&p.dma, 9, 1, RIO, SRC, 64);
		rig_desc_data(&p.dma, 9, 1, RIO, SRC, 64);
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
		d = rig_desc_link(&p.dma, rig_desc_iova(&p.dma, 0) | low);
		/* Nor is anything else of it: other fields are whatever they are. */
		d->bcount = htole32(0xffffffff);
		d->type_id |= htole32(0xffffffff & ~TSI721_DMAD_DTYPE);
		p.dma.nb = 3;
		rig_bdma_go(&p.dma);
		check_done(&p);
		assert_true(rig_is_filled(p.b->mem + DST, 64, low));
		assert_int_equal(le64toh(p.dma.fifo[1]), rig_desc_iova(&p.dma, 3));
		assert_int_equal(le64toh(p.dma.fifo[2]), rig_desc_iova(&p.dma, 4));
	}
}

/* As Linux asks for maintenance: a descriptor and its link, DRDCNT + 2. */
static void
maint_ring(void **state)
{
	struct pair p = pair_open(state, 1);
	unsigned int i;
	uint32_t rd;

	rig_desc_maint(&p.dma, false, 1, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, 0);
	rig_desc_link(&p.dma, rig_desc_iova(&p.dma, 0));
	for (i = 0; i < 200; i++) {
		bool fail = i % 5 == 4;

		p.dma.ring[0].type_id = htole32(TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT |
						TSI721_RTYPE_MAINT_RD << TSI721_DMAD_RTYPE_SHIFT |
						(fail ? 99 : 1));
		p.dma.ring[0].bufptr_lo = 0xffffffff;
		rd = reg(&p, TSI721_DMAC_DRDCNT);
		rig_bdma_set(&p.dma, TSI721_DMAC_DWRCNT, rd + 2);
		if (fail) {
			check_abort(&p, NULL_ABORT_TIMEOUT);
			rig_bdma_set(&p.dma, TSI721_DMAC_DWRCNT, 0);
			assert_int_equal(reg(&p, TSI721_DMAC_STS), 0);
			assert_int_equal(reg(&p, TSI721_DMAC_INT), 0);
			continue;
		}
		p.dma.nb = rd + 2;
		check_done(&p);
		assert_int_equal(be32toh(p.dma.ring[0].bufptr_lo), 0x80ab0038);
		rig_bdma_set(&p.dma, TSI721_DMAC_DSRP, reg(&p, TSI721_DMAC_DSWP));
	}
}

static void
links_only(void **state)
{
	struct pair p = pair_open(state, 9);

	rig_desc_link(&p.dma, rig_desc_iova(&p.dma, 0));
	rig_bdma_set(&p.dma, TSI721_DMAC_DWRCNT, 0x7fffffff);
	check_abort(&p, NULL_ABORT_DESC);
}

/* Any number of links in one run, if there is work between them: of either kind. */
static void
links_and_work(void **state)
{
	struct pair p = pair_open(state, 6);
	uint32_t kind, times = 2 * 1024 + 1;

	for (kind = 0; kind < 2; kind++) {
		again(&p);
		if (kind == 0)
			rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 64);
		else
			rig_desc_maint(&p.dma, false, 1, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, 0);
		rig_desc_link(&p.dma, rig_desc_iova(&p.dma, 0));
		p.dma.nb = 2 * times;
		rig_bdma_go(&p.dma);
		check_done(&p);
	}
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_DESCS), 4 * times);
}

/* DPTR may be written before INIT or after it; INIT keeps it and the FIFO's base. */
static void
init_order(void **state)
{
	struct pair p = pair_open(state, 0);
	uint32_t lo = reg(&p, TSI721_DMAC_DPTRL), hi = reg(&p, TSI721_DMAC_DPTRH);

	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	check_done(&p);
	again(&p);
	assert_int_equal(reg(&p, TSI721_DMAC_DPTRL), lo);
	assert_int_equal(reg(&p, TSI721_DMAC_DPTRH), hi);
	assert_int_equal(reg(&p, TSI721_DMAC_DSBL), (uint32_t)(p.a->iova + FIFO));
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	check_done(&p);

	again(&p);
	rig_bdma_set(&p.dma, TSI721_DMAC_DPTRH, hi);
	rig_bdma_set(&p.dma, TSI721_DMAC_DPTRL, lo + 0x1000);
	p.dma.ring += 0x1000 / TSI721_DMA_DESC_SIZE;
	memset(p.a->mem + RING, 0, 64);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	check_done(&p);
	assert_int_equal(le64toh(p.dma.fifo[0]), rig_desc_iova(&p.dma, 0));
}

/* ---- status FIFO ---- */

static uint64_t
slot(struct pair *p, uint32_t line, uint32_t s)
{
	return le64toh(atomic_load(&p->dma.fifo[line * TSI721_STS_LINE_SLOTS + s]));
}

static void
fifo_lines(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int i;

	/* Three: the line is closed partly filled. */
	for (i = 0; i < 3; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 1);
	for (i = 0; i < 3; i++)
		assert_int_equal(slot(&p, 0, i), rig_desc_iova(&p.dma, i));
	assert_int_equal(slot(&p, 0, 3), 0);

	/* One: a new line. */
	rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 2);
	assert_int_equal(slot(&p, 0, 3), 0);
	assert_int_equal(slot(&p, 1, 0), rig_desc_iova(&p.dma, 3));
	assert_int_equal(slot(&p, 1, 1), 0);

	/* Eight fill one, no empty one is published. */
	for (i = 0; i < 8; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 3);
	for (i = 0; i < 8; i++)
		assert_int_equal(slot(&p, 2, i), rig_desc_iova(&p.dma, 4 + i));

	/* Nine take two. */
	for (i = 0; i < 9; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 5);
	assert_int_equal(slot(&p, 4, 0), rig_desc_iova(&p.dma, 20));
	assert_int_equal(slot(&p, 4, 1), 0);
	check_done(&p);
}

static void
fifo_full(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int i;

	/* 16 lines: 15 can be unread. */
	for (i = 0; i < 15 * 8 + 5; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO + i * 8, SRC + i * 8, 8);
	rig_fill(p.a->mem + SRC, (15 * 8 + 5) * 8, 6);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), TSI721_DMAC_INT_STFULL);
	assert_int_equal(reg(&p, TSI721_DMAC_STS), TSI721_DMAC_STS_RUN);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 15 * 8);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 15);
	assert_true(rig_is_zero(p.b->mem + DST + 15 * 8 * 8, 5 * 8));
	rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_STFULL);

	/* Reading a line lets it go on. */
	memset(p.a->mem + FIFO, 0, 64);
	rig_bdma_set(&p.dma, TSI721_DMAC_DSRP, 1);
	check_done(&p);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 0);
	assert_true(rig_is_filled(p.b->mem + DST, (15 * 8 + 5) * 8, 6));

	/* An abort is not held up by a full FIFO, and INIT empties it. */
	one(&p, 9, 1, RIO, SRC, 8);
	rig_bdma_set(&p.dma, TSI721_DMAC_DSRP, 1);
	rig_bdma_set(&p.dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	assert_int_equal(reg(&p, TSI721_DMAC_STS), 0);
}

static void
abort_keeps_done_ones(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int i;

	for (i = 0; i < 5; i++)
		rig_desc_data(&p.dma, i == 3 ? TSI721_RTYPE_NREAD : TSI721_RTYPE_ALL_NWRITE, 1,
			      i == 3 ? 0 : RIO + i * 64, SRC + i * 64, 64);
	rig_fill(p.a->mem + SRC, 5 * 64, 7);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 3);
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 1);
	for (i = 0; i < 3; i++)
		assert_int_equal(slot(&p, 0, i), rig_desc_iova(&p.dma, i));
	assert_int_equal(slot(&p, 0, 3), 0);
	assert_true(rig_is_filled(p.b->mem + DST, 3 * 64, 7));
	assert_true(rig_is_zero(p.b->mem + DST + 3 * 64, 4 * 64));
	/* Nothing runs until INIT. */
	rig_bdma_set(&p.dma, TSI721_DMAC_DWRCNT, 6);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 3);
	check_abort(&p, NULL_ABORT_ERROR);
}

static void
interrupt_on_finish(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		struct tsi721_dma_desc *d = rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO,
							  SRC, 8);

		if (i == 1)
			d->type_id |= htole32(TSI721_DMAD_IOF);
	}
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), TSI721_DMAC_INT_IOFDONE | DONE);
	/* It closes its line, so that its handler finds it. */
	assert_int_equal(reg(&p, TSI721_DMAC_DSWP), 2);
	assert_int_equal(slot(&p, 0, 1), rig_desc_iova(&p.dma, 1));
	assert_int_equal(slot(&p, 0, 2), 0);
	assert_int_equal(slot(&p, 1, 1), rig_desc_iova(&p.dma, 3));
}

/* ---- control and causes ---- */

static void
suspend(void **state)
{
	struct pair p = pair_open(state, 0);

	rig_bdma_set(&p.dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_SUSP);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), TSI721_DMAC_INT_SUSP);
	rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_SUSP);
	rig_fill(p.a->mem + SRC, 64, 8);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	assert_int_equal(reg(&p, TSI721_DMAC_STS), 0);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), 0);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 0);
	assert_true(rig_is_zero(p.b->mem + DST, 64));
	rig_bdma_set(&p.dma, TSI721_DMAC_CTL, 0);
	check_done(&p);
	assert_true(rig_is_filled(p.b->mem + DST, 64, 8));
}

/* One that has begun: it waits for room in its FIFO, and goes on only when it may do both. */
static void
suspend_full(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int i;

	for (i = 0; i < 15 * 8 + 5; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO + i * 8, SRC + i * 8, 8);
	rig_fill(p.a->mem + SRC, (15 * 8 + 5) * 8, 6);
	rig_bdma_go(&p.dma);
	assert_int_equal(reg(&p, TSI721_DMAC_STS), TSI721_DMAC_STS_RUN);
	rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
	rig_bdma_set(&p.dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_SUSP);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), TSI721_DMAC_INT_SUSP);
	assert_int_equal(reg(&p, TSI721_DMAC_STS), 0);
	rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_SUSP);
	rig_bdma_set(&p.dma, TSI721_DMAC_DSRP, 3);
	assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), 15 * 8);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), 0);
	assert_true(rig_is_zero(p.b->mem + DST + 15 * 8 * 8, 5 * 8));
	rig_bdma_set(&p.dma, TSI721_DMAC_CTL, 0);
	check_done(&p);
	assert_true(rig_is_filled(p.b->mem + DST, (15 * 8 + 5) * 8, 6));
}

#define SUSPENDED	4000u	/* descriptors of 128 bytes */

static uint32_t
settled(struct pair *p, bool (*is)(struct pair *p))
{
	uint64_t begin = null_now_ns();

	while (!is(p))
		assert_true(null_now_ns() - begin < 20000000000ull);
	return reg(p, TSI721_DMAC_DRDCNT);
}

static bool
has_begun(struct pair *p)
{
	return reg(p, TSI721_DMAC_DRDCNT) > 0;
}

static bool
is_suspended(struct pair *p)
{
	return (reg(p, TSI721_DMAC_INT) & TSI721_DMAC_INT_SUSP) != 0;
}

static bool
is_idle(struct pair *p)
{
	return (reg(p, TSI721_DMAC_INT) & DONE) != 0;
}

/*
 * One that runs in its device's thread: once SUSP is told of it does not move, and then it
 * goes on where it was; nothing is lost or done twice. In some rounds it ends first.
 */
static void
suspend_running(void **state)
{
	struct rig *rig = rig_open_exec(2, NULL_EXEC_THREAD);
	uint32_t round, i, at, caught = 0;
	void *rigs[] = { rig };
	struct pair p = pair_open(rigs, 6);

	(void)state;
	for (round = 0; round < 20 || (caught == 0 && round < 2000); round++) {
		again(&p);
		for (i = 0; i < SUSPENDED; i++)
			rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO + i * 128,
				      SRC + i * 128, 128);
		rig_fill(p.a->mem + SRC, SUSPENDED * 128, round);
		rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
		rig_bdma_go(&p.dma);
		settled(&p, has_begun);
		rig_bdma_set(&p.dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_SUSP);
		at = settled(&p, is_suspended);
		if (at < SUSPENDED) {
			caught++;
			assert_int_equal(reg(&p, TSI721_DMAC_STS), 0);
			assert_int_equal(reg(&p, TSI721_DMAC_INT), TSI721_DMAC_INT_SUSP);
			assert_true(rig_is_filled(p.b->mem + DST, at * 128, round));
			memset(p.b->mem + DST, 0, at * 128);
			usleep(200);
			assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), at);
			rig_bdma_set(&p.dma, TSI721_DMAC_CTL, 0);
			settled(&p, is_idle);
			assert_true(rig_is_zero(p.b->mem + DST, at * 128));
			assert_memory_equal(p.b->mem + DST + at * 128, p.a->mem + SRC + at * 128,
					    (SUSPENDED - at) * 128);
		}
		rig_bdma_set(&p.dma, TSI721_DMAC_CTL, 0);
		settled(&p, is_idle);
		assert_int_equal(reg(&p, TSI721_DMAC_DRDCNT), SUSPENDED);
		assert_int_equal(reg(&p, TSI721_DMAC_STS), 0);
	}
	assert_true(caught > 0);
	rig_close(rig);
}

/* Priority and critical request flow change which packet goes first, not what it does. */
static void
priorities(void **state)
{
	static const uint32_t rtypes[] = { TSI721_RTYPE_NREAD, TSI721_RTYPE_LAST_NWRITE_R,
					   TSI721_RTYPE_ALL_NWRITE, TSI721_RTYPE_ALL_NWRITE_R };
	struct pair p = pair_open(state, 0);
	struct tsi721_dma_desc *d;
	uint32_t i, prio, bits, to;

	for (i = 0; i < 4 * 8; i++) {
		prio = i / 4 % 4;
		bits = prio << TSI721_DMAD_PRIO_SHIFT | (i / 16 != 0 ? TSI721_DMAD_CRF : 0);
		to = i * 512;
		rig_fill(p.a->mem + SRC + to, 300, i);
		rig_fill(p.b->mem + DST + to, 300, i + 100);
		d = rig_desc_data(&p.dma, rtypes[i % 4], 1, RIO + to, SRC + to, 300);
		d->type_id |= htole32(bits);
		rig_bdma_go(&p.dma);
		check_done(&p);
		rig_bdma_set(&p.dma, TSI721_DMAC_DSRP, reg(&p, TSI721_DMAC_DSWP));
		assert_true(rig_is_filled(p.b->mem + DST + to, 300, i % 4 == 0 ? i + 100 : i));
		assert_true(rig_is_filled(p.a->mem + SRC + to, 300, i % 4 == 0 ? i + 100 : i));
		/* The rest of them, as of a request that fails, and of maintenance. */
		d = rig_desc_data(&p.dma, rtypes[i % 4], 1, RIO + WIN, SRC, 64);
		d->type_id |= htole32(bits);
		rig_bdma_go(&p.dma);
		if (rtypes[i % 4] == TSI721_RTYPE_ALL_NWRITE)
			check_done(&p);
		else
			check_abort(&p, NULL_ABORT_ERROR);
		again(&p);
		d = rig_desc_maint(&p.dma, false, 1, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, 0);
		d->type_id |= htole32(bits);
		rig_bdma_go(&p.dma);
		check_done(&p);
		again(&p);
	}
}

static void
vectors(void **state)
{
	struct pair p = pair_open(state, 0);
	unsigned int ch;

	rig_msix_on(p.a);
	for (ch = 0; ch < TSI721_DMAC_NUM; ch++) {
		rig_bdma_open(&p.dma, p.a, ch, RING, FIFO, 0);
		one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
		assert_int_equal(p.a->irqs, 0);
		/* Uncovered by the enable. */
		rig_bdma_set(&p.dma, TSI721_DMAC_INTE, TSI721_DMAC_INT_ALL);
		assert_int_equal(p.a->irqs, 1);
		assert_int_equal(p.a->irq[0].vector, TSI721_MSIX_DMACH_DONE(ch));
		/* Not again while the cause stands. */
		one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
		assert_int_equal(p.a->irqs, 1);
		check_done(&p);
		one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
		assert_int_equal(p.a->irqs, 2);
		check_done(&p);
		one(&p, 9, 1, RIO, SRC, 8);
		assert_int_equal(p.a->irqs, 3);
		assert_int_equal(p.a->irq[2].vector, TSI721_MSIX_DMACH_INT(ch));
		check_abort(&p, NULL_ABORT_DESC);
		rig_bdma_set(&p.dma, TSI721_DMAC_INTSET, TSI721_DMAC_INT_STFULL);
		assert_int_equal(p.a->irqs, 4);
		assert_int_equal(p.a->irq[3].vector, TSI721_MSIX_DMACH_INT(ch));
		assert_int_equal(reg(&p, TSI721_DMAC_INT), TSI721_DMAC_INT_STFULL);
		rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
		rig_irqs_forget(p.a);
	}
}

/* A tail that is not ahead does nothing. */
static void
nothing_to_do(void **state)
{
	struct pair p = pair_open(state, 0);

	rig_bdma_set(&p.dma, TSI721_DMAC_DWRCNT, 0);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), 0);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 8);
	check_done(&p);
	rig_bdma_set(&p.dma, TSI721_DMAC_DWRCNT, 1);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), 0);
}

/* ---- faults that are injected ---- */

static void
fault(struct pair *p, enum null_fault_kind kind, uint32_t arg)
{
	const struct null_fault f = { .kind = kind, .arg = arg };
	struct null_fabric *fab = p->a->dev->fab;

	null_link_fault_set(fab, atomic_load(&fab->sh->ep[p->b->dev->ep].link), &f);
}

static void
link_faults(void **state)
{
	struct pair p = pair_open(state, 4);
	unsigned int i, bad = 0;

	rig_fill(p.a->mem + SRC, 300, 1);
	fault(&p, NULL_FAULT_ERROR, 1);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 300);
	check_abort(&p, NULL_ABORT_ERROR);
	one(&p, TSI721_RTYPE_NREAD, 1, RIO, SRC, 300);
	check_abort(&p, NULL_ABORT_ERROR);
	assert_true(rig_is_zero(p.b->mem + DST, 300));
	assert_true(rig_is_filled(p.a->mem + SRC, 300, 1));
	fault(&p, NULL_FAULT_ERROR, 0);

	/* Done, but never answered; an NWRITE has no answer to miss. */
	fault(&p, NULL_FAULT_TIMEOUT, 1);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 300);
	check_abort(&p, NULL_ABORT_TIMEOUT);
	/* After the first packet nothing more is sent. */
	assert_true(rig_is_filled(p.b->mem + DST, 256, 1));
	assert_true(rig_is_zero(p.b->mem + DST + 256, 44));
	rig_fill(p.b->mem + DST, 300, 2);
	one(&p, TSI721_RTYPE_NREAD, 1, RIO, SRC, 300);
	check_abort(&p, NULL_ABORT_TIMEOUT);
	assert_true(rig_is_filled(p.a->mem + SRC, 300, 1));
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 300);
	check_done(&p);
	again(&p);
	fault(&p, NULL_FAULT_TIMEOUT, 0);

	fault(&p, NULL_FAULT_DROP, 1);
	memset(p.b->mem + DST, 0, 300);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 300);
	check_done(&p);
	again(&p);
	assert_true(rig_is_zero(p.b->mem + DST, 300));
	one(&p, TSI721_RTYPE_LAST_NWRITE_R, 1, RIO, SRC, 300);
	check_abort(&p, NULL_ABORT_TIMEOUT);
	fault(&p, NULL_FAULT_DROP, 0);

	/* One byte of each third write's data. */
	fault(&p, NULL_FAULT_CORRUPT, 3);
	for (i = 0; i < 300; i++) {
		one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 200);
		check_done(&p);
		bad += memcmp(p.b->mem + DST, p.a->mem + SRC, 200) != 0;
	}
	assert_int_equal(bad, 100);
	fault(&p, NULL_FAULT_CORRUPT, 0);
	one(&p, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO, SRC, 300);
	check_done(&p);
	assert_true(rig_is_filled(p.b->mem + DST, 300, 1));
}

static void
stuck_channel(void **state)
{
	struct pair p = pair_open(state, 0);

	null_stuck_set(p.a->dev->fab, p.a->dev->ep, NULL_STUCK_BDMA(0));
	rig_fill(p.a->mem + SRC, 64, 1);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 64);
	assert_int_equal(reg(&p, TSI721_DMAC_STS), TSI721_DMAC_STS_RUN);
	assert_int_equal(reg(&p, TSI721_DMAC_INT), 0);
	assert_true(rig_is_zero(p.b->mem + DST, 64));
	/* The others go on. */
	rig_bdma_open(&p.dma, p.a, 1, RING + 0x1000, FIFO + 0x1000, 0);
	one(&p, TSI721_RTYPE_ALL_NWRITE, 1, RIO + 64, SRC, 64);
	check_done(&p);
	/* At the next access it goes on. */
	null_stuck_set(p.a->dev->fab, p.a->dev->ep, 0);
	p.dma.ch = 0;
	check_done(&p);
	assert_true(rig_is_filled(p.b->mem + DST, 64, 1));
}

/* ---- threads ---- */

#define THREADS		4u
#define ROUNDS		2000u

struct worker {
	struct rig_dev *a, *b;
	unsigned int ch;
	pthread_t thread;
	bool ok;
};

/* A channel each, from and to own places. */
static void *
worker_channel(void *arg)
{
	struct worker *w = arg;
	uint32_t place = w->ch * 0x1000, i;
	struct rig_bdma dma;

	rig_bdma_open(&dma, w->a, w->ch, RING + place, FIFO + place, 0);
	w->ok = true;
	for (i = 0; i < ROUNDS && w->ok; i++) {
		rig_fill(w->a->mem + SRC + place, 200, i);
		dma.nb = 0;
		rig_bdma_set(&dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
		rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, w->b->destid, RIO + place,
			      SRC + place, 200);
		rig_bdma_go(&dma);
		while ((rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_RUN) != 0)
			;
		w->ok = rig_bdma_reg(&dma, TSI721_DMAC_STS) == 0 &&
			rig_is_filled(w->b->mem + DST + place, 200, i);
	}
	return NULL;
}

#define CLOSE_ROUNDS	40u
#define CLOSE_BLOCK	0x10000u
#define CLOSE_BLOCKS	64u

struct closer {
	struct rig_dev *a;
	uint32_t destid;
	_Atomic bool stop;
};

/* Over and over, all that the window shows. */
static void *
closer_write(void *arg)
{
	struct closer *c = arg;
	struct rig_bdma dma;
	uint32_t i;

	rig_bdma_open(&dma, c->a, 0, RING, FIFO, 0);
	while (!atomic_load(&c->stop)) {
		dma.nb = 0;
		rig_bdma_set(&dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
		for (i = 0; i < CLOSE_BLOCKS; i++)
			rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE, c->destid,
				      RIO + i * CLOSE_BLOCK % WIN, SRC, CLOSE_BLOCK);
		rig_bdma_go(&dma);
	}
	return NULL;
}

/* When the write that closes a window has returned, nothing is written through it any more. */
static void
closed_while_writing(void **state)
{
	struct pair p = pair_open(state, 0);
	struct closer c = { .a = p.a, .destid = p.b->destid };
	pthread_t thread;
	uint64_t descs;
	uint32_t n;

	memset(p.a->mem + SRC, 0x5a, CLOSE_BLOCK);
	assert_int_equal(pthread_create(&thread, NULL, closer_write, &c), 0);
	for (n = 0; n < CLOSE_ROUNDS; n++) {
		descs = rig_stat(p.a, NULL_STAT_BDMA_DESCS);
		while (rig_stat(p.a, NULL_STAT_BDMA_DESCS) < descs + 2 * CLOSE_BLOCKS)
			usleep(10 + n);
		rig_ibwin_close(p.b, 0);
		assert_int_equal(p.b->mem[DST], 0x5a);
		memset(p.b->mem + DST, 0, WIN);
		usleep(500);
		assert_true(rig_is_zero(p.b->mem + DST, WIN));
		rig_ibwin(p.b, 0, RIO, WIN, DST);
	}
	atomic_store(&c.stop, true);
	pthread_join(thread, NULL);
}

static void
channels_in_threads(void **state)
{
	struct rig *rig = *state;
	struct worker w[THREADS];
	unsigned int i;

	rig_ibwin(&rig->d[1], 0, RIO, WIN, DST);
	for (i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .a = &rig->d[0], .b = &rig->d[1], .ch = i };
		assert_int_equal(pthread_create(&w[i].thread, NULL, worker_channel, &w[i]), 0);
	}
	/* Meanwhile translations change. */
	for (i = 0; i < 200; i++) {
		rig_ibwin(&rig->d[1], 1, 0x1000, 0x1000, 0);
		rig_ibwin_close(&rig->d[1], 1);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		assert_true(w[i].ok);
	}
}

struct tail {
	struct rig_bdma *dma;
	_Atomic uint32_t *next;
	pthread_t thread;
};

static void *
worker_tail(void *arg)
{
	struct tail *t = arg;
	uint32_t n;

	/* Tails go up, but threads may overtake each other: what is missing comes last. */
	while ((n = atomic_fetch_add(t->next, 1)) < ROUNDS) {
		struct null_bdma_ch *c = &t->dma->d->dev->chip->bdma[t->dma->ch];
		uint32_t cur = atomic_load(&c->dwrcnt);

		while (cur < n + 1 && !atomic_compare_exchange_weak(&c->dwrcnt, &cur, n + 1))
			;
		null_bdma_run(t->dma->d->dev, t->dma->ch);
	}
	return NULL;
}

/* One channel kicked from several threads: every descriptor runs once. */
static void
one_channel_many_threads(void **state)
{
	struct pair p = pair_open(state, 8);
	_Atomic uint32_t next = 0;
	struct tail t[THREADS];
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		rig_desc_data(&p.dma, TSI721_RTYPE_ALL_NWRITE, 1, RIO + i * 64, SRC + i * 64, 64);
	rig_fill(p.a->mem + SRC, ROUNDS * 64, 1);
	for (i = 0; i < THREADS; i++) {
		t[i] = (struct tail){ .dma = &p.dma, .next = &next };
		assert_int_equal(pthread_create(&t[i].thread, NULL, worker_tail, &t[i]), 0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i].thread, NULL);
	check_done(&p);
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_DESCS), ROUNDS);
	assert_true(rig_is_filled(p.b->mem + DST, ROUNDS * 64, 1));
}

/* ---- anything at all ---- */

static uint32_t
rnd(uint64_t *s)
{
	*s = *s * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*s >> 32);
}

/* A descriptor as the specification reads it, apart from the engine. */
struct meant {
	uint32_t type, rtype, tt, destid;
	uint64_t addr, buf, len;
	uint32_t hi2;
	bool bad;		/* no such descriptor */
	bool own;		/* all of it is in own memory */
	bool far;		/* all of it is in the target's window */
	bool last;		/* its last packet is */
	uint64_t in, in_len;	/* what of it is in the window: offset in the block, length */
	enum null_resp route;
};

static void
in_window(struct meant *m)
{
	uint64_t begin = m->addr > RIO ? m->addr : RIO;
	uint64_t end = m->addr + m->len < RIO + WIN ? m->addr + m->len : RIO + WIN;
	uint64_t last = (m->addr + m->len - 1) & ~255ull;

	if (m->hi2 != 0 || m->addr + m->len < m->addr || m->route != NULL_RESP_DONE ||
	    begin >= end)
		return;
	m->in = begin - m->addr;
	m->in_len = end - begin;
	m->far = m->in_len == m->len;
	last = last > m->addr ? last : m->addr;
	m->last = last >= RIO && m->addr + m->len <= RIO + WIN;
}

static struct meant
meaning(struct pair *p, const struct tsi721_dma_desc *d)
{
	uint32_t w0 = le32toh(d->type_id), w1 = le32toh(d->bcount), faults, ep = UINT32_MAX;
	uint64_t hi = le32toh(d->raddr_hi);
	struct meant m = {
		.type = w0 >> TSI721_DTYPE_SHIFT,
		.rtype = (w0 & TSI721_DMAD_RTYPE) >> TSI721_DMAD_RTYPE_SHIFT,
		.tt = (w1 & TSI721_DMAD_TT) >> TSI721_DMAD_TT_SHIFT,
		.destid = w0 & TSI721_DMAD_DEVID,
		.addr = hi << 34 | (uint64_t)le32toh(d->raddr_lo) << 2 | w1 >> 30,
		.hi2 = (uint32_t)(hi >> 30),
		.buf = (uint64_t)le32toh(d->bufptr_hi) << 32 | le32toh(d->bufptr_lo),
		.len = w1 & TSI721_DMAD_BCOUNT1,
	};

	m.len = m.len != 0 ? m.len : TSI721_DMA_BLOCK_MAX;
	m.bad = m.type == 0 || m.type > TSI721_DTYPE_LINK;
	if (m.type == TSI721_DTYPE_DATA)
		m.bad = m.rtype > TSI721_RTYPE_ALL_NWRITE_R || m.tt > 1;
	if (m.type == TSI721_DTYPE_IMM)
		m.bad = (m.rtype != TSI721_RTYPE_MAINT_RD && m.rtype != TSI721_RTYPE_MAINT_WR) ||
			m.tt > 1 || (w1 & TSI721_DMAD_BCOUNT2) != 4;
	/* Immediate data are a block that lies in the descriptor. */
	if (m.type == TSI721_DTYPE_IMM && m.rtype >= TSI721_RTYPE_LAST_NWRITE_R &&
	    m.rtype <= TSI721_RTYPE_ALL_NWRITE_R) {
		m.type = TSI721_DTYPE_DATA;
		m.len = w1 & TSI721_DMAD_BCOUNT2;
		m.bad = m.tt > 1 || m.len == 0;
		m.buf = rig_desc_iova(&p->dma, 0) + TSI721_DMA_DATA_IDX * 4;
	}
	if (m.type != TSI721_DTYPE_DATA || m.bad)
		return m;
	m.own = m.buf >= p->a->iova && m.buf - p->a->iova < RIG_MEM_SIZE &&
		m.len <= RIG_MEM_SIZE - (m.buf - p->a->iova);
	m.route = null_fabric_route(p->a->dev->fab, p->a->dev->ep, m.destid, m.tt, &ep, &faults);
	if (m.route == NULL_RESP_DONE && ep != p->b->dev->ep)
		m.hi2 = 1;		/* one without windows */
	in_window(&m);
	return m;
}

/* The code that a data descriptor ends with when own memory is there. */
static uint32_t
far_code(const struct meant *m)
{
	if (m->far || m->rtype == TSI721_RTYPE_ALL_NWRITE ||
	    (m->rtype == TSI721_RTYPE_LAST_NWRITE_R && m->last))
		return 0;
	return m->route == NULL_RESP_DONE || m->route == NULL_RESP_ERROR ? NULL_ABORT_ERROR :
	       NULL_ABORT_TIMEOUT;
}

static bool
code_right(const struct meant *m, uint32_t code)
{
	if (m->bad)
		return code == NULL_ABORT_DESC;
	if (m->type == TSI721_DTYPE_LINK)
		return code == 0;
	if (m->type == TSI721_DTYPE_IMM)
		return code == 0 || code == NULL_ABORT_ERROR || code == NULL_ABORT_TIMEOUT;
	if (m->own)
		return code == far_code(m);
	/* Which side is seen first is the engine's. */
	return code == NULL_ABORT_PCI || (!m->far && code == far_code(m));
}

/* DONE or ERR alone, counts and FIFO as they belong to it. */
static void
check_end(struct pair *p, uint32_t code)
{
	assert_int_equal(reg(p, TSI721_DMAC_STS) & ~TSI721_DMAC_STS_CS,
			 code != 0 ? TSI721_DMAC_STS_ABORT : 0);
	assert_int_equal(reg(p, TSI721_DMAC_INT) & ~TSI721_DMAC_INT_IOFDONE, code != 0 ? ERR : DONE);
	assert_int_equal(reg(p, TSI721_DMAC_DRDCNT), code == 0);
	assert_int_equal(reg(p, TSI721_DMAC_DSWP), code == 0);
	assert_int_equal(le64toh(p->dma.fifo[0]), code == 0 ? rig_desc_iova(&p->dma, 0) : 0);
}

/* Both memories as they must be: `mem` is what they were, and becomes what they are. */
static void
check_effect(struct pair *p, const struct meant *m, uint32_t code, uint8_t *mem[2])
{
	bool read = m->rtype == TSI721_RTYPE_NREAD, whole = m->own && m->far;
	uint64_t own = m->buf - p->a->iova, far = DST + (m->addr - RIO), n;

	/* The engine's own: the descriptor, where maintenance reads land, and the FIFO. */
	memcpy(mem[0] + RING, p->a->mem + RING, TSI721_DMA_DESC_SIZE);
	memcpy(mem[0] + FIFO, p->a->mem + FIFO, TSI721_STS_LINE_SIZE);
	if (m->type != TSI721_DTYPE_DATA || m->bad)
		return;
	if (whole && code == 0) {
		memcpy(read ? mem[0] + own : mem[1] + far, read ? mem[1] + far : mem[0] + own,
		       m->len);
		assert_memory_equal(read ? p->a->mem + own : p->b->mem + far,
				    read ? mem[0] + own : mem[1] + far, m->len);
		return;
	}
	/* Half done: anything in what it names, and nothing else. */
	n = m->len < RIG_MEM_SIZE - own ? m->len : RIG_MEM_SIZE - own;
	if (read && own < RIG_MEM_SIZE)
		memcpy(mem[0] + own, p->a->mem + own, n);
	if (!read && m->in_len > 0)
		memcpy(mem[1] + far + m->in, p->b->mem + far + m->in, m->in_len);
}

#ifdef TEST_SHORT
#define RANDOM_DESCS	10000u
#else
#define RANDOM_DESCS	100000u
#endif

/*
 * Random ones end as they must, one way or another, and change what they name alone.
 * All of both devices' memory is compared now and then.
 */
static void
random_descriptors(void **state)
{
	struct pair p = pair_open(state, 0);
	uint8_t *mem[2] = { malloc(RIG_MEM_SIZE), malloc(RIG_MEM_SIZE) };
	uint32_t ends[NULL_ABORT_DESC + 1] = { 0 }, code;
	uint64_t seed = 20260101;
	unsigned int i, w;
	struct meant m;

	assert_true(mem[0] != NULL && mem[1] != NULL);
	rig_fill(p.a->mem + SRC, RIG_MEM_SIZE - SRC, 1);
	rig_fill(p.b->mem, RIG_MEM_SIZE, 2);
	memcpy(mem[0], p.a->mem, RIG_MEM_SIZE);
	memcpy(mem[1], p.b->mem, RIG_MEM_SIZE);
	for (i = 0; i < RANDOM_DESCS; i++) {
		struct tsi721_dma_desc *d;

		again(&p);
		rig_bdma_set(&p.dma, TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
		memset(p.a->mem + FIFO, 0, TSI721_STS_LINE_SIZE);
		/* Half are near the window's edges, the rest has any bits. */
		d = rig_desc_data(&p.dma, rnd(&seed) % 5, rnd(&seed) % 4 == 0 ? 0 : 1,
				  RIO + (rnd(&seed) % 2 == 0 ? WIN : 0) + rnd(&seed) % 1024 - 512,
				  SRC + rnd(&seed) % 1024, 1 + rnd(&seed) % 1024);
		for (w = 0; i % 2 != 0 && w < 4; w++)
			((uint32_t *)(void *)d)[rnd(&seed) % 6] ^= rnd(&seed) & rnd(&seed);
		m = meaning(&p, d);
		/* A block over the ring or the FIFO: they would be what it makes of them. */
		if (m.rtype == TSI721_RTYPE_NREAD && m.buf - p.a->iova < SRC)
			continue;
		rig_bdma_go(&p.dma);
		code = abort_code(&p);
		if (!code_right(&m, code))
			fail_msg("%u: type %u, rtype %u, tt %u, ID %u, 0x%x%016llx, bus 0x%llx, %llu bytes: code %u",
				 i, m.type, m.rtype, m.tt, m.destid, m.hi2,
				 (unsigned long long)m.addr, (unsigned long long)m.buf,
				 (unsigned long long)m.len, code);
		check_end(&p, code);
		check_effect(&p, &m, code, mem);
		ends[code]++;
		if (i % 500 == 499) {
			assert_memory_equal(p.a->mem, mem[0], RIG_MEM_SIZE);
			assert_memory_equal(p.b->mem, mem[1], RIG_MEM_SIZE);
		}
	}
	for (i = 0; i <= NULL_ABORT_DESC; i++)
		assert_true(ends[i] > RANDOM_DESCS / 1000);
	assert_int_equal(rig_stat(p.a, NULL_STAT_BDMA_ABORTS),
			 ends[1] + ends[2] + ends[3] + ends[4]);
	free(mem[0]);
	free(mem[1]);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rig_setup2, rig_teardown)
	const struct CMUnitTest tests[] = {
		T(write_sizes), T(read_sizes), T(large), T(failed_bytes), T(count_zero),
		T(pieces), T(loopback),
		cmocka_unit_test_setup_teardown(windows_and_targets_alternate, rig_setup3,
						rig_teardown),
		T(window_bounds), T(high_bits), T(over_the_end), T(nobody_there),
		T(window_closed), T(bus_faults), T(bad_descriptors), T(immediate), T(links_count), T(link_low_bits),
		T(maint_ring), T(links_only), T(links_and_work), T(init_order), T(fifo_lines), T(fifo_full),
		T(abort_keeps_done_ones), T(interrupt_on_finish), T(suspend), T(suspend_full),
		cmocka_unit_test(suspend_running), T(priorities), T(vectors),
		T(nothing_to_do), T(link_faults), T(stuck_channel),
		T(channels_in_threads), T(closed_while_writing), T(one_channel_many_threads),
		T(random_descriptors),
	};

	return cmocka_run_group_tests_name("null_bdma", tests, NULL, NULL);
}
