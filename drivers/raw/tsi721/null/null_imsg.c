/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Inbound message channels, as senders use them: a free buffer is taken, filled
 * and announced by a descriptor. Both queues' device-side pointers are the low
 * bits of one count, so that one store moves them together.
 */

#include "null_queue.h"

#define LAP_SHIFT		21	/* lap number in bits 28:21 of a descriptor's first word */
#define PREFETCH_DESCS		4u	/* how far ahead */
#define PREFETCH_BUFS		2u

static const struct null_intr_vec *
imsg_vecs(uint32_t index, struct null_intr_vec vecs[3])
{
	vecs[0] = (struct null_intr_vec){ TSI721_IBDMAC_INT_DQ_RCV,
					  TSI721_MSIX_IMSG_DQ_RCV(index) };
	vecs[1] = (struct null_intr_vec){ TSI721_IBDMAC_INT_ALL & ~TSI721_IBDMAC_INT_DQ_RCV,
					  TSI721_MSIX_IMSG_INT(index) };
	vecs[2] = (struct null_intr_vec){ 0, 0 };
	return vecs;
}

static void
imsg_raise(struct null_fabric *fab, uint32_t ep, uint32_t index, uint32_t bits)
{
	struct null_imsg_ch *ch = &null_chip_at(fab, ep)->imsg[index];
	struct null_intr_vec vecs[3];
	uint32_t i;

	imsg_vecs(index, vecs);
	for (i = 0; vecs[i].bits != 0; i++)
		if ((bits & vecs[i].bits) != 0)
			null_intr_raise(fab, ep, &ch->intr, &ch->inte, bits & vecs[i].bits,
					vecs[i].vector);
}

/* ---- a channel, under its lock ---- */

static inline uint32_t
ring_mask(const _Atomic uint32_t *size)
{
	uint32_t code = atomic_load_explicit(size, memory_order_relaxed);

	return TSI721_RING_ENTRIES(code & TSI721_IBDMAC_SZ_CODE) - 1;
}

static inline uint64_t
ring_base(const _Atomic uint32_t *hi, const _Atomic uint32_t *lo)
{
	return null_u64(atomic_load_explicit(hi, memory_order_relaxed),
			atomic_load_explicit(lo, memory_order_relaxed));
}

static inline uint32_t
imsg_lap(const struct null_imsg_ch *ch, uint64_t count, uint32_t dq_mask)
{
	return ch->lap + (uint32_t)(count >> null_log2(dq_mask + 1));
}

static inline void
imsg_advance(struct null_imsg_ch *ch, uint64_t count)
{
	atomic_store_explicit(&ch->count, count + 1, memory_order_release);
	null_count(&ch->received, 1);
}

/*
 * The lock's owner died: move on over a descriptor that it published last. Who
 * does not reach the queue's memory leaves this to the lock's next owner.
 */
static void
imsg_recover(struct null_fabric *fab, uint32_t ep, struct null_imsg_ch *ch)
{
	uint64_t count = atomic_load_explicit(&ch->count, memory_order_relaxed);
	uint32_t mask = ring_mask(&ch->dqsz);
	uint64_t addr = ring_base(&ch->dqbh, &ch->dqbl) +
			(uint64_t)((uint32_t)count & mask) * TSI721_IMSG_DESC_SIZE;
	const uint64_t *desc;

	desc = null_words(null_mem(fab, ep, addr, 8));
	if (desc == NULL)
		return;
	if ((null_load64(desc) >> LAP_SHIFT & 0xff) == null_lap_tag(imsg_lap(ch, count, mask)))
		imsg_advance(ch, count);
	ch->suspect = 0;
}

/* The same by one who is no engine, and whose view of memory nobody waits for. */
static void
imsg_recover_outside(struct null_fabric *fab, uint32_t ep, struct null_imsg_ch *ch)
{
	pthread_mutex_lock(&fab->map_lock);
	imsg_recover(fab, ep, ch);
	pthread_mutex_unlock(&fab->map_lock);
}

