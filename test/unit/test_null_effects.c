/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What registers do beyond keeping what was written: each row of the register table that
 * has a handler is named in the table below, with what is to be seen of it, for each
 * register of the row. A row that is new is missed.
 */

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "null_rig_fabric.h"

#define RING	0x00000u
#define FIFO	0x08000u
#define QUEUE	0x10000u
#define DESCQ	0x20000u
#define BUFS	0x40000u
#define SRC	0x100000u
#define WIN	0x200000u
#define SHOWN	0x80000000ull	/* RapidIO address */

static struct rig_dev *a, *b;

static uint32_t
rd(uint32_t off)
{
	return rig_rd(a, off);
}

static void
wr(uint32_t off, uint32_t val)
{
	rig_wr(a, off, val);
}

/* ---- CARs and CSRs, the port ---- */

static void
did(uint32_t i)
{
	(void)i;
	wr(RIO_DID_CSR, 0x00120345);
	assert_int_equal(null_source_id(a->dev->chip, TSI721_TT_8), 0x12);
	assert_int_equal(null_source_id(a->dev->chip, TSI721_TT_16), 0x0345);
	wr(RIO_DID_CSR, a->destid << RIO_DID_8_SHIFT);
}

static void
host_lock(uint32_t i)
{
	(void)i;
	wr(RIO_HOST_DID_LOCK_CSR, 5);
	wr(RIO_HOST_DID_LOCK_CSR, 6);
	assert_int_equal(rd(RIO_HOST_DID_LOCK_CSR), 5);
	wr(RIO_HOST_DID_LOCK_CSR, 5);
	assert_int_equal(rd(RIO_HOST_DID_LOCK_CSR), 0xffff);
}

static void
link_request(uint32_t i)
{
	const uint32_t req = TSI721_SP_BASE + 0x40, rsp = TSI721_SP_BASE + 0x44;

	(void)i;
	wr(req, 0);
	assert_int_equal(rd(rsp), 0);
	wr(req, 4);	/* input status */
	assert_int_equal(rd(rsp) >> 31, 1);
	assert_int_equal(rd(rsp) >> 31, 0);
}

