/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include "drv_rig.h"
#include "tsi721_mbox.h"

#define COOKIE(n)	((void *)(uintptr_t)(n))
#define DESCS		32u
#define BUFS		(DESCS - 1)

/* Opened by each test: mailbox 0 from device 0 to device 1. */
static struct tsi721_omsg *out;
static struct tsi721_imsg *in;
static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	assert_int_equal(tsi721_omsg_open(a->dev, 0, DESCS, SOCKET_ID_ANY, &out), 0);
	assert_int_equal(tsi721_imsg_open(b->dev, 0, DESCS, SOCKET_ID_ANY, &in), 0);
	rig_fill(a->mem, RIG_MEM_SIZE, 1);
	return 0;
}

static int
teardown(void **state)
{
	rig_let(a);
	tsi721_omsg_close(out, NULL, NULL);
	tsi721_imsg_close(in);
	return rig_teardown(state);
}

static void
send(unsigned int from, unsigned int nb, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		assert_int_equal(tsi721_omsg_post(out, b->destid, i % 4, a->iova + from + i * 8,
						  len, COOKIE(i + 1)), 0);
	tsi721_omsg_kick(out);
}

static void
reap(unsigned int nb, const int *want)
{
	void *cookies[DESCS];
	int status[DESCS];
	unsigned int got = 0, tries = 0, i;

	while (got < nb && tries++ < 100000)
		got += tsi721_omsg_reap(out, &cookies[got], &status[got], DESCS - got);
	assert_int_equal(got, nb);
	for (i = 0; i < nb; i++) {
		assert_ptr_equal(cookies[i], COOKIE(i + 1));
		assert_int_equal(status[i], want != NULL ? want[i] : 0);
	}
	assert_int_equal(tsi721_omsg_reap(out, cookies, status, DESCS), 0);
}

/* Receive exactly nb messages of this length, sent from there; release them. */
static void
receive(unsigned int from, unsigned int nb, unsigned int len)
{
	struct tsi721_imsg_info info[DESCS];
	unsigned int i;

	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), nb);
	for (i = 0; i < nb; i++) {
		assert_int_equal(info[i].len, len);
		assert_int_equal(info[i].src, a->destid);
		assert_int_equal(info[i].letter, i % 4);
		assert_int_equal(info[i].mbox, 0);
		assert_int_equal(rte_mem_virt2iova(info[i].data), info[i].iova);
		assert_memory_equal(info[i].data, a->mem + from + i * 8, len);
	}
	tsi721_imsg_release(in, nb);
}

static void
lengths(void **state)
{
	static const unsigned int bad[] = { 0, 1, 7, 9, 4095, 4104, 8192, 1u << 16, UINT32_MAX };
	unsigned int len;
	size_t i;

	(void)state;
	for (len = 8; len <= 4096; len += 8) {
		send(len, 1, len);
		reap(1, NULL);
		receive(len, 1, len);
	}
	for (i = 0; i < RTE_DIM(bad); i++)
		assert_int_equal(tsi721_omsg_post(out, b->destid, 0, a->iova, bad[i], NULL),
				 -EINVAL);
	assert_int_equal(tsi721_omsg_post(out, 0x100, 0, a->iova, 8, NULL), -EINVAL);
	assert_int_equal(tsi721_omsg_post(out, b->destid, 4, a->iova, 8, NULL), -EINVAL);
	assert_int_equal(tsi721_omsg_free(out), DESCS);
}

static void
bursts(void **state)
{
	struct tsi721_msg_stats stats;
	unsigned int burst, round, total = 0;

	(void)state;
	for (round = 0; round < 20; round++)
		for (burst = 1; burst <= BUFS; burst++) {
			send(round, burst, 64);
			reap(burst, NULL);
			receive(round, burst, 64);
			/* An idle poll tells the device of what was released. */
			receive(round, 0, 0);
			total += burst;
		}
	tsi721_omsg_stats(out, &stats);
	assert_int_equal(stats.messages, total);
	assert_int_equal(stats.bytes, total * 64);
	assert_int_equal(stats.errors, 0);
	tsi721_imsg_stats(in, &stats);
	assert_int_equal(stats.messages, total);
	assert_int_equal(stats.bytes, total * 64);
	assert_int_equal(stats.errors, 0);
}