/*
 * The driver may have posted buffers after it asked for INIT, and may do so now: FQWP ends
 * up as `posted`, which its writer stores first.
 */
static void
imsg_restart(struct null_imsg_ch *ch)
{
	uint32_t posted;

	ch->lap = imsg_lap(ch, atomic_load(&ch->count), ring_mask(&ch->dqsz)) + 1;
	atomic_store(&ch->count, 0);
	do {
		posted = atomic_load(&ch->posted);
		atomic_store(&ch->fqwp, posted);
	} while (atomic_load(&ch->posted) != posted);
	atomic_store(&ch->dqrp, 0);
	ch->fqwp_seen = 0;
	ch->dqrp_seen = 0;
	ch->suspect = 0;
}

/* Make what CTL asks for so; causes to raise. INIT shows until it was done. */
static uint32_t
imsg_settle(struct null_imsg_ch *ch)
{
	uint32_t ctl = atomic_load(&ch->ctl);
	uint32_t sts = atomic_load(&ch->sts);
	uint32_t causes = 0;

	if ((ctl & NULL_QCTL_RESET) != 0)
		sts = 0;
	if ((ctl & TSI721_IBDMAC_CTL_INIT) != 0)
		sts = NULL_QSTS_READY;
	if ((ctl & (NULL_QCTL_RESET | TSI721_IBDMAC_CTL_INIT)) != 0)
		imsg_restart(ch);
	if ((ctl & TSI721_IBDMAC_CTL_SUSPEND) == 0) {
		if ((sts & NULL_QSTS_READY) != 0)
			sts |= TSI721_IBDMAC_STS_RUN;
	} else if ((sts & TSI721_IBDMAC_STS_RUN) != 0) {
		sts &= ~TSI721_IBDMAC_STS_RUN;
		causes = TSI721_IBDMAC_INT_SUSPENDED;
	}
	atomic_store(&ch->sts, sts);
	atomic_fetch_and(&ch->ctl, ~(NULL_QCTL_RESET | TSI721_IBDMAC_CTL_INIT));
	return causes;
}

/* A bus address led nowhere. Until the next INIT the channel takes nothing. */
static void
put_abort(struct null_imsg_put *put)
{
	atomic_store(&put->ch->sts, TSI721_IBDMAC_STS_ABORT |
		     NULL_ABORT_PCI << TSI721_DMAC_STS_CS_SHIFT);
	put->causes |= TSI721_IBDMAC_INT_PC_ERROR;
}

/* ---- delivery ---- */

static void
put_begin(struct null_device *dev, struct null_engine *eng, struct null_imsg_put *put)
{
	struct null_imsg_ch *ch = put->ch;
	bool master = null_bus_master(put->chip);

	put->fq_mask = ring_mask(&ch->fqsz);
	put->dq_mask = ring_mask(&ch->dqsz);
	put->fq_base = ring_base(&ch->fqbh, &ch->fqbl);
	put->dq_base = ring_base(&ch->dqbh, &ch->dqbl);
	put->fq_low = atomic_load_explicit(&ch->fqth, memory_order_relaxed);
	put->fq_va = !master ? NULL :
		null_words(null_tlb_mem(dev, eng, put->ep, put->fq_base,
					((uint64_t)put->fq_mask + 1) * 8));
	put->dq_va = !master ? NULL :
		null_words(null_tlb_mem(dev, eng, put->ep, put->dq_base,
					((uint64_t)put->dq_mask + 1) * TSI721_IMSG_DESC_SIZE));
	put->open = true;
}

