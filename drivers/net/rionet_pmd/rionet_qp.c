/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A queue pair's block DMA channel: descriptors with the mbufs they read from, and
 * memory for records on their way. When nothing is in flight, that memory
 * begins anew, so that it stays in a cache.
 */

#include <assert.h>
#include <errno.h>
#include <stdio.h>

#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include <tsi721_bdma.h>
#include <tsi721_device.h>

#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_port.h"

#define QP_SCRATCH	(256u << 10)
#define QP_DESC_MIN	512u
#define QP_DESC_MAX	4096u

static_assert(QP_SCRATCH >= 2 * (RIONET_DMA_FRAME_MAX + RIONET_UNIT),
	      "a frame fits wherever the free memory begins");

static const struct rte_memzone *
qp_memory(struct rionet_qp *qp, int socket_id)
{
	const struct rte_memzone *mz;
	char name[RTE_MEMZONE_NAMESIZE];

	snprintf(name, sizeof(name), "rionet_scr%u_%u", qp->port->data->port_id, qp->index);
	mz = rte_memzone_reserve_aligned(name, QP_SCRATCH, socket_id, RTE_MEMZONE_IOVA_CONTIG,
					 RTE_CACHE_LINE_SIZE);
	if (mz == NULL && socket_id != SOCKET_ID_ANY)
		mz = rte_memzone_reserve_aligned(name, QP_SCRATCH, SOCKET_ID_ANY,
						 RTE_MEMZONE_IOVA_CONTIG, RTE_CACHE_LINE_SIZE);
	return mz;
}

int
rionet_qp_open(struct rionet_qp *qp, struct rionet_port *port, unsigned int index,
	       unsigned int nb_desc, int socket_id)
{
	const struct rte_memzone *mz;
	int ret;

	memset(qp, 0, sizeof(*qp));
	rte_spinlock_init(&qp->lock);
	rte_spinlock_init(&qp->rx_lock);
	qp->port = port;
	qp->index = index;
	nb_desc = RTE_MIN(RTE_MAX(rte_align32pow2(nb_desc), QP_DESC_MIN), QP_DESC_MAX);
	qp->nb_desc = nb_desc;
	qp->desc_mask = nb_desc - 1;
	qp->scratch_size = QP_SCRATCH;
	mz = qp_memory(qp, socket_id);
	qp->mz = mz;
	qp->mbufs = rte_zmalloc_socket("rionet_qp", nb_desc * sizeof(*qp->mbufs),
				       RTE_CACHE_LINE_SIZE, socket_id);
	qp->ends = rte_zmalloc_socket("rionet_qp", nb_desc * sizeof(*qp->ends),
				      RTE_CACHE_LINE_SIZE, socket_id);
	qp->failed = rte_zmalloc_socket("rionet_qp", nb_desc * sizeof(*qp->failed),
					RTE_CACHE_LINE_SIZE, socket_id);
	qp->lanes = rte_zmalloc_socket("rionet_lanes", sizeof(*qp->lanes) * RIONET_PEERS_MAX *
				       RIONET_DMA_QUEUES_MAX, RTE_CACHE_LINE_SIZE, socket_id);
	ret = -ENOMEM;
	if (mz != NULL && qp->mbufs != NULL && qp->ends != NULL && qp->failed != NULL &&
	    qp->lanes != NULL) {
		qp->scratch = mz->addr;
		qp->scratch_iova = mz->iova;
		ret = tsi721_bdma_open(port->dev, index, nb_desc, socket_id, &qp->bdma);
	}
	if (ret != 0)
		rionet_qp_close(qp);
	return ret;
}

