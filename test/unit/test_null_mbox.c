/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Messages: both directions' channels, RETRY, what goes wrong, what a dead sender leaves behind. */

#include <endian.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "null_rig.h"

#define DEAD_OWNER	200u	/* a process slot that nobody has */

/* Where things are in a device's memory. */
#define OUT_RING	0x000000u	/* 0x4000 an outbound channel */
#define OUT_FIFO	0x040000u
#define OUT_DATA	0x080000u	/* 4 KiB a descriptor */
#define IN_FREE		0x200000u
#define IN_DESC		0x210000u
#define IN_BUFS		0x280000u
#define CHAN_STRIDE	0x4000u

/* ---- a small driver ---- */

struct out {
	struct rig_dev *d;
	uint32_t ch, nb;		/* message descriptors; a link follows */
	uint32_t slot, wr;
	struct tsi721_omsg_desc *ring;
	_Atomic uint64_t *fifo;
	uint32_t lines, line;		/* read next */
};

static uint32_t
out_reg(struct out *o, uint32_t base)
{
	return rig_rd(o->d, base + o->ch * 0x1000);
}

static void
out_set(struct out *o, uint32_t base, uint32_t val)
{
	rig_wr(o->d, base + o->ch * 0x1000, val);
}

static uint64_t
out_iova(struct out *o, uint32_t slot)
{
	return o->d->iova + OUT_RING + o->ch * CHAN_STRIDE + slot * TSI721_OMSG_DESC_SIZE;
}

static void
out_open(struct out *o, struct rig_dev *d, uint32_t ch, uint32_t nb, uint32_t dssz)
{
	uint64_t ring = d->iova + OUT_RING + ch * CHAN_STRIDE;
	uint64_t fifo = d->iova + OUT_FIFO + ch * CHAN_STRIDE;

	*o = (struct out){ .d = d, .ch = ch, .nb = nb, .lines = 16u << dssz };
	o->ring = (void *)(d->mem + OUT_RING + ch * CHAN_STRIDE);
	o->fifo = (void *)(d->mem + OUT_FIFO + ch * CHAN_STRIDE);
	memset(o->ring, 0, (nb + 1) * sizeof(*o->ring));
	memset(d->mem + OUT_FIFO + ch * CHAN_STRIDE, 0, o->lines * 64);
	o->ring[nb].type_id = htole32(TSI721_DTYPE_OMSG_LINK << TSI721_DTYPE_SHIFT);
	o->ring[nb].bufptr_lo = htole32((uint32_t)ring);
	o->ring[nb].bufptr_hi = htole32((uint32_t)(ring >> 32));
	out_set(o, TSI721_OBDMAC_DPTRH(0), (uint32_t)(ring >> 32));
	out_set(o, TSI721_OBDMAC_DPTRL(0), (uint32_t)ring);
	out_set(o, TSI721_OBDMAC_DSBH(0), (uint32_t)(fifo >> 32));
	out_set(o, TSI721_OBDMAC_DSBL(0), (uint32_t)fifo);
	out_set(o, TSI721_OBDMAC_DSSZ(0), dssz);
	out_set(o, TSI721_OBDMAC_INT(0), TSI721_OBDMAC_INT_ALL);
	out_set(o, TSI721_OBDMAC_CTL(0), TSI721_OBDMAC_CTL_RETRY_THR | TSI721_OBDMAC_CTL_INIT);
}

/* Stage one; data_off is in the device's memory. */
static struct tsi721_omsg_desc *
out_post(struct out *o, uint32_t destid, uint32_t mbox, uint32_t data_off, uint32_t len)
{
	struct tsi721_omsg_desc *desc = &o->ring[o->slot];
	uint64_t iova = o->d->iova + data_off;

	desc->type_id = htole32(TSI721_DTYPE_OMSG << TSI721_DTYPE_SHIFT | destid);
	desc->msg_info = htole32(mbox << TSI721_OMD_MBOX_SHIFT |
				 TSI721_MSG_SSIZE_256 << TSI721_OMD_SSIZE_SHIFT |
				 (len & TSI721_OMD_BCOUNT));
	desc->bufptr_lo = htole32((uint32_t)iova);
	desc->bufptr_hi = htole32((uint32_t)(iova >> 32));
	o->wr++;
	if (++o->slot == o->nb) {
		o->slot = 0;
		o->wr++;	/* the link */
	}
	return desc;
}

static void
out_kick(struct out *o)
{
	out_set(o, TSI721_OBDMAC_DWRCNT(0), o->wr);
}

static void
out_send(struct out *o, uint32_t destid, uint32_t mbox, uint32_t seed, uint32_t len)
{
	uint32_t off = OUT_DATA + o->slot % 32 * 0x1000;

	rig_fill(o->d->mem + off, len, seed);
	out_post(o, destid, mbox, off, len);
	out_kick(o);
}

/* As a driver reaps: clears slots, closed lines are passed. Number of descriptors. */
static uint32_t
out_reap(struct out *o, uint64_t *last)
{
	uint32_t n = 0, i;

	for (; atomic_load(&o->fifo[o->line * 8]) != 0; o->line = (o->line + 1) % o->lines)
		for (i = 0; i < 8; i++) {
			uint64_t v = atomic_exchange(&o->fifo[o->line * 8 + i], 0);

			if (v == 0)
				break;
			if (last != NULL)
				*last = le64toh(v);
			n++;
		}
	out_set(o, TSI721_OBDMAC_DSRP(0), o->line);
	return n;
}

static uint32_t
out_causes(struct out *o)
{
	uint32_t c = out_reg(o, TSI721_OBDMAC_INT(0));

	out_set(o, TSI721_OBDMAC_INT(0), c);
	return c;
}

static uint32_t
out_abort_code(struct out *o)
{
	uint32_t sts = out_reg(o, TSI721_OBDMAC_STS(0));

	assert_int_equal(sts & TSI721_OBDMAC_STS_RUN, 0);
	if ((sts & TSI721_OBDMAC_STS_ABORT) == 0)
		return 0;
	return (sts & TSI721_OBDMAC_STS_CS) >> TSI721_OBDMAC_STS_CS_SHIFT;
}

/* Back to work after an abort, at the slot that comes next. */
static void
out_restart(struct out *o)
{
	out_set(o, TSI721_OBDMAC_INT(0), TSI721_OBDMAC_INT_ALL);
	out_set(o, TSI721_OBDMAC_CTL(0), TSI721_OBDMAC_CTL_RETRY_THR | TSI721_OBDMAC_CTL_INIT);
	out_set(o, TSI721_OBDMAC_DRDCNT(0), o->slot);
	o->wr = o->slot;
	memset((void *)(uintptr_t)o->fifo, 0, o->lines * 64);
	o->line = 0;
}

