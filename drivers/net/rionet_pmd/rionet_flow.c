/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Which of a peer's receive queues a frame goes to: by addresses, and by ports
 * where there are some, so that all frames of a flow go to one.
 */

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_jhash.h>

#include "rionet_dma.h"

#define FLOW_HEAD	128u	/* bytes that are looked at */
#define FLOW_TAGS	2u

static uint32_t
flow_ports(const uint8_t *p, const uint8_t *end, uint8_t proto)
{
	uint32_t ports = 0;

	if ((proto == IPPROTO_TCP || proto == IPPROTO_UDP || proto == IPPROTO_SCTP) && p + 4 <= end)
		memcpy(&ports, p, sizeof(ports));
	return ports;
}

static uint32_t
flow_ipv4(const uint8_t *p, const uint8_t *end)
{
	const rte_be16_t frag = RTE_BE16(RTE_IPV4_HDR_OFFSET_MASK | RTE_IPV4_HDR_MF_FLAG);
	struct rte_ipv4_hdr ip;
	uint32_t ports = 0;

	if (p + sizeof(ip) > end)
		return 0;
	memcpy(&ip, p, sizeof(ip));
	/* A fragment goes where the others go, and only the first has ports. */
	if ((ip.fragment_offset & frag) == 0)
		ports = flow_ports(p + rte_ipv4_hdr_len(&ip), end, ip.next_proto_id);
	return rte_jhash_3words(ip.src_addr, ip.dst_addr, ports, ip.next_proto_id);
}

static uint32_t
flow_ipv6(const uint8_t *p, const uint8_t *end)
{
	struct rte_ipv6_hdr ip;
	uint32_t ports;

	if (p + sizeof(ip) > end)
		return 0;
	memcpy(&ip, p, sizeof(ip));
	ports = flow_ports(p + sizeof(ip), end, ip.proto);
	return rte_jhash(ip.src_addr, 2 * sizeof(ip.src_addr), ports ^ ip.proto);
}

unsigned int
rionet_flow_queue(const struct rte_mbuf *m, unsigned int nb)
{
	uint8_t copy[FLOW_HEAD];
	uint32_t len = RTE_MIN(m->pkt_len, FLOW_HEAD), hash, i;
	const uint8_t *p, *type, *end;
	rte_be16_t proto;

	p = rte_pktmbuf_read(m, 0, len, copy);
	if (p == NULL || len < RTE_ETHER_HDR_LEN)
		return 0;
	end = p + len;
	type = p + 2 * RTE_ETHER_ADDR_LEN;
	memcpy(&proto, type, sizeof(proto));
	for (i = 0; i < FLOW_TAGS && type + 6 <= end &&
		    (proto == RTE_BE16(RTE_ETHER_TYPE_VLAN) || proto == RTE_BE16(RTE_ETHER_TYPE_QINQ));
	     i++) {
		type += RTE_VLAN_HLEN;
		memcpy(&proto, type, sizeof(proto));
	}
	if (proto == RTE_BE16(RTE_ETHER_TYPE_IPV4))
		hash = flow_ipv4(type + 2, end);
	else if (proto == RTE_BE16(RTE_ETHER_TYPE_IPV6))
		hash = flow_ipv6(type + 2, end);
	else
		hash = rte_jhash(p, 2 * RTE_ETHER_ADDR_LEN, proto);
	return (unsigned int)((uint64_t)hash * nb >> 32);
}