/* The way of a burst through registers: one tail write, no read. */
static void
registers(void **state)
{
	(void)state;
	rig_reads = rig_writes = 0;
	send(0, 8, 256);
	assert_int_equal(rig_writes, 1);
	reap(8, NULL);
	assert_int_equal(rig_writes, 1);
	rig_writes = 0;
	receive(0, 8, 256);
	/* Released: not more than told once. */
	assert_in_range(rig_writes, 0, 2);
	assert_int_equal(rig_reads, 0);
}

static void
peek_again(void **state)
{
	struct tsi721_imsg_info info[DESCS];
	unsigned int i;

	(void)state;
	send(0, 10, 8);
	reap(10, NULL);
	assert_int_equal(tsi721_imsg_poll(in, info, 4), 4);
	/* Not released: seen again, with those behind. */
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 10);
	for (i = 0; i < 10; i++)
		assert_memory_equal(info[i].data, a->mem + i * 8, 8);
	tsi721_imsg_release(in, 3);
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 7);
	for (i = 0; i < 7; i++)
		assert_memory_equal(info[i].data, a->mem + (i + 3) * 8, 8);
	/* More than there are releases what there is. */
	tsi721_imsg_release(in, 100);
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 0);
	send(0, BUFS, 8);
	reap(BUFS, NULL);
	receive(0, BUFS, 8);
}

/* A receiver that lags holds its sender up, and loses nothing. */
static void
slow_receiver(void **state)
{
	struct tsi721_imsg_info info[DESCS];
	void *cookies[DESCS];
	unsigned int sent = 0, ended = 0, got = 0, tries = 0, n, i;

	(void)state;
	while (got < 500) {
		assert_true(tries++ < 100000);
		while (sent < 500 &&
		       tsi721_omsg_post(out, b->destid, 0, a->iova + sent * 8, 8,
					COOKIE(sent)) == 0)
			sent++;
		tsi721_omsg_kick(out);
		n = tsi721_omsg_reap(out, cookies, NULL, DESCS);
		for (i = 0; i < n; i++)
			assert_ptr_equal(cookies[i], COOKIE(ended + i));
		ended += n;
		/* Only now and then, and only some. */
		if (tries % 7 != 0)
			continue;
		n = tsi721_imsg_poll(in, info, 5);
		for (i = 0; i < n; i++)
			assert_memory_equal(info[i].data, a->mem + (got + i) * 8, 8);
		got += n;
		tsi721_imsg_release(in, n);
	}
	while (ended < 500) {
		assert_true(tries++ < 200000);
		ended += tsi721_omsg_reap(out, cookies, NULL, DESCS);
	}
	assert_int_equal(ended, 500);
	assert_int_equal(tsi721_imsg_poll(in, info, 1), 0);
}

/* Nobody at the destination: that message alone ends with an error. */
static void
errors(void **state)
{
	struct tsi721_msg_stats stats;
	struct tsi721_imsg_info info[DESCS];
	void *cookies[8];
	int status[8];
	unsigned int begin, bad, i, got, tries;

	(void)state;
	for (begin = 0; begin < DESCS; begin++)
		for (bad = 0; bad < 4; bad++) {
			for (i = 0; i < 4; i++)
				assert_int_equal(tsi721_omsg_post(out,
						 i == bad ? 0x55 : b->destid, 0, a->iova + i * 8, 8,
						 COOKIE(i)), 0);
			tsi721_omsg_kick(out);
			for (got = 0, tries = 0; got < 4; assert_true(tries++ < 100000))
				/* One at a time, so that a status waits for being asked for. */
				got += tsi721_omsg_reap(out, &cookies[got], &status[got], 1);
			for (i = 0; i < 4; i++) {
				assert_ptr_equal(cookies[i], COOKIE(i));
				if (i == bad)
					assert_true(status[i] == -EIO || status[i] == -ETIMEDOUT);
				else
					assert_int_equal(status[i], 0);
			}
			assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 3);
			for (i = 0; i < 3; i++)
				assert_memory_equal(info[i].data, a->mem + (i + (i >= bad)) * 8, 8);
			tsi721_imsg_release(in, 3);
			send(0, 1, 8);
			reap(1, NULL);
			receive(0, 1, 8);
		}
	tsi721_omsg_stats(out, &stats);
	assert_int_equal(stats.errors, DESCS * 4);
	assert_int_equal(stats.messages, DESCS * 4 * 4);
	assert_int_equal(stats.bytes, DESCS * 4 * 4 * 8);
}

