/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_DMA_H
#define RIONET_DMA_H

/*
 * DMA mode: frames as records in rings in the receiver's memory, written by
 * block DMA. The protocol is in rionet_proto.h and in doc/guides/rionet_protocol.rst.
 *
 * Locks. A queue pair's `lock` guards its channel and its transmit lanes, its `rx_lock`
 * the receive lanes. Bursts hold them, so control (under the lock of struct
 * rionet_dma) changes lanes under both. Order: control's, rx_lock, lock; a receiving
 * burst only tries for the latter.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_common.h>
#include <rte_mbuf.h>
#include <rte_spinlock.h>

#include "rionet_peer.h"
#include "rionet_proto.h"
#include "rionet_region.h"

struct rionet_dma_peer;
struct rionet_port;
struct rionet_rxq;
struct rionet_txq;
struct tsi721_bdma;
struct tsi721_device;
struct tsi721_imsg;
struct tsi721_omsg;

/** Lanes between two stations, a direction. */
#define RIONET_LANES_MAX	(RIONET_DMA_QUEUES_MAX * RIONET_DMA_QUEUES_MAX)
#define RIONET_RING_SIZE	(128u << 10)
#define RIONET_POSTS		512u
/** Buffers of a lane that large frames come on. */
#define RIONET_LANE_BUFS	256u
#define RIONET_LANE_BUFS_MIN	32u
/** Longer frames go to posted buffers when there are some. */
#define RIONET_COPYBREAK	256u

static_assert(RIONET_RING_SIZE >= 2 * (RIONET_DMA_FRAME_MAX + RIONET_UNIT),
	      "the longest frame fits the ring wherever it begins");

/** What no one has added to the peer's counts yet. */
struct rionet_lane_tx_stats {
	uint64_t packets;
	uint64_t bytes;
};

/** Towards one of a peer's receive queues. */
struct rionet_lane_tx {
	uint32_t word;		/* first word of descriptors */
	uint32_t word_answered;	/* and of those that the peer's end answers */
	uint32_t nonce;		/* the peer's */
	uint32_t units;		/* of the ring */
	uint32_t prod;		/* units written, free-running */
	uint32_t told;		/* of them in the producer line */
	uint32_t cons;		/* units that the peer has read */
	uint32_t post_head;	/* buffers used, free-running */
	uint32_t post_tail;	/* buffers posted */
	uint32_t post_mask;
	uint32_t buf_size;
	uint32_t max_frame;
	uint32_t own_nonce;
	uint64_t ring;		/* RapidIO addresses */
	uint64_t line;
	uint64_t window;
	uint64_t window_size;
	const struct rionet_feed *feed;	/* in own memory, written by the peer */
	const uint32_t *posts;
	struct rionet_dma_peer *peer;
	bool open;
	bool dirty;		/* records that the producer line does not tell of */
	bool fresh;		/* messages to the peer must have ended first */
	bool stalled;		/* full for long: frames are dropped */
	bool failed;		/* a transfer failed */
	bool full;		/* has turned a frame away since control looked */
	bool bad;		/* the peer broke the protocol */
	uint32_t full_cons;	/* control: where it was when it first was full */
	uint64_t full_since;
	struct rionet_lane_tx_stats stats;
} __rte_cache_aligned;

