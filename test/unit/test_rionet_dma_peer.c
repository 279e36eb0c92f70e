/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A station that speaks the protocol of DMA mode on a raw device: rightly, wrongly, and
 * one that dies. What it does wrong is noticed, and the others go on.
 */

#include <rte_cycles.h>
#include <rte_malloc.h>

#include <tsi721_bdma.h>
#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>
#include <tsi721_regs.h>
#include <tsi721_window.h>

#include "rionet_ports.h"
#include "rionet_proto.h"

#define STATION		77u
#define WINDOW		(1u << 20)
#define RADDR		0x200000000ull
#define LANES		0u
#define FEEDS		(512u << 10)
#define RING		(128u << 10)
#define POSTS		64u
#define NONCE		0x12345678u

struct station {
	struct tsi721_device *dev;
	struct tsi721_omsg *omsg;
	struct tsi721_imsg *imsg;
	struct tsi721_bdma *bdma;
	int win;
	uint8_t *mem;		/* what it shows */
	uint8_t *out;		/* what it sends from */
	struct rionet_setup *own, peer;
	uint32_t prod;		/* units written to the port's lane */
	bool open;
};

static struct station st;

static void
station_bell(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	if (info == RIONET_DBELL_JOIN)
		tsi721_dbell_send(st.dev, src, rionet_hello(1, 1, 1));
}

static void
station_open(void)
{
	memset(&st, 0, sizeof(st));
	assert_int_equal(tsi721_device_open_own("station", "destid=77", &st.dev), 0);
	assert_int_equal(tsi721_imsg_open(st.dev, RIONET_CTL_MBOX, 64, SOCKET_ID_ANY, &st.imsg),
			 0);
	assert_int_equal(tsi721_omsg_open(st.dev, RIONET_CTL_MBOX, 64, SOCKET_ID_ANY, &st.omsg),
			 0);
	assert_int_equal(tsi721_bdma_open(st.dev, 0, 64, SOCKET_ID_ANY, &st.bdma), 0);
	st.mem = rte_zmalloc("station", WINDOW, WINDOW);
	st.out = rte_zmalloc("station", 1 << 17, 4096);
	st.own = rte_zmalloc("station", sizeof(*st.own), 64);
	assert_true(st.mem != NULL && st.out != NULL && st.own != NULL);
	st.win = tsi721_ibwin_open(st.dev, RADDR, rte_mem_virt2iova(st.mem), WINDOW);
	assert_true(st.win >= 0);
	assert_int_equal(tsi721_dbell_request(st.dev, 0x1000, 0x1800, station_bell, NULL), 0);
	*st.own = (struct rionet_setup){
		.magic = RIONET_SETUP_MAGIC, .version = 1, .nb_tx = 1, .nb_rx = 1,
		.peer_nb_tx = 1, .peer_nb_rx = 1, .nonce = NONCE, .window = RADDR,
		.window_size = WINDOW, .lanes = LANES, .feeds = FEEDS,
		.lane_stride = RIONET_LANE_RING + RING, .feed_stride = 4096,
		.ring_size = RING, .nb_posts = POSTS, .buf_size = 2048, .max_frame = 9018,
	};
}

static void
station_close(void)
{
	tsi721_dbell_release(st.dev, 0x1000, 0x1800);
	tsi721_ibwin_close(st.dev, st.win);
	tsi721_bdma_close(st.bdma, NULL, NULL);
	tsi721_omsg_close(st.omsg, NULL, NULL);
	tsi721_imsg_close(st.imsg);
	tsi721_device_put(st.dev);
	rte_free(st.mem);
	rte_free(st.out);
	rte_free(st.own);
}

static void
station_setup(void)
{
	void *cookie;
	unsigned int i;

	assert_int_equal(tsi721_omsg_post(st.omsg, 0, 0, rte_mem_virt2iova(st.own),
					  sizeof(*st.own), NULL), 0);
	tsi721_omsg_kick(st.omsg);
	for (i = 0; i < 10000 && tsi721_omsg_reap(st.omsg, &cookie, NULL, 1) == 0; i++)
		rte_delay_us_sleep(100);
	tsi721_dbell_send(st.dev, 0, RIONET_DBELL_KNOCK);
}

