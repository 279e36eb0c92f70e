/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include "tsi721_device.h"
#include "tsi721_mbox.h"
#include "tsi721_ring.h"

struct imsg_buf {
	void *va;
	rte_iova_t iova;
};

/* What happened to the message at a position of the queue. */
enum imsg_state { IMSG_OK, IMSG_DROPPED };

/*
 * Positions are free-running counts of messages. The k-th message is in
 * descriptor k modulo the size, and in the buffer that the k-th entry of the
 * free queue named. There is one buffer less than descriptors, so the
 * descriptor queue has room for whatever finds a buffer. So always
 * posted == released + size - 1, and the device knows of reported + size - 1.
 */
struct tsi721_imsg {
	struct tsi721_imsg_desc *desc;
	struct imsg_buf *order;		/* buffer at each position of the free queue */
	uint8_t *state;			/* enum imsg_state of positions polled, not released */
	uint64_t *fq;			/* free queue: IOVAs of buffers */
	uint32_t mask;
	uint32_t polled;
	uint32_t released;
	uint32_t posted;
	uint32_t reported;		/* of released, what the device knows */
	uint32_t lazy;			/* released and not reported, at most */
	struct tsi721_device *dev;
	unsigned int mbox;
	unsigned int ch;
	uint32_t idle;			/* polls that found nothing */
	struct tsi721_msg_stats stats;
	const struct rte_memzone *desc_mz, *fq_mz;
	void *bufs;
};

/* Released buffers are told to the device in lots of this many, or when idle. */
#define IMSG_REPORT		32u
/* So many polls that find nothing, and the channel is looked at: has it aborted? */
#define IMSG_IDLE		4096u

static inline void
imsg_write(struct tsi721_imsg *q, uint32_t reg, uint32_t val)
{
	tsi721_write32(q->dev, reg, val);
}

static void
imsg_free(struct tsi721_imsg *q)
{
	if (q->desc_mz != NULL)
		tsi721_ring_free(q->desc_mz);
	if (q->fq_mz != NULL)
		tsi721_ring_free(q->fq_mz);
	rte_free(q->bufs);
	rte_free(q->order);
	rte_free(q->state);
	rte_free(q);
}

/* Memory of the queue; every buffer lies in one page, so that it is IOVA-contiguous. */
static int
imsg_alloc(struct tsi721_imsg *q, unsigned int nb, int socket_id)
{
	q->desc_mz = tsi721_ring_alloc(q->dev, "imsg", q->mbox,
				       (size_t)nb * TSI721_IMSG_DESC_SIZE, socket_id);
	q->fq_mz = tsi721_ring_alloc(q->dev, "imfq", q->mbox, nb * sizeof(*q->fq), socket_id);
	q->order = rte_zmalloc_socket("tsi721_imsg", nb * sizeof(*q->order),
				      RTE_CACHE_LINE_SIZE, socket_id);
	q->state = rte_zmalloc_socket("tsi721_imsg", nb, RTE_CACHE_LINE_SIZE, socket_id);
	q->bufs = rte_zmalloc_socket("tsi721_imsg", (size_t)(nb - 1) * TSI721_MSG_BUFFER_SIZE,
				     TSI721_MSG_BUFFER_SIZE, socket_id);
	if (q->desc_mz == NULL || q->fq_mz == NULL || q->order == NULL || q->state == NULL ||
	    q->bufs == NULL) {
		TSI721_LOG(ERR, q->dev, "mailbox %u: no memory for %u inbound buffers",
			   q->mbox, nb);
		return -ENOMEM;
	}
	q->desc = q->desc_mz->addr;
	q->fq = q->fq_mz->addr;

	return 0;
}

/* Positions from 0 on, with all buffers posted. */
static void
imsg_begin(struct tsi721_imsg *q)
{
	uint32_t i;

	for (i = 0; i < q->mask; i++) {
		q->order[i].va = RTE_PTR_ADD(q->bufs, (size_t)i * TSI721_MSG_BUFFER_SIZE);
		q->order[i].iova = rte_mem_virt2iova(q->order[i].va);
		q->fq[i] = rte_cpu_to_le_64(q->order[i].iova);
	}
	q->posted = q->mask;
	q->polled = q->released = q->reported = 0;
	memset(q->desc, 0, (size_t)(q->mask + 1) * TSI721_IMSG_DESC_SIZE);
}

