/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Receive offloads. Lengths and offsets come from the frame, which its sender wrote:
 * none is used before it was found to lie within the frame.
 */

#include <string.h>

#include <rte_ethdev.h>
#include <rte_net.h>
#include <rte_thash.h>

#include "rionet_cksum.h"
#include "rionet_msg.h"
#include "rionet_port.h"
#include "rionet_rxoff.h"

#define HASH_LAYERS	(RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK)

const uint32_t rionet_ptypes[] = {
	RTE_PTYPE_L2_ETHER,
	RTE_PTYPE_L2_ETHER_VLAN,
	RTE_PTYPE_L2_ETHER_QINQ,
	RTE_PTYPE_L3_IPV4,
	RTE_PTYPE_L3_IPV4_EXT,
	RTE_PTYPE_L3_IPV6,
	RTE_PTYPE_L3_IPV6_EXT,
	RTE_PTYPE_L4_FRAG,
	RTE_PTYPE_L4_UDP,
	RTE_PTYPE_L4_TCP,
	RTE_PTYPE_L4_SCTP,
	RTE_PTYPE_UNKNOWN,
};

/* The key that is usual where none is set. */
static const uint8_t default_key[RIONET_RSS_KEY_LEN] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
	0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
	0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
	0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

void
rionet_rxoff_set_key(struct rionet_rxoff *off, const uint8_t *key)
{
	uint32_t words[RTE_DIM(off->key_words)];

	memcpy(off->key, key, sizeof(off->key));
	memcpy(words, key, sizeof(words));
	rte_convert_rss_key(words, off->key_words, sizeof(words));
}

void
rionet_rxoff_init(struct rionet_rxoff *off)
{
	memset(off, 0, sizeof(*off));
	off->what = RIONET_RXOFF_PTYPE;
	off->ptypes = HASH_LAYERS;
	rionet_rxoff_set_key(off, default_key);
}

/* Headers of a frame, copied where they do not lie in one piece. */
struct rx_headers {
	const struct rte_ipv4_hdr *ip4;		/* NULL: it is not IPv4 */
	const struct rte_ipv6_hdr *ip6;
	struct rionet_l4 l4;			/* len 0: no whole segment of a known protocol */
	union {
		uint8_t ip[60];			/* the longest IPv4 header */
		struct rte_ipv6_hdr copy6;
	};
};

static uint8_t
rx_l4_proto(uint32_t ptype)
{
	switch (ptype & RTE_PTYPE_L4_MASK) {
	case RTE_PTYPE_L4_TCP:
		return IPPROTO_TCP;
	case RTE_PTYPE_L4_UDP:
		return IPPROTO_UDP;
	case RTE_PTYPE_L4_SCTP:
		return IPPROTO_SCTP;
	default:
		return 0;
	}
}

/* The segment ends where the IP header says, padding of the link follows it. */
static void
rx_set_l4(struct rx_headers *h, const struct rte_mbuf *m, uint32_t ptype, uint32_t off,
	  uint32_t end, uint32_t least)
{
	h->l4.len = 0;
	h->l4.proto = rx_l4_proto(ptype);
	if (h->l4.proto == 0 || end > m->pkt_len || end < off + least)
		return;
	h->l4.off = off;
	h->l4.len = end - off;
}

static const uint8_t l4_least[] = {
	[IPPROTO_TCP] = 20,
	[IPPROTO_UDP] = 8,
	[IPPROTO_SCTP] = 12,
};

static void
rx_find(struct rx_headers *h, const struct rte_mbuf *m, uint32_t ptype,
	const struct rte_net_hdr_lens *lens)
{
	uint32_t l2 = lens->l2_len, off = l2 + lens->l3_len, end, least;

	h->ip4 = NULL;
	h->ip6 = NULL;
	h->l4.len = 0;
	least = l4_least[rx_l4_proto(ptype)];
	if (RTE_ETH_IS_IPV4_HDR(ptype)) {
		if (lens->l3_len < sizeof(*h->ip4))
			return;
		h->ip4 = rte_pktmbuf_read(m, l2, lens->l3_len, h->ip);
		if (h->ip4 == NULL)
			return;
		end = l2 + rte_be_to_cpu_16(h->ip4->total_length);
		rx_set_l4(h, m, ptype, off, end, least);
		h->l4.addrs = &h->ip4->src_addr;
		h->l4.addrs_len = 8;
	} else if (RTE_ETH_IS_IPV6_HDR(ptype)) {
		h->ip6 = rte_pktmbuf_read(m, l2, sizeof(*h->ip6), &h->copy6);
		if (h->ip6 == NULL)
			return;
		end = l2 + sizeof(*h->ip6) + rte_be_to_cpu_16(h->ip6->payload_len);
		rx_set_l4(h, m, ptype, off, end, least);
		h->l4.addrs = h->ip6->src_addr;
		h->l4.addrs_len = 32;
	}
}

