/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Frames between ports: where they go, what fits, what is counted. */

#include <errno.h>

#include <rte_cycles.h>

#include "rionet_ports.h"

/* Frames pass as soon as the ports are started. */
static void
test_unicast(void **state)
{
	static const uint16_t lens[] = { 14, 15, 21, 60, 64, 127, 1514 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(lens); i++) {
		transmit(0, &p[3].mac, &p[0].mac, lens[i], i);
		receive(3, &p[3].mac, &p[0].mac, lens[i], i);
		transmit(3, &p[0].mac, &p[3].mac, lens[i], i);
		receive(0, &p[0].mac, &p[3].mac, lens[i], i);
	}
	assert_int_equal(drain(1) + drain(2), 0);
	/* Nobody learns stations' addresses. */
	assert_int_equal(xstat(0, "mac_entries"), 0);
}

static void
test_group(void **state)
{
	unsigned int n;

	(void)state;
	transmit(1, &rig_broadcast, &p[1].mac, 61, 5);
	for (n = 0; n < PORTS; n++)
		if (n != 1)
			receive(n, &rig_broadcast, &p[1].mac, 61, 5);
	assert_int_equal(drain(1), 0);
	transmit(2, &rig_group, &p[2].mac, 61, 5);
	assert_int_equal(drain(0) + drain(1) + drain(3), 3);
	assert_int_equal(xstat(2, "tx_messages"), 3);
	assert_int_equal(xstat(2, "tx_good_packets"), 1);
}

/* An address behind a port is found where its frames come from. */
static void
test_bridging(void **state)
{
	struct rte_ether_addr a = foreign(1), b = foreign(2);

	(void)state;
	transmit(0, &b, &a, 64, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(drain(2), 1);
	assert_int_equal(drain(3), 1);
	assert_int_equal(xstat(0, "tx_unknown_flooded"), 1);
	transmit(2, &a, &b, 64, 1);
	receive(0, &a, &b, 64, 1);
	assert_int_equal(drain(1) + drain(3), 0);
	transmit(0, &b, &a, 64, 2);
	receive(2, &b, &a, 64, 2);
	assert_int_equal(drain(1) + drain(3), 0);
	assert_int_equal(xstat(2, "mac_entries"), 1);
	/* It moves to another port. */
	transmit(3, &rig_broadcast, &a, 64, 3);
	assert_int_equal(drain(0) + drain(1) + drain(2), 3);
	transmit(2, &a, &b, 64, 4);
	receive(3, &a, &b, 64, 4);
	assert_int_equal(xstat(2, "mac_moved"), 1);
}

/* What was exchanged with each station. */
static void
test_by_peer(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		transmit(0, &p[1].mac, &p[0].mac, 61 + i, i);
		receive(1, &p[1].mac, &p[0].mac, 61 + i, i);
	}
	transmit(0, &rig_broadcast, &p[0].mac, 64, 0);
	assert_int_equal(drain(1) + drain(2) + drain(3), 3);
	assert_int_equal(xstat(0, "peer_1_tx_packets"), 4);
	assert_int_equal(xstat(0, "peer_1_tx_bytes"), 61 + 62 + 63 + 64);
	assert_int_equal(xstat(0, "peer_2_tx_packets"), 1);
	assert_int_equal(xstat(0, "peer_1_rx_packets"), 0);
	assert_int_equal(xstat(1, "peer_0_rx_packets"), 4);
	assert_int_equal(xstat(1, "peer_0_rx_bytes"), 4 * 64);
	assert_int_equal(xstat(1, "peer_2_rx_packets"), 0);
	assert_int_equal(rte_eth_xstats_reset(p[0].id), 0);
	assert_int_equal(xstat(0, "peer_1_tx_packets"), 0);
}

static void
test_leave(void **state)
{
	(void)state;
	stop_port(3);
	assert_xstat(0, "peers_joined", 2);
	transmit(0, &p[3].mac, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "tx_no_peer"), 1);
	transmit(0, &rig_broadcast, &p[0].mac, 64, 0);
	assert_int_equal(drain(1) + drain(2), 2);
	start_port(3);
	assert_xstat(0, "peers_joined", 3);
	assert_xstat(3, "peers_joined", 3);
	transmit(0, &p[3].mac, &p[0].mac, 64, 7);
	receive(3, &p[3].mac, &p[0].mac, 64, 7);
	/* To itself there is nobody. */
	transmit(0, &p[0].mac, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "tx_no_peer"), 2);
}