struct in {
	struct rig_dev *d;
	uint32_t ch, nb, code;
	uint32_t rp, wp;		/* of descriptors, of free buffers */
	uint64_t *fq;
	uint8_t *dq;
};

static uint32_t
in_reg(struct in *in, uint32_t base)
{
	return rig_rd(in->d, base + in->ch * 0x1000);
}

static void
in_set(struct in *in, uint32_t base, uint32_t val)
{
	rig_wr(in->d, base + in->ch * 0x1000, val);
}

static uint64_t
in_buf_iova(struct in *in, uint32_t i)
{
	return in->d->iova + IN_BUFS + i * 0x1000;
}

/* A mailbox of 16 << code buffers, one less of them posted. */
static void
in_open(struct in *in, struct rig_dev *d, uint32_t mbox, uint32_t code)
{
	uint64_t fq, dq;
	uint32_t i;

	*in = (struct in){ .d = d, .ch = TSI721_IMSG_CHAN(mbox), .nb = 16u << code, .code = code };
	in->fq = (void *)(d->mem + IN_FREE + mbox * CHAN_STRIDE);
	in->dq = d->mem + IN_DESC + mbox * CHAN_STRIDE * 4;
	fq = d->iova + IN_FREE + mbox * CHAN_STRIDE;
	dq = d->iova + IN_DESC + mbox * CHAN_STRIDE * 4;
	for (i = 0; i < in->nb; i++)
		in->fq[i] = htole64(in_buf_iova(in, i));
	rig_wr(d, TSI721_IB_DEVID, TSI721_IB_DEVID_GLOBAL);
	in_set(in, TSI721_IBDMAC_FQBH(0), (uint32_t)(fq >> 32));
	in_set(in, TSI721_IBDMAC_FQBL(0), (uint32_t)fq);
	in_set(in, TSI721_IBDMAC_FQSZ(0), code);
	in_set(in, TSI721_IBDMAC_DQBH(0), (uint32_t)(dq >> 32));
	in_set(in, TSI721_IBDMAC_DQBL(0), (uint32_t)dq);
	in_set(in, TSI721_IBDMAC_DQSZ(0), code);
	in_set(in, TSI721_IBDMAC_INT(0), TSI721_IBDMAC_INT_ALL);
	memset(in->dq, 0, in->nb * TSI721_IMSG_DESC_SIZE);
	in_set(in, TSI721_IBDMAC_CTL(0), TSI721_IBDMAC_CTL_INIT);
	in->wp = in->nb - 1;
	in_set(in, TSI721_IBDMAC_FQWP(0), in->wp);
}

static const struct tsi721_imsg_desc *
in_desc(struct in *in, uint32_t i)
{
	return (const void *)(in->dq + (i % in->nb) * TSI721_IMSG_DESC_SIZE);
}

static bool
in_pending(struct in *in)
{
	return (le32toh(in_desc(in, in->rp)->msg_info) & TSI721_IMD_HO) != 0;
}

static uint8_t *
desc_buf(struct in *in, const struct tsi721_imsg_desc *desc)
{
	uint64_t iova = (uint64_t)le32toh(desc->bufptr_hi) << 32 | le32toh(desc->bufptr_lo);

	assert_true(iova >= in->d->iova + IN_BUFS && iova < in->d->iova + RIG_MEM_SIZE);
	return in->d->mem + (iova - in->d->iova);
}

/* Take one as Linux does: HO cleared, DQRP moved, the buffer posted again. */
static void
in_take(struct in *in)
{
	struct tsi721_imsg_desc *desc = (void *)(in->dq + in->rp * TSI721_IMSG_DESC_SIZE);

	assert_true(in_pending(in));
	desc->msg_info &= ~htole32(TSI721_IMD_HO);
	in->rp = (in->rp + 1) % in->nb;
	in_set(in, TSI721_IBDMAC_DQRP(0), in->rp);
	in->fq[in->wp] = htole64((uint64_t)le32toh(desc->bufptr_hi) << 32 |
				 le32toh(desc->bufptr_lo));
	in->wp = (in->wp + 1) % in->nb;
	in_set(in, TSI721_IBDMAC_FQWP(0), in->wp);
}

static void
in_expect(struct in *in, uint32_t src, uint32_t seed, uint32_t len)
{
	const struct tsi721_imsg_desc *desc = in_desc(in, in->rp);

	assert_true(in_pending(in));
	assert_int_equal(le32toh(desc->type_id) >> TSI721_DTYPE_SHIFT, TSI721_DTYPE_IMSG);
	assert_int_equal(le32toh(desc->type_id) & TSI721_IMD_DEVID, src);
	assert_int_equal(le32toh(desc->msg_info) & TSI721_IMD_BCOUNT, len & TSI721_IMD_BCOUNT);
	assert_int_equal(le32toh(desc->msg_info) & TSI721_IMD_CS, 0);
	assert_true(rig_is_filled(desc_buf(in, desc), len, seed));
	in_take(in);
}

static uint32_t
in_causes(struct in *in)
{
	uint32_t c = in_reg(in, TSI721_IBDMAC_INT(0));

	in_set(in, TSI721_IBDMAC_INT(0), c);
	return c;
}

/* ---- what works ---- */

static void
one_message(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 1);
	rig_msix_on(&rig->d[0]);
	rig_msix_on(&rig->d[1]);
	out_set(&o, TSI721_OBDMAC_INTE(0), TSI721_OBDMAC_INT_ALL);
	in_set(&in, TSI721_IBDMAC_INTE(0), TSI721_IBDMAC_INT_ALL);

	out_send(&o, rig->d[1].destid, 0, 1, 64);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 1);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 1);
	assert_true(rig_is_zero(desc_buf(&in, in_desc(&in, 0)) + 64, 4096 - 64));
	in_expect(&in, rig->d[0].destid, 1, 64);
	assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_DQ_RCV);
	assert_int_equal(rig->d[1].irqs, 1);
	assert_int_equal(rig->d[1].irq[0].vector, TSI721_MSIX_IMSG_DQ_RCV(4));

	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 1);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), 0);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DSWP(0)), 1);
	assert_int_equal(atomic_load(&o.fifo[0]), htole64(out_iova(&o, 0)));
	assert_true(rig_is_zero((uint8_t *)(uintptr_t)&o.fifo[1], 56));
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE);
	assert_int_equal(rig->d[0].irqs, 1);
	assert_int_equal(rig->d[0].irq[0].vector, TSI721_MSIX_OMSG_DONE(0));

	assert_int_equal(rig_stat(&rig->d[0], NULL_STAT_OMSG_SENT), 1);
	assert_int_equal(rig_stat(&rig->d[0], NULL_STAT_OMSG_BYTES), 64);
	assert_int_equal(rig_stat(&rig->d[1], NULL_STAT_IMSG_RECEIVED), 1);
}