static void
rx_check_ip(struct rte_mbuf *m, const struct rx_headers *h, uint16_t len,
	    struct rionet_rxoff_stats *stats)
{
	if (h->ip4 == NULL)
		return;
	if (likely(rionet_ip_sum(h->ip4, len) == 0xffff)) {
		m->ol_flags |= RTE_MBUF_F_RX_IP_CKSUM_GOOD;
		return;
	}
	m->ol_flags |= RTE_MBUF_F_RX_IP_CKSUM_BAD;
	stats->bad_ip++;
}

/* A UDP datagram over IPv4 may come without a checksum: nothing is known of it then. */
static bool
rx_has_no_cksum(const struct rte_mbuf *m, const struct rx_headers *h)
{
	const struct rte_udp_hdr *udp;
	struct rte_udp_hdr copy;

	if (h->l4.proto != IPPROTO_UDP || h->ip4 == NULL)
		return false;
	udp = rte_pktmbuf_read(m, h->l4.off, sizeof(*udp), &copy);
	return udp != NULL && udp->dgram_cksum == 0;
}

static bool
rx_l4_is_good(const struct rte_mbuf *m, const struct rx_headers *h)
{
	const struct rte_sctp_hdr *sctp;
	struct rte_sctp_hdr copy;

	if (h->l4.proto != IPPROTO_SCTP)
		return rionet_l4_sum(m, &h->l4) == 0xffff;
	sctp = rte_pktmbuf_read(m, h->l4.off, sizeof(*sctp), &copy);
	return sctp != NULL && sctp->cksum == rionet_sctp_crc(m, &h->l4);
}

static void
rx_check_l4(struct rte_mbuf *m, const struct rx_headers *h, struct rionet_rxoff_stats *stats)
{
	if (h->l4.len == 0 || rx_has_no_cksum(m, h))
		return;
	if (likely(rx_l4_is_good(m, h))) {
		m->ol_flags |= RTE_MBUF_F_RX_L4_CKSUM_GOOD;
		return;
	}
	m->ol_flags |= RTE_MBUF_F_RX_L4_CKSUM_BAD;
	stats->bad_l4++;
}

/* The type of hash over the ports of a protocol. */
static uint64_t
rx_hf_ports(const struct rx_headers *h)
{
	bool v4 = h->ip4 != NULL;

	if (h->l4.len == 0)
		return 0;
	switch (h->l4.proto) {
	case IPPROTO_TCP:
		return v4 ? RTE_ETH_RSS_NONFRAG_IPV4_TCP : RTE_ETH_RSS_NONFRAG_IPV6_TCP;
	case IPPROTO_UDP:
		return v4 ? RTE_ETH_RSS_NONFRAG_IPV4_UDP : RTE_ETH_RSS_NONFRAG_IPV6_UDP;
	default:
		return v4 ? RTE_ETH_RSS_NONFRAG_IPV4_SCTP : RTE_ETH_RSS_NONFRAG_IPV6_SCTP;
	}
}

/* As Toeplitz NICs do: addresses, and the ports behind them where they are asked for. */
static void
rx_hash(const struct rionet_rxoff *off, struct rte_mbuf *m, uint32_t ptype,
	const struct rx_headers *h)
{
	uint64_t addrs = h->ip4 != NULL ? RTE_ETH_RSS_IPV4 : RTE_ETH_RSS_IPV6;
	uint64_t ports = rx_hf_ports(h);
	const uint32_t *p, none = 0;
	uint32_t tuple[9], copy, n, i;

	if (h->ip4 == NULL && h->ip6 == NULL)
		return;
	if ((ptype & RTE_PTYPE_L4_MASK) == RTE_PTYPE_L4_FRAG)
		addrs |= h->ip4 != NULL ? RTE_ETH_RSS_FRAG_IPV4 : RTE_ETH_RSS_FRAG_IPV6;
	else
		addrs |= h->ip4 != NULL ? RTE_ETH_RSS_NONFRAG_IPV4_OTHER :
					  RTE_ETH_RSS_NONFRAG_IPV6_OTHER;
	if (!(off->rss_hf & (addrs | ports)))
		return;
	n = h->l4.addrs_len / 4;
	memcpy(tuple, h->l4.addrs, h->l4.addrs_len);
	for (i = 0; i < n; i++)
		tuple[i] = rte_be_to_cpu_32(tuple[i]);
	if (off->rss_hf & ports) {
		p = rte_pktmbuf_read(m, h->l4.off, sizeof(copy), &copy);
		memcpy(&copy, p != NULL ? p : &none, sizeof(copy));
		tuple[n++] = rte_be_to_cpu_32(copy);
	}
	m->hash.rss = rte_softrss_be(tuple, n, (const uint8_t *)off->key_words);
	m->ol_flags |= RTE_MBUF_F_RX_RSS_HASH;
}

