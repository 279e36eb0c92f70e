/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Block DMA engine. A write of the tail runs the channel: descriptors are
 * copied out once, decoded, carried out, and their addresses put into the
 * status FIFO. What a run changes is kept in locals (struct run) and published
 * a FIFO line at a time; causes are raised once, when the channel is idle.
 */

#include <string.h>

#include "null_internal.h"

#define PACKET		256u	/* payload of a RapidIO packet; they end at its multiples */
/* Links in a row without a transfer: a ring of nothing but links would never end. */
#define LINKS_MAX	1024u

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
	_Atomic uint64_t *line;		/* being filled; NULL: none yet */
	uint32_t links;			/* in a row */
	bool iof;			/* of the last descriptor */
	uint64_t descs, bytes;		/* for the statistics */
};

static enum null_abort
abort_of(enum null_resp resp)
{
	switch (resp) {
	case NULL_RESP_DONE:
		return 0;
	case NULL_RESP_ERROR:
		return NULL_ABORT_ERROR;
	case NULL_RESP_PCI:
		return NULL_ABORT_PCI;
	default:
		return NULL_ABORT_TIMEOUT;
	}
}

/* ---- transfers ---- */

struct xfer {
	uint64_t addr;		/* RapidIO address bits 63:0 */
	uint32_t hi2;		/* and 65:64 */
	uint64_t iova;		/* own memory */
	uint64_t len;
	uint32_t rtype;
	bool fault;		/* of the last miss: window hit, but no memory */
};

static inline void
xfer_advance(struct xfer *x, uint64_t n)
{
	uint64_t addr = x->addr + n;

	if (addr < x->addr)
		x->hi2 = (x->hi2 + 1) & 3;
	x->addr = addr;
	x->iova += n;
	x->len -= n;
}

/*
 * Up to COPY_ASCENDING bytes are stored in ascending order, as one packet's
 * arrive: who polls the end of a small record finds what comes before it.
 */
#define COPY_ASCENDING	512u
typedef uint64_t vec16 __attribute__((vector_size(16), aligned(1), may_alias));

static inline void
copy_64(uint8_t *dst, const uint8_t *src)
{
	const vec16 *s = (const vec16 *)src;
	vec16 *d = (vec16 *)dst, a = s[0], b = s[1], c = s[2], e = s[3];

	d[0] = a;
	d[1] = b;
	d[2] = c;
	d[3] = e;
}

static void
copy_tail(uint8_t *dst, const uint8_t *src, size_t len)
{
	for (; len >= 16; dst += 16, src += 16, len -= 16) {
		*(vec16 *)dst = *(const vec16 *)src;
		null_wmb();
	}
	if ((len & 8) != 0) {
		memcpy(dst, src, 8);
		dst += 8;
		src += 8;
		null_wmb();
	}
	if ((len & 4) != 0) {
		memcpy(dst, src, 4);
		dst += 4;
		src += 4;
		null_wmb();
	}
	for (len &= 3; len > 0; len--)
		*dst++ = *src++;
}

static inline void
copy_bytes(uint8_t *dst, const uint8_t *src, size_t len)
{
	if (null_unlikely(len > COPY_ASCENDING)) {
		memmove(dst, src, len);
		return;
	}
	for (; len >= 64; dst += 64, src += 64, len -= 64) {
		copy_64(dst, src);
		null_wmb();
	}
	if (len > 0)
		copy_tail(dst, src, len);
}

/* Own memory for all of a transfer in one piece; NULL: look piece by piece. */
static inline uint8_t *
own_mem(struct run *r, const struct xfer *x)
{
	if (null_unlikely(!null_bus_master(r->dev->chip)))
		return NULL;
	return null_tlb_mem(r->dev, r->eng, r->dev->ep, x->iova, x->len);
}

/* The same for as much as lies in one piece; *n is cut to that. */
static uint8_t *
own_piece(struct run *r, const struct xfer *x, uint64_t *n)
{
	struct null_region own;
	uint64_t off;

	if (!null_bus_master(r->dev->chip) ||
	    !null_mem_region(r->dev->fab, r->dev->ep, x->iova, &own)) {
		null_stat_add(r->dev->chip, NULL_STAT_DMA_FAULTS, 1);
		return NULL;
	}
	off = x->iova - own.iova;
	if (*n > own.len - off)
		*n = own.len - off;
	return own.va + off;
}

/* A piece of a write that no memory takes: an error response, or lost without one. */
static bool
write_missed(struct run *r, struct null_route *rt, const struct xfer *x, uint64_t n)
{
	struct null_chip *target = null_chip_at(r->dev->fab, rt->ep);
	uint64_t last;

	null_stat_add(target, x->fault ? NULL_STAT_DMA_FAULTS : NULL_STAT_WINDOW_MISSES, 1);
	switch (x->rtype) {
	case TSI721_RTYPE_ALL_NWRITE:
		return true;
	case TSI721_RTYPE_LAST_NWRITE_R:
		/* Bytes of the last packet, the only one that is answered. */
		last = (x->addr + x->len - 1) % PACKET + 1;
		return n < x->len && x->len - n >= last;
	default:
		return false;
	}
}

