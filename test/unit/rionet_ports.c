/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_bus_vdev.h>
#include <rte_eal.h>
#include <rte_log.h>

#include "rionet_eal.h"
#include "rionet_ports.h"

struct port p[PORTS];
struct rte_mempool *pool;
const char *rig_mode = "mode=msg";
bool rig_exact;
const struct rte_ether_addr rig_broadcast = { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
const struct rte_ether_addr rig_group = { { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01 } };

static FILE *log_file;
static char *log_text;
static size_t log_size, log_begin;

int
group_setup(void **state)
{
	(void)state;
	if (rionet_eal() != 0)
		return -1;
	log_file = open_memstream(&log_text, &log_size);
	if (log_file == NULL || rte_openlog_stream(log_file) != 0)
		return -1;
	pool = rte_pktmbuf_pool_create("pool", POOL, 0, 0,
				       RTE_PKTMBUF_HEADROOM + 2048, SOCKET_ID_ANY);
	return pool == NULL;
}

int
group_teardown(void **state)
{
	(void)state;
	rte_mempool_free(pool);
	rte_openlog_stream(NULL);
	fclose(log_file);
	free(log_text);
	return rte_eal_cleanup();
}

unsigned int
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

void
configure(struct port *port, uint16_t mtu, struct rte_mempool *mp)
{
	struct rte_eth_conf conf = { .rxmode.mtu = mtu };

	assert_int_equal(rte_eth_dev_configure(port->id, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port->id, 0, NB_DESC, SOCKET_ID_ANY, NULL, mp), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port->id, 0, NB_DESC, SOCKET_ID_ANY, NULL), 0);
}

void
rig_set_mode(int argc, char *argv[])
{
	if (argc < 2 || strcmp(argv[1], "dma") != 0)
		return;
	rig_mode = "mode=auto";
	rig_exact = true;
}

void
rig_wait_mode(unsigned int nb)
{
	unsigned int n;

	for (n = 0; rig_exact && n < nb; n++)
		assert_xstat(n, "peers_dma", nb - 1);
}

void
open_port(unsigned int n, const char *args)
{
	char name[32], all[256];

	snprintf(name, sizeof(name), "net_rionet%u", n);
	snprintf(all, sizeof(all), "%s%s%s", args, args[0] != '\0' ? "," : "", rig_mode);
	assert_int_equal(rte_vdev_init(name, all), 0);
	assert_int_equal(rte_eth_dev_get_port_by_name(name, &p[n].id), 0);
	assert_int_equal(rte_eth_macaddr_get(p[n].id, &p[n].mac), 0);
	configure(&p[n], 1500, pool);
}

void
close_port(unsigned int n)
{
	char name[32];

	snprintf(name, sizeof(name), "net_rionet%u", n);
	assert_int_equal(rte_vdev_uninit(name), 0);
}

void
start_port(unsigned int n)
{
	assert_int_equal(rte_eth_dev_start(p[n].id), 0);
}

void
stop_port(unsigned int n)
{
	assert_int_equal(rte_eth_dev_stop(p[n].id), 0);
}

int
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

int
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

struct rte_ether_addr
foreign(uint8_t n)
{
	return (struct rte_ether_addr){ { 0x02, 0, 0, 0, 0, n } };
}

struct rte_mbuf *
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

void
transmit(unsigned int n, const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
     uint16_t len, uint8_t seed)
{
	struct rte_mbuf *m = frame(dst, src, len, seed);

	assert_int_equal(rte_eth_tx_burst(p[n].id, 0, &m, 1), 1);
}

unsigned int
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

void
receive(unsigned int n, const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
	uint16_t len, uint8_t seed)
{
	struct rte_mbuf *bufs[BURST];
	uint8_t copy[4096];
	const uint8_t *b;
	uint16_t i, got = 0, padded = rig_exact ? len : RTE_ALIGN_CEIL(len, 8);
	unsigned int tries;

	/* One that was answered with RETRY comes when another thread lets go of the queue. */
	for (tries = 0; got == 0 && tries < 10000; tries++) {
		got = rte_eth_rx_burst(p[n].id, 0, bufs, BURST);
		if (got == 0)
			rte_delay_us_sleep(100);
	}
	assert_int_equal(got, 1);
	assert_int_equal(bufs[0]->port, p[n].id);
	assert_int_equal(rte_pktmbuf_pkt_len(bufs[0]), padded);
	rte_mbuf_sanity_check(bufs[0], 1);
	b = rte_pktmbuf_read(bufs[0], 0, padded, copy);
	assert_non_null(b);
	assert_memory_equal(b, dst->addr_bytes, 6);
	assert_memory_equal(b + 6, src->addr_bytes, 6);
	for (i = 12; i < padded; i++)
		assert_int_equal(b[i], i < len ? (uint8_t)(seed + i) : 0);
	rte_pktmbuf_free(bufs[0]);
}

uint64_t
xstat(unsigned int n, const char *name)
{
	uint64_t id, value;

	assert_int_equal(rte_eth_xstats_get_id_by_name(p[n].id, name, &id), 0);
	assert_int_equal(rte_eth_xstats_get_by_id(p[n].id, &id, &value, 1), 1);
	return value;
}

void
assert_xstat(unsigned int n, const char *name, uint64_t want)
{
	unsigned int i;

	for (i = 0; i < 5000 && xstat(n, name) != want; i++)
		rte_delay_us_sleep(1000);
	assert_int_equal(xstat(n, name), want);
}