/*
 * A destination that takes nothing: what waits for it fails with the first, though it would be
 * taken by then, and what is for another one gets through.
 */
static void
stuck_destination(void **state)
{
	static const bool stuck[] = { true, false, true, true, false, true, true };
	void *cookies[RTE_DIM(stuck)];
	int status[RTE_DIM(stuck)];
	struct tsi721_msg_stats stats;
	struct tsi721_imsg_info info[4];
	struct tsi721_imsg *own;
	unsigned int i, got, n;

	(void)state;
	assert_int_equal(tsi721_imsg_open(a->dev, 0, DESCS, SOCKET_ID_ANY, &own), 0);
	tsi721_omsg_fail_together(out);
	send(0, BUFS, 8);
	reap(BUFS, NULL);
	for (i = 0; i < RTE_DIM(stuck); i++) {
		assert_int_equal(tsi721_omsg_post(out, stuck[i] ? b->destid : a->destid, 0,
						  a->iova + i * 8, 8, COOKIE(i)), 0);
		/* The last one is not even started. */
		if (i + 2 == RTE_DIM(stuck))
			tsi721_omsg_kick(out);
	}
	for (got = 0, i = 0; got == 0; assert_true(i++ < 100000)) {
		got = tsi721_omsg_reap(out, cookies, status, 1);
		rte_delay_us_sleep(got == 0 ? 100 : 0);
	}
	receive(0, BUFS, 8);
	tsi721_omsg_kick(out);
	for (i = 0; got < RTE_DIM(stuck); assert_true(i++ < 100000)) {
		n = tsi721_omsg_reap(out, &cookies[got], &status[got], 1);
		got += n;
		rte_delay_us_sleep(n == 0 ? 100 : 0);
	}
	for (i = 0; i < RTE_DIM(stuck); i++) {
		assert_ptr_equal(cookies[i], COOKIE(i));
		assert_int_equal(status[i], stuck[i] ? -ETIMEDOUT : 0);
	}
	assert_int_equal(tsi721_imsg_poll(own, info, RTE_DIM(info)), 2);
	assert_memory_equal(info[0].data, a->mem + 8, 8);
	assert_memory_equal(info[1].data, a->mem + 4 * 8, 8);
	tsi721_imsg_close(own);
	/* And the channel goes on. */
	send(0, 5, 8);
	reap(5, NULL);
	receive(0, 5, 8);
	tsi721_omsg_stats(out, &stats);
	assert_int_equal(stats.errors, 5);
	assert_int_equal(stats.messages, BUFS + 2 + 5);
	assert_int_equal(stats.bytes, (BUFS + 2 + 5) * 8);
}

static void
mailboxes(void **state)
{
	struct tsi721_omsg *o[4] = { out };
	struct tsi721_imsg *n[4] = { in };
	struct tsi721_imsg_info info;
	unsigned int mbox;
	void *cookie;

	(void)state;
	for (mbox = 1; mbox < 4; mbox++) {
		assert_int_equal(tsi721_omsg_open(a->dev, mbox, 64, SOCKET_ID_ANY, &o[mbox]), 0);
		assert_int_equal(tsi721_imsg_open(b->dev, mbox, 64, SOCKET_ID_ANY, &n[mbox]), 0);
	}
	for (mbox = 0; mbox < 4; mbox++) {
		assert_int_equal(tsi721_omsg_post(o[mbox], b->destid, 3 - mbox, a->iova + mbox * 16,
						  16, COOKIE(mbox)), 0);
		tsi721_omsg_kick(o[mbox]);
	}
	for (mbox = 0; mbox < 4; mbox++) {
		assert_int_equal(tsi721_omsg_reap(o[mbox], &cookie, NULL, 1), 1);
		assert_int_equal(tsi721_imsg_poll(n[mbox], &info, 1), 1);
		assert_int_equal(info.mbox, mbox);
		assert_int_equal(info.letter, 3 - mbox);
		assert_memory_equal(info.data, a->mem + mbox * 16, 16);
		tsi721_imsg_release(n[mbox], 1);
	}
	for (mbox = 1; mbox < 4; mbox++) {
		tsi721_omsg_close(o[mbox], NULL, NULL);
		tsi721_imsg_close(n[mbox]);
	}
}

