/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A peer that breaks the protocol of DMA mode in every place that it may write to, while a
 * third one exchanges frames. test_rionet_hostile [MUTATIONS [SEED]].
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_random.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>

#include "hostile_mem.h"
#include "hostile_peer.h"
#include "rionet_ctl.h"
#include "rionet_ports.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n)		((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n)	((void)(p), (void)(n))
#endif

#define MTU		65000u
#define FRAME_MAX	65022u
#define CHAIN		4u
#define HELD		64u
#define REPLAYS		64u
#define REPLAY_BYTES	256u

/* What a change of a record or of a line must lead to. */
enum want {
	WANT_ANY,
	WANT_FRAMES,		/* all of the chain, as they were sent */
	WANT_WAIT,		/* none, and nobody is blamed */
	WANT_BAD,		/* those before the changed one; the peer is isolated */
};

static uint64_t mutations = 150000, seed = 1;
static uint8_t bytes[2 * FRAME_MAX];
static struct rte_ether_addr own;	/* the hostile station's */

/* Other stations' frames may be changed, too. */
static bool anything;

/* The third peer's frames. */
static uint32_t sent[2], got[2];
static uint32_t lens[2];

/* What the hostile station's frames led to. */
static struct rte_mbuf *held[HELD];
static unsigned int nb_held;
static uint32_t from_hostile;
static struct {
	const uint8_t *data;		/* NULL: not looked at */
	uint32_t len;
} expect[CHAIN];
static unsigned int nb_expect;

static uint64_t isolated, served, bad_setups, nowhere;

/* ---- around it ---- */

/* What lies in front of an mbuf's header in the pool, behind the mbuf before it. */
static void
guard(struct rte_mempool *mp, void *poison, void *obj, unsigned int i)
{
	uint8_t *gap = (uint8_t *)obj - mp->header_size;
	size_t len = mp->header_size - sizeof(struct rte_mempool_objhdr);

	(void)i;
	if (poison != NULL)
		ASAN_POISON_MEMORY_REGION(gap, len);
	else
		ASAN_UNPOISON_MEMORY_REGION(gap, len);
}

static int
hostile_group_setup(void **state)
{
	unsigned int i;

	rig_mode = "mode=auto,region=8";
	rig_exact = true;
	if (group_setup(state) != 0)
		return -1;
	rte_srand(seed);
	hostile_seed(seed);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)hostile_rnd();
	rte_mempool_obj_iter(pool, guard, pool);
	own = (struct rte_ether_addr){ { 0x00, 0x01, 0x00, 0x01, 0, HOSTILE_ID } };
	return 0;
}

static int
hostile_group_teardown(void **state)
{
	rte_mempool_obj_iter(pool, guard, NULL);
	return group_teardown(state);
}

static struct rionet_port *
port_of(unsigned int n)
{
	return rte_eth_devices[p[n].id].data->dev_private;
}

static void
hold(struct rte_mbuf *m)
{
	unsigned int i = hostile_below(HELD);

	if (nb_held < HELD && hostile_below(4) == 0) {
		held[nb_held++] = m;
		return;
	}
	if (nb_held != 0 && hostile_below(4) == 0) {
		i %= nb_held;
		rte_pktmbuf_free(held[i]);
		held[i] = held[--nb_held];
	}
	rte_pktmbuf_free(m);
}

static void
let_go(void)
{
	while (nb_held != 0)
		rte_pktmbuf_free(held[--nb_held]);
}

static const uint8_t *
pattern(uint32_t nr)
{
	return bytes + nr * 2654435761u % FRAME_MAX;
}

/* ---- frames ---- */

/* A frame from port n; NULL: mbufs are held. */
static struct rte_mbuf *
make(unsigned int n, const struct rte_ether_addr *dst, uint32_t nr, uint32_t len)
{
	struct rte_mbuf *m = NULL, *seg, *last = NULL;
	uint32_t off, k, max = hostile_below(4) == 0 ? 300 + hostile_below(1700) : 2048;
	uint8_t head[64];

	memcpy(head, pattern(nr), sizeof(head));
	memcpy(head, dst, 6);
	memcpy(head + 6, &p[n].mac, 6);
	for (off = 0; off < len; off += k) {
		k = RTE_MIN(off == 0 ? RTE_MIN(max, 64u) : max, len - off);
		seg = rte_pktmbuf_alloc(pool);
		if (seg == NULL) {
			rte_pktmbuf_free(m);
			return NULL;
		}
		memcpy(rte_pktmbuf_append(seg, (uint16_t)k), off == 0 ? head : pattern(nr) + off,
		       k);
		if (m == NULL) {
			m = seg;
		} else {
			last->next = seg;
			m->nb_segs++;
			m->pkt_len += k;
		}
		last = seg;
	}
	return m;
}

static bool
same(const struct rte_mbuf *m, const uint8_t *want, uint32_t len, uint32_t from)
{
	uint32_t off = 0, k, skip;

	if (m->pkt_len != len)
		return false;
	for (; m != NULL; off += m->data_len, m = m->next) {
		k = m->data_len;
		skip = off < from ? RTE_MIN(from - off, k) : 0;
		if (memcmp(rte_pktmbuf_mtod_offset(m, uint8_t *, skip), want + off + skip,
			   k - skip) != 0)
			return false;
	}
	return off == len;
}

/* 0, often; or less than n. */
static uint32_t
some_more(uint32_t n)
{
	return hostile_below(2) * hostile_below(n);
}

