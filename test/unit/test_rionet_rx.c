/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Receiving in message mode, against a fake raw driver. */

#include <rte_ethdev.h>

#include "rionet_msg.h"
#include "rionet_proto.h"
#include "rionet_rig.h"

static uint8_t wire[4096];

static const void *
message(uint64_t dst, uint64_t src, uint16_t len)
{
	uint16_t i;

	for (i = 0; i < len; i++)
		wire[i] = i < 6 ? dst >> 8 * i : i < 12 && len >= 12 ? src >> 8 * (i - 6) : i * 7;
	return wire;
}

static void
check_frame(struct rte_mbuf *m, uint16_t len)
{
	uint8_t copy[4096];

	rte_mbuf_sanity_check(m, 1);
	assert_int_equal(rte_pktmbuf_pkt_len(m), len);
	assert_memory_equal(rte_pktmbuf_read(m, 0, len, copy), wire, len);
	assert_int_equal(m->port, 0);
	assert_int_equal(m->ol_flags, 0);
}

static void
test_receive(void **state)
{
	static const uint16_t lens[] = { 16, 64, 1520, 1528 };
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(lens); i++) {
		rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), lens[i]), lens[i]);
		assert_int_equal(rionet_msg_rx_burst(q.rxq, &m, 1), 1);
		check_frame(m, lens[i]);
		assert_int_equal(m->nb_segs, 1);
		rte_pktmbuf_free(m);
	}
	assert_int_equal(rionet_msg_rx_burst(q.rxq, &m, 1), 0);
	assert_int_equal(q.rxq->stats.packets, 4);
	assert_int_equal(q.rxq->stats.bytes, 16 + 64 + 1520 + 1528);
}

static void
test_receive_bursts(void **state)
{
	struct rte_mbuf *bufs[100];
	unsigned int i, n;

	(void)state;
	for (i = 0; i < 100; i++) {
		message(RIG_BROADCAST, RIG_FOREIGN(1), 64);
		wire[63] = i;
		rig_arrive(9, wire, 64);
	}
	assert_int_equal(rionet_rxq_ready(q.rxq, UINT32_MAX), RIG_NB_DESC);
	assert_int_equal(rionet_rxq_ready(q.rxq, 5), 5);
	n = rionet_msg_rx_burst(q.rxq, bufs, 5);
	assert_int_equal(n, 5);
	assert_int_equal(rig.released, 5);
	n += rionet_msg_rx_burst(q.rxq, bufs + n, 70);
	assert_int_equal(n, 75);
	n += rionet_msg_rx_burst(q.rxq, bufs + n, 100 - n);
	assert_int_equal(n, 100);
	for (i = 0; i < 100; i++)
		assert_int_equal(rte_pktmbuf_mtod(bufs[i], uint8_t *)[63], i);
	rte_pktmbuf_free_bulk(bufs, 100);
}

/* Runts and oversize are dropped wherever they are in a burst. */
static void
test_receive_sizes(void **state)
{
	static const uint16_t lens[] = { 8, 64, 1536, 4096, 72, 8 };
	struct rte_mbuf *bufs[8];
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(lens); i++)
		rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), lens[i]), lens[i]);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 2);
	assert_int_equal(bufs[0]->pkt_len, 64);
	assert_int_equal(bufs[1]->pkt_len, 72);
	rte_pktmbuf_free_bulk(bufs, 2);
	assert_int_equal(rig.released, 6);
	assert_int_equal(q.rxq->stats.runt, 2);
	assert_int_equal(q.rxq->stats.oversize, 2);
}

static void
test_receive_chained(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	q.port->max_rx = 4096;
	rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 4096), 4096);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, &m, 1), 1);
	check_frame(m, 4096);
	assert_int_equal(m->nb_segs, 2);
	rte_pktmbuf_free(m);
}

static int
setup_small(void **state)
{
	(void)state;
	rig_open_queues(64);
	q.port->max_rx = 4096;
	return 0;
}

static void
test_receive_small_mbufs(void **state)
{
	struct rte_mbuf *bufs[8];
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++)
		rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 4096), 4096);
	/* 255 mbufs hold three frames of 64 and no fourth; it waits. */
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 3);
	assert_int_equal(rig.released, 3);
	assert_true(q.rxq->stats.nombuf > 0);
	for (i = 0; i < 3; i++) {
		check_frame(bufs[i], 4096);
		assert_int_equal(bufs[i]->nb_segs, 64);
		rte_pktmbuf_free(bufs[i]);
	}
	rig_pool_check(q.pool);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 3);
	rte_pktmbuf_free_bulk(bufs, 3);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 2);
	rte_pktmbuf_free_bulk(bufs, 2);
}