void
rionet_qp_close(struct rionet_qp *qp)
{
	uint32_t i;

	if (qp->bdma != NULL)
		tsi721_bdma_close(qp->bdma, NULL, NULL);
	qp->bdma = NULL;
	for (i = qp->ended; i != qp->put; i++)
		rte_pktmbuf_free(qp->mbufs[i & qp->desc_mask]);
	qp->ended = qp->put;
	rte_free(qp->lanes);
	qp->lanes = NULL;
	qp->nb_lanes = 0;
	rte_free(qp->failed);
	rte_free(qp->ends);
	rte_free(qp->mbufs);
	qp->failed = NULL;
	qp->ends = NULL;
	qp->mbufs = NULL;
	rte_memzone_free(qp->mz);
	qp->mz = NULL;
}

static __rte_noinline void
qp_failed(struct rionet_qp *qp, uint32_t index)
{
	qp->errors++;
	*qp->failed[index & qp->desc_mask] = true;
}

void
rionet_qp_done_flush(struct rionet_qp *qp)
{
	if (qp->nb_done != 0 && qp->fast_free)
		rte_mempool_put_bulk(qp->done[0]->pool, (void **)qp->done, qp->nb_done);
	else if (qp->nb_done != 0)
		rte_pktmbuf_free_bulk(qp->done, qp->nb_done);
	qp->nb_done = 0;
}

unsigned int
rionet_qp_reap(struct rionet_qp *qp)
{
	uint32_t i, end, failed;
	unsigned int n = 0;
	int err;

	end = tsi721_bdma_ended(qp->bdma, &failed, &err);
	if (unlikely(err != 0))
		qp_failed(qp, failed);
	if (end == qp->ended)
		return 0;
	for (i = qp->ended; i != end; i++) {
		struct rte_mbuf **m = &qp->mbufs[i & qp->desc_mask];

		if (*m == NULL)
			continue;
		rionet_qp_done(qp, *m);
		*m = NULL;
		n++;
	}
	rionet_qp_done_flush(qp);
	qp->scratch_tail = qp->ends[(end - 1) & qp->desc_mask];
	qp->ended = end;
	return n;
}

unsigned int
rionet_qp_clean(struct rionet_qp *qp)
{
	unsigned int n;

	rte_spinlock_lock(&qp->lock);
	n = rionet_qp_reap(qp);
	rte_spinlock_unlock(&qp->lock);
	return n;
}

uint32_t
rionet_qp_in_flight(struct rionet_qp *qp)
{
	uint32_t n;

	rte_spinlock_lock(&qp->lock);
	rionet_qp_reap(qp);
	n = qp->put - qp->ended;
	rte_spinlock_unlock(&qp->lock);
	return n;
}

void *
rionet_qp_scratch(struct rionet_qp *qp, uint32_t n)
{
	uint32_t head = qp->scratch_head, off;

	n = RTE_ALIGN_CEIL(n, RIONET_UNIT);
	if (qp->ended == qp->put && qp->lane == NULL)
		head = qp->scratch_tail = 0;
	off = head % qp->scratch_size;
	if (off + n > qp->scratch_size) {
		head += qp->scratch_size - off;
		off = 0;
	}
	if (unlikely(head + n - qp->scratch_tail > qp->scratch_size))
		return NULL;
	qp->scratch_head = head + n;
	return qp->scratch + off;
}

void
rionet_qp_put(struct rionet_qp *qp, bool *failed, uint32_t word, uint64_t raddr, rte_iova_t iova,
	      uint32_t len, struct rte_mbuf *m)
{
	uint32_t i = qp->put++ & qp->desc_mask;

	qp->mbufs[i] = m;
	/* What is read from elsewhere says nothing of the block that is not staged yet. */
	qp->ends[i] = qp->lane != NULL ? qp->block_base : qp->scratch_head;
	qp->failed[i] = failed;
	tsi721_bdma_put(qp->bdma, word, raddr, iova, len);
}

void
rionet_qp_kick(struct rionet_qp *qp)
{
	if (qp->kicked == qp->put)
		return;
	tsi721_bdma_kick(qp->bdma);
	qp->kicked = qp->put;
}
