/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* DMA mode between ports: every size, in any segments, exactly as it was sent, in order. */

#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_random.h>

#include "rionet_ports.h"

#define MTU		65000u
#define FRAME_MAX	65014u
#define SMALL_POOL	4095u

static struct rte_mempool *small;	/* 256 bytes of room */
static uint8_t *bytes;			/* what frames are made of */

static int
dma_group_setup(void **state)
{
	unsigned int i;

	rig_mode = "mode=auto";
	rig_exact = true;
	if (group_setup(state) != 0)
		return -1;
	small = rte_pktmbuf_pool_create("small", SMALL_POOL, 0, 0, RTE_PKTMBUF_HEADROOM + 256,
					SOCKET_ID_ANY);
	bytes = malloc(2 * FRAME_MAX);
	if (small == NULL || bytes == NULL)
		return -1;
	for (i = 0; i < 2 * FRAME_MAX; i++)
		bytes[i] = (uint8_t)rte_rand();
	return 0;
}

static int
dma_group_teardown(void **state)
{
	rte_mempool_free(small);
	free(bytes);
	return group_teardown(state);
}

static int
dma_teardown(void **state)
{
	if (teardown(state) != 0)
		return -1;
	if (rte_mempool_avail_count(small) == SMALL_POOL)
		return 0;
	print_error("%u small mbufs missing\n", SMALL_POOL - rte_mempool_avail_count(small));
	return -1;
}

/* The first n ports have agreed on DMA with `peers` others. */
static void
wait_dma(unsigned int n, unsigned int peers)
{
	while (n-- > 0)
		assert_xstat(n, "peers_dma", peers);
}

static void
open_pair(const char *args, struct rte_mempool *rx_pool)
{
	unsigned int n;

	for (n = 0; n < 2; n++) {
		open_port(n, args);
		configure(&p[n], MTU, rx_pool);
	}
	start_port(0);
	start_port(1);
	wait_dma(2, 1);
}

/* What a frame's bytes are taken from, by its number. */
static const uint8_t *
pattern(uint32_t nr)
{
	return bytes + nr * 2654435761u % FRAME_MAX;
}

static void
put(struct rte_mbuf **m, struct rte_mbuf **last, struct rte_mempool *mp, const uint8_t *from,
    uint32_t len)
{
	struct rte_mbuf *seg = rte_pktmbuf_alloc(mp);
	char *to;

	assert_non_null(seg);
	to = rte_pktmbuf_append(seg, len);
	assert_non_null(to);
	memcpy(to, from, len);
	if (*m == NULL)
		*m = seg;
	else
		(*last)->next = seg;
	if (*m != seg) {
		(*m)->nb_segs++;
		(*m)->pkt_len += len;
	}
	*last = seg;
}

/* Frame number nr from port n to port to, in segments of `seg` bytes at most. */
static struct rte_mbuf *
numbered(unsigned int n, unsigned int to, uint32_t nr, uint32_t len, uint32_t seg)
{
	struct rte_mbuf *m = NULL, *last = NULL;
	const uint8_t *from = pattern(nr);
	uint8_t head[64];
	uint32_t off = 0, k;

	memcpy(head, from, sizeof(head));
	memcpy(head, p[to].mac.addr_bytes, 6);
	memcpy(head + 6, p[n].mac.addr_bytes, 6);
	while (off < len) {
		k = RTE_MIN(seg, len - off);
		if (off < sizeof(head))
			k = RTE_MIN(k, (uint32_t)sizeof(head) - off);
		put(&m, &last, pool, off < sizeof(head) ? head + off : from + off, k);
		off += k;
	}
	return m;
}

static void
check_numbered(struct rte_mbuf *m, uint32_t nr, uint32_t len)
{
	static uint8_t copy[FRAME_MAX];
	const uint8_t *b;

	rte_mbuf_sanity_check(m, 1);
	assert_int_equal(m->pkt_len, len);
	b = rte_pktmbuf_read(m, 0, len, copy);
	assert_non_null(b);
	assert_memory_equal(b + 12, pattern(nr) + 12, len - 12);
	rte_pktmbuf_free(m);
}

static struct rte_mbuf *
receive_one(unsigned int n)
{
	struct rte_mbuf *m = NULL;
	unsigned int tries;

	for (tries = 0; tries < 10000; tries++) {
		if (rte_eth_rx_burst(p[n].id, 0, &m, 1) == 1)
			return m;
		rte_delay_us_sleep(100);
	}
	return NULL;
}

static void
exchange(unsigned int n, unsigned int to, uint32_t nr, uint32_t len, uint32_t seg)
{
	struct rte_mbuf *m = numbered(n, to, nr, len, seg);

	assert_int_equal(rte_eth_tx_burst(p[n].id, 0, &m, 1), 1);
	m = receive_one(to);
	if (m == NULL)
		fail_msg("frame %u of %u bytes did not come", nr, len);
	check_numbered(m, nr, len);
}

