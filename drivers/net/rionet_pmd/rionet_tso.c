/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Segmentation of TCP: a frame's headers in front of each piece of its payload.
 */

#include <errno.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_tcp.h>

#include "rionet_txoff.h"

/* Ethernet, VLAN tags, the longest IPv4 and TCP headers, or IPv6 with some extensions. */
#define TSO_HEADERS_MAX		256u

/* Append n bytes of src from off on to m, whose mbufs come from one pool. */
static bool
tso_append(struct rte_mbuf *m, struct rte_mempool *pool, const struct rte_mbuf *src, uint32_t off,
	   uint32_t n)
{
	struct rte_mbuf *last = rte_pktmbuf_lastseg(m), *more;

	while (n > 0 && off >= src->data_len) {
		off -= src->data_len;
		src = src->next;
	}
	while (n > 0) {
		uint32_t part = RTE_MIN(n, src->data_len - off);
		uint16_t room = rte_pktmbuf_tailroom(last);

		if (room == 0) {
			more = rte_pktmbuf_alloc(pool);
			if (more == NULL)
				return false;
			last->next = more;
			last = more;
			m->nb_segs++;
			continue;
		}
		part = RTE_MIN(part, room);
		memcpy(rte_pktmbuf_mtod_offset(last, uint8_t *, last->data_len),
		       rte_pktmbuf_mtod_offset(src, const uint8_t *, off), part);
		last->data_len += part;
		m->pkt_len += part;
		n -= part;
		off += part;
		while (n > 0 && off >= src->data_len) {
			off -= src->data_len;
			src = src->next;
		}
	}
	return true;
}

/* The headers of the nth segment: lengths, identification, sequence number, flags. */
static void
tso_headers(struct rte_mbuf *seg, uint32_t n, uint32_t off, bool last)
{
	uint8_t *l3 = rte_pktmbuf_mtod_offset(seg, uint8_t *, seg->l2_len);
	struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)(l3 + seg->l3_len);
	struct rte_ipv4_hdr *ip4 = (struct rte_ipv4_hdr *)l3;
	struct rte_ipv6_hdr *ip6 = (struct rte_ipv6_hdr *)l3;

	if (seg->ol_flags & RTE_MBUF_F_TX_IPV4) {
		ip4->total_length = rte_cpu_to_be_16(seg->pkt_len - seg->l2_len);
		ip4->packet_id = rte_cpu_to_be_16(rte_be_to_cpu_16(ip4->packet_id) + n);
	} else {
		ip6->payload_len = rte_cpu_to_be_16(seg->pkt_len - seg->l2_len - sizeof(*ip6));
	}
	tcp->sent_seq = rte_cpu_to_be_32(rte_be_to_cpu_32(tcp->sent_seq) + off);
	if (!last)
		tcp->tcp_flags &= ~(RTE_TCP_FIN_FLAG | RTE_TCP_PSH_FLAG);
	if (n > 0)
		tcp->tcp_flags &= ~RTE_TCP_CWR_FLAG;
}

static struct rte_mbuf *
tso_segment(const struct rte_mbuf *m, struct rte_mempool *pool, uint32_t hlen, uint32_t off,
	    uint32_t len, uint32_t n)
{
	struct rte_mbuf *seg = rte_pktmbuf_alloc(pool);

	if (seg == NULL)
		return NULL;
	seg->tx_offload = m->tx_offload;
	seg->vlan_tci = m->vlan_tci;
	seg->ol_flags = (m->ol_flags & ~(RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_EXTERNAL |
					 RTE_MBUF_F_INDIRECT)) | RTE_MBUF_F_TX_TCP_CKSUM;
	if (m->ol_flags & RTE_MBUF_F_TX_IPV4)
		seg->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
	if (!tso_append(seg, pool, m, 0, hlen) || !tso_append(seg, pool, m, hlen + off, len)) {
		rte_pktmbuf_free(seg);
		return NULL;
	}
	tso_headers(seg, n, off, hlen + off + len == m->pkt_len);
	if (rionet_txoff_fill(seg) != 0) {
		rte_pktmbuf_free(seg);
		return NULL;
	}
	return seg;
}

static uint32_t
tso_hlen(const struct rte_mbuf *m)
{
	return m->l2_len + m->l3_len + m->l4_len;
}

/* Lengths were said by the application. */
int
rionet_tso_check(const struct rte_mbuf *m)
{
	uint32_t l3_least = m->ol_flags & RTE_MBUF_F_TX_IPV4 ? sizeof(struct rte_ipv4_hdr) :
							       sizeof(struct rte_ipv6_hdr);
	uint32_t hlen = tso_hlen(m);

	if ((m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) ||
	    !(m->ol_flags & (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6)))
		return -EINVAL;
	if (m->l2_len < RTE_ETHER_HDR_LEN || m->l3_len < l3_least ||
	    m->l4_len < sizeof(struct rte_tcp_hdr) || hlen > TSO_HEADERS_MAX ||
	    hlen > m->pkt_len)
		return -EINVAL;
	if (m->tso_segsz == 0 || m->pkt_len - hlen > RIONET_TSO_SEGS_MAX * m->tso_segsz)
		return -EINVAL;
	return 0;
}

int
rionet_tso_cut(const struct rte_mbuf *m, struct rte_mempool *pool,
		 struct rte_mbuf *segs[RIONET_TSO_SEGS_MAX])
{
	uint32_t hlen = tso_hlen(m), payload, off = 0, n = 0;

	if (rionet_tso_check(m) != 0)
		return -EINVAL;
	payload = m->pkt_len - hlen;
	do {
		uint32_t len = RTE_MIN(payload - off, (uint32_t)m->tso_segsz);

		segs[n] = tso_segment(m, pool, hlen, off, len, n);
		if (segs[n] == NULL) {
			rte_pktmbuf_free_bulk(segs, n);
			return -ENOMEM;
		}
		n++;
		off += len;
	} while (off < payload);
	return n;
}