/* Answer the port's SETUPs until it needs no more answer. */
static void
station_agree(void)
{
	struct tsi721_imsg_info msg;
	unsigned int i;

	tsi721_dbell_send(st.dev, 0, RIONET_DBELL_LEAVE);
	tsi721_dbell_send(st.dev, 0, RIONET_DBELL_JOIN);
	for (i = 0; i < 20000 && !st.open; i++) {
		tsi721_dbell_poll(st.dev, 64);
		if (tsi721_imsg_poll(st.imsg, &msg, 1) == 0) {
			rte_delay_us_sleep(100);
			continue;
		}
		memcpy(&st.peer, msg.data, sizeof(st.peer));
		tsi721_imsg_release(st.imsg, 1);
		st.own->echo = st.peer.nonce;
		st.open = st.peer.open;
		if (!st.open)
			station_setup();
	}
	assert_true(st.open);
	assert_xstat(0, "peers_dma", 2);
	st.prod = 0;
}

static void
station_write(uint64_t off, const void *bytes, uint32_t len)
{
	uint32_t failed, end, i;
	int err;

	memcpy(st.out, bytes, len);
	end = tsi721_bdma_put(st.bdma, tsi721_bdma_word(st.bdma, TSI721_RTYPE_ALL_NWRITE, 0, 0),
			      st.peer.window + off, rte_mem_virt2iova(st.out), len) + 1;
	tsi721_bdma_kick(st.bdma);
	for (i = 0; i < 10000 && tsi721_bdma_ended(st.bdma, &failed, &err) != end; i++)
		rte_delay_us_sleep(100);
}

static void
station_line(uint32_t nonce, uint32_t prod)
{
	uint64_t word = rionet_word(nonce, prod);

	station_write(st.peer.lanes, &word, sizeof(word));
}

/* A record at the place where the next one goes. */
static void
station_record(uint32_t seq, uint32_t info, const void *rest, uint32_t len)
{
	uint8_t bytes[4096] = { 0 };
	struct rionet_rec rec = { .seq = seq, .info = info };

	memcpy(bytes, &rec, sizeof(rec));
	memcpy(bytes + sizeof(rec), rest, len);
	station_write(st.peer.lanes + RIONET_LANE_RING +
		      st.prod * RIONET_UNIT % st.peer.ring_size, bytes, sizeof(rec) + len);
}

static void
station_frame(uint32_t len)
{
	uint8_t bytes[2048] = { 0 };

	memcpy(bytes, p[0].mac.addr_bytes, 6);
	station_record(st.prod ^ st.peer.nonce, len | RIONET_REC_INLINE << RIONET_REC_TYPE_SHIFT,
		       bytes, len);
	st.prod += (len + 2 * RIONET_UNIT - 1) / RIONET_UNIT;
	station_line(st.peer.nonce, st.prod);
}

/* Polls until a counter of the port's has this value. */
static void
poll_until(const char *name, uint64_t want)
{
	unsigned int i;

	for (i = 0; i < 50000 && xstat(0, name) != want; i++) {
		drain(0);
		tsi721_dbell_poll(st.dev, 64);
		rte_delay_us_sleep(100);
	}
	assert_int_equal(xstat(0, name), want);
}

static void
begin(void)
{
	rig_mode = "mode=auto";
	rig_exact = true;
	station_open();
	open_port(0, "destid=0");
	open_port(1, "destid=1");
	start_port(0);
	start_port(1);
	assert_xstat(0, "peers_dma", 1);
	station_agree();
}

static void
end(void)
{
	close_port(0);
	close_port(1);
	station_close();
}

static void
others_go_on(uint8_t seed)
{
	transmit(1, &p[0].mac, &p[1].mac, 900, seed);
	receive(0, &p[0].mac, &p[1].mac, 900, seed);
	transmit(0, &p[1].mac, &p[0].mac, 64, seed);
	receive(1, &p[1].mac, &p[0].mac, 64, seed);
}

