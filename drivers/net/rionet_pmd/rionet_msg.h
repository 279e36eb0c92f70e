/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_MSG_H
#define RIONET_MSG_H

/*
 * Message mode: frames as messages of mailbox 0, in the form Linux uses. A queue
 * is used by one thread at a time.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>
#include <rte_spinlock.h>

#include "rionet_rxoff.h"

struct rionet_lane_rx;
struct rionet_port;
struct rionet_peer_counts;
struct rionet_txoff;
struct rionet_qp;
struct tsi721_device;
struct tsi721_imsg;
struct tsi721_imsg_info;
struct tsi721_omsg;

/** Frames handled between two looks at the rings. */
#define RIONET_BURST		32u

#define RIONET_DESC_MIN		32u
#define RIONET_DESC_MAX		32768u
#define RIONET_DESC_DEFAULT	512u

struct rionet_rxq_stats {
	uint64_t packets;
	uint64_t bytes;
	uint64_t filtered;	/* not for this port's addresses */
	uint64_t oversize;	/* longer than the MTU allows */
	uint64_t runt;		/* shorter than an Ethernet header */
	uint64_t nombuf;	/* mbufs that the pool could not give; the message waits */
	uint64_t discarded;	/* still in the ring when the port stopped */
	uint64_t bad_desc;	/* descriptors that did not pass the raw driver's checks */
};

struct rionet_rxq {
	struct tsi721_imsg *imsg;	/* NULL: stopped, or no messages on this queue */
	bool running;
	struct tsi721_device *dev;
	struct rionet_port *port;
	struct rte_mempool *pool;
	struct tsi721_imsg_info *peek;	/* nb_desc of them, to count what has arrived */
	uint64_t rearm;			/* an mbuf's fixed fields */
	uint64_t learned_mac;		/* last source outside 00:01:00:01, and where it was */
	uint16_t learned_src;
	uint32_t learned_at;		/* the time then */
	uint16_t room;			/* data room of the pool's mbufs behind the headroom */
	uint16_t nb_desc;
	bool deferred;			/* not started with the port */
	uint16_t index;
	int socket_id;
	struct rionet_rxq_stats stats;
	struct rionet_rxoff_stats off_stats;
	struct rionet_peer_counts *by_peer;

	/* DMA mode. */
	struct rionet_qp *qp;		/* NULL: stopped, or no DMA */
	unsigned int nb_spare;
	struct rte_mbuf *spare[RIONET_BURST];	/* mbufs for frames to come */
} __rte_cache_aligned;

struct rionet_txq_stats {
	uint64_t packets;	/* frames handed to the device */
	uint64_t bytes;
	uint64_t messages;	/* messages of them; more than frames where some are for several */
	uint64_t failed_packets;	/* frames to one station whose message failed */
	uint64_t failed_bytes;
	uint64_t errors;	/* messages that ended with an error response */
	uint64_t timeouts;	/* messages that were not taken in time */
	uint64_t aborted;	/* messages that had not ended when the port stopped */
	uint64_t oversize;	/* frames longer than the MTU allows */
	uint64_t runt;		/* frames shorter than an Ethernet header */
	uint64_t no_peer;	/* frames for a station that is not joined, or for no station */
	uint64_t unknown;	/* unknown unicast that unknown=drop drops */
	uint64_t flooded;	/* unknown unicast sent to every joined station */
	uint64_t bounced;	/* frames that were copied before sending */
	uint64_t ring_full;	/* times that a burst was cut for lack of descriptors */
	uint64_t stalled;	/* frames for a peer that has not read for long */
	uint64_t flood_missed;	/* stations that a frame for several did not go to */
};

/** What is remembered of a message until it has ended. */
struct rionet_tx_slot {
	uint16_t destid;
	uint16_t len : 15;	/* of the frame */
	uint16_t single : 1;	/* the frame's only message */
};

