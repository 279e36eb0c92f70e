/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Stations that are not this driver: one that behaves as Linux does, one that dies
 * without a word, one that sends whatever it can. They are raw devices.
 */

#include <stdio.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_maint.h>
#include <tsi721_mbox.h>
#include <tsi721_regs.h>

#include "rionet_ports.h"
#include "rionet_proto.h"

#define STATION		77u
#define MESSAGES	128u

struct station {
	struct tsi721_device *dev;
	struct tsi721_omsg *omsg;
	struct tsi721_imsg *imsg;
	uint8_t *bufs;			/* MESSAGES of them */
	unsigned int posted, reaped;
	unsigned int joins, leaves;	/* received */
	bool active;			/* what it holds port 0 for */
};

static struct station st;

/* As Linux: a JOIN is answered while the sender is not active. */
static void
station_doorbell(void *arg, uint16_t src, uint16_t info)
{
	struct station *s = arg;

	if (info == RIONET_DBELL_LEAVE) {
		s->leaves++;
		s->active = false;
		return;
	}
	s->joins++;
	if (s->active)
		return;
	s->active = true;
	tsi721_dbell_send(s->dev, src, RIONET_DBELL_JOIN);
}

static void
station_open(void)
{
	memset(&st, 0, sizeof(st));
	assert_int_equal(tsi721_device_open_own("station", "destid=77", &st.dev), 0);
	assert_int_equal(tsi721_imsg_open(st.dev, 0, MESSAGES, SOCKET_ID_ANY, &st.imsg), 0);
	assert_int_equal(tsi721_omsg_open(st.dev, 0, MESSAGES, SOCKET_ID_ANY, &st.omsg), 0);
	assert_int_equal(tsi721_dbell_request(st.dev, RIONET_DBELL_JOIN, RIONET_DBELL_LEAVE,
					      station_doorbell, &st), 0);
	st.bufs = rte_malloc("station", MESSAGES * 4096, 4096);
	assert_non_null(st.bufs);
}

/* Without LEAVE. */
static void
station_close(void)
{
	tsi721_dbell_release(st.dev, RIONET_DBELL_JOIN, RIONET_DBELL_LEAVE);
	tsi721_omsg_close(st.omsg, NULL, NULL);
	tsi721_imsg_close(st.imsg);
	tsi721_device_put(st.dev);
	rte_free(st.bufs);
}

static void
station_send(uint16_t destid, unsigned int letter, const void *bytes, unsigned int len)
{
	uint8_t *buf = st.bufs + st.posted % MESSAGES * 4096;
	void *cookies[MESSAGES];
	unsigned int i;

	memcpy(buf, bytes, len);
	assert_int_equal(tsi721_omsg_post(st.omsg, destid, letter, rte_mem_virt2iova(buf), len,
					  buf), 0);
	tsi721_omsg_kick(st.omsg);
	st.posted++;
	for (i = 0; i < 1000 && st.reaped != st.posted; i++)
		st.reaped += tsi721_omsg_reap(st.omsg, cookies, NULL, MESSAGES);
	assert_int_equal(st.reaped, st.posted);
}

static void
wait_peers(unsigned int n, uint64_t joined)
{
	unsigned int i;

	for (i = 0; i < 50000 && xstat(n, "peers_joined") != joined; i++) {
		tsi721_dbell_poll(st.dev, 64);
		rte_eth_tx_burst(p[n].id, 0, NULL, 0);
		rte_delay_us_sleep(100);
	}
	assert_xstat(n, "peers_joined", joined);
}

/* A count reaches what is expected, however late, and stays there: nobody rings for ever. */
static void
settle(const unsigned int *count, unsigned int want)
{
	unsigned int i, still = 0;

	for (i = 0; i < 50000 && still < 100; i++) {
		tsi721_dbell_poll(st.dev, 64);
		rte_delay_us_sleep(100);
		still += *count == want;
	}
	assert_int_equal(*count, want);
}

static void
test_linux_runs_first(void **state)
{
	(void)state;
	station_open();
	open_port(0, "");
	start_port(0);
	wait_peers(0, 1);
	/* Its JOIN answered ours, and ours answered its. */
	settle(&st.joins, 2);
	assert_xstat(0, "peer_joins", 1);
	stop_port(0);
	settle(&st.leaves, 2);
	assert_false(st.active);
	close_port(0);
	station_close();
}