static void
port(uint32_t i)
{
	struct null_link *link = &a->dev->fab->sh->links[atomic_load(&a->dev->chip->link)];
	const struct null_fault lanes = { .kind = NULL_FAULT_LANES, .arg = 0xe };
	const struct null_fault none = { .kind = NULL_FAULT_LANES, .arg = 0 };
	const uint32_t ctl2 = TSI721_SP_BASE + RIO_PORT_N_CTL2_CSR(0);
	const uint32_t sts = TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0);
	const uint32_t ctl = TSI721_SP_BASE + RIO_PORT_N_CTL_CSR(0);
	uint32_t mbaud = link->mbaud;

	(void)i;
	assert_int_equal(rd(sts), RIO_PORT_N_ERR_STS_PORT_OK);
	link->mbaud = 2500;
	assert_int_equal(rd(ctl2) >> 28, 2);
	link->mbaud = mbaud;
	assert_int_equal(rd(ctl) & RIO_PORT_N_CTL_IPW, 2u << RIO_PORT_N_CTL_IPW_SHIFT);
	null_link_fault_set(a->dev->fab, atomic_load(&a->dev->chip->link), &lanes);
	assert_int_equal(rd(ctl) & RIO_PORT_N_CTL_IPW, 0);
	null_link_fault_set(a->dev->fab, atomic_load(&a->dev->chip->link), &none);
	wr(ctl, rd(ctl) | RIO_PORT_N_CTL_PORT_DIS);
	assert_int_equal(rd(sts), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	wr(ctl, rd(ctl) & ~RIO_PORT_N_CTL_PORT_DIS);
	assert_int_equal(rd(sts), RIO_PORT_N_ERR_STS_PORT_OK);
	wr(TSI721_DEVCTL, 0);
	assert_int_equal(rd(sts), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	wr(TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	assert_int_equal(rd(sts), RIO_PORT_N_ERR_STS_PORT_OK);
}

/* ---- causes and enables ---- */

static void
portwrite(uint32_t i)
{
	const uint32_t words[4] = { 1, 2, 3, 4 };

	(void)i;
	null_portwrite_deliver(a->dev->fab, a->dev->ep, words);
	assert_int_equal(rd(TSI721_RIO_PW_RX_STAT) & 3, TSI721_RIO_PW_RX_STAT_PW_VAL);
	assert_int_equal(rd(TSI721_RIO_EM_INT_STAT), TSI721_RIO_EM_INT_PW_RX);
	assert_int_equal(rd(TSI721_DEV_INT), 0);
	wr(TSI721_RIO_EM_INT_ENABLE, TSI721_RIO_EM_INT_PW_RX);
	assert_int_equal(rd(TSI721_DEV_INT), 0);
	wr(TSI721_RIO_EM_DEV_INT_EN, TSI721_RIO_EM_DEV_INT_EN_INT);
	assert_int_equal(rd(TSI721_DEV_INT), TSI721_DEV_INT_SRIO);
	wr(TSI721_RIO_EM_INT_ENABLE, 0);
	assert_int_equal(rd(TSI721_DEV_INT), 0);
	wr(TSI721_RIO_PW_RX_STAT, TSI721_RIO_PW_RX_STAT_PW_VAL);
	assert_int_equal(rd(TSI721_RIO_PW_RX_STAT) & 3, 0);
	assert_int_equal(rd(TSI721_RIO_EM_INT_STAT), 0);
}

/* Registers of channel 0, how far the next one is; where they show. */
static const struct causes {
	uint32_t cause, set, enable, stride, all, dev;
	uint32_t chan;		/* bit of channel 0 in DEV_CHAN_INT; 0: not there */
} sr2pc = {
	TSI721_SR_CHINT(0), TSI721_SR_CHINTSET(0), TSI721_SR_CHINTE(0), 0x1000,
	TSI721_SR_CHINT_ALL, TSI721_DEV_INT_SR2PC_CH, TSI721_INT_SR2PC_CHAN(0),
}, bdma = {
	TSI721_DMAC_BASE(0) + TSI721_DMAC_INT, TSI721_DMAC_BASE(0) + TSI721_DMAC_INTSET,
	TSI721_DMAC_BASE(0) + TSI721_DMAC_INTE, 0x1000, TSI721_DMAC_INT_ALL,
	TSI721_DEV_INT_BDMA_CH, TSI721_INT_BDMA_CHAN(0),
}, omsg = {
	TSI721_OBDMAC_INT(0), TSI721_OBDMAC_INTSET(0), TSI721_OBDMAC_INTE(0), 0x1000,
	TSI721_OBDMAC_INT_ALL, TSI721_DEV_INT_SMSG_CH, TSI721_INT_OMSG_CHAN(0),
}, imsg = {
	TSI721_IBDMAC_INT(0), TSI721_IBDMAC_INTSET(0), TSI721_IBDMAC_INTE(0), 0x1000,
	TSI721_IBDMAC_INT_ALL, TSI721_DEV_INT_SMSG_CH, TSI721_INT_IMSG_CHAN(0),
}, smsg = {
	TSI721_SMSG_INT, TSI721_SMSG_INTSET, TSI721_SMSG_INTE, 0, TSI721_SMSG_INT_MASK,
	TSI721_DEV_INT_SMSG_NCH, 0,
};

/* Each bit: set alone, shown only where enabled, in its place; cleared alone. */
static void
causes(const struct causes *c, uint32_t i)
{
	uint32_t at = i * c->stride, chan = c->chan << i, bit;

	wr(TSI721_DEV_CHAN_INTE, chan);
	for (bit = 1; bit != 0; bit <<= 1) {
		if ((c->all & bit) == 0)
			continue;
		wr(c->set + at, bit);
		assert_int_equal(rd(c->set + at), 0);
		assert_int_equal(rd(c->cause + at), bit);
		wr(c->enable + at, c->all & ~bit);
		assert_int_equal(rd(TSI721_DEV_INT), 0);
		wr(c->enable + at, bit);
		assert_int_equal(rd(TSI721_DEV_INT), c->dev);
		assert_int_equal(rd(TSI721_DEV_CHAN_INT), chan);
		wr(c->set + at, c->all);
		wr(c->cause + at, bit);
		assert_int_equal(rd(c->cause + at), c->all & ~bit);
		assert_int_equal(rd(TSI721_DEV_INT), 0);
		wr(c->cause + at, c->all);
		wr(c->enable + at, 0);
	}
	assert_int_equal(rd(c->cause + at), 0);
}

static void
sr2pc_causes(uint32_t i)
{
	causes(&sr2pc, i);
}

static void
bdma_causes(uint32_t i)
{
	causes(&bdma, i);
}

static void
omsg_causes(uint32_t i)
{
	causes(&omsg, i);
}

static void
imsg_causes(uint32_t i)
{
	causes(&imsg, i);
}

static void
smsg_causes(uint32_t i)
{
	causes(&smsg, i);
}

/* DEV_INT and what is around it: one MSI a rise of (DEV_INT and DEV_INTE). */
static void
dev_int(uint32_t i)
{
	(void)i;
	rig_msi_on(a, 7);
	rig_irqs_forget(a);
	wr(TSI721_DEV_INTSET, TSI721_DEV_INT_BDMA_NCH);
	assert_int_equal(rd(TSI721_DEV_INTSET), 0);
	assert_int_equal(rd(TSI721_DEV_INT), TSI721_DEV_INT_BDMA_NCH);
	assert_int_equal(a->irqs, 0);
	wr(TSI721_DEV_INTE, TSI721_DEV_INT_BDMA_NCH);
	assert_int_equal(a->irqs, 1);
	assert_int_equal(a->irq[0].kind, NULL_IRQ_MSI);
	wr(TSI721_DEV_INT, TSI721_DEV_INT_BDMA_NCH);
	assert_int_equal(rd(TSI721_DEV_INT), 0);
	/* A channel counts where DEV_CHAN_INTE lets it, and shows without. */
	wr(bdma.enable, TSI721_DMAC_INT_DONE);
	wr(bdma.set, TSI721_DMAC_INT_DONE);
	assert_int_equal(rd(TSI721_DEV_CHAN_INT), TSI721_INT_BDMA_CHAN(0));
	assert_int_equal(rd(TSI721_DEV_INT), 0);
	wr(TSI721_DEV_CHAN_INTE, TSI721_INT_BDMA_CHAN(0));
	assert_int_equal(rd(TSI721_DEV_INT), TSI721_DEV_INT_BDMA_CH);
	assert_int_equal(a->irqs, 1);
	wr(TSI721_DEV_INTE, TSI721_DEV_INT_BDMA_CH);
	assert_int_equal(a->irqs, 2);
}

/* Which cause of which channel a vector is for. */
static const struct vector {
	uint32_t first, bit;
	const struct causes *c;
} vectors[] = {
	{ TSI721_MSIX_DMACH_DONE(0), TSI721_DMAC_INT_DONE, &bdma },
	{ TSI721_MSIX_DMACH_INT(0), TSI721_DMAC_INT_ERR, &bdma },
	{ TSI721_MSIX_OMSG_DONE(0), TSI721_OBDMAC_INT_DONE, &omsg },
	{ TSI721_MSIX_OMSG_INT(0), TSI721_OBDMAC_INT_ERROR, &omsg },
	{ TSI721_MSIX_IMSG_DQ_RCV(0), TSI721_IBDMAC_INT_DQ_RCV, &imsg },
	{ TSI721_MSIX_IMSG_INT(0), TSI721_IBDMAC_INT_PC_ERROR, &imsg },
	{ TSI721_MSIX_SR2PC_IDBQ_RCV(0), TSI721_SR_CHINT_IDBQRCV, &sr2pc },
	{ TSI721_MSIX_SR2PC_CH_INT(0), TSI721_SR_CHINT_SUSP, &sr2pc },
};

/* Masked, it pends; unmasked, it is delivered, once. */
static void
vector_of(const struct vector *vec, uint32_t i)
{
	uint32_t v = vec->first + i, at = i * vec->c->stride, w;
	const uint32_t ctl = TSI721_MSIXTBL_OFFSET + v * 16 + 12;

	rig_msix_on(a);
	wr(vec->c->enable + at, vec->c->all);
	wr(ctl, 1);
	rig_irqs_forget(a);
	wr(vec->c->set + at, vec->bit);
	assert_int_equal(a->irqs, 0);
	for (w = 0; w < 4; w++)
		assert_int_equal(rd(TSI721_MSIXPBA_OFFSET + w * 4), w == v / 32 ? 1u << v % 32 : 0);
	wr(ctl, 0);
	assert_int_equal(a->irqs, 1);
	assert_int_equal(a->irq[0].vector, v);
	for (w = 0; w < 4; w++)
		assert_int_equal(rd(TSI721_MSIXPBA_OFFSET + w * 4), 0);
}

static void
msix(uint32_t v)
{
	size_t k;

	for (k = 0; k < sizeof(vectors) / sizeof(vectors[0]); k++)
		if (v >= vectors[k].first && v < vectors[k].first + 8)
			vector_of(&vectors[k], v - vectors[k].first);
}

/* ---- doorbells, windows ---- */

static void
idq(uint32_t q)
{
	uint64_t iova = a->iova + QUEUE;
	uint32_t i;

	wr(TSI721_IDQ_SIZE(q), 5);
	wr(TSI721_IDQ_BASEU(q), (uint32_t)(iova >> 32));
	wr(TSI721_IDQ_BASEL(q), (uint32_t)iova);
	wr(TSI721_IDQ_MASK(q), 0xffff0000 | (0x700 + q));
	assert_int_equal(rd(TSI721_IDQ_STS(q)), 0);
	wr(TSI721_IDQ_CTL(q), TSI721_IDQ_CTL_INIT);
	assert_int_equal(rd(TSI721_IDQ_CTL(q)), 0);
	assert_int_equal(rd(TSI721_IDQ_STS(q)), TSI721_IDQ_STS_RUN);
	for (i = 0; i < TSI721_RING_ENTRIES(5); i++)
		null_device_odb_write(b->dev, TSI721_ODB_OFFSET(TSI721_TT_8, a->destid),
				      (uint16_t)(0x700 + q));
	/* One less than there are entries fit; RP makes room. */
	assert_int_equal(rd(TSI721_IDQ_WP(q)), TSI721_RING_ENTRIES(5) - 1);
	wr(TSI721_IDQ_RP(q), 3);
	assert_int_equal(rd(TSI721_IDQ_RP(q)), 3);
	assert_int_equal(rd(TSI721_IDQ_WP(q)), 0);
	wr(TSI721_IDQ_CTL(q), TSI721_IDQ_CTL_SUSPEND);
	assert_int_equal(rd(TSI721_IDQ_STS(q)), 0);
	assert_int_equal(rd(TSI721_IDQ_CTL(q)), TSI721_IDQ_CTL_SUSPEND);
	assert_int_equal(rd(TSI721_SR_CHINT(q)) & TSI721_SR_CHINT_SUSP, TSI721_SR_CHINT_SUSP);
	wr(TSI721_IDQ_CTL(q), TSI721_IDQ_CTL_INIT);
	assert_int_equal(rd(TSI721_IDQ_RP(q)) | rd(TSI721_IDQ_WP(q)), 0);
	assert_int_equal(rd(TSI721_IDQ_STS(q)), TSI721_IDQ_STS_RUN);
	wr(TSI721_IDQ_MASK(q), 0xffff0000);
}

/* Where a request of b's at addr ends up: it writes v there. */
static bool
writes_to(uint64_t addr, uint32_t mem, uint8_t v)
{
	struct rig_bdma dma;

	rig_bdma_open(&dma, b, 0, RING, FIFO, 0);
	memset(b->mem + SRC, v, 8);
	memset(a->mem + mem, 0, 8);
	rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, a->destid, addr, SRC, 8);
	rig_bdma_go(&dma);
	return (rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_ABORT) == 0 &&
	       a->mem[mem] == v;
}

/* Each of its registers moves it, at once, though it was just used. */
static void
ibwin(uint32_t w)
{
	const uint64_t far = a->iova ^ (a->iova + (1ull << 33));

	rig_ibwin(a, w, SHOWN, 0x1000, WIN);
	assert_true(writes_to(SHOWN, WIN, 1));
	assert_false(writes_to(SHOWN + 0x1000, WIN + 0x1000, 2));
	wr(TSI721_IBWIN_SZ(w), 1 << TSI721_IBWIN_SZ_SIZE_SHIFT);
	assert_true(writes_to(SHOWN + 0x1000, WIN + 0x1000, 3));
	wr(TSI721_IBWIN_TLA(w), (uint32_t)(a->iova + WIN + 0x4000));
	assert_true(writes_to(SHOWN, WIN + 0x4000, 4));
	wr(TSI721_IBWIN_TUA(w), (uint32_t)((a->iova ^ far) >> 32));
	assert_false(writes_to(SHOWN, WIN + 0x4000, 5));
	wr(TSI721_IBWIN_TUA(w), (uint32_t)(a->iova >> 32));
	assert_true(writes_to(SHOWN, WIN + 0x4000, 6));
	wr(TSI721_IBWIN_UB(w), 1);
	assert_false(writes_to(SHOWN, WIN + 0x4000, 7));
	assert_true(writes_to(SHOWN + (1ull << 32), WIN + 0x4000, 8));
	wr(TSI721_IBWIN_UB(w), 0);
	wr(TSI721_IBWIN_LB(w), ((uint32_t)SHOWN + 0x2000) | TSI721_IBWIN_LB_WEN);
	assert_false(writes_to(SHOWN, WIN + 0x4000, 9));
	assert_true(writes_to(SHOWN + 0x2000, WIN + 0x4000, 10));
	wr(TSI721_IBWIN_LB(w), (uint32_t)SHOWN + 0x2000);
	assert_false(writes_to(SHOWN + 0x2000, WIN + 0x4000, 11));
}

static void
zone_sel(uint32_t i)
{
	uint32_t n;

	for (n = 0; n < 2 * 64; n++) {
		wr(TSI721_LUT_DATA0, n << 12);
		wr(TSI721_LUT_DATA1, n < 64 ? n + 1 : 0);
		if (n < 64)
			wr(TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO | n);
		else
			wr(TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO | TSI721_ZONE_SEL_RD_WRB | (n - 64));
		assert_int_equal(rd(TSI721_ZONE_SEL) & TSI721_ZONE_SEL_GO, 0);
		assert_int_equal(rd(TSI721_LUT_DATA1), n % 64 + 1);
		assert_int_equal(rd(TSI721_LUT_DATA0), n % 64 << 12);
	}
	(void)i;
}

/* ---- engines ---- */

static void
dmac(uint32_t ch)
{
	struct rig_bdma dma;
	uint32_t i;

	rig_ibwin(b, 0, SHOWN, 0x1000, WIN);
	rig_bdma_open(&dma, a, ch, RING + 0x100, FIFO, 0);
	for (i = 0; i < 15 * 8 + 1; i++)
		rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE, b->destid, SHOWN, SRC, 8);
	rig_bdma_go(&dma);
	/* Where DPTR said, as many as DWRCNT said, until the FIFO was full. */
	assert_int_equal(rig_bdma_reg(&dma, TSI721_DMAC_DRDCNT), 15 * 8);
	assert_int_equal(rig_bdma_reg(&dma, TSI721_DMAC_STS), TSI721_DMAC_STS_RUN);
	assert_int_equal(le64toh(dma.fifo[0]), a->iova + RING + 0x100);
	rig_bdma_set(&dma, TSI721_DMAC_DSRP, 2);
	assert_int_equal(rig_bdma_reg(&dma, TSI721_DMAC_DRDCNT), 15 * 8 + 1);
	assert_int_equal(rig_bdma_reg(&dma, TSI721_DMAC_STS), 0);
	rig_bdma_set(&dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	assert_int_equal(rig_bdma_reg(&dma, TSI721_DMAC_CTL), 0);
	assert_int_equal(rig_bdma_reg(&dma, TSI721_DMAC_DWRCNT) |
			 rig_bdma_reg(&dma, TSI721_DMAC_DRDCNT) |
			 rig_bdma_reg(&dma, TSI721_DMAC_DSWP) |
			 rig_bdma_reg(&dma, TSI721_DMAC_DSRP), 0);
	/* Each half of the pointer leads elsewhere. */
	rig_bdma_set(&dma, TSI721_DMAC_DPTRL, (uint32_t)(a->iova + RING));
	rig_bdma_set(&dma, TSI721_DMAC_DWRCNT, 1);
	assert_int_not_equal(rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_ABORT, 0);
	rig_bdma_set(&dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	rig_bdma_set(&dma, TSI721_DMAC_DPTRL, (uint32_t)(a->iova + RING + 0x100));
	rig_bdma_set(&dma, TSI721_DMAC_DPTRH, 0x7fffffff);
	rig_bdma_set(&dma, TSI721_DMAC_DWRCNT, 1);
	assert_int_not_equal(rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_ABORT, 0);
}

/* Mailbox n of b takes messages by its channel; b's queues are posted whole. */
static void
mbox_open(struct rig_dev *d, uint32_t ch)
{
	uint64_t fq = d->iova + QUEUE, dq = d->iova + DESCQ, *free_q = (void *)(d->mem + QUEUE);
	uint32_t i;

	for (i = 0; i < 32; i++)
		free_q[i] = htole64(d->iova + BUFS + i * TSI721_MSG_SIZE_MAX);
	rig_wr(d, TSI721_IB_DEVID, TSI721_IB_DEVID_GLOBAL);
	rig_wr(d, TSI721_IBDMAC_FQBH(ch), (uint32_t)(fq >> 32));
	rig_wr(d, TSI721_IBDMAC_FQBL(ch), (uint32_t)fq);
	rig_wr(d, TSI721_IBDMAC_FQSZ(ch), 1);
	rig_wr(d, TSI721_IBDMAC_DQBH(ch), (uint32_t)(dq >> 32));
	rig_wr(d, TSI721_IBDMAC_DQBL(ch), (uint32_t)dq);
	rig_wr(d, TSI721_IBDMAC_DQSZ(ch), 1);
	rig_wr(d, TSI721_IBDMAC_CTL(ch), TSI721_IBDMAC_CTL_INIT);
}

/* A ring of `nb` messages to mailbox mbox; DWRCNT is still to be written. */
static void
messages(struct rig_dev *from, uint32_t ch, const struct rig_dev *to, uint32_t mbox, uint32_t nb)
{
	struct tsi721_omsg_desc *d = (void *)(from->mem + RING);
	uint64_t ring = from->iova + RING, fifo = from->iova + FIFO, buf = from->iova + SRC;
	uint32_t i;

	for (i = 0; i < nb; i++)
		d[i] = (struct tsi721_omsg_desc){
			.type_id = htole32(TSI721_DTYPE_OMSG << TSI721_DTYPE_SHIFT | to->destid),
			.msg_info = htole32(mbox << TSI721_OMD_MBOX_SHIFT | 8 |
					    TSI721_MSG_SSIZE_256 << TSI721_OMD_SSIZE_SHIFT),
			.bufptr_lo = htole32((uint32_t)buf),
			.bufptr_hi = htole32((uint32_t)(buf >> 32)),
		};
	rig_wr(from, TSI721_RQRPTO, TSI721_RQRPTO_MASK);
	rig_wr(from, TSI721_OBDMAC_DPTRH(ch), (uint32_t)(ring >> 32));
	rig_wr(from, TSI721_OBDMAC_DPTRL(ch), (uint32_t)ring);
	rig_wr(from, TSI721_OBDMAC_DSBH(ch), (uint32_t)(fifo >> 32));
	rig_wr(from, TSI721_OBDMAC_DSBL(ch), (uint32_t)fifo);
	rig_wr(from, TSI721_OBDMAC_DSSZ(ch), 0);
	rig_wr(from, TSI721_OBDMAC_CTL(ch), TSI721_OBDMAC_CTL_INIT);
}

static void
obdmac(uint32_t ch)
{
	struct tsi721_omsg_desc *d = (void *)(a->mem + RING);
	const _Atomic uint64_t *fifo = (void *)(a->mem + FIFO);
	uint32_t i;

	mbox_open(b, TSI721_IMSG_CHAN(0));
	rig_wr(b, TSI721_IBDMAC_FQWP(TSI721_IMSG_CHAN(0)), 31);
	memset(a->mem + FIFO, 0, 0x1000);
	messages(a, ch, b, 0, 20);
	for (i = 1; i <= 16; i++)
		wr(TSI721_OBDMAC_DWRCNT(ch), i);
	/* A line each: the FIFO of 16 is full after 15. */
	assert_int_equal(rd(TSI721_OBDMAC_DRDCNT(ch)), 15);
	assert_int_equal(rd(TSI721_OBDMAC_STS(ch)), TSI721_OBDMAC_STS_RUN);
	assert_int_equal(le64toh(fifo[0]), a->iova + RING);
	wr(TSI721_OBDMAC_DSRP(ch), 4);
	assert_int_equal(rd(TSI721_OBDMAC_DRDCNT(ch)), 16);
	assert_int_equal(rd(TSI721_OBDMAC_STS(ch)), 0);
	/* From slot 18 on: one that is bad. */
	d[18].type_id = 0;
	wr(TSI721_OBDMAC_DRDCNT(ch), 18);
	wr(TSI721_OBDMAC_DWRCNT(ch), 19);
	assert_int_not_equal(rd(TSI721_OBDMAC_STS(ch)) & TSI721_OBDMAC_STS_ABORT, 0);
	assert_int_equal(rd(TSI721_OBDMAC_DRDCNT(ch)), 18);
	wr(TSI721_OBDMAC_CTL(ch), TSI721_OBDMAC_CTL_INIT);
	assert_int_equal(rd(TSI721_OBDMAC_CTL(ch)) & TSI721_OBDMAC_CTL_INIT, 0);
	assert_int_equal(rd(TSI721_OBDMAC_STS(ch)) | rd(TSI721_OBDMAC_DRDCNT(ch)) |
			 rd(TSI721_OBDMAC_DWRCNT(ch)) | rd(TSI721_OBDMAC_DSWP(ch)) |
			 rd(TSI721_OBDMAC_DSRP(ch)), 0);
	/* Each half of the pointer leads elsewhere. */
	wr(TSI721_OBDMAC_DPTRL(ch), (uint32_t)(a->iova + RING + 18 * TSI721_OMSG_DESC_SIZE));
	wr(TSI721_OBDMAC_DWRCNT(ch), 1);
	assert_int_not_equal(rd(TSI721_OBDMAC_STS(ch)) & TSI721_OBDMAC_STS_ABORT, 0);
	wr(TSI721_OBDMAC_CTL(ch), TSI721_OBDMAC_CTL_INIT);
	wr(TSI721_OBDMAC_DPTRL(ch), (uint32_t)(a->iova + RING));
	wr(TSI721_OBDMAC_DPTRH(ch), 0x7fffffff);
	wr(TSI721_OBDMAC_DWRCNT(ch), 1);
	assert_int_not_equal(rd(TSI721_OBDMAC_STS(ch)) & TSI721_OBDMAC_STS_ABORT, 0);
}

static void
ibdmac(uint32_t ch)
{
	mbox_open(a, ch);
	assert_int_equal(rd(TSI721_IBDMAC_CTL(ch)), 0);
	assert_int_equal(rd(TSI721_IBDMAC_STS(ch)), TSI721_IBDMAC_STS_RUN);
	assert_int_equal(rd(TSI721_IBDMAC_FQRP(ch)) | rd(TSI721_IBDMAC_DQWP(ch)) |
			 rd(TSI721_IBDMAC_FQWP(ch)) | rd(TSI721_IBDMAC_DQRP(ch)), 0);
	if (ch >= TSI721_IMSG_CHAN(0)) {
		messages(b, 0, a, ch - TSI721_IMSG_CHAN(0), 40);
		rig_wr(b, TSI721_OBDMAC_DWRCNT(0), 1);
		assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 0);
		/* A buffer posted is a message taken. */
		wr(TSI721_IBDMAC_FQWP(ch), 1);
		assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 1);
		assert_int_equal(rd(TSI721_IBDMAC_FQRP(ch)), 1);
		/* Descriptors run out before buffers do; one read is a message taken. */
		wr(TSI721_IBDMAC_FQWP(ch), 31);
		rig_wr(b, TSI721_OBDMAC_DWRCNT(0), 31);
		assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 31);
		wr(TSI721_IBDMAC_FQWP(ch), 3);
		rig_wr(b, TSI721_OBDMAC_DWRCNT(0), 33);
		assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 31);
		wr(TSI721_IBDMAC_DQRP(ch), 1);
		assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 0);
		wr(TSI721_IBDMAC_DQRP(ch), 2);
		assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 1);
	}
	wr(TSI721_IBDMAC_CTL(ch), TSI721_IBDMAC_CTL_SUSPEND);
	assert_int_equal(rd(TSI721_IBDMAC_STS(ch)), 0);
	assert_int_equal(rd(TSI721_IBDMAC_INT(ch)) & TSI721_IBDMAC_INT_SUSPENDED,
			 TSI721_IBDMAC_INT_SUSPENDED);
	wr(TSI721_IBDMAC_CTL(ch), TSI721_IBDMAC_CTL_INIT);
	assert_int_equal(rd(TSI721_IBDMAC_STS(ch)), TSI721_IBDMAC_STS_RUN);
	assert_int_equal(rd(TSI721_IBDMAC_DQWP(ch)), 0);
	/* A write of STS only clears what tells of an abort. */
	atomic_store(&a->dev->chip->imsg[ch].sts, TSI721_IBDMAC_STS_ABORT | TSI721_IBDMAC_STS_CS);
	wr(TSI721_IBDMAC_STS(ch), 0);
	assert_int_equal(rd(TSI721_IBDMAC_STS(ch)), 0);
}

