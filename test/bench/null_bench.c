/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What an operation of the null device costs, within one process: block DMA
 * writes in bursts, and doorbells. Prints the best and the median round.
 *
 * usage: null_bench [ROUNDS [OPERATIONS_PER_ROUND]]
 */

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "null_internal.h"

#define MEM_SIZE	0x1000000u
#define RING		0x000000u
#define FIFO		0x100000u
#define SRC		0x200000u
#define DST		0x800000u
#define IDQ		0x400000u
#define WIN		0x400000u
#define RIO		0x10000000u
#define NB_DESCS	4096u		/* the last one links back */
#define NB_BUFFERS	1024u
#define DSSZ		6u
#define BURST		32u
#define IDQ_CODE	5u
#define ROUNDS_MAX	1000u

struct node {
	struct null_device *dev;
	uint8_t *mem;
	uint64_t iova;
};

static struct node nodes[2];

static void
wr(struct node *n, uint32_t off, uint32_t val)
{
	null_device_write32(n->dev, TSI721_BAR_REGS, off, val);
}

static uint32_t
rd(struct node *n, uint32_t off)
{
	return null_device_read32(n->dev, TSI721_BAR_REGS, off);
}

static void
node_open(struct node *n, unsigned int i)
{
	const struct null_device_params p = {
		.fabric = "bench", .destid = (int)i, .host = -1,
	};
	const uint16_t cmd = htole16(0x6);
	char err[NULL_ERR_LEN];

	if (null_device_open(&p, &n->dev, err, sizeof(err)) != 0) {
		fprintf(stderr, "null_bench: %s\n", err);
		exit(1);
	}
	n->mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	n->iova = 0x100000000ull * (i + 1);
	if (n->mem == MAP_FAILED ||
	    null_device_dma_map(n->dev, n->iova, MEM_SIZE, n->mem, -1, 0) != 0) {
		fprintf(stderr, "null_bench: no memory\n");
		exit(1);
	}
	null_device_cfg_write(n->dev, NULL_CFG_COMMAND, &cmd, sizeof(cmd));
	wr(n, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
}

static void
receiver_open(struct node *n)
{
	uint64_t dst = n->iova + DST, idq = n->iova + IDQ;

	wr(n, TSI721_IBWIN_SZ(0), (uint32_t)__builtin_ctz(WIN / 0x1000) << 8);
	wr(n, TSI721_IBWIN_UB(0), 0);
	wr(n, TSI721_IBWIN_TUA(0), (uint32_t)(dst >> 32));
	wr(n, TSI721_IBWIN_TLA(0), (uint32_t)dst);
	wr(n, TSI721_IBWIN_LB(0), RIO | TSI721_IBWIN_LB_WEN);

	wr(n, TSI721_IDQ_SIZE(0), IDQ_CODE);
	wr(n, TSI721_IDQ_BASEU(0), (uint32_t)(idq >> 32));
	wr(n, TSI721_IDQ_BASEL(0), (uint32_t)idq);
	wr(n, TSI721_IDQ_MASK(0), 0);
	wr(n, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
}

static void
sender_open(struct node *n, uint32_t len)
{
	struct tsi721_dma_desc *d = (struct tsi721_dma_desc *)(void *)(n->mem + RING);
	uint64_t ring = n->iova + RING, fifo = n->iova + FIFO;
	uint32_t i, base = TSI721_DMAC_BASE(0);

	memset(d, 0, NB_DESCS * sizeof(*d));
	for (i = 0; i < NB_DESCS - 1; i++) {
		uint32_t at = i % NB_BUFFERS * (len < 64 ? 64 : len);
		uint64_t src = n->iova + SRC + at, rio = RIO + at;

		d[i].type_id = htole32(TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT |
				       TSI721_RTYPE_ALL_NWRITE << TSI721_DMAD_RTYPE_SHIFT | 1);
		d[i].bcount = htole32(len);
		d[i].raddr_lo = htole32((uint32_t)(rio >> 2));
		d[i].bufptr_lo = htole32((uint32_t)src);
		d[i].bufptr_hi = htole32((uint32_t)(src >> 32));
	}
	d[i].type_id = htole32(TSI721_DTYPE_LINK << TSI721_DTYPE_SHIFT);
	d[i].raddr_lo = htole32((uint32_t)ring);
	d[i].raddr_hi = htole32((uint32_t)(ring >> 32));

	wr(n, base + TSI721_DMAC_DPTRH, (uint32_t)(ring >> 32));
	wr(n, base + TSI721_DMAC_DPTRL, (uint32_t)ring);
	wr(n, base + TSI721_DMAC_DSBH, (uint32_t)(fifo >> 32));
	wr(n, base + TSI721_DMAC_DSBL, (uint32_t)fifo);
	wr(n, base + TSI721_DMAC_DSSZ, DSSZ);
	wr(n, base + TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
}

/* ---- rounds ---- */

static double times[ROUNDS_MAX];

static int
cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void
report(const char *what, unsigned int rounds)
{
	qsort(times, rounds, sizeof(times[0]), cmp);
	printf("%-44s %7.1f ns median %7.1f ns best\n", what, times[rounds / 2], times[0]);
}

static double
dma_round(struct node *n, uint32_t ops)
{
	uint32_t base = TSI721_DMAC_BASE(0), tail = rd(n, base + TSI721_DMAC_DRDCNT), i;
	uint64_t t = null_now_ns();

	for (i = 0; i < ops; i += BURST) {
		tail += BURST;
		wr(n, base + TSI721_DMAC_DWRCNT, tail);
		wr(n, base + TSI721_DMAC_DSRP, rd(n, base + TSI721_DMAC_DSWP));
	}
	t = null_now_ns() - t;
	if (rd(n, base + TSI721_DMAC_STS) != 0 || rd(n, base + TSI721_DMAC_DRDCNT) != tail) {
		fprintf(stderr, "null_bench: the channel stopped\n");
		exit(1);
	}
	return (double)t / i;
}

static double
doorbell_round(struct node *from, struct node *to, uint32_t ops)
{
	uint32_t i, k, rp = rd(to, TSI721_IDQ_WP(0));
	uint64_t t = null_now_ns();

	for (i = 0; i < ops; i += BURST) {
		for (k = 0; k < BURST; k++)
			null_device_odb_write(from->dev, TSI721_ODB_OFFSET(0, 1), (uint16_t)k);
		rp = (rp + BURST) % TSI721_RING_ENTRIES(IDQ_CODE);
		wr(to, TSI721_IDQ_RP(0), rp);
	}
	t = null_now_ns() - t;
	if (rd(to, TSI721_IDQ_WP(0)) != rp) {
		fprintf(stderr, "null_bench: doorbells are missing\n");
		exit(1);
	}
	return (double)t / i;
}

int
main(int argc, char **argv)
{
	static const uint32_t lens[] = { 8, 64, 256, 1024 };
	unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 51, i, k;
	uint32_t ops = argc > 2 ? (uint32_t)atoi(argv[2]) : 100000;
	char what[64];

	if (rounds == 0 || rounds > ROUNDS_MAX || ops == 0) {
		fprintf(stderr, "usage: null_bench [1..%u [OPERATIONS]]\n", ROUNDS_MAX);
		return 2;
	}
	for (i = 0; i < 2; i++)
		node_open(&nodes[i], i);
	receiver_open(&nodes[1]);
	for (k = 0; k < sizeof(lens) / sizeof(lens[0]); k++) {
		sender_open(&nodes[0], lens[k]);
		dma_round(&nodes[0], ops);
		for (i = 0; i < rounds; i++)
			times[i] = dma_round(&nodes[0], ops);
		snprintf(what, sizeof(what), "NWRITE descriptor, %u bytes, bursts of %u", lens[k],
			 BURST);
		report(what, rounds);
	}
	for (i = 0; i < rounds; i++)
		times[i] = doorbell_round(&nodes[0], &nodes[1], ops);
	report("doorbell", rounds);
	for (i = 0; i < 2; i++) {
		null_device_close(nodes[i].dev);
		munmap(nodes[i].mem, MEM_SIZE);
	}
	return 0;
}