static void
every_length(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;
	uint32_t len;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 1);
	for (len = 8; len <= 4096; len += 8) {
		uint64_t iova = le64toh(in.fq[in_reg(&in, TSI721_IBDMAC_FQRP(0))]);
		uint8_t *buf = rig->d[1].mem + (iova - rig->d[1].iova);

		memset(buf, 0x5a, 0x1000);
		out_send(&o, rig->d[1].destid, 0, len, len);
		assert_ptr_equal(desc_buf(&in, in_desc(&in, in.rp)), buf);
		if (len < 4096) {
			assert_int_equal(buf[len], 0x5a);
			assert_memory_equal(buf + len, buf + len + 1, 4096 - len - 1);
		}
		in_expect(&in, rig->d[0].destid, len, len);
		assert_int_equal(out_reap(&o, NULL), len / 8 % 32 == 0 ? 2 : 1);
	}
}

/* Fields that travel: priority, CRF, tt, letter; mailbox m arrives on channel m + 4. */
static void
fields(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in[4];
	uint32_t ch, mbox, i, w0, w1;

	for (mbox = 0; mbox < 4; mbox++)
		in_open(&in[mbox], b, mbox, 1);
	for (ch = 0; ch < TSI721_OMSG_NUM; ch++) {
		out_open(&o, a, ch, 32, 2);
		for (i = 0; i < 16; i++) {
			struct tsi721_omsg_desc *desc;

			mbox = i % 4;
			desc = out_post(&o, b->destid, mbox, OUT_DATA, 16);
			desc->type_id |= htole32(TSI721_OMD_CRF | (i % 4) << TSI721_OMD_PRIO_SHIFT);
			desc->msg_info |= htole32((i / 4) << TSI721_OMD_LETTER_SHIFT);
			out_kick(&o);
			assert_true(in_pending(&in[mbox]));
			w0 = le32toh(in_desc(&in[mbox], in[mbox].rp)->type_id);
			w1 = le32toh(in_desc(&in[mbox], in[mbox].rp)->msg_info);
			assert_int_equal(w0 & TSI721_IMD_CRF, TSI721_IMD_CRF);
			assert_int_equal((w0 & TSI721_IMD_PRIO) >> TSI721_IMD_PRIO_SHIFT, i % 4);
			assert_int_equal(w0 & TSI721_IMD_TT, 0);
			assert_int_equal((w1 & TSI721_IMD_LETTER) >> TSI721_IMD_LETTER_SHIFT,
					 i / 4);
			assert_int_equal(w1 & TSI721_IMD_MBOX, mbox << TSI721_IMD_MBOX_SHIFT);
			assert_int_equal(w1 & TSI721_IMD_XMBOX, 0);
			assert_int_equal(w1 & TSI721_IMD_SSIZE, 0xe000);
			in_take(&in[mbox]);
		}
	}
}

static void
to_oneself(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	struct out o;
	struct in in;

	out_open(&o, a, 0, 32, 2);
	in_open(&in, a, 0, 1);
	out_send(&o, a->destid, 0, 3, 4096);
	in_expect(&in, a->destid, 3, 4096);
	/* From the very buffer that it arrives in. */
	rig_fill(a->mem + IN_BUFS + 0x1000, 256, 9);
	out_post(&o, a->destid, 0, IN_BUFS + 0x1000 - 8, 256);
	out_kick(&o);
	assert_true(in_pending(&in));
	assert_true(rig_is_filled(a->mem + IN_BUFS + 0x1008, 248, 9));
}

/* Bursts over the link at the ring's end; lines of 8, closed when a burst ends. */
static void
bursts(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;
	uint32_t round, n, i, descs, sent = 0, got = 0;
	uint64_t last = 0;

	out_open(&o, &rig->d[0], 2, 32, 2);
	in_open(&in, &rig->d[1], 2, 2);
	for (round = 0; round < 200; round++) {
		uint32_t before = o.wr, line = out_reg(&o, TSI721_OBDMAC_DSWP(0));

		n = 1 + round % 31;
		for (i = 0; i < n; i++) {
			uint32_t off = OUT_DATA + o.slot * 0x1000;

			rig_fill(rig->d[0].mem + off, 24, sent);
			out_post(&o, rig->d[1].destid, 2, off, 24);
			sent++;
		}
		out_kick(&o);
		descs = o.wr - before;
		assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE);
		assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), o.wr);
		assert_int_equal((out_reg(&o, TSI721_OBDMAC_DSWP(0)) - line) % o.lines,
				 (descs + 7) / 8);
		assert_int_equal(out_reap(&o, &last), descs);
		assert_int_equal(last, out_iova(&o, o.slot == 0 ? o.nb : o.slot - 1));
		while (got < sent) {
			in_expect(&in, rig->d[0].destid, got, 24);
			got++;
		}
	}
}

/* As Linux runs a mailbox pair: 512 entries, 511 buffers, one message a kick. */
static void
linux_ring(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;
	uint32_t i, sent = 0, got = 0;

	out_open(&o, &rig->d[0], 0, 256, 3);
	in_open(&in, &rig->d[1], 0, 4);	/* 256 */
	for (i = 0; i < 255; i++) {
		out_send(&o, rig->d[1].destid, 0, sent++, 8);
		if (i % 64 == 63)
			assert_int_equal(out_reap(&o, NULL), 64);
	}
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 255);
	out_send(&o, rig->d[1].destid, 0, sent++, 8);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 255);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 255);
	while (in_pending(&in))
		in_expect(&in, rig->d[0].destid, got++, 8);
	assert_int_equal(got, 256);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 257);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), 0);
}

static void
interrupt_on_finish(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 1);
	out_post(&o, rig->d[1].destid, 0, OUT_DATA, 8);
	out_post(&o, rig->d[1].destid, 0, OUT_DATA, 8)->type_id |= htole32(TSI721_OMD_IOF);
	out_post(&o, rig->d[1].destid, 0, OUT_DATA, 8);
	out_kick(&o);
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE | TSI721_OBDMAC_INT_IOF_DONE);
	/* Its line was published for it. */
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DSWP(0)), 2);
	assert_int_equal(out_reap(&o, NULL), 3);
}

static void
fifo_full(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 64, 0);	/* 16 lines */
	in_open(&in, &rig->d[1], 0, 3);
	for (i = 0; i < 15; i++)
		out_send(&o, rig->d[1].destid, 0, i, 8);
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE);
	out_send(&o, rig->d[1].destid, 0, i++, 8);
	out_send(&o, rig->d[1].destid, 0, i++, 8);
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_ST_FULL);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 15);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	assert_int_equal(out_reap(&o, NULL), 15);	/* its DSRP write goes on */
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 17);
	assert_int_equal(out_reap(&o, NULL), 2);
	for (i = 0; i < 17; i++)
		in_expect(&in, rig->d[0].destid, i, 8);
}