/** From one of a peer's transmit queues. */
struct rionet_lane_rx {
	const uint64_t *line;	/* producer line, written by the peer */
	const uint8_t *ring;
	uint32_t units;
	uint32_t cons;		/* units read, free-running */
	uint32_t nonce;
	uint32_t reported;	/* what the peer knows of cons */
	uint64_t seen;		/* the line as it was when all was read */
	bool open;
	bool owes;		/* there is something to tell the peer */
	bool fresh;		/* messages of the peer that came before go first */
	bool old;		/* of a session that has ended; messages wait until it is read */
	uint32_t old_end;	/* up to here */
	uint8_t queue;
	uint16_t src;
	uint16_t idle;		/* polls without news while something is unreported */
	uint32_t word;		/* first word of descriptors to the peer */
	uint32_t word_answered;	/* and of those that the peer answers */
	uint32_t feed_nonce;	/* the peer's */
	uint32_t nb_posted;	/* buffers posted, free-running */
	uint32_t posts_reported;
	uint32_t post_mask;
	uint32_t beat;
	uint64_t feed;		/* RapidIO address; 0: the peer's SETUP has not come */
	struct rionet_bufs *bufs;	/* NULL: none yet */
	bool wants_bufs;
	bool no_bufs;		/* there is no memory for them */
	bool bad;		/* the peer broke the protocol: control isolates it */
	bool failed;		/* a transfer of feedback failed */
	struct rionet_dma_peer *peer;
} __rte_cache_aligned;

enum rionet_dma_state {
	RIONET_DMA_NONE,	/* messages */
	RIONET_DMA_OFFERED,	/* own SETUP sent; the peer's has not come, or not with our nonce */
	RIONET_DMA_OPEN,	/* frames travel by DMA */
};

/** Control's side of a peer. */
struct rionet_dma_peer {
	uint16_t destid;
	uint8_t state;		/* enum rionet_dma_state */
	uint8_t nb_tx, nb_rx;	/* queues of the peer */
	uint8_t tries;
	bool no_room;		/* was told of */
	bool agreed;		/* the peer has said that it is open, too */
	uint32_t nonce;		/* own, of this session */
	uint32_t peer_nonce;	/* 0: none yet */
	uint32_t echoed;	/* the peer's nonce as last sent back */
	uint32_t lanes_max;	/* for how many lanes and feeds there is memory */
	uint32_t feeds_max;
	uint8_t *lanes;		/* in the region */
	uint8_t *feeds;
	uint64_t joined;	/* TSC of its JOIN; 0: none */
	uint64_t ban_end;	/* TSC until when there is no DMA; 0: there may be */
	uint64_t beat_tsc;	/* when the beat last changed */
	uint64_t beat;
	struct rionet_lane_tx *tx;	/* [own tx][peer's rx] */
	struct rionet_lane_rx *rx;	/* [own rx][peer's tx] */
};

/** A channel and what feeds it. */
struct rionet_qp {
	rte_spinlock_t lock;
	struct tsi721_bdma *bdma;
	uint32_t put;		/* descriptors staged */
	uint32_t kicked;
	uint32_t ended;
	uint32_t desc_mask;
	uint32_t nb_desc;
	struct rte_mbuf **mbufs;	/* to free when a descriptor has ended; NULL */
	uint32_t *ends;		/* of scratch memory used up to a descriptor */
	bool **failed;		/* what to set when a descriptor fails */

	/* Scratch memory: a ring that the device reads from. */
	uint8_t *scratch;
	rte_iova_t scratch_iova;
	uint32_t scratch_size;
	uint32_t scratch_head;	/* free-running */
	uint32_t scratch_tail;

	/* The block of records that is being put together. */
	struct rionet_lane_tx *lane;
	uint8_t *block;
	uint32_t block_base;	/* scratch_head before it */
	uint32_t block_len;	/* bytes */
	uint32_t block_room;	/* bytes that may be added */

	/* Mbufs whose frames were copied. */
	struct rte_mbuf *done[64];
	unsigned int nb_done;
	bool fast_free;		/* the application says that they are of one pool, and nobody's */

	struct rionet_lane_tx *dirty[64];
	unsigned int nb_dirty;

	const void *mz;
	struct rionet_port *port;
	unsigned int index;
	uint64_t errors;	/* transfers that failed */

	/* The receive queue's side. */
	rte_spinlock_t rx_lock __rte_cache_aligned;
	unsigned int nb_lanes;
	unsigned int next_lane;		/* where the next poll begins */
	unsigned int nb_old;		/* lanes that are `old` */
	struct rionet_lane_rx **lanes;
} __rte_cache_aligned;