static void
all_sizes(void)
{
	uint32_t len, nr = 0;

	for (len = 14; len <= 2200; len += len < 600 ? 1 : 7) {
		exchange(nr % 2, 1 - nr % 2, nr, len, 2048);
		nr++;
	}
	for (len = 2200; len <= FRAME_MAX; len += 1 + (uint32_t)rte_rand_max(1500)) {
		/* A few hundred segments at most. */
		exchange(nr % 2, 1 - nr % 2, nr, len,
			 len / 400 + 1 + (uint32_t)rte_rand_max(2048 - len / 400));
		nr++;
	}
	exchange(0, 1, nr, FRAME_MAX, 2048);
	exchange(1, 0, nr, FRAME_MAX, 2048);
	assert_int_equal(xstat(0, "tx_messages") + xstat(1, "tx_messages"), 0);
	assert_int_equal(xstat(0, "tx_errors") + xstat(1, "tx_errors"), 0);
}

static void
test_sizes(void **state)
{
	(void)state;
	open_pair("", pool);
	all_sizes();
}

static void
test_sizes_copy(void **state)
{
	(void)state;
	open_pair("rx=copy", pool);
	all_sizes();
}

static void
test_sizes_zc(void **state)
{
	(void)state;
	open_pair("rx=zc", pool);
	all_sizes();
}

static void
test_small_mbufs(void **state)
{
	(void)state;
	open_pair("rx=copy", small);
	all_sizes();
}

/* Bursts both ways, read now and then, as long as there is room: nothing is lost or moved. */
static void
flow(uint32_t frames, uint32_t longest)
{
	uint32_t sent[2] = { 0, 0 }, got[2] = { 0, 0 }, *lens[2];
	struct rte_mbuf *bufs[BURST];
	unsigned int n, i, nb, done;

	for (n = 0; n < 2; n++) {
		lens[n] = malloc(frames * sizeof(uint32_t));
		assert_non_null(lens[n]);
		for (i = 0; i < frames; i++)
			lens[n][i] = 14 + (uint32_t)rte_rand_max(longest - 13);
	}
	while (got[0] < frames || got[1] < frames) {
		n = (unsigned int)rte_rand_max(2);
		nb = (unsigned int)RTE_MIN(rte_rand_max(BURST) + 1, (uint64_t)(frames - sent[n]));
		nb = RTE_MIN(nb, rte_mempool_avail_count(pool) / 64);
		for (i = 0; i < nb; i++)
			bufs[i] = numbered(n, 1 - n, sent[n] + i, lens[n][sent[n] + i],
					   64 + (uint32_t)rte_rand_max(1985));
		done = rte_eth_tx_burst(p[n].id, 0, bufs, nb);
		rte_pktmbuf_free_bulk(bufs + done, nb - done);
		sent[n] += done;
		n = (unsigned int)rte_rand_max(2);
		nb = rte_eth_rx_burst(p[n].id, 0, bufs, (uint16_t)(rte_rand_max(BURST) + 1));
		for (i = 0; i < nb; i++, got[n]++)
			check_numbered(bufs[i], got[n], lens[1 - n][got[n]]);
	}
	free(lens[0]);
	free(lens[1]);
	assert_int_equal(xstat(0, "tx_errors") + xstat(1, "tx_errors"), 0);
	assert_int_equal(xstat(0, "tx_messages") + xstat(1, "tx_messages"), 0);
}

static void
test_flow(void **state)
{
	(void)state;
	open_pair("", pool);
	flow(100000, 300);
	flow(20000, 2000);
	flow(2000, 20000);
}

static void
test_flow_zc(void **state)
{
	(void)state;
	open_pair("rx=zc", pool);
	flow(20000, 2000);
}

/* A receiver that does not look: the sender is held up, and nothing is lost. */
static void
test_no_credits(void **state)
{
	static const uint32_t lens[] = { 64, 600, 1514, 9000 };
	unsigned int i, k;

	(void)state;
	open_pair("", pool);
	for (i = 0; i < RTE_DIM(lens); i++) {
		uint32_t sent = 0, got = 0;
		struct rte_mbuf *m;

		for (k = 0; k < 3; k++) {
			for (;;) {
				m = numbered(0, 1, sent, lens[i], 2048);
				if (rte_eth_tx_burst(p[0].id, 0, &m, 1) != 1)
					break;
				sent++;
			}
			rte_pktmbuf_free(m);
			while ((m = NULL, rte_eth_rx_burst(p[1].id, 0, &m, 1)) == 1)
				check_numbered(m, got++, lens[i]);
		}
		assert_true(sent >= 30);
		assert_int_equal(got, sent);
	}
	assert_int_equal(xstat(0, "tx_errors"), 0);
}

