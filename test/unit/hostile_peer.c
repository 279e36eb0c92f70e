/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdlib.h>

#include <rte_memory.h>
#include <rte_memzone.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>
#include <tsi721_regs.h>
#include <tsi721_window.h>

#include "hostile_peer.h"
#include "rionet_ctl.h"
#include "rionet_ports.h"

#define MEM		(4u << 20)
#define WINDOW_RADDR	0x4000000000ull
/* What SETUPs show is in the middle of the window; the rest must stay as it is. */
#define WINDOW_AT	(2u << 20)
#define WINDOW_SIZE	(2u << 20)
#define SHOWN_AT	65536u
#define SHOWN_SIZE	(WINDOW_SIZE - 2 * SHOWN_AT)
#define RING		32768u
#define BUFS_AT		(1u << 20)	/* in what is shown */
#define BUF_SIZE	2048u
#define CANARY		0xc5u
#define MESSAGES	128u
#define DESCS		64u
#define WRITE_MAX	65536u

struct hostile h;

static struct {
	struct tsi721_device *dev;
	struct tsi721_omsg *omsg[4];
	struct tsi721_imsg *imsg[4];
	struct tsi721_bdma *bdma;
	const struct rte_memzone *mz;
	uint8_t *mem;
	int win;
	uint32_t put, posted;
} st;
static uint64_t state;

/* ---- numbers ---- */

void
hostile_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15ull + 1;
}