/* Any piece of own memory and of a window may end anywhere. */
static uint32_t
write_pieces(struct run *r, struct null_route *rt, struct xfer *x)
{
	while (x->len > 0) {
		uint64_t n = x->len;
		const uint8_t *src = own_piece(r, x, &n);
		uint8_t *dst;

		if (src == NULL)
			return NULL_ABORT_PCI;
		dst = null_target_mem(r->dev, r->eng, rt, x->addr, x->hi2, &n, &x->fault);
		if (dst != NULL)
			memmove(dst, src, n);
		else if (!write_missed(r, rt, x, n))
			return NULL_ABORT_ERROR;
		xfer_advance(x, n);
	}
	return 0;
}

static inline uint32_t
write_run(struct run *r, struct null_route *rt, struct xfer *x)
{
	uint8_t *src = own_mem(r, x), *dst;
	uint64_t n = x->len;

	if (null_unlikely(src == NULL))
		return write_pieces(r, rt, x);
	dst = null_target_mem(r->dev, r->eng, rt, x->addr, x->hi2, &n, &x->fault);
	if (null_unlikely(dst == NULL || n != x->len))
		return write_pieces(r, rt, x);
	/* After the stores of the descriptors before it: one flow keeps its order. */
	null_wmb();
	copy_bytes(dst, src, n);
	return 0;
}

static uint32_t
read_run(struct run *r, struct null_route *rt, struct xfer *x)
{
	while (x->len > 0) {
		uint64_t n = x->len;
		uint8_t *dst = own_piece(r, x, &n);
		const uint8_t *src;

		if (dst == NULL)
			return NULL_ABORT_PCI;
		src = null_target_mem(r->dev, r->eng, rt, x->addr, x->hi2, &n, &x->fault);
		if (src == NULL) {
			null_stat_add(null_chip_at(r->dev->fab, rt->ep),
				      x->fault ? NULL_STAT_DMA_FAULTS : NULL_STAT_WINDOW_MISSES, 1);
			return NULL_ABORT_ERROR;
		}
		copy_bytes(dst, src, n);
		xfer_advance(x, n);
	}
	return 0;
}

/* ---- descriptors ---- */

static inline uint32_t
field(uint32_t word, uint32_t mask)
{
	return (word & mask) / (mask & -mask);
}

static uint32_t
no_route(struct run *r, const struct xfer *x, enum null_resp resp)
{
	/* Nothing answers an NWRITE; one that the own link does not take is noticed. */
	if (x->rtype == TSI721_RTYPE_ALL_NWRITE && null_fabric_link_ok(r->dev->fab, r->dev->ep))
		return 0;
	return abort_of(resp);
}

static inline uint32_t
data_desc(struct run *r, const struct tsi721_dma_desc *d)
{
	uint32_t tt = field(d->bcount, TSI721_DMAD_TT);
	struct null_route *rt;
	enum null_resp resp;
	struct xfer x = {
		.addr = null_u64(d->raddr_hi, d->raddr_lo) << 2 |
			field(d->bcount, TSI721_DMAD_RADDR0),
		.hi2 = d->raddr_hi >> 30,
		.iova = null_u64(d->bufptr_hi, d->bufptr_lo),
		.len = d->bcount & TSI721_DMAD_BCOUNT1,
		.rtype = field(d->type_id, TSI721_DMAD_RTYPE),
	};

	if (null_unlikely(x.rtype > TSI721_RTYPE_ALL_NWRITE_R || tt > TSI721_TT_16))
		return NULL_ABORT_DESC;
	if (null_unlikely(x.len == 0))
		x.len = TSI721_DMA_BLOCK_MAX;
	r->bytes += x.len;
	rt = null_route_get(r->dev, r->eng, d->type_id & TSI721_DMAD_DEVID, tt, &resp);
	if (null_unlikely(rt == NULL))
		return no_route(r, &x, resp);
	if (x.rtype == TSI721_RTYPE_NREAD)
		return read_run(r, rt, &x);
	return write_run(r, rt, &x);
}

/* Maintenance request: the data word is big-endian, and a read's lands in the descriptor. */
static uint32_t
maint_desc(struct run *r, const struct tsi721_dma_desc *d, uint8_t *at, uint32_t rtype)
{
	uint8_t *b = at + TSI721_DMA_DATA_IDX * 4;
	uint32_t data = __builtin_bswap32(d->bufptr_lo), tt = field(d->bcount, TSI721_DMAD_TT);
	bool write = rtype == TSI721_RTYPE_MAINT_WR;
	enum null_resp resp;

	if ((d->bcount & TSI721_DMAD_BCOUNT2) != 4 || tt > TSI721_TT_16)
		return NULL_ABORT_DESC;
	resp = null_fabric_maint(r->dev->fab, r->dev->ep, d->type_id & TSI721_DMAD_DEVID, tt,
				 field(d->raddr_lo, TSI721_DMAD_HOPCNT), write,
				 d->raddr_lo & TSI721_DMAD_CFGOFF, &data);
	if (resp == NULL_RESP_DONE && !write) {
		data = null_le32(__builtin_bswap32(data));
		memcpy(b, &data, sizeof(data));
	}
	return abort_of(resp);
}