static void
rx_headers(const struct rionet_rxoff *off, uint32_t what, struct rte_mbuf *m,
	   struct rionet_rxoff_stats *stats)
{
	struct rte_net_hdr_lens lens = { .l2_len = 0 };
	struct rx_headers h;
	uint32_t ptype, layers = off->ptypes;

	if (what & ~RIONET_RXOFF_PTYPE)
		layers = HASH_LAYERS;
	ptype = rte_net_get_ptype(m, &lens, layers);
	if (what & RIONET_RXOFF_PTYPE)
		m->packet_type = ptype & off->ptypes;
	if (!(what & (RIONET_RXOFF_HEADERS & ~RIONET_RXOFF_PTYPE)))
		return;
	rx_find(&h, m, ptype, &lens);
	if (what & RIONET_RXOFF_IP_CKSUM)
		rx_check_ip(m, &h, lens.l3_len, stats);
	if (what & RIONET_RXOFF_L4_CKSUM)
		rx_check_l4(m, &h, stats);
	if (what & RIONET_RXOFF_HASH)
		rx_hash(off, m, ptype, &h);
}

/* Whether the frame is of a VLAN that is taken, or of none. */
static bool
rx_vlan_takes(const struct rionet_rxoff *off, const struct rte_mbuf *m)
{
	const struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, const struct rte_ether_hdr *);
	const struct rte_vlan_hdr *vlan = (const struct rte_vlan_hdr *)(eth + 1);
	uint16_t id;

	if (eth->ether_type != RTE_BE16(RTE_ETHER_TYPE_VLAN))
		return true;
	if (m->data_len < sizeof(*eth) + sizeof(*vlan))
		return false;
	id = rte_be_to_cpu_16(vlan->vlan_tci) & (RIONET_VLANS - 1);
	/* Priority-tagged frames are of no VLAN. */
	return id == 0 || __atomic_load_n(&off->vlans[id / 64], __ATOMIC_RELAXED) >> id % 64 & 1;
}

static bool
rx_frame(const struct rionet_rxoff *off, uint32_t what, struct rte_mbuf *m,
	 struct rionet_rxoff_stats *stats)
{
	if ((what & RIONET_RXOFF_FILTER) && unlikely(!rx_vlan_takes(off, m))) {
		stats->vlan_filtered++;
		stats->vlan_filtered_bytes += m->pkt_len;
		return false;
	}
	if ((what & RIONET_RXOFF_STRIP) &&
	    m->data_len >= RTE_ETHER_HDR_LEN + sizeof(struct rte_vlan_hdr))
		rte_vlan_strip(m);
	if (what & RIONET_RXOFF_HEADERS)
		rx_headers(off, what, m, stats);
	return true;
}

uint16_t
rionet_rxoff_frames(const struct rionet_rxoff *off, struct rte_mbuf **bufs, uint16_t n,
		    struct rionet_rxoff_stats *stats)
{
	uint32_t what = __atomic_load_n(&off->what, __ATOMIC_RELAXED);
	uint16_t i, left = 0;

	if (what == 0)
		return n;
	for (i = 0; i < n; i++) {
		if (likely(rx_frame(off, what, bufs[i], stats)))
			bufs[left++] = bufs[i];
		else
			rte_pktmbuf_free(bufs[i]);
	}
	return left;
}

uint16_t
rionet_rxoff_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_rxq *rxq = queue;
	uint16_t n = rxq->port->rx_burst(queue, bufs, nb);

	return rionet_rxoff_frames(&rxq->port->rxoff, bufs, n, &rxq->off_stats);
}