/* As many frames as there are mbufs, the rest stays. */
static void
test_receive_without_mbufs(void **state)
{
	struct rte_mbuf *taken[RIG_POOL_SIZE], *bufs[8];
	unsigned int i;

	(void)state;
	assert_int_equal(rte_pktmbuf_alloc_bulk(q.pool, taken, RIG_POOL_SIZE), 0);
	for (i = 0; i < 5; i++)
		rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 0);
	assert_int_equal(rig.released, 0);
	assert_int_equal(q.rxq->stats.nombuf, 5);
	rte_pktmbuf_free_bulk(taken, 2);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 2);
	assert_int_equal(q.rxq->stats.nombuf, 8);
	rte_pktmbuf_free_bulk(taken + 2, RIG_POOL_SIZE - 2);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs + 2, 8), 3);
	rte_pktmbuf_free_bulk(bufs, 5);
	assert_int_equal(q.rxq->stats.packets, 5);
}

static void
test_receive_filter(void **state)
{
	struct rte_mbuf *bufs[8];

	(void)state;
	q.port->filter.promiscuous = false;
	rig_arrive(9, message(rionet_mac_of(5), RIG_FOREIGN(1), 64), 64);
	rig_arrive(9, message(rionet_mac_of(RIG_SELF), RIG_FOREIGN(1), 64), 64);
	rig_arrive(9, message(0x5e0001, RIG_FOREIGN(1), 64), 64);
	rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 2);
	assert_true(rionet_mac48(rte_pktmbuf_mtod(bufs[0], void *)) == rionet_mac_of(RIG_SELF));
	assert_true(rionet_mac48(rte_pktmbuf_mtod(bufs[1], void *)) == RIG_BROADCAST);
	rte_pktmbuf_free_bulk(bufs, 2);
	assert_int_equal(q.rxq->stats.filtered, 2);
}

static void
test_receive_learns(void **state)
{
	struct rte_mbuf *bufs[8];
	struct rionet_fdb_stats stats;

	(void)state;
	rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	rig_arrive(8, message(RIG_BROADCAST, RIG_FOREIGN(2), 64), 64);
	rig_arrive(7, message(RIG_BROADCAST, rionet_mac_of(5), 64), 64);
	rig_arrive(7, message(RIG_BROADCAST, RIG_BROADCAST, 64), 64);
	rig_arrive(7, message(RIG_BROADCAST, 0, 64), 64);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 6);
	rte_pktmbuf_free_bulk(bufs, 6);
	assert_int_equal(rionet_fdb_lookup(q.port->fdb, RIG_FOREIGN(1)), 9);
	assert_int_equal(rionet_fdb_lookup(q.port->fdb, RIG_FOREIGN(2)), 8);
	assert_int_equal(rionet_fdb_lookup(q.port->fdb, rionet_mac_of(5)), -1);
	assert_int_equal(rionet_fdb_count(q.port->fdb), 2);
	/* It moves. */
	rig_arrive(8, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 1);
	rte_pktmbuf_free(bufs[0]);
	assert_int_equal(rionet_fdb_lookup(q.port->fdb, RIG_FOREIGN(1)), 8);
	rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, bufs, 8), 1);
	rte_pktmbuf_free(bufs[0]);
	assert_int_equal(rionet_fdb_lookup(q.port->fdb, RIG_FOREIGN(1)), 9);
	rionet_fdb_stats(q.port->fdb, &stats);
	assert_int_equal(stats.moved, 2);
}

/* Doorbells are handled by either burst. */
static void
test_bursts_poll_doorbells(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	assert_int_equal(rionet_join_start(q.port), 0);
	rig_ring(4, RIONET_DBELL_JOIN);
	assert_int_equal(rionet_msg_rx_burst(q.rxq, &m, 1), 0);
	assert_int_equal(rionet_peer_state(q.port->peers, 4), RIONET_PEER_JOINED);
	assert_int_equal(rig.nb_doorbells, 1);
	assert_int_equal(rig.doorbells[0].destid, 4);
	assert_int_equal(rig.doorbells[0].info, RIONET_DBELL_JOIN);
	rig_ring(5, RIONET_DBELL_JOIN);
	rionet_msg_tx_burst(q.txq, &m, 0);
	assert_int_equal(rionet_peer_state(q.port->peers, 5), RIONET_PEER_JOINED);
	rionet_join_stop(q.port);
}

static void
test_stop_counts_what_waits(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 40; i++)
		rig_arrive(9, message(RIG_BROADCAST, RIG_FOREIGN(1), 64), 64);
	rig.in_errors = 3;
	rionet_rxq_stop(q.rxq);
	assert_int_equal(rig.released, 40);
	assert_int_equal(q.rxq->stats.discarded, 40);
	assert_int_equal(q.rxq->stats.bad_desc, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_QUEUES(test_receive),
		RIG_QUEUES(test_receive_bursts),
		RIG_QUEUES(test_receive_sizes),
		RIG_QUEUES(test_receive_chained),
		cmocka_unit_test_setup_teardown(test_receive_small_mbufs, setup_small,
						rig_queues_teardown),
		RIG_QUEUES(test_receive_without_mbufs),
		RIG_QUEUES(test_receive_filter),
		RIG_QUEUES(test_receive_learns),
		RIG_QUEUES(test_bursts_poll_doorbells),
		RIG_QUEUES(test_stop_counts_what_waits),
	};

	return cmocka_run_group_tests_name("rionet_rx", tests, rig_eal, NULL);
}
