/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The device talks to itself: what it sends to its own destination ID comes
 * back, where the fabric routes it so. Any switch does. A cable does not, and
 * then another device of this process at its other end will do, when it is not
 * in use; each sends to the other. Nobody else is touched.
 */

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include "tsi721_bdma.h"
#include "tsi721_doorbell.h"
#include "tsi721_maint.h"
#include "tsi721_mbox.h"
#include "tsi721_rawdev.h"
#include "tsi721_window.h"

#define ST_SIZE		0x10000u	/* of the window, and of each buffer */
#define ST_RADDR	0x4200000000ull	/* where the window is */
#define ST_RADDR_MISS	0x4300000000ull	/* where none is */
#define ST_DESCS	64u
#define ST_TIMEOUT_MS	2000u
#define ST_DBELLS	100u
#define ST_DBELL_FIRST	0xfe00u
#define ST_MSGS		24u		/* at once, less than the ring's buffers */

struct selftest {
	struct tsi721_device *dev;	/* sends */
	struct tsi721_device *peer;	/* receives; may be the same */
	const struct rte_memzone *mz;
	/* Of that memory: what the window shows, what is sent, where it comes back to. */
	uint8_t *win, *src, *dst;
	rte_iova_t win_iova, src_iova, dst_iova;
	uint64_t deadline;
	uint32_t seed;
	/* Doorbells received; wrong is their count when not 0 to nb in order. */
	uint32_t dbells, dbells_wrong;
};

#define ST_FAIL(st, fmt, ...) do { \
	TSI721_LOG(ERR, (st)->dev, "selftest: " fmt, ## __VA_ARGS__); \
	return -EIO; \
} while (0)

static void
st_fill(struct selftest *st, uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		st->seed = st->seed * 1664525u + 1013904223u;
		p[i] = (uint8_t)(st->seed >> 24);
	}
}

static void
st_start(struct selftest *st)
{
	st->deadline = rte_get_timer_cycles() + rte_get_timer_hz() * ST_TIMEOUT_MS / 1000;
}

/* Between two looks at something that has not come yet; false: too late. */
static bool
st_wait(struct selftest *st)
{
	sched_yield();
	return rte_get_timer_cycles() < st->deadline;
}

/* --- maintenance --- */

static int
st_maint(struct selftest *st)
{
	struct tsi721_device *peer = st->peer;
	uint32_t local, remote, tag;
	int ret;

	ret = tsi721_maint_read(st->dev, peer->destid, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, &remote);
	local = tsi721_read32(peer, RIO_DEV_ID_CAR);
	if (ret != 0 || remote != local)
		ST_FAIL(st, "identity 0x%08x by maintenance request, 0x%08x by register: %s",
			remote, local, strerror(-ret));

	tag = tsi721_read32(peer, RIO_COMPONENT_TAG_CSR);
	ret = tsi721_maint_write(st->dev, peer->destid, RIO_HOP_ENDPOINT, RIO_COMPONENT_TAG_CSR,
				 ~tag);
	local = tsi721_read32(peer, RIO_COMPONENT_TAG_CSR);
	tsi721_write32(peer, RIO_COMPONENT_TAG_CSR, tag);
	if (ret != 0 || local != ~tag)
		ST_FAIL(st, "component tag reads 0x%08x after a request to write 0x%08x: %s", local,
			~tag, strerror(-ret));
	return 0;
}

/*
 * Whether requests to the peer's destination ID reach the peer: it is marked,
 * and the mark looked for. Reading harms nobody, whoever answers.
 */
static bool
st_reaches(struct tsi721_device *dev, struct tsi721_device *peer)
{
	uint32_t tag = tsi721_read32(peer, RIO_COMPONENT_TAG_CSR);
	uint32_t mark = tag ^ 0x5e1f7e57u, seen;
	bool found;

	tsi721_write32(peer, RIO_COMPONENT_TAG_CSR, mark);
	found = tsi721_maint_read(dev, peer->destid, RIO_HOP_ENDPOINT, RIO_COMPONENT_TAG_CSR,
				  &seen) == 0 && seen == mark;
	tsi721_write32(peer, RIO_COMPONENT_TAG_CSR, tag);
	return found;
}

/* --- block DMA --- */

