/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Offloads of ports: port 0 sends what asks for work, port 1 checks and tells. */

#include <errno.h>
#include <netinet/in.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_net.h>

#include "rionet_frames.h"
#include "rionet_ports.h"

#define TX_ALL	(RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | \
		 RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
		 RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO | \
		 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
#define RX_CKSUM (RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM | \
		  RTE_ETH_RX_OFFLOAD_TCP_CKSUM | RTE_ETH_RX_OFFLOAD_SCTP_CKSUM)
#define CKSUM_FLAGS (RTE_MBUF_F_RX_IP_CKSUM_MASK | RTE_MBUF_F_RX_L4_CKSUM_MASK)

static uint8_t bytes[65536], got[65536];

static void
open_conf(unsigned int n, const struct rte_eth_conf *conf)
{
	open_port(n, "");
	assert_int_equal(rte_eth_dev_configure(p[n].id, 1, 1, conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(p[n].id, 0, 512, SOCKET_ID_ANY, NULL, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(p[n].id, 0, NB_DESC, SOCKET_ID_ANY, NULL), 0);
	start_port(n);
}

static int
offload_setup(void **state)
{
	const struct rte_eth_conf tx = { .rxmode.mtu = 1500, .txmode.offloads = TX_ALL };
	const struct rte_eth_conf rx = { .rxmode = { .mtu = 1500, .offloads = RX_CKSUM } };

	(void)state;
	open_conf(0, &tx);
	open_conf(1, &rx);
	rig_wait_mode(2);
	return 0;
}

/* Messages carry multiples of 8 bytes. */
static uint32_t
length(uint32_t len)
{
	return rig_exact ? len : RTE_ALIGN_CEIL(len, 8);
}

/* How a frame lies in memory. */
enum shape { WHOLE, CHAIN, CLONE, SHAPES };

static struct rte_mbuf *
chain_of(const uint8_t *b, uint32_t len, uint16_t first, uint16_t rest)
{
	struct rte_mbuf *m = NULL, *seg;
	uint32_t off, n;

	for (off = 0; off < len; off += n) {
		n = RTE_MIN(len - off, (uint32_t)(m == NULL ? first : rest));
		seg = rte_pktmbuf_alloc(pool);
		assert_non_null(seg);
		memcpy(rte_pktmbuf_append(seg, n), b + off, n);
		if (m == NULL)
			m = seg;
		else
			assert_int_equal(rte_pktmbuf_chain(m, seg), 0);
	}
	return m;
}

static struct rte_mbuf *
shaped(const uint8_t *b, uint32_t len, enum shape shape)
{
	struct rte_mbuf *m, *clone;

	if (shape == CHAIN)
		return chain_of(b, len, 17, 33);
	m = chain_of(b, len, 2048, 2048);
	if (shape == WHOLE)
		return m;
	clone = rte_pktmbuf_clone(m, pool);
	assert_non_null(clone);
	rte_pktmbuf_free(m);
	return clone;
}

static const uint64_t l4_flag[] = {
	[IPPROTO_TCP] = RTE_MBUF_F_TX_TCP_CKSUM,
	[IPPROTO_UDP] = RTE_MBUF_F_TX_UDP_CKSUM,
	[IPPROTO_SCTP] = RTE_MBUF_F_TX_SCTP_CKSUM,
};

/* Lengths and flags as an application sets them that wants all checksums. */
static void
ask_cksum(struct rte_mbuf *m, const struct flow *f)
{
	m->l2_len = 14;
	m->l3_len = f->v6 ? 40 : 20;
	m->l4_len = flow_headers(f) - 14 - m->l3_len;
	m->ol_flags |= l4_flag[f->proto] | (f->v6 ? RTE_MBUF_F_TX_IPV6 :
						    RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM);
}

static void
send_one(struct rte_mbuf *m)
{
	assert_int_equal(rte_eth_tx_prepare(p[0].id, 0, &m, 1), 1);
	assert_int_equal(rte_eth_tx_burst(p[0].id, 0, &m, 1), 1);
}

static struct rte_mbuf *
next_frame(void)
{
	struct rte_mbuf *m = NULL;
	unsigned int tries;

	for (tries = 0; tries < 50000; tries++) {
		if (rte_eth_rx_burst(p[1].id, 0, &m, 1) == 1)
			break;
		rte_delay_us_sleep(100);
	}
	assert_non_null(m);
	memcpy(got, rte_pktmbuf_read(m, 0, m->pkt_len, got), m->pkt_len);
	return m;
}

static void
test_cksum(void **state)
{
	static const uint8_t protos[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_SCTP };
	static const uint16_t payloads[] = { 0, 1, 3, 46, 511, 1400 };
	unsigned int v6, i, k;
	enum shape shape;

	(void)state;
	for (v6 = 0; v6 < 2; v6++)
	for (i = 0; i < RTE_DIM(protos); i++)
	for (k = 0; k < RTE_DIM(payloads); k++)
	for (shape = WHOLE; shape < SHAPES; shape++) {
		struct flow f = { .v6 = v6, .proto = protos[i], .vlan = -1, .sport = 7,
				  .dport = 9, .payload = payloads[k], .seed = k * 31 + shape };
		uint16_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
		struct rte_mbuf *m = shaped(bytes, len, shape);

		ask_cksum(m, &f);
		send_one(m);
		m = next_frame();
		assert_true(flow_ip_ok(got));
		assert_true(flow_l4_ok(got));
		assert_int_equal(m->ol_flags & CKSUM_FLAGS, RTE_MBUF_F_RX_L4_CKSUM_GOOD |
				 (v6 ? 0 : RTE_MBUF_F_RX_IP_CKSUM_GOOD));
		/* Nothing but checksums was touched. */
		assert_memory_equal(got, bytes, v6 ? 54 : 24);
		assert_memory_equal(got + flow_headers(&f), bytes + flow_headers(&f), f.payload);
		rte_pktmbuf_free(m);
	}
	assert_int_equal(xstat(0, "tx_bad_offload"), 0);
	assert_true(xstat(0, "tx_offload_copied") > 0);
}

/* The sum of a datagram may be such that its checksum is sent as 0xffff. */
static void
test_cksum_zero(void **state)
{
	struct flow f = { .proto = IPPROTO_UDP, .vlan = -1, .sport = 1, .dport = 2, .payload = 2 };
	uint16_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
	struct rte_mbuf *m;
	unsigned int field;

	(void)state;
	bytes[42] = bytes[43] = 0;
	m = shaped(bytes, len, WHOLE);
	ask_cksum(m, &f);
	send_one(m);
	rte_pktmbuf_free(next_frame());
	/* With its checksum as payload the sum is zero. */
	field = got[40] << 8 | got[41];
	assert_int_not_equal(field, 0);
	bytes[42] = field >> 8;
	bytes[43] = field;
	m = shaped(bytes, len, WHOLE);
	ask_cksum(m, &f);
	send_one(m);
	rte_pktmbuf_free(next_frame());
	assert_int_equal(got[40] << 8 | got[41], 0xffff);
}

static void
test_verify(void **state)
{
	static const struct {
		uint16_t at;		/* this byte is changed on the way */
		uint64_t flags;
	} cases[] = {
		{ 22, RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_GOOD },
		{ 24, RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_GOOD },
		{ 26, RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_BAD },
		{ 36, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_BAD },
		{ 60, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_BAD },
		/* Behind the segment: padding of the link. */
		{ 154, RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD },
		/* Says that it is longer than the frame, and that it is a fragment. */
		{ 16, RTE_MBUF_F_RX_IP_CKSUM_BAD },
		{ 21, RTE_MBUF_F_RX_IP_CKSUM_BAD },
	};
	struct flow f = { .proto = IPPROTO_TCP, .vlan = -1, .payload = 100 };
	struct rte_mbuf *m;
	uint16_t len;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		/* Right, then changed and sent without any offload. */
		len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
		m = shaped(bytes, len, WHOLE);
		ask_cksum(m, &f);
		send_one(m);
		rte_pktmbuf_free(next_frame());
		memset(got + len, 0, 6);
		got[cases[i].at] ^= 0x40;
		send_one(chain_of(got, len + 6, 2048, 2048));
		m = next_frame();
		assert_int_equal(m->ol_flags & CKSUM_FLAGS, cases[i].flags);
		rte_pktmbuf_free(m);
	}
	assert_int_equal(xstat(1, "rx_bad_ip_cksum"), 5);
	assert_int_equal(xstat(1, "rx_bad_l4_cksum"), 3);
	/* No checksum, and what is not IP: nothing is known. */
	f.proto = IPPROTO_UDP;
	len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
	m = shaped(bytes, len, WHOLE);
	ask_cksum(m, &f);
	m->ol_flags &= ~RTE_MBUF_F_TX_L4_MASK;
	send_one(m);
	m = next_frame();
	assert_int_equal(m->ol_flags & CKSUM_FLAGS, RTE_MBUF_F_RX_IP_CKSUM_GOOD);
	rte_pktmbuf_free(m);
	transmit(0, &p[1].mac, &p[0].mac, 64, 0);
	m = next_frame();
	assert_int_equal(m->ol_flags & CKSUM_FLAGS, 0);
	rte_pktmbuf_free(m);
}

/* What flags and lengths say does not fit the frame: refused, or dropped and counted. */
static void
test_bad(void **state)
{
	static const struct {
		uint64_t flags;
		uint16_t l2, l3, l4, mss;
		int error;
	} cases[] = {
		{ RTE_MBUF_F_TX_TCP_CKSUM, 14, 20, 20, 0, EINVAL },	/* of which IP */
		{ RTE_MBUF_F_TX_IP_CKSUM, 14, 20, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_IPV4, 0, 20, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_IPV4, 14, 16, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_IPV6, 14, 40, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IPV6, 14, 20, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_UDP_CKSUM | RTE_MBUF_F_TX_IPV4, 14, 511, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4, 14, 20, 20, 0, EINVAL },
		{ RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4, 14, 20, 16, 10, EINVAL },
		{ RTE_MBUF_F_TX_TCP_SEG, 14, 20, 20, 10, EINVAL },
		{ RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4, 127, 511, 20, 10, EINVAL },
		{ RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TUNNEL_VXLAN,
		  14, 20, 20, 10, EINVAL },
		{ RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_IPV4, 14, 20, 20, 0, ENOTSUP },
		{ RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV4, 14, 20, 20, 10, ENOTSUP },
		{ RTE_MBUF_F_TX_IEEE1588_TMST, 14, 20, 20, 0, ENOTSUP },
	};
	struct flow f = { .proto = IPPROTO_TCP, .vlan = -1, .payload = 100 };
	uint16_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
	struct rte_eth_stats stats;
	unsigned int i, bad = 0;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		struct rte_mbuf *m = shaped(bytes, len, WHOLE);

		m->ol_flags = cases[i].flags;
		m->l2_len = cases[i].l2;
		m->l3_len = cases[i].l3;
		m->l4_len = cases[i].l4;
		m->tso_segsz = cases[i].mss;
		assert_int_equal(rte_eth_tx_prepare(p[0].id, 0, &m, 1), 0);
		assert_int_equal(rte_errno, cases[i].error);
		if (cases[i].error != EINVAL) {
			rte_pktmbuf_free(m);
			continue;
		}
		bad++;
		assert_int_equal(rte_eth_tx_burst(p[0].id, 0, &m, 1), 1);
		assert_int_equal(xstat(0, "tx_bad_offload"), bad);
	}
	assert_int_equal(rte_eth_stats_get(p[0].id, &stats), 0);
	assert_int_equal(stats.oerrors, bad);
	assert_int_equal(drain(1), 0);
}

