/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_TXOFF_H
#define RIONET_TXOFF_H

/*
 * What frames ask for in their flags before they are sent, however they travel:
 * VLAN tags, checksums, segmentation, in software. Where a queue has none of these
 * offloads the burst function of the mode is used as it is.
 *
 * A frame that the mode does not take stays the application's, with its flags: it
 * may be sent again. One cut into segments is taken with the first of them; the rest
 * goes before anything else of the queue.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

struct rionet_port;
struct rionet_txq;

/** Flags that make work. */
#define RIONET_TXOFF_FLAGS	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK | \
				 RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_VLAN)
/** Segments of a frame at most. */
#define RIONET_TSO_SEGS_MAX	256u

struct rionet_txoff_stats {
	uint64_t tso;		/* frames cut */
	uint64_t segments;	/* into so many */
	uint64_t copied;	/* frames that had to be copied first */
	uint64_t bad;		/* frames whose flags and lengths do not fit their headers */
};

struct rionet_txoff {
	struct rte_mempool *pool;		/* copies and segments */
	uint16_t first, end;			/* segments that wait, in pending */
	struct rte_mbuf *pending[RIONET_TSO_SEGS_MAX];
	struct rionet_txoff_stats stats;
};

/** For a queue of nb_desc. NULL: no memory. */
struct rionet_txoff *rionet_txoff_create(const struct rionet_port *port, uint16_t qid,
					 uint16_t nb_desc, int socket_id);
/** NULL is allowed. The queue's mode has freed what it was given. */
void rionet_txoff_free(struct rionet_txoff *off);
/** Free segments that wait. @return how many. */
unsigned int rionet_txoff_drop(struct rionet_txoff *off);
/** Send segments that wait, as far as there is room. @return whether none is left. */
bool rionet_txoff_flush(struct rionet_txq *txq);

/**
 * Do what a frame of one's own asks for, in its mbuf: the headers lie in its first
 * segment, which is not shared. Segmentation excepted.
 * @return 0; -EINVAL: flags and lengths do not fit the headers.
 */
int rionet_txoff_fill(struct rte_mbuf *m);
/** rionet_tso.c: 0, or -EINVAL: a frame with RTE_MBUF_F_TX_TCP_SEG that cannot be cut. */
int rionet_tso_check(const struct rte_mbuf *m);
/**
 * Cut a frame with RTE_MBUF_F_TX_TCP_SEG into segments with right checksums. It stays
 * as it is.
 * @return how many; -EINVAL; -ENOMEM.
 */
int rionet_tso_cut(const struct rte_mbuf *m, struct rte_mempool *pool,
		     struct rte_mbuf *segs[RIONET_TSO_SEGS_MAX]);

/** The burst function that does so before the port's mode. */
uint16_t rionet_txoff_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);
/** The tx_prepare function of every port: what can be sent. Changes nothing. */
uint16_t rionet_tx_prepare(void *queue, struct rte_mbuf **bufs, uint16_t nb);

#endif /* RIONET_TXOFF_H */
