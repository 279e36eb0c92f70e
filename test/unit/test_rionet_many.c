/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Eight ports of a process, in DMA mode: all reach each other. */

#include <rte_cycles.h>

#include <rte_bus_vdev.h>

#include "rionet_ports.h"

#define MANY		8u
#define SIZES		RTE_DIM(sizes)
#define FRAME_MAX	9014u
#define WAIT_MS		20000u

static const uint16_t sizes[] = { 60, 512, 513, 1514, FRAME_MAX };
static uint16_t ids[MANY];

static void
open_many(unsigned int n)
{
	struct rte_eth_conf conf = { .rxmode.mtu = FRAME_MAX - 14 };
	char name[32], args[64];

	snprintf(name, sizeof(name), "net_rionet%u", n);
	snprintf(args, sizeof(args), "destid=%u,mode=dma,region=8", n);
	assert_int_equal(rte_vdev_init(name, args), 0);
	assert_int_equal(rte_eth_dev_get_port_by_name(name, &ids[n]), 0);
	assert_int_equal(rte_eth_dev_configure(ids[n], 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(ids[n], 0, NB_DESC, SOCKET_ID_ANY, NULL, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(ids[n], 0, NB_DESC, SOCKET_ID_ANY, NULL), 0);
	assert_int_equal(rte_eth_dev_start(ids[n]), 0);
}

static void
close_many(unsigned int n)
{
	char name[32];

	snprintf(name, sizeof(name), "net_rionet%u", n);
	assert_int_equal(rte_vdev_uninit(name), 0);
}

static uint64_t
statistic(unsigned int n, const char *name)
{
	uint64_t id, value;

	assert_int_equal(rte_eth_xstats_get_id_by_name(ids[n], name, &id), 0);
	assert_int_equal(rte_eth_xstats_get_by_id(ids[n], &id, &value, 1), 1);
	return value;
}

static void
wait_agreed(unsigned int n, uint64_t peers)
{
	unsigned int ms;

	for (ms = 0; ms < WAIT_MS && statistic(n, "peers_dma") != peers; ms++)
		rte_delay_us_sleep(1000);
	assert_int_equal(statistic(n, "peers_dma"), peers);
}

static uint8_t
seed_of(unsigned int from, unsigned int to, unsigned int s)
{
	return (uint8_t)(from * 29 + to * 7 + s * 101);
}

static void
send_many(unsigned int from, unsigned int to, unsigned int s)
{
	struct rte_ether_addr src, dst;
	unsigned int tries = 0;
	struct rte_mbuf *m;

	assert_int_equal(rte_eth_macaddr_get(ids[from], &src), 0);
	assert_int_equal(rte_eth_macaddr_get(ids[to], &dst), 0);
	m = frame(&dst, &src, sizes[s], seed_of(from, to, s));
	while (rte_eth_tx_burst(ids[from], 0, &m, 1) != 1) {
		assert_true(tries++ < WAIT_MS);
		rte_delay_us_sleep(1000);
	}
}

/* Frames of one sender come in the order in which they were sent: `came` counts them. */
static void
check_many(struct rte_mbuf *m, unsigned int to, unsigned int *came)
{
	uint8_t copy[FRAME_MAX];
	const uint8_t *b;
	unsigned int from, s;
	uint32_t i;

	b = rte_pktmbuf_read(m, 0, m->pkt_len, copy);
	assert_non_null(b);
	assert_int_equal(b[5], to);
	from = b[11];
	assert_true(from < MANY && from != to);
	s = came[from]++;
	assert_true(s < SIZES);
	assert_int_equal(m->pkt_len, sizes[s]);
	for (i = 12; i < m->pkt_len; i++)
		assert_int_equal(b[i], (uint8_t)(seed_of(from, to, s) + i));
	rte_pktmbuf_free(m);
}

static void
receive_many(unsigned int to, unsigned int want)
{
	unsigned int came[MANY] = { 0 }, total = 0, tries = 0, n, i;
	struct rte_mbuf *bufs[BURST];

	while (total < want) {
		n = rte_eth_rx_burst(ids[to], 0, bufs, BURST);
		for (i = 0; i < n; i++)
			check_many(bufs[i], to, came);
		total += n;
		if (n == 0) {
			assert_true(tries++ < WAIT_MS);
			rte_delay_us_sleep(1000);
		}
	}
	assert_int_equal(total, want);
	for (i = 0; i < MANY; i++)
		assert_int_equal(came[i], i == to ? 0 : want / (MANY - 1));
	assert_int_equal(rte_eth_rx_burst(ids[to], 0, bufs, BURST), 0);
}

static void
exchange(void)
{
	unsigned int from, to, s;

	for (s = 0; s < SIZES; s++)
		for (from = 0; from < MANY; from++)
			for (to = 0; to < MANY; to++)
				if (from != to)
					send_many(from, to, s);
	for (to = 0; to < MANY; to++)
		receive_many(to, SIZES * (MANY - 1));
}

static void
all_to_all(void **state)
{
	unsigned int n;

	(void)state;
	for (n = 0; n < MANY; n++)
		open_many(n);
	for (n = 0; n < MANY; n++)
		wait_agreed(n, MANY - 1);
	exchange();
	/* One comes back: the others' memory for it is there again. */
	close_many(3);
	for (n = 0; n < MANY; n++)
		if (n != 3)
			wait_agreed(n, MANY - 2);
	open_many(3);
	for (n = 0; n < MANY; n++)
		wait_agreed(n, MANY - 1);
	exchange();
	for (n = 0; n < MANY; n++) {
		assert_int_equal(statistic(n, "dma_refused"), 0);
		assert_int_equal(statistic(n, "dma_isolated"), 0);
		assert_int_equal(statistic(n, "tx_no_peer"), 0);
		close_many(n);
	}
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_to_all),
	};

	return cmocka_run_group_tests_name("rionet_many", tests, group_setup, group_teardown);
}
