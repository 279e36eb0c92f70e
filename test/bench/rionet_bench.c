/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What a packet costs from a port to the other one of the same process: bursts of 32
 * as testpmd's txonly and rxonly would make and take them, timed one by one, so
 * that the median of many says what a burst costs though the machine has other work.
 *
 *   rionet_bench -l 0,1 --vdev ... --vdev ... -- SIZE [BURSTS [one|two]]
 *
 * one: a thread sends a burst and takes it, in turn (also under callgrind).
 * two: a thread for each, on the first two lcores. Port 1 sends to port 0.
 */

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#define BURST	32u
#define RING	1024u
#define WAIT_S	20u
#define MBUFS	8192u

static struct rte_mempool *pool[2];
static struct rte_ether_addr mac[2];
static uint16_t size;
static uint32_t nb_bursts;
static uint32_t *cost[2];		/* cycles of each burst: 0 receiving, 1 sending */
static uint32_t nb_cost[2];
static atomic_bool stop;

static int
fail(const char *what)
{
	fprintf(stderr, "rionet_bench: %s\n", what);
	return -1;
}

static int
port_start(uint16_t port)
{
	struct rte_eth_conf conf = { .rxmode = { .mq_mode = RTE_ETH_MQ_RX_NONE } };
	uint32_t room = RTE_MAX(2048u, size + 64u) + RTE_PKTMBUF_HEADROOM;
	struct rte_eth_dev_info info;
	char name[16];

	snprintf(name, sizeof(name), "pool%u", port);
	pool[port] = rte_pktmbuf_pool_create(name, MBUFS, 256, 0, room, SOCKET_ID_ANY);
	if (pool[port] == NULL || rte_eth_dev_info_get(port, &info) != 0)
		return fail("no memory for mbufs");
	/* net_memif takes any frame, and refuses to be told. */
	if (info.max_mtu > 1500)
		conf.rxmode.mtu = RTE_MIN(RTE_MAX(1500u, size - 14u), info.max_mtu);
	conf.txmode.offloads = info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	if (rte_eth_dev_configure(port, 1, 1, &conf) != 0 ||
	    rte_eth_rx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL, pool[port]) != 0 ||
	    rte_eth_tx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL) != 0 ||
	    /* As testpmd does. */
	    rte_eth_dev_set_ptypes(port, RTE_PTYPE_UNKNOWN, NULL, 0) < 0 ||
	    rte_eth_dev_start(port) != 0 || rte_eth_macaddr_get(port, &mac[port]) != 0)
		return fail("a port does not start");
	return 0;
}

static void
frame_make(struct rte_mbuf *m)
{
	struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, struct rte_ether_hdr *);

	m->data_len = size;
	m->pkt_len = size;
	eth->dst_addr = mac[0];
	eth->src_addr = mac[1];
	eth->ether_type = RTE_BE16(0x88b5);
}

static inline void
count(unsigned int way, uint64_t cycles)
{
	if (nb_cost[way] < nb_bursts)
		cost[way][nb_cost[way]++] = (uint32_t)RTE_MIN(cycles, (uint64_t)UINT32_MAX);
}

/* All of a burst that could be sent counts, and no other. */
static unsigned int
send_burst(void)
{
	struct rte_mbuf *m[BURST];
	uint64_t then = rte_rdtsc();
	uint16_t i, n;

	if (rte_mempool_get_bulk(pool[1], (void **)m, BURST) != 0)
		return 0;
	for (i = 0; i < BURST; i++) {
		rte_pktmbuf_reset(m[i]);
		frame_make(m[i]);
	}
	n = rte_eth_tx_burst(1, 0, m, BURST);
	if (n == BURST)
		count(1, rte_rdtsc() - then);
	else
		rte_pktmbuf_free_bulk(m + n, BURST - n);
	return n;
}

static unsigned int
take_burst(void)
{
	struct rte_mbuf *m[BURST];
	uint64_t then = rte_rdtsc();
	uint16_t n = rte_eth_rx_burst(0, 0, m, BURST), i;

	for (i = 0; i < n; i++)
		rte_pktmbuf_free(m[i]);
	if (n == BURST)
		count(0, rte_rdtsc() - then);
	return n;
}

static int
take_all(void *arg)
{
	RTE_SET_USED(arg);
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		take_burst();
	return 0;
}

/* Until frames arrive as they will: a rionet port's first ones are messages. */
static int
settle(void)
{
	uint64_t end = rte_get_tsc_cycles() + WAIT_S * rte_get_tsc_hz();
	unsigned int got = 0;

	while (rte_get_tsc_cycles() < end && got < 4096) {
		rte_delay_us_sleep(200);
		send_burst();
		got += take_burst();
	}
	rte_delay_ms(300);
	while (take_burst() != 0)
		;
	nb_cost[0] = nb_cost[1] = 0;
	return got < 4096 ? fail("frames do not arrive") : 0;
}

static __rte_noinline void
run(bool two)
{
	unsigned int other = rte_get_next_lcore(-1, 1, 0);
	uint64_t end = rte_get_tsc_cycles() + 3 * WAIT_S * rte_get_tsc_hz();
	unsigned int n;

	if (two)
		rte_eal_remote_launch(take_all, NULL, other);
	while ((nb_cost[0] < nb_bursts || nb_cost[1] < nb_bursts) && rte_get_tsc_cycles() < end) {
		n = send_burst();
		while (!two && n > 0)
			n -= take_burst();
	}
	atomic_store(&stop, true);
	rte_eal_mp_wait_lcore();
}

static int
by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void
report(const char *what, unsigned int way)
{
	uint32_t n = nb_cost[way];

	qsort(cost[way], n, sizeof(*cost[way]), by_value);
	if (n != 0)
		printf("%s %.1f (quarter %.1f) cycles/packet of %u bursts  ", what,
		       (double)cost[way][n / 2] / BURST, (double)cost[way][n / 4] / BURST, n);
}

int
main(int argc, char **argv)
{
	int n = rte_eal_init(argc, argv), ret = -1;
	bool two;

	if (n < 0)
		return 1;
	argc -= n;
	argv += n;
	size = argc > 1 ? (uint16_t)atoi(argv[1]) : 64;
	nb_bursts = argc > 2 ? (uint32_t)atoi(argv[2]) : 20000;
	two = argc > 3 && strcmp(argv[3], "two") == 0;
	cost[0] = calloc(nb_bursts, sizeof(*cost[0]));
	cost[1] = calloc(nb_bursts, sizeof(*cost[1]));
	if (size < 60 || nb_bursts == 0 || cost[0] == NULL || cost[1] == NULL ||
	    rte_eth_dev_count_avail() != 2 || (two && rte_lcore_count() < 2)) {
		fail("usage: rionet_bench EAL options, two --vdev -- SIZE [BURSTS [one|two]]");
		goto out;
	}
	if (port_start(0) == 0 && port_start(1) == 0 && settle() == 0) {
		run(two);
		printf("%u bytes: ", size);
		report("send", 1);
		report("receive", 0);
		printf("\n");
		ret = 0;
	}
	rte_eth_dev_stop(1);
	rte_eth_dev_stop(0);
out:
	rte_eal_cleanup();
	return ret == 0 ? 0 : 1;
}