/* ---- what fails ---- */

static void
bad_descriptors(void **state)
{
	static const struct { uint32_t w0, w1; } bad[] = {
		{ 0u << 29, 0xe008 }, { 1u << 29, 0xe008 }, { 2u << 29, 0xe008 },
		{ 3u << 29, 0xe008 }, { 6u << 29, 0xe008 }, { 7u << 29, 0xe008 },
		{ 4u << 29, 2u << TSI721_OMD_TT_SHIFT | 0xe008 },
		{ 4u << 29, 3u << TSI721_OMD_TT_SHIFT | 0xe008 },
		{ 4u << 29, 0x0008 }, { 4u << 29, 0x8008 }, { 4u << 29, 0xf008 },
		{ 4u << 29, 0x9000 },		/* 4096 bytes are more than 16 segments of 8 */
		{ 4u << 29, 0xd000 }, { 4u << 29, 0x9088 },
	};
	struct rig *rig = *state;
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 1);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct tsi721_omsg_desc *desc;
		uint64_t last = 0;
		uint32_t slot = o.slot;

		rig_fill(rig->d[0].mem + OUT_DATA, 16, i);
		out_post(&o, rig->d[1].destid, 0, OUT_DATA, 16);
		desc = out_post(&o, rig->d[1].destid, 0, OUT_DATA, 16);
		desc->type_id = htole32(bad[i].w0 | rig->d[1].destid);
		desc->msg_info = htole32(bad[i].w1);
		out_post(&o, rig->d[1].destid, 0, OUT_DATA, 16);
		out_kick(&o);
		/* The one before it went, the one behind did not, and no DONE. */
		assert_int_equal(out_abort_code(&o), NULL_ABORT_DESC);
		assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_ERROR);
		assert_int_equal(out_reap(&o, &last), 1);
		assert_int_equal(last, out_iova(&o, slot));
		in_expect(&in, rig->d[0].destid, i, 16);
		assert_false(in_pending(&in));
		/* Nothing runs before INIT. */
		out_kick(&o);
		out_set(&o, TSI721_OBDMAC_DWRCNT(0), o.wr + 1);
		assert_int_equal(out_abort_code(&o), NULL_ABORT_DESC);
		assert_false(in_pending(&in));
		out_restart(&o);
		assert_int_equal(out_abort_code(&o), 0);
		assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), o.slot);
		assert_int_equal(out_reg(&o, TSI721_OBDMAC_CTL(0)), TSI721_OBDMAC_CTL_RETRY_THR);
	}
	assert_int_equal(rig_stat(&rig->d[0], NULL_STAT_OMSG_ERRORS), i);
	/* All legal segment sizes are. */
	for (i = 9; i <= 14; i++) {
		out_post(&o, rig->d[1].destid, 0, OUT_DATA, 128)->msg_info =
			htole32(i << TSI721_OMD_SSIZE_SHIFT | 128);
		out_kick(&o);
		assert_int_equal(out_abort_code(&o), 0);
		in_take(&in);
	}
}

/* A link's four lowest bits, and what it has beside its address, mean nothing; nor do PRIO and CRF. */
static void
ignored_bits(void **state)
{
	struct rig *rig = *state;
	struct tsi721_omsg_desc *desc;
	struct out o;
	struct in in;
	uint32_t i, lo;

	out_open(&o, &rig->d[0], 0, 4, 2);
	in_open(&in, &rig->d[1], 0, 1);
	lo = le32toh(o.ring[4].bufptr_lo);
	for (i = 0; i < 64; i++) {
		o.ring[4].bufptr_lo = htole32(lo | i % 16);
		o.ring[4].type_id = htole32(TSI721_DTYPE_OMSG_LINK << TSI721_DTYPE_SHIFT |
					    (i % 2 != 0 ? ~TSI721_OMD_DTYPE : 0));
		o.ring[4].msg_info = htole32(i % 2 != 0 ? 0xffffffff : 0);
		rig_fill(rig->d[0].mem + OUT_DATA, 16, i);
		desc = out_post(&o, rig->d[1].destid, 0, OUT_DATA, 16);
		desc->type_id |= htole32((i % 4) << TSI721_OMD_PRIO_SHIFT |
					 (i / 4 % 2 != 0 ? TSI721_OMD_CRF : 0));
		out_kick(&o);
		assert_int_equal(out_abort_code(&o), 0);
		in_expect(&in, rig->d[0].destid, i, 16);
		out_reap(&o, NULL);
	}
}

static void
abort_restart(struct out *o, uint32_t code)
{
	assert_int_equal(out_abort_code(o), code);
	assert_int_equal(out_causes(o) & ~TSI721_OBDMAC_INT_DONE, TSI721_OBDMAC_INT_ERROR);
	out_restart(o);
}

static void
bad_own_memory(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	struct out o;
	struct in in;

	out_open(&o, a, 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 1);
	/* Data that is not there, or not all of it. */
	out_post(&o, 1, 0, OUT_DATA, 16)->bufptr_hi = htole32(0x99);
	out_kick(&o);
	abort_restart(&o, NULL_ABORT_PCI);
	out_post(&o, 1, 0, RIG_MEM_SIZE - 8, 16);
	out_kick(&o);
	abort_restart(&o, NULL_ABORT_PCI);
	/* Descriptors. */
	out_set(&o, TSI721_OBDMAC_DPTRH(0), 0x99);
	out_set(&o, TSI721_OBDMAC_DWRCNT(0), o.slot + 1);
	assert_int_equal(out_abort_code(&o), NULL_ABORT_PCI);
	/* Status FIFO: nothing is sent that could not be reported. */
	out_open(&o, a, 0, 32, 2);
	out_set(&o, TSI721_OBDMAC_DSBH(0), 0x99);
	out_send(&o, 1, 0, 1, 16);
	assert_int_equal(out_abort_code(&o), NULL_ABORT_PCI);
	assert_false(in_pending(&in));
	/* Bus mastering off. */
	out_open(&o, a, 0, 32, 2);
	rig_master(a, false);
	out_send(&o, 1, 0, 1, 16);
	assert_int_equal(out_abort_code(&o), NULL_ABORT_PCI);
	rig_master(a, true);
	out_restart(&o);
	out_send(&o, 1, 0, 1, 16);
	assert_int_equal(out_abort_code(&o), 0);
	in_expect(&in, a->destid, 1, 16);
	assert_true(rig_stat(a, NULL_STAT_DMA_FAULTS) >= 5);
}