/* Does the messaging engine take messages to this ID and mailbox at all? */
static struct null_imsg_ch *
imsg_match(struct null_chip *chip, uint32_t destid, uint32_t mbox, uint32_t *index)
{
	uint32_t only = atomic_load_explicit(&chip->ib_devid, memory_order_relaxed);
	struct null_imsg_ch *ch;

	if (mbox >= TSI721_MSG_MBOX_NUM)
		return NULL;
	if (only != TSI721_IB_DEVID_GLOBAL && only != destid)
		return NULL;
	*index = TSI721_IMSG_CHAN(mbox);
	ch = &chip->imsg[*index];
	if ((atomic_load_explicit(&ch->sts, memory_order_acquire) & NULL_QSTS_READY) == 0)
		return NULL;
	return ch;
}

static void
retry_counted(struct null_chip *target, struct null_device *dev)
{
	null_count32(&target->retry_gen_cnt, 1);
	null_count32(&dev->chip->retry_rx_cnt, 1);
}

enum null_resp
null_imsg_open(struct null_device *dev, struct null_engine *eng, uint32_t retry_bit,
	       uint32_t destid, uint32_t tt, uint32_t mbox, struct null_imsg_put *put)
{
	enum null_resp resp;
	struct null_route *rt;
	uint32_t sts;
	bool stolen;

again:
	rt = null_route_get(dev, eng, destid, tt, &resp);
	if (null_unlikely(rt == NULL))
		return resp;
	put->ep = rt->ep;
	put->faults = rt->faults;
	put->chip = null_chip_at(dev->fab, rt->ep);
	put->ch = imsg_match(put->chip, destid, mbox, &put->index);
	put->causes = 0;
	if (null_unlikely(put->ch == NULL))
		return NULL_RESP_ERROR;
	if (null_unlikely(!null_queue_lock(dev, retry_bit, &put->ch->lock, &put->ch->contended,
					   &put->chip->imsg_waiters, &stolen))) {
		retry_counted(put->chip, dev);
		return NULL_RESP_RETRY;
	}
	put->ch->suspect |= stolen;
	if (null_engine_late(dev, eng)) {
		null_lock_release(dev->fab, &put->ch->lock);
		if (null_queue_contended(&put->ch->contended))
			put->left = put->ep;
		null_engine_check(dev, eng);
		goto again;
	}
	put_begin(dev, eng, put);
	if (null_unlikely(put->ch->suspect != 0)) {
		imsg_recover(dev->fab, put->ep, put->ch);
		put->causes = TSI721_IBDMAC_INT_DQ_RCV;
	}
	if (null_unlikely(atomic_load_explicit(&put->ch->ctl, memory_order_relaxed) != 0))
		put->causes |= imsg_settle(put->ch);
	sts = atomic_load_explicit(&put->ch->sts, memory_order_relaxed);
	if (null_likely((sts & TSI721_IBDMAC_STS_RUN) != 0))
		return NULL_RESP_DONE;
	if ((sts & NULL_QSTS_READY) == 0)
		return NULL_RESP_ERROR;
	null_wait_for(dev, retry_bit, &put->chip->imsg_waiters);
	retry_counted(put->chip, dev);
	return NULL_RESP_RETRY;
}

static inline bool
fq_empty(const struct null_imsg_put *put, uint64_t count)
{
	return ((put->ch->fqwp_seen - (uint32_t)count) & put->fq_mask) == 0;
}

static inline bool
dq_full(const struct null_imsg_put *put, uint64_t count)
{
	return (((uint32_t)count + 1 - put->ch->dqrp_seen) & put->dq_mask) == 0;
}

static inline bool
put_room(const struct null_imsg_put *put, uint64_t count)
{
	return !fq_empty(put, count) && !dq_full(put, count);
}

static void
put_look(struct null_imsg_put *put)
{
	put->ch->fqwp_seen = atomic_load(&put->ch->fqwp);
	put->ch->dqrp_seen = atomic_load(&put->ch->dqrp);
}

