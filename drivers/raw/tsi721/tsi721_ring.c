/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_memzone.h>

#include "tsi721_ring.h"

const struct tsi721_ring_kind tsi721_ring_bdma = {
	.name = "dma",
	.dptrl = TSI721_DMAC_DPTRL,
	.dptrh = TSI721_DMAC_DPTRH,
	.dsbl = TSI721_DMAC_DSBL,
	.dsbh = TSI721_DMAC_DSBH,
	.dssz = TSI721_DMAC_DSSZ,
	.dsrp = TSI721_DMAC_DSRP,
	.link_type = TSI721_DTYPE_LINK << TSI721_DTYPE_SHIFT,
	.link_word = 2,		/* raddr_lo */
	.shift = 5,
};

const struct tsi721_ring_kind tsi721_ring_omsg = {
	.name = "omsg",
	.dptrl = TSI721_OBDMAC_DPTRL(0) - TSI721_MSG_BASE(0),
	.dptrh = TSI721_OBDMAC_DPTRH(0) - TSI721_MSG_BASE(0),
	.dsbl = TSI721_OBDMAC_DSBL(0) - TSI721_MSG_BASE(0),
	.dsbh = TSI721_OBDMAC_DSBH(0) - TSI721_MSG_BASE(0),
	.dssz = TSI721_OBDMAC_DSSZ(0) - TSI721_MSG_BASE(0),
	.dsrp = TSI721_OBDMAC_DSRP(0) - TSI721_MSG_BASE(0),
	.ctl = TSI721_OBDMAC_CTL_RETRY_THR,
	.link_type = TSI721_DTYPE_OMSG_LINK << TSI721_DTYPE_SHIFT,
	.link_word = 2,		/* bufptr_lo */
	.shift = 4,
};

static inline uint32_t
ring_read(struct tsi721_ring *r, uint32_t reg)
{
	return tsi721_read32(r->dev, r->base + reg);
}

static inline void
ring_write(struct tsi721_ring *r, uint32_t reg, uint32_t val)
{
	tsi721_write32(r->dev, r->base + reg, val);
}

/* The channel as after reset, reading descriptors from slot `index` on. */
static void
ring_hw_init(struct tsi721_ring *r, uint32_t index)
{
	uint64_t dptr = r->desc_iova + ((uint64_t)(index & r->mask) << r->shift);
	uint32_t lines = (r->sts_mask + 1) / TSI721_STS_LINE_SLOTS;

	ring_write(r, r->kind->dptrh, (uint32_t)(dptr >> 32));
	ring_write(r, r->kind->dptrl, (uint32_t)dptr);
	ring_write(r, r->kind->dsbh, (uint32_t)(r->sts_mz->iova >> 32));
	ring_write(r, r->kind->dsbl, (uint32_t)r->sts_mz->iova);
	ring_write(r, r->kind->dssz, tsi721_ring_code(lines));
	ring_write(r, TSI721_RING_INTE, 0);
	ring_write(r, TSI721_RING_INT, TSI721_RING_INT_ALL);
	ring_write(r, TSI721_RING_CTL, r->kind->ctl | TSI721_RING_CTL_INIT);
	/* Read back, so that the write has arrived; the chip then takes its time. */
	ring_read(r, TSI721_RING_CTL);
	rte_delay_us_block(10);

	memset(r->sts, 0, (size_t)lines * TSI721_STS_LINE_SIZE);
	r->sts_pos = 0;
	r->sts_reported = 0;
	r->idle = 0;
	r->idle_limit = TSI721_RING_IDLE;
}