static int
st_dma_wait(struct selftest *st, struct tsi721_bdma *q, unsigned int nb, int *status)
{
	void *cookies[ST_DESCS];
	unsigned int got = 0;

	st_start(st);
	tsi721_bdma_kick(q);
	while (got < nb) {
		got += tsi721_bdma_reap(q, &cookies[got], &status[got], nb - got);
		if (got < nb && !st_wait(st))
			return -ETIMEDOUT;
	}
	return 0;
}

/* Write len bytes from an odd place to an odd place, read them back, and look around them. */
static int
st_dma_block(struct selftest *st, struct tsi721_bdma *q, uint8_t rtype, uint32_t off, uint32_t len)
{
	struct tsi721_bdma_req req = {
		.raddr = ST_RADDR + off,
		.rtype = rtype,
		.destid = st->peer->destid,
	};
	/* In two segments, when there is something to divide. */
	uint32_t cut = len > 1 ? len / 3 + 1 : len;
	struct tsi721_bdma_seg segs[2] = {
		{ st->src_iova + 1, cut }, { st->src_iova + 1 + cut, len - cut },
	};
	struct tsi721_bdma_seg back = { st->dst_iova + 3, len };
	int status[2];

	st_fill(st, st->src, ST_SIZE);
	memset(st->win, 0xa5, ST_SIZE);
	memset(st->dst, 0x5a, ST_SIZE);
	if (tsi721_bdma_post(q, &req, segs, len > cut ? 2 : 1, NULL) != 0)
		ST_FAIL(st, "write of %u bytes was not taken", len);
	if (st_dma_wait(st, q, 1, status) != 0 || status[0] != 0)
		ST_FAIL(st, "write of %u bytes at 0x%x did not end well", len, off);
	req.rtype = TSI721_RTYPE_NREAD;
	if (tsi721_bdma_post(q, &req, &back, 1, NULL) != 0)
		ST_FAIL(st, "read of %u bytes was not taken", len);
	if (st_dma_wait(st, q, 1, status) != 0 || status[0] != 0)
		ST_FAIL(st, "read of %u bytes at 0x%x did not end well", len, off);

	if (memcmp(st->win + off, st->src + 1, len) != 0 ||
	    memcmp(st->dst + 3, st->src + 1, len) != 0)
		ST_FAIL(st, "%u bytes at 0x%x came out wrong", len, off);
	if ((off != 0 && st->win[off - 1] != 0xa5) || st->win[off + len] != 0xa5 ||
	    st->dst[2] != 0x5a || st->dst[3 + len] != 0x5a)
		ST_FAIL(st, "%u bytes at 0x%x: bytes beside them changed", len, off);
	return 0;
}

/* One operation of a burst fails; it is told which, and the others are done. */
static int
st_dma_error(struct selftest *st, struct tsi721_bdma *q)
{
	struct tsi721_bdma_req req = {
		.rtype = TSI721_RTYPE_ALL_NWRITE_R,
		.destid = st->peer->destid,
	};
	struct tsi721_bdma_seg seg = { .len = 256 };
	int status[5];
	uint32_t i;

	st_fill(st, st->src, ST_SIZE);
	memset(st->win, 0, ST_SIZE);
	for (i = 0; i < RTE_DIM(status); i++) {
		req.raddr = (i == 2 ? ST_RADDR_MISS : ST_RADDR) + i * 256;
		seg.iova = st->src_iova + i * 256;
		if (tsi721_bdma_post(q, &req, &seg, 1, NULL) != 0)
			ST_FAIL(st, "operation %u was not taken", i);
	}
	if (st_dma_wait(st, q, RTE_DIM(status), status) != 0)
		ST_FAIL(st, "a burst with an error in it did not end");
	for (i = 0; i < RTE_DIM(status); i++) {
		bool there = memcmp(st->win + i * 256, st->src + i * 256, 256) == 0;

		if ((status[i] == 0) != (i != 2) || there != (i != 2))
			ST_FAIL(st, "operation %u beside an error: status %d", i, status[i]);
	}
	return 0;
}

