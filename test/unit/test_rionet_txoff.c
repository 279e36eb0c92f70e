/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Frames that are cut while the ring fills: nothing lost, doubled or out of order. */

#include <netinet/in.h>

#include "rionet_frames.h"
#include "rionet_msg.h"
#include "rionet_proto.h"
#include "rionet_rig.h"
#include "rionet_txoff.h"

#define PEER	5u
#define MSS	100u

static uint8_t bytes[65536];

static int
setup(void **state)
{
	int ret = rig_queues_setup(state);

	q.port->tx_burst = rionet_msg_tx_burst;
	q.port->tx_room = rionet_msg_tx_room;
	q.txq->off = rionet_txoff_create(q.port, 0, RIG_NB_DESC, SOCKET_ID_ANY);
	assert_non_null(q.txq->off);
	rionet_peers_doorbell(q.port->peers, PEER, RIONET_DBELL_JOIN);
	return ret;
}

/* A frame to be cut into so many segments. */
static struct rte_mbuf *
tso_frame(unsigned int segs, uint8_t seed)
{
	struct flow f = { .proto = IPPROTO_TCP, .vlan = -1, .payload = segs * MSS, .seed = seed };
	const uint8_t dst[6] = { 0, 1, 0, 1, 0, PEER }, src[6] = { 0, 1, 0, 1, 0, RIG_SELF };
	uint32_t off, n, len = flow_write(&f, dst, src, bytes);
	struct rte_mbuf *m = NULL, *seg;

	for (off = 0; off < len; off += n) {
		n = RTE_MIN(len - off, 2000u);
		seg = rte_pktmbuf_alloc(q.pool);
		assert_non_null(seg);
		memcpy(rte_pktmbuf_append(seg, n), bytes + off, n);
		if (m == NULL)
			m = seg;
		else
			assert_int_equal(rte_pktmbuf_chain(m, seg), 0);
	}
	m->l2_len = 14;
	m->l3_len = 20;
	m->l4_len = 20;
	m->tso_segsz = MSS;
	m->ol_flags = RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
	return m;
}

static void
check_sent(unsigned int first, unsigned int n, uint8_t seed)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		const uint8_t *b = rig.sent[first + i].bytes;

		assert_int_equal(b[40] << 8 | b[41], (0xfff0 + i * MSS) & 0xffff);
		assert_int_equal(b[54], (uint8_t)(seed + i * MSS));
		assert_true(flow_ip_ok(b));
		assert_true(flow_l4_ok(b));
	}
}

/* More segments than the queue has descriptors: the rest goes before the next frame. */
static void
test_long(void **state)
{
	struct rte_mbuf *m[2] = { tso_frame(100, 1), tso_frame(10, 7) };

	(void)state;
	assert_int_equal(rionet_txoff_burst(q.txq, m, 2), 1);
	assert_int_equal(rig.kicked, RIG_NB_DESC);
	assert_int_equal(rionet_txoff_burst(q.txq, &m[1], 1), 0);
	assert_int_equal(rig.kicked, RIG_NB_DESC);
	rig_end_all();
	/* 36 of the first one; 10 of the second fit behind them. */
	assert_int_equal(rionet_txoff_burst(q.txq, &m[1], 1), 1);
	assert_int_equal(rig.kicked, 110);
	check_sent(0, 100, 1);
	check_sent(100, 10, 7);
	assert_int_equal(q.txq->off->stats.tso, 2);
	assert_int_equal(q.txq->off->stats.segments, 110);
}

/* One that would not fit now, but later, is left alone. */
static void
test_wait(void **state)
{
	struct rte_mbuf *m[3] = { tso_frame(40, 1), tso_frame(40, 7), tso_frame(3, 9) };
	uint64_t flags = m[1]->ol_flags;

	(void)state;
	assert_int_equal(rionet_txoff_burst(q.txq, m, 3), 1);
	assert_int_equal(rig.kicked, 40);
	assert_true(m[1]->ol_flags == flags);
	rig_end_all();
	assert_int_equal(rionet_txoff_burst(q.txq, &m[1], 2), 2);
	assert_int_equal(rig.kicked, 83);
	check_sent(0, 40, 1);
	check_sent(40, 40, 7);
	check_sent(80, 3, 9);
}

/* What is left of a cut frame is freed and counted when the queue stops. */
static void
test_stop(void **state)
{
	struct rte_mbuf *m = tso_frame(100, 1);

	(void)state;
	assert_int_equal(rionet_txoff_burst(q.txq, &m, 1), 1);
	rionet_txq_stop(q.txq);
	assert_int_equal(q.txq->stats.aborted, 100);
	assert_int_equal(rte_mempool_avail_count(q.txq->off->pool),
			 RIG_NB_DESC + 2 * RIONET_TSO_SEGS_MAX);
	assert_int_equal(rionet_txq_start(q.txq), 0);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, rig_queues_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_long),
		TEST(test_wait),
		TEST(test_stop),
	};

	return cmocka_run_group_tests(tests, rig_eal, NULL);
}
