/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Block DMA engine. A write of the tail runs the channel: descriptors are
 * copied out once, decoded, carried out, and their addresses put into the
 * status FIFO. What a run changes is kept in locals (struct run) and published
 * a FIFO line at a time; causes are raised once, when the channel is idle.
 */

#include <string.h>

#include "null_copy.h"
#include "null_xfer.h"

/* Links in a row without a transfer: a ring of nothing but links would never end. */
#define LINKS_MAX	1024u

/*
 * What is used of a descriptor, in words of 64 bits, each loaded once: nobody
 * changes it after that.
 */
struct desc {
	uint64_t ctl;		/* type_id, bcount */
	uint64_t raddr;
	uint64_t buf;
};
#define DESC_TYPE(d)	((uint32_t)(d)->ctl)
#define DESC_COUNT(d)	((uint32_t)((d)->ctl >> 32))

/* One run of a channel. Functions below return 0 or an enum null_abort. */
struct run {
	struct null_device *dev;
	struct null_engine *eng;
	struct null_bdma_ch *c;
	uint32_t ch;
	uint32_t rd, wr;		/* DRDCNT, DWRCNT */
	uint64_t desc;			/* address of the next descriptor */
	uint64_t fifo;			/* base of the status FIFO */
	uint32_t lines, dswp, slot;
	uint32_t links;			/* in a row */
	_Atomic uint64_t *line;		/* being filled; NULL: none yet */
	struct null_region ring, data;	/* where the last descriptor and block were found */
	uint32_t struck;		/* null_guard_count() */
	uint64_t descs, bytes;		/* for the statistics */
};

/* ---- descriptors ---- */

static inline uint32_t
field(uint32_t word, uint32_t mask)
{
	return (word & mask) / (mask & -mask);
}

/* In the region that was hit last, or through the cache. */
static inline uint8_t *
own_mem(struct run *r, struct null_region *last, uint64_t iova, uint64_t len)
{
	uint64_t off = iova - last->iova;
	const struct null_tlb_ent *e;
	uint8_t *va;

	if (null_likely(off < last->len && len <= last->len - off))
		return last->va + off;
	if (!null_bus_master(r->dev->chip))
		return NULL;
	va = null_tlb_mem(r->dev, r->eng, r->dev->ep, iova, len);
	if (null_likely(va != NULL)) {
		e = null_tlb_at(r->eng, r->dev->ep, iova);
		*last = (struct null_region){ .iova = e->iova, .len = e->len, .va = e->va };
	}
	return va;
}

/* Where a block lies in one of the spans hit last; NULL: look further. */
static inline uint8_t *
far_mem(struct null_route *rt, uint64_t addr, uint32_t hi2, uint64_t len)
{
	uint32_t i;

	for (i = 0; i < NULL_ROUTE_SPANS; i++) {
		const struct null_span *sp = &rt->span[i];
		uint64_t off = addr - sp->base;

		if (off < sp->len && len <= sp->len - off && sp->hi2 == hi2)
			return sp->va + off;
	}
	return NULL;
}

static uint32_t
data_slow(struct run *r, const struct desc *d, uint64_t len)
{
	struct null_xfer x = {
		.addr = d->raddr << 2 | d->ctl >> 62,
		.hi2 = (uint32_t)(d->raddr >> 62),
		.rtype = field(DESC_TYPE(d), TSI721_DMAD_RTYPE),
		.destid = DESC_TYPE(d) & TSI721_DMAD_DEVID,
		.tt = field(DESC_COUNT(d), TSI721_DMAD_TT),
		.iova = d->buf,
		.len = len,
	};

	if (x.rtype > TSI721_RTYPE_ALL_NWRITE_R || x.tt > TSI721_TT_16)
		return NULL_ABORT_DESC;
	null_wmb();
	null_engine_check(r->dev, r->eng);
	return null_xfer(r->dev, r->eng, &x);
}