static int
st_dma(struct selftest *st, struct tsi721_bdma *q)
{
	static const uint32_t lens[] = { 1, 2, 7, 64, 255, 256, 257, 4096, 8191, ST_SIZE - 64 };
	unsigned int i, rtype;
	int ret = 0;

	for (rtype = TSI721_RTYPE_LAST_NWRITE_R; rtype <= TSI721_RTYPE_ALL_NWRITE_R; rtype++)
		for (i = 0; i < RTE_DIM(lens) && ret == 0; i++)
			ret = st_dma_block(st, q, (uint8_t)rtype, i * 3, lens[i]);
	/* More operations than the ring has descriptors, so that it goes round. */
	for (i = 0; i < ST_DESCS && ret == 0; i++)
		ret = st_dma_block(st, q, TSI721_RTYPE_ALL_NWRITE_R, i, 100 + i);
	return ret != 0 ? ret : st_dma_error(st, q);
}

static int
st_dma_all(struct selftest *st)
{
	struct tsi721_bdma *q;
	unsigned int ch;
	int win, ret = 0;

	win = tsi721_ibwin_open(st->peer, ST_RADDR, st->win_iova, ST_SIZE);
	if (win < 0)
		ST_FAIL(st, "no window: %s", strerror(-win));
	for (ch = 0; ch < TSI721_DMAC_MAINT && ret == 0; ch++) {
		if (!(st->dev->conf.dma_sel & 1u << ch))
			continue;
		ret = tsi721_bdma_open(st->dev, ch, ST_DESCS, st->dev->socket_id, &q);
		if (ret == 0) {
			ret = st_dma(st, q);
			tsi721_bdma_close(q, NULL, NULL);
		}
		if (ret != 0)
			TSI721_LOG(ERR, st->dev, "selftest: DMA channel %u failed", ch);
	}
	tsi721_ibwin_close(st->peer, (unsigned int)win);
	return ret;
}

/* --- doorbells --- */

static void
st_dbell_cb(void *arg, uint16_t src, uint16_t info)
{
	struct selftest *st = arg;

	if (src != st->dev->destid ||
	    info != ST_DBELL_FIRST + __atomic_load_n(&st->dbells, __ATOMIC_RELAXED))
		__atomic_fetch_add(&st->dbells_wrong, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&st->dbells, 1, __ATOMIC_RELEASE);
}

/* poll: this thread dispatches; else whoever the interrupt brings. */
static int
st_dbell_burst(struct selftest *st, bool poll)
{
	uint32_t i;

	__atomic_store_n(&st->dbells, 0, __ATOMIC_RELAXED);
	for (i = 0; i < ST_DBELLS; i++)
		tsi721_dbell_send(st->dev, st->peer->destid, (uint16_t)(ST_DBELL_FIRST + i));
	st_start(st);
	while (__atomic_load_n(&st->dbells, __ATOMIC_ACQUIRE) < ST_DBELLS) {
		if (poll)
			tsi721_dbell_poll(st->peer, ST_DBELLS);
		if (!st_wait(st))
			break;
	}
	if (__atomic_load_n(&st->dbells, __ATOMIC_ACQUIRE) != ST_DBELLS || st->dbells_wrong != 0)
		ST_FAIL(st, "%u doorbells sent, %s %u received, %u not as they should be",
			ST_DBELLS, poll ? "polled" : "by interrupt", st->dbells, st->dbells_wrong);
	return 0;
}

static int
st_dbell_all(struct selftest *st)
{
	uint16_t last = (uint16_t)(ST_DBELL_FIRST + ST_DBELLS - 1);
	int ret;

	ret = tsi721_dbell_request(st->peer, ST_DBELL_FIRST, last, st_dbell_cb, st);
	if (ret != 0)
		ST_FAIL(st, "no doorbell range: %s", strerror(-ret));
	ret = st_dbell_burst(st, true);
	if (ret == 0 && st->peer->intr_handle != NULL)
		ret = st_dbell_burst(st, false);
	tsi721_dbell_release(st->peer, ST_DBELL_FIRST, last);
	return ret;
}

/* --- messages --- */

/* Length of the i-th message of a round: both ends of what is allowed, and between. */
static unsigned int
st_msg_len(unsigned int round, unsigned int i)
{
	unsigned int units = TSI721_MSG_SIZE_MAX / TSI721_MSG_SIZE_UNIT;

	return ((round * ST_MSGS + i) * 61 % units + 1) * TSI721_MSG_SIZE_UNIT;
}

