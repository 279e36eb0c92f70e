/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * DMA mode of a port: what it needs is taken when the port starts and given back
 * when it stops. Memory that an application's mbufs still point into then stays
 * until they are freed.
 */

#include <errno.h>
#include <pthread.h>
#include <sys/queue.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_memzone.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>
#include <tsi721_mbox.h>

#include "rionet_ctl.h"
#include "rionet_msg.h"
#include "rionet_port.h"

#define DMA_DRAIN_US	20000u

static TAILQ_HEAD(, rionet_dma) orphans = TAILQ_HEAD_INITIALIZER(orphans);
static pthread_mutex_t orphans_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- memory ---- */

static void
dma_free(struct rionet_dma *dma)
{
	unsigned int slot;

	for (slot = 0; slot < RTE_DIM(dma->peer); slot++)
		rionet_dma_peer_free(dma->peer[slot]);
	rionet_region_free(dma->region);
	rte_free(dma);
}

/* Whether an mbuf of the application's is attached to memory of the port. */
static bool
dma_attached(struct rionet_dma *dma)
{
	unsigned int slot, i;

	for (slot = 0; slot < RTE_DIM(dma->peer); slot++) {
		const struct rionet_dma_peer *peer = dma->peer[slot];

		for (i = 0; peer != NULL && i < RIONET_LANES_MAX; i++)
			if (peer->rx[i].bufs != NULL &&
			    rionet_bufs_attached(peer->rx[i].bufs) != 0)
				return true;
	}
	return false;
}

static void
orphans_sweep(void)
{
	struct rionet_dma *dma, *next;

	pthread_mutex_lock(&orphans_lock);
	for (dma = TAILQ_FIRST(&orphans); dma != NULL; dma = next) {
		next = TAILQ_NEXT(dma, next);
		if (dma_attached(dma))
			continue;
		TAILQ_REMOVE(&orphans, dma, next);
		dma_free(dma);
	}
	pthread_mutex_unlock(&orphans_lock);
}

static void
dma_release(struct rionet_dma *dma)
{
	pthread_mutex_lock(&orphans_lock);
	TAILQ_INSERT_TAIL(&orphans, dma, next);
	pthread_mutex_unlock(&orphans_lock);
	orphans_sweep();
}

/* ---- start ---- */

static int
dma_mailbox(struct rionet_dma *dma)
{
	struct tsi721_device *dev = dma->port->dev;
	int socket_id = dma->port->data->numa_node;
	const struct rte_memzone *mz;
	char name[RTE_MEMZONE_NAMESIZE];
	int ret;

	snprintf(name, sizeof(name), "rionet_ctl%u", dma->port->data->port_id);
	mz = rte_memzone_reserve_aligned(name, RIONET_CTL_SLOTS * RIONET_CTL_STRIDE,
					 SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 RTE_CACHE_LINE_SIZE);
	if (mz == NULL)
		return -ENOMEM;
	dma->mz = mz;
	dma->out = mz->addr;
	dma->out_iova = mz->iova;
	ret = tsi721_imsg_open(dev, RIONET_CTL_MBOX, RIONET_CTL_DESC, socket_id, &dma->imsg);
	if (ret == 0)
		ret = tsi721_omsg_open(dev, RIONET_CTL_MBOX, RIONET_CTL_SLOTS, socket_id,
				       &dma->omsg);
	return ret;
}

static int
dma_queues(struct rionet_dma *dma)
{
	struct rte_eth_dev_data *data = dma->port->data;
	unsigned int i, nb_desc;
	int ret;

	for (i = 0; i < RTE_MAX(dma->nb_rx, dma->nb_tx); i++) {
		struct rionet_txq *txq = i < dma->nb_tx ? data->tx_queues[i] : NULL;

		nb_desc = txq != NULL ? txq->nb_desc : RIONET_DESC_DEFAULT;
		ret = rionet_qp_open(&dma->qp[i], dma->port, i, nb_desc, data->numa_node);
		if (ret != 0)
			return ret;
		dma->nb_qp++;
	}
	return 0;
}