/* Read whatever a frame says is in it. */
static void
taken(struct rte_mbuf *m)
{
	volatile uint32_t sum = 0;
	const struct rte_mbuf *seg;
	unsigned int i;

	rte_mbuf_sanity_check(m, 1);
	assert_in_range(m->pkt_len, 14, FRAME_MAX);
	for (seg = m; seg != NULL; seg = seg->next)
		for (i = 0; i < seg->data_len; i += 61)
			sum = *rte_pktmbuf_mtod_offset(seg, uint8_t *, i);
	(void)sum;
	if (from_hostile < nb_expect && expect[from_hostile].data != NULL)
		assert_true(same(m, expect[from_hostile].data, expect[from_hostile].len, 0));
	from_hostile++;
	hold(m);
}

static bool
is_from(const struct rte_mbuf *m, const struct rte_ether_addr *mac)
{
	return memcmp(rte_pktmbuf_mtod_offset(m, uint8_t *, 6), mac, 6) == 0;
}

/* Take what has come to port n: the third peer's frames are as they were sent, in order. */
static void
take(unsigned int n)
{
	struct rte_mbuf *bufs[BURST];
	unsigned int i, nb;

	do {
		nb = rte_eth_rx_burst(p[n].id, 0, bufs, BURST);
		for (i = 0; i < nb; i++) {
			if (anything || !is_from(bufs[i], &p[1 - n].mac)) {
				taken(bufs[i]);
				continue;
			}
			assert_true(got[n] < sent[1 - n]);
			assert_true(same(bufs[i], pattern(got[n]), lens[n], 12));
			rte_pktmbuf_free(bufs[i]);
			got[n]++;
		}
	} while (nb != 0);
}

static void
serve(void)
{
	while (tsi721_dbell_poll(port_of(0)->dev, 64) != 0)
		;
	take(0);
	take(1);
	hostile_poll();
}

static void
ticks(void)
{
	hostile_ticks();
	serve();
}

/* One frame from port n to the other, of the pair that behaves. */
static void
honest(unsigned int n)
{
	static const uint32_t sizes[] = { 60, 64, 512, 513, 1514, 2048, 2049, 9000 };
	struct rte_mbuf *m;
	unsigned int tries;

	lens[1 - n] = hostile_below(64) == 0 ? 14 + hostile_below(FRAME_MAX - 22) :
					       sizes[hostile_below(RTE_DIM(sizes))];
	while ((m = make(n, &p[1 - n].mac, sent[n], lens[1 - n])) == NULL)
		let_go();
	for (tries = 0; rte_eth_tx_burst(p[n].id, 0, &m, 1) != 1; tries++) {
		assert_true(tries < 100);
		serve();
	}
	sent[n]++;
	for (tries = 0; got[1 - n] != sent[n]; tries++) {
		assert_true(tries < 100);
		let_go();
		serve();
	}
}

static bool
honest_by_dma(void)
{
	return port_of(0)->dma->peer[port_of(0)->peers->slot[1]]->state == RIONET_DMA_OPEN &&
	       xstat(1, "peers_dma") >= 1;
}

/* Frames to the hostile station, which may not take them. */
static void
to_hostile(void)
{
	struct rte_mbuf *m = make(0, &own, hostile_below(1000), 14 + hostile_below(
				  hostile_below(8) == 0 ? 16000 : 2000));

	if (m != NULL && rte_eth_tx_burst(p[0].id, 0, &m, 1) != 1)
		rte_pktmbuf_free(m);
}

/* ---- chains of records ---- */

static struct {
	uint64_t off;
	uint32_t len;
	uint8_t data[REPLAY_BYTES];
} replays[REPLAYS];

static void
put(uint64_t off, const void *data, uint32_t len)
{
	unsigned int i = hostile_below(REPLAYS * 8);

	if (i < REPLAYS) {
		replays[i].off = off;
		replays[i].len = RTE_MIN(len, REPLAY_BYTES);
		memcpy(replays[i].data, data, replays[i].len);
	}
	hostile_write(off, data, len);
}

struct chain {
	struct rionet_lane_rx *lane;
	uint64_t at;			/* the lane in the window */
	uint32_t prod;
	uint32_t first[CHAIN];		/* where each record is, in units */
	struct rionet_rec rec[CHAIN];
	uint32_t names[CHAIN][32];
	uint32_t nb_names[CHAIN];
	unsigned int nb;
};

static uint64_t
rec_off(const struct chain *c, uint32_t unit)
{
	return c->at + RIONET_LANE_RING + (uint64_t)(unit & (c->lane->units - 1)) * RIONET_UNIT;
}

static void
chain_rec(struct chain *c, uint32_t len, uint32_t type, struct rionet_rec *rec)
{
	*rec = (struct rionet_rec){
		.seq = c->prod ^ c->lane->nonce,
		.info = len | type << RIONET_REC_TYPE_SHIFT,
	};
}

/* Up to the ring's end, if `units` do not fit. */
static void
chain_pad(struct chain *c, uint32_t units)
{
	uint32_t to_end = c->lane->units - (c->prod & (c->lane->units - 1));
	struct rionet_rec rec;

	if (to_end >= units)
		return;
	chain_rec(c, 0, RIONET_REC_PAD, &rec);
	put(rec_off(c, c->prod), &rec, sizeof(rec));
	c->prod += to_end;
}