static void
test_vlan_insert(void **state)
{
	struct flow f = { .proto = IPPROTO_UDP, .vlan = -1, .payload = 100 };
	enum shape shape;

	(void)state;
	for (shape = WHOLE; shape < SHAPES; shape++) {
		uint16_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
		struct rte_mbuf *m = shaped(bytes, len, shape);

		ask_cksum(m, &f);
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = 0x6123;
		send_one(m);
		m = next_frame();
		assert_int_equal(m->pkt_len, length(len + 4));
		assert_memory_equal(got, bytes, 12);
		assert_memory_equal(got + 12, "\x81\x00\x61\x23\x08\x00", 6);
		assert_int_equal(m->ol_flags & CKSUM_FLAGS,
				 RTE_MBUF_F_RX_L4_CKSUM_GOOD | RTE_MBUF_F_RX_IP_CKSUM_GOOD);
		memmove(got + 4, got, 12);
		assert_true(flow_ip_ok(got + 4));
		assert_true(flow_l4_ok(got + 4));
		rte_pktmbuf_free(m);
	}
	/* With no room in front of the frame. */
	{
		uint16_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
		struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

		m->data_off = 0;
		memcpy(rte_pktmbuf_append(m, len), bytes, len);
		m->ol_flags = RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = 5;
		send_one(m);
		rte_pktmbuf_free(next_frame());
		assert_memory_equal(got + 12, "\x81\x00\x00\x05\x08\x00", 6);
	}
}