static void
bad_target_memory(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 32, 2);
	for (i = 0; i < 5; i++) {
		in_open(&in, b, 0, 1);
		in_set(&in, TSI721_IBDMAC_INTE(0), TSI721_IBDMAC_INT_ALL);
		if (i == 0)
			in.fq[0] = htole64(0x12345678000ull);
		if (i == 1)
			in_set(&in, TSI721_IBDMAC_FQBH(0), 0x99);
		if (i == 2)
			in_set(&in, TSI721_IBDMAC_DQBH(0), 0x99);
		if (i == 3)
			in.fq[0] = htole64(b->iova + RIG_MEM_SIZE - 56);
		if (i == 4)
			rig_master(b, false);
		out_send(&o, b->destid, 0, i, 64);
		abort_restart(&o, NULL_ABORT_ERROR);
		assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_PC_ERROR);
		assert_int_equal(in_reg(&in, TSI721_IBDMAC_STS(0)),
				 TSI721_IBDMAC_STS_ABORT | NULL_ABORT_PCI << 16);
		assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 0);
		/* Until an INIT it takes nothing. */
		rig_master(b, true);
		in_set(&in, TSI721_IBDMAC_STS(0), 0);
		assert_int_equal(in_reg(&in, TSI721_IBDMAC_STS(0)), 0);
		out_send(&o, b->destid, 0, i, 64);
		abort_restart(&o, NULL_ABORT_ERROR);
	}
	in_open(&in, b, 0, 1);
	out_send(&o, b->destid, 0, 77, 64);
	in_expect(&in, rig->d[0].destid, 77, 64);
	assert_true(rig_stat(b, NULL_STAT_DMA_FAULTS) >= 5);
}

/* Queues that are not in one piece in the target's memory. */
static void
scattered_queues(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct out o;
	struct in in;
	uint64_t dq, fq;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, b, 0, 1);
	/* Both stick out at the end of memory: what is there, works. */
	dq = b->iova + RIG_MEM_SIZE - 4 * TSI721_IMSG_DESC_SIZE;
	fq = b->iova + RIG_MEM_SIZE - 0x1000;
	memcpy(b->mem + (fq - b->iova), in.fq, in.nb * 8);
	in_set(&in, TSI721_IBDMAC_FQBH(0), (uint32_t)(fq >> 32));
	in_set(&in, TSI721_IBDMAC_FQBL(0), (uint32_t)fq);
	in_set(&in, TSI721_IBDMAC_DQBH(0), (uint32_t)(dq >> 32));
	in_set(&in, TSI721_IBDMAC_DQBL(0), (uint32_t)dq);
	in.dq = b->mem + (dq - b->iova);
	for (i = 0; i < 4; i++) {
		out_send(&o, b->destid, 0, i, 8);
		in_expect(&in, rig->d[0].destid, i, 8);
	}
	out_send(&o, b->destid, 0, i, 8);
	abort_restart(&o, NULL_ABORT_ERROR);
	assert_int_equal(in_causes(&in) & TSI721_IBDMAC_INT_PC_ERROR, TSI721_IBDMAC_INT_PC_ERROR);
}

static void
nobody_takes_it(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t x;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, b, 1, 1);
	/* A mailbox that nobody opened, extended mailboxes. */
	out_send(&o, b->destid, 0, 1, 8);
	abort_restart(&o, NULL_ABORT_ERROR);
	for (x = 1; x < 16; x++) {
		out_post(&o, b->destid, 1, OUT_DATA, 8)->msg_info |=
			htole32(x << TSI721_OMD_XMBOX_SHIFT);
		out_kick(&o);
		abort_restart(&o, NULL_ABORT_ERROR);
	}
	/* An ID that the messaging engine does not listen to. */
	rig_wr(b, TSI721_IB_DEVID, b->destid + 1);
	out_send(&o, b->destid, 1, 1, 8);
	abort_restart(&o, NULL_ABORT_ERROR);
	rig_wr(b, TSI721_IB_DEVID, b->destid);
	out_send(&o, b->destid, 1, 2, 8);
	in_expect(&in, rig->d[0].destid, 2, 8);
	/* Nobody there, nobody there any more. */
	out_send(&o, 99, 1, 1, 8);
	abort_restart(&o, NULL_ABORT_TIMEOUT);
	rig_wr(b, TSI721_DEVCTL, 0);
	out_send(&o, b->destid, 1, 1, 8);
	abort_restart(&o, NULL_ABORT_TIMEOUT);
	rig_wr(b, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	out_send(&o, b->destid, 1, 3, 8);
	in_expect(&in, rig->d[0].destid, 3, 8);
	assert_false(in_pending(&in));
}

/* ---- RETRY ---- */

static void
no_buffer(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, a, 0, 64, 2);
	in_open(&in, b, 0, 0);	/* 16: 15 buffers */
	for (i = 0; i < 20; i++) {
		rig_fill(a->mem + OUT_DATA + i * 0x1000, 16, i);
		out_post(&o, b->destid, 0, OUT_DATA + i * 0x1000, 16);
	}
	out_kick(&o);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 15);
	assert_int_equal(out_causes(&o), 0);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	/* What went is reported; what waits is the head. */
	assert_int_equal(out_reap(&o, NULL), 15);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 15);
	assert_true(rig_rd(b, TSI721_RETRY_GEN_CNT) > 0);
	assert_true(rig_rd(a, TSI721_RETRY_RX_CNT) > 0);
	assert_true(rig_stat(a, NULL_STAT_OMSG_RETRIES) > 0);

	/* Descriptors read, but no buffer posted: still no room. */
	for (i = 0; i < 15; i++)
		in_set(&in, TSI721_IBDMAC_DQRP(0), i + 1);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 15);
	in_set(&in, TSI721_IBDMAC_DQRP(0), 0);
	/* The receiver's posting runs it, without the sender. */
	in_expect(&in, a->destid, 0, 16);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 0);
	for (i = 1; i < 20; i++)
		in_expect(&in, a->destid, i, 16);
	assert_false(in_pending(&in));
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE);
	assert_int_equal(out_reap(&o, NULL), 5);
}

static void
no_descriptor(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, a, 0, 64, 2);
	in_open(&in, b, 0, 2);	/* 64 buffers */
	in_set(&in, TSI721_IBDMAC_DQSZ(0), 0);
	in_set(&in, TSI721_IBDMAC_CTL(0), TSI721_IBDMAC_CTL_INIT);
	in_set(&in, TSI721_IBDMAC_FQWP(0), 63);
	for (i = 0; i < 20; i++)
		out_send(&o, b->destid, 0, i, 16);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 15);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 15);
	in_set(&in, TSI721_IBDMAC_DQRP(0), 3);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 2);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 18);
	in_set(&in, TSI721_IBDMAC_DQRP(0), 6);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), 20);
}