static inline uint32_t
data_desc(struct run *r, const struct desc *d)
{
	uint32_t rtype = field(DESC_TYPE(d), TSI721_DMAD_RTYPE);
	uint32_t destid = DESC_TYPE(d) & TSI721_DMAD_DEVID;
	uint32_t key = field(DESC_COUNT(d), TSI721_DMAD_TT) << 16 | destid;
	uint64_t len = DESC_COUNT(d) & TSI721_DMAD_BCOUNT1;
	struct null_route *rt = &r->eng->route[destid % NULL_ROUTE_CACHE];
	uint8_t *own, *far;
	uint32_t code;

	if (null_unlikely(len == 0))
		len = TSI721_DMA_BLOCK_MAX;
	if (null_unlikely(rt->key != key || rtype > TSI721_RTYPE_ALL_NWRITE_R))
		goto slow;
	own = own_mem(r, &r->data, d->buf, len);
	far = far_mem(rt, d->raddr << 2 | d->ctl >> 62, (uint32_t)(d->raddr >> 62), len);
	if (null_unlikely(own == NULL || far == NULL))
		goto slow;
	/* After the stores of the descriptors before it: one flow keeps its order. */
	null_wmb();
	if (rtype != TSI721_RTYPE_NREAD)
		null_copy(far, own, len);
	else
		null_copy(own, far, len);
	if (null_guard_struck(r->struck)) {
		/* Another transfer's loss, or this one's: then it is tried as any other. */
		r->struck = null_guard_count();
		if (null_guard_hit(own) || null_guard_hit(far))
			goto slow;
	}
	r->bytes += len;
	return 0;
slow:
	code = data_slow(r, d, len);
	/* Of one that fails nothing counts. */
	if (code == 0)
		r->bytes += len;
	return code;
}

/* Bytes that lie in the descriptor, from word 4 on, are written as those of a buffer. */
static uint32_t
imm_desc(struct run *r, const struct desc *d)
{
	uint32_t len = DESC_COUNT(d) & TSI721_DMAD_BCOUNT2, code;
	struct desc data = *d;

	if (len == 0)
		return NULL_ABORT_DESC;
	data.buf = r->desc - TSI721_DMA_DESC_SIZE + TSI721_DMA_DATA_IDX * 4;
	code = data_slow(r, &data, len);
	if (code == 0)
		r->bytes += len;
	return code;
}

/* Maintenance request: the data word is big-endian, and a read's lands in the descriptor. */
static uint32_t
maint_desc(struct run *r, const struct desc *d, uint8_t *at)
{
	uint32_t rtype = field(DESC_TYPE(d), TSI721_DMAD_RTYPE);
	uint32_t tt = field(DESC_COUNT(d), TSI721_DMAD_TT), where = (uint32_t)d->raddr;
	uint32_t data = __builtin_bswap32((uint32_t)d->buf);
	bool write = rtype == TSI721_RTYPE_MAINT_WR;
	enum null_resp resp;

	if ((!write && rtype != TSI721_RTYPE_MAINT_RD) || tt > TSI721_TT_16 ||
	    (DESC_COUNT(d) & TSI721_DMAD_BCOUNT2) != 4)
		return NULL_ABORT_DESC;
	resp = null_fabric_maint(r->dev->fab, r->dev->ep, DESC_TYPE(d) & TSI721_DMAD_DEVID, tt,
				 field(where, TSI721_DMAD_HOPCNT), write,
				 where & TSI721_DMAD_CFGOFF, &data);
	if (resp == NULL_RESP_DONE && !write) {
		data = null_le32(__builtin_bswap32(data));
		memcpy(at + TSI721_DMA_DATA_IDX * 4, &data, sizeof(data));
	}
	return null_abort_of(resp);
}

static uint32_t
link_desc(struct run *r, const struct desc *d)
{
	if (++r->links > LINKS_MAX)
		return NULL_ABORT_DESC;
	r->desc = d->raddr & ~(uint64_t)(TSI721_DMA_DESC_SIZE - 1);
	return 0;
}