/* ---- the table ---- */

static const struct effect {
	const char *rows;	/* names, with a space before and after each */
	uint32_t count;		/* registers of each */
	void (*seen)(uint32_t i);
} effects[] = {
	{ " DID ", 1, did },
	{ " HOST_DID_LOCK ", 1, host_lock },
	{ " SP0_MNT_REQ SP0_MNT_RSP ", 1, link_request },
	{ " SP0_CTL2 SP0_ERR_STS SP0_CTL DEVCTL ", 1, port },
	{ " EM_INT_STAT EM_INT_ENABLE EM_DEV_INT_EN PW_RX_STAT ", 1, portwrite },
	{ " IDQ_CTL IDQ_STS IDQ_RP IDQ_WP ", TSI721_IDQ_NUM, idq },
	{ " SR_CHINT SR_CHINTE SR_CHINTSET ", TSI721_IDQ_NUM, sr2pc_causes },
	{ " IBWIN_LB IBWIN_UB IBWIN_SZ IBWIN_TLA IBWIN_TUA ", TSI721_IBWIN_NUM, ibwin },
	{ " ZONE_SEL ", 1, zone_sel },
	{ " DMAC_DWRCNT DMAC_CTL DMAC_STS DMAC_DPTRL DMAC_DPTRH DMAC_DSRP ", TSI721_DMAC_NUM, dmac },
	{ " DMAC_INT DMAC_INTSET DMAC_INTE ", TSI721_DMAC_NUM, bdma_causes },
	{ " SMSG_INT SMSG_INTSET SMSG_INTE ", 1, smsg_causes },
	{ " OBDMAC_DWRCNT OBDMAC_DRDCNT OBDMAC_CTL OBDMAC_STS OBDMAC_DPTRL OBDMAC_DPTRH "
	  "OBDMAC_DSRP ", TSI721_OMSG_NUM, obdmac },
	{ " OBDMAC_INT OBDMAC_INTSET OBDMAC_INTE ", TSI721_OMSG_NUM, omsg_causes },
	{ " IBDMAC_FQRP IBDMAC_FQWP IBDMAC_CTL IBDMAC_STS IBDMAC_DQRP IBDMAC_DQWP ",
	  TSI721_IMSG_NUM, ibdmac },
	{ " IBDMAC_INT IBDMAC_INTSET IBDMAC_INTE ", TSI721_IMSG_NUM, imsg_causes },
	{ " DEV_INTE DEV_INT DEV_INTSET DEV_CHAN_INTE DEV_CHAN_INT ", 1, dev_int },
	{ " MSIX_CTL ", TSI721_MSIX_VECTORS, msix },
	{ " MSIX_PBA ", 4, NULL },	/* seen with it */
};
#define EFFECTS	(sizeof(effects) / sizeof(effects[0]))