static int
st_msg_check(struct selftest *st, const struct tsi721_imsg_info *m, unsigned int mbox,
	     unsigned int round, unsigned int i)
{
	/* Messages overlap in memory: the content depends on where each begins. */
	const uint8_t *sent = st->src + i * 64;

	if (m->src != st->dev->destid || m->len != st_msg_len(round, i) || m->mbox != mbox ||
	    m->letter != i % TSI721_MSG_LETTER_NUM || memcmp(m->data, sent, m->len) != 0)
		ST_FAIL(st, "mailbox %u: message %u of %u bytes came as %u, letter %u, from 0x%x",
			mbox, i, st_msg_len(round, i), m->len, m->letter, m->src);
	return 0;
}

static int
st_msg_round(struct selftest *st, struct tsi721_omsg *out, struct tsi721_imsg *in,
	     unsigned int mbox, unsigned int round)
{
	struct tsi721_imsg_info info;
	unsigned int sent = 0, got = 0, i;
	int status, ret;
	void *cookie;

	for (i = 0; i < ST_MSGS; i++)
		if (tsi721_omsg_post(out, st->peer->destid, i % TSI721_MSG_LETTER_NUM,
				     st->src_iova + i * 64, st_msg_len(round, i),
				     (void *)(uintptr_t)i) != 0)
			ST_FAIL(st, "mailbox %u: message %u was not taken", mbox, i);
	tsi721_omsg_kick(out);

	st_start(st);
	while (sent < ST_MSGS || got < ST_MSGS) {
		if (tsi721_omsg_reap(out, &cookie, &status, 1) == 1) {
			if (status != 0 || cookie != (void *)(uintptr_t)sent)
				ST_FAIL(st, "mailbox %u: message %u ended with status %d", mbox,
					sent, status);
			sent++;
		}
		if (tsi721_imsg_poll(in, &info, 1) == 1) {
			ret = st_msg_check(st, &info, mbox, round, got);
			if (ret != 0)
				return ret;
			got++;
			tsi721_imsg_release(in, 1);
		}
		if ((sent < ST_MSGS || got < ST_MSGS) && !st_wait(st))
			ST_FAIL(st, "mailbox %u: of %u messages %u ended, %u arrived", mbox,
				ST_MSGS, sent, got);
	}
	return 0;
}

static int
st_msg_mbox(struct selftest *st, unsigned int mbox)
{
	struct tsi721_omsg *out = NULL;
	struct tsi721_imsg *in = NULL;
	unsigned int round;
	int ret;

	ret = tsi721_omsg_open(st->dev, mbox, ST_DESCS, st->dev->socket_id, &out);
	if (ret == 0)
		ret = tsi721_imsg_open(st->peer, mbox, ST_DESCS, st->peer->socket_id, &in);
	st_fill(st, st->src, ST_SIZE);
	for (round = 0; round < 16 && ret == 0; round++)
		ret = st_msg_round(st, out, in, mbox, round);
	tsi721_omsg_close(out, NULL, NULL);
	tsi721_imsg_close(in);
	return ret;
}

static int
st_msg_all(struct selftest *st)
{
	unsigned int mbox;
	int ret = 0;

	for (mbox = 0; mbox < TSI721_MSG_MBOX_NUM && ret == 0; mbox++)
		if (st->dev->conf.mbox_sel & st->peer->conf.mbox_sel & 1u << mbox)
			ret = st_msg_mbox(st, mbox);
	return ret;
}

/* --- all --- */

static int
st_memory(struct selftest *st)
{
	char name[RTE_MEMZONE_NAMESIZE];

	snprintf(name, sizeof(name), "tsi721_selftest%u", st->dev->rawdev->dev_id);
	st->mz = rte_memzone_reserve_aligned(name, 3 * ST_SIZE, st->dev->socket_id,
					     RTE_MEMZONE_IOVA_CONTIG, ST_SIZE);
	if (st->mz == NULL || st->mz->iova % ST_SIZE != 0) {
		TSI721_LOG(ERR, st->dev, "selftest: no memory of %u bytes", 3 * ST_SIZE);
		rte_memzone_free(st->mz);
		return -ENOMEM;
	}
	st->win = st->mz->addr;
	st->src = st->win + ST_SIZE;
	st->dst = st->src + ST_SIZE;
	st->win_iova = st->mz->iova;
	st->src_iova = st->win_iova + ST_SIZE;
	st->dst_iova = st->src_iova + ST_SIZE;
	return 0;
}