int
tsi721_ring_open(struct tsi721_ring *r, struct tsi721_device *dev,
		 const struct tsi721_ring_kind *kind, unsigned int nr, uint32_t base,
		 unsigned int nb_desc, int socket_id)
{
	uint32_t lines, *link;

	if (nb_desc < TSI721_RING_MIN || nb_desc > TSI721_RING_MAX || !rte_is_power_of_2(nb_desc)) {
		TSI721_LOG(ERR, dev, "%s %u: %u descriptors: allowed are powers of two, %u to %u",
			   kind->name, nr, nb_desc, TSI721_RING_MIN, TSI721_RING_MAX);
		return -EINVAL;
	}
	/*
	 * Each completion, and that of the link, may take a line of its own. So
	 * with nb_desc + 1 out and a quarter of the lines read but not reported,
	 * the FIFO of twice nb_desc lines cannot overflow.
	 */
	lines = nb_desc * 2;

	memset(r, 0, sizeof(*r));
	r->dev = dev;
	r->kind = kind;
	r->nr = nr;
	r->base = base;
	r->shift = kind->shift;
	r->mask = nb_desc - 1;
	r->sts_mask = lines * TSI721_STS_LINE_SLOTS - 1;
	r->sts_lazy = lines / 4;

	r->desc_mz = tsi721_ring_alloc(dev, kind->name, nr,
				       (size_t)(nb_desc + 1) << kind->shift, socket_id);
	if (r->desc_mz == NULL)
		return -ENOMEM;
	r->sts_mz = tsi721_ring_alloc(dev, kind == &tsi721_ring_bdma ? "dsts" : "osts", nr,
				      (size_t)lines * TSI721_STS_LINE_SIZE, socket_id);
	if (r->sts_mz == NULL) {
		tsi721_ring_free(r->desc_mz);
		return -ENOMEM;
	}
	r->desc = r->desc_mz->addr;
	r->desc_iova = r->desc_mz->iova;
	r->sts = r->sts_mz->addr;

	link = (uint32_t *)((uint8_t *)r->desc + ((size_t)nb_desc << r->shift));
	link[0] = rte_cpu_to_le_32(kind->link_type);
	link[kind->link_word] = rte_cpu_to_le_32((uint32_t)r->desc_iova);
	link[kind->link_word + 1] = rte_cpu_to_le_32((uint32_t)(r->desc_iova >> 32));
	rte_io_wmb();

	ring_hw_init(r, 0);
	return 0;
}

void
tsi721_ring_close(struct tsi721_ring *r)
{
	unsigned int us = 0;

	/* Let the request under way end, so that INIT cannot cut a write to memory in two. */
	if (ring_read(r, TSI721_RING_STS) & TSI721_RING_STS_RUN) {
		ring_write(r, TSI721_RING_CTL, r->kind->ctl | TSI721_RING_CTL_SUSP);
		while ((ring_read(r, TSI721_RING_STS) & TSI721_RING_STS_RUN) && us++ < 1000)
			rte_delay_us_block(1);
	}
	ring_write(r, TSI721_RING_CTL, r->kind->ctl | TSI721_RING_CTL_INIT);
	ring_read(r, TSI721_RING_CTL);
	rte_delay_us_block(10);
	ring_write(r, TSI721_RING_INT, TSI721_RING_INT_ALL);

	tsi721_ring_free(r->desc_mz);
	tsi721_ring_free(r->sts_mz);
}

void
tsi721_ring_restart(struct tsi721_ring *r)
{
	uint32_t slot = r->head & r->mask;
	uint32_t links_tail = (slot + (r->tail - r->head)) / (r->mask + 1);
	uint32_t links_kicked = (slot + (r->kicked - r->head)) / (r->mask + 1);

	ring_hw_init(r, r->head);
	r->dwrcnt = r->tail - r->head + links_tail;
	/* What stands behind a failure often fails alike: look again at the next poll. */
	r->idle_head = r->head;
	r->idle = 0;
	r->idle_limit = 1;
	if (r->kicked != r->head) {
		rte_io_wmb();
		ring_write(r, TSI721_RING_DWRCNT, r->kicked - r->head + links_kicked);
	}
}

uint32_t
tsi721_ring_look(struct tsi721_ring *r)
{
	uint32_t sts = ring_read(r, TSI721_RING_STS);

	/* A read's answer comes behind the device's earlier writes. */
	rte_io_rmb();
	tsi721_ring_drain(r);
	return sts;
}

bool
tsi721_ring_waiting(struct tsi721_ring *r)
{
	if (r->head == r->reaped && r->kicked != r->head &&
	    !(tsi721_ring_look(r) & TSI721_RING_STS_RUN))
		return true;
	return r->head != r->reaped;
}

int
tsi721_ring_errno(uint32_t sts)
{
	switch (TSI721_RING_STS_CS(sts)) {
	case 2:
		return -ETIMEDOUT;
	case 3:
		return -EFAULT;
	default:
		return -EIO;
	}
}
