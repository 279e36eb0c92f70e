/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef FRAME_H
#define FRAME_H

/* Frames, and what is known of them beforehand. */

#include <rte_mbuf.h>

#include "traffic.h"

#define FRAME_MIN	60u
#define FRAME_HEAD	58u	/* Ethernet, IPv4, UDP and a tag */
#define FRAME_LIMIT	65014u

/* Whose a frame is, and which. */
struct frame_id {
	uint8_t src, dst, flow;
	uint32_t life;
	uint64_t seq;
};

/* Bytes to take frames from; the same in all processes. */
void frame_init(void);
uint32_t frame_len(const struct traffic *t, const struct frame_id *id);
/*
 * A frame in segments of random number and length, with room of random size in front,
 * from the n pools. NULL: a pool is empty.
 */
struct rte_mbuf *frame_make(const struct traffic *t, const struct frame_id *id,
			    struct rte_mempool *const pools[], unsigned int n);
/* Read the tag. False: this is no such frame. */
bool frame_read(const struct rte_mbuf *m, struct frame_id *id);
/* The frame is this one to the last byte; else why not. */
const char *frame_check(const struct traffic *t, const struct frame_id *id, struct rte_mbuf *m);

#endif /* FRAME_H */