static void
test_linux_runs_later(void **state)
{
	(void)state;
	open_port(0, "");
	start_port(0);
	station_open();
	/* It opens: JOIN to all that it knows. */
	tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5], RIONET_DBELL_JOIN);
	wait_peers(0, 1);
	settle(&st.joins, 1);
	assert_true(st.active);
	/* It held a JOIN from us for new, so it answered; that is not answered again. */
	assert_xstat(0, "peer_joins", 2);
	tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5], RIONET_DBELL_LEAVE);
	wait_peers(0, 0);
	close_port(0);
	station_close();
}

/* Linux forgot nothing of a port that died: the port's next life is answered all the same. */
static void
test_linux_holds_a_former_life(void **state)
{
	(void)state;
	station_open();
	st.active = true;
	open_port(0, "");
	start_port(0);
	wait_peers(0, 1);
	assert_true(st.active);
	close_port(0);
	station_close();
}

static void
test_linux_frames(void **state)
{
	struct tsi721_imsg_info msg[4];
	struct rte_ether_addr mac;
	uint8_t bytes[4096] = { 0 };
	struct rte_mbuf *m;

	(void)state;
	station_open();
	open_port(0, "");
	assert_int_equal(rte_eth_dev_set_mtu(p[0].id, 4082), 0);
	start_port(0);
	wait_peers(0, 1);
	rionet_mac_to_addr(rionet_mac_of(STATION), &mac);
	transmit(0, &mac, &p[0].mac, 61, 5);
	assert_int_equal(tsi721_imsg_poll(st.imsg, msg, 4), 1);
	assert_int_equal(msg[0].len, 64);
	assert_int_equal(msg[0].mbox, 0);
	assert_int_equal(msg[0].src, p[0].mac.addr_bytes[5]);
	assert_memory_equal(msg[0].data, mac.addr_bytes, 6);
	assert_memory_equal((uint8_t *)msg[0].data + 61, "\0\0\0", 3);
	tsi721_imsg_release(st.imsg, 1);
	/* A frame of any size, and of any letter. */
	memcpy(bytes, p[0].mac.addr_bytes, 6);
	memcpy(bytes + 6, mac.addr_bytes, 6);
	station_send(p[0].mac.addr_bytes[5], 3, bytes, 4096);
	assert_int_equal(rte_eth_rx_burst(p[0].id, 0, &m, 1), 1);
	assert_int_equal(rte_pktmbuf_pkt_len(m), 4096);
	rte_pktmbuf_free(m);
	close_port(0);
	station_close();
}

/* The others go on, and who comes back is new. */
static void
test_station_dies(void **state)
{
	struct rte_ether_addr mac;
	unsigned int i, j, got = 0;
	struct tsi721_imsg_info msg;
	uint64_t good;

	(void)state;
	station_open();
	open_port(0, "");
	open_port(1, "");
	start_port(0);
	start_port(1);
	wait_peers(0, 2);
	station_close();
	rionet_mac_to_addr(rionet_mac_of(STATION), &mac);
	for (i = 0; i < 1000 && xstat(0, "peer_lost") == 0; i++) {
		transmit(0, &mac, &p[0].mac, 64, 0);
		transmit(0, &p[1].mac, &p[0].mac, 64, i);
		got += drain(1);
	}
	assert_int_equal(xstat(0, "peer_lost"), 1);
	assert_xstat(0, "peers_joined", 1);
	/* What was sent before fails, and holds up the others no longer than that. */
	for (j = 0; j < 1000 && (got != i || xstat(0, "tx_errors") != i); j++) {
		rte_eth_tx_burst(p[0].id, 0, NULL, 0);
		got += drain(1);
	}
	assert_int_equal(got, i);
	assert_int_equal(xstat(0, "tx_good_packets"), i);
	assert_int_equal(xstat(0, "tx_errors"), i);
	assert_true(xstat(0, "tx_no_peer") < i);
	transmit(0, &mac, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "tx_errors"), i + 1);
	station_open();
	tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5], RIONET_DBELL_JOIN);
	wait_peers(0, 2);
	good = xstat(0, "tx_good_packets");
	transmit(0, &mac, &p[0].mac, 64, 0);
	assert_int_equal(tsi721_imsg_poll(st.imsg, &msg, 1), 1);
	assert_int_equal(xstat(0, "tx_good_packets"), good + 1);
	close_port(0);
	close_port(1);
	station_close();
}