static void
free_queue_low(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 64, 2);
	in_open(&in, b, 0, 0);
	rig_msix_on(b);
	in_set(&in, TSI721_IBDMAC_INTE(0), TSI721_IBDMAC_INT_FQ_LOW);
	in_set(&in, TSI721_IBDMAC_FQTH(0), 4);
	for (i = 0; i < 11; i++)	/* 4 are left */
		out_send(&o, b->destid, 0, i, 8);
	assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_DQ_RCV);
	assert_int_equal(b->irqs, 0);
	out_send(&o, b->destid, 0, i, 8);
	assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_DQ_RCV | TSI721_IBDMAC_INT_FQ_LOW);
	assert_int_equal(b->irqs, 1);
	assert_int_equal(b->irq[0].vector, TSI721_MSIX_IMSG_INT(4));
	/* Without a threshold there is no such cause, not even when none is left. */
	in_set(&in, TSI721_IBDMAC_FQTH(0), 0);
	for (i = 0; i < 4; i++)
		out_send(&o, b->destid, 0, i, 8);
	assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_DQ_RCV);
}

static void
given_up(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, a, 0, 32, 2);
	in_open(&in, b, 0, 0);
	rig_wr(a, TSI721_RQRPTO, 0xff000014);	/* 20 ms; 24 bits */
	assert_int_equal(rig_rd(a, TSI721_RQRPTO), 20);
	for (i = 0; i < 17; i++)
		out_send(&o, b->destid, 0, i, 8);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	usleep(30000);
	/* Judged at the sender's next access. */
	rig_rd(a, TSI721_DEVCTL);
	assert_int_equal(out_reap(&o, NULL), 15);
	abort_restart(&o, NULL_ABORT_TIMEOUT);
	/* The time counts for one message, from its first RETRY. */
	out_send(&o, b->destid, 0, 40, 8);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	for (i = 0; i < 15; i++)
		in_expect(&in, a->destid, i, 8);
	in_expect(&in, a->destid, 40, 8);
	/* 0: never. */
	rig_wr(a, TSI721_RQRPTO, 0);
	for (i = 0; i < 16; i++)
		out_send(&o, b->destid, 0, i, 8);
	usleep(30000);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	for (i = 0; i < 16; i++)
		in_expect(&in, a->destid, i, 8);
}

static void
suspended(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in;

	out_open(&o, a, 0, 32, 2);
	in_open(&in, b, 0, 1);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_STS(0)), TSI721_IBDMAC_STS_RUN);
	in_set(&in, TSI721_IBDMAC_CTL(0), TSI721_IBDMAC_CTL_SUSPEND);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_STS(0)), 0);
	assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_SUSPENDED);
	out_send(&o, b->destid, 0, 1, 8);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	in_set(&in, TSI721_IBDMAC_CTL(0), 0);
	in_expect(&in, a->destid, 1, 8);

	out_causes(&o);
	out_set(&o, TSI721_OBDMAC_CTL(0), TSI721_OBDMAC_CTL_SUSPEND);
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_SUSPENDED);
	out_send(&o, b->destid, 0, 2, 8);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), 0);
	assert_false(in_pending(&in));
	assert_int_equal(out_causes(&o), 0);
	out_set(&o, TSI721_OBDMAC_CTL(0), 0);
	in_expect(&in, a->destid, 2, 8);
	assert_int_equal(out_causes(&o), TSI721_OBDMAC_INT_DONE);
}

/* A head that waits at one target holds up what is behind it, and nothing else. */
static void
head_of_line(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	struct out o, other;
	struct in in1, in2;
	uint32_t i;

	out_open(&o, a, 0, 32, 2);
	out_open(&other, a, 1, 32, 2);
	in_open(&in1, &rig->d[1], 0, 0);
	in_open(&in2, &rig->d[2], 0, 1);
	for (i = 0; i < 16; i++)
		out_send(&o, rig->d[1].destid, 0, i, 8);
	out_send(&o, rig->d[2].destid, 0, 100, 8);
	assert_false(in_pending(&in2));
	out_send(&other, rig->d[2].destid, 0, 200, 8);
	in_expect(&in2, a->destid, 200, 8);
	in_expect(&in1, a->destid, 0, 8);
	in_expect(&in2, a->destid, 100, 8);
}

/* Who finds the channel's lock taken is run by who releases it next, not by its own driver. */
static void
lock_taken(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *to = &rig->d[2];
	struct null_lock *lock;
	struct out o[2];
	struct in in;

	out_open(&o[0], &rig->d[0], 0, 32, 2);
	out_open(&o[1], &rig->d[1], 0, 32, 2);
	in_open(&in, to, 0, 1);
	lock = &to->dev->chip->imsg[in.ch].lock;
	assert_true(null_lock_once(to->dev->fab, lock));
	out_send(&o[0], to->destid, 0, 1, 8);
	out_send(&o[0], to->destid, 0, 2, 8);
	assert_false(in_pending(&in));
	null_lock_release(to->dev->fab, lock);
	out_send(&o[1], to->destid, 0, 3, 8);
	in_expect(&in, rig->d[1].destid, 3, 8);
	in_expect(&in, rig->d[0].destid, 1, 8);
	in_expect(&in, rig->d[0].destid, 2, 8);
	assert_int_equal(out_causes(&o[0]), TSI721_OBDMAC_INT_DONE);
}

static void
target_goes_away(void **state)
{
	struct rig *rig = *state;
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 0);
	for (i = 0; i < 17; i++)
		out_send(&o, rig->d[1].destid, 0, i, 8);
	rig_wr(&rig->d[1], TSI721_DEVCTL, 0);
	rig_rd(&rig->d[0], TSI721_DEVCTL);
	assert_int_equal(out_abort_code(&o), NULL_ABORT_TIMEOUT);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 15);
}

/* DRDCNT says where to go on, unless the channel is at work. */
static void
drdcnt(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, a, 0, 32, 2);
	in_open(&in, b, 0, 0);
	for (i = 0; i < 32; i++) {
		rig_fill(a->mem + OUT_DATA + i * 0x1000, 8, i);
		out_post(&o, b->destid, 0, OUT_DATA + i * 0x1000, 8);
	}
	out_set(&o, TSI721_OBDMAC_DRDCNT(0), 20);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 20);
	/* Not by itself, even though DWRCNT differs; not at an access either. */
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_STS(0)), 0);
	assert_false(in_pending(&in));
	out_set(&o, TSI721_OBDMAC_DWRCNT(0), 22);
	in_expect(&in, a->destid, 20, 8);
	in_expect(&in, a->destid, 21, 8);
	/* At work: 16 and more messages into 15 buffers. */
	out_set(&o, TSI721_OBDMAC_DRDCNT(0), 0);
	out_set(&o, TSI721_OBDMAC_DWRCNT(0), 20);
	out_set(&o, TSI721_OBDMAC_DRDCNT(0), 3);
	assert_int_equal(out_reg(&o, TSI721_OBDMAC_DRDCNT(0)), 15);
	for (i = 0; i < 20; i++)
		in_expect(&in, a->destid, i, 8);
	assert_false(in_pending(&in));
}