static bool
imsg_room(struct null_device *dev, uint32_t retry_bit, struct null_imsg_put *put, uint64_t count)
{
	if (null_likely(put_room(put, count)))
		return true;
	put_look(put);
	if (put_room(put, count))
		return true;
	null_wait_for(dev, retry_bit, &put->chip->imsg_waiters);
	put_look(put);
	if (put_room(put, count))
		return true;
	if (put->fq_low != 0 && fq_empty(put, count))
		put->causes |= TSI721_IBDMAC_INT_FQ_LOW;
	retry_counted(put->chip, dev);
	return false;
}

/* Free buffers left once the one at `count` is taken. */
static inline uint32_t
fq_left(const struct null_imsg_put *put, uint64_t count)
{
	return (put->ch->fqwp_seen - (uint32_t)count - 1) & put->fq_mask;
}

static inline uint64_t *
fq_entry(struct null_device *dev, struct null_engine *eng, const struct null_imsg_put *put,
	 uint32_t index)
{
	if (null_likely(put->fq_va != NULL))
		return put->fq_va + index;
	return null_words(null_peer_mem(dev, eng, put->ep, put->fq_base + (uint64_t)index * 8, 8));
}

static inline uint64_t *
dq_entry(struct null_device *dev, struct null_engine *eng, const struct null_imsg_put *put,
	 uint32_t index)
{
	uint64_t off = (uint64_t)index * TSI721_IMSG_DESC_SIZE;

	if (null_likely(put->dq_va != NULL))
		return put->dq_va + off / 8;
	return null_words(null_peer_mem(dev, eng, put->ep, put->dq_base + off,
					TSI721_IMSG_DESC_SIZE));
}

/* Have the lines that the next messages are written to on their way. */
static inline void
prefetch_next(struct null_device *dev, struct null_engine *eng, const struct null_imsg_put *put,
	      const uint64_t *desc, uint64_t count)
{
	const uint8_t *buf;
	uint64_t addr;

	null_prefetchw((const char *)desc + PREFETCH_DESCS * TSI721_IMSG_DESC_SIZE);
	if (put->fq_va == NULL || fq_left(put, count) < PREFETCH_BUFS)
		return;
	addr = null_load64(put->fq_va + ((count + PREFETCH_BUFS) & put->fq_mask));
	buf = null_tlb_mem(dev, eng, put->ep, addr, 2 * NULL_CACHE_LINE);
	if (null_unlikely(buf == NULL))
		return;
	null_prefetchw(buf);
	null_prefetchw(buf + NULL_CACHE_LINE);
}

enum null_resp
null_imsg_deliver(struct null_device *dev, struct null_engine *eng, uint32_t retry_bit,
		  struct null_imsg_put *put, const struct null_imsg *msg)
{
	struct null_imsg_ch *ch = put->ch;
	uint64_t count = atomic_load_explicit(&ch->count, memory_order_relaxed);
	uint32_t struck = null_guard_count();
	uint64_t *fq, *desc;
	uint64_t word, addr = 0;
	uint8_t *buf = NULL;

	if (null_unlikely(!imsg_room(dev, retry_bit, put, count)))
		return NULL_RESP_RETRY;
	desc = dq_entry(dev, eng, put, (uint32_t)count & put->dq_mask);
	fq = fq_entry(dev, eng, put, (uint32_t)count & put->fq_mask);
	if (null_likely(fq != NULL)) {
		addr = null_load64(fq);
		buf = null_peer_mem(dev, eng, put->ep, addr, msg->len);
	}
	if (null_unlikely(desc == NULL || buf == NULL)) {
		put_abort(put);
		return NULL_RESP_ERROR;
	}
	/* A message to oneself may name one piece of memory on both sides. */
	memmove(buf, msg->data, msg->len);
	null_store64(desc + 1, addr);
	word = null_u64(msg->word1, msg->word0);
	word |= (uint64_t)null_lap_tag(imsg_lap(ch, count, put->dq_mask)) << LAP_SHIFT;
	null_publish64(desc, word);
	if (null_guard_struck(struck) &&
	    (null_guard_hit(fq) || null_guard_hit(buf) || null_guard_hit(desc))) {
		null_stat_add(put->chip, NULL_STAT_DMA_FAULTS, 1);
		put_abort(put);
		return NULL_RESP_ERROR;
	}
	imsg_advance(ch, count);
	put->causes |= TSI721_IBDMAC_INT_DQ_RCV;
	if (null_unlikely(fq_left(put, count) < put->fq_low))
		put->causes |= TSI721_IBDMAC_INT_FQ_LOW;
	prefetch_next(dev, eng, put, desc, count);
	return NULL_RESP_DONE;
}