/* n posted buffers of the lane. */
static bool
pick_names(struct chain *c, uint32_t n, uint32_t *names)
{
	const struct rionet_bufs *bufs = c->lane->bufs;
	unsigned int r, k;
	uint32_t i, at, found = 0;

	if (bufs == NULL || bufs->nb_posted < 128)
		return false;
	at = hostile_below(bufs->nb);
	for (i = 0; i < bufs->nb && found < n; i++) {
		const struct rionet_buf *buf = &bufs->buf[(at + i) % bufs->nb];
		bool used = buf->state != RIONET_BUF_POSTED;

		for (r = 0; r < c->nb; r++)
			for (k = 0; k < c->nb_names[r]; k++)
				used |= c->names[r][k] == buf->name;
		if (!used)
			names[found++] = buf->name;
	}
	return found == n;
}

static void
chain_add(struct chain *c)
{
	static uint8_t frame[CHAIN][FRAME_MAX];
	static const uint32_t sizes[] = { 14, 15, 16, 17, 60, 64, 511, 512, 513, 1514, 2048, 2049 };
	uint32_t len = sizes[hostile_below(RTE_DIM(sizes))], n, units, i, k = c->nb;
	bool bufs;

	if (hostile_below(128) == 0)
		len = 14 + hostile_below(FRAME_MAX - 13);
	n = (len + RIONET_BUF_SIZE - 1) / RIONET_BUF_SIZE;
	bufs = hostile_below(2) == 0 && pick_names(c, n, c->names[k]);
	units = ((bufs ? n * 4 : len) + 2 * RIONET_UNIT - 1) / RIONET_UNIT;
	if (c->prod - c->lane->cons + 2 * units + 16 > c->lane->units)
		return;
	chain_pad(c, units);
	c->nb_names[k] = bufs ? n : 0;
	c->first[k] = c->prod;
	chain_rec(c, len, bufs ? RIONET_REC_BUFS : RIONET_REC_INLINE, &c->rec[k]);
	memcpy(frame[k], pattern(hostile_below(100000)), len);
	memcpy(frame[k], &p[0].mac, 6);
	memcpy(frame[k] + 6, &own, 6);
	put(rec_off(c, c->prod), &c->rec[k], RIONET_UNIT);
	if (bufs) {
		for (i = 0; i < n; i++)
			put((uint64_t)c->names[k][i] * RIONET_NAME_UNIT,
			    frame[k] + i * RIONET_BUF_SIZE,
			    RTE_MIN(RIONET_BUF_SIZE, len - i * RIONET_BUF_SIZE));
		put(rec_off(c, c->prod) + RIONET_UNIT, c->names[k], n * 4);
	} else {
		put(rec_off(c, c->prod) + RIONET_UNIT, frame[k], len);
	}
	expect[k].data = frame[k];
	expect[k].len = len;
	c->prod += units;
	c->nb++;
}

/* A head that cannot be. */
static enum want
bad_head(struct rionet_rec *rec)
{
	static const uint32_t lens_bad[] = { 0, 1, 13, 65023, 65535, 65536, 0xffffff };
	uint32_t len = rec->info & RIONET_REC_LEN, type = rec->info >> RIONET_REC_TYPE_SHIFT, t;

	switch (hostile_below(5)) {
	case 0:
		rec->seq ^= 1u << hostile_below(32);
		return WANT_BAD;
	case 1:
		len = lens_bad[hostile_below(RTE_DIM(lens_bad))];
		rec->info = len | type << RIONET_REC_TYPE_SHIFT;
		return WANT_BAD;
	case 2:
		t = hostile_below(3) == 0 ? RIONET_REC_PAD : 4 + hostile_below(252);
		rec->info = len | (hostile_below(16) == 0 ? 0 : t) << RIONET_REC_TYPE_SHIFT;
		return WANT_BAD;
	case 3:
		rec->info = hostile_edge();
		return WANT_ANY;
	default:
		/* Not looked at in version 1. */
		rec->flags = hostile_edge();
		rec->meta = hostile_edge();
		return WANT_FRAMES;
	}
}

/* A name that may not be there. */
static enum want
bad_name(const struct chain *c, unsigned int r, uint32_t *name)
{
	const struct rionet_dma *dma = h.port->dma;
	const struct rionet_dma_peer *third = dma->peer[h.port->peers->slot[1]];
	const struct rionet_bufs *bufs = c->lane->bufs, *other = third->rx[0].bufs;
	uint32_t i;

	switch (hostile_below(6)) {
	case 0:
		if (c->nb_names[r] < 2)
			return WANT_FRAMES;
		*name = name == &c->names[r][0] ? c->names[r][1] : c->names[r][0];
		return WANT_BAD;
	case 1:
		*name += 1 + hostile_below(RIONET_BUF_STRIDE / 64 - 1);
		return WANT_BAD;
	case 2:
		if (other == NULL)
			return WANT_FRAMES;
		*name = other->buf[hostile_below(other->nb)].name;
		return WANT_BAD;
	case 3:
		for (i = 0; i < bufs->nb; i++)
			if (bufs->buf[i].state != RIONET_BUF_POSTED) {
				*name = bufs->buf[i].name;
				return WANT_BAD;
			}
		return WANT_FRAMES;
	case 4:
		*name = bufs->first + (hostile_below(2) == 0 ? bufs->nb * (RIONET_BUF_STRIDE / 64) :
							       -(RIONET_BUF_STRIDE / 64));
		return WANT_BAD;
	default:
		*name = hostile_edge() | 0x80000000u;
		return WANT_BAD;
	}
}