static const struct effect *
effect_of(const struct null_reg *row)
{
	char name[64];
	size_t e;

	snprintf(name, sizeof(name), " %s ", row->name);
	for (e = 0; e < EFFECTS; e++)
		if (strstr(effects[e].rows, name) != NULL)
			return &effects[e];
	return NULL;
}

static void
none_is_missed(void **state)
{
	const struct null_reg *row;
	const struct effect *e;
	uint32_t n, nb = 0;

	(void)state;
	for (n = 0; (row = null_reg_row(n)) != NULL; n++) {
		e = effect_of(row);
		if ((row->read != NULL || row->write != NULL) != (e != NULL))
			fail_msg("%s: what it does is in no test, or it does nothing", row->name);
		if (e != NULL && e->count != row->count)
			fail_msg("%s: %u registers, not %u", row->name, row->count, e->count);
		nb += e != NULL;
	}
	assert_true(nb > 60);
}

/* On devices of its own, each. */
static void
each_is_seen(void **state)
{
	struct rig *rig;
	uint32_t i;
	size_t e;

	(void)state;
	for (e = 0; e < EFFECTS; e++)
		for (i = 0; effects[e].seen != NULL && i < effects[e].count; i++) {
			rig = rig_open(2);
			a = &rig->d[0];
			b = &rig->d[1];
			effects[e].seen(i);
			rig_close(rig);
		}
}