/* A message whose memory is nowhere fails; the receiver sees nothing of it. */
static void
bad_memory(void **state)
{
	struct tsi721_imsg_info info;
	const int want[2] = { -EFAULT, 0 };

	(void)state;
	assert_int_equal(tsi721_omsg_post(out, b->destid, 0, 0x10, 8, COOKIE(1)), 0);
	assert_int_equal(tsi721_omsg_post(out, b->destid, 0, a->iova, 8, COOKIE(2)), 0);
	tsi721_omsg_kick(out);
	reap(2, want);
	assert_int_equal(tsi721_imsg_poll(in, &info, 1), 1);
	assert_memory_equal(info.data, a->mem, 8);
	tsi721_imsg_release(in, 1);
}

/* --- the test is the receiving device --- */

static struct tsi721_imsg_desc *
in_desc(unsigned int i)
{
	uint64_t base = tsi721_read32(b->dev, TSI721_IBDMAC_DQBL(4)) |
			(uint64_t)tsi721_read32(b->dev, TSI721_IBDMAC_DQBH(4)) << 32;

	return (struct tsi721_imsg_desc *)(uintptr_t)base + i;
}

static uint64_t
in_buf(unsigned int i)
{
	uint64_t base = tsi721_read32(b->dev, TSI721_IBDMAC_FQBL(4)) |
			(uint64_t)tsi721_read32(b->dev, TSI721_IBDMAC_FQBH(4)) << 32;

	return ((uint64_t *)(uintptr_t)base)[i];
}

static void
arrive(unsigned int i, uint64_t buf, uint32_t type_id, uint32_t msg_info)
{
	struct tsi721_imsg_desc *d = in_desc(i);

	d->type_id = type_id;
	d->bufptr_lo = (uint32_t)buf;
	d->bufptr_hi = (uint32_t)(buf >> 32);
	__atomic_store_n(&d->msg_info, msg_info, __ATOMIC_RELEASE);
}

#define TYPE		(TSI721_DTYPE_IMSG << TSI721_DTYPE_SHIFT | 7)
#define INFO		(TSI721_IMD_HO | 8)

static void
other_order(void **state)
{
	struct tsi721_imsg_info info[DESCS];
	static const unsigned int order[] = { 3, 0, 1, 2, 5, 4 };
	uint64_t buf[RTE_DIM(order)];
	unsigned int i;

	(void)state;
	rig_hold(b);
	for (i = 0; i < RTE_DIM(order); i++)
		buf[i] = in_buf(order[i]);
	for (i = 0; i < RTE_DIM(order); i++)
		arrive(i, buf[i], TYPE, INFO);
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), RTE_DIM(order));
	for (i = 0; i < RTE_DIM(order); i++) {
		assert_int_equal(info[i].iova, buf[i]);
		assert_ptr_equal(info[i].data, (void *)(uintptr_t)buf[i]);
		assert_int_equal(info[i].src, 7);
		assert_int_equal(info[i].len, 8);
	}
	/* They are given back in the order in which they came. */
	tsi721_imsg_release(in, RTE_DIM(order));
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 0);
	assert_int_equal(rig_held(TSI721_IBDMAC_DQRP(4)), RTE_DIM(order));
	assert_int_equal(rig_held(TSI721_IBDMAC_FQWP(4)), (BUFS + RTE_DIM(order)) % DESCS);
	for (i = 0; i < RTE_DIM(order); i++)
		assert_int_equal(in_buf((BUFS + i) % DESCS), buf[i]);
	rig_let(b);
}

