/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Transmit offloads. Work is done in the application's mbuf where that is its own
 * alone, in a copy otherwise; doing it again gives the same frame.
 */

#include <errno.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>
#include <rte_net.h>
#include <rte_sctp.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "rionet_cksum.h"
#include "rionet_msg.h"
#include "rionet_port.h"
#include "rionet_proto.h"
#include "rionet_txoff.h"

/* A burst's frames and the segments of one more. */
#define TXOFF_OUT		(RIONET_BURST + RIONET_TSO_SEGS_MAX)

/* Where the IP header to work on begins: inside a tunnel, where there is one. */
static uint32_t
tx_l3(const struct rte_mbuf *m)
{
	if (m->ol_flags & (RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6))
		return m->outer_l2_len + m->outer_l3_len + m->l2_len;
	return m->l2_len;
}

static uint32_t
tx_l4_least(uint64_t flags)
{
	switch (flags & RTE_MBUF_F_TX_L4_MASK) {
	case RTE_MBUF_F_TX_TCP_CKSUM:
		return sizeof(struct rte_tcp_hdr);
	case RTE_MBUF_F_TX_UDP_CKSUM:
		return sizeof(struct rte_udp_hdr);
	case RTE_MBUF_F_TX_SCTP_CKSUM:
		return sizeof(struct rte_sctp_hdr);
	default:
		return 0;
	}
}

/* Bytes of headers that must lie together at the front of the frame, or 0. */
static uint32_t
tx_headers(const struct rte_mbuf *m)
{
	if (!(m->ol_flags & (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)))
		return RTE_ETHER_HDR_LEN;
	return tx_l3(m) + m->l3_len + tx_l4_least(m->ol_flags);
}

static void
tx_fill_ip(uint8_t *l3, uint16_t len)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)l3;

	ip->hdr_checksum = 0;
	ip->hdr_checksum = ~rionet_ip_sum(ip, len);
}

/* The segment as its IP header bounds it; -EINVAL: it ends outside the frame. */
static int
tx_find_l4(const struct rte_mbuf *m, const uint8_t *l3, struct rionet_l4 *l4)
{
	const struct rte_ipv4_hdr *ip4 = (const struct rte_ipv4_hdr *)l3;
	const struct rte_ipv6_hdr *ip6 = (const struct rte_ipv6_hdr *)l3;
	uint32_t begin = tx_l3(m), end;

	l4->off = begin + m->l3_len;
	if (m->ol_flags & RTE_MBUF_F_TX_IPV4) {
		end = begin + rte_be_to_cpu_16(ip4->total_length);
		l4->addrs = &ip4->src_addr;
		l4->addrs_len = 8;
	} else {
		end = begin + sizeof(*ip6) + rte_be_to_cpu_16(ip6->payload_len);
		l4->addrs = ip6->src_addr;
		l4->addrs_len = 32;
	}
	if (end > m->pkt_len || end < l4->off + tx_l4_least(m->ol_flags))
		return -EINVAL;
	l4->len = end - l4->off;
	return 0;
}

static int
tx_fill_l4(struct rte_mbuf *m, uint8_t *l3)
{
	uint8_t *hdr = l3 + m->l3_len;
	struct rionet_l4 l4;
	uint16_t *field;

	if (tx_find_l4(m, l3, &l4) != 0)
		return -EINVAL;
	switch (m->ol_flags & RTE_MBUF_F_TX_L4_MASK) {
	case RTE_MBUF_F_TX_SCTP_CKSUM:
		((struct rte_sctp_hdr *)hdr)->cksum = rionet_sctp_crc(m, &l4);
		return 0;
	case RTE_MBUF_F_TX_UDP_CKSUM:
		l4.proto = IPPROTO_UDP;
		field = &((struct rte_udp_hdr *)hdr)->dgram_cksum;
		break;
	default:
		l4.proto = IPPROTO_TCP;
		field = &((struct rte_tcp_hdr *)hdr)->cksum;
		break;
	}
	*field = 0;
	*field = ~rionet_l4_sum(m, &l4);
	/* Zero would say that there is none. */
	if (*field == 0 && l4.proto == IPPROTO_UDP)
		*field = 0xffff;
	return 0;
}

/* Whether flags and lengths say something that can be done. */
static int
tx_check(const struct rte_mbuf *m)
{
	uint64_t flags = m->ol_flags;

	if (!(flags & (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)))
		return 0;
	if (m->l2_len == 0 || tx_headers(m) > m->pkt_len)
		return -EINVAL;
	if (flags & RTE_MBUF_F_TX_IPV4)
		return m->l3_len >= sizeof(struct rte_ipv4_hdr) ? 0 : -EINVAL;
	if ((flags & RTE_MBUF_F_TX_IP_CKSUM) || !(flags & RTE_MBUF_F_TX_IPV6))
		return -EINVAL;
	return m->l3_len >= sizeof(struct rte_ipv6_hdr) ? 0 : -EINVAL;
}