void
null_imsg_close(struct null_device *dev, struct null_imsg_put *put, bool ordered)
{
	put->open = false;
	if (ordered)
		null_lock_release(dev->fab, &put->ch->lock);
	else
		null_lock_release_first(dev->fab, &put->ch->lock);
}

bool
null_imsg_closed(struct null_device *dev, const struct null_imsg_put *put)
{
	struct null_imsg_ch *ch = put->ch;

	if (null_unlikely(!null_intr_raised(&ch->intr, &ch->inte, put->causes)))
		imsg_raise(dev->fab, put->ep, put->index, put->causes);
	return null_queue_contended(&ch->contended);
}

/* ---- after a death, at a reset ---- */

/* Under its lock. */
static void
imsg_repair(struct null_fabric *fab, uint32_t ep, struct null_imsg_ch *ch)
{
	if (ch->suspect != 0)
		imsg_recover_outside(fab, ep, ch);
	if (atomic_load(&ch->ctl) != 0)
		imsg_settle(ch);
	null_lock_release(fab, &ch->lock);
}

/* Causes are told again even if one who lives has the lock: see idq_sweep(). */
static void
imsg_sweep(struct null_fabric *fab, uint32_t ep, uint32_t index)
{
	struct null_imsg_ch *ch = &null_chip_at(fab, ep)->imsg[index];
	struct null_intr_vec vecs[3];
	bool stolen;

	if (null_lock_try(fab, &ch->lock, &stolen)) {
		ch->suspect |= stolen;
		imsg_repair(fab, ep, ch);
	}
	null_intr_again(fab, ep, &ch->intr, &ch->inte, imsg_vecs(index, vecs));
	if ((((uint32_t)atomic_load(&ch->count) - atomic_load(&ch->dqrp)) &
	     ring_mask(&ch->dqsz)) != 0)
		imsg_raise(fab, ep, index, TSI721_IBDMAC_INT_DQ_RCV);
}

void
null_imsg_tell(struct null_fabric *fab, uint32_t ep)
{
	struct null_intr_vec vecs[3];
	uint32_t i;

	for (i = 0; i < TSI721_IMSG_NUM; i++) {
		struct null_imsg_ch *ch = &null_chip_at(fab, ep)->imsg[i];

		null_intr_tell(fab, ep, &ch->intr, &ch->inte, imsg_vecs(i, vecs));
	}
}

void
null_imsg_sweep(struct null_fabric *fab, uint32_t ep)
{
	uint32_t i;

	for (i = 0; i < TSI721_IMSG_NUM; i++)
		imsg_sweep(fab, ep, i);
	null_waiters_wake(fab, ep, &null_chip_at(fab, ep)->imsg_waiters);
}

void
null_mbox_reset(struct null_fabric *fab, uint32_t ep)
{
	uint32_t i;
	bool stolen;

	for (i = 0; i < TSI721_IMSG_NUM; i++) {
		struct null_imsg_ch *ch = &null_chip_at(fab, ep)->imsg[i];

		atomic_store(&ch->posted, 0);
		atomic_fetch_or(&ch->ctl, NULL_QCTL_RESET);
		atomic_store(&ch->received, 0);
		if (!null_lock_wait(fab, &ch->lock, &stolen))
			continue;
		imsg_settle(ch);
		null_lock_release(fab, &ch->lock);
	}
}

