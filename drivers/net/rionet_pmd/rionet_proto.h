/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_PROTO_H
#define RIONET_PROTO_H

/*
 * Ethernet over RapidIO, as on the wire. First messages: what the Linux kernel's
 * rionet speaks, nothing of it this driver's own.
 *
 * Membership. A station sends the doorbell JOIN to every endpoint that could be
 * one when it starts, and LEAVE when it stops. Who receives JOIN from a station
 * that is not joined in its view takes it as joined and answers with a JOIN; one
 * from a joined station is not answered, or two stations would ring forever. So a
 * station that comes back without having left sends LEAVE before its first JOIN;
 * as no one knows of its former lives, this driver's always does.
 *
 * Frames. One Ethernet frame without FCS is one message to mailbox 0, from the
 * destination address on. A message carries a multiple of 8 bytes, so up to 7
 * bytes (zero, when this driver sends) follow the frame; the length on the wire
 * is the padded one.
 *
 * Addresses. 00:01:00:01:hh:ll is the station with destination ID hhll. A frame to
 * a group address goes to each joined station as a message of its own.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_ether.h>

#define RIONET_DBELL_JOIN	0x1000
#define RIONET_DBELL_LEAVE	0x1001

#define RIONET_MBOX		0
#define RIONET_LETTER		0

#define RIONET_MSG_UNIT		8u
#define RIONET_MSG_MAX		4096u

#define RIONET_MTU_MIN		68u
#define RIONET_MTU_MAX		(RIONET_MSG_MAX - RTE_ETHER_HDR_LEN)

/** The first four bytes of a station's address, as the low half of a rionet_mac48(). */
#define RIONET_MAC_PREFIX	0x01000100u
#define RIONET_MAC_MASK		0xffffffffffffull

/** An address as a number: its first byte is the lowest. Reads 8 bytes at p. */
static inline uint64_t
rionet_mac48(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return rte_le_to_cpu_64(v) & RIONET_MAC_MASK;
}

static inline uint64_t
rionet_mac48_addr(const struct rte_ether_addr *addr)
{
	uint64_t v = 0;

	memcpy(&v, addr->addr_bytes, RTE_ETHER_ADDR_LEN);
	return rte_le_to_cpu_64(v);
}

/** Group bit: multicast or broadcast. */
static inline bool
rionet_mac_is_group(uint64_t mac)
{
	return mac & 1;
}

/** Whether the address names a station, by its destination ID. */
static inline bool
rionet_mac_is_station(uint64_t mac)
{
	return (uint32_t)mac == RIONET_MAC_PREFIX;
}

static inline uint16_t
rionet_mac_destid(uint64_t mac)
{
	return rte_bswap16((uint16_t)(mac >> 32));
}

static inline uint64_t
rionet_mac_of(uint16_t destid)
{
	return (uint64_t)rte_bswap16(destid) << 32 | RIONET_MAC_PREFIX;
}

static inline void
rionet_mac_to_addr(uint64_t mac, struct rte_ether_addr *addr)
{
	uint64_t v = rte_cpu_to_le_64(mac);

	memcpy(addr->addr_bytes, &v, RTE_ETHER_ADDR_LEN);
}

/** Length on the wire of a frame of len bytes. */
static inline uint32_t
rionet_msg_len(uint32_t len)
{
	return (len + RIONET_MSG_UNIT - 1) & ~(RIONET_MSG_UNIT - 1);
}

/*
 * DMA mode: between two stations that agree on it, and this project's own. The
 * whole of it is in doc/guides/rionet_protocol.rst; here are the layouts. All
 * words are little-endian.
 */

#define RIONET_DMA_VERSION	1u
/** Stations with at most this many queues a direction. */
#define RIONET_DMA_QUEUES_MAX	7u

/** HELLO: 0x1000 | version << 8 | transmit queues << 4 | receive queues. Linux drops it. */
#define RIONET_DBELL_HELLO	0x1100
#define RIONET_DBELL_HELLO_LAST	0x17ff
/** KNOCK: a control message was sent. */
#define RIONET_DBELL_KNOCK	0x1800

/** Mailbox of control messages. Linux leaves it closed. */
#define RIONET_CTL_MBOX		3

static inline uint16_t
rionet_hello(unsigned int version, unsigned int nb_tx, unsigned int nb_rx)
{
	return 0x1000 | version << 8 | nb_tx << 4 | nb_rx;
}

static inline unsigned int
rionet_hello_version(uint16_t info)
{
	return info >> 8 & 0x7;
}

