/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_ETHDEV_H
#define RIONET_ETHDEV_H

#include <stdint.h>

struct eth_dev_ops;
struct rte_eth_dev;
struct rionet_port;

/** Smallest data room of a receive queue's mbufs, without headroom. */
#define RIONET_RX_ROOM_MIN	64u

/** Operations, burst functions and first state of a port's ethdev. */
void rionet_ethdev_init(struct rte_eth_dev *dev);
extern const struct eth_dev_ops rionet_ops;
/** rionet_secondary.c: those of a secondary process. */
void rionet_ethdev_attach(struct rte_eth_dev *dev);

/** rionet_link.c: link speed in Mbit/s, the ethdev constant next to lanes x mbaud x 8/10. */
uint32_t rionet_link_speed(unsigned int lanes, uint32_t mbaud);

/** rionet_link.c: the ethdev operation: 0 when the link went up or down, else -1. */
int rionet_link_update(struct rte_eth_dev *dev, int wait_to_complete);

/** rionet_vdev.c: give back what a port holds, its raw device last. */
void rionet_port_fini(struct rionet_port *port);

#endif /* RIONET_ETHDEV_H */