static uint32_t
get32(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

/* A cut frame arrives as segments that make it up, each a whole one by itself. */
static void
check_segments(const struct flow *f, uint16_t mss)
{
	uint32_t off = 0, headers = flow_headers(f), l4 = headers - 20, n = 0;

	do {
		struct rte_mbuf *m = next_frame();
		uint32_t len = RTE_MIN(f->payload - off, mss);
		bool last = off + len == f->payload;

		assert_int_equal(m->pkt_len, length(headers + len));
		assert_true(flow_ip_ok(got));
		assert_true(flow_l4_ok(got));
		assert_int_equal(get32(got + l4 + 4), 0xfff0 + off);
		assert_int_equal(got[l4 + 13], 0x10 | (n == 0 ? 0x80 : 0) | (last ? 0x09 : 0));
		if (!f->v6)
			assert_int_equal(got[18] << 8 | got[19], (0xfff0 + n) & 0xffff);
		assert_memory_equal(got + headers, bytes + headers + off, len);
		rte_pktmbuf_free(m);
		off += len;
		n++;
	} while (off < f->payload);
	assert_int_equal(drain(1), 0);
}

static void
test_tso(void **state)
{
	static const struct {
		uint16_t payload, mss;
	} cases[] = {
		{ 0, 1000 }, { 1, 1000 }, { 1000, 1000 }, { 1001, 1000 }, { 20000, 1448 },
		{ 60000, 1460 }, { 12800, 50 }, { 3000, 3000 },
	};
	uint64_t frames = 0;
	unsigned int v6, i;
	enum shape shape;

	(void)state;
	/* Larger segments than the MTU would be dropped. */
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 4000), 0);
	assert_int_equal(rte_eth_dev_set_mtu(p[1].id, 4000), 0);
	for (v6 = 0; v6 < 2; v6++)
	for (i = 0; i < RTE_DIM(cases); i++)
	for (shape = WHOLE; shape < SHAPES; shape++) {
		struct flow f = { .v6 = v6, .proto = IPPROTO_TCP, .vlan = -1,
				  .payload = cases[i].payload, .seed = i };
		uint32_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
		struct rte_mbuf *m = shaped(bytes, len, shape == CHAIN && len > 10000 ? WHOLE :
								shape);

		ask_cksum(m, &f);
		m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG;
		m->tso_segsz = cases[i].mss;
		send_one(m);
		check_segments(&f, cases[i].mss);
		frames++;
	}
	assert_int_equal(xstat(0, "tx_tso_frames"), frames);
	assert_int_equal(xstat(0, "tx_tso_segments"), xstat(0, "tx_good_packets"));
	assert_int_equal(xstat(0, "tx_bad_offload"), 0);
}

