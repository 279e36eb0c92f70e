/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_malloc.h>

#include "tsi721_mbox.h"
#include "tsi721_ring.h"

struct tsi721_omsg {
	struct tsi721_ring ring;
	void **cookies;			/* by slot */
	int8_t *failed;			/* by slot: 0, or a negative errno until it is reaped */
	uint32_t nb_failed;		/* of them that are not 0 */
	uint32_t msg_info;		/* bits that are the same for all messages */
	uint32_t destid_max;
	unsigned int mbox;
	bool together;			/* messages for a destination that takes none */
	struct tsi721_msg_stats stats;
};

static int
omsg_alloc(struct tsi721_omsg *q, unsigned int nb_desc, int socket_id)
{
	q->cookies = rte_zmalloc_socket("tsi721_omsg", nb_desc * sizeof(*q->cookies),
					RTE_CACHE_LINE_SIZE, socket_id);
	q->failed = rte_zmalloc_socket("tsi721_omsg", nb_desc, RTE_CACHE_LINE_SIZE, socket_id);
	return q->cookies == NULL || q->failed == NULL ? -ENOMEM : 0;
}

static void
omsg_free(struct tsi721_omsg *q)
{
	rte_free(q->cookies);
	rte_free(q->failed);
	rte_free(q);
}

int
tsi721_omsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc,
		 int socket_id, struct tsi721_omsg **out)
{
	struct tsi721_omsg *q;
	int ret;

	if (mbox >= TSI721_MSG_MBOX_NUM || !(dev->conf.mbox_sel & 1u << mbox)) {
		TSI721_LOG(ERR, dev, "mailbox %u: allowed are those of mbox_sel 0x%x", mbox,
			   dev->conf.mbox_sel);
		return -ENODEV;
	}
	q = rte_zmalloc_socket("tsi721_omsg", sizeof(*q), RTE_CACHE_LINE_SIZE, socket_id);
	if (q == NULL)
		return -ENOMEM;
	q->mbox = mbox;
	q->destid_max = dev->sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;
	q->msg_info = tsi721_tt(dev) << TSI721_OMD_TT_SHIFT | mbox << TSI721_OMD_MBOX_SHIFT |
		      TSI721_MSG_SSIZE_256 << TSI721_OMD_SSIZE_SHIFT;

	rte_spinlock_lock(&dev->lock);
	ret = dev->omsg[mbox] != NULL ? -EBUSY : 0;
	if (ret == 0)
		dev->omsg[mbox] = q;
	rte_spinlock_unlock(&dev->lock);
	if (ret != 0) {
		rte_free(q);
		return ret;
	}

	ret = tsi721_ring_open(&q->ring, dev, &tsi721_ring_omsg, mbox, TSI721_MSG_BASE(mbox),
			       nb_desc, socket_id);
	if (ret == 0) {
		ret = omsg_alloc(q, nb_desc, socket_id);
		if (ret == 0) {
			*out = q;
			return 0;
		}
		tsi721_ring_close(&q->ring);
	}
	rte_spinlock_lock(&dev->lock);
	dev->omsg[mbox] = NULL;
	rte_spinlock_unlock(&dev->lock);
	omsg_free(q);
	return ret;
}

void
tsi721_omsg_close(struct tsi721_omsg *q, void (*free_cb)(void *cookie, void *arg), void *arg)
{
	struct tsi721_device *dev;
	uint32_t i;

	if (q == NULL)
		return;
	dev = q->ring.dev;
	tsi721_ring_close(&q->ring);

	for (i = q->ring.reaped; i != q->ring.tail && free_cb != NULL; i++)
		free_cb(q->cookies[i & q->ring.mask], arg);

	rte_spinlock_lock(&dev->lock);
	dev->omsg[q->mbox] = NULL;
	dev->omsg_past[q->mbox].messages += q->stats.messages;
	dev->omsg_past[q->mbox].bytes += q->stats.bytes;
	dev->omsg_past[q->mbox].errors += q->stats.errors;
	dev->omsg_past[q->mbox].full += q->stats.full;
	rte_spinlock_unlock(&dev->lock);
	omsg_free(q);
}

unsigned int
tsi721_omsg_free(const struct tsi721_omsg *q)
{
	return tsi721_ring_room(&q->ring);
}

int
tsi721_omsg_post(struct tsi721_omsg *q, uint16_t destid, unsigned int letter, rte_iova_t iova,
		 unsigned int len, void *cookie)
{
	struct tsi721_ring *r = &q->ring;
	struct tsi721_omsg_desc *d;

	if (unlikely(len % TSI721_MSG_SIZE_UNIT != 0 || len - 1 >= TSI721_MSG_SIZE_MAX ||
		     destid > q->destid_max || letter >= TSI721_MSG_LETTER_NUM))
		return -EINVAL;
	if (unlikely(tsi721_ring_room(r) == 0)) {
		q->stats.full++;
		return -ENOSPC;
	}

	d = tsi721_ring_slot(r, r->tail);
	d->type_id = rte_cpu_to_le_32(TSI721_DTYPE_OMSG << TSI721_DTYPE_SHIFT | destid);
	d->msg_info = rte_cpu_to_le_32(q->msg_info | letter << TSI721_OMD_LETTER_SHIFT |
				       (len & TSI721_OMD_BCOUNT));
	d->bufptr_lo = rte_cpu_to_le_32((uint32_t)iova);
	d->bufptr_hi = rte_cpu_to_le_32((uint32_t)(iova >> 32));
	q->cookies[r->tail & r->mask] = cookie;
	q->stats.bytes += len;
	tsi721_ring_advance(r);
	return 0;
}