uint64_t
hostile_rnd(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

uint32_t
hostile_below(uint32_t n)
{
	return (uint32_t)(hostile_rnd() % n);
}

uint32_t
hostile_edge(void)
{
	static const uint32_t edges[] = {
		0, 1, 2, 13, 14, 15, 16, 63, 64, 255, 256, 511, 512, 513, 1514, 2047, 2048, 2049,
		4095, 4096, 8191, 8192, 8193, 65022, 65023, 65535, 65536, 131071, 131072, 131073,
		0xfffffe, 0xffffff, 0x1000000, 0x1000001, 0x2000000, 0x3000000, 0x7fffffff,
		0x80000000, 0xfffffff0, 0xffffffff,
	};

	if (hostile_below(4) == 0)
		return (uint32_t)hostile_rnd();
	return edges[hostile_below(RTE_DIM(edges))];
}

/* ---- the device ---- */

static void
on_doorbell(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	if (src == h.destid && info == RIONET_DBELL_JOIN)
		h.joins++;
}

void
hostile_open(void)
{
	unsigned int m;

	memset(&st, 0, sizeof(st));
	assert_int_equal(tsi721_device_open_own("hostile", "destid=77,intr=off", &st.dev), 0);
	for (m = 0; m < 4; m += 3) {
		assert_int_equal(tsi721_imsg_open(st.dev, m, MESSAGES, SOCKET_ID_ANY,
						  &st.imsg[m]), 0);
		assert_int_equal(tsi721_omsg_open(st.dev, m, MESSAGES, SOCKET_ID_ANY,
						  &st.omsg[m]), 0);
	}
	assert_int_equal(tsi721_bdma_open(st.dev, 0, DESCS, SOCKET_ID_ANY, &st.bdma), 0);
	assert_int_equal(tsi721_dbell_request(st.dev, 0, UINT16_MAX, on_doorbell, NULL), 0);
	st.mz = rte_memzone_reserve_aligned("hostile", MEM, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					    MEM);
	assert_non_null(st.mz);
	st.mem = st.mz->addr;
	memset(st.mem + WINDOW_AT, CANARY, WINDOW_SIZE);
	st.win = tsi721_ibwin_open(st.dev, WINDOW_RADDR, st.mz->iova + WINDOW_AT, WINDOW_SIZE);
	assert_true(st.win >= 0);
}

void
hostile_close(void)
{
	unsigned int m;

	tsi721_dbell_release(st.dev, 0, UINT16_MAX);
	tsi721_ibwin_close(st.dev, (unsigned int)st.win);
	tsi721_bdma_close(st.bdma, NULL, NULL);
	for (m = 0; m < 4; m += 3) {
		tsi721_omsg_close(st.omsg[m], NULL, NULL);
		tsi721_imsg_close(st.imsg[m]);
	}
	rte_memzone_free(st.mz);
	tsi721_device_put(st.dev);
}

void
hostile_against(struct rionet_port *port, uint16_t destid)
{
	memset(&h, 0, sizeof(h));
	h.port = port;
	h.destid = destid;
}

void
hostile_write(uint64_t off, const void *data, uint32_t len)
{
	uint32_t word = tsi721_bdma_word(st.bdma, TSI721_RTYPE_ALL_NWRITE, 0, h.destid), failed;
	unsigned int tries;
	int err;

	assert_true(len != 0 && len <= WRITE_MAX);
	memcpy(st.mem, data, len);
	tsi721_bdma_put(st.bdma, word, h.port->dma->region->raddr + off, st.mz->iova, len);
	tsi721_bdma_kick(st.bdma);
	st.put++;
	h.writes++;
	for (tries = 0; tsi721_bdma_ended(st.bdma, &failed, &err) != st.put; tries++)
		assert_true(tries < 1000000);
}

bool
hostile_message(unsigned int mbox, const void *data, uint32_t len)
{
	uint8_t *buf = st.mem + WRITE_MAX + st.posted % MESSAGES * 4096;
	void *cookies[MESSAGES];

	tsi721_omsg_reap(st.omsg[mbox], cookies, NULL, MESSAGES);
	/* Both mailboxes share the memory. */
	if (tsi721_omsg_free(st.omsg[0]) < MESSAGES / 2 + 1 ||
	    tsi721_omsg_free(st.omsg[3]) < MESSAGES / 2 + 1)
		return false;
	memcpy(buf, data, len);
	assert_int_equal(tsi721_omsg_post(st.omsg[mbox], h.destid, 0,
					  st.mz->iova + (uint64_t)(buf - st.mem), len, NULL), 0);
	tsi721_omsg_kick(st.omsg[mbox]);
	st.posted++;
	h.writes++;
	return true;
}

void
hostile_ring(uint16_t info)
{
	tsi721_dbell_send(st.dev, h.destid, info);
	h.writes++;
}

void
hostile_poll(void)
{
	struct tsi721_imsg_info msg[32];
	unsigned int m, i, n;

	while (tsi721_dbell_poll(st.dev, 64) != 0)
		;
	for (m = 0; m < 4; m += 3)
		while ((n = tsi721_imsg_poll(st.imsg[m], msg, RTE_DIM(msg))) != 0) {
			for (i = 0; m == 3 && i < n; i++)
				if (msg[i].src == h.destid && msg[i].len >= sizeof(h.theirs)) {
					memcpy(&h.theirs, msg[i].data, sizeof(h.theirs));
					rionet_setup_to_cpu(&h.theirs);
					h.setups++;
				}
			tsi721_imsg_release(st.imsg[m], n);
		}
}

/* ---- the protocol ---- */

void
hostile_setup_fill(struct rionet_setup *s, bool open)
{
	struct rionet_dma *dma = h.port->dma;

	*s = (struct rionet_setup){
		.magic = RIONET_SETUP_MAGIC,
		.version = RIONET_DMA_VERSION,
		.nb_tx = h.nb_tx,
		.nb_rx = h.nb_rx,
		.peer_nb_tx = dma->nb_tx,
		.peer_nb_rx = dma->nb_rx,
		.open = open,
		.nonce = h.nonce,
		.echo = h.theirs.nonce,
		.window = WINDOW_RADDR + SHOWN_AT,
		.window_size = SHOWN_SIZE,
		.lane_stride = RING + 64,
		.feeds = 512u << 10,
		.feed_stride = 64 + HOSTILE_POSTS * 4,
		.ring_size = RING,
		.nb_posts = HOSTILE_POSTS,
		.buf_size = BUF_SIZE,
		.max_frame = 16000,
	};
}

bool
hostile_setup_send(const struct rionet_setup *s)
{
	if (!hostile_message(RIONET_CTL_MBOX, s, sizeof(*s)))
		return false;
	hostile_ring(RIONET_DBELL_KNOCK);
	return true;
}

struct rionet_dma_peer *
hostile_peer(void)
{
	uint16_t slot = h.port->peers->slot[HOSTILE_ID];

	return slot == 0 ? NULL : h.port->dma->peer[slot];
}

bool
hostile_found_out(void)
{
	const struct rionet_dma_peer *peer = hostile_peer();

	return peer != NULL && peer->state != RIONET_DMA_NONE &&
	       rionet_dma_peer_bad(h.port->dma, peer);
}

bool
hostile_in_session(void)
{
	const struct rionet_dma_peer *peer = hostile_peer();

	/* One that other numbers of queues began is none that it knows of. */
	return peer != NULL && peer->state == RIONET_DMA_OPEN && !hostile_found_out() &&
	       peer->nb_tx == h.nb_tx && peer->nb_rx == h.nb_rx && peer->nonce == h.theirs.nonce;
}

bool
hostile_join(unsigned int nb_tx, unsigned int nb_rx, void (*serve)(void))
{
	struct rionet_setup s;
	uint32_t setups;
	unsigned int i;

	h.nb_tx = nb_tx;
	h.nb_rx = nb_rx;
	h.nonce = (uint32_t)hostile_rnd() | 1;
	memset(st.mem + WINDOW_AT + SHOWN_AT, 0, SHOWN_SIZE);
	hostile_ring(RIONET_DBELL_LEAVE);
	hostile_ring(RIONET_DBELL_JOIN);
	serve();
	hostile_poll();
	setups = h.setups;
	hostile_ring(rionet_hello(RIONET_DMA_VERSION, nb_tx, nb_rx));
	for (i = 0; i < 100 && h.setups == setups; i++) {
		serve();
		hostile_poll();
	}
	if (h.setups == setups)
		return false;
	for (i = 0; i < 100 && !hostile_in_session(); i++) {
		hostile_setup_fill(&s, true);
		hostile_setup_send(&s);
		serve();
		hostile_poll();
	}
	return hostile_in_session();
}

uint64_t
hostile_lane_off(unsigned int tx)
{
	return h.theirs.lanes + (uint64_t)h.theirs.lane_stride * tx;
}

uint64_t
hostile_feed_off(unsigned int rx)
{
	return h.theirs.feeds + (uint64_t)h.theirs.feed_stride * rx;
}

void
hostile_feed(unsigned int rx, uint32_t n)
{
	const struct rionet_dma_peer *peer = hostile_peer();
	const struct rionet_lane_tx *lane = &peer->tx[rx];
	uint32_t posts = lane->post_tail, i;
	uint64_t off = hostile_feed_off(rx);
	struct rionet_feed feed;

	for (i = 0; i < n && posts - lane->post_head < HOSTILE_POSTS; i++, posts++) {
		uint32_t name = (BUFS_AT + hostile_below((SHOWN_SIZE - BUFS_AT) / BUF_SIZE) *
				 BUF_SIZE) / RIONET_NAME_UNIT;

		hostile_write(off + RIONET_FEED_POSTS + (posts & lane->post_mask) * 4, &name, 4);
	}
	feed.cons = rionet_word(peer->nonce, lane->told);
	feed.posts = rionet_word(peer->nonce, posts);
	feed.beat = rionet_word(peer->nonce, (uint32_t)hostile_rnd());
	hostile_write(off, &feed, sizeof(feed));
}

bool
hostile_canaries(void)
{
	const uint8_t *w = st.mem + WINDOW_AT;
	uint32_t i;

	for (i = 0; i < SHOWN_AT; i++)
		if (w[i] != CANARY || w[WINDOW_SIZE - 1 - i] != CANARY)
			return false;
	return true;
}
