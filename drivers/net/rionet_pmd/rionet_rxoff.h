/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_RXOFF_H
#define RIONET_RXOFF_H

/*
 * What is done to received frames on top of receiving them, however they came:
 * VLAN tags, packet types, checksums, flow hashes. Where nothing of it is asked for
 * the burst function of the mode is used as it is.
 *
 * Settings change by control operations while receiving threads read.
 */

#include <stdint.h>

#include <rte_mbuf.h>

#define RIONET_RSS_KEY_LEN	40u
#define RIONET_RETA_SIZE	128u
#define RIONET_VLANS		4096u

/* struct rionet_rxoff.what: */
#define RIONET_RXOFF_PTYPE	(1u << 0)
#define RIONET_RXOFF_IP_CKSUM	(1u << 1)
#define RIONET_RXOFF_L4_CKSUM	(1u << 2)
#define RIONET_RXOFF_STRIP	(1u << 3)
#define RIONET_RXOFF_FILTER	(1u << 4)
#define RIONET_RXOFF_HASH	(1u << 5)
/* What the protocol headers must be found for. */
#define RIONET_RXOFF_HEADERS	(RIONET_RXOFF_PTYPE | RIONET_RXOFF_IP_CKSUM | \
				 RIONET_RXOFF_L4_CKSUM | RIONET_RXOFF_HASH)

/** Packet types that are told apart, 0 at their end. */
extern const uint32_t rionet_ptypes[];

struct rionet_rxoff {
	uint32_t what;				/* RIONET_RXOFF_ bits */
	uint32_t ptypes;			/* RTE_PTYPE_ layers that are told */
	uint64_t rss_hf;			/* RTE_ETH_RSS_ types */
	uint64_t vlans[RIONET_VLANS / 64];	/* VLANs that are taken, a bit each */
	uint8_t key[RIONET_RSS_KEY_LEN];	/* as an application set it */
	uint32_t key_words[RIONET_RSS_KEY_LEN / 4];	/* in the CPU's byte order */
	uint16_t reta[RIONET_RETA_SIZE];
};

struct rionet_rxoff_stats {
	uint64_t bad_ip;	/* IPv4 headers whose checksum was wrong */
	uint64_t bad_l4;	/* frames whose transport checksum was wrong */
	uint64_t vlan_filtered;	/* frames of VLANs that are not taken */
	uint64_t vlan_filtered_bytes;
};

/** Defaults: all packet types, a hash over nothing, queue 0. */
void rionet_rxoff_init(struct rionet_rxoff *off);
/** key of RIONET_RSS_KEY_LEN bytes. */
void rionet_rxoff_set_key(struct rionet_rxoff *off, const uint8_t *key);

/**
 * Do what is asked for to n frames, each of an Ethernet header at least in its first
 * segment. Frames that are not taken are freed.
 * @return how many are left, in order, at the front of bufs.
 */
uint16_t rionet_rxoff_frames(const struct rionet_rxoff *off, struct rte_mbuf **bufs, uint16_t n,
			     struct rionet_rxoff_stats *stats);

/** The burst function that does so behind the port's mode. */
uint16_t rionet_rxoff_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);

#endif /* RIONET_RXOFF_H */