static void
imsg_hw_init(struct tsi721_imsg *q)
{
	uint32_t code = tsi721_ring_code(q->mask + 1);
	unsigned int ch = q->ch;

	imsg_write(q, TSI721_IBDMAC_FQBH(ch), (uint32_t)(q->fq_mz->iova >> 32));
	imsg_write(q, TSI721_IBDMAC_FQBL(ch), (uint32_t)q->fq_mz->iova);
	imsg_write(q, TSI721_IBDMAC_FQSZ(ch), code);
	imsg_write(q, TSI721_IBDMAC_DQBH(ch), (uint32_t)(q->desc_mz->iova >> 32));
	imsg_write(q, TSI721_IBDMAC_DQBL(ch), (uint32_t)q->desc_mz->iova);
	imsg_write(q, TSI721_IBDMAC_DQSZ(ch), code);
	imsg_write(q, TSI721_IBDMAC_INTE(ch), 0);
	imsg_write(q, TSI721_IBDMAC_INT(ch), TSI721_IBDMAC_INT_ALL);
	imsg_write(q, TSI721_IBDMAC_CTL(ch), TSI721_IBDMAC_CTL_INIT);
	tsi721_read32(q->dev, TSI721_IBDMAC_CTL(ch));
	rte_delay_us_block(10);
	rte_io_wmb();
	imsg_write(q, TSI721_IBDMAC_FQWP(ch), q->posted);
}

int
tsi721_imsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc,
		 int socket_id, struct tsi721_imsg **out)
{
	struct tsi721_imsg *q;
	int ret;

	if (mbox >= TSI721_MSG_MBOX_NUM || !(dev->conf.mbox_sel & 1u << mbox)) {
		TSI721_LOG(ERR, dev, "mailbox %u: allowed are those of mbox_sel 0x%x", mbox,
			   dev->conf.mbox_sel);
		return -ENODEV;
	}
	if (nb_desc < TSI721_RING_MIN || nb_desc > TSI721_RING_MAX || !rte_is_power_of_2(nb_desc)) {
		TSI721_LOG(ERR, dev, "imsg %u: %u descriptors: allowed are powers of two, %u to %u",
			   mbox, nb_desc, TSI721_RING_MIN, TSI721_RING_MAX);
		return -EINVAL;
	}
	q = rte_zmalloc_socket("tsi721_imsg", sizeof(*q), RTE_CACHE_LINE_SIZE, socket_id);
	if (q == NULL)
		return -ENOMEM;
	q->dev = dev;
	q->mbox = mbox;
	q->ch = TSI721_IMSG_CHAN(mbox);
	q->mask = nb_desc - 1;
	q->lazy = RTE_MIN(IMSG_REPORT, nb_desc / 4);

	rte_spinlock_lock(&dev->lock);
	ret = dev->imsg[mbox] != NULL ? -EBUSY : 0;
	if (ret == 0)
		dev->imsg[mbox] = q;
	rte_spinlock_unlock(&dev->lock);
	if (ret != 0) {
		rte_free(q);
		return ret;
	}

	ret = imsg_alloc(q, nb_desc, socket_id);
	if (ret != 0) {
		rte_spinlock_lock(&dev->lock);
		dev->imsg[mbox] = NULL;
		rte_spinlock_unlock(&dev->lock);
		imsg_free(q);
		return ret;
	}
	imsg_begin(q);
	imsg_hw_init(q);
	*out = q;
	return 0;
}