static void
test_mtu(void **state)
{
	uint16_t mtu;

	(void)state;
	assert_int_equal(rte_eth_dev_get_mtu(p[0].id, &mtu), 0);
	assert_int_equal(mtu, 1500);
	transmit(0, &p[1].mac, &p[0].mac, 1514, 0);
	transmit(0, &p[1].mac, &p[0].mac, 1515, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(xstat(0, "tx_oversize"), 1);
	assert_int_equal(xstat(0, "tx_errors"), 1);
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 67), -EINVAL);
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 4083), -EINVAL);
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 4082), 0);
	/* The other one takes no more than its own MTU allows. */
	transmit(0, &p[1].mac, &p[0].mac, 4096, 0);
	assert_int_equal(drain(1), 0);
	assert_int_equal(xstat(1, "rx_oversize"), 1);
	assert_int_equal(xstat(1, "rx_errors"), 1);
	assert_int_equal(rte_eth_dev_set_mtu(p[1].id, 4082), 0);
	transmit(0, &p[1].mac, &p[0].mac, 4096, 9);
	receive(1, &p[1].mac, &p[0].mac, 4096, 9);
	transmit(0, &p[1].mac, &p[0].mac, 4097, 0);
	assert_int_equal(xstat(0, "tx_oversize"), 2);
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 68), 0);
	transmit(0, &p[1].mac, &p[0].mac, 82, 0);
	transmit(0, &p[1].mac, &p[0].mac, 83, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(xstat(0, "tx_oversize"), 3);
}

/* Any size of mbuf takes any frame. */
static void
test_small_mbufs(void **state)
{
	struct rte_mempool *small;
	struct rte_eth_rxq_info rxq;
	uint16_t len;

	(void)state;
	small = rte_pktmbuf_pool_create("small", 511, 0, 0, RTE_PKTMBUF_HEADROOM + 256,
					SOCKET_ID_ANY);
	assert_non_null(small);
	stop_port(1);
	configure(&p[1], 4082, small);
	start_port(1);
	assert_int_equal(rte_eth_rx_queue_info_get(p[1].id, 0, &rxq), 0);
	assert_int_equal(rxq.scattered_rx, 1);
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 4082), 0);
	for (len = 14; len <= 4096; len += 1 + len / 7) {
		transmit(0, &p[1].mac, &p[0].mac, len, len);
		receive(1, &p[1].mac, &p[0].mac, len, len);
	}
	close_port(1);
	assert_int_equal(rte_mempool_avail_count(small), 511);
	rte_mempool_free(small);
}

static void
test_promiscuous(void **state)
{
	struct rte_ether_addr other = foreign(9), list[65];
	unsigned int i;

	(void)state;
	assert_int_equal(rte_eth_promiscuous_get(p[1].id), 1);
	assert_int_equal(rte_eth_allmulticast_get(p[1].id), 1);
	assert_int_equal(rte_eth_promiscuous_disable(p[1].id), 0);
	transmit(0, &other, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 0);
	assert_int_equal(drain(2), 1);
	assert_int_equal(xstat(1, "rx_filtered"), 1);
	transmit(0, &rig_group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(rte_eth_allmulticast_disable(p[1].id), 0);
	transmit(0, &rig_group, &p[0].mac, 64, 0);
	transmit(0, &rig_broadcast, &p[0].mac, 64, 0);
	transmit(0, &p[1].mac, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 2);
	for (i = 0; i < RTE_DIM(list); i++) {
		list[i] = rig_group;
		list[i].addr_bytes[5] = RTE_DIM(list) - i;
	}
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p[1].id, list, 65), -ENOSPC);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p[1].id, list + 1, 64), 0);
	transmit(0, &rig_group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
	/* Modes outlive a restart. */
	stop_port(1);
	start_port(1);
	drain(1);
	transmit(0, &other, &p[0].mac, 64, 0);
	transmit(0, &rig_group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p[1].id, NULL, 0), 0);
	transmit(0, &rig_group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 0);
	assert_int_equal(rte_eth_promiscuous_enable(p[1].id), 0);
	transmit(0, &other, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
}