/** What a port has for DMA mode; NULL where it has not. */
struct rionet_dma {
	struct rionet_port *port;
	struct rionet_region *region;
	unsigned int nb_rx, nb_tx, nb_qp;
	struct rionet_qp qp[RIONET_DMA_QUEUES_MAX];
	struct rionet_dma_peer *peer[RIONET_PEERS_MAX + 1];	/* by slot of the peer table */

	rte_spinlock_t lock;	/* all below, and peers' states */
	struct tsi721_omsg *omsg;
	struct tsi721_imsg *imsg;
	const void *mz;		/* messages to be sent */
	uint8_t *out;
	rte_iova_t out_iova;
	uint32_t out_head, out_tail;
	uint64_t ticked;	/* TSC of the last tick */
	bool running;
	TAILQ_ENTRY(rionet_dma) next;	/* of those that mbufs still point into */
};

/* rionet_dma.c */
/** Memory, channels and mailbox for the queues that are set up. A negative errno: none. */
int rionet_dma_start(struct rionet_port *port);
/** A queue that is set up, or set up anew, takes its place. */
void rionet_dma_attach_rxq(struct rionet_port *port, struct rionet_rxq *rxq);
void rionet_dma_attach_txq(struct rionet_port *port, struct rionet_txq *txq);
/** What is in flight ends or is given up. Nothing else of the port may run but doorbells. */
void rionet_dma_stop(struct rionet_port *port);

/* rionet_ctl.c */
/** A peer has joined, was lost or has left. Any thread. */
void rionet_dma_joined(struct rionet_port *port, uint16_t destid);
/** A HELLO may have been lost: say it again to a peer that has not agreed. */
void rionet_dma_again(struct rionet_port *port, uint16_t destid);
void rionet_dma_left(struct rionet_port *port, uint16_t destid);
/** Peers that frames go to by DMA. Any thread. */
unsigned int rionet_dma_count(const struct rionet_dma *dma);
/**
 * Whether a peer has said HELLO, or may say it at once, and not all is agreed yet.
 * Handles what has arrived.
 */
bool rionet_dma_agreeing(struct rionet_port *port);

/* rionet_setup.c */
/** Whether a SETUP makes sense to a station with these queues; why not, in one word. */
const char *rionet_setup_check(const struct rionet_setup *s, unsigned int nb_tx,
			       unsigned int nb_rx);

/* rionet_qp.c */
int rionet_qp_open(struct rionet_qp *qp, struct rionet_port *port, unsigned int index,
		   unsigned int nb_desc, int socket_id);
void rionet_qp_close(struct rionet_qp *qp);
/** Free what has ended. Under the lock. @return mbufs freed. */
unsigned int rionet_qp_reap(struct rionet_qp *qp);
/** The same, without the lock; and what is in flight then. */
unsigned int rionet_qp_clean(struct rionet_qp *qp);
uint32_t rionet_qp_in_flight(struct rionet_qp *qp);
/** n bytes of scratch memory, at a multiple of 16; NULL: none now. Under the lock. */
void *rionet_qp_scratch(struct rionet_qp *qp, uint32_t n);
/** Stage a descriptor. Room was checked. Under the lock. */
void rionet_qp_put(struct rionet_qp *qp, bool *failed, uint32_t word,
		   uint64_t raddr, rte_iova_t iova, uint32_t len, struct rte_mbuf *m);
void rionet_qp_kick(struct rionet_qp *qp);

/** Free what rionet_qp_done was given. */
void rionet_qp_done_flush(struct rionet_qp *qp);

/** Free an mbuf, sooner or later. */
static __rte_always_inline void
rionet_qp_done(struct rionet_qp *qp, struct rte_mbuf *m)
{
	/* Whatever the application promised: chains and foreign buffers are taken apart. */
	if (unlikely(qp->fast_free && (m->nb_segs != 1 || !RTE_MBUF_DIRECT(m)))) {
		rte_pktmbuf_free(m);
		return;
	}
	qp->done[qp->nb_done++] = m;
	if (unlikely(qp->nb_done == RTE_DIM(qp->done)))
		rionet_qp_done_flush(qp);
}