/* One descriptor at `at`, which is r->desc on the bus; moves r->desc on. */
static inline uint32_t
desc_run(struct run *r, uint8_t *at, bool *iof)
{
	const _Atomic uint64_t *q = (const _Atomic uint64_t *)(void *)at;
	const struct desc d = {
		.ctl = null_le64(atomic_load_explicit(&q[0], memory_order_relaxed)),
		.raddr = null_le64(atomic_load_explicit(&q[1], memory_order_relaxed)),
		.buf = null_le64(atomic_load_explicit(&q[2], memory_order_relaxed)),
	};

	r->desc += TSI721_DMA_DESC_SIZE;
	*iof = (DESC_TYPE(&d) & TSI721_DMAD_IOF) != 0;

	switch (DESC_TYPE(&d) >> TSI721_DTYPE_SHIFT) {
	case TSI721_DTYPE_DATA:
		r->links = 0;
		return data_desc(r, &d);
	case TSI721_DTYPE_IMM:
		r->links = 0;
		return field(DESC_TYPE(&d), TSI721_DMAD_RTYPE) - TSI721_RTYPE_LAST_NWRITE_R <
		       TSI721_RTYPE_MAINT_RD - TSI721_RTYPE_LAST_NWRITE_R ?
		       imm_desc(r, &d) : maint_desc(r, &d, at);
	case TSI721_DTYPE_LINK:
		*iof = false;
		return link_desc(r, &d);
	default:
		return NULL_ABORT_DESC;
	}
}

/* ---- status FIFO ---- */

/* A line is free when the next one is not the driver's read pointer. */
static inline bool
fifo_room(const struct null_bdma_ch *c, uint32_t dswp, uint32_t lines)
{
	return ((dswp + 1) & (lines - 1)) != (atomic_load(&c->dsrp) & (lines - 1));
}

/* Close the line that is being filled, full or not, and publish how far the channel is. */
static inline void
line_close(struct run *r)
{
	if (r->slot > 0) {
		r->dswp = (r->dswp + 1) & (r->lines - 1);
		r->slot = 0;
		r->line = NULL;
	}
	r->c->desc = r->desc;
	atomic_store_explicit(&r->c->dswp, r->dswp, memory_order_release);
	atomic_store_explicit(&r->c->drdcnt, r->rd, memory_order_release);
}

/* The same, and whoever clears a cause that is raised next finds it. */
static void
run_publish(struct run *r)
{
	line_close(r);
	atomic_store(&r->c->drdcnt, r->rd);
}

static inline void
fifo_post(struct run *r, uint64_t desc)
{
	/* After the data: who sees the slot sees what it stands for. */
	atomic_store_explicit(&r->line[r->slot], null_le64(desc), memory_order_release);
	if (++r->slot == TSI721_STS_LINE_SLOTS)
		line_close(r);
}

/* ---- the channel ---- */

static bool
runnable(const struct null_bdma_ch *c)
{
	return atomic_load(&c->dwrcnt) != atomic_load(&c->drdcnt) &&
	       (atomic_load(&c->sts) & TSI721_DMAC_STS_ABORT) == 0 &&
	       (atomic_load(&c->ctl) & TSI721_DMAC_CTL_SUSP) == 0;
}

/* A fault that was injected: the engine does not go on, though it has work. */
static inline bool
stuck(const struct null_device *dev, uint32_t ch)
{
	return null_unlikely(null_stuck(dev, NULL_STUCK_BDMA(ch)));
}

static uint32_t
lines_of(const struct null_bdma_ch *c)
{
	return TSI721_RING_ENTRIES(atomic_load(&c->dssz));
}

static bool
stalled(const struct null_bdma_ch *c)
{
	return !fifo_room(c, atomic_load(&c->dswp), lines_of(c));
}

static void
run_load(struct run *r)
{
	const struct null_bdma_ch *c = r->c;

	r->wr = atomic_load(&c->dwrcnt);
	r->rd = atomic_load_explicit(&c->drdcnt, memory_order_relaxed);
	r->desc = c->desc;
	r->fifo = null_u64(atomic_load_explicit(&c->dsbh, memory_order_relaxed),
			   atomic_load_explicit(&c->dsbl, memory_order_relaxed));
	r->lines = lines_of(c);
	r->dswp = atomic_load_explicit(&c->dswp, memory_order_relaxed) & (r->lines - 1);
	r->slot = 0;
	r->line = NULL;
	r->struck = null_guard_count();
}