static enum want
bad_line(const struct chain *c, uint64_t *line)
{
	uint32_t cons = c->lane->cons, nonce = c->lane->nonce, units = c->lane->units;

	switch (hostile_below(5)) {
	case 0:
		*line = rionet_word(nonce ^ 1u << hostile_below(32), c->prod);
		return WANT_WAIT;
	case 1:
		*line = rionet_word(nonce, cons + units + 1 + some_more(1000000));
		return WANT_BAD;
	case 2:
		*line = rionet_word(nonce, cons - 1 - some_more(1000000));
		return WANT_BAD;
	case 3:
		*line = rionet_word(nonce, hostile_edge());
		return WANT_ANY;
	default:
		*line = rionet_word(nonce, cons);
		return WANT_WAIT;
	}
}

static void
chain_check(enum want want, const struct chain *c, unsigned int at)
{
	unsigned int n = want == WANT_FRAMES ? c->nb : want == WANT_BAD ? at : 0;

	if (want == WANT_ANY)
		return;
	if (from_hostile != n || c->lane->bad != (want == WANT_BAD))
		print_error("want %d, %u of %u frames, not %u; record %u: info 0x%x, %u names; "
			    "lane bad %d, at %u of %u\n", want, from_hostile, c->nb, n, at,
			    c->rec[at].info, c->nb_names[at], c->lane->bad, c->lane->cons, c->prod);
	assert_int_equal(from_hostile, n);
	assert_int_equal(c->lane->bad, want == WANT_BAD);
}

/* Good records; then, in half of the cases, one thing of them is changed. */
static void
m_records(void)
{
	unsigned int tx = hostile_below(h.nb_tx), i, k, nb = 1 + hostile_below(CHAIN);
	struct chain c = { .lane = &hostile_peer()->rx[tx], .at = hostile_lane_off(tx) };
	enum want want = WANT_FRAMES;
	uint64_t line;

	c.prod = c.lane->cons;
	for (k = 0; k < nb; k++)
		chain_add(&c);
	if (c.nb == 0)
		return;
	line = rionet_word(c.lane->nonce, c.prod);
	k = hostile_below(c.nb);
	switch (hostile_below(6)) {
	case 0:
		want = bad_head(&c.rec[k]);
		put(rec_off(&c, c.first[k]), &c.rec[k], RIONET_UNIT);
		break;
	case 1:
		if (c.nb_names[k] != 0) {
			want = bad_name(&c, k, &c.names[k][hostile_below(c.nb_names[k])]);
			put(rec_off(&c, c.first[k]) + RIONET_UNIT, c.names[k], c.nb_names[k] * 4);
		}
		break;
	case 2:
		want = bad_line(&c, &line);
		k = 0;
		break;
	}
	if (want != WANT_FRAMES)
		memset(expect, 0, sizeof(expect));
	nb_expect = c.nb;
	from_hostile = 0;
	put(c.at, &line, sizeof(line));
	/* Messages that came before go first; mbufs may be short. */
	for (i = 0; i < 1000 && c.lane->fresh; i++)
		take(0);
	for (i = 0; i < 8 && (i < 2 || (want == WANT_FRAMES && from_hostile != c.nb)); i++) {
		take(0);
		if (i > 2)
			let_go();
	}
	chain_check(want, &c, k);
	nb_expect = 0;
	memset(expect, 0, sizeof(expect));
}

/* A frame too long or too short, or beyond the ring's end, in a ring that is told to be full. */
static void
m_lengths(void)
{
	static const uint32_t lens_bad[] = { 0, 13, 65023, 65024, 65535, 65536, 131040 };
	unsigned int tx = hostile_below(h.nb_tx), i;
	struct chain c = { .lane = &hostile_peer()->rx[tx], .at = hostile_lane_off(tx) };
	uint32_t to_end, len = lens_bad[hostile_below(RTE_DIM(lens_bad))];
	struct rionet_rec rec;
	uint64_t line;

	c.prod = c.lane->cons;
	to_end = c.lane->units - (c.prod & (c.lane->units - 1));
	if (hostile_below(2) == 0 && to_end * RIONET_UNIT < FRAME_MAX)
		len = RTE_MIN(RTE_MAX((to_end - 1) * RIONET_UNIT + 1 + some_more(64), 14u),
			      FRAME_MAX);
	if (c.lane->fresh)
		return;
	chain_rec(&c, len, RIONET_REC_INLINE, &rec);
	put(rec_off(&c, c.prod), &rec, sizeof(rec));
	if (to_end > 1)
		put(rec_off(&c, c.prod + 1), &p[0].mac, 6);
	line = rionet_word(c.lane->nonce, c.prod + c.lane->units);
	from_hostile = 0;
	put(c.at, &line, sizeof(line));
	for (i = 0; i < 2; i++)
		take(0);
	assert_int_equal(from_hostile, 0);
	assert_true(c.lane->bad);
}