int
rionet_txoff_fill(struct rte_mbuf *m)
{
	uint8_t *l3 = rte_pktmbuf_mtod_offset(m, uint8_t *, tx_l3(m));
	int ret = tx_check(m);

	if (ret != 0)
		return ret;
	if (m->ol_flags & RTE_MBUF_F_TX_L4_MASK)
		ret = tx_fill_l4(m, l3);
	if (ret != 0)
		return ret;
	if (m->ol_flags & RTE_MBUF_F_TX_IP_CKSUM)
		tx_fill_ip(l3, m->l3_len);
	return m->ol_flags & RTE_MBUF_F_TX_VLAN ? rte_vlan_insert(&m) : 0;
}

static bool
tx_is_own(const struct rte_mbuf *m)
{
	return RTE_MBUF_DIRECT(m) && rte_mbuf_refcnt_read(m) == 1 &&
	       m->data_len >= tx_headers(m) &&
	       (!(m->ol_flags & RTE_MBUF_F_TX_VLAN) ||
		rte_pktmbuf_headroom(m) >= sizeof(struct rte_vlan_hdr));
}

/* A copy, whose room holds all headers in its first segment. NULL: none now. */
static struct rte_mbuf *
tx_copy(struct rionet_txoff *off, const struct rte_mbuf *m)
{
	struct rte_mbuf *copy = rte_pktmbuf_copy(m, off->pool, 0, UINT32_MAX);

	if (copy != NULL)
		off->stats.copied++;
	return copy;
}

/* What goes out for the frames of a burst, and whose it is. */
struct tx_out {
	struct rte_mbuf *m[TXOFF_OUT];
	uint16_t frame[TXOFF_OUT];	/* of which of the application's frames */
	uint16_t n;
};

enum tx_step {
	TX_STEP_GO,
	TX_STEP_FULL,		/* no memory, or no room to put it */
	TX_STEP_BAD,		/* it cannot be done as the frame says */
};

static void
tx_out_add(struct tx_out *out, struct rte_mbuf *m, uint16_t frame)
{
	out->m[out->n] = m;
	out->frame[out->n++] = frame;
}

/* Segments are staged together where that is possible at all. */
static bool
tx_has_room(struct rionet_txq *txq, const struct tx_out *out, const struct rte_mbuf *m)
{
	uint32_t room, segs = m->tso_segsz != 0 ? m->pkt_len / m->tso_segsz + 1 : 1;

	if (out->n > RIONET_BURST)
		return false;
	room = txq->port->tx_room(txq);
	return out->n + segs <= room || (room == txq->nb_desc && out->n == 0);
}

static enum tx_step
tx_step_cut(struct rionet_txq *txq, struct tx_out *out, struct rte_mbuf *m, uint16_t frame)
{
	struct rte_mbuf *segs[RIONET_TSO_SEGS_MAX];
	int i, n;

	if (!tx_has_room(txq, out, m))
		return TX_STEP_FULL;
	n = rionet_tso_cut(m, txq->off->pool, segs);
	if (n < 0)
		return n == -ENOMEM ? TX_STEP_FULL : TX_STEP_BAD;
	for (i = 0; i < n; i++)
		tx_out_add(out, segs[i], frame);
	return TX_STEP_GO;
}

static enum tx_step
tx_step(struct rionet_txq *txq, struct tx_out *out, struct rte_mbuf *m, uint16_t frame)
{
	struct rte_mbuf *own = m;

	if (likely(!(m->ol_flags & RIONET_TXOFF_FLAGS))) {
		tx_out_add(out, m, frame);
		return TX_STEP_GO;
	}
	if (m->ol_flags & RTE_MBUF_F_TX_TCP_SEG)
		return tx_step_cut(txq, out, m, frame);
	if (tx_check(m) != 0 || m->pkt_len < RTE_ETHER_HDR_LEN)
		return TX_STEP_BAD;
	if (!tx_is_own(m)) {
		own = tx_copy(txq->off, m);
		if (own == NULL)
			return TX_STEP_FULL;
	}
	if (own->data_len >= tx_headers(own) && rionet_txoff_fill(own) == 0) {
		tx_out_add(out, own, frame);
		return TX_STEP_GO;
	}
	if (own != m)
		rte_pktmbuf_free(own);
	return TX_STEP_BAD;
}

/* A frame of which something was taken: what stands in for it goes on by itself. */
static void
tx_took(struct rionet_txoff *off, const struct tx_out *out, unsigned int first, unsigned int end,
	unsigned int taken, struct rte_mbuf *m)
{
	unsigned int i;

	if (out->m[first] == m)
		return;
	if (m->ol_flags & RTE_MBUF_F_TX_TCP_SEG) {
		off->stats.tso++;
		off->stats.segments += end - first;
	}
	rte_pktmbuf_free(m);
	for (i = taken; i < end; i++)
		off->pending[off->end++] = out->m[i];
}

