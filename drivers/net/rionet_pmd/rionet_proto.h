/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_PROTO_H
#define RIONET_PROTO_H

/*
 * Ethernet over RapidIO messages, as on the wire. This is what the Linux
 * kernel's rionet speaks; nothing in here is this driver's own.
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

#endif /* RIONET_PROTO_H */