/* Stations that stop and start, and each other's frames at once after that. */
static void
test_restarts(void **state)
{
	unsigned int round;

	(void)state;
	open_pair("", pool);
	for (round = 0; round < 300; round++) {
		stop_port(round % 2);
		start_port(round % 2);
		wait_dma(2, 1);
		exchange(0, 1, round, 64, 64);
		exchange(1, 0, round, 2000, 2000);
	}
}

/* Stations with messages only, with DMA only and with both on one fabric. */
static void
test_mixed(void **state)
{
	unsigned int n;

	(void)state;
	open_port(0, "");
	open_port(2, "");
	rig_mode = "mode=msg";
	open_port(1, "");
	rig_mode = "mode=dma";
	open_port(3, "");
	rig_mode = "mode=auto";
	for (n = 0; n < PORTS; n++)
		start_port(n);
	assert_xstat(0, "peers_dma", 2);
	assert_xstat(1, "peers_dma", 0);
	assert_xstat(2, "peers_dma", 2);
	assert_xstat(3, "peers_dma", 2);
	transmit(0, &p[2].mac, &p[0].mac, 61, 1);
	receive(2, &p[2].mac, &p[0].mac, 61, 1);
	transmit(0, &p[3].mac, &p[0].mac, 61, 2);
	receive(3, &p[3].mac, &p[0].mac, 61, 2);
	assert_int_equal(xstat(0, "tx_messages"), 0);
	transmit(0, &p[1].mac, &p[0].mac, 64, 3);
	receive(1, &p[1].mac, &p[0].mac, 64, 3);
	assert_int_equal(xstat(0, "tx_messages"), 1);
	/* One that has DMA only has no way to one that has not. */
	transmit(3, &p[1].mac, &p[3].mac, 64, 4);
	assert_int_equal(xstat(3, "tx_no_peer"), 1);
	/* To all. */
	transmit(0, &rig_broadcast, &p[0].mac, 64, 5);
	for (n = 1; n < PORTS; n++)
		receive(n, &rig_broadcast, &p[0].mac, 64, 5);
	assert_int_equal(xstat(0, "tx_messages"), 2);
	transmit(1, &rig_broadcast, &p[1].mac, 64, 6);
	receive(0, &rig_broadcast, &p[1].mac, 64, 6);
	receive(2, &rig_broadcast, &p[1].mac, 64, 6);
	/* A frame that no message can carry goes to those it can go to. */
	for (n = 0; n < PORTS; n++)
		if (n != 1)
			assert_int_equal(rte_eth_dev_set_mtu(p[n].id, MTU), 0);
	transmit(0, &rig_broadcast, &p[0].mac, 4097, 7);
	assert_int_equal(drain(1), 0);
	assert_int_equal(drain(2), 1);
	assert_int_equal(drain(3), 1);
	assert_int_equal(xstat(0, "tx_flood_missed"), 1);
	transmit(0, &p[1].mac, &p[0].mac, 4097, 7);
	assert_int_equal(xstat(0, "tx_oversize"), 1);
}

/* A peer comes back with messages: what its former life sent by DMA goes first, read or not. */
static void
test_order_of_sessions(void **state)
{
	struct rte_mbuf *m;
	uint32_t nr;

	(void)state;
	open_pair("", pool);
	exchange(1, 0, 0, 1000, 2048);
	for (nr = 1; nr < 60; nr++) {
		m = numbered(1, 0, nr, nr % 2 != 0 ? 200 : 2000, 2048);
		assert_int_equal(rte_eth_tx_burst(p[1].id, 0, &m, 1), 1);
	}
	close_port(1);
	assert_xstat(0, "peers_joined", 0);
	rig_mode = "mode=msg";
	open_port(1, "destid=1");
	rig_mode = "mode=auto";
	start_port(1);
	assert_xstat(0, "peers_joined", 1);
	assert_xstat(1, "peers_joined", 1);
	m = numbered(1, 0, nr, 800, 2048);
	assert_int_equal(rte_eth_tx_burst(p[1].id, 0, &m, 1), 1);
	assert_int_equal(xstat(1, "tx_messages"), 1);
	for (nr = 1; nr < 60; nr++) {
		m = receive_one(0);
		assert_non_null(m);
		check_numbered(m, nr, nr % 2 != 0 ? 200 : 2000);
	}
	m = receive_one(0);
	assert_non_null(m);
	check_numbered(m, nr, 800);
	assert_null(receive_one(0));
}

#define PAIR(f)	cmocka_unit_test_teardown(f, dma_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAIR(test_sizes),
		PAIR(test_sizes_copy),
		PAIR(test_sizes_zc),
		PAIR(test_small_mbufs),
		PAIR(test_flow),
		PAIR(test_flow_zc),
		PAIR(test_no_credits),
		PAIR(test_restarts),
		PAIR(test_mixed),
		PAIR(test_order_of_sessions),
	};

	return cmocka_run_group_tests_name("rionet_dma", tests, dma_group_setup,
					   dma_group_teardown);
}