/* A lost station that is there again is found by sending to it, though it says nothing itself. */
static void
test_station_returns_silently(void **state)
{
	struct rte_ether_addr mac;
	unsigned int i;

	(void)state;
	station_open();
	open_port(0, "");
	start_port(0);
	wait_peers(0, 1);
	station_close();
	rionet_mac_to_addr(rionet_mac_of(STATION), &mac);
	for (i = 0; i < 1000 && xstat(0, "peers_joined") != 0; i++)
		transmit(0, &mac, &p[0].mac, 64, 0);
	assert_int_equal(xstat(0, "peers_joined"), 0);
	station_open();
	for (i = 0; i < 300 && xstat(0, "peers_joined") == 0; i++) {
		transmit(0, &rig_broadcast, &p[0].mac, 64, 0);
		rte_delay_us_sleep(10000);
		tsi721_dbell_poll(st.dev, 64);
	}
	assert_int_equal(xstat(0, "peers_joined"), 1);
	close_port(0);
	station_close();
}

/* Doorbells to it are answered with an error, or they come again. */
static void
station_takes_doorbells(bool on)
{
	tsi721_lcwrite(st.dev, TSI721_IDQ_MASK(0), on ? 0 : UINT32_MAX);
}

/* A JOIN that got lost, ours or the answer to another's, is sent again: as Linux, it never asks. */
static void
test_join_is_lost(void **state)
{
	(void)state;
	/* The answer. */
	open_port(0, "");
	start_port(0);
	station_open();
	station_takes_doorbells(false);
	tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5], RIONET_DBELL_JOIN);
	wait_peers(0, 1);
	assert_int_equal(st.joins, 0);
	station_takes_doorbells(true);
	settle(&st.joins, 1);
	assert_true(st.active);
	close_port(0);
	settle(&st.leaves, 1);
	/* The first one: the station runs already and says nothing itself. */
	station_takes_doorbells(false);
	open_port(0, "");
	start_port(0);
	assert_xstat(0, "peers_joined", 0);
	assert_int_equal(st.joins, 1);
	station_takes_doorbells(true);
	wait_peers(0, 1);
	assert_true(st.active);
	close_port(0);
	station_close();
}

static uint32_t
rnd(void)
{
	static uint32_t x = 1;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

/* Whatever is sent is received, or dropped and counted; a third station notices nothing. */
/* Nobody sends to a station that is no more: it is missed all the same, and heard when it returns. */
static void
test_station_is_missed(void **state)
{
	unsigned int round;

	(void)state;
	open_port(0, "");
	start_port(0);
	for (round = 0; round < 3; round++) {
		station_open();
		tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5], RIONET_DBELL_JOIN);
		wait_peers(0, 1);
		/* It lives: it stays. */
		rte_delay_us_sleep(500000);
		assert_int_equal(xstat(0, "peers_joined"), 1);
		assert_int_equal(xstat(0, "peer_lost"), round);
		station_close();
		assert_xstat(0, "peers_joined", 0);
		assert_int_equal(xstat(0, "peer_lost"), round + 1);
	}
	/* Back without a word: asked, it joins. */
	station_open();
	wait_peers(0, 1);
	close_port(0);
	station_close();
}

static void
test_hostile_station(void **state)
{
	static const uint16_t edges[] = { 8, 16, 24, 1512, 1520, 1528, 1536, 2048, 2056, 4096 };
	struct rte_eth_stats stats;
	uint8_t bytes[4096];
	unsigned int i, j, got = 0, len;

	(void)state;
	station_open();
	open_port(0, "");
	open_port(1, "");
	start_port(0);
	start_port(1);
	wait_peers(0, 2);
	for (i = 0; i < 20000; i++) {
		for (j = 0; j < sizeof(bytes); j += 4)
			memcpy(bytes + j, &(uint32_t){ rnd() }, 4);
		if (rnd() % 2 != 0)
			memset(bytes, rnd() % 2 != 0 ? 0 : 0xff, rnd() % 64);
		len = rnd() % 2 != 0 ? edges[rnd() % RTE_DIM(edges)] : (rnd() % 512 + 1) * 8;
		station_send(p[0].mac.addr_bytes[5], rnd() % 4, bytes, len);
		tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5],
				  rnd() % 2 != 0 ? rnd() : 0x1000 + rnd() % 2);
		got += drain(0);
		if (i % 16 != 0)
			continue;
		transmit(1, &p[0].mac, &p[1].mac, 64, i);
		receive(0, &p[0].mac, &p[1].mac, 64, i);
		transmit(0, &p[1].mac, &p[0].mac, 64, i);
		receive(1, &p[1].mac, &p[0].mac, 64, i);
	}
	assert_int_equal(rte_eth_stats_get(p[0].id, &stats), 0);
	assert_int_equal(got + stats.ierrors, i);
	assert_int_equal(stats.ipackets, got + i / 16);
	assert_int_equal(xstat(0, "rx_runt") + xstat(0, "rx_oversize"), stats.ierrors);
	assert_true(xstat(0, "rx_runt") > 0 && xstat(0, "rx_oversize") > 0);
	assert_true(xstat(0, "mac_entries") > 0);
	tsi721_dbell_send(st.dev, p[0].mac.addr_bytes[5], RIONET_DBELL_LEAVE);
	wait_peers(0, 1);
	close_port(0);
	close_port(1);
	station_close();
}