void
tsi721_imsg_close(struct tsi721_imsg *q)
{
	struct tsi721_device *dev;
	unsigned int us = 0;

	if (q == NULL)
		return;
	dev = q->dev;
	/* Suspended, a message under way ends; INIT empties the queues: none finds a buffer. */
	imsg_write(q, TSI721_IBDMAC_CTL(q->ch), TSI721_IBDMAC_CTL_SUSPEND);
	while ((tsi721_read32(dev, TSI721_IBDMAC_STS(q->ch)) & TSI721_IBDMAC_STS_RUN) &&
	       us++ < 1000)
		rte_delay_us_block(1);
	imsg_write(q, TSI721_IBDMAC_CTL(q->ch), TSI721_IBDMAC_CTL_INIT);
	tsi721_read32(dev, TSI721_IBDMAC_CTL(q->ch));
	rte_delay_us_block(10);

	rte_spinlock_lock(&dev->lock);
	dev->imsg[q->mbox] = NULL;
	dev->imsg_past[q->mbox].messages += q->stats.messages;
	dev->imsg_past[q->mbox].bytes += q->stats.bytes;
	dev->imsg_past[q->mbox].errors += q->stats.errors;
	rte_spinlock_unlock(&dev->lock);
	imsg_free(q);
}

/* Tell the device of what was released: first the descriptors, then the buffers. */
static void
imsg_report(struct tsi721_imsg *q)
{
	rte_io_wmb();
	imsg_write(q, TSI721_IBDMAC_DQRP(q->ch), q->released & q->mask);
	imsg_write(q, TSI721_IBDMAC_FQWP(q->ch), q->posted & q->mask);
	q->reported = q->released;
}

/* The oldest position is done with: its buffer goes to the end of the free queue. */
static inline void
imsg_recycle(struct tsi721_imsg *q)
{
	struct imsg_buf *b = &q->order[q->released & q->mask];

	q->desc[q->released & q->mask].msg_info = 0;
	q->order[q->posted & q->mask] = *b;
	q->fq[q->posted & q->mask] = rte_cpu_to_le_64(b->iova);
	q->posted++;
	q->released++;
}

/* Where the device's knowledge of posted buffers ends. */
static inline uint32_t
imsg_end(const struct tsi721_imsg *q)
{
	return q->reported + q->mask;
}

/*
 * The device may fill buffers in another order than they were posted: find this
 * one among those behind the position, and let it change places.
 */
static bool
imsg_find(struct tsi721_imsg *q, uint32_t pos, rte_iova_t iova)
{
	struct imsg_buf *here = &q->order[pos & q->mask];
	uint32_t i;

	if (pos != q->polled)
		return false;
	for (i = pos + 1; i != imsg_end(q); i++) {
		struct imsg_buf *b = &q->order[i & q->mask];

		if (b->iova == iova) {
			struct imsg_buf tmp = *here;

			*here = *b;
			*b = tmp;
			return true;
		}
	}
	return false;
}

/*
 * Check the fields of a descriptor, copied out; false: drop the message. Where
 * the address is not one that is posted, the buffer that was next is taken as
 * used up: the device has taken one entry of the free queue.
 */
static inline bool
imsg_accept(struct tsi721_imsg *q, uint32_t pos, const struct tsi721_imsg_desc *d,
	    struct tsi721_imsg_info *m)
{
	rte_iova_t iova = (uint64_t)d->bufptr_hi << 32 | d->bufptr_lo;
	uint32_t len = d->msg_info & TSI721_IMD_BCOUNT;
	uint32_t src = d->type_id & TSI721_IMD_DEVID;
	uint32_t tt = (d->type_id & TSI721_IMD_TT) >> TSI721_IMD_TT_SHIFT;
	const struct imsg_buf *b = &q->order[pos & q->mask];

	if (unlikely(b->iova != iova && !imsg_find(q, pos, iova)))
		return false;
	if (unlikely((d->type_id & TSI721_IMD_DTYPE) >> TSI721_DTYPE_SHIFT != TSI721_DTYPE_IMSG ||
		     (d->msg_info & (TSI721_IMD_CS | TSI721_IMD_XMBOX)) != 0 ||
		     (d->msg_info & TSI721_IMD_MBOX) >> TSI721_IMD_MBOX_SHIFT != q->mbox ||
		     (tt == TSI721_TT_8 && src > RIO_ANY_DESTID_8)))
		return false;