static void
intset(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	uint32_t ch;

	rig_msix_on(a);
	for (ch = 0; ch < TSI721_OMSG_NUM; ch++) {
		rig_wr(a, TSI721_OBDMAC_INTE(ch), 0xffffffff);
		assert_int_equal(rig_rd(a, TSI721_OBDMAC_INTE(ch)), TSI721_OBDMAC_INT_ALL);
		rig_wr(a, TSI721_IBDMAC_INTE(ch), 0xffffffff);
		assert_int_equal(rig_rd(a, TSI721_IBDMAC_INTE(ch)), TSI721_IBDMAC_INT_ALL);
		rig_irqs_forget(a);
		rig_wr(a, TSI721_OBDMAC_INTSET(ch), 0xffffffff);
		assert_int_equal(rig_rd(a, TSI721_OBDMAC_INT(ch)), TSI721_OBDMAC_INT_ALL);
		rig_wr(a, TSI721_IBDMAC_INTSET(ch), 0xffffffff);
		assert_int_equal(rig_rd(a, TSI721_IBDMAC_INT(ch)), TSI721_IBDMAC_INT_ALL);
		assert_int_equal(a->irqs, 4);
		assert_int_equal(a->irq[0].vector, TSI721_MSIX_OMSG_DONE(ch));
		assert_int_equal(a->irq[1].vector, TSI721_MSIX_OMSG_INT(ch));
		assert_int_equal(a->irq[2].vector, TSI721_MSIX_IMSG_DQ_RCV(ch));
		assert_int_equal(a->irq[3].vector, TSI721_MSIX_IMSG_INT(ch));
		assert_int_equal(rig_rd(a, TSI721_DEV_CHAN_INT),
				 TSI721_INT_OMSG_CHAN(ch) | TSI721_INT_IMSG_CHAN(ch));
		rig_wr(a, TSI721_OBDMAC_INT(ch), 0xffffffff);
		rig_wr(a, TSI721_IBDMAC_INT(ch), 0xffffffff);
		assert_int_equal(rig_rd(a, TSI721_DEV_CHAN_INT), 0);
	}
	rig_irqs_forget(a);
	rig_wr(a, TSI721_SMSG_INTE, 0xffffffff);
	rig_wr(a, TSI721_SMSG_INTSET, 0xffffffff);
	assert_int_equal(rig_rd(a, TSI721_SMSG_INT), TSI721_SMSG_INT_MASK);
	assert_int_equal(a->irq[0].vector, TSI721_MSIX_MSG_INT);
	assert_int_equal(rig_rd(a, TSI721_DEV_INT), TSI721_DEV_INT_SMSG_NCH);
	rig_wr(a, TSI721_SMSG_INT, 0xffffffff);
	assert_int_equal(rig_rd(a, TSI721_DEV_INT), 0);
}

/* ---- a sender dies ---- */

static void
die_in_lock(struct in *in, uint32_t undo)
{
	struct null_imsg_ch *ch = &in->d->dev->chip->imsg[in->ch];

	atomic_store(&ch->count, atomic_load(&ch->count) - undo);
	atomic_store(&ch->lock.word, DEAD_OWNER);
}

/* At every place of several laps, taken or not, whatever an earlier life left in memory. */
static void
dies_anywhere(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i, n = 0, life;

	out_open(&o, a, 0, 32, 3);
	for (life = 0; life < 3; life++) {
		in_open(&in, b, 0, 0);
		for (i = 0; i < 5 * 16 + life * 5; i++) {
			uint32_t at = i % 16;

			/* Before it published: the slot is used by the next. */
			die_in_lock(&in, 0);
			out_send(&o, b->destid, 0, ++n, 16);
			assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), (at + 1) % 16);
			/* After it published: the next moves on, even if the driver has it. */
			die_in_lock(&in, 1);
			if (n % 3 == 0)
				in_expect(&in, a->destid, n, 16);
			if (n % 2 == 0)
				null_imsg_sweep(b->dev->fab, b->dev->ep);
			out_send(&o, b->destid, 0, ++n, 24);
			i++;
			assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), (at + 2) % 16);
			assert_int_equal(in_reg(&in, TSI721_IBDMAC_FQRP(0)), (at + 2) % 16);
			if ((n - 1) % 3 != 0)
				in_expect(&in, a->destid, n - 1, 16);
			in_expect(&in, a->destid, n, 24);
			assert_false(in_pending(&in));
			out_reap(&o, NULL);
		}
	}
}

/* What an earlier life of the queue left in memory was not published in this one. */
static void
earlier_life(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct out o;
	struct in in;
	uint32_t i;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, b, 0, 1);
	for (i = 0; i < 3; i++)
		out_send(&o, b->destid, 0, i, 8);
	in_set(&in, TSI721_IBDMAC_CTL(0), TSI721_IBDMAC_CTL_INIT);
	in_set(&in, TSI721_IBDMAC_FQWP(0), in.wp);
	die_in_lock(&in, 0);
	null_imsg_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 0);
	die_in_lock(&in, 0);
	out_send(&o, b->destid, 0, 7, 8);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 1);
	in_expect(&in, rig->d[0].destid, 7, 8);
}

static void
sweep_raises(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct out o;
	struct in in;

	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, b, 0, 1);
	rig_msix_on(b);
	in_set(&in, TSI721_IBDMAC_INTE(0), TSI721_IBDMAC_INT_ALL);
	out_send(&o, b->destid, 0, 1, 8);
	die_in_lock(&in, 1);
	in_causes(&in);
	rig_irqs_forget(b);
	null_imsg_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(b->irqs, 1);
	assert_int_equal(in_causes(&in), TSI721_IBDMAC_INT_DQ_RCV);
	assert_int_equal(in_reg(&in, TSI721_IBDMAC_DQWP(0)), 1);
	in_expect(&in, rig->d[0].destid, 1, 8);
	null_imsg_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(in_causes(&in), 0);
}

/* ---- at once ---- */

#define PER_SENDER	6000u
#define NB_SENDERS	3u

struct sender {
	struct rig_dev *from, *to;
	uint32_t ch, id;
	pthread_t thread;
};