/* Values of all registers, the link being down. */
#define REGS_MAX	3000u

static uint32_t
values(uint32_t val[REGS_MAX])
{
	const struct null_reg *row;
	uint32_t n, i, nb = 0;

	wr(TSI721_DEVCTL, 0);
	for (n = 0; (row = null_reg_row(n)) != NULL; n++)
		for (i = 0; i < row->count; i++) {
			assert_true(nb < REGS_MAX);
			val[nb++] = null_reg_peek(a->dev, row, i);
		}
	return nb;
}

/* Whatever was written before: who takes the endpoint next finds a chip as after power-up. */
static void
reset_again(void **state)
{
	struct null_device_params p = { .destid = 0, .host = -1 };
	struct null_device_info info;
	uint32_t n, i, nb, was[REGS_MAX], is[REGS_MAX], changed = 0;
	uint8_t cfg_was[NULL_CFG_SIZE], cfg_is[NULL_CFG_SIZE];
	struct rig *rig = rig_open(2);
	const struct null_reg *row;
	char err[NULL_ERR_LEN];

	(void)state;
	a = &rig->d[0];
	null_device_info_get(a->dev, &info);
	p.fabric = info.fabric;
	null_device_close(a->dev);
	assert_int_equal(null_device_open(&p, &a->dev, err, sizeof(err)), 0);
	nb = values(was);
	for (i = 0; i < NULL_CFG_SIZE; i++)
		null_device_cfg_read(a->dev, i, &cfg_was[i], 1);
	for (n = 0; (row = null_reg_row(n)) != NULL; n++)
		for (i = 0; i < row->count && row->access != NULL_RO; i++)
			wr(row->off + i * row->stride, 0xffffffff);
	assert_int_equal(values(is), nb);
	for (i = 0; i < nb; i++)
		changed += is[i] != was[i];
	assert_true(changed > 500);
	assert_int_equal(rd(0x20), 0);
	assert_int_equal(rig_stat(a, NULL_STAT_UNKNOWN_REG_READS), 1);
	rig_master(a, true);
	rig_msi_on(a, 7);

	null_device_close(a->dev);
	assert_int_equal(null_device_open(&p, &a->dev, err, sizeof(err)), 0);
	assert_int_equal(a->dev->ep, 0);
	assert_int_equal(values(is), nb);
	nb = 0;
	for (n = 0; (row = null_reg_row(n)) != NULL; n++)
		for (i = 0; i < row->count; i++, nb++)
			if (is[nb] != was[nb])
				fail_msg("%s[%u] is 0x%x, was 0x%x", row->name, i, is[nb], was[nb]);
	for (i = 0; i < NULL_CFG_SIZE; i++)
		null_device_cfg_read(a->dev, i, &cfg_is[i], 1);
	assert_memory_equal(cfg_is, cfg_was, NULL_CFG_SIZE);
	for (i = 0; i < NULL_STAT_COUNT; i++)
		assert_int_equal(rig_stat(a, i), 0);
	rig_close(rig);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_missed), cmocka_unit_test(each_is_seen),
		cmocka_unit_test(reset_again),
	};

	return cmocka_run_group_tests_name("null_effects", tests, NULL, NULL);
}
