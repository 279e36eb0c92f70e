/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "node.h"

/* The rest of memory. */
#define DMA_RING	0x000000u
#define DMA_FIFO	0x002000u
#define MSG_RING	0x004000u
#define MSG_FIFO	0x005000u
#define MSG_FREE	0x006000u
#define MSG_DESC	0x007000u
#define IDQ		0x010000u
#define DMA_DESCS	63u		/* a link follows */
#define MSG_DESCS	15u
#define MSG_BUFS	32u
#define MSG_CODE	1u
#define IDQ_CODE	5u
#define FIFO_CODE	2u
#define FIFO_LINES	(16u << FIFO_CODE)
#define CH		0u		/* of block DMA and of outbound messages */
#define MBOX		0u
#define RQRPTO_MS	300u
#define COMMAND		0x6u

uint32_t
node_rd(struct node *n, uint32_t off)
{
	return null_device_read32(n->dev, TSI721_BAR_REGS, off);
}

void
node_wr(struct node *n, uint32_t off, uint32_t val)
{
	null_device_write32(n->dev, TSI721_BAR_REGS, off, val);
}

/* ---- interrupts ---- */

static void
irq_cb(void *ctx, const struct null_irq *irq)
{
	struct node *n = ctx;
	uint64_t one = 1;

	(void)irq;
	atomic_fetch_add(&n->irqs, 1);
	if (write(n->irq_fd, &one, sizeof(one)) < 0)
		atomic_fetch_sub(&n->irqs, 1);
}

void
node_irq_on(struct node *n)
{
	const uint32_t ch = TSI721_IMSG_CHAN(MBOX);
	uint32_t v, word;

	for (v = 0; v < TSI721_MSIX_VECTORS; v++) {
		node_wr(n, TSI721_MSIXTBL_OFFSET + v * 16, 0xfee00000);
		node_wr(n, TSI721_MSIXTBL_OFFSET + v * 16 + 8, v);
		node_wr(n, TSI721_MSIXTBL_OFFSET + v * 16 + 12, 0);
	}
	null_device_cfg_read(n->dev, NULL_CFG_MSIX_CAP, &word, sizeof(word));
	word = htole32(le32toh(word) | NULL_CFG_MSIX_ENABLE);
	null_device_cfg_write(n->dev, NULL_CFG_MSIX_CAP, &word, sizeof(word));
	node_wr(n, TSI721_SR_CHINTE(0), TSI721_SR_CHINT_IDBQRCV);
	node_wr(n, TSI721_IBDMAC_INTE(ch), TSI721_IBDMAC_INT_DQ_RCV);
}

void
node_irq_rearm(struct node *n)
{
	uint64_t count;
	ssize_t ret = read(n->irq_fd, &count, sizeof(count));

	(void)ret;
	node_wr(n, TSI721_SR_CHINT(0), TSI721_SR_CHINT_IDBQRCV);
	node_wr(n, TSI721_IBDMAC_INT(TSI721_IMSG_CHAN(MBOX)), TSI721_IBDMAC_INT_DQ_RCV);
}

/* ---- set-up ---- */

static void
window(struct node *n, uint32_t w, uint32_t rio, uint32_t size, uint32_t off)
{
	uint64_t iova = n->iova + off;
	uint32_t code = (uint32_t)__builtin_ctz(size / TSI721_IBWIN_SIZE_MIN);

	node_wr(n, TSI721_IBWIN_SZ(w), code << TSI721_IBWIN_SZ_SIZE_SHIFT);
	node_wr(n, TSI721_IBWIN_UB(w), 0);
	node_wr(n, TSI721_IBWIN_TUA(w), (uint32_t)(iova >> 32));
	node_wr(n, TSI721_IBWIN_TLA(w), (uint32_t)iova);
	node_wr(n, TSI721_IBWIN_LB(w), rio | TSI721_IBWIN_LB_WEN);
}