static void *
send_many(void *arg)
{
	struct sender *s = arg;
	uint32_t sent = 0, done = 0, i, n;
	struct out o;

	out_open(&o, s->from, s->ch, 32, 3);
	while (done < PER_SENDER) {
		for (n = 0; n < 7 && sent < PER_SENDER && sent - done < 31; n++, sent++) {
			uint32_t off = OUT_DATA + (s->ch * 32 + o.slot) * 0x1000;
			uint32_t *p = (void *)(s->from->mem + off);

			for (i = 0; i < 16; i++)
				p[i] = s->id << 24 | sent;
			out_post(&o, s->to->destid, 0, off, 64);
		}
		if (n > 0)
			out_kick(&o);
		done = out_reg(&o, TSI721_OBDMAC_DRDCNT(0));
		done -= done / 33;	/* links */
		out_reap(&o, NULL);
		sched_yield();
	}
	return NULL;
}

static void
many_at_once(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *to = &rig->d[2];
	struct sender s[NB_SENDERS] = {
		{ .from = &rig->d[0], .to = to, .ch = 0, .id = 0 },
		{ .from = &rig->d[1], .to = to, .ch = 3, .id = 1 },
		{ .from = &rig->d[0], .to = to, .ch = 1, .id = 2 },
	};
	uint32_t i, k, got[NB_SENDERS] = { 0 };
	struct in in;

	in_open(&in, to, 0, 1);
	for (i = 0; i < NB_SENDERS; i++)
		assert_int_equal(pthread_create(&s[i].thread, NULL, send_many, &s[i]), 0);
	for (i = 0; i < NB_SENDERS * PER_SENDER; i++) {
		uint64_t *words = (void *)(in.dq + in.rp * TSI721_IMSG_DESC_SIZE);
		const uint32_t *p;
		uint32_t id;

		while ((__atomic_load_n(words, __ATOMIC_ACQUIRE) >> 32 & TSI721_IMD_HO) == 0)
			sched_yield();
		p = (const void *)desc_buf(&in, in_desc(&in, in.rp));
		id = p[0] >> 24;
		assert_true(id < NB_SENDERS);
		for (k = 0; k < 16; k++)
			assert_int_equal(p[k], id << 24 | got[id]);
		got[id]++;
		in_take(&in);
	}
	for (i = 0; i < NB_SENDERS; i++)
		pthread_join(s[i].thread, NULL);
	assert_false(in_pending(&in));
	assert_int_equal(rig_stat(to, NULL_STAT_IMSG_RECEIVED), NB_SENDERS * PER_SENDER);
}

static void
many_at_once_by_thread(void **state)
{
	struct rig *rig = rig_open_exec(3, NULL_EXEC_THREAD);
	void *arg = rig;

	(void)state;
	many_at_once(&arg);
	rig_close(rig);
}

/* ---- anything goes in ---- */

static uint32_t
rnd(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 7 ^ *seed << 13;
}

/* A value as a driver gone wild would write: valid now and then. */
static uint32_t
wild(struct rig_dev *d, uint32_t *seed)
{
	switch (rnd(seed) % 8) {
	case 0:
		return (uint32_t)(d->iova >> 32);
	case 1:
	case 2:
		return rnd(seed) % RIG_MEM_SIZE;
	case 3:
		return RIG_MEM_SIZE - rnd(seed) % 128;
	case 4:
	case 5:
		return rnd(seed) % 32;
	case 6:
		return UINT32_MAX - rnd(seed) % 16;
	default:
		return rnd(seed);
	}
}

/*
 * Registers, descriptors and queues hold anything. Memory ends at a page that
 * faults, other memory is not to change, and an INIT makes all well again.
 */
static void
wild_values(void **state)
{
	struct rig *rig = *state;
	uint32_t seed = 12345, i, k;
	struct out o;
	struct in in;

	rig_fill(rig->d[2].mem, RIG_MEM_SIZE, 6);
	for (i = 0; i < 20000; i++) {
		struct rig_dev *d = &rig->d[rnd(&seed) % 2];
		uint32_t base = TSI721_MSG_BASE(rnd(&seed) % 8);
		uint32_t *words = (void *)d->mem;

		if (i % 50 == 0) {
			out_open(&o, &rig->d[0], rnd(&seed) % 8, 32, 2);
			in_open(&in, &rig->d[1], rnd(&seed) % 4, rnd(&seed) % 4);
		}
		switch (rnd(&seed) % 4) {
		case 0:
			rig_wr(d, base + rnd(&seed) % 0xd6 * 4, wild(d, &seed));
			break;
		case 1:
			words[rnd(&seed) % (RIG_MEM_SIZE / 4)] = wild(d, &seed);
			break;
		case 2:
			for (k = 0; k < 4; k++)
				((uint32_t *)(void *)&o.ring[rnd(&seed) % 33])[k] =
					k == 0 ? rnd(&seed) % 8 << 29 | 1 : wild(d, &seed);
			break;
		default:
			rig_wr(d, base, rig_rd(d, base + 4) + rnd(&seed) % 64);
			break;
		}
	}
	assert_true(rig_is_filled(rig->d[2].mem, RIG_MEM_SIZE, 6));
	for (i = 0; i < 2; i++)
		memset(rig->d[i].mem, 0, RIG_MEM_SIZE);
	rig_wr(&rig->d[0], TSI721_RQRPTO, 0);
	out_open(&o, &rig->d[0], 0, 32, 2);
	in_open(&in, &rig->d[1], 0, 1);
	in_set(&in, TSI721_IBDMAC_FQTH(0), 0);
	out_send(&o, rig->d[1].destid, 0, 3, 4096);
	in_expect(&in, rig->d[0].destid, 3, 4096);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_message, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(every_length, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(fields, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(to_oneself, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(bursts, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(linux_ring, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(interrupt_on_finish, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(fifo_full, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(bad_descriptors, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(ignored_bits, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(bad_own_memory, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(bad_target_memory, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(scattered_queues, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(nobody_takes_it, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(no_buffer, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(no_descriptor, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(free_queue_low, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(given_up, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(suspended, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(head_of_line, rig_setup3, rig_teardown),
		cmocka_unit_test_setup_teardown(lock_taken, rig_setup3, rig_teardown),
		cmocka_unit_test_setup_teardown(target_goes_away, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(drdcnt, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(intset, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(dies_anywhere, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(earlier_life, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(sweep_raises, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(many_at_once, rig_setup3, rig_teardown),
		cmocka_unit_test(many_at_once_by_thread),
		cmocka_unit_test_setup_teardown(wild_values, rig_setup3, rig_teardown),
	};

	return cmocka_run_group_tests_name("null_mbox", tests, NULL, NULL);
}