static int
st_run(struct selftest *st)
{
	int ret;

	st->dbells_wrong = 0;
	ret = st_maint(st);
	if (ret == 0)
		ret = st_dma_all(st);
	if (ret == 0)
		ret = st_dbell_all(st);
	if (ret == 0)
		ret = st_msg_all(st);
	return ret;
}

static bool
st_unused(const struct tsi721_rawdev *raw)
{
	return !tsi721_device_in_use(raw->dev) && !raw->dev->rawdev->started;
}

/* Whom the device can talk to, itself first. NULL: nobody, a line was logged. */
static struct tsi721_rawdev *
st_peer(struct tsi721_rawdev *raw)
{
	struct tsi721_link link;
	uint16_t id;

	tsi721_link_get(raw->dev, &link);
	if (!link.up) {
		TSI721_LOG(ERR, raw->dev, "selftest: the link is down");
		return NULL;
	}
	if (st_reaches(raw->dev, raw->dev))
		return raw;
	for (id = 0; id < RTE_RAWDEV_MAX_DEVS; id++) {
		struct tsi721_rawdev *peer = tsi721_rawdev_of(id);

		if (peer != NULL && peer != raw && st_unused(peer) &&
		    st_reaches(raw->dev, peer->dev) && st_reaches(peer->dev, raw->dev))
			return peer;
	}
	TSI721_LOG(ERR, raw->dev, "selftest: destination ID 0x%x does not lead back, and no unused "
		   "device of this process can be reached", raw->dev->destid);
	return NULL;
}

/* Counters stand after the test where they stood before it: these are their values then. */
static uint64_t *
st_xstats_keep(struct tsi721_rawdev *raw)
{
	unsigned int count = tsi721_xstats_count(raw->dev), i;
	uint64_t *values = calloc(count, sizeof(*values));

	for (i = 0; values != NULL && i < count; i++)
		tsi721_xstats_get(raw->dev->rawdev, &i, &values[i], 1);
	return values;
}

static void
st_xstats_restore(struct tsi721_rawdev *raw, uint64_t *values)
{
	unsigned int count = tsi721_xstats_count(raw->dev), i;
	uint64_t now;

	for (i = 0; values != NULL && i < count; i++) {
		tsi721_xstats_get(raw->dev->rawdev, &i, &now, 1);
		raw->xstats_base[i] += now - values[i];
	}
	free(values);
}

/* From one to the other, and, when they are two, back. */
static int
st_both(struct tsi721_rawdev *raw, struct tsi721_rawdev *peer)
{
	struct selftest st = { .dev = raw->dev, .peer = peer->dev, .seed = 1 };
	int ret = st_memory(&st);

	if (ret != 0)
		return ret;
	ret = st_run(&st);
	if (ret == 0 && peer != raw) {
		st.dev = peer->dev;
		st.peer = raw->dev;
		ret = st_run(&st);
	}
	rte_memzone_free(st.mz);
	return ret;
}

int
tsi721_selftest(uint16_t dev_id)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id), *peer;
	uint64_t *values, *peer_values;
	int ret;

	if (raw == NULL)
		return -ENODEV;
	if (!st_unused(raw)) {
		TSI721_LOG(ERR, raw->dev, "selftest: the device is in use");
		return -EBUSY;
	}
	values = st_xstats_keep(raw);
	peer = st_peer(raw);
	if (peer == NULL) {
		st_xstats_restore(raw, values);
		return -EIO;
	}
	peer_values = peer != raw ? st_xstats_keep(peer) : NULL;
	ret = st_both(raw, peer);
	st_xstats_restore(raw, values);
	st_xstats_restore(peer, peer_values);
	TSI721_LOG(INFO, raw->dev, "selftest with %s: %s",
		   peer != raw ? peer->dev->name : "itself", ret == 0 ? "passed" : "failed");
	return ret;
}
