/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_CTL_H
#define RIONET_CTL_H

/*
 * Control of DMA mode: what its files share. dma->lock is held in all of it but
 * start and stop.
 */

#include <stdbool.h>
#include <stdint.h>

#include "rionet_dma.h"

#define RIONET_CTL_SLOTS	64u	/* control messages on their way */
#define RIONET_CTL_STRIDE	128u
#define RIONET_CTL_DESC		64u

/** Bytes of a lane and of a feed in own memory. */
#define RIONET_LANE_BYTES	(RIONET_LANE_RING + RIONET_RING_SIZE)
#define RIONET_FEED_BYTES	(RIONET_FEED_POSTS + RIONET_POSTS * 4u)

/* rionet_ctl.c */
int rionet_ctl_start(struct rionet_dma *dma);
void rionet_ctl_stop(struct rionet_dma *dma);

/* rionet_setup.c */
void rionet_setup_to_cpu(struct rionet_setup *s);

/* rionet_dma_peer.c */
struct rionet_dma_peer *rionet_dma_peer_create(struct rionet_dma *dma, uint16_t destid);
void rionet_dma_peer_free(struct rionet_dma_peer *peer);
/**
 * Memory for what the peer will write, and lanes that read from it, for the
 * session that peer->nonce names. -ENOSPC: the region is full; -ENOMEM.
 */
int rionet_dma_peer_offer(struct rionet_dma *dma, struct rionet_dma_peer *peer,
			  unsigned int nb_tx, unsigned int nb_rx);
/** Where to write at the peer. What the peer said was checked. */
void rionet_dma_peer_connect(struct rionet_dma *dma, struct rionet_dma_peer *peer,
			     const struct rionet_setup *s);
/** Frames go by DMA from now on. */
void rionet_dma_peer_open(struct rionet_dma *dma, struct rionet_dma_peer *peer);
/**
 * Nothing is written to the peer any more; with rx, nothing is read either of what it
 * has written.
 */
void rionet_dma_peer_close(struct rionet_dma *dma, struct rionet_dma_peer *peer, bool rx);
/** Whether a lane found that the peer broke the protocol. */
bool rionet_dma_peer_bad(const struct rionet_dma *dma, const struct rionet_dma_peer *peer);
/** Beat, and look for silence and failures. @return why the peer is to be given up; NULL. */
const char *rionet_dma_peer_tick(struct rionet_dma *dma, struct rionet_dma_peer *peer,
				 uint64_t now, bool on_time);

#endif /* RIONET_CTL_H */