struct rionet_txq {
	struct tsi721_omsg *omsg;	/* NULL: stopped, or no messages on this queue */
	bool running;
	struct tsi721_device *dev;
	struct rionet_port *port;
	struct rionet_tx_slot *slots;
	uint32_t head;			/* messages staged, free-running */
	uint32_t kicked;		/* of them sent off */
	uint32_t tail;			/* of them ended */
	uint32_t mask;			/* slots less one */
	uint16_t nb_desc;		/* messages in flight at most, floods excepted */
	uint16_t free_thresh;
	rte_spinlock_t lock;		/* held in a burst, and by who attends to an idle queue */
	uint32_t bursts;
	uint32_t attended;		/* of them when it was attended to last */
	uint16_t lazy;			/* bursts since the last look at what has ended */
	bool deferred;			/* not started with the port */
	bool fast_free;			/* mbufs are of one pool, and nobody else's */
	uint16_t index;
	int socket_id;
	struct rte_mempool *bounce;
	struct rionet_txoff *off;	/* NULL: no offload that is work */
	struct rionet_peer_counts *by_peer;
	struct rionet_qp *qp;		/* of DMA mode; NULL: stopped, or no DMA */
	struct rionet_txq_stats stats;
} __rte_cache_aligned;

uint16_t rionet_msg_rx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);
uint16_t rionet_msg_tx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);
/** Messages that a transmit queue has room for. */
uint32_t rionet_msg_tx_room(void *queue);

/** What became of a frame: taken (sent, or dropped and counted), or not for want of room. */
enum rionet_tx_result {
	RIONET_TX_TAKEN,
	RIONET_TX_NO_ROOM,
};
/** Send a frame where its destination address says. Under the lock of txq->qp, if there is one. */
enum rionet_tx_result rionet_tx_frame(struct rionet_txq *txq, struct rte_mbuf *m);
/** Begin a burst: the queue is locked, unless it is stopped (false). */
bool rionet_tx_begin(struct rionet_txq *txq);
/** Send off the messages that are staged, and unlock. */
void rionet_tx_end(struct rionet_txq *txq);
/** Free messages that have ended. Within a burst. */
void rionet_tx_reap(struct rionet_txq *txq);

/** Bursts of a port that has DMA mode too. */
uint16_t rionet_dma_rx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);
uint16_t rionet_dma_tx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);
uint32_t rionet_dma_tx_room(void *queue);

/** NULL: no memory. */
struct rionet_rxq *rionet_rxq_create(struct rionet_port *port, uint16_t nb_desc,
				     struct rte_mempool *pool, unsigned int socket_id);
struct rionet_txq *rionet_txq_create(struct rionet_port *port, uint16_t nb_desc,
				     uint16_t free_thresh, unsigned int socket_id);
/** Of stopped queues; NULL is allowed. */
void rionet_rxq_free(struct rionet_rxq *rxq);
void rionet_txq_free(struct rionet_txq *txq);

/** Open or close what a queue uses of the device. Start returns a negative errno. */
int rionet_rxq_start(struct rionet_rxq *rxq);
void rionet_rxq_stop(struct rionet_rxq *rxq);
int rionet_txq_start(struct rionet_txq *txq);
/** Waits a little for what is in flight, then frees it. */
void rionet_txq_stop(struct rionet_txq *txq);

/** Any thread: free the mbufs of up to max messages that have ended. @return how many messages. */
unsigned int rionet_txq_reap(struct rionet_txq *txq, unsigned int max);

/**
 * Do for a queue with messages in flight what a burst would, if nobody is in one: a
 * message that failed holds up those behind it until then. Any thread.
 */
void rionet_txq_attend(struct rionet_txq *txq);

/** Messages received and not yet taken, up to max. */
unsigned int rionet_rxq_ready(struct rionet_rxq *rxq, unsigned int max);

static inline uint32_t
rionet_txq_in_flight(const struct rionet_txq *txq)
{
	return txq->head - txq->tail;
}

#endif /* RIONET_MSG_H */
