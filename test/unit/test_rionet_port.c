/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Whole ports on null devices, through the ethdev API as an application sees it. */

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#define PORTS		4u
#define NB_DESC		128u
#define POOL		2047u
#define BURST		32u

struct port {
	uint16_t id;
	struct rte_ether_addr mac;
};

static struct port p[PORTS];
static struct rte_mempool *pool;
static FILE *log_file;
static char *log_text;
static size_t log_size, log_begin;

/* EAL makes a folder, and with these options keeps nothing in it. */
static int
eal_init(void)
{
	char *argv[] = { "test", "--no-huge", "-m", "256", "--no-pci", "--no-shconf",
			 "--no-telemetry", "-l", "0", "--log-level=*:error",
			 "--log-level=pmd.net.rionet:notice" };
	char dir[] = "/tmp/rionet-test-XXXXXX", path[64];
	int ret;

	if (mkdtemp(dir) == NULL || setenv("RUNTIME_DIRECTORY", dir, 1) != 0)
		return -1;
	ret = rte_eal_init(RTE_DIM(argv), argv);
	snprintf(path, sizeof(path), "%s/dpdk/rte", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/dpdk", dir);
	rmdir(path);
	return rmdir(dir) == 0 ? ret : -1;
}

static int
group_setup(void **state)
{
	(void)state;
	if (eal_init() < 0)
		return -1;
	log_file = open_memstream(&log_text, &log_size);
	if (log_file == NULL || rte_openlog_stream(log_file) != 0)
		return -1;
	pool = rte_pktmbuf_pool_create("pool", POOL, 0, 0,
				       RTE_PKTMBUF_HEADROOM + 2048, SOCKET_ID_ANY);
	return pool == NULL;
}

static int
group_teardown(void **state)
{
	(void)state;
	rte_mempool_free(pool);
	rte_openlog_stream(NULL);
	fclose(log_file);
	free(log_text);
	return rte_eal_cleanup();
}

/* Lines logged since the last call; the last of them in *line. */
static unsigned int
log_lines(char line[512])
{
	unsigned int n = 0;
	size_t i, last;

	fflush(log_file);
	last = log_begin;
	for (i = log_begin; i < log_size; i++)
		if (log_text[i] == '\n') {
			snprintf(line, 512, "%.*s", (int)(i - last), log_text + last);
			last = i + 1;
			n++;
		}
	log_begin = log_size;
	return n;
}

static void
configure(struct port *port, uint16_t mtu, struct rte_mempool *mp)
{
	struct rte_eth_conf conf = { .rxmode.mtu = mtu };

	assert_int_equal(rte_eth_dev_configure(port->id, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port->id, 0, NB_DESC, SOCKET_ID_ANY, NULL, mp), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port->id, 0, NB_DESC, SOCKET_ID_ANY, NULL), 0);
}

static void
open_port(unsigned int n, const char *args)
{
	char name[32];

	snprintf(name, sizeof(name), "net_rionet%u", n);
	assert_int_equal(rte_vdev_init(name, args), 0);
	assert_int_equal(rte_eth_dev_get_port_by_name(name, &p[n].id), 0);
	assert_int_equal(rte_eth_macaddr_get(p[n].id, &p[n].mac), 0);
	configure(&p[n], 1500, pool);
}

static void
close_port(unsigned int n)
{
	char name[32];

	snprintf(name, sizeof(name), "net_rionet%u", n);
	assert_int_equal(rte_vdev_uninit(name), 0);
}

static void
start_port(unsigned int n)
{
	assert_int_equal(rte_eth_dev_start(p[n].id), 0);
}

static void
stop_port(unsigned int n)
{
	assert_int_equal(rte_eth_dev_stop(p[n].id), 0);
}

static int
setup(void **state)
{
	unsigned int n;

	(void)state;
	for (n = 0; n < PORTS; n++)
		open_port(n, "");
	for (n = 0; n < PORTS; n++)
		start_port(n);
	return 0;
}

/* Stopped or not: whatever a test left there, all mbufs come back. */
static int
teardown(void **state)
{
	char line[512];
	uint16_t id;
	unsigned int n;

	(void)state;
	for (n = 0; n < PORTS; n++) {
		char name[32];

		snprintf(name, sizeof(name), "net_rionet%u", n);
		if (rte_eth_dev_get_port_by_name(name, &id) == 0)
			close_port(n);
	}
	log_lines(line);
	if (rte_mempool_avail_count(pool) != POOL) {
		print_error("%u mbufs missing\n", POOL - rte_mempool_avail_count(pool));
		return -1;
	}
	return rte_eth_dev_count_avail() != 0;
}

static struct rte_ether_addr
foreign(uint8_t n)
{
	return (struct rte_ether_addr){ { 0x02, 0, 0, 0, 0, n } };
}