/* What it stopped for, beyond being idle. */
enum stop { STOP_IDLE, STOP_FULL, STOP_OTHER };

static void
raise(struct run *r, uint32_t bits)
{
	unsigned int vector = (bits & (TSI721_DMAC_INT_DONE | TSI721_DMAC_INT_IOFDONE)) != 0 ?
		TSI721_MSIX_DMACH_DONE(r->ch) : TSI721_MSIX_DMACH_INT(r->ch);

	null_intr_raise(r->dev->fab, r->dev->ep, &r->c->intr, &r->c->inte, bits, vector);
}

static uint32_t
bus_fault(struct run *r)
{
	null_stat_add(r->dev->chip, NULL_STAT_DMA_FAULTS, 1);
	return NULL_ABORT_PCI;
}

/* A new line: the time to see what has changed since the last one. */
static uint32_t
line_open(struct run *r)
{
	null_engine_check(r->dev, r->eng);
	r->ring.len = 0;
	r->data.len = 0;
	r->line = (void *)null_dma_mem(r->dev, r->eng,
				       r->fifo + (uint64_t)r->dswp * TSI721_STS_LINE_SIZE,
				       TSI721_STS_LINE_SIZE);
	return r->line == NULL ? NULL_ABORT_PCI : 0;
}

/* One descriptor and its slot. */
static inline uint32_t
step(struct run *r)
{
	uint64_t desc = r->desc;
	uint32_t code;
	uint8_t *at;
	bool iof;

	at = own_mem(r, &r->ring, desc, TSI721_DMA_DESC_SIZE);
	if (null_unlikely(at == NULL))
		return bus_fault(r);
	code = desc_run(r, at, &iof);
	if (null_unlikely(code != 0)) {
		r->desc = desc;
		return code;
	}
	r->rd++;
	r->descs++;
	fifo_post(r, desc);
	if (null_unlikely(iof)) {
		run_publish(r);
		raise(r, TSI721_DMAC_INT_IOFDONE);
	}
	return 0;
}

static enum stop
burst(struct run *r, uint32_t *code)
{
	*code = 0;
	for (;;) {
		if (r->rd == r->wr) {
			r->wr = atomic_load(&r->c->dwrcnt);
			if (r->rd == r->wr)
				return STOP_IDLE;
		}
		if (r->slot == 0) {
			if (!fifo_room(r->c, r->dswp, r->lines))
				return STOP_FULL;
			if ((atomic_load_explicit(&r->c->ctl, memory_order_relaxed) &
			     TSI721_DMAC_CTL_SUSP) != 0 || stuck(r->dev, r->ch))
				return STOP_OTHER;
			*code = line_open(r);
			if (null_unlikely(*code != 0))
				return STOP_IDLE;
		}
		*code = step(r);
		if (null_unlikely(*code != 0))
			return STOP_IDLE;
	}
}

/* Publish the rest, let RUN fall, and say why, in this order. */
static void
run_end(struct run *r, enum stop stop, uint32_t code)
{
	struct null_chip *chip = r->dev->chip;

	run_publish(r);
	if (null_unlikely(code != 0)) {
		atomic_store(&r->c->sts, TSI721_DMAC_STS_ABORT | code << TSI721_DMAC_STS_CS_SHIFT);
		null_stat_add(chip, NULL_STAT_BDMA_ABORTS, 1);
		raise(r, TSI721_DMAC_INT_ERR);
	} else if (stop == STOP_FULL) {
		raise(r, TSI721_DMAC_INT_STFULL);
	} else if (stop == STOP_IDLE) {
		raise(r, TSI721_DMAC_INT_DONE);
	}
	if (r->descs > 0) {
		null_stat_add(chip, NULL_STAT_BDMA_DESCS, r->descs);
		null_stat_add(chip, NULL_STAT_BDMA_BYTES, r->bytes);
	}
}

