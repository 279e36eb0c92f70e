/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_PORT_H
#define RIONET_PORT_H

/*
 * A port: what its files share. A port holds its raw device from probe to close.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_ether.h>
#include <rte_log.h>

#include "rionet_args.h"
#include "rionet_fdb.h"
#include "rionet_filter.h"
#include "rionet_peer.h"
#include "rionet_rxoff.h"

struct rte_eth_dev;
struct rte_eth_dev_data;
struct rte_eth_stats;
struct rte_eth_xstat;
struct rte_eth_xstat_name;
struct tsi721_device;
struct rionet_dma;
struct rionet_rxq;
struct rionet_txq;

/** VLAN tags that may come on top of MTU and header, as with other ports. */
#define RIONET_VLAN_TAGS	2u

/** Agreement on DMA mode. */
struct rionet_dma_stats {
	uint64_t opened;	/* times that a peer and this port agreed */
	uint64_t refused;	/* peers for which there was no memory */
	uint64_t isolated;	/* peers that broke the protocol */
	uint64_t silent;	/* peers given up as silent, or as transfers failed */
	uint64_t bad_setup;	/* control messages that made no sense */
};

struct rionet_port {
	struct tsi721_device *dev;
	struct rionet_peers *peers;
	struct rionet_fdb *fdb;
	struct rionet_rxq *rxq;		/* NULL: not set up */
	struct rionet_txq *txq;
	rte_spinlock_t queue_lock;	/* which txq it is */
	struct rionet_dma *dma;		/* NULL: messages only */
	uint32_t max_frame;		/* longest frame without VLAN tags: MTU and header */
	uint16_t max_rx;		/* longest message that is received */
	uint32_t max_dma_rx;		/* longest frame by DMA */
	bool started;
	bool gone;			/* its raw device does not answer any more; said once */
	uint64_t dbell_errors;		/* doorbells that failed, when that was last looked at */
	uint64_t tell_again;		/* not before this TSC, JOINs that may have been lost */
	uint16_t tick_peer;		/* whose turn it is to be looked at */
	uint16_t xstats_peers;		/* peers that extended statistics tell of */
	uint16_t rx_intrs;		/* receive interrupts that are open */
	bool entered;			/* in the list of ports */
	struct rionet_dma_stats dma_stats;
	struct rionet_filter filter;
	struct rionet_rxoff rxoff;
	/* The mode's own, which offloads build on; queues as the ethdev layer gives them. */
	uint16_t (*rx_burst)(void *queue, struct rte_mbuf **bufs, uint16_t nb);
	uint16_t (*tx_burst)(void *queue, struct rte_mbuf **bufs, uint16_t nb);
	/* Descriptors free after a look at what has ended. */
	uint32_t (*tx_room)(void *queue);
	struct rionet_args args;
	struct rte_eth_dev_data *data;
	uint64_t hz;			/* TSC cycles a second */
	TAILQ_ENTRY(rionet_port) next;	/* in the list of ports */
};

extern int rionet_logtype;
#define RIONET_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_ ## level, rionet_logtype, "%s: " fmt "\n", (name), ## __VA_ARGS__)

/* rionet_join.c: membership. Own queues must be able to receive. */
/**
 * Look for stations, tell them of this one, and wait until those that run have
 * answered, 200 ms at most. -EBUSY: something else receives these doorbells.
 */
int rionet_join_start(struct rionet_port *port);
/** Tell the peers that this station leaves; no doorbell is handled afterwards. */
void rionet_join_stop(struct rionet_port *port);
/** Send what the peer table asked for. Any thread. */
void rionet_join_reply(struct rionet_port *port, uint16_t destid, enum rionet_peer_reply reply);

/* rionet_stats.c: the ethdev operations of these names. */
int rionet_stats_get(struct rte_eth_dev *dev, struct rte_eth_stats *stats);
int rionet_stats_reset(struct rte_eth_dev *dev);
int rionet_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n);
int rionet_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names,
			    unsigned int n);

#endif /* RIONET_PORT_H */