/* Two long frames take a lane to where its ring ends. */
static void
forward(unsigned int tx)
{
	struct chain c = { .lane = &hostile_peer()->rx[tx], .at = hostile_lane_off(tx) };
	static const uint8_t nobody[6] = { 0x00, 0x01, 0x00, 0x01, 0xff, 0xfe };
	struct rionet_rec rec;
	unsigned int i;
	uint64_t line;

	c.prod = c.lane->cons;
	for (i = 0; i < 2; i++) {
		chain_rec(&c, 65000 + hostile_below(22), RIONET_REC_INLINE, &rec);
		put(rec_off(&c, c.prod), &rec, sizeof(rec));
		put(rec_off(&c, c.prod + 1), nobody, sizeof(nobody));
		c.prod += 4063 + RTE_ALIGN_CEIL((rec.info & RIONET_REC_LEN) - 64992, 16) / 16;
	}
	line = rionet_word(c.lane->nonce, c.prod);
	put(c.at, &line, sizeof(line));
	for (i = 0; i < 1000 && c.lane->cons != c.prod; i++)
		take(0);
	assert_int_equal(c.lane->cons, c.prod);
	assert_false(c.lane->bad);
}

/* ---- the rest of what it may write to ---- */

/* Feedback ahead, behind, of another session. */
static void
m_feed(void)
{
	unsigned int rx = hostile_below(h.nb_rx);
	const struct rionet_dma_peer *peer = hostile_peer();
	const struct rionet_lane_tx *lane = &peer->tx[rx];
	uint64_t off = hostile_feed_off(rx), word;
	uint32_t nonce = peer->nonce;

	switch (hostile_below(6)) {
	case 0:
		word = rionet_word(nonce, lane->told + 1 + some_more(100000));
		put(off, &word, 8);
		ticks();
		assert_false(hostile_in_session());
		break;
	case 1:
		word = rionet_word(nonce, lane->cons - 1 - some_more(100000));
		put(off, &word, 8);
		ticks();
		assert_false(hostile_in_session());
		break;
	case 2:
		word = rionet_word(nonce, lane->post_head + RIONET_POSTS + 1 +
					  some_more(100000));
		put(off + 8, &word, 8);
		ticks();
		assert_false(hostile_in_session());
		break;
	case 3:
		word = rionet_word(nonce ^ 1u << hostile_below(32), hostile_edge());
		put(off + 8 * hostile_below(2), &word, 8);
		break;
	default:
		word = rionet_word(nonce, hostile_edge());
		put(off + 8 * hostile_below(3), &word, 8);
	}
}

/* Names of buffers that are none, and a large frame that would go there. */
static void
m_posts(void)
{
	unsigned int rx = hostile_below(h.nb_rx), i;
	const struct rionet_dma_peer *peer = hostile_peer();
	const struct rionet_lane_tx *lane = &peer->tx[rx];
	uint64_t off = hostile_feed_off(rx), word;
	uint32_t name;

	for (i = 0; i < 8; i++) {
		name = hostile_edge();
		put(off + RIONET_FEED_POSTS + ((lane->post_head + i) & lane->post_mask) * 4,
		    &name, 4);
	}
	word = rionet_word(peer->nonce, lane->post_head + 8);
	put(off + 8, &word, 8);
	to_hostile();
}

/* Any words in what is this station's. */
static void
m_words(void)
{
	unsigned int tx = hostile_below(h.nb_tx), rx = hostile_below(h.nb_rx), i;
	uint32_t words[8];

	for (i = 0; i < RTE_DIM(words); i++)
		words[i] = hostile_below(2) == 0 ? hostile_edge() : (uint32_t)hostile_rnd();
	if (hostile_below(2) == 0)
		put(hostile_feed_off(rx) + hostile_below(h.theirs.feed_stride / 4 - 8) * 4, words,
		    4 * (1 + hostile_below(8)));
	else
		put(hostile_lane_off(tx) + hostile_below(h.theirs.lane_stride / 4 - 8) * 4, words,
		    4 * (1 + hostile_below(8)));
}

/* A ring full of anything, and a line that tells of it. */
static void
m_garbage(void)
{
	unsigned int tx = hostile_below(h.nb_tx), i;
	struct rionet_lane_rx *lane = &hostile_peer()->rx[tx];
	uint64_t at = hostile_lane_off(tx), line;
	uint32_t words[64], unit = lane->cons & (lane->units - 1);

	for (i = 0; i < RTE_DIM(words); i++)
		words[i] = hostile_edge();
	words[0] = lane->cons ^ lane->nonce;
	words[1] = (words[1] & 0xffffffu) | (uint32_t)(1 + hostile_below(3)) << 24;
	put(at + RIONET_LANE_RING + (uint64_t)unit * RIONET_UNIT, words,
	    RTE_MIN((uint32_t)sizeof(words), (lane->units - unit) * RIONET_UNIT));
	line = rionet_word(lane->nonce, lane->cons + 1 + hostile_below(lane->units));
	put(at, &line, 8);
}

static void
m_buffers(void)
{
	const struct rionet_bufs *bufs = hostile_peer()->rx[hostile_below(h.nb_tx)].bufs;

	if (bufs != NULL)
		put((uint64_t)bufs->buf[hostile_below(bufs->nb)].name * RIONET_NAME_UNIT,
		    pattern(hostile_below(1000)), 1 + hostile_below(RIONET_BUF_SIZE));
}

static void
m_replay(void)
{
	unsigned int i, n = 1 + hostile_below(4);

	for (; n != 0; n--) {
		i = hostile_below(REPLAYS);
		/* What was this station's in an earlier session still is. */
		if (replays[i].len != 0)
			hostile_write(replays[i].off, replays[i].data, replays[i].len);
	}
}

/* ---- mailboxes and doorbells ---- */

/* A field of a SETUP, and values that it cannot have. */
struct field {
	const char *name;
	size_t off, size;
	unsigned int nb;
	uint64_t bad[8];
};