void
null_bdma_run(struct null_device *dev, uint32_t ch)
{
	struct null_bdma_ch *c = &dev->chip->bdma[ch];
	enum stop stop;
	uint32_t code;

	do {
		struct run r = { .dev = dev, .eng = &dev->bdma[ch], .c = c, .ch = ch };

		if (!null_lock_once(dev->fab, &c->lock))
			return;
		if (runnable(c) && !stuck(dev, ch)) {
			run_load(&r);
			stop = burst(&r, &code);
			run_end(&r, stop, code);
		}
		null_lock_release(dev->fab, &c->lock);
	} while (null_unlikely(runnable(c) && !stalled(c) && !stuck(dev, ch)));
	if (stuck(dev, ch) && runnable(c)) {
		null_stuck_hit(dev);
		atomic_fetch_or(&dev->retry, NULL_RETRY_BDMA(ch));
	}
}

/* ---- registers ---- */

static inline void
channel_start(struct null_device *dev, uint32_t ch)
{
	if (null_likely(dev->exec == NULL_EXEC_INLINE))
		null_bdma_run(dev, ch);
	else
		null_engine_start(dev, NULL_RETRY_BDMA(ch));
}

static void
dwrcnt_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];

	atomic_store(&c->dwrcnt, val);
	if (null_likely(atomic_load_explicit(&c->drdcnt, memory_order_relaxed) != val))
		channel_start(dev, i);
}

static uint32_t
sts_read(struct null_device *dev, uint32_t i)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];

	return atomic_load(&c->sts) | (runnable(c) ? TSI721_DMAC_STS_RUN : 0);
}

/* The next descriptor is where DPTR says, once the channel rests. */
static void
desc_reload(struct null_bdma_ch *c)
{
	c->desc = null_u64(atomic_load(&c->dptrh), atomic_load(&c->dptrl));
}

static void
channel_init(struct null_bdma_ch *c)
{
	atomic_store(&c->dwrcnt, 0);
	atomic_store(&c->drdcnt, 0);
	atomic_store(&c->sts, 0);
	atomic_store(&c->dsrp, 0);
	atomic_store(&c->dswp, 0);
	desc_reload(c);
}

static void
ctl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];
	uint64_t until = 0;
	bool stolen, was;

	was = (atomic_exchange(&c->ctl, val & TSI721_DMAC_CTL_SUSP) & TSI721_DMAC_CTL_SUSP) != 0;
	if ((val & TSI721_DMAC_CTL_INIT) != 0 && null_lock_wait(dev->fab, &c->lock, &stolen)) {
		channel_init(c);
		null_lock_release(dev->fab, &c->lock);
	}
	if ((val & TSI721_DMAC_CTL_SUSP) != 0 && !was) {
		null_lock_passed(dev->fab, &c->lock, &until);
		null_intr_raise(dev->fab, dev->ep, &c->intr, &c->inte, TSI721_DMAC_INT_SUSP,
				TSI721_MSIX_DMACH_INT(i));
	}
	if (runnable(c))
		channel_start(dev, i);
}

static void
dptr_store(struct null_device *dev, uint32_t i, _Atomic uint32_t *reg, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];
	bool stolen;

	atomic_store(reg, val);
	if (null_lock_wait(dev->fab, &c->lock, &stolen)) {
		if (!runnable(c))
			desc_reload(c);
		null_lock_release(dev->fab, &c->lock);
	}
}

static void
dptrl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	dptr_store(dev, i, &dev->chip->bdma[i].dptrl, val);
}

static void
dptrh_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	dptr_store(dev, i, &dev->chip->bdma[i].dptrh, val);
}

/* Lines were read: a channel that waited for room goes on. */
static void
dsrp_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];

	atomic_store(&c->dsrp, val);
	if (null_unlikely(runnable(c)))
		channel_start(dev, i);
}

static const struct null_intr_vec *
vecs_of(uint32_t i, struct null_intr_vec vecs[3])
{
	vecs[0].bits = TSI721_DMAC_INT_DONE | TSI721_DMAC_INT_IOFDONE;
	vecs[0].vector = TSI721_MSIX_DMACH_DONE(i);
	vecs[1].bits = TSI721_DMAC_INT_STFULL | TSI721_DMAC_INT_SUSP | TSI721_DMAC_INT_ERR;
	vecs[1].vector = TSI721_MSIX_DMACH_INT(i);
	vecs[2].bits = 0;
	return vecs;
}