/* ---- registers ---- */

/* If a sender that is stopped holds the lock, the next one does what CTL asks for. */
static void
ctl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_imsg_ch *ch = &dev->chip->imsg[i];
	uint32_t causes = 0;
	bool stolen;

	if ((val & TSI721_IBDMAC_CTL_INIT) != 0)
		atomic_store(&ch->posted, 0);
	if ((val & TSI721_IBDMAC_CTL_SUSPEND) == 0)
		atomic_fetch_and(&ch->ctl, ~TSI721_IBDMAC_CTL_SUSPEND);
	atomic_fetch_or(&ch->ctl, val & (TSI721_IBDMAC_CTL_INIT | TSI721_IBDMAC_CTL_SUSPEND));
	if (null_lock_wait(dev->fab, &ch->lock, &stolen)) {
		ch->suspect |= stolen;
		if (ch->suspect != 0)
			imsg_recover_outside(dev->fab, dev->ep, ch);
		causes = imsg_settle(ch);
		null_lock_release(dev->fab, &ch->lock);
	}
	imsg_raise(dev->fab, dev->ep, i, causes);
	null_waiters_wake(dev->fab, dev->ep, &dev->chip->imsg_waiters);
}

static uint32_t
ctl_read(struct null_device *dev, uint32_t i)
{
	return atomic_load(&dev->chip->imsg[i].ctl) & ~NULL_QCTL_RESET;
}

static uint32_t
sts_read(struct null_device *dev, uint32_t i)
{
	return atomic_load(&dev->chip->imsg[i].sts) & ~NULL_QSTS_READY;
}

/* Zeros clear ABORT and its code; a channel that aborted still needs an INIT. */
static void
sts_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_fetch_and(&dev->chip->imsg[i].sts,
			 val | ~(TSI721_IBDMAC_STS_ABORT | TSI721_IBDMAC_STS_CS));
}

/* The driver made room: posted a buffer, or read a descriptor. */
static inline void
room_made(struct null_device *dev)
{
	if (null_unlikely(null_epset_any(&dev->chip->imsg_waiters)))
		null_waiters_wake(dev->fab, dev->ep, &dev->chip->imsg_waiters);
}

static void
fqwp_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_store(&dev->chip->imsg[i].posted, val);
	atomic_store(&dev->chip->imsg[i].fqwp, val);
	room_made(dev);
}

static void
dqrp_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_store(&dev->chip->imsg[i].dqrp, val);
	room_made(dev);
}

/* Pointers are zero from INIT on, even if the next one has yet to do it. */
static uint32_t
delivered(const struct null_imsg_ch *ch)
{
	if ((atomic_load_explicit(&ch->ctl, memory_order_acquire) & TSI721_IBDMAC_CTL_INIT) != 0)
		return 0;
	return (uint32_t)atomic_load_explicit(&ch->count, memory_order_acquire);
}

static uint32_t
fqrp_read(struct null_device *dev, uint32_t i)
{
	const struct null_imsg_ch *ch = &dev->chip->imsg[i];

	return delivered(ch) & ring_mask(&ch->fqsz);
}

static uint32_t
dqwp_read(struct null_device *dev, uint32_t i)
{
	const struct null_imsg_ch *ch = &dev->chip->imsg[i];

	return delivered(ch) & ring_mask(&ch->dqsz);
}

static uint32_t
int_read(struct null_device *dev, uint32_t i)
{
	return null_cause_bits(&dev->chip->imsg[i].intr);
}

static void
int_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	null_intr_clear(dev->fab, dev->ep, &dev->chip->imsg[i].intr, val);
}

static void
intset_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	imsg_raise(dev->fab, dev->ep, i, val);
}