void
tsi721_omsg_kick(struct tsi721_omsg *q)
{
	tsi721_ring_kick(&q->ring);
}

void
tsi721_omsg_fail_together(struct tsi721_omsg *q)
{
	q->together = true;
}

static void
omsg_fail(struct tsi721_omsg *q, uint32_t index, int err)
{
	const struct tsi721_omsg_desc *d = tsi721_ring_slot(&q->ring, index);
	uint32_t len = rte_le_to_cpu_32(d->msg_info) & TSI721_OMD_BCOUNT;

	q->stats.bytes -= len != 0 ? len : TSI721_MSG_SIZE_MAX;
	q->failed[index & q->ring.mask] = (int8_t)err;
	q->nb_failed++;
}

/*
 * A destination that does not take messages would hold the others' up for as long with each that
 * waits for it. They fail with the first: a link to the next slot, which counts as they did,
 * takes their place.
 */
static void
omsg_fail_like(struct tsi721_omsg *q, uint32_t type_id, int err)
{
	struct tsi721_ring *r = &q->ring;
	uint64_t next;
	uint32_t i;

	for (i = r->head; i != r->tail; i++) {
		struct tsi721_omsg_desc *d = tsi721_ring_slot(r, i);

		if (d->type_id != type_id)
			continue;
		omsg_fail(q, i, err);
		next = r->desc_iova + ((uint64_t)((i & r->mask) + 1) << r->shift);
		d->type_id = rte_cpu_to_le_32(r->kind->link_type);
		d->msg_info = 0;
		d->bufptr_lo = rte_cpu_to_le_32((uint32_t)next);
		d->bufptr_hi = rte_cpu_to_le_32((uint32_t)(next >> 32));
	}
}

/* Messages at the head that have failed already are passed. */
static void
omsg_pass_failed(struct tsi721_omsg *q)
{
	struct tsi721_ring *r = &q->ring;

	while (r->head != r->kicked && q->failed[r->head & r->mask] != 0)
		r->head++;
}

static bool
omsg_all_failed(const struct tsi721_omsg *q)
{
	const struct tsi721_ring *r = &q->ring;
	uint32_t i;

	for (i = r->head; i != r->kicked; i++)
		if (q->failed[i & r->mask] == 0)
			return false;
	return true;
}

/* The channel is late: if it has aborted, the message at the head is the failed one. */
static void
omsg_look(struct tsi721_omsg *q)
{
	struct tsi721_ring *r = &q->ring;
	uint32_t sts = tsi721_ring_look(r);
	const struct tsi721_omsg_desc *d;
	uint32_t type_id;
	int err;

	if (r->head == r->kicked)
		return;
	if (!(sts & TSI721_RING_STS_ABORT)) {
		/* A chip need not tell of links. */
		if (!(sts & TSI721_RING_STS_RUN) && q->nb_failed != 0 && omsg_all_failed(q))
			omsg_pass_failed(q);
		return;
	}
	d = tsi721_ring_slot(r, r->head);
	type_id = d->type_id;
	err = tsi721_ring_errno(sts);
	TSI721_LOG(DEBUG, r->dev, "mailbox %u: message to 0x%x failed, status 0x%08x", q->mbox,
		   rte_le_to_cpu_32(type_id) & TSI721_OMD_DEVID, sts);
	omsg_fail(q, r->head++, err);
	if (err == -ETIMEDOUT && q->together)
		omsg_fail_like(q, type_id, err);
	omsg_pass_failed(q);
	tsi721_ring_restart(r);
}

/* Hand out statuses of the next nb messages; some have failed. */
static void
omsg_statuses(struct tsi721_omsg *q, int *status, unsigned int nb)
{
	const struct tsi721_ring *r = &q->ring;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		int8_t *failed = &q->failed[(r->reaped + i) & r->mask];

		if (status != NULL)
			status[i] = *failed;
		if (*failed != 0) {
			*failed = 0;
			q->nb_failed--;
			q->stats.errors++;
			q->stats.messages--;
		}
	}
}

unsigned int
tsi721_omsg_reap(struct tsi721_omsg *q, void **cookies, int *status, unsigned int nb)
{
	struct tsi721_ring *r = &q->ring;
	unsigned int i;

	tsi721_ring_drain(r);
	if (unlikely(tsi721_ring_late(r)))
		omsg_look(q);

	nb = RTE_MIN(nb, r->head - r->reaped);
	q->stats.messages += nb;
	if (unlikely(q->nb_failed != 0))
		omsg_statuses(q, status, nb);
	else if (status != NULL)
		for (i = 0; i < nb; i++)
			status[i] = 0;
	for (i = 0; i < nb; i++)
		cookies[i] = q->cookies[(r->reaped + i) & r->mask];
	r->reaped += nb;
	return nb;
}

void
tsi721_omsg_stats(const struct tsi721_omsg *q, struct tsi721_msg_stats *stats)
{
	*stats = q->stats;
}

bool
tsi721_omsg_waiting(struct tsi721_omsg *q)
{
	return tsi721_ring_waiting(&q->ring);
}
