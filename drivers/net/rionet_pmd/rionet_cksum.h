/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_CKSUM_H
#define RIONET_CKSUM_H

/*
 * Checksums in software, of frames whose headers and lengths were checked first.
 */

#include <stdint.h>

#include <rte_ip.h>
#include <rte_mbuf.h>

/** What a transport checksum covers. */
struct rionet_l4 {
	uint32_t off;		/* of its header, in the frame */
	uint32_t len;		/* header and payload, as the IP header says */
	const void *addrs;	/* source and destination address */
	uint16_t addrs_len;	/* 8 or 32 */
	uint8_t proto;
};

/** Ones' complement sum of an IP header; 0xffff where its checksum is right. */
static inline uint16_t
rionet_ip_sum(const void *hdr, uint16_t len)
{
	return rte_raw_cksum(hdr, len);
}

/**
 * Sum over pseudo header and segment; 0xffff where a TCP or UDP checksum is right.
 * l4 lies within the frame.
 */
uint16_t rionet_l4_sum(const struct rte_mbuf *m, const struct rionet_l4 *l4);

/** CRC32c of an SCTP packet, its own field taken as zero, as the field holds it. */
uint32_t rionet_sctp_crc(const struct rte_mbuf *m, const struct rionet_l4 *l4);

#endif /* RIONET_CKSUM_H */
