/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_interrupts.h>
#include <rte_power_intrinsics.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>
#include <tsi721_intr.h>
#include <tsi721_mbox.h>

#include "rionet_intr.h"
#include "rionet_msg.h"
#include "rionet_port.h"
#include "rionet_proto.h"

/* The handle is no interrupt of EAL's own: it carries the queues' eventfds. */
static int
intr_handle_make(struct rte_eth_dev *dev, uint16_t nb)
{
	struct rte_intr_handle *handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);

	if (handle == NULL)
		return -ENOMEM;
	if (rte_intr_fd_set(handle, -1) != 0 ||
	    rte_intr_type_set(handle, RTE_INTR_HANDLE_VDEV) != 0 ||
	    rte_intr_efd_counter_size_set(handle, sizeof(uint64_t)) != 0 ||
	    rte_intr_vec_list_alloc(handle, NULL, nb) != 0 ||
	    rte_intr_nb_efd_set(handle, nb) != 0 || rte_intr_max_intr_set(handle, nb + 1) != 0) {
		rte_intr_vec_list_free(handle);
		rte_intr_instance_free(handle);
		return -ENOMEM;
	}
	dev->intr_handle = handle;
	return 0;
}

static void
intr_handle_free(struct rte_eth_dev *dev)
{
	rte_intr_free_epoll_fd(dev->intr_handle);
	rte_intr_vec_list_free(dev->intr_handle);
	rte_intr_nb_efd_set(dev->intr_handle, 0);
	rte_intr_instance_free(dev->intr_handle);
	dev->intr_handle = NULL;
}

/* Mailbox q is queue q's. */
int
rionet_rx_intr_open(struct rte_eth_dev *dev)
{
	struct rionet_port *port = dev->data->dev_private;
	uint16_t q, nb = dev->data->nb_rx_queues;
	int fd, ret;

	if (!dev->data->dev_conf.intr_conf.rxq || nb == 0)
		return 0;
	ret = intr_handle_make(dev, nb);
	for (q = 0; q < nb && ret == 0; q++) {
		fd = tsi721_intr_open(port->dev, TSI721_INTR_IMSG, RIONET_MBOX + q);
		if (fd < 0) {
			ret = fd;
			break;
		}
		port->rx_intrs = q + 1;
		if (rte_intr_efds_index_set(dev->intr_handle, q, fd) != 0 ||
		    rte_intr_vec_list_index_set(dev->intr_handle, q,
						RTE_INTR_VEC_RXTX_OFFSET + q) != 0)
			ret = -rte_errno;
	}
	if (ret == 0)
		return 0;
	RIONET_LOG(ERR, dev->data->name, "no receive interrupts of %s: %s", port->dev->name,
		   rte_strerror(-ret));
	rionet_rx_intr_close(dev);
	return ret;
}

void
rionet_rx_intr_close(struct rte_eth_dev *dev)
{
	struct rionet_port *port = dev->data->dev_private;

	if (dev->intr_handle == NULL)
		return;
	intr_handle_free(dev);
	while (port->rx_intrs > 0)
		tsi721_intr_close(port->dev, TSI721_INTR_IMSG, RIONET_MBOX + --port->rx_intrs);
}

int
rionet_rx_queue_intr_enable(struct rte_eth_dev *dev, uint16_t qid)
{
	struct rionet_port *port = dev->data->dev_private;
	int ret = tsi721_intr_arm(port->dev, TSI721_INTR_IMSG, RIONET_MBOX + qid);

	/* Something waits already: who sleeps is to wake at once. */
	if (ret == 1)
		tsi721_intr_signal(port->dev, TSI721_INTR_IMSG, RIONET_MBOX + qid);
	return ret < 0 ? ret : 0;
}

int
rionet_rx_queue_intr_disable(struct rte_eth_dev *dev, uint16_t qid)
{
	struct rionet_port *port = dev->data->dev_private;

	tsi721_intr_disarm(port->dev, TSI721_INTR_IMSG, RIONET_MBOX + qid);
	return 0;
}

static int
monitor_arrived(const uint64_t value, const uint64_t opaque[RTE_POWER_MONITOR_OPAQUE_SZ])
{
	return value & opaque[0] ? -1 : 0;
}

int
rionet_get_monitor_addr(void *queue, struct rte_power_monitor_cond *cond)
{
	const struct rionet_rxq *rxq = queue;
	uint32_t mask;

	/* By DMA frames of each peer show at a place of their own. */
	if (rxq->port->dma != NULL)
		return -ENOTSUP;
	if (rxq->imsg == NULL)
		return -EINVAL;
	cond->addr = tsi721_imsg_next(rxq->imsg, &mask);
	cond->size = sizeof(uint32_t);
	cond->opaque[0] = mask;
	cond->fn = monitor_arrived;
	return 0;
}
