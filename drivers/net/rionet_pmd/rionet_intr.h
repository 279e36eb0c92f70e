/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_INTR_H
#define RIONET_INTR_H

#include <stdint.h>

struct rte_eth_dev;
struct rionet_port;

/*
 * rionet_intr.c: receive interrupts. One eventfd a queue, the raw driver's, which a
 * thread waits for after it was enabled; it is signalled once each time.
 */
/** Open them where the application asked for them; a negative errno, with a line logged. */
int rionet_rx_intr_open(struct rte_eth_dev *dev);
/** Undo it; nothing to undo is allowed. */
void rionet_rx_intr_close(struct rte_eth_dev *dev);
/** The ethdev operations of these names. */
int rionet_rx_queue_intr_enable(struct rte_eth_dev *dev, uint16_t qid);
int rionet_rx_queue_intr_disable(struct rte_eth_dev *dev, uint16_t qid);

struct rte_power_monitor_cond;
/** The ethdev operation: the word of memory in which the next message shows. */
int rionet_get_monitor_addr(void *queue, struct rte_power_monitor_cond *cond);

/*
 * rionet_tick.c: what a running port does by itself, from the EAL's interrupt
 * thread: looks at its link, at its raw device, at its peers, at a transmit queue that
 * nobody uses, and lets learned addresses grow old.
 */
#define RIONET_TICK_US		50000u

void rionet_tick_start(struct rionet_port *port);
/** Afterwards it neither runs nor will run; from within it, it ends with this time. */
void rionet_tick_stop(struct rionet_port *port);

#endif /* RIONET_INTR_H */