/* One descriptor at `at` (r->desc on the bus); moves r->desc on. */
static inline uint32_t
desc_run(struct run *r, uint8_t *at)
{
	struct tsi721_dma_desc d;
	uint32_t *w = &d.type_id, i;
	uint32_t rtype;

	memcpy(&d, at, sizeof(d));
	for (i = 0; i < sizeof(d) / 4; i++)
		w[i] = null_le32(w[i]);
	r->desc += TSI721_DMA_DESC_SIZE;

	r->iof = false;

	switch (d.type_id >> TSI721_DTYPE_SHIFT) {
	case TSI721_DTYPE_DATA:
		r->links = 0;
		r->iof = (d.type_id & TSI721_DMAD_IOF) != 0;
		return data_desc(r, &d);
	case TSI721_DTYPE_IMM:
		r->links = 0;
		r->iof = (d.type_id & TSI721_DMAD_IOF) != 0;
		rtype = field(d.type_id, TSI721_DMAD_RTYPE);
		if (rtype != TSI721_RTYPE_MAINT_RD && rtype != TSI721_RTYPE_MAINT_WR)
			return NULL_ABORT_DESC;
		return maint_desc(r, &d, at, rtype);
	case TSI721_DTYPE_LINK:
		if (++r->links > LINKS_MAX)
			return NULL_ABORT_DESC;
		r->desc = null_u64(d.raddr_hi, d.raddr_lo & TSI721_DMAC_DPTRL_ADDR);
		return 0;
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
}

/* What it stopped for, beyond being idle. */
enum stop { STOP_IDLE, STOP_FULL, STOP_SUSP };

static void
raise(struct run *r, uint32_t bits)
{
	unsigned int vector = (bits & (TSI721_DMAC_INT_DONE | TSI721_DMAC_INT_IOFDONE)) != 0 ?
		TSI721_MSIX_DMACH_DONE(r->ch) : TSI721_MSIX_DMACH_INT(r->ch);

	null_intr_raise(r->dev->fab, r->dev->ep, &r->c->intr, &r->c->inte, bits, vector);
}

/* One descriptor and its slot. */
static inline uint32_t
step(struct run *r)
{
	uint64_t desc = r->desc;
	uint32_t code;
	uint8_t *at;

	null_engine_check(r->dev, r->eng);
	if (r->line == NULL) {
		r->line = (void *)null_dma_mem(r->dev, r->eng,
					       r->fifo + (uint64_t)r->dswp * TSI721_STS_LINE_SIZE,
					       TSI721_STS_LINE_SIZE);
		if (r->line == NULL)
			return NULL_ABORT_PCI;
	}
	at = null_dma_mem(r->dev, r->eng, desc, TSI721_DMA_DESC_SIZE);
	if (null_unlikely(at == NULL))
		return NULL_ABORT_PCI;
	code = desc_run(r, at);
	if (null_unlikely(code != 0)) {
		r->desc = desc;
		return code;
	}
	r->rd++;
	r->descs++;
	fifo_post(r, desc);
	if (null_unlikely(r->iof)) {
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
			     TSI721_DMAC_CTL_SUSP) != 0)
				return STOP_SUSP;
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
		if (runnable(c)) {
			run_load(&r);
			stop = burst(&r, &code);
			run_end(&r, stop, code);
		}
		null_lock_release(dev->fab, &c->lock);
	} while (null_unlikely(runnable(c) && !stalled(c)));
}

/* ---- registers ---- */

static void
dwrcnt_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_bdma_ch *c = &dev->chip->bdma[i];

	atomic_store(&c->dwrcnt, val);
	if (null_likely(atomic_load_explicit(&c->drdcnt, memory_order_relaxed) != val))
		null_bdma_run(dev, i);
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
	bool stolen, was;

	was = (atomic_exchange(&c->ctl, val & TSI721_DMAC_CTL_SUSP) & TSI721_DMAC_CTL_SUSP) != 0;
	if ((val & TSI721_DMAC_CTL_INIT) != 0 && null_lock_wait(dev->fab, &c->lock, &stolen)) {
		channel_init(c);
		null_lock_release(dev->fab, &c->lock);
	}
	if ((val & TSI721_DMAC_CTL_SUSP) != 0 && !was) {
		null_lock_passed(dev->fab, &c->lock);
		null_intr_raise(dev->fab, dev->ep, &c->intr, &c->inte, TSI721_DMAC_INT_SUSP,
				TSI721_MSIX_DMACH_INT(i));
	}
	if (runnable(c))
		null_bdma_run(dev, i);
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
		null_bdma_run(dev, i);
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