static int
dma_open(struct rionet_dma *dma)
{
	int ret;

	dma->region = rionet_region_create(dma->port->dev, dma->port->args.region,
					   dma->port->data->numa_node);
	if (dma->region == NULL)
		return -ENOMEM;
	ret = dma_mailbox(dma);
	if (ret == 0)
		ret = dma_queues(dma);
	if (ret == 0)
		ret = rionet_ctl_start(dma);
	return ret;
}

void
rionet_dma_attach_rxq(struct rionet_port *port, struct rionet_rxq *rxq)
{
	if (port->dma != NULL && rxq != NULL && rxq->index < port->dma->nb_rx)
		rxq->qp = &port->dma->qp[rxq->index];
}

void
rionet_dma_attach_txq(struct rionet_port *port, struct rionet_txq *txq)
{
	struct rionet_qp *qp;

	if (port->dma == NULL || txq == NULL || txq->index >= port->dma->nb_tx)
		return;
	qp = &port->dma->qp[txq->index];
	rte_spinlock_lock(&qp->lock);
	rionet_qp_reap(qp);
	/* The mbufs of one before may still be in flight: such as they are then. */
	qp->fast_free = txq->fast_free && qp->ended == qp->put;
	rte_spinlock_unlock(&qp->lock);
	txq->qp = qp;
}

static void
dma_attach_queues(struct rionet_dma *dma)
{
	struct rte_eth_dev_data *data = dma->port->data;
	unsigned int i;

	for (i = 0; i < dma->nb_rx; i++)
		rionet_dma_attach_rxq(dma->port, data->rx_queues[i]);
	for (i = 0; i < dma->nb_tx; i++)
		rionet_dma_attach_txq(dma->port, data->tx_queues[i]);
}

int
rionet_dma_start(struct rionet_port *port)
{
	struct rionet_dma *dma;
	int ret = -ENOMEM;

	orphans_sweep();
	dma = rte_zmalloc_socket("rionet_dma", sizeof(*dma), RTE_CACHE_LINE_SIZE,
				 port->data->numa_node);
	if (dma != NULL) {
		dma->port = port;
		dma->nb_rx = port->data->nb_rx_queues;
		dma->nb_tx = port->data->nb_tx_queues;
		rte_spinlock_init(&dma->lock);
		port->dma = dma;
		ret = dma_open(dma);
		if (ret == 0)
			dma_attach_queues(dma);
		else
			rionet_dma_stop(port);
	}
	return ret;
}

/* ---- stop ---- */

/* Let what is in flight end, or give it up. */
static void
qp_drain(struct rionet_qp *qp, uint64_t hz)
{
	uint64_t end = rte_get_tsc_cycles() + hz / US_PER_S * DMA_DRAIN_US;

	rte_spinlock_lock(&qp->lock);
	rionet_dma_flush(qp);
	while (qp->ended != qp->put && rte_get_tsc_cycles() < end)
		if (rionet_qp_reap(qp) == 0)
			rte_pause();
	rte_spinlock_unlock(&qp->lock);
}

static void
dma_detach_queues(struct rionet_dma *dma)
{
	struct rte_eth_dev_data *data = dma->port->data;
	unsigned int i;

	for (i = 0; i < dma->nb_rx; i++) {
		struct rionet_rxq *rxq = data->rx_queues[i];

		if (rxq != NULL)
			rxq->qp = NULL;
	}
	for (i = 0; i < dma->nb_tx; i++) {
		struct rionet_txq *txq = data->tx_queues[i];

		if (txq != NULL)
			txq->qp = NULL;
	}
}

void
rionet_dma_stop(struct rionet_port *port)
{
	struct rionet_dma *dma = port->dma;
	unsigned int i;

	if (dma == NULL)
		return;
	rionet_ctl_stop(dma);
	for (i = 0; i < dma->nb_qp; i++)
		qp_drain(&dma->qp[i], port->hz);
	dma_detach_queues(dma);
	for (i = 0; i < dma->nb_qp; i++)
		rionet_qp_close(&dma->qp[i]);
	rionet_region_close(dma->region);
	if (dma->omsg != NULL)
		tsi721_omsg_close(dma->omsg, NULL, NULL);
	if (dma->imsg != NULL)
		tsi721_imsg_close(dma->imsg);
	rte_memzone_free(dma->mz);
	port->dma = NULL;
	dma_release(dma);
}
