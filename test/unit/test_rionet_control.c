/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Ports as devices: arguments, what they report, coming and going. */

#include <errno.h>

#include <rte_bus_vdev.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>

#include "rionet_ports.h"

static void
test_addresses(void **state)
{
	unsigned int n;

	(void)state;
	for (n = 0; n < PORTS; n++) {
		struct rte_ether_addr mac = { { 0, 1, 0, 1, 0, n } };

		assert_memory_equal(&p[n].mac, &mac, 6);
	}
}

static void
test_info(void **state)
{
	struct rte_eth_dev_info info;
	struct rte_eth_link link;
	struct rte_eth_rxq_info rxq;
	struct rte_eth_txq_info txq;
	struct rte_eth_burst_mode mode;

	(void)state;
	assert_int_equal(rte_eth_dev_info_get(p[0].id, &info), 0);
	assert_string_equal(info.driver_name, "net_rionet");
	assert_int_equal(info.min_mtu, 68);
	assert_int_equal(info.max_mtu, 4082);
	assert_int_equal(info.max_rx_pktlen, 4096);
	assert_true(info.speed_capa & RTE_ETH_LINK_SPEED_20G);
	assert_int_equal(rte_eth_link_get_nowait(p[0].id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(link.link_speed, RTE_ETH_SPEED_NUM_20G);
	stop_port(0);
	assert_int_equal(rte_eth_link_get_nowait(p[0].id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(rte_eth_rx_queue_info_get(p[0].id, 0, &rxq), 0);
	assert_ptr_equal(rxq.mp, pool);
	assert_int_equal(rxq.nb_desc, NB_DESC);
	assert_int_equal(rte_eth_tx_queue_info_get(p[0].id, 0, &txq), 0);
	assert_int_equal(txq.nb_desc, NB_DESC);
	assert_int_equal(rte_eth_rx_burst_mode_get(p[0].id, 0, &mode), 0);
	assert_true(mode.info[0] != '\0');
	assert_int_equal(rte_eth_tx_burst_mode_get(p[0].id, 0, &mode), 0);
	assert_true(mode.info[0] != '\0');
}

static void
test_link_speeds(void **state)
{
	static const struct {
		const char *args;
		uint32_t speed;
	} cases[] = {
		{ "link=1.25x1", RTE_ETH_SPEED_NUM_1G },
		{ "link=3.125x1", RTE_ETH_SPEED_NUM_2_5G },
		{ "link=5.0x1", RTE_ETH_SPEED_NUM_5G },
		{ "link=5.0x2", RTE_ETH_SPEED_NUM_10G },
		{ "link=6.25x4", RTE_ETH_SPEED_NUM_20G },
	};
	struct rte_eth_link link;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		open_port(0, cases[i].args);
		start_port(0);
		assert_int_equal(rte_eth_link_get_nowait(p[0].id, &link), 0);
		assert_int_equal(link.link_speed, cases[i].speed);
		close_port(0);
	}
}

/* Ports come and go, started or not, in any order. */
static void
test_hotplug(void **state)
{
	unsigned int round;

	(void)state;
	for (round = 0; round < 20; round++) {
		unsigned int n = round % PORTS, other = (n + 1) % PORTS;

		transmit(other, &p[n].mac, &p[other].mac, 64, 0);
		transmit(n, &rig_broadcast, &p[n].mac, 64, 0);
		close_port(n);
		open_port(n, "");
		start_port(n);
		assert_xstat(n, "peers_joined", PORTS - 1);
		drain(other);
		transmit(other, &p[n].mac, &p[other].mac, 64, 7);
		receive(n, &p[n].mac, &p[other].mac, 64, 7);
		drain((n + 2) % PORTS);
		drain((n + 3) % PORTS);
	}
}

static void
test_restart(void **state)
{
	unsigned int round;

	(void)state;
	for (round = 0; round < 20; round++) {
		stop_port(0);
		start_port(0);
		transmit(0, &p[1].mac, &p[0].mac, 64, round);
		receive(1, &p[1].mac, &p[0].mac, 64, round);
	}
	assert_int_equal(xstat(0, "tx_good_packets"), 20);
}

/* A port on a raw device that has a name. */
static void
test_raw(void **state)
{
	char line[512];

	(void)state;
	assert_int_equal(rte_vdev_init("raw_tsi7210", "destid=40"), 0);
	open_port(0, "raw=raw_tsi7210");
	assert_int_equal(p[0].mac.addr_bytes[5], 40);
	log_lines(line);
	assert_int_not_equal(rte_vdev_init("net_rionet1", "raw=raw_tsi7210"), 0);
	assert_int_equal(log_lines(line), 1);
	assert_non_null(strstr(line, "raw=raw_tsi7210: is used by net_rionet0"));
	open_port(1, "destid=41");
	start_port(0);
	start_port(1);
	transmit(1, &p[0].mac, &p[1].mac, 64, 1);
	receive(0, &p[0].mac, &p[1].mac, 64, 1);
	/* The port holds the device. */
	assert_int_not_equal(rte_vdev_uninit("raw_tsi7210"), 0);
	transmit(1, &p[0].mac, &p[1].mac, 64, 1);
	receive(0, &p[0].mac, &p[1].mac, 64, 1);
	close_port(0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7210"), 0);
	close_port(1);
}

static void
ignore_doorbell(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	(void)src;
	(void)info;
}

/* A start that fails for what somebody else uses leaves nothing behind. */
static void
test_start_fails(void **state)
{
	struct tsi721_device *dev;
	struct tsi721_omsg *omsg;
	struct tsi721_imsg *imsg;
	char line[512];

	(void)state;
	assert_int_equal(rte_vdev_init("raw_tsi7210", "destid=40"), 0);
	dev = tsi721_device_get("raw_tsi7210");
	assert_non_null(dev);
	open_port(0, "raw=raw_tsi7210");
	log_lines(line);

	assert_int_equal(tsi721_imsg_open(dev, 0, 64, SOCKET_ID_ANY, &imsg), 0);
	assert_int_equal(rte_eth_dev_start(p[0].id), -EBUSY);
	assert_int_equal(log_lines(line), 1);
	assert_non_null(strstr(line, "inbound mailbox of raw_tsi7210"));
	tsi721_imsg_close(imsg);

	assert_int_equal(tsi721_omsg_open(dev, 0, 64, SOCKET_ID_ANY, &omsg), 0);
	assert_int_equal(rte_eth_dev_start(p[0].id), -EBUSY);
	assert_int_equal(log_lines(line), 1);
	assert_non_null(strstr(line, "outbound mailbox of raw_tsi7210"));
	tsi721_omsg_close(omsg, NULL, NULL);

	assert_int_equal(tsi721_dbell_request(dev, 0x1001, 0x1005, ignore_doorbell, NULL), 0);
	assert_int_equal(rte_eth_dev_start(p[0].id), -EBUSY);
	assert_true(log_lines(line) >= 1);
	assert_non_null(strstr(line, "doorbells of raw_tsi7210"));
	tsi721_dbell_release(dev, 0x1001, 0x1005);

	start_port(0);
	tsi721_device_put(dev);
	close_port(0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7210"), 0);
}

static void
test_bad_args(void **state)
{
	static const struct {
		const char *args, *word, *allowed;
	} cases[] = {
		{ "colour=red", "colour", "unknown" },
		{ "mode=pigeon", "mode=pigeon", "msg" },
		{ "mode=pio", "mode=pio", "not built yet" },
		{ "unknown=x", "unknown=x", "flood" },
		{ "unknown=255", "unknown=255", "254" },
		{ "unknown=5,destid=5", "unknown=5", "not 5" },
		{ "peers=[1", "peers=[1", "N-M" },
		{ "peers=0-255", "peers=0-255", "254" },
		{ "raw=nothing", "raw=nothing", "raw_tsi721" },
		{ "raw=net_rionet1", "raw=net_rionet1", "raw_tsi721" },
		{ "raw=nothing,destid=1", "destid=1", "raw=" },
		{ "destid=0", "0", "" },
		{ "destid=x", "destid", "x" },
		{ "fabric=other,link=9x9", "link", "9x9" },
	};
	char line[512];
	unsigned int i;

	(void)state;
	open_port(0, "destid=0");
	log_lines(line);
	for (i = 0; i < RTE_DIM(cases); i++) {
		unsigned int n;
		int ret;

		/* EAL takes -EEXIST for a success. */
		ret = rte_vdev_init("net_rionet1", cases[i].args);
		assert_int_not_equal(ret, 0);
		assert_int_not_equal(ret, -EEXIST);
		n = log_lines(line);
		if (n != 1 || strstr(line, cases[i].word) == NULL ||
		    strstr(line, cases[i].allowed) == NULL)
			fail_msg("%s: %u lines: %s", cases[i].args, n, line);
		assert_int_equal(rte_eth_dev_count_avail(), 1);
	}
	close_port(0);
}

static void
test_unknown_argument(void **state)
{
	struct rte_ether_addr a = foreign(1);

	(void)state;
	open_port(0, "unknown=drop");
	open_port(1, "unknown=2");
	open_port(2, "");
	open_port(3, "");
	for (unsigned int n = 0; n < PORTS; n++)
		start_port(n);
	transmit(0, &a, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "tx_unknown_dropped"), 1);
	assert_int_equal(drain(1) + drain(2) + drain(3), 0);
	transmit(1, &a, &p[1].mac, 64, 0);
	assert_int_equal(drain(2), 1);
	assert_int_equal(drain(0) + drain(3), 0);
}

static void
test_peers_argument(void **state)
{
	(void)state;
	open_port(0, "peers=[2-3]");
	open_port(1, "peers=3");
	open_port(2, "");
	open_port(3, "");
	/* Nobody else runs: only those that are asked answer. */
	start_port(3);
	start_port(0);
	assert_xstat(0, "peers_joined", 1);
	start_port(1);
	assert_xstat(1, "peers_joined", 1);
	assert_xstat(0, "peers_joined", 1);
	/* A JOIN from anybody is answered. */
	start_port(2);
	assert_xstat(2, "peers_joined", 3);
}

static void
test_queue_limits(void **state)
{
	struct rte_eth_conf conf = { 0 };
	uint16_t rx = 16, tx = 16;

	(void)state;
	/* One that was never configured goes as well. */
	assert_int_equal(rte_vdev_init("net_rionet0", NULL), 0);
	close_port(0);
	open_port(0, "");
	assert_int_not_equal(rte_eth_dev_configure(p[0].id, 2, 1, &conf), 0);
	assert_int_equal(rte_eth_dev_configure(p[0].id, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(p[0].id, 0, 31, SOCKET_ID_ANY, NULL, pool),
			 -EINVAL);
	assert_int_equal(rte_eth_tx_queue_setup(p[0].id, 0, 31, SOCKET_ID_ANY, NULL), -EINVAL);
	assert_int_equal(rte_eth_dev_adjust_nb_rx_tx_desc(p[0].id, &rx, &tx), 0);
	assert_int_equal(rx, 32);
	assert_int_equal(tx, 32);
	/* Any number between works. */
	assert_int_equal(rte_eth_rx_queue_setup(p[0].id, 0, 33, SOCKET_ID_ANY, NULL, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(p[0].id, 0, 1000, SOCKET_ID_ANY, NULL), 0);
	open_port(1, "");
	start_port(0);
	start_port(1);
	transmit(0, &p[1].mac, &p[0].mac, 64, 7);
	receive(1, &p[1].mac, &p[0].mac, 64, 7);
	transmit(1, &p[0].mac, &p[1].mac, 64, 7);
	receive(0, &p[0].mac, &p[1].mac, 64, 7);
	/* In one direction only. */
	stop_port(0);
	assert_int_equal(rte_eth_dev_configure(p[0].id, 0, 1, &conf), 0);
	assert_int_equal(rte_eth_tx_queue_setup(p[0].id, 0, 32, SOCKET_ID_ANY, NULL), 0);
	start_port(0);
	transmit(0, &p[1].mac, &p[0].mac, 64, 9);
	receive(1, &p[1].mac, &p[0].mac, 64, 9);
	assert_int_equal(xstat(0, "rx_good_packets"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RUNNING(test_addresses),
		RUNNING(test_info),
		EMPTY(test_link_speeds),
		RUNNING(test_hotplug),
		RUNNING(test_restart),
		EMPTY(test_raw),
		EMPTY(test_start_fails),
		EMPTY(test_bad_args),
		EMPTY(test_unknown_argument),
		EMPTY(test_peers_argument),
		EMPTY(test_queue_limits),
	};

	return cmocka_run_group_tests_name("rionet_control", tests, group_setup, group_teardown);
}