static void
int_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	null_intr_clear(dev->fab, dev->ep, &dev->chip->bdma[i].intr, val);
}

static void
intset_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];
	struct null_intr_vec vecs[3];
	const struct null_intr_vec *v;

	for (v = vecs_of(i, vecs); v->bits != 0; v++)
		null_intr_raise(dev->fab, dev->ep, &c->intr, &c->inte, val & v->bits, v->vector);
}

static void
inte_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];
	struct null_intr_vec vecs[3];

	null_intr_enable(dev->fab, dev->ep, &c->intr, &c->inte, val, vecs_of(i, vecs));
}

#define ROW(n, o, a) \
	.name = "DMAC_" n, .off = TSI721_DMAC_BASE(0) + (o), .count = TSI721_DMAC_NUM, \
	.stride = TSI721_DMAC_BASE(1) - TSI721_DMAC_BASE(0), .access = a

static const struct null_reg regs[] = {
	{ ROW("DWRCNT", TSI721_DMAC_DWRCNT, NULL_RW), .wmask = 0xffffffff,
	  NULL_STATES(bdma, dwrcnt), .write = dwrcnt_write },
	{ ROW("DRDCNT", TSI721_DMAC_DRDCNT, NULL_RO), NULL_STATES(bdma, drdcnt) },
	{ ROW("CTL", TSI721_DMAC_CTL, NULL_RW),
	  .wmask = TSI721_DMAC_CTL_SUSP | TSI721_DMAC_CTL_INIT, NULL_STATES(bdma, ctl),
	  .write = ctl_write },
	{ ROW("INT", TSI721_DMAC_INT, NULL_W1C), .wmask = TSI721_DMAC_INT_ALL,
	  NULL_STATES(bdma, intr), .write = int_write },
	{ ROW("INTSET", TSI721_DMAC_INTSET, NULL_WO), .wmask = TSI721_DMAC_INT_ALL,
	  .state = NULL_NO_STATE, .write = intset_write },
	{ ROW("STS", TSI721_DMAC_STS, NULL_RO), NULL_STATES(bdma, sts), .read = sts_read },
	{ ROW("INTE", TSI721_DMAC_INTE, NULL_RW), .wmask = TSI721_DMAC_INT_ALL,
	  NULL_STATES(bdma, inte), .write = inte_write },
	{ ROW("DPTRL", TSI721_DMAC_DPTRL, NULL_RW), .wmask = TSI721_DMAC_DPTRL_ADDR,
	  NULL_STATES(bdma, dptrl), .write = dptrl_write },
	{ ROW("DPTRH", TSI721_DMAC_DPTRH, NULL_RW), .wmask = 0xffffffff,
	  NULL_STATES(bdma, dptrh), .write = dptrh_write },
	{ ROW("DSBL", TSI721_DMAC_DSBL, NULL_RW), .wmask = TSI721_DMAC_DSBL_ADDR,
	  NULL_STATES(bdma, dsbl) },
	{ ROW("DSBH", TSI721_DMAC_DSBH, NULL_RW), .wmask = 0xffffffff, NULL_STATES(bdma, dsbh) },
	{ ROW("DSSZ", TSI721_DMAC_DSSZ, NULL_RW), .wmask = TSI721_DMAC_DSSZ_CODE,
	  NULL_STATES(bdma, dssz) },
	{ ROW("DSRP", TSI721_DMAC_DSRP, NULL_RW), .wmask = TSI721_DMAC_DSPTR,
	  NULL_STATES(bdma, dsrp), .write = dsrp_write },
	{ ROW("DSWP", TSI721_DMAC_DSWP, NULL_RO), NULL_STATES(bdma, dswp) },
};

const struct null_reg_block null_bdma_regs = { regs, sizeof(regs) / sizeof(regs[0]) };
