/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <rte_ip.h>
#include <rte_net.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "tap_frame.h"

#define HEADERS (RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK)

/* Lengths of the headers into m; the packet's type. */
static uint32_t
look_at_headers(struct rte_mbuf *m)
{
	struct rte_net_hdr_lens lens;
	uint32_t type;

	memset(&lens, 0, sizeof(lens));
	type = rte_net_get_ptype(m, &lens, HEADERS);
	m->l2_len = lens.l2_len;
	m->l3_len = lens.l3_len;
	m->l4_len = lens.l4_len;
	return type;
}

static uint64_t
l4_flags(uint32_t type)
{
	uint64_t flags = RTE_ETH_IS_IPV4_HDR(type) ? RTE_MBUF_F_TX_IPV4 :
			 RTE_ETH_IS_IPV6_HDR(type) ? RTE_MBUF_F_TX_IPV6 : 0;

	if (flags == 0)
		return 0;
	switch (type & RTE_PTYPE_L4_MASK) {
	case RTE_PTYPE_L4_TCP:
		return flags | RTE_MBUF_F_TX_TCP_CKSUM;
	case RTE_PTYPE_L4_UDP:
		return flags | RTE_MBUF_F_TX_UDP_CKSUM;
	default:
		return 0;
	}
}

/* A checksum of a protocol that ports know nothing of is finished here. */
static int
finish_checksum(const struct virtio_net_hdr *hdr, struct rte_mbuf *m)
{
	uint32_t at = (uint32_t)hdr->csum_start + hdr->csum_offset;
	uint16_t sum;

	if (hdr->csum_start >= rte_pktmbuf_pkt_len(m) ||
	    at + sizeof(sum) > rte_pktmbuf_data_len(m) ||
	    rte_raw_cksum_mbuf(m, hdr->csum_start, rte_pktmbuf_pkt_len(m) - hdr->csum_start,
			       &sum) < 0)
		return -EINVAL;
	sum = (uint16_t)~sum;
	memcpy(rte_pktmbuf_mtod_offset(m, void *, at), &sum, sizeof(sum));
	return 0;
}

static int
segmentation(const struct virtio_net_hdr *hdr, struct rte_mbuf *m, uint64_t flags)
{
	uint8_t kind = hdr->gso_type & ~VIRTIO_NET_HDR_GSO_ECN;
	uint64_t family = kind == VIRTIO_NET_HDR_GSO_TCPV4 ? RTE_MBUF_F_TX_IPV4 :
			  kind == VIRTIO_NET_HDR_GSO_TCPV6 ? RTE_MBUF_F_TX_IPV6 : 0;

	if (family == 0 || !(flags & family) ||
	    (flags & RTE_MBUF_F_TX_L4_MASK) != RTE_MBUF_F_TX_TCP_CKSUM || hdr->gso_size == 0)
		return -EINVAL;
	m->tso_segsz = hdr->gso_size;
	m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG;
	if (family == RTE_MBUF_F_TX_IPV4)
		m->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
	return 0;
}

int
tap_frame_to_mbuf(const struct virtio_net_hdr *hdr, struct rte_mbuf *m)
{
	uint64_t flags;

	if (!(hdr->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM))
		return hdr->gso_type == VIRTIO_NET_HDR_GSO_NONE ? 0 : -EINVAL;
	flags = l4_flags(look_at_headers(m));
	/* A tunnel's inner protocol, for one: the outer headers are not the ones meant. */
	if (flags != 0 && hdr->csum_start != m->l2_len + m->l3_len)
		flags = 0;
	if (flags == 0)
		return hdr->gso_type == VIRTIO_NET_HDR_GSO_NONE ? finish_checksum(hdr, m) : -EINVAL;
	m->ol_flags |= flags;
	return hdr->gso_type == VIRTIO_NET_HDR_GSO_NONE ? 0 : segmentation(hdr, m, flags);
}

/* Where the unfinished checksum is. False when the frame's headers do not say. */
static bool
partial_checksum(struct rte_mbuf *m, uint32_t type, struct virtio_net_hdr *hdr)
{
	uint64_t flags = l4_flags(type);

	if (flags == 0)
		return false;
	hdr->flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
	hdr->csum_start = m->l2_len + m->l3_len;
	hdr->csum_offset = (flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_TCP_CKSUM ?
			   offsetof(struct rte_tcp_hdr, cksum) :
			   offsetof(struct rte_udp_hdr, dgram_cksum);
	return true;
}

void
tap_frame_to_kernel(struct rte_mbuf *m, struct virtio_net_hdr *hdr)
{
	uint64_t sum = m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK;
	uint32_t type;

	memset(hdr, 0, sizeof(*hdr));
	if (!(m->ol_flags & RTE_MBUF_F_RX_LRO)) {
		if (sum == RTE_MBUF_F_RX_L4_CKSUM_GOOD)
			hdr->flags = VIRTIO_NET_HDR_F_DATA_VALID;
		else if (sum == RTE_MBUF_F_RX_L4_CKSUM_NONE)
			partial_checksum(m, look_at_headers(m), hdr);
		return;
	}
	type = look_at_headers(m);
	if ((type & RTE_PTYPE_L4_MASK) != RTE_PTYPE_L4_TCP || m->tso_segsz == 0 ||
	    !partial_checksum(m, type, hdr))
		return;
	hdr->gso_type = RTE_ETH_IS_IPV4_HDR(type) ? VIRTIO_NET_HDR_GSO_TCPV4 :
						    VIRTIO_NET_HDR_GSO_TCPV6;
	hdr->gso_size = m->tso_segsz;
	hdr->hdr_len = m->l2_len + m->l3_len + m->l4_len;
	/* The sum of a frame that stands for many is made when it is cut, if it ever is. */
	if (sum != RTE_MBUF_F_RX_L4_CKSUM_NONE)
		hdr->flags = VIRTIO_NET_HDR_F_DATA_VALID;
}
