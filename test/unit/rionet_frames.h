/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_FRAMES_H
#define RIONET_FRAMES_H

/*
 * Frames with IP inside, and what must be true of one: written from the RFCs, with
 * nothing of the drivers in it.
 */

#include <stdbool.h>
#include <stdint.h>

/** What a frame holds. Addresses are fixed; payload bytes count up from seed. */
struct flow {
	bool v6;
	uint8_t proto;		/* IPPROTO_TCP, _UDP or _SCTP */
	int vlan;		/* TCI; -1: no tag */
	uint16_t sport, dport;
	uint16_t payload;
	uint8_t seed;
};

/** Bytes of headers in front of the payload. */
uint16_t flow_headers(const struct flow *f);
/** Write it to b, checksums zero. @return its length. */
uint16_t flow_write(const struct flow *f, const uint8_t dst[6], const uint8_t src[6], uint8_t *b);
/** Whether the checksums of a frame without VLAN tag are right. */
bool flow_ip_ok(const uint8_t *b);
bool flow_l4_ok(const uint8_t *b);

#endif /* RIONET_FRAMES_H */