#define FIELD(f, ...) { #f, offsetof(struct rionet_setup, f), \
			sizeof(((struct rionet_setup *)0)->f), \
			sizeof((uint64_t[]){ __VA_ARGS__ }) / 8, { __VA_ARGS__ } }
static const struct field fields[] = {
	FIELD(magic, 0, 1, 0x4f495243, 0x4452494f, 0xffffffff),
	FIELD(version, 0, 2, 7, 8, 255),
	FIELD(nb_tx, 8, 9, 128, 255),
	FIELD(nb_rx, 8, 9, 128, 255),
	FIELD(peer_nb_tx, 0, 2, 7, 8, 255),
	FIELD(peer_nb_rx, 0, 2, 7, 8, 255),
	FIELD(nonce, 0),
	FIELD(window, 1, 64, 4095, UINT64_MAX, UINT64_MAX - 4095, 0ull - 8192),
	FIELD(window_size, 0, 1, 2048, 4095, 4096, 1ull << 40 | 1, UINT64_MAX, 1ull << 63),
	FIELD(lanes, 1, 32, 63, 1ull << 21, 1ull << 32, 1ull << 63, UINT64_MAX - 63),
	FIELD(feeds, 1, 32, 63, 1ull << 21, 1ull << 32, 1ull << 63, UINT64_MAX - 63),
	FIELD(lane_stride, 0, 64, 32768, 32831, 32833),
	FIELD(feed_stride, 0, 64, 1024, 1087, 1089),
	FIELD(ring_size, 0, 1, 4096, 8191, 32767, 32769, 1u << 25, 1u << 31),
	FIELD(nb_posts, 0, 1, 8, 15, 255, 257, 131072, 1u << 31),
	FIELD(buf_size, 0, 1, 255, 65537, 1u << 24, 1u << 31, 0xffffffff),
	FIELD(max_frame, 0, 13, 1517, 16369, 65023, 65536, 0x7fffffff, 0xffffffff),
};

static void
set_field(struct rionet_setup *s, const struct field *f, uint64_t value)
{
	memcpy((uint8_t *)s + f->off, &value, f->size);
}

static void
m_setup(void)
{
	const struct field *f = &fields[hostile_below(RTE_DIM(fields))];
	uint64_t before = h.port->dma_stats.bad_setup;
	struct rionet_setup s;
	bool bad = hostile_below(2) == 0;

	hostile_setup_fill(&s, hostile_below(2) == 0);
	if (bad)
		set_field(&s, f, f->bad[hostile_below(f->nb)]);
	else
		set_field(&s, f, hostile_below(2) == 0 ? hostile_rnd() : hostile_edge());
	if (hostile_below(8) == 0)
		s.echo = hostile_edge();
	if (!hostile_setup_send(&s))
		return;
	serve();
	if (bad && rionet_peer_state(h.port->peers, HOSTILE_ID) == RIONET_PEER_JOINED) {
		if (h.port->dma_stats.bad_setup != before + 1)
			print_error("SETUP with a wrong %s was taken\n", f->name);
		assert_int_equal(h.port->dma_stats.bad_setup, before + 1);
		bad_setups++;
	}
}

static void
m_doorbells(void)
{
	static const uint16_t some[] = {
		RIONET_DBELL_JOIN, RIONET_DBELL_LEAVE, RIONET_DBELL_KNOCK, 0x1711, 0x1111, 0x1177,
		0x1100, 0x1188, 0x11ff, 0x1800, 0x1801, 0x1002, 0x10ff, 0, 0xffff,
	};
	unsigned int n = hostile_below(8) == 0 ? hostile_below(100) : 1;

	for (; n != 0; n--) {
		if (hostile_below(4) == 0)
			hostile_ring(0x1000 | hostile_below(0x900));
		else
			hostile_ring(some[hostile_below(RTE_DIM(some))]);
	}
	serve();
}

/* Messages of any length with anything in them, to both mailboxes. */
static void
m_messages(void)
{
	static uint8_t msg[4096];
	uint32_t len = 8 + hostile_below(512) * 8;
	struct rionet_setup s;

	if (hostile_below(2) == 0)
		len = 8 + hostile_below(16) * 8;
	memcpy(msg, pattern(hostile_below(100000)), len);
	if (hostile_below(2) == 0) {
		memcpy(msg, &p[0].mac, 6);
		memcpy(msg + 6, &own, 6);
		hostile_message(RIONET_MBOX, msg, len);
	} else {
		hostile_setup_fill(&s, true);
		memcpy(msg, &s, RTE_MIN(len, (uint32_t)sizeof(s) - 4 * hostile_below(2)));
		if (hostile_message(RIONET_CTL_MBOX, msg, len))
			hostile_ring(RIONET_DBELL_KNOCK);
	}
	serve();
}

/* A session in which nothing can be written to this station, with lanes to it or without. */
static void
m_nowhere(void)
{
	struct rionet_setup s;
	bool opened;
	unsigned int i;

	if (hostile_below(2) == 0)
		h.nb_rx = 0;
	hostile_ring(RIONET_DBELL_LEAVE);
	hostile_ring(RIONET_DBELL_JOIN);
	hostile_ring(rionet_hello(RIONET_DMA_VERSION, h.nb_tx, h.nb_rx));
	serve();
	hostile_setup_fill(&s, true);
	s.window = (hostile_rnd() & ~4095ull & INT64_MAX) | 1ull << 62;
	hostile_setup_send(&s);
	serve();
	opened = hostile_in_session();
	for (i = 0; i < 40 && hostile_in_session(); i++) {
		if (h.nb_rx != 0)
			to_hostile();
		ticks();
	}
	assert_false(opened && hostile_in_session());
	nowhere += opened;
	h.nb_rx = 0;
}

