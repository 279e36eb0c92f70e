/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_RING_H
#define TSI721_RING_H

/*
 * What block DMA channels and outbound message channels have in common: a ring
 * of descriptors whose last one links back to the first, counts that go up for
 * ever (links included), and a status FIFO in memory that says what has ended.
 * For the files of this folder.
 *
 * Indexes (tail, kicked, head, reaped) count descriptors without links and are
 * free-running; the slot is the index modulo the size. Always
 * reaped <= head <= kicked <= tail <= reaped + size.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "tsi721_device.h"

/* Registers from a channel's base; those common to both kinds of channel. */
#define TSI721_RING_DWRCNT	0x00u
#define TSI721_RING_CTL		0x08u
#define   TSI721_RING_CTL_SUSP	0x00000002u
#define   TSI721_RING_CTL_INIT	0x00000001u
#define TSI721_RING_INT		0x0cu
#define   TSI721_RING_INT_ALL	0x0000001fu
#define TSI721_RING_STS		0x14u
#define   TSI721_RING_STS_ABORT	0x00400000u
#define   TSI721_RING_STS_RUN	0x00200000u
#define   TSI721_RING_STS_CS(sts)	(((sts) >> 16) & 0x1fu)
#define TSI721_RING_INTE	0x18u

/* Where the two kinds differ. */
struct tsi721_ring_kind {
	const char *name;
	uint32_t dptrl, dptrh;		/* descriptor pointer */
	uint32_t dsbl, dsbh, dssz, dsrp; /* status FIFO */
	uint32_t ctl;			/* bits kept set in the control register */
	uint32_t link_type;		/* first word of a link descriptor */
	unsigned int link_word;		/* word of a link descriptor that holds the address */
	unsigned int shift;		/* log2 of a descriptor's size */
};
extern const struct tsi721_ring_kind tsi721_ring_bdma, tsi721_ring_omsg;

#define TSI721_RING_MIN		32u
#define TSI721_RING_MAX		32768u

#define TSI721_RING_IDLE	16u
#define TSI721_RING_IDLE_MAX	1024u

struct tsi721_ring {
	/* Filling. */
	void *desc;
	uint32_t mask;			/* size - 1 */
	uint32_t tail;			/* staged */
	uint32_t kicked;		/* of them known to the device */
	uint32_t dwrcnt;		/* tail as the channel counts it */
	struct tsi721_device *dev;
	uint32_t base;			/* of the channel's registers */
	unsigned int shift;

	/* Completion. */
	uint64_t *sts;			/* status FIFO */
	uint64_t desc_iova;
	uint32_t head;			/* ended */
	uint32_t reaped;		/* and handed out */
	uint32_t sts_pos;		/* next slot of the FIFO to look at */
	uint32_t sts_mask;		/* slots - 1 */
	uint32_t sts_reported;		/* line last written to DSRP */
	uint32_t sts_lazy;		/* lines that may be read before DSRP is written */
	uint32_t idle_head;		/* head when the last news came */
	uint32_t idle, idle_limit;	/* polls since; after how many to look at the channel */
	uint64_t bad_sts;		/* FIFO entries that made no sense */

	const struct tsi721_ring_kind *kind;
	const struct rte_memzone *desc_mz, *sts_mz;
	unsigned int nr;		/* of the channel, for names and logs */
};

/** Allocate the memory of a ring of nb_desc and initialise its channel. 0, -EINVAL, -ENOMEM. */
int tsi721_ring_open(struct tsi721_ring *r, struct tsi721_device *dev,
		     const struct tsi721_ring_kind *kind, unsigned int nr, uint32_t base,
		     unsigned int nb_desc, int socket_id);
/** Stop the channel, free the memory. */
void tsi721_ring_close(struct tsi721_ring *r);
/** After an abort: INIT, and have what was kicked from `head` on run again. */
void tsi721_ring_restart(struct tsi721_ring *r);
/** Look at the channel: its status register. Everything it had written before is in the FIFO. */
uint32_t tsi721_ring_look(struct tsi721_ring *r);
/**
 * Before sleeping: whether there is something to reap, or the channel stands still with work
 * out. Looks at the channel when work is out.
 */
