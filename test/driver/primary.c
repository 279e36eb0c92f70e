/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A primary process that others capture from: port 0 sends to port 1 until
 * standard input ends. testpmd is none, as distributions link it: it brings
 * mempool drivers that dpdk-dumpcap does not have, and both must have the same.
 */

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_pdump.h>

#define BURST	4
#define LEN	64

static int
start(uint16_t port, struct rte_mempool *pool)
{
	const struct rte_eth_conf conf = { 0 };

	return rte_eth_dev_configure(port, 1, 1, &conf) != 0 ||
	       rte_eth_rx_queue_setup(port, 0, 64, SOCKET_ID_ANY, NULL, pool) != 0 ||
	       rte_eth_tx_queue_setup(port, 0, 64, SOCKET_ID_ANY, NULL) != 0 ||
	       rte_eth_dev_start(port) != 0;
}

static void
send_some(struct rte_mempool *pool)
{
	struct rte_ether_hdr head = { .ether_type = RTE_BE16(0x88b5) };
	struct rte_mbuf *m[BURST];
	uint16_t i, n;
	char *p;

	rte_eth_macaddr_get(0, &head.src_addr);
	rte_eth_macaddr_get(1, &head.dst_addr);
	if (rte_pktmbuf_alloc_bulk(pool, m, BURST) != 0)
		return;
	for (i = 0; i < BURST; i++) {
		p = rte_pktmbuf_append(m[i], LEN);
		memset(p, 0x5a, LEN);
		memcpy(p, &head, sizeof(head));
	}
	n = rte_eth_tx_burst(0, 0, m, BURST);
	rte_pktmbuf_free_bulk(m + n, BURST - n);
}

int
main(int argc, char **argv)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct rte_mempool *pool;
	struct rte_mbuf *m[32];
	uint16_t n;

	if (rte_eal_init(argc, argv) < 0 || rte_pdump_init() != 0)
		return 2;
	pool = rte_pktmbuf_pool_create_by_ops("frames", 2047, 32, 0, 2176, SOCKET_ID_ANY,
					      "ring_mp_mc");
	if (pool == NULL || start(0, pool) != 0 || start(1, pool) != 0)
		return 2;
	puts("ready");
	fflush(stdout);
	while (poll(&in, 1, 1) == 0) {
		send_some(pool);
		while ((n = rte_eth_rx_burst(1, 0, m, RTE_DIM(m))) > 0)
			rte_pktmbuf_free_bulk(m, n);
	}
	rte_eth_dev_stop(0);
	rte_eth_dev_stop(1);
	rte_pdump_uninit();
	rte_eal_cleanup();
	puts("ended");
	return 0;
}