/* It breaks the protocol, and leaves before a tick: that does not help. */
static void
m_leave(void)
{
	struct rionet_lane_rx *lane = &hostile_peer()->rx[0];
	uint64_t line = rionet_word(lane->nonce, lane->cons + lane->units + 1);
	uint64_t before = h.port->dma_stats.isolated;

	while (lane->fresh && hostile_in_session()) {
		m_records();
		serve();
	}
	if (!hostile_in_session())
		return;
	put(hostile_lane_off(0), &line, sizeof(line));
	take(0);
	assert_true(lane->bad);
	hostile_ring(RIONET_DBELL_LEAVE);
	hostile_ring(RIONET_DBELL_JOIN);
	serve();
	assert_int_equal(h.port->dma_stats.isolated, before + 1);
	assert_int_equal(hostile_peer()->state, RIONET_DMA_NONE);
}

/* ---- what it leads to ---- */

/* Who was found out is isolated at the next tick, takes no part for 10 s, and is served again. */
static void
isolation(void)
{
	uint64_t before = h.port->dma_stats.isolated, begin = rte_get_tsc_cycles();
	uint64_t ban = h.port->hz / 1000 * 10000;
	struct rionet_dma_peer *peer = hostile_peer();
	struct rionet_setup s;
	char line[512];

	log_lines(line);
	ticks();
	isolated++;
	assert_int_equal(h.port->dma_stats.isolated, before + 1);
	assert_int_equal(peer->state, RIONET_DMA_NONE);
	assert_true(log_lines(line) >= 1);
	assert_true(peer->ban_end >= begin + ban && peer->ban_end <= rte_get_tsc_cycles() + ban);
	if (hostile_below(4) == 0) {
		hostile_ring(RIONET_DBELL_LEAVE);
		hostile_ring(RIONET_DBELL_JOIN);
		hostile_ring(rionet_hello(RIONET_DMA_VERSION, h.nb_tx, h.nb_rx));
		hostile_setup_fill(&s, true);
		hostile_setup_send(&s);
		serve();
		assert_int_equal(peer->state, RIONET_DMA_NONE);
	}
	peer->ban_end = 1;
	ticks();
}

static void
session(void)
{
	unsigned int i;

	for (i = 0; i < 4 && !hostile_in_session(); i++) {
		if (hostile_found_out())
			isolation();
		if (hostile_peer() != NULL && hostile_peer()->ban_end != 0) {
			hostile_peer()->ban_end = 1;
			ticks();
		}
		hostile_join(1 + hostile_below(3), 1 + hostile_below(4), serve);
	}
	assert_true(hostile_in_session());
	served++;
	if (hostile_below(4) == 0)
		forward(hostile_below(h.nb_tx));
}

static void (*const kinds[])(void) = {
	m_records, m_records, m_records, m_records, m_records, m_records, m_records, m_records,
	m_records, m_lengths, m_feed, m_posts, m_words, m_words, m_garbage, m_buffers, m_buffers,
	m_replay, m_setup, m_setup, m_doorbells, m_messages, m_messages, m_nowhere, m_leave,
};

static void
mutate(void)
{
	unsigned int kind = hostile_below(RTE_DIM(kinds));

	if (hostile_found_out())
		isolation();
	if (!hostile_in_session())
		session();
	/* Heavy ones less often. */
	if ((kinds[kind] == m_nowhere || kinds[kind] == m_leave) && hostile_below(16) != 0)
		kind = 0;
	kinds[kind]();
	take(0);
}

static void
storm(uint64_t n)
{
	uint64_t round;

	for (round = 1; round <= n; round++) {
		mutate();
		if (hostile_below(2) == 0)
			to_hostile();
		if (hostile_below(2) == 0 && hostile_in_session())
			hostile_feed(hostile_below(h.nb_rx), hostile_below(4) * 8);
		if (round % 8 == 0) {
			honest(0);
			honest(1);
		}
		if (round % 32 == 0)
			ticks();
		if (round % 1024 == 0)
			assert_true(hostile_canaries());
	}
	let_go();
	if (hostile_found_out())
		isolation();
	ticks();
}

/* One thread does all, so that a seed says what happens. */
static void
open_quiet(unsigned int n, const char *args)
{
	char name[32], all[128];

	snprintf(name, sizeof(name), "raw_tsi721%u", n);
	snprintf(all, sizeof(all), "destid=%u,intr=off", n);
	assert_int_equal(rte_vdev_init(name, all), 0);
	snprintf(all, sizeof(all), "raw=%s,%s", name, args);
	open_port(n, all);
}

static void
close_quiet(unsigned int n)
{
	char name[32];

	close_port(n);
	snprintf(name, sizeof(name), "raw_tsi721%u", n);
	assert_int_equal(rte_vdev_uninit(name), 0);
}

static void
open_all(const char *args)
{
	unsigned int n;

	memset(sent, 0, sizeof(sent));
	memset(got, 0, sizeof(got));
	memset(replays, 0, sizeof(replays));
	for (n = 0; n < 2; n++) {
		open_quiet(n, args);
		configure(&p[n], MTU, pool);
		start_port(n);
	}
	hostile_open();
	hostile_against(port_of(0), 0);
	while (xstat(0, "peers_dma") != 1 || xstat(1, "peers_dma") != 1)
		ticks();
}