	m->data = b->va;
	m->iova = iova;
	m->len = (uint16_t)(len != 0 ? len : TSI721_MSG_SIZE_MAX);
	m->src = (uint16_t)src;
	m->letter = (d->msg_info & TSI721_IMD_LETTER) >> TSI721_IMD_LETTER_SHIFT;
	m->mbox = (uint8_t)q->mbox;
	return true;
}

/* A position was looked at for the first time. */
static inline void
imsg_count(struct tsi721_imsg *q, bool ok, unsigned int len)
{
	q->polled++;
	if (likely(ok)) {
		q->stats.messages++;
		q->stats.bytes += len;
	} else {
		q->stats.errors++;
	}
}

/*
 * A channel that has aborted (a buffer that it could not write) takes nothing until
 * it is initialised. Its last message was lost, as its sender was told; what came
 * before was polled and released. Then it begins anew.
 */
static void
imsg_look(struct tsi721_imsg *q)
{
	uint32_t sts = tsi721_read32(q->dev, TSI721_IBDMAC_STS(q->ch));

	if (!(sts & TSI721_IBDMAC_STS_ABORT) || q->polled != q->released)
		return;
	TSI721_LOG(WARNING, q->dev, "mailbox %u: inbound channel aborted, status 0x%08x: it begins "
		   "anew, the message was lost", q->mbox, sts);
	q->stats.errors++;
	imsg_begin(q);
	imsg_write(q, TSI721_IBDMAC_STS(q->ch), 0);
	imsg_hw_init(q);
}

unsigned int
tsi721_imsg_poll(struct tsi721_imsg *q, struct tsi721_imsg_info *msgs, unsigned int nb)
{
	uint32_t pos = q->released;
	unsigned int n = 0;

	/* Not further than the device has buffers, whatever memory says. */
	while (n < nb && pos != imsg_end(q)) {
		const struct tsi721_imsg_desc *slot = &q->desc[pos & q->mask];
		struct tsi721_imsg_desc d;
		bool ok;

		d.msg_info = rte_le_to_cpu_32(__atomic_load_n(&slot->msg_info, __ATOMIC_ACQUIRE));
		if (!(d.msg_info & TSI721_IMD_HO))
			break;
		d.type_id = rte_le_to_cpu_32(slot->type_id);
		d.bufptr_lo = rte_le_to_cpu_32(slot->bufptr_lo);
		d.bufptr_hi = rte_le_to_cpu_32(slot->bufptr_hi);

		ok = imsg_accept(q, pos, &d, &msgs[n]);
		if (pos == q->polled)
			imsg_count(q, ok, msgs[n].len);
		q->state[pos & q->mask] = ok ? IMSG_OK : IMSG_DROPPED;
		pos++;
		if (likely(ok))
			n++;
		else if (n == 0)
			imsg_recycle(q);	/* no message before it is the caller's */
	}

	if (n == 0 && q->reported != q->released)
		imsg_report(q);
	if (n == 0 && unlikely(++q->idle % IMSG_IDLE == 0))
		imsg_look(q);
	return n;
}

volatile void *
tsi721_imsg_next(const struct tsi721_imsg *q, uint32_t *mask)
{
	*mask = rte_cpu_to_le_32(TSI721_IMD_HO);
	return &q->desc[q->released & q->mask].msg_info;
}

void
tsi721_imsg_release(struct tsi721_imsg *q, unsigned int nb)
{
	while (q->released != q->polled) {
		if (q->state[q->released & q->mask] != IMSG_DROPPED && nb-- == 0)
			break;
		imsg_recycle(q);
	}
	if (q->released - q->reported >= q->lazy)
		imsg_report(q);
}

void
tsi721_imsg_stats(const struct tsi721_imsg *q, struct tsi721_msg_stats *stats)
{
	*stats = q->stats;
}

bool
tsi721_imsg_waiting(struct tsi721_imsg *q)
{
	const uint32_t *info = &q->desc[q->polled & q->mask].msg_info;

	/* Whoever sleeps has given all buffers that it has. */
	if (q->reported != q->released)
		imsg_report(q);
	return q->polled != imsg_end(q) &&
	       (rte_le_to_cpu_32(__atomic_load_n(info, __ATOMIC_ACQUIRE)) & TSI721_IMD_HO) != 0;
}
