/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* What the kernel says of a frame and what DPDK says of it, one made from the other. */

#include "app_test.h"

#include <errno.h>

#include <arpa/inet.h>

#include <rte_eal.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "tap_frame.h"
#include "tap_iface.h"

#define L2		14
#define L3_V4		20
#define L3_V6		40
#define TCP_SUM_OFFSET	16
#define UDP_SUM_OFFSET	6

static struct rte_mempool *pool;

static struct rte_mbuf *
frame(bool v6, uint8_t protocol, unsigned int payload)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	unsigned int l3 = v6 ? L3_V6 : L3_V4;
	unsigned int l4 = protocol == IPPROTO_TCP ? sizeof(struct rte_tcp_hdr) :
						    sizeof(struct rte_udp_hdr);
	uint8_t *p = (uint8_t *)rte_pktmbuf_append(m, (uint16_t)(L2 + l3 + l4 + payload));

	memset(p, 0, L2 + l3 + l4);
	memset(p + L2 + l3 + l4, 0x5a, payload);
	p[0] = 2;
	p[6] = 2;
	p[12] = v6 ? 0x86 : 0x08;
	p[13] = v6 ? 0xdd : 0x00;
	p[L2] = v6 ? 0x60 : 0x45;
	if (v6) {
		p[L2 + 4] = (uint8_t)((l4 + payload) >> 8);
		p[L2 + 5] = (uint8_t)(l4 + payload);
		p[L2 + 6] = protocol;
		p[L2 + 7] = 64;
	} else {
		p[L2 + 2] = (uint8_t)((l3 + l4 + payload) >> 8);
		p[L2 + 3] = (uint8_t)(l3 + l4 + payload);
		p[L2 + 8] = 64;
		p[L2 + 9] = protocol;
	}
	if (protocol == IPPROTO_TCP)
		p[L2 + l3 + 12] = 5 << 4;
	return m;
}

static void
sends_checksum(void **state)
{
	static const struct {
		bool v6;
		uint8_t protocol, offset;
		uint64_t flags;
	} row[] = {
		{ false, IPPROTO_TCP, TCP_SUM_OFFSET, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ false, IPPROTO_UDP, UDP_SUM_OFFSET, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM },
		{ true, IPPROTO_TCP, TCP_SUM_OFFSET, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ true, IPPROTO_UDP, UDP_SUM_OFFSET, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(row); i++) {
		unsigned int l3 = row[i].v6 ? L3_V6 : L3_V4;
		struct virtio_net_hdr hdr = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
			.csum_start = (uint16_t)(L2 + l3), .csum_offset = row[i].offset };
		struct rte_mbuf *m = frame(row[i].v6, row[i].protocol, 100);

		assert_int_equal(tap_frame_to_mbuf(&hdr, m), 0);
		assert_int_equal(m->ol_flags, row[i].flags);
		assert_int_equal(m->l2_len, L2);
		assert_int_equal(m->l3_len, l3);
		rte_pktmbuf_free(m);
	}
}

static void
sends_segments(void **state)
{
	(void)state;
	for (unsigned int v6 = 0; v6 <= 1; v6++) {
		struct virtio_net_hdr hdr = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
			.csum_start = (uint16_t)(L2 + (v6 ? L3_V6 : L3_V4)),
			.csum_offset = TCP_SUM_OFFSET, .gso_size = 536,
			.gso_type = (uint8_t)(v6 ? VIRTIO_NET_HDR_GSO_TCPV6 :
						   VIRTIO_NET_HDR_GSO_TCPV4) };
		struct rte_mbuf *m = frame(v6, IPPROTO_TCP, 1200);

		assert_int_equal(tap_frame_to_mbuf(&hdr, m), 0);
		assert_true(m->ol_flags & RTE_MBUF_F_TX_TCP_SEG);
		assert_int_equal(!!(m->ol_flags & RTE_MBUF_F_TX_IP_CKSUM), !v6);
		assert_int_equal(m->tso_segsz, 536);
		assert_int_equal(m->l4_len, sizeof(struct rte_tcp_hdr));
		rte_pktmbuf_free(m);
	}
}

/* A header that does not fit its frame is refused, nothing is read outside the frame. */
static void
refuses(void **state)
{
	static const struct virtio_net_hdr bad[] = {
		/* Segments without a checksum, of no size, of another family, of an old kind. */
		{ .gso_type = VIRTIO_NET_HDR_GSO_TCPV4, .gso_size = 100 },
		{ .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = L2 + L3_V4,
		  .csum_offset = TCP_SUM_OFFSET, .gso_type = VIRTIO_NET_HDR_GSO_TCPV4 },
		{ .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = L2 + L3_V4,
		  .csum_offset = TCP_SUM_OFFSET, .gso_type = VIRTIO_NET_HDR_GSO_TCPV6,
		  .gso_size = 100 },
		{ .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = L2 + L3_V4,
		  .csum_offset = TCP_SUM_OFFSET, .gso_type = VIRTIO_NET_HDR_GSO_UDP,
		  .gso_size = 100 },
		/* A checksum behind the end, and one whose start is. */
		{ .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = 153, .csum_offset = 0 },
		{ .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = 0xffff, .csum_offset = 0xffff },
		{ .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = 60, .csum_offset = 93 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(bad); i++) {
		struct rte_mbuf *m = frame(false, IPPROTO_TCP, 100);

		assert_int_equal(rte_pktmbuf_pkt_len(m), 154);
		assert_int_equal(tap_frame_to_mbuf(&bad[i], m), -EINVAL);
		rte_pktmbuf_free(m);
	}
}

/* Of a protocol that ports know nothing of: the right sum is in the frame afterwards. */
static void
finishes_other_checksums(void **state)
{
	struct virtio_net_hdr hdr = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
				      .csum_start = L2 + L3_V4, .csum_offset = 2 };
	struct rte_mbuf *m = frame(false, IPPROTO_ICMP, 33);
	uint16_t sum;

	(void)state;
	assert_int_equal(tap_frame_to_mbuf(&hdr, m), 0);
	assert_int_equal(m->ol_flags, 0);
	assert_int_equal(rte_raw_cksum_mbuf(m, L2 + L3_V4,
					    rte_pktmbuf_pkt_len(m) - L2 - L3_V4, &sum), 0);
	assert_int_equal(sum, 0xffff);
	rte_pktmbuf_free(m);
}

