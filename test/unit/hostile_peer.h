/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef HOSTILE_PEER_H
#define HOSTILE_PEER_H

/*
 * A station that speaks DMA mode by writes of its own, and knows all that there is to
 * know: it looks into the other's structures. It stays within the protocol, or not.
 */

#include <stdbool.h>
#include <stdint.h>

#include "rionet_dma.h"
#include "rionet_port.h"
#include "rionet_proto.h"

#define HOSTILE_ID	77u
#define HOSTILE_POSTS	256u

/** Who is attacked: a port with one queue in each direction. */
struct hostile {
	struct rionet_port *port;
	uint16_t destid;
	uint8_t nb_tx, nb_rx;		/* queues of the hostile station */
	uint32_t nonce;
	uint32_t joins, setups;		/* received */
	struct rionet_setup theirs;	/* the last one */
	uint64_t writes;
};

extern struct hostile h;

/** Numbers that depend on the seed alone. */
void hostile_seed(uint64_t seed);
uint64_t hostile_rnd(void);
/** 0 to n - 1. */
uint32_t hostile_below(uint32_t n);
/** One of the numbers at which something changes, or any. */
uint32_t hostile_edge(void);

void hostile_open(void);
void hostile_close(void);
/** Begin against this port. */
void hostile_against(struct rionet_port *port, uint16_t destid);

/** Write to the other's window, at most 64 KiB. What is outside fails, and that is all. */
void hostile_write(uint64_t off, const void *data, uint32_t len);
/** A message of a multiple of 8 bytes. False: the other has not taken earlier ones. */
bool hostile_message(unsigned int mbox, const void *data, uint32_t len);
void hostile_ring(uint16_t info);
/** Take what has come. */
void hostile_poll(void);

/** A SETUP in which nothing is wrong. */
void hostile_setup_fill(struct rionet_setup *s, bool open);
bool hostile_setup_send(const struct rionet_setup *s);

/** The other's structures for this station; NULL. */
struct rionet_dma_peer *hostile_peer(void);
/** Whether frames go by DMA, and no lane is found wrong yet. */
bool hostile_in_session(void);
/** Whether a lane was found wrong. */
bool hostile_found_out(void);
/** Join, and agree, with these queues. `serve` lets the other do its part. */
bool hostile_join(unsigned int nb_tx, unsigned int nb_rx, void (*serve)(void));

/** Feedback for lane (0, rx) as it should be: all is read; n more buffers are posted. */
void hostile_feed(unsigned int rx, uint32_t n);
/** Offsets in the other's window. */
uint64_t hostile_lane_off(unsigned int tx);
uint64_t hostile_feed_off(unsigned int rx);

/** Memory around what the SETUPs show was not written to. */
bool hostile_canaries(void);

#endif /* HOSTILE_PEER_H */