bool tsi721_ring_waiting(struct tsi721_ring *r);
/** -EIO, -ETIMEDOUT or -EFAULT for the code of an aborted channel. */
int tsi721_ring_errno(uint32_t sts);

static inline uint32_t
tsi721_ring_room(const struct tsi721_ring *r)
{
	return r->mask + 1 - (r->tail - r->reaped);
}

static inline void *
tsi721_ring_slot(const struct tsi721_ring *r, uint32_t index)
{
	return (uint8_t *)r->desc + ((size_t)(index & r->mask) << r->shift);
}

/* One more descriptor is staged; the link behind the last slot is counted with it. */
static inline void
tsi721_ring_advance(struct tsi721_ring *r)
{
	r->tail++;
	r->dwrcnt += 1 + ((r->tail & r->mask) == 0);
}

static inline void
tsi721_ring_kick(struct tsi721_ring *r)
{
	if (r->tail == r->kicked)
		return;
	/* Descriptors must be in memory before the device is told of them. */
	rte_io_wmb();
	tsi721_write32(r->dev, r->base + TSI721_RING_DWRCNT, r->dwrcnt);
	r->kicked = r->tail;
}

/* A FIFO entry: the address of a descriptor that has ended, with all before it. */
static inline void
tsi721_ring_ended(struct tsi721_ring *r, uint64_t addr)
{
	uint64_t off = rte_le_to_cpu_64(addr) - r->desc_iova;
	uint64_t slot = off >> r->shift;
	uint32_t n = (((uint32_t)slot - r->head) & r->mask) + 1;

	if (slot == r->mask + 1ull)
		return;		/* the link */
	if (unlikely(slot > r->mask || slot << r->shift != off || n > r->kicked - r->head)) {
		r->bad_sts++;
		return;
	}
	r->head += n;
}

/*
 * Read the status FIFO up to its end and zero what was read. A line is left
 * when all of it was read, or when the next one has begun: the device never
 * comes back to a line that it closed partly filled.
 */
static inline void
tsi721_ring_drain(struct tsi721_ring *r)
{
	for (;;) {
		uint64_t *slot = &r->sts[r->sts_pos];
		uint64_t addr = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (addr == 0) {
			uint32_t next = RTE_ALIGN_CEIL(r->sts_pos + 1, TSI721_STS_LINE_SLOTS) &
					r->sts_mask;

			if (r->sts_pos % TSI721_STS_LINE_SLOTS == 0 ||
			    __atomic_load_n(&r->sts[next], __ATOMIC_ACQUIRE) == 0)
				break;
			/* It may have been filled between the two looks. */
			if (__atomic_load_n(slot, __ATOMIC_ACQUIRE) == 0)
				r->sts_pos = next;
			continue;
		}
		*slot = 0;
		r->sts_pos = (r->sts_pos + 1) & r->sts_mask;
		tsi721_ring_ended(r, addr);
	}

	uint32_t line = r->sts_pos / TSI721_STS_LINE_SLOTS;
	uint32_t lines_mask = r->sts_mask / TSI721_STS_LINE_SLOTS;

	if (((line - r->sts_reported) & lines_mask) >= r->sts_lazy) {
		/* The zeroes must be there before the device may write again. */
		rte_io_wmb();
		tsi721_write32(r->dev, r->base + r->kind->dsrp, line);
		r->sts_reported = line;
	}
}

/*
 * Whether it is time to look at the channel: work is out and nothing has come
 * back for a number of polls, which doubles while nothing does.
 */
static inline bool
tsi721_ring_late(struct tsi721_ring *r)
{
	if (r->head != r->idle_head || r->kicked == r->head) {
		r->idle_head = r->head;
		r->idle = 0;
		r->idle_limit = TSI721_RING_IDLE;
		return false;
	}
	if (likely(++r->idle < r->idle_limit))
		return false;
	r->idle = 0;
	r->idle_limit = RTE_MIN(r->idle_limit * 2, TSI721_RING_IDLE_MAX);
	return true;
}

#endif /* TSI721_RING_H */