static inline uint32_t
rionet_qp_room(const struct rionet_qp *qp)
{
	return qp->nb_desc - (qp->put - qp->ended);
}

static inline rte_iova_t
rionet_qp_iova(const struct rionet_qp *qp, const void *p)
{
	return qp->scratch_iova + (uint64_t)((const uint8_t *)p - qp->scratch);
}

/* rionet_dma_tx.c */
enum rionet_put {
	RIONET_PUT_TAKEN,	/* the mbuf is the lane's */
	RIONET_PUT_FULL,	/* no room now */
	RIONET_PUT_STALLED,	/* the peer has not read for long */
	RIONET_PUT_CLOSED,	/* no DMA to this peer (any more) */
};
/** Stage a frame. Under the pair's lock. */
enum rionet_put rionet_dma_put(struct rionet_txq *txq, struct rionet_lane_tx *lane,
			       struct rte_mbuf *m, uint32_t len);
/** Whether a frame for several peers need not wait for this one. Under the pair's lock. */
bool rionet_dma_ready(struct rionet_txq *txq, struct rionet_lane_tx *lane, uint32_t len);
/** Stage a copy of a frame. False: it cannot be, and is not. Under the pair's lock. */
bool rionet_dma_copy(struct rionet_txq *txq, struct rionet_lane_tx *lane,
		     const struct rte_mbuf *m, uint32_t len);
/** Close the block, tell of what is staged, and start it. */
void rionet_dma_flush(struct rionet_qp *qp);
/** Forget what is staged for a lane that closes. */
void rionet_dma_drop_lane(struct rionet_qp *qp, struct rionet_lane_tx *lane);
/** Take what the peer says that it has read and posted. False: nonsense; the lane is closed. */
bool rionet_lane_feed(struct rionet_lane_tx *lane);

/* rionet_dma_rx.c */
uint16_t rionet_dma_rx(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb);
/** Have buffers for large frames, if there is memory. Under the pair's rx_lock. */
void rionet_lane_get_bufs(struct rionet_lane_rx *lane, struct rionet_region *region,
			  int socket_id);
/** The same of sessions that have ended alone: before messages, which came later. */
uint16_t rionet_dma_rx_old(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb);
/** Frames that wait in a lane. Under rx_lock. */
unsigned int rionet_lane_unread(const struct rionet_lane_rx *lane);
/** Frames that have come by DMA and were not taken, up to max. */
unsigned int rionet_dma_ready_count(struct rionet_rxq *rxq, unsigned int max);
/** Tell the peer what was read. Under both locks. False: no room. */
bool rionet_dma_feed(struct rionet_qp *qp, struct rionet_lane_rx *lane, bool answered);

/** Which of nb receive queues a frame's flow goes to. */
unsigned int rionet_flow_queue(const struct rte_mbuf *m, unsigned int nb);

/** The lane from a transmit queue to a peer for a frame; NULL: none. */
static __rte_always_inline struct rionet_lane_tx *
rionet_dma_lane(const struct rionet_dma *dma, unsigned int tx, uint16_t slot, uint16_t destid,
		const struct rte_mbuf *m)
{
	const struct rionet_dma_peer *peer = __atomic_load_n(&dma->peer[slot], __ATOMIC_ACQUIRE);
	struct rionet_lane_tx *lane;
	unsigned int rx = 0;

	if (peer == NULL || peer->destid != destid ||
	    __atomic_load_n(&peer->state, __ATOMIC_RELAXED) != RIONET_DMA_OPEN)
		return NULL;
	if (peer->nb_rx > 1)
		rx = rionet_flow_queue(m, peer->nb_rx);
	lane = &peer->tx[tx * RIONET_DMA_QUEUES_MAX + rx];
	return lane->open && !lane->failed ? lane : NULL;
}

#endif /* RIONET_DMA_H */