static void
test_mac_addr_set(void **state)
{
	struct rte_ether_addr mine = foreign(7), station = p[2].mac;
	char line[512];

	(void)state;
	log_lines(line);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p[1].id, &station), -EINVAL);
	assert_int_equal(log_lines(line), 1);
	assert_non_null(strstr(line, "destination ID 2"));
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p[1].id, &mine), 0);
	assert_int_equal(log_lines(line), 1);
	assert_non_null(strstr(line, "Linux"));
	assert_int_equal(rte_eth_promiscuous_disable(p[1].id), 0);
	transmit(0, &mine, &p[0].mac, 64, 3);
	receive(1, &mine, &p[0].mac, 64, 3);
	transmit(0, &p[1].mac, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 0);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p[1].id, &p[1].mac), 0);
	transmit(0, &p[1].mac, &p[0].mac, 64, 4);
	receive(1, &p[1].mac, &p[0].mac, 64, 4);
}

static void
test_stats(void **state)
{
	struct rte_eth_stats stats;
	unsigned int i;

	(void)state;
	for (i = 0; i < 10; i++)
		transmit(0, &p[1].mac, &p[0].mac, 61, 0);
	assert_int_equal(drain(1), 10);
	transmit(0, &p[1].mac, &p[0].mac, 13, 0);
	assert_int_equal(rte_eth_stats_get(p[0].id, &stats), 0);
	assert_int_equal(stats.opackets, 10);
	assert_int_equal(stats.obytes, 610);
	assert_int_equal(stats.oerrors, 1);
	assert_int_equal(xstat(0, "tx_runt"), 1);
	assert_int_equal(rte_eth_stats_get(p[1].id, &stats), 0);
	assert_int_equal(stats.ipackets, 10);
	assert_int_equal(stats.ibytes, 640);
	assert_int_equal(stats.q_ipackets[0], 10);
	assert_int_equal(stats.ierrors + stats.imissed + stats.rx_nombuf, 0);
	assert_int_equal(rte_eth_stats_reset(p[0].id), 0);
	assert_int_equal(rte_eth_xstats_reset(p[1].id), 0);
	assert_int_equal(rte_eth_stats_get(p[0].id, &stats), 0);
	assert_int_equal(stats.opackets + stats.obytes + stats.oerrors, 0);
	assert_int_equal(xstat(1, "rx_good_packets"), 0);
	assert_int_equal(xstat(1, "peer_joins"), 0);
	/* What is waiting when the port stops is counted. */
	for (i = 0; i < 5; i++)
		transmit(0, &p[1].mac, &p[0].mac, 64, 0);
	stop_port(1);
	assert_int_equal(rte_eth_stats_get(p[1].id, &stats), 0);
	assert_int_equal(stats.imissed, 5);
	assert_int_equal(rte_eth_stats_get(p[0].id, &stats), 0);
	assert_int_equal(stats.opackets, 5);
}