static void
vlan_frame(unsigned int vlan, uint8_t seed)
{
	struct flow f = { .proto = IPPROTO_UDP, .vlan = vlan, .payload = 100, .seed = seed };
	uint16_t len = flow_write(&f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);

	send_one(shaped(bytes, len, WHOLE));
}

static void
test_vlan_rx(void **state)
{
	const int both = RTE_ETH_VLAN_STRIP_OFFLOAD | RTE_ETH_VLAN_FILTER_OFFLOAD;
	struct rte_eth_stats stats;
	struct rte_mbuf *m;

	(void)state;
	/* While the port runs: first tags stay, and all come through. */
	vlan_frame(0x6123, 1);
	m = next_frame();
	assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_VLAN, 0);
	assert_memory_equal(got, bytes, 146);
	rte_pktmbuf_free(m);
	assert_int_equal(rte_eth_dev_set_vlan_offload(p[1].id, both), 0);
	assert_int_equal(rte_eth_dev_get_vlan_offload(p[1].id), both);
	assert_int_equal(rte_eth_dev_vlan_filter(p[1].id, 0x123, 1), 0);
	vlan_frame(0x6123, 2);
	vlan_frame(0x6124, 3);	/* not taken */
	vlan_frame(0x2000, 4);	/* of no VLAN */
	m = next_frame();
	assert_int_equal(m->ol_flags & (RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED),
			 RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED);
	assert_int_equal(m->vlan_tci, 0x6123);
	assert_memory_equal(got + 12, "\x08\x00\x45", 3);
	assert_int_equal(got[42], 2);
	rte_pktmbuf_free(m);
	m = next_frame();
	assert_int_equal(m->vlan_tci, 0x2000);
	assert_int_equal(got[42], 4);
	rte_pktmbuf_free(m);
	assert_int_equal(xstat(1, "rx_vlan_filtered"), 1);
	assert_int_equal(rte_eth_stats_get(p[1].id, &stats), 0);
	assert_int_equal(stats.ipackets, 3);
	assert_int_equal(rte_eth_dev_vlan_filter(p[1].id, 0x123, 0), 0);
	vlan_frame(0x6123, 5);
	assert_int_equal(drain(1), 0);
	assert_int_equal(rte_eth_dev_set_vlan_offload(p[1].id, 0), 0);
	vlan_frame(0x6123, 6);
	m = next_frame();
	assert_memory_equal(got, bytes, 146);
	rte_pktmbuf_free(m);
}