static void
receives(void **state)
{
	struct rte_mbuf *m = frame(true, IPPROTO_UDP, 50);
	struct virtio_net_hdr hdr, none;

	(void)state;
	memset(&none, 0, sizeof(none));
	tap_frame_to_kernel(m, &hdr);
	assert_memory_equal(&hdr, &none, sizeof(hdr));
	m->ol_flags = RTE_MBUF_F_RX_L4_CKSUM_BAD;
	tap_frame_to_kernel(m, &hdr);
	assert_memory_equal(&hdr, &none, sizeof(hdr));
	m->ol_flags = RTE_MBUF_F_RX_L4_CKSUM_GOOD;
	tap_frame_to_kernel(m, &hdr);
	assert_int_equal(hdr.flags, VIRTIO_NET_HDR_F_DATA_VALID);
	/* The sender left the sum to whoever needs it. */
	m->ol_flags = RTE_MBUF_F_RX_L4_CKSUM_NONE;
	tap_frame_to_kernel(m, &hdr);
	assert_int_equal(hdr.flags, VIRTIO_NET_HDR_F_NEEDS_CSUM);
	assert_int_equal(hdr.csum_start, L2 + L3_V6);
	assert_int_equal(hdr.csum_offset, UDP_SUM_OFFSET);
	rte_pktmbuf_free(m);
}

/* What one side says of a frame arrives at the other kernel as it was said. */
static void
receives_segments(void **state)
{
	struct virtio_net_hdr sent = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
		.csum_start = L2 + L3_V4, .csum_offset = TCP_SUM_OFFSET, .gso_size = 1448,
		.gso_type = VIRTIO_NET_HDR_GSO_TCPV4, .hdr_len = L2 + L3_V4 + 20 };
	struct virtio_net_hdr hdr;
	struct rte_mbuf *m = frame(false, IPPROTO_TCP, 1800);

	(void)state;
	assert_int_equal(tap_frame_to_mbuf(&sent, m), 0);
	m->ol_flags = RTE_MBUF_F_RX_LRO | RTE_MBUF_F_RX_L4_CKSUM_NONE;
	tap_frame_to_kernel(m, &hdr);
	assert_memory_equal(&hdr, &sent, sizeof(hdr));
	m->ol_flags = RTE_MBUF_F_RX_LRO | RTE_MBUF_F_RX_L4_CKSUM_GOOD;
	tap_frame_to_kernel(m, &hdr);
	assert_int_equal(hdr.flags, VIRTIO_NET_HDR_F_DATA_VALID);
	assert_int_equal(hdr.gso_size, 1448);
	rte_pktmbuf_free(m);
}

static void
addresses(void **state)
{
	static const char *const bad[] = {
		"", "10.0.0.1", "10.0.0.1/", "10.0.0.1/33", "10.0.0/24", "10.0.0.1/24x", "fe80::1/129",
		"10.0.0.1/-1", "fe80::/ 3", "host/24", "::::/3",
		"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/12",
	};
	struct tap_address a;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(bad); i++)
		assert_int_equal(tap_address_parse(bad[i], &a), -1);
	assert_int_equal(tap_address_parse("10.1.2.3/0", &a), 0);
	assert_int_equal(a.family, AF_INET);
	assert_int_equal(a.v4.s_addr, htonl(0x0a010203));
	assert_int_equal(tap_address_parse("fd00::2/128", &a), 0);
	assert_int_equal(a.family, AF_INET6);
	assert_int_equal(a.length, 128);
}

int
main(void)
{
	char *eal[] = { (char *)"test", (char *)"--no-huge", (char *)"-m", (char *)"32",
			(char *)"--no-pci", (char *)"--no-shconf", (char *)"--no-telemetry",
			(char *)"--log-level=error" };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends_checksum),
		cmocka_unit_test(sends_segments),
		cmocka_unit_test(refuses),
		cmocka_unit_test(finishes_other_checksums),
		cmocka_unit_test(receives),
		cmocka_unit_test(receives_segments),
		cmocka_unit_test(addresses),
	};

	if (rte_eal_init(RTE_DIM(eal), eal) < 0)
		return 1;
	pool = rte_pktmbuf_pool_create("p", 64, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (pool == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