static const struct rte_ether_addr broadcast = { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
static const struct rte_ether_addr group = { { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01 } };

static struct rte_mbuf *
frame(const struct rte_ether_addr *dst, const struct rte_ether_addr *src, uint16_t len,
      uint8_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool), *last = m;
	uint16_t i;

	assert_non_null(m);
	for (i = 0; i < len; i++) {
		uint8_t *b = (uint8_t *)rte_pktmbuf_append(m, 1);

		if (b == NULL) {
			last = rte_pktmbuf_alloc(pool);
			assert_non_null(last);
			assert_int_equal(rte_pktmbuf_chain(m, last), 0);
			b = (uint8_t *)rte_pktmbuf_append(m, 1);
			assert_non_null(b);
		}
		*b = i < 6 ? dst->addr_bytes[i] : i < 12 ? src->addr_bytes[i - 6] : seed + i;
	}
	return m;
}

static void
transmit(unsigned int n, const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
     uint16_t len, uint8_t seed)
{
	struct rte_mbuf *m = frame(dst, src, len, seed);

	assert_int_equal(rte_eth_tx_burst(p[n].id, 0, &m, 1), 1);
}

static unsigned int
drain(unsigned int n)
{
	struct rte_mbuf *bufs[BURST];
	unsigned int got, total = 0;

	do {
		got = rte_eth_rx_burst(p[n].id, 0, bufs, BURST);
		rte_pktmbuf_free_bulk(bufs, got);
		total += got;
	} while (got != 0);
	return total;
}

/* The one frame that waits at port n is this one, with zero up to a multiple of 8. */
static void
receive(unsigned int n, const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
	uint16_t len, uint8_t seed)
{
	struct rte_mbuf *bufs[BURST];
	uint8_t copy[4096];
	const uint8_t *b;
	uint16_t i;

	assert_int_equal(rte_eth_rx_burst(p[n].id, 0, bufs, BURST), 1);
	assert_int_equal(bufs[0]->port, p[n].id);
	assert_int_equal(rte_pktmbuf_pkt_len(bufs[0]), RTE_ALIGN_CEIL(len, 8));
	rte_mbuf_sanity_check(bufs[0], 1);
	b = rte_pktmbuf_read(bufs[0], 0, RTE_ALIGN_CEIL(len, 8), copy);
	assert_non_null(b);
	assert_memory_equal(b, dst->addr_bytes, 6);
	assert_memory_equal(b + 6, src->addr_bytes, 6);
	for (i = 12; i < RTE_ALIGN_CEIL(len, 8); i++)
		assert_int_equal(b[i], i < len ? (uint8_t)(seed + i) : 0);
	rte_pktmbuf_free(bufs[0]);
}

static uint64_t
xstat(unsigned int n, const char *name)
{
	uint64_t id, value;

	assert_int_equal(rte_eth_xstats_get_id_by_name(p[n].id, name, &id), 0);
	assert_int_equal(rte_eth_xstats_get_by_id(p[n].id, &id, &value, 1), 1);
	return value;
}

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
test_group(void **state)
{
	unsigned int n;

	(void)state;
	transmit(1, &broadcast, &p[1].mac, 61, 5);
	for (n = 0; n < PORTS; n++)
		if (n != 1)
			receive(n, &broadcast, &p[1].mac, 61, 5);
	assert_int_equal(drain(1), 0);
	transmit(2, &group, &p[2].mac, 61, 5);
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
	transmit(3, &broadcast, &a, 64, 3);
	assert_int_equal(drain(0) + drain(1) + drain(2), 3);
	transmit(2, &a, &b, 64, 4);
	receive(3, &a, &b, 64, 4);
	assert_int_equal(xstat(2, "mac_moved"), 1);
}

static void
test_leave(void **state)
{
	(void)state;
	stop_port(3);
	transmit(0, &p[3].mac, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "tx_no_peer"), 1);
	assert_int_equal(xstat(0, "peers_joined"), 2);
	transmit(0, &broadcast, &p[0].mac, 64, 0);
	assert_int_equal(drain(1) + drain(2), 2);
	start_port(3);
	assert_int_equal(xstat(0, "peers_joined"), 3);
	assert_int_equal(xstat(3, "peers_joined"), 3);
	transmit(0, &p[3].mac, &p[0].mac, 64, 7);
	receive(3, &p[3].mac, &p[0].mac, 64, 7);
	/* To itself there is nobody. */
	transmit(0, &p[0].mac, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "tx_no_peer"), 2);
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
	transmit(0, &group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(rte_eth_allmulticast_disable(p[1].id), 0);
	transmit(0, &group, &p[0].mac, 64, 0);
	transmit(0, &broadcast, &p[0].mac, 64, 0);
	transmit(0, &p[1].mac, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 2);
	for (i = 0; i < RTE_DIM(list); i++) {
		list[i] = group;
		list[i].addr_bytes[5] = RTE_DIM(list) - i;
	}
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p[1].id, list, 65), -ENOSPC);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p[1].id, list + 1, 64), 0);
	transmit(0, &group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
	/* Modes outlive a restart. */
	stop_port(1);
	start_port(1);
	drain(1);
	transmit(0, &other, &p[0].mac, 64, 0);
	transmit(0, &group, &p[0].mac, 64, 0);
	assert_int_equal(drain(1), 1);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p[1].id, NULL, 0), 0);
	transmit(0, &group, &p[0].mac, 64, 0);
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
	unsigned int i;

	(void)state;
	for (i = 0; i < 10; i++)
		transmit(0, &p[1].mac, &p[0].mac, 64, 0);
	assert_int_equal(rte_mempool_avail_count(pool), POOL - 10);
	assert_int_equal(rte_eth_tx_done_cleanup(p[0].id, 0, 4), 4);
	assert_int_equal(rte_eth_tx_done_cleanup(p[0].id, 0, 0), 6);
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	assert_int_equal(drain(1), 10);
}