static void
inte_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_imsg_ch *ch = &dev->chip->imsg[i];
	struct null_intr_vec vecs[3];

	null_intr_enable(dev->fab, dev->ep, &ch->intr, &ch->inte, val, imsg_vecs(i, vecs));
}

#define CHAN(member, n, o) \
	.name = n, .off = TSI721_MSG_BASE(0) + (o), .count = TSI721_IMSG_NUM, .stride = 0x1000, \
	NULL_STATES(imsg, member)
#define CHAN_NO_STATE(n, o) \
	.name = n, .off = TSI721_MSG_BASE(0) + (o), .count = TSI721_IMSG_NUM, .stride = 0x1000, \
	.state = NULL_NO_STATE
#define PWE_MASK	0x00001700u

static const struct null_reg rows[] = {
	{ CHAN(fqbl, "IBDMAC_FQBL", 0x200), .access = NULL_RW, .wmask = TSI721_IBDMAC_FQBL_ADDR },
	{ CHAN(fqbh, "IBDMAC_FQBH", 0x204), .access = NULL_RW, .wmask = UINT32_MAX },
	{ CHAN(fqsz, "IBDMAC_FQSZ", 0x208), .access = NULL_RW, .wmask = TSI721_IBDMAC_SZ_CODE },
	{ CHAN_NO_STATE("IBDMAC_FQRP", 0x20c), .access = NULL_RO, .read = fqrp_read },
	{ CHAN(fqwp, "IBDMAC_FQWP", 0x210), .access = NULL_RW, .wmask = TSI721_IBDMAC_PTR,
	  .write = fqwp_write },
	{ CHAN(fqth, "IBDMAC_FQTH", 0x214), .access = NULL_RW, .wmask = TSI721_IBDMAC_PTR },
	{ CHAN(ctl, "IBDMAC_CTL", 0x240), .access = NULL_RW,
	  .wmask = TSI721_IBDMAC_CTL_SUSPEND | TSI721_IBDMAC_CTL_INIT, .read = ctl_read,
	  .write = ctl_write },
	{ CHAN(sts, "IBDMAC_STS", 0x244), .access = NULL_RW,
	  .wmask = TSI721_IBDMAC_STS_ABORT | TSI721_IBDMAC_STS_CS, .read = sts_read,
	  .write = sts_write },
	{ CHAN(intr, "IBDMAC_INT", 0x248), .access = NULL_W1C, .wmask = TSI721_IBDMAC_INT_ALL,
	  .read = int_read, .write = int_write },
	{ CHAN_NO_STATE("IBDMAC_INTSET", 0x24c), .access = NULL_WO,
	  .wmask = TSI721_IBDMAC_INT_ALL, .write = intset_write },
	{ CHAN(inte, "IBDMAC_INTE", 0x250), .access = NULL_RW, .wmask = TSI721_IBDMAC_INT_ALL,
	  .write = inte_write },
	{ CHAN(pwe, "IBDMAC_PWE", 0x254), .access = NULL_RW, .wmask = PWE_MASK },
	{ CHAN(dqbl, "IBDMAC_DQBL", 0x300), .access = NULL_RW, .wmask = TSI721_IBDMAC_DQBL_ADDR },
	{ CHAN(dqbh, "IBDMAC_DQBH", 0x304), .access = NULL_RW, .wmask = UINT32_MAX },
	{ CHAN(dqrp, "IBDMAC_DQRP", 0x308), .access = NULL_RW, .wmask = TSI721_IBDMAC_PTR,
	  .write = dqrp_write },
	{ CHAN_NO_STATE("IBDMAC_DQWP", 0x30c), .access = NULL_RO, .read = dqwp_read },
	{ CHAN(dqsz, "IBDMAC_DQSZ", 0x314), .access = NULL_RW, .wmask = TSI721_IBDMAC_SZ_CODE },
};

const struct null_reg_block null_imsg_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