static inline unsigned int
rionet_hello_tx(uint16_t info)
{
	return info >> 4 & 0xf;
}

static inline unsigned int
rionet_hello_rx(uint16_t info)
{
	return info & 0xf;
}

#define RIONET_SETUP_MAGIC	0x4f495244u	/* "DRIO" */

/**
 * What the sender of a SETUP gives its receiver to write to: a lane for each of
 * the receiver's transmit queues and its own receive queues (number
 * rx * transmit queues + tx), and a feed for each of its own transmit queues and
 * the receiver's receive queues (number tx * receive queues + rx).
 */
struct rionet_setup {
	uint32_t magic;
	uint8_t version;
	uint8_t nb_tx;		/* queues of the sender */
	uint8_t nb_rx;
	uint8_t peer_nb_tx;	/* of the receiver, as its HELLO said */
	uint8_t peer_nb_rx;
	uint8_t open;		/* 1: the sender needs no answer */
	uint8_t reserved[2];
	uint32_t nonce;		/* of the sender's session, not 0 */
	uint32_t echo;		/* of the receiver's, as last seen; 0: none */
	uint32_t caps;		/* RIONET_CAPS of the sender */
	uint64_t window;	/* RapidIO address of what is visible; a multiple of 4096 */
	uint64_t window_size;
	uint64_t lanes;		/* offset in it, as are the next */
	uint64_t feeds;
	uint32_t lane_stride;	/* multiples of 64, as are the offsets */
	uint32_t feed_stride;
	uint32_t ring_size;	/* bytes of a lane's record ring; a power of two */
	uint32_t nb_posts;	/* entries of a feed's post ring; a power of two */
	uint32_t buf_size;	/* room of a posted buffer */
	uint32_t max_frame;	/* longest frame that the sender receives */
};

#define RIONET_RING_MIN		8192u
#define RIONET_RING_MAX		(16u << 20)
#define RIONET_POSTS_MIN	16u
#define RIONET_POSTS_MAX	65536u
#define RIONET_BUF_MIN		256u
#define RIONET_BUF_MAX		65536u

/** Record flags may be used; none is defined in version 1. */
#define RIONET_CAPS		0u

/* A lane: records from one transmit queue to one receive queue. */
#define RIONET_LANE_PROD	0u	/* producer line: one word, and nothing up to 64 bytes */
#define RIONET_LANE_RING	64u

/* A feed: what the receive queue of a lane has to say to its transmit queue. */
#define RIONET_FEED_LINE	0u	/* struct rionet_feed, and nothing up to 64 bytes */
#define RIONET_FEED_POSTS	64u	/* nb_posts of 4 bytes: names of buffers */

/** A buffer's name is its offset in the window in units of 64 bytes. */
#define RIONET_NAME_UNIT	64u

/*
 * Lines are of 64-bit words: nonce of the session of whom it is written to in the
 * upper half, a free-running count in the lower.
 */
static inline uint64_t
rionet_word(uint32_t nonce, uint32_t count)
{
	return rte_cpu_to_le_64((uint64_t)nonce << 32 | count);
}

/** The feedback line. */
struct rionet_feed {
	uint64_t cons;		/* units of records that were read */
	uint64_t posts;		/* buffers posted */
	uint64_t beat;		/* rewritten every RIONET_BEAT_MS with another count */
};

#define RIONET_BEAT_MS		100u
#define RIONET_SILENT_MS	1000u

/** Rings of records are counted in units. */
#define RIONET_UNIT		16u

enum rionet_rec_type {
	RIONET_REC_PAD = 1,	/* nothing, up to the end of the ring */
	RIONET_REC_INLINE,	/* the frame follows */
	RIONET_REC_BUFS,	/* the frame is in posted buffers, whose names follow */
};

/** A record's head: one unit. */
struct rionet_rec {
	uint32_t seq;		/* where it is, in units, free-running; xor nonce */
	uint32_t info;		/* length of the frame, type << 24 */
	uint32_t flags;		/* of agreed capabilities; 0 */
	uint32_t meta;		/* 0 */
};

#define RIONET_REC_LEN		0x00ffffffu
#define RIONET_REC_TYPE_SHIFT	24

/** Longest frame: 65,000 bytes of MTU, header and two VLAN tags. */
#define RIONET_DMA_MTU_MAX	65000u
#define RIONET_DMA_FRAME_MAX	(RIONET_DMA_MTU_MAX + RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN)

#endif /* RIONET_PROTO_H */