/*
 * The mode took so much of what was made ready. What was made for frames that stay
 * the application's is undone.
 * @return of how many frames something was taken.
 */
static uint16_t
tx_commit(struct rionet_txoff *off, const struct tx_out *out, unsigned int taken,
	  struct rte_mbuf **bufs)
{
	unsigned int first, end, i;
	uint16_t frames = 0;

	for (first = 0; first < out->n; first = end) {
		struct rte_mbuf *m = bufs[out->frame[first]];

		for (end = first + 1; end < out->n && out->frame[end] == out->frame[first];)
			end++;
		if (first < taken) {
			tx_took(off, out, first, end, taken, m);
			frames++;
			continue;
		}
		for (i = first; i < end; i++)
			if (out->m[i] != m)
				rte_pktmbuf_free(out->m[i]);
	}
	return frames;
}

uint16_t
rionet_txoff_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_txq *txq = queue;
	struct tx_out out;
	enum tx_step step;
	uint16_t i, done = 0, taken;

	if (unlikely(!rionet_txoff_flush(txq)))
		return 0;
	do {
		out.n = 0;
		step = TX_STEP_GO;
		for (i = done; i < nb && i < done + RIONET_BURST; i++) {
			step = tx_step(txq, &out, bufs[i], i);
			if (step != TX_STEP_GO)
				break;
		}
		taken = txq->port->tx_burst(queue, out.m, out.n);
		done += tx_commit(txq->off, &out, taken, bufs);
		if (taken != out.n || (step == TX_STEP_FULL && out.n == 0))
			break;
		if (step == TX_STEP_BAD) {
			txq->off->stats.bad++;
			rte_pktmbuf_free(bufs[done++]);
		}
	} while (done < nb);
	return done;
}

bool
rionet_txoff_flush(struct rionet_txq *txq)
{
	struct rionet_txoff *off = txq->off;

	if (off == NULL || likely(off->first == off->end))
		return true;
	off->first += txq->port->tx_burst(txq, &off->pending[off->first], off->end - off->first);
	if (off->first != off->end)
		return false;
	off->first = off->end = 0;
	return true;
}

unsigned int
rionet_txoff_drop(struct rionet_txoff *off)
{
	unsigned int n = off->end - off->first;

	rte_pktmbuf_free_bulk(&off->pending[off->first], n);
	off->first = off->end = 0;
	return n;
}

#define PREPARE_FLAGS		(RIONET_TXOFF_FLAGS | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | \
				 RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6 | \
				 RTE_MBUF_F_TX_TUNNEL_MASK)

static int
tx_prepare(const struct rionet_port *port, const struct rte_mbuf *m)
{
	if (m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK & ~PREPARE_FLAGS)
		return -ENOTSUP;
	if (m->pkt_len < RTE_ETHER_HDR_LEN)
		return -EINVAL;
	if (m->ol_flags & RTE_MBUF_F_TX_TCP_SEG)
		return rionet_tso_check(m);
	if (m->pkt_len > port->max_frame + RIONET_VLAN_TAGS * RTE_VLAN_HLEN)
		return -EINVAL;
	return tx_check(m);
}

uint16_t
rionet_tx_prepare(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	const struct rionet_txq *txq = queue;
	uint16_t i;
	int ret;

	for (i = 0; i < nb; i++) {
		ret = tx_prepare(txq->port, bufs[i]);
		if (unlikely(ret != 0)) {
			rte_errno = -ret;
			break;
		}
	}
	return i;
}

void
rionet_txoff_free(struct rionet_txoff *off)
{
	if (off == NULL)
		return;
	rte_mempool_free(off->pool);
	rte_free(off);
}

struct rionet_txoff *
rionet_txoff_create(const struct rionet_port *port, uint16_t qid, uint16_t nb_desc, int socket_id)
{
	struct rionet_txoff *off;
	char name[RTE_MEMPOOL_NAMESIZE];

	off = rte_zmalloc_socket("rionet_txoff", sizeof(*off), RTE_CACHE_LINE_SIZE, socket_id);
	if (off == NULL)
		return NULL;
	/* What is in flight, what waits, and what is made ready. */
	snprintf(name, sizeof(name), "rionet_to%u_%u", port->data->port_id, qid);
	off->pool = rte_pktmbuf_pool_create(name, nb_desc + 2 * RIONET_TSO_SEGS_MAX, 0, 0,
					    RTE_PKTMBUF_HEADROOM + RIONET_MSG_MAX, socket_id);
	if (off->pool == NULL) {
		rionet_txoff_free(off);
		return NULL;
	}
	return off;
}