/* Frames of the hostile station's session are still held when the port goes. */
static void
close_all(void)
{
	unsigned int n;

	for (n = 0; n < 100; n++) {
		if (!hostile_in_session())
			session();
		m_records();
	}
	for (n = 0; n < 2; n++)
		close_quiet(n);
	hostile_close();
	let_go();
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	/* What waited for those frames goes when a port starts. */
	open_quiet(0, "rx=auto");
	start_port(0);
	close_quiet(0);
	assert_int_equal(hostile_blocks(), 0);
}

/* Each field of a SETUP with each value that it cannot have. */
static void
test_setup(void **state)
{
	struct rionet_setup good, s;
	unsigned int i, k;

	(void)state;
	open_all("rx=auto");
	session();
	hostile_setup_fill(&good, true);
	assert_null(rionet_setup_check(&good, 1, 1));
	for (i = 0; i < RTE_DIM(fields); i++)
		for (k = 0; k < fields[i].nb; k++) {
			s = good;
			set_field(&s, &fields[i], fields[i].bad[k]);
			if (rionet_setup_check(&s, 1, 1) == NULL)
				print_error("%s: 0x%" PRIx64 " passes\n", fields[i].name,
					    fields[i].bad[k]);
			assert_non_null(rionet_setup_check(&s, 1, 1));
		}
	/* Buffers that are longer than the window. */
	s = good;
	s.nb_tx = s.nb_rx = 1;
	s.window_size = 16384;
	s.ring_size = 8192;
	s.max_frame = 1518;
	s.feeds = 8256;
	s.buf_size = 16384;
	assert_null(rionet_setup_check(&s, 1, 1));
	s.buf_size = 16385;
	assert_non_null(rionet_setup_check(&s, 1, 1));
	close_all();
}

/*
 * Any words anywhere in the window, other stations' parts too. Frames may be anything
 * then; what must hold is the memory, and that all is well when it is over.
 */
static void
test_anywhere(void **state)
{
	struct rte_mbuf *m;
	uint32_t words[4];
	uint64_t round, off, used;
	unsigned int n, i;

	(void)state;
	open_all("rx=auto");
	session();
	anything = true;
	for (round = 0; round < mutations / 3; round++) {
		used = h.port->dma->region->used;
		off = hostile_below(4) == 0 ? hostile_below((uint32_t)(used / 64)) * 64ull :
					      hostile_below((uint32_t)(used / 4)) * 4ull;
		/* Lines and ring starts of the third peer, of all places. */
		if (hostile_below(4) == 0)
			off = hostile_below(64) * 4;
		for (i = 0; i < RTE_DIM(words); i++)
			words[i] = hostile_edge();
		if (hostile_below(8) == 0)
			words[1] = h.port->dma->peer[h.port->peers->slot[1]]->nonce;
		hostile_write(off, words, 4 * (1 + hostile_below(4)));
		n = hostile_below(2);
		m = make(n, &p[1 - n].mac, (uint32_t)round, 14 + hostile_below(3000));
		if (m != NULL && rte_eth_tx_burst(p[n].id, 0, &m, 1) != 1)
			rte_pktmbuf_free(m);
		serve();
		if (round % 32 == 0) {
			for (n = 0; n < 2; n++)
				for (i = 1; i <= 2; i++)
					if (port_of(n)->dma->peer[i] != NULL)
						port_of(n)->dma->peer[i]->ban_end &= 1;
			ticks();
		}
	}
	let_go();
	anything = false;
	close_all();
}

static void
attack(const char *args, uint64_t n)
{
	uint64_t before;

	open_all(args);
	isolated = served = bad_setups = nowhere = 0;
	storm(n);
	assert_true(isolated != 0 && served != 0 && bad_setups != 0);
	assert_true(nowhere != 0 || n < 10000);
	assert_true(hostile_canaries());
	/* The third peer was never given up, and none of its frames went as a message. */
	assert_true(honest_by_dma());
	assert_int_equal(xstat(1, "tx_messages"), 0);
	before = h.writes;
	close_all();
	print_message("%s: %" PRIu64 " mutations, %" PRIu64 " writes, isolated %" PRIu64
		      " times, %" PRIu64 " sessions, %" PRIu64 " SETUPs refused, "
		      "%" PRIu64 " dead windows, %u frames of the third peer\n",
		      args, n, before, isolated, served, bad_setups, nowhere,
		      got[0] + got[1]);
}

static void
test_auto(void **state)
{
	(void)state;
	attack("rx=auto", mutations / 3);
}

static void
test_copy(void **state)
{
	(void)state;
	attack("rx=copy", mutations / 3);
}

static void
test_zc(void **state)
{
	(void)state;
	attack("rx=zc", mutations - mutations / 3 * 2);
}

#define CASE(f)	cmocka_unit_test_teardown(f, teardown)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		CASE(test_setup),
		CASE(test_auto),
		CASE(test_copy),
		CASE(test_zc),
		CASE(test_anywhere),
	};

	if (argc > 1)
		mutations = strtoull(argv[1], NULL, 0);
	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	if (mutations < 3000 || argc > 3) {
		fprintf(stderr, "usage: %s [MUTATIONS [SEED]], 3000 or more\n", argv[0]);
		return 2;
	}
	printf("seed %" PRIu64 "\n", seed);
	return cmocka_run_group_tests_name("rionet_hostile", tests, hostile_group_setup,
					   hostile_group_teardown);
}