static void
dma_init(struct node *n)
{
	struct tsi721_dma_desc *link = (void *)(n->mem + DMA_RING);
	uint64_t ring = n->iova + DMA_RING, fifo = n->iova + DMA_FIFO;
	uint32_t base = TSI721_DMAC_BASE(CH);

	link += DMA_DESCS;
	link->type_id = htole32(TSI721_DTYPE_LINK << TSI721_DTYPE_SHIFT);
	link->raddr_lo = htole32((uint32_t)ring);
	link->raddr_hi = htole32((uint32_t)(ring >> 32));
	n->dma_slot = 0;
	n->dma_wr = 0;
	node_wr(n, base + TSI721_DMAC_DPTRH, (uint32_t)(ring >> 32));
	node_wr(n, base + TSI721_DMAC_DPTRL, (uint32_t)ring);
	node_wr(n, base + TSI721_DMAC_DSBH, (uint32_t)(fifo >> 32));
	node_wr(n, base + TSI721_DMAC_DSBL, (uint32_t)fifo);
	node_wr(n, base + TSI721_DMAC_DSSZ, FIFO_CODE);
	node_wr(n, base + TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
	node_wr(n, base + TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
}

static void
msg_out_init(struct node *n)
{
	struct tsi721_omsg_desc *link = (void *)(n->mem + MSG_RING);
	uint64_t ring = n->iova + MSG_RING, fifo = n->iova + MSG_FIFO;

	link += MSG_DESCS;
	link->type_id = htole32(TSI721_DTYPE_OMSG_LINK << TSI721_DTYPE_SHIFT);
	link->bufptr_lo = htole32((uint32_t)ring);
	link->bufptr_hi = htole32((uint32_t)(ring >> 32));
	n->msg_slot = 0;
	n->msg_wr = 0;
	memset(n->mem + MSG_FIFO, 0, FIFO_LINES * TSI721_STS_LINE_SIZE);
	n->msg_line = 0;
	node_wr(n, TSI721_OBDMAC_DPTRH(CH), (uint32_t)(ring >> 32));
	node_wr(n, TSI721_OBDMAC_DPTRL(CH), (uint32_t)ring);
	node_wr(n, TSI721_OBDMAC_DSBH(CH), (uint32_t)(fifo >> 32));
	node_wr(n, TSI721_OBDMAC_DSBL(CH), (uint32_t)fifo);
	node_wr(n, TSI721_OBDMAC_DSSZ(CH), FIFO_CODE);
	node_wr(n, TSI721_OBDMAC_INT(CH), TSI721_OBDMAC_INT_ALL);
	node_wr(n, TSI721_OBDMAC_CTL(CH), TSI721_OBDMAC_CTL_RETRY_THR | TSI721_OBDMAC_CTL_INIT);
}

void
node_msg_open(struct node *n)
{
	uint64_t fq = n->iova + MSG_FREE, dq = n->iova + MSG_DESC, *free_q;
	const uint32_t ch = TSI721_IMSG_CHAN(MBOX);
	uint32_t i;

	free_q = (void *)(n->mem + MSG_FREE);
	for (i = 0; i < MSG_BUFS; i++)
		free_q[i] = htole64(n->iova + NODE_BUFS + i * TSI721_MSG_SIZE_MAX);
	node_wr(n, TSI721_RQRPTO, RQRPTO_MS);
	node_wr(n, TSI721_IB_DEVID, TSI721_IB_DEVID_GLOBAL);
	node_wr(n, TSI721_IBDMAC_FQBH(ch), (uint32_t)(fq >> 32));
	node_wr(n, TSI721_IBDMAC_FQBL(ch), (uint32_t)fq);
	node_wr(n, TSI721_IBDMAC_FQSZ(ch), MSG_CODE);
	node_wr(n, TSI721_IBDMAC_DQBH(ch), (uint32_t)(dq >> 32));
	node_wr(n, TSI721_IBDMAC_DQBL(ch), (uint32_t)dq);
	node_wr(n, TSI721_IBDMAC_DQSZ(ch), MSG_CODE);
	node_wr(n, TSI721_IBDMAC_INT(ch), TSI721_IBDMAC_INT_ALL);
	node_wr(n, TSI721_IBDMAC_CTL(ch), TSI721_IBDMAC_CTL_INIT);
	n->dq_rp = 0;
	n->fq_wp = MSG_BUFS - 1;
	node_wr(n, TSI721_IBDMAC_FQWP(ch), n->fq_wp);
}

static void
bells_init(struct node *n)
{
	uint64_t idq = n->iova + IDQ;

	n->idq_rp = 0;
	node_wr(n, TSI721_IDQ_SIZE(0), IDQ_CODE);
	node_wr(n, TSI721_IDQ_BASEU(0), (uint32_t)(idq >> 32));
	node_wr(n, TSI721_IDQ_BASEL(0), (uint32_t)idq);
	node_wr(n, TSI721_IDQ_MASK(0), 0);
	node_wr(n, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
}

int
node_open(struct node *n, const struct null_device_params *params, uint32_t index, uint32_t life,
	  char *err, size_t errlen)
{
	struct null_device_params p = *params;
	struct null_device_info info;
	const uint16_t cmd = htole16(COMMAND);
	uint32_t i;
	int ret;

	memset(n, 0, sizeof(*n));
	n->index = index;
	n->iova = 0x100000000ull * (index + 1);
	n->irq_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	n->memfd = memfd_create("node", MFD_CLOEXEC);
	if (n->memfd < 0 || n->irq_fd < 0 || ftruncate(n->memfd, NODE_MEM) != 0)
		return -errno;
	n->mem = mmap(NULL, NODE_MEM, PROT_READ | PROT_WRITE, MAP_SHARED, n->memfd, 0);
	if (n->mem == MAP_FAILED)
		return -errno;
	p.irq = irq_cb;
	p.irq_ctx = n;
	ret = null_device_open(&p, &n->dev, err, errlen);
	if (ret < 0)
		return ret;
	ret = null_device_dma_map(n->dev, n->iova, NODE_MEM, n->mem, n->memfd, 0);
	if (ret < 0)
		return ret;
	null_device_info_get(n->dev, &info);
	n->destid = info.destid;
	n->tt = info.sys16 ? TSI721_TT_16 : TSI721_TT_8;
	for (i = 0; i < NODE_PAT_SIZE; i++)
		n->mem[NODE_PAT + i] = node_pattern(i, node_seed(index, life));
	null_device_cfg_write(n->dev, NULL_CFG_COMMAND, &cmd, sizeof(cmd));
	dma_init(n);
	msg_out_init(n);
	node_msg_open(n);
	bells_init(n);
	window(n, 0, NODE_WIN_RIO, NODE_WIN_SIZE, NODE_WIN);
	window(n, 1, NODE_PAT_RIO, NODE_PAT_SIZE, NODE_PAT);
	node_wr(n, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	return 0;
}

void
node_close(struct node *n)
{
	null_device_close(n->dev);
	munmap(n->mem, NODE_MEM);
	close(n->memfd);
	close(n->irq_fd);
}

bool
node_may_change(uint32_t off)
{
	static const struct {
		uint32_t off, len;
	} open[] = {
		{ MSG_FREE, MSG_BUFS * 8 }, { MSG_DESC, MSG_BUFS * TSI721_IMSG_DESC_SIZE },
		{ IDQ, TSI721_RING_ENTRIES(IDQ_CODE) * TSI721_IDQ_ENTRY_SIZE },
		{ NODE_BUFS, MSG_BUFS * TSI721_MSG_SIZE_MAX }, { NODE_WIN, NODE_WIN_SIZE },
		{ NODE_PAT, NODE_PAT_SIZE },
	};
	uint32_t i;

	for (i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		if (off - open[i].off < open[i].len)
			return true;
	return false;
}

/* ---- block DMA ---- */

static struct tsi721_dma_desc *
dma_desc(struct node *n)
{
	struct tsi721_dma_desc *d = (void *)(n->mem + DMA_RING);

	d += n->dma_slot;
	memset(d, 0, sizeof(*d));
	return d;
}

/* Have the descriptor done, and wait. */
static uint32_t
dma_go(struct node *n)
{
	const struct timespec nap = { .tv_nsec = 20000 };
	uint32_t base = TSI721_DMAC_BASE(CH), sts;

	n->dma_wr++;
	if (++n->dma_slot == DMA_DESCS) {
		n->dma_slot = 0;
		n->dma_wr++;
	}
	node_wr(n, base + TSI721_DMAC_DWRCNT, n->dma_wr);
	while (((sts = node_rd(n, base + TSI721_DMAC_STS)) & TSI721_DMAC_STS_RUN) != 0)
		nanosleep(&nap, NULL);
	if ((sts & TSI721_DMAC_STS_ABORT) == 0) {
		node_wr(n, base + TSI721_DMAC_DSRP, node_rd(n, base + TSI721_DMAC_DSWP));
		return 0;
	}
	dma_init(n);
	return (sts & TSI721_DMAC_STS_CS) >> TSI721_DMAC_STS_CS_SHIFT;
}

uint32_t
node_dma(struct node *n, uint32_t rtype, uint32_t destid, uint64_t rio, uint32_t mem_off,
	 uint32_t len)
{
	struct tsi721_dma_desc *d = dma_desc(n);
	uint64_t iova = n->iova + mem_off;

	d->type_id = htole32(TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT |
			     rtype << TSI721_DMAD_RTYPE_SHIFT | destid);
	d->bcount = htole32((len & TSI721_DMAD_BCOUNT1) | n->tt << TSI721_DMAD_TT_SHIFT |
			    (uint32_t)(rio & 3) << TSI721_DMAD_RADDR0_SHIFT);
	d->raddr_lo = htole32((uint32_t)(rio >> 2));
	d->raddr_hi = htole32((uint32_t)(rio >> 34));
	d->bufptr_lo = htole32((uint32_t)iova);
	d->bufptr_hi = htole32((uint32_t)(iova >> 32));
	return dma_go(n);
}

uint32_t
node_maint(struct node *n, bool write, uint32_t destid, uint32_t hop, uint32_t off, uint32_t *val)
{
	uint32_t rtype = write ? TSI721_RTYPE_MAINT_WR : TSI721_RTYPE_MAINT_RD, code;
	struct tsi721_dma_desc *d = dma_desc(n);

	d->type_id = htole32(TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT |
			     rtype << TSI721_DMAD_RTYPE_SHIFT | destid);
	d->bcount = htole32(n->tt << TSI721_DMAD_TT_SHIFT | 4);
	d->raddr_lo = htole32(hop << TSI721_DMAD_HOPCNT_SHIFT | off);
	d->bufptr_lo = htobe32(*val);
	code = dma_go(n);
	*val = be32toh(d->bufptr_lo);
	return code;
}

/* ---- messages ---- */

void
node_msg_send(struct node *n, uint32_t destid, uint32_t len)
{
	node_msg_send_to(n, destid, MBOX, 0, len);
}

void
node_msg_send_to(struct node *n, uint32_t destid, uint32_t mbox, uint32_t letter, uint32_t len)
{
	struct tsi721_omsg_desc *d = (void *)(n->mem + MSG_RING);
	uint64_t iova = n->iova + NODE_MSG;

	d += n->msg_slot;
	d->type_id = htole32(TSI721_DTYPE_OMSG << TSI721_DTYPE_SHIFT | destid);
	d->msg_info = htole32(mbox << TSI721_OMD_MBOX_SHIFT | n->tt << TSI721_OMD_TT_SHIFT |
			      letter << TSI721_OMD_LETTER_SHIFT |
			      TSI721_MSG_SSIZE_256 << TSI721_OMD_SSIZE_SHIFT |
			      (len & TSI721_OMD_BCOUNT));
	d->bufptr_lo = htole32((uint32_t)iova);
	d->bufptr_hi = htole32((uint32_t)(iova >> 32));
	n->msg_wr++;
	if (++n->msg_slot == MSG_DESCS) {
		n->msg_slot = 0;
		n->msg_wr++;
	}
	node_wr(n, TSI721_OBDMAC_DWRCNT(CH), n->msg_wr);
}

uint32_t
node_msg_done(struct node *n)
{
	uint32_t sts = node_rd(n, TSI721_OBDMAC_STS(CH));

	if ((sts & TSI721_OBDMAC_STS_RUN) != 0)
		return NODE_MSG_BUSY;
	if ((sts & TSI721_OBDMAC_STS_ABORT) != 0) {
		msg_out_init(n);
		return (sts & TSI721_OBDMAC_STS_CS) >> TSI721_OBDMAC_STS_CS_SHIFT;
	}
	node_wr(n, TSI721_OBDMAC_DSRP(CH), node_rd(n, TSI721_OBDMAC_DSWP(CH)));
	return 0;
}

const uint8_t *
node_msg_get(struct node *n, uint32_t *src, uint32_t *len)
{
	struct tsi721_imsg_desc *d = (void *)(n->mem + MSG_DESC);
	uint32_t info;
	uint64_t iova;

	d += n->dq_rp;
	/* Descriptors are published by a store of their first word. */
	info = le32toh(__atomic_load_n(&d->msg_info, __ATOMIC_ACQUIRE));
	if ((info & TSI721_IMD_HO) == 0)
		return NULL;
	*src = le32toh(d->type_id) & TSI721_IMD_DEVID;
	*len = info & TSI721_IMD_BCOUNT;
	if (*len == 0)
		*len = TSI721_MSG_SIZE_MAX;
	iova = (uint64_t)le32toh(d->bufptr_hi) << 32 | le32toh(d->bufptr_lo);
	return n->mem + (iova - n->iova);
}

void
node_msg_free(struct node *n)
{
	struct tsi721_imsg_desc *d = (void *)(n->mem + MSG_DESC);
	uint64_t *free_q = (void *)(n->mem + MSG_FREE);
	const uint32_t ch = TSI721_IMSG_CHAN(MBOX);

	d += n->dq_rp;
	free_q[n->fq_wp] = htole64((uint64_t)le32toh(d->bufptr_hi) << 32 | le32toh(d->bufptr_lo));
	__atomic_store_n(&d->msg_info, 0, __ATOMIC_RELAXED);
	n->dq_rp = (n->dq_rp + 1) % MSG_BUFS;
	n->fq_wp = (n->fq_wp + 1) % MSG_BUFS;
	node_wr(n, TSI721_IBDMAC_DQRP(ch), n->dq_rp);
	node_wr(n, TSI721_IBDMAC_FQWP(ch), n->fq_wp);
}

/* ---- doorbells ---- */

void
node_ring(struct node *n, uint32_t destid, uint16_t info)
{
	null_device_odb_write(n->dev, TSI721_ODB_OFFSET(n->tt, destid), info);
}

bool
node_bell_get(struct node *n, uint32_t *src, uint16_t *info)
{
	const uint8_t *e;

	if (node_rd(n, TSI721_IDQ_WP(0)) == n->idq_rp)
		return false;
	e = n->mem + IDQ + n->idq_rp * TSI721_IDQ_ENTRY_SIZE;
	*info = (uint16_t)(e[0] << 8 | e[1]);
	*src = (uint32_t)(e[2] << 8 | e[3]);
	n->idq_rp = (n->idq_rp + 1) % TSI721_RING_ENTRIES(IDQ_CODE);
	node_wr(n, TSI721_IDQ_RP(0), n->idq_rp);
	return true;
}