/* A lagging receiver: the sender is held up, nothing is lost, order is kept. */
static void
test_backpressure(void **state)
{
	struct rte_mbuf *bufs[BURST];
	unsigned int sent = 0, got = 0, n, i;

	(void)state;
	for (;;) {
		struct rte_mbuf *m = frame(&p[1].mac, &p[0].mac, 64, 0);

		rte_pktmbuf_mtod(m, uint32_t *)[8] = sent;
		if (rte_eth_tx_burst(p[0].id, 0, &m, 1) == 0) {
			rte_pktmbuf_free(m);
			break;
		}
		sent++;
		assert_true(sent < 3 * NB_DESC);
	}
	/* The receiver's buffers and the sender's ring. */
	assert_int_equal(sent, NB_DESC - 1 + NB_DESC);
	assert_int_equal(xstat(0, "tx_ring_full"), 1);
	assert_int_equal(rte_eth_tx_descriptor_status(p[0].id, 0, NB_DESC - 1),
			 RTE_ETH_TX_DESC_FULL);
	assert_int_equal(rte_eth_rx_queue_count(p[1].id, 0), NB_DESC - 1);
	assert_int_equal(rte_eth_rx_descriptor_status(p[1].id, 0, NB_DESC - 2),
			 RTE_ETH_RX_DESC_DONE);
	assert_int_equal(rte_eth_rx_descriptor_status(p[1].id, 0, NB_DESC - 1),
			 RTE_ETH_RX_DESC_AVAIL);
	do {
		n = rte_eth_rx_burst(p[1].id, 0, bufs, 7);
		for (i = 0; i < n; i++)
			assert_int_equal(rte_pktmbuf_mtod(bufs[i], uint32_t *)[8], got + i);
		rte_pktmbuf_free_bulk(bufs, n);
		got += n;
	} while (n != 0);
	assert_int_equal(got, sent);
	assert_int_equal(rte_eth_rx_queue_count(p[1].id, 0), 0);
	assert_int_equal(rte_eth_tx_descriptor_status(p[0].id, 0, 0), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_rx_descriptor_status(p[1].id, 0, NB_DESC), -EINVAL);
	assert_int_equal(rte_eth_tx_descriptor_status(p[0].id, 0, NB_DESC), -EINVAL);
}

static void
test_tx_done_cleanup(void **state)
{
	struct rte_mbuf *bufs[10];
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(bufs); i++)
		bufs[i] = frame(&p[1].mac, &p[0].mac, 64, i);
	assert_int_equal(rte_eth_tx_burst(p[0].id, 0, bufs, RTE_DIM(bufs)), RTE_DIM(bufs));
	assert_int_equal(rte_mempool_avail_count(pool), POOL - 10);
	assert_int_equal(rte_eth_tx_done_cleanup(p[0].id, 0, 4), 4);
	assert_int_equal(rte_eth_tx_done_cleanup(p[0].id, 0, 0), 6);
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	assert_int_equal(drain(1), 10);
}

/*
 * A receiver that takes nothing for longer than messages wait: what waits for it is lost, and
 * counted, and holds up a frame for another one only once; it is asked again, not given up.
 */
static void
test_stalled_receiver(void **state)
{
	unsigned int i, sent = 0, lost;

	(void)state;
	for (i = 0; i < 2 * NB_DESC - 10; i++) {
		struct rte_mbuf *m = frame(&p[1].mac, &p[0].mac, 64, 0);

		if (rte_eth_tx_burst(p[0].id, 0, &m, 1) == 0)
			rte_pktmbuf_free(m);
		else
			sent++;
	}
	transmit(0, &p[2].mac, &p[0].mac, 64, 9);
	for (i = 0; i < 200 && xstat(0, "peer_lost") == 0; i++) {
		rte_delay_us_sleep(10000);
		rte_eth_tx_burst(p[0].id, 0, NULL, 0);
	}
	assert_int_equal(xstat(0, "peer_lost"), 1);
	receive(2, &p[2].mac, &p[0].mac, 64, 9);
	for (i = 0; i < 5000 && xstat(0, "peers_joined") != 3; i++) {
		rte_delay_us_sleep(1000);
		rte_eth_tx_burst(p[0].id, 0, NULL, 0);
	}
	assert_int_equal(xstat(0, "peers_joined"), 3);
	lost = (unsigned int)xstat(0, "tx_errors_timeout");
	assert_true(lost > 1 && lost <= NB_DESC);
	assert_int_equal(drain(1), sent - lost);
	assert_int_equal(xstat(0, "tx_good_packets"), sent - lost + 1);
	transmit(0, &p[1].mac, &p[0].mac, 64, 8);
	receive(1, &p[1].mac, &p[0].mac, 64, 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RUNNING(test_unicast),
		RUNNING(test_group),
		RUNNING(test_bridging),
		RUNNING(test_by_peer),
		RUNNING(test_leave),
		RUNNING(test_mtu),
		RUNNING(test_small_mbufs),
		RUNNING(test_promiscuous),
		RUNNING(test_mac_addr_set),
		RUNNING(test_stats),
		RUNNING(test_backpressure),
		RUNNING(test_tx_done_cleanup),
		RUNNING(test_stalled_receiver),
	};

	return cmocka_run_group_tests_name("rionet_port", tests, group_setup, group_teardown);
}