/* Stations with IDs that nobody would look for: a host has enumerated them, or the file has. */
static void
stations_by_fabric(const char *ids, const char *args0, const char *args1, unsigned int bits)
{
	char path[64], fabric[64], args[256];
	FILE *file;

	snprintf(fabric, sizeof(fabric), "station-%d", (int)getpid());
	snprintf(path, sizeof(path), "/tmp/%s.ini", fabric);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "[fabric]\nid_bits = %u\n%s", bits, ids);
	fprintf(file, "[links]\nn0 = a.0\nn1 = b.5\na.17 = b.17\n");
	fclose(file);
	snprintf(args, sizeof(args), "fabric=%s,topology=%s,node=n0%s", fabric, path, args0);
	open_port(0, args);
	snprintf(args, sizeof(args), "fabric=%s,node=n1%s", fabric, args1);
	open_port(1, args);
	unlink(path);
	start_port(0);
	start_port(1);
	assert_xstat(0, "peers_joined", 1);
	assert_xstat(1, "peers_joined", 1);
	transmit(1, &p[0].mac, &p[1].mac, 64, 3);
	receive(0, &p[0].mac, &p[1].mac, 64, 3);
	transmit(0, &p[1].mac, &p[0].mac, 1000, 4);
	receive(1, &p[1].mac, &p[0].mac, 1000, 4);
}

#define SWITCHES	"[switches]\na = 18 ports\nb = 18 ports\n[endpoints]\n"

static void
test_enumerated_by_file(void **state)
{
	(void)state;
	stations_by_fabric(SWITCHES "n0 = 0x1234\nn1 = 0x2345\n", "", "", 16);
	assert_int_equal(p[0].mac.addr_bytes[4], 0x12);
	assert_int_equal(p[1].mac.addr_bytes[5], 0x45);
	close_port(0);
	close_port(1);
}

/* The agent's address is what the host gave it. */
static void
test_enumerated_by_host(void **state)
{
	(void)state;
	stations_by_fabric("enumerated = 0\n" SWITCHES "n0 = none\nn1 = none\n", ",hdid=0x4321",
			   ",hdid=-1", 16);
	assert_int_equal(p[0].mac.addr_bytes[4], 0x43);
	assert_int_equal(p[1].mac.addr_bytes[4], 0);
	assert_int_equal(p[1].mac.addr_bytes[5], 0);
	close_port(0);
	close_port(1);
	stations_by_fabric("enumerated = 0\n" SWITCHES "n0 = none\nn1 = none\n", ",hdid=7",
			   ",host=0", 8);
	assert_int_equal(p[0].mac.addr_bytes[5], 7);
	close_port(0);
	close_port(1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		EMPTY(test_linux_runs_first),
		EMPTY(test_linux_runs_later),
		EMPTY(test_linux_holds_a_former_life),
		EMPTY(test_linux_frames),
		EMPTY(test_station_dies),
		EMPTY(test_station_returns_silently),
		EMPTY(test_station_is_missed),
		EMPTY(test_join_is_lost),
		EMPTY(test_hostile_station),
		EMPTY(test_enumerated_by_file),
		EMPTY(test_enumerated_by_host),
	};

	return cmocka_run_group_tests_name("rionet_station", tests, group_setup, group_teardown);
}