static void
test_ptypes(void **state)
{
	static const struct {
		struct flow f;
		uint32_t ptype;
	} cases[] = {
		{ { .proto = IPPROTO_TCP, .vlan = -1 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_TCP },
		{ { .proto = IPPROTO_UDP, .vlan = 7 },
		  RTE_PTYPE_L2_ETHER_VLAN | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP },
		{ { .proto = IPPROTO_SCTP, .vlan = -1, .v6 = true },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6 | RTE_PTYPE_L4_SCTP },
	};
	uint32_t supported[32];
	struct rte_mbuf *m;
	unsigned int i;
	uint16_t len;
	int n;

	(void)state;
	n = rte_eth_dev_get_supported_ptypes(p[1].id, RTE_PTYPE_L4_MASK, supported, 32);
	assert_int_equal(n, 4);
	for (i = 0; i < RTE_DIM(cases); i++) {
		len = flow_write(&cases[i].f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
		assert_int_equal(rte_eth_dev_set_ptypes(p[1].id, RTE_PTYPE_ALL_MASK, NULL, 0), 0);
		send_one(shaped(bytes, len, WHOLE));
		m = next_frame();
		assert_int_equal(m->packet_type, cases[i].ptype);
		rte_pktmbuf_free(m);
		assert_int_equal(rte_eth_dev_set_ptypes(p[1].id, RTE_PTYPE_L3_MASK |
							RTE_PTYPE_L2_MASK, NULL, 0), 0);
		send_one(shaped(bytes, len, WHOLE));
		m = next_frame();
		assert_int_equal(m->packet_type, cases[i].ptype & ~RTE_PTYPE_L4_MASK);
		rte_pktmbuf_free(m);
		assert_int_equal(rte_eth_dev_set_ptypes(p[1].id, RTE_PTYPE_UNKNOWN, NULL, 0), 0);
		send_one(shaped(bytes, len, WHOLE));
		m = next_frame();
		assert_int_equal(m->packet_type, 0);
		rte_pktmbuf_free(m);
	}
}

static uint32_t
hash_of(const struct flow *f, uint64_t hf)
{
	struct rte_eth_rss_conf rss = { .rss_hf = hf };
	uint16_t len = flow_write(f, p[1].mac.addr_bytes, p[0].mac.addr_bytes, bytes);
	struct rte_mbuf *m;
	uint32_t hash;

	assert_int_equal(rte_eth_dev_rss_hash_update(p[1].id, &rss), 0);
	send_one(shaped(bytes, len, WHOLE));
	m = next_frame();
	hash = m->ol_flags & RTE_MBUF_F_RX_RSS_HASH ? m->hash.rss : 0;
	rte_pktmbuf_free(m);
	return hash;
}

/* The values of the verification suite that comes with the hash's definition. */
static void
test_rss(void **state)
{
	const struct rte_eth_conf conf = {
		.rxmode = { .mtu = 1500, .offloads = RTE_ETH_RX_OFFLOAD_RSS_HASH,
			    .mq_mode = RTE_ETH_MQ_RX_RSS },
		.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IPV4,
	};
	const struct flow v4 = { .proto = IPPROTO_TCP, .vlan = -1, .sport = 2794, .dport = 1766 };
	const struct flow v6 = { .v6 = true, .proto = IPPROTO_TCP, .vlan = -1, .sport = 2794,
				 .dport = 1766, .payload = 5 };
	struct rte_eth_rss_reta_entry64 reta[2] = { { .mask = UINT64_MAX }, { .mask = 1 } };
	struct rte_eth_rss_conf rss;
	uint8_t key[40];

	(void)state;
	close_port(1);
	open_conf(1, &conf);
	rig_wait_mode(2);
	assert_int_equal(hash_of(&v4, RTE_ETH_RSS_IPV4), 0x323e8fc2);
	assert_int_equal(hash_of(&v4, RTE_ETH_RSS_NONFRAG_IPV4_TCP), 0x51ccc178);
	assert_int_equal(hash_of(&v4, RTE_ETH_RSS_NONFRAG_IPV4_UDP), 0);
	assert_int_equal(hash_of(&v4, 0), 0);
	assert_int_equal(hash_of(&v6, RTE_ETH_RSS_NONFRAG_IPV4_TCP), 0);
	assert_int_not_equal(hash_of(&v6, RTE_ETH_RSS_NONFRAG_IPV6_TCP),
			     hash_of(&v6, RTE_ETH_RSS_IPV6));
	/* Another key, another hash; a zero key, hash 0. */
	memset(key, 0, sizeof(key));
	rss = (struct rte_eth_rss_conf){ .rss_key = key, .rss_key_len = 40,
					 .rss_hf = RTE_ETH_RSS_IPV4 };
	assert_int_equal(rte_eth_dev_rss_hash_update(p[1].id, &rss), 0);
	assert_int_equal(hash_of(&v4, RTE_ETH_RSS_IPV4), 0);
	rss.rss_key_len = 39;
	assert_int_not_equal(rte_eth_dev_rss_hash_update(p[1].id, &rss), 0);
	memset(key, 1, sizeof(key));
	rss.rss_key_len = 40;
	assert_int_equal(rte_eth_dev_rss_hash_conf_get(p[1].id, &rss), 0);
	assert_int_equal(rss.rss_hf, RTE_ETH_RSS_IPV4);
	assert_int_equal(key[0] | key[39], 0);
	assert_int_equal(rte_eth_dev_rss_reta_query(p[1].id, reta, 128), 0);
	assert_int_equal(reta[0].reta[63], 0);
	assert_int_equal(rte_eth_dev_rss_reta_update(p[1].id, reta, 128), 0);
	assert_int_not_equal(rte_eth_dev_rss_reta_query(p[1].id, reta, 64), 0);
}

#define OFFLOAD(f)	cmocka_unit_test_setup_teardown(f, offload_setup, teardown)

int
main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		OFFLOAD(test_cksum),
		OFFLOAD(test_cksum_zero),
		OFFLOAD(test_verify),
		OFFLOAD(test_bad),
		OFFLOAD(test_vlan_insert),
		OFFLOAD(test_tso),
		OFFLOAD(test_vlan_rx),
		OFFLOAD(test_ptypes),
		OFFLOAD(test_rss),
	};

	rig_set_mode(argc, argv);
	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