static void
hostile_descriptors(void **state)
{
	const struct {
		uint64_t buf;
		uint32_t type_id, msg_info;
	} bad[] = {
		{ 0, TYPE, INFO },					/* address: nowhere */
		{ b->iova, TYPE, INFO },				/* memory, not a buffer */
		{ in_buf(1) + 8, TYPE, INFO },				/* inside a buffer */
		{ 0, TYPE, INFO },					/* of a polled one: below */
		{ in_buf(4), 4u << 29, INFO },				/* type */
		{ in_buf(5), TYPE, INFO | 1u << TSI721_IMD_MBOX_SHIFT },	/* mailbox */
		{ in_buf(6), TYPE, INFO | 1u << TSI721_IMD_XMBOX_SHIFT },
		{ in_buf(7), TYPE, INFO | 1u << 27 },			/* completion code */
		{ in_buf(8), TYPE | 0x100, INFO },			/* 9 bits of source */
	};
	struct tsi721_imsg_info info[DESCS];
	struct tsi721_msg_stats stats;
	unsigned int i, n = RTE_DIM(bad), k;
	uint32_t seen = 0;

	(void)state;
	rig_hold(b);
	for (i = 0; i < n; i++)
		arrive(i, i == 3 ? in_buf(0) : bad[i].buf, bad[i].type_id, bad[i].msg_info);
	/* A good one between them and behind. */
	arrive(n, in_buf(n), TYPE, INFO);
	arrive(n + 1, in_buf(n + 1), TYPE | 0x100, INFO);
	arrive(n + 2, in_buf(n + 2), TYPE, TSI721_IMD_HO);	/* a count of 0 is 4096 */

	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 2);
	assert_int_equal(info[0].iova, in_buf(n));
	assert_int_equal(info[1].iova, in_buf(n + 2));
	assert_int_equal(info[1].len, 4096);
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 2);
	tsi721_imsg_stats(in, &stats);
	assert_int_equal(stats.messages, 2);
	assert_int_equal(stats.errors, n + 1);
	tsi721_imsg_release(in, 1);
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 1);
	assert_int_equal(info[0].iova, in_buf(n + 2));
	tsi721_imsg_release(in, 1);
	assert_int_equal(tsi721_imsg_poll(in, info, DESCS), 0);

	/* No buffer was lost, none is there twice. */
	assert_int_equal(rig_held(TSI721_IBDMAC_FQWP(4)), (BUFS + n + 3) % DESCS);
	for (i = 0; i < BUFS; i++) {
		uint64_t buf = in_buf((n + 3 + i) % DESCS);

		for (k = 0; k < i; k++)
			assert_int_not_equal(buf, in_buf((n + 3 + k) % DESCS));
		seen++;
	}
	assert_int_equal(seen, BUFS);
	rig_let(b);
}

/* Descriptors that claim to be there without end are not followed past the buffers. */
static void
endless_descriptors(void **state)
{
	struct tsi721_imsg_info info[3 * DESCS];
	unsigned int i;

	(void)state;
	rig_hold(b);
	for (i = 0; i < DESCS; i++)
		arrive(i, in_buf(i % BUFS), TYPE, INFO);
	assert_int_equal(tsi721_imsg_poll(in, info, 3 * DESCS), BUFS);
	rig_let(b);
}

static void
count_cookie(void *cookie, void *arg)
{
	uint64_t *seen = arg;

	*seen |= 1ull << (uintptr_t)cookie;
}

