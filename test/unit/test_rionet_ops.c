/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Control operations of running ports: addresses, queues. */

#include <errno.h>

#include "rionet_ports.h"

static void
test_mac_filter(void **state)
{
	struct rte_ether_addr a = foreign(1), b = foreign(2), other = p[2].mac;
	char line[512];

	(void)state;
	assert_int_equal(rte_eth_promiscuous_disable(p[1].id), 0);
	/* The address is not known: it goes to all. */
	transmit(0, &a, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 0);
	assert_xstat(1, "rx_filtered", 1);
	assert_int_equal(rte_eth_dev_mac_addr_add(p[1].id, &a, 0), 0);
	assert_int_equal(rte_eth_dev_mac_addr_add(p[1].id, &b, 0), 0);
	transmit(0, &a, &p[0].mac, 64, 1);
	receive(1, &a, &p[0].mac, 64, 1);
	transmit(0, &b, &p[0].mac, 64, 2);
	receive(1, &b, &p[0].mac, 64, 2);
	transmit(0, &p[1].mac, &p[0].mac, 64, 3);
	receive(1, &p[1].mac, &p[0].mac, 64, 3);
	assert_int_equal(rte_eth_dev_mac_addr_remove(p[1].id, &a), 0);
	transmit(0, &a, &p[0].mac, 64, 4);
	assert_int_equal(drain(1), 0);
	transmit(0, &b, &p[0].mac, 64, 5);
	receive(1, &b, &p[0].mac, 64, 5);
	assert_int_equal(rte_eth_dev_mac_addr_remove(p[1].id, &b), 0);
	transmit(0, &b, &p[0].mac, 64, 6);
	assert_int_equal(drain(1), 0);
	assert_xstat(1, "rx_filtered", 3);
	/* Another station's address would never be sent here. */
	log_lines(line);
	assert_int_equal(rte_eth_dev_mac_addr_add(p[1].id, &other, 0), -EINVAL);
	assert_int_equal(log_lines(line), 1);
	assert_non_null(strstr(line, "belongs to destination ID 2"));
	drain(2);
	drain(3);
}

static void
test_mac_full(void **state)
{
	struct rte_eth_dev_info info;
	struct rte_ether_addr addr;
	unsigned int i;

	(void)state;
	assert_int_equal(rte_eth_dev_info_get(p[1].id, &info), 0);
	assert_true(info.max_mac_addrs > 1);
	assert_int_equal(rte_eth_promiscuous_disable(p[1].id), 0);
	for (i = 1; i < info.max_mac_addrs; i++) {
		addr = foreign(i);
		assert_int_equal(rte_eth_dev_mac_addr_add(p[1].id, &addr, 0), 0);
	}
	addr = foreign(i);
	assert_int_equal(rte_eth_dev_mac_addr_add(p[1].id, &addr, 0), -ENOSPC);
	for (i = 1; i < info.max_mac_addrs; i++) {
		addr = foreign(i);
		transmit(0, &addr, &p[0].mac, 64, i);
		receive(1, &addr, &p[0].mac, 64, i);
	}
	/* They stay over a stop. */
	stop_port(1);
	start_port(1);
	assert_xstat(0, "peers_joined", PORTS - 1);
	rig_wait_mode(PORTS);
	addr = foreign(5);
	transmit(0, &addr, &p[0].mac, 64, 9);
	receive(1, &addr, &p[0].mac, 64, 9);
	drain(2);
	drain(3);
}

static void
assert_states(unsigned int n, uint8_t rx, uint8_t tx)
{
	struct rte_eth_rxq_info rxq;
	struct rte_eth_txq_info txq;

	assert_int_equal(rte_eth_rx_queue_info_get(p[n].id, 0, &rxq), 0);
	assert_int_equal(rxq.queue_state, rx);
	assert_int_equal(rte_eth_tx_queue_info_get(p[n].id, 0, &txq), 0);
	assert_int_equal(txq.queue_state, tx);
}

static int
setup_agreed(void **state)
{
	int ret = setup(state);

	rig_wait_mode(PORTS);
	return ret;
}

#define AGREED(f)	cmocka_unit_test_setup_teardown(f, setup_agreed, teardown)

#define STARTED	RTE_ETH_QUEUE_STATE_STARTED
#define STOPPED	RTE_ETH_QUEUE_STATE_STOPPED

static void
test_queues(void **state)
{
	struct rte_mbuf *m;
	unsigned int round;

	(void)state;
	assert_states(0, STARTED, STARTED);
	for (round = 0; round < 5; round++) {
		assert_int_equal(rte_eth_dev_tx_queue_stop(p[0].id, 0), 0);
		assert_int_equal(rte_eth_dev_rx_queue_stop(p[0].id, 0), 0);
		assert_states(0, STOPPED, STOPPED);
		/* Nothing goes out of or into a stopped queue, the frame stays the caller's. */
		m = frame(&p[1].mac, &p[0].mac, 64, 0);
		assert_int_equal(rte_eth_tx_burst(p[0].id, 0, &m, 1), 0);
		rte_pktmbuf_free(m);
		assert_int_equal(drain(0), 0);
		assert_int_equal(rte_eth_rx_queue_count(p[0].id, 0), 0);
		assert_int_equal(rte_eth_tx_done_cleanup(p[0].id, 0, 0), 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p[0].id, 0), 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p[0].id, 0), 0);
		assert_int_equal(rte_eth_dev_rx_queue_start(p[0].id, 0), 0);
		assert_states(0, STARTED, STARTED);
		transmit(0, &p[1].mac, &p[0].mac, 64, round);
		receive(1, &p[1].mac, &p[0].mac, 64, round);
		transmit(1, &p[0].mac, &p[1].mac, 64, round);
		receive(0, &p[0].mac, &p[1].mac, 64, round);
	}
}

/* Queues that wait to be started, and another set up while the port runs. */
static void
test_deferred(void **state)
{
	const struct rte_eth_rxconf rx = { .rx_deferred_start = 1 };
	const struct rte_eth_txconf tx = { .tx_deferred_start = 1 };
	uint16_t id = p[0].id;

	(void)state;
	stop_port(0);
	assert_int_equal(rte_eth_rx_queue_setup(id, 0, NB_DESC, SOCKET_ID_ANY, &rx, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(id, 0, NB_DESC, SOCKET_ID_ANY, &tx), 0);
	start_port(0);
	assert_states(0, STOPPED, STOPPED);
	assert_int_equal(drain(0), 0);
	assert_int_equal(rte_eth_dev_tx_queue_start(id, 0), 0);
	transmit(0, &p[1].mac, &p[0].mac, 64, 1);
	receive(1, &p[1].mac, &p[0].mac, 64, 1);
	assert_int_equal(rte_eth_rx_queue_setup(id, 0, 64, SOCKET_ID_ANY, NULL, pool), 0);
	assert_int_equal(rte_eth_dev_rx_queue_start(id, 0), 0);
	assert_states(0, STARTED, STARTED);
	transmit(1, &p[0].mac, &p[1].mac, 64, 2);
	receive(0, &p[0].mac, &p[1].mac, 64, 2);
	stop_port(0);
	start_port(0);
	/* Deferred is what the last setup said. */
	assert_states(0, STARTED, STOPPED);
}

int
main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		AGREED(test_mac_filter),
		AGREED(test_mac_full),
		AGREED(test_queues),
		AGREED(test_deferred),
	};

	rig_set_mode(argc, argv);
	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