/* A receiver that takes nothing for longer than messages wait is asked again, not given up. */
static void
test_stalled_receiver(void **state)
{
	unsigned int i, sent = 0;

	(void)state;
	for (i = 0; i < 2 * NB_DESC; i++) {
		struct rte_mbuf *m = frame(&p[1].mac, &p[0].mac, 64, 0);

		if (rte_eth_tx_burst(p[0].id, 0, &m, 1) == 0)
			rte_pktmbuf_free(m);
		else
			sent++;
	}
	for (i = 0; i < 200 && xstat(0, "peer_lost") == 0; i++) {
		rte_delay_us_sleep(10000);
		rte_eth_tx_burst(p[0].id, 0, NULL, 0);
	}
	assert_int_equal(xstat(0, "peer_lost"), 1);
	assert_int_equal(xstat(0, "tx_errors_timeout"), 1);
	for (i = 0; i < 100 && xstat(0, "peers_joined") != 3; i++) {
		rte_delay_us_sleep(1000);
		rte_eth_tx_burst(p[0].id, 0, NULL, 0);
	}
	assert_int_equal(xstat(0, "peers_joined"), 3);
	assert_int_equal(drain(1), sent - 1);
	assert_int_equal(xstat(0, "tx_good_packets"), sent - 1);
	transmit(0, &p[1].mac, &p[0].mac, 64, 8);
	receive(1, &p[1].mac, &p[0].mac, 64, 8);
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
		transmit(n, &broadcast, &p[n].mac, 64, 0);
		close_port(n);
		open_port(n, "");
		start_port(n);
		assert_int_equal(xstat(n, "peers_joined"), PORTS - 1);
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
test_bad_args(void **state)
{
	static const struct {
		const char *args, *word, *allowed;
	} cases[] = {
		{ "colour=red", "colour", "unknown" },
		{ "mode=pigeon", "mode=pigeon", "msg" },
		{ "mode=dma", "mode=dma", "not built yet" },
		{ "unknown=x", "unknown=x", "flood" },
		{ "unknown=255", "unknown=255", "254" },
		{ "unknown=5,destid=5", "unknown=5", "not 5" },
		{ "peers=[1", "peers=[1", "N-M" },
		{ "peers=0-255", "peers=0-255", "254" },
		{ "raw=nothing", "raw=nothing", "raw_tsi721" },
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

		assert_int_not_equal(rte_vdev_init("net_rionet1", cases[i].args), 0);
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
	assert_int_equal(xstat(0, "peers_joined"), 1);
	start_port(1);
	assert_int_equal(xstat(1, "peers_joined"), 1);
	assert_int_equal(xstat(0, "peers_joined"), 1);
	/* A JOIN from anybody is answered. */
	start_port(2);
	assert_int_equal(xstat(2, "peers_joined"), 3);
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

#define RUNNING(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
#define EMPTY(f)	cmocka_unit_test_teardown(f, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RUNNING(test_unicast),
		RUNNING(test_addresses),
		RUNNING(test_group),
		RUNNING(test_bridging),
		RUNNING(test_leave),
		RUNNING(test_info),
		EMPTY(test_link_speeds),
		RUNNING(test_mtu),
		RUNNING(test_small_mbufs),
		RUNNING(test_promiscuous),
		RUNNING(test_mac_addr_set),
		RUNNING(test_stats),
		RUNNING(test_backpressure),
		RUNNING(test_tx_done_cleanup),
		RUNNING(test_stalled_receiver),
		RUNNING(test_hotplug),
		RUNNING(test_restart),
		EMPTY(test_raw),
		EMPTY(test_bad_args),
		EMPTY(test_unknown_argument),
		EMPTY(test_peers_argument),
		EMPTY(test_queue_limits),
	};

	return cmocka_run_group_tests_name("rionet_port", tests, group_setup, group_teardown);
}