static void
open_and_close(void **state)
{
	static const unsigned int bad_desc[] = { 0, 16, 48, 65536 };
	struct tsi721_omsg *o;
	struct tsi721_imsg *n;
	uint64_t seen = 0;
	void *blocks[300];
	size_t nb = 0, i;

	(void)state;
	assert_int_equal(tsi721_omsg_open(a->dev, 0, 32, SOCKET_ID_ANY, &o), -EBUSY);
	assert_int_equal(tsi721_imsg_open(b->dev, 0, 32, SOCKET_ID_ANY, &n), -EBUSY);
	assert_int_equal(tsi721_omsg_open(a->dev, 4, 32, SOCKET_ID_ANY, &o), -ENODEV);
	assert_int_equal(tsi721_imsg_open(b->dev, 4, 32, SOCKET_ID_ANY, &n), -ENODEV);
	a->dev->conf.mbox_sel = 1;
	assert_int_equal(tsi721_omsg_open(a->dev, 1, 32, SOCKET_ID_ANY, &o), -ENODEV);
	assert_int_equal(tsi721_imsg_open(a->dev, 1, 32, SOCKET_ID_ANY, &n), -ENODEV);
	a->dev->conf.mbox_sel = 0xf;
	for (i = 0; i < RTE_DIM(bad_desc); i++) {
		rig_log_lines();
		assert_int_equal(tsi721_omsg_open(a->dev, 1, bad_desc[i], SOCKET_ID_ANY, &o),
				 -EINVAL);
		assert_int_equal(tsi721_imsg_open(a->dev, 1, bad_desc[i], SOCKET_ID_ANY, &n),
				 -EINVAL);
		assert_int_equal(rig_log_lines(), 2);
		assert_non_null(strstr(rig_log_last(), "32 to 32768"));
	}
	while ((blocks[nb] = rte_malloc(NULL, 1 << 20, 0)) != NULL)
		assert_true(++nb < RTE_DIM(blocks));
	assert_int_equal(tsi721_omsg_open(a->dev, 1, 32768, SOCKET_ID_ANY, &o), -ENOMEM);
	assert_int_equal(tsi721_imsg_open(a->dev, 1, 32768, SOCKET_ID_ANY, &n), -ENOMEM);
	while (nb > 0)
		rte_free(blocks[--nb]);
	assert_int_equal(tsi721_omsg_open(a->dev, 1, 32768, SOCKET_ID_ANY, &o), 0);
	assert_int_equal(tsi721_imsg_open(a->dev, 1, 32768, SOCKET_ID_ANY, &n), 0);
	tsi721_imsg_close(n);
	/* A closed mailbox gives back what was posted. */
	assert_int_equal(tsi721_omsg_post(o, b->destid, 0, a->iova, 8, COOKIE(1)), 0);
	assert_int_equal(tsi721_omsg_post(o, b->destid, 0, a->iova, 8, COOKIE(2)), 0);
	tsi721_omsg_kick(o);
	assert_int_equal(tsi721_omsg_post(o, b->destid, 0, a->iova, 8, COOKIE(3)), 0);
	tsi721_omsg_close(o, count_cookie, &seen);
	assert_int_equal(seen, 1 << 1 | 1 << 2 | 1 << 3);
}

static void
full_ring(void **state)
{
	struct tsi721_msg_stats stats;
	unsigned int i;

	(void)state;
	for (i = 0; i < DESCS; i++)
		assert_int_equal(tsi721_omsg_post(out, b->destid, i % 4, a->iova + i * 8, 8,
						  COOKIE(i + 1)), 0);
	assert_int_equal(tsi721_omsg_free(out), 0);
	assert_int_equal(tsi721_omsg_post(out, b->destid, 0, a->iova, 8, NULL), -ENOSPC);
	tsi721_omsg_stats(out, &stats);
	assert_int_equal(stats.full, 1);
}

/* A ring full of messages to a station that is gone: each failure is found at the next poll. */
static void
dead_station(void **state)
{
	void *cookies[DESCS];
	int status[DESCS];
	unsigned int i, got = 0, polls = 0;

	(void)state;
	for (i = 0; i < DESCS; i++)
		assert_int_equal(tsi721_omsg_post(out, i == DESCS - 1 ? b->destid : 0x55, 0, a->iova,
						  8, COOKIE(i)), 0);
	tsi721_omsg_kick(out);
	for (; got < DESCS; polls++) {
		assert_true(polls < 2 * DESCS);
		got += tsi721_omsg_reap(out, &cookies[got], &status[got], DESCS - got);
	}
	for (i = 0; i < DESCS; i++) {
		assert_ptr_equal(cookies[i], COOKIE(i));
		assert_int_equal(status[i] != 0, i != DESCS - 1);
	}
	receive(0, 1, 8);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lengths), TEST(bursts), TEST(registers), TEST(peek_again),
		TEST(slow_receiver), TEST(errors), TEST(stuck_destination), TEST(mailboxes),
		TEST(bad_memory),
		TEST(other_order), TEST(hostile_descriptors), TEST(endless_descriptors),
		TEST(open_and_close), TEST(full_ring), TEST(dead_station),
	};

	return cmocka_run_group_tests_name("drv_msg", tests, rig_eal, NULL);
}