/* What the document says suffices to talk to a port. */
static void
test_frames(void **state)
{
	struct rte_ether_addr mac;
	struct rionet_rec rec;
	unsigned int i;

	(void)state;
	begin();
	for (i = 14; i < 1500; i += 111)
		station_frame(i);
	poll_until("rx_good_packets", 14);
	/* And from the port: a record where the line says. */
	rionet_mac_to_addr(rionet_mac_of(STATION), &mac);
	transmit(0, &mac, &p[0].mac, 100, 3);
	memcpy(&rec, st.mem + RIONET_LANE_RING, sizeof(rec));
	assert_int_equal(rec.seq, NONCE);
	assert_int_equal(rec.info, 100 | RIONET_REC_INLINE << RIONET_REC_TYPE_SHIFT);
	assert_int_equal(*(uint64_t *)st.mem, rionet_word(NONCE, 8));
	assert_memory_equal(st.mem + RIONET_LANE_RING + 16, mac.addr_bytes, 6);
	end();
}

/* Each breaks the protocol in its way. */
static void
bad_line(void)
{
	station_line(st.peer.nonce, st.peer.ring_size / RIONET_UNIT + 1);
}

static void
bad_record(uint32_t seq, uint32_t info, uint32_t units)
{
	uint32_t names[16] = { 0 };

	station_record(seq, info, names, sizeof(names));
	station_line(st.peer.nonce, st.prod + units);
}

static void
bad_seq(void)
{
	bad_record(st.prod ^ st.peer.nonce ^ 1, 64 | RIONET_REC_INLINE << 24, 5);
}

static void
bad_type(void)
{
	bad_record(st.prod ^ st.peer.nonce, 64 | 9u << 24, 5);
}

static void
bad_short(void)
{
	bad_record(st.prod ^ st.peer.nonce, 13 | RIONET_REC_INLINE << 24, 2);
}

static void
bad_long(void)
{
	bad_record(st.prod ^ st.peer.nonce, 65 | RIONET_REC_INLINE << 24, 5);
}

static void
bad_huge(void)
{
	bad_record(st.prod ^ st.peer.nonce, 0xffffff | RIONET_REC_INLINE << 24, 8192);
}

static void
bad_name(void)
{
	bad_record(st.prod ^ st.peer.nonce, 600 | RIONET_REC_BUFS << 24, 2);
}

static void
bad_pad(void)
{
	bad_record(st.prod ^ st.peer.nonce, RIONET_REC_PAD << 24, 2);
}

static void
test_violations(void **state)
{
	static void (*const bad[])(void) = {
		bad_line, bad_seq, bad_type, bad_short, bad_long, bad_huge, bad_name, bad_pad,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(bad); i++) {
		begin();
		station_frame(64);
		poll_until("rx_good_packets", 1);
		bad[i]();
		poll_until("dma_isolated", 1);
		assert_int_equal(xstat(0, "peers_dma"), 1);
		others_go_on(i);
		/* Nothing that it writes now is read. */
		station_frame(64);
		drain(0);
		assert_int_equal(xstat(0, "rx_good_packets"), 2);
		end();
	}
}

/* What is written under another nonce is nobody's. */
static void
test_former_life(void **state)
{
	(void)state;
	begin();
	station_line(st.peer.nonce ^ 1, 77);
	drain(0);
	station_frame(64);
	poll_until("rx_good_packets", 1);
	assert_int_equal(xstat(0, "dma_isolated"), 0);
	end();
}

/* It beats no more, though its memory is there. */
static void
test_silence(void **state)
{
	(void)state;
	begin();
	poll_until("dma_lost", 1);
	assert_int_equal(xstat(0, "dma_isolated"), 0);
	others_go_on(1);
	end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		EMPTY(test_frames),
		EMPTY(test_violations),
		EMPTY(test_former_life),
		EMPTY(test_silence),
	};

	return cmocka_run_group_tests_name("rionet_dma_peer", tests, group_setup, group_teardown);
}
