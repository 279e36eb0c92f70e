/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Inbound doorbells: eight queues in the target's memory, filled by senders
 * (null_odb.c), and the SRIO to PCIe channels' interrupts.
 */

#include "null_queue.h"

#define PREFETCH_ENTRIES	6u

static const struct null_intr_vec *
idq_vecs(uint32_t q, struct null_intr_vec vecs[3])
{
	vecs[0] = (struct null_intr_vec){ TSI721_SR_CHINT_IDBQRCV, TSI721_MSIX_SR2PC_IDBQ_RCV(q) };
	vecs[1] = (struct null_intr_vec){ TSI721_SR_CHINT_ALL & ~TSI721_SR_CHINT_IDBQRCV,
					  TSI721_MSIX_SR2PC_CH_INT(q) };
	vecs[2] = (struct null_intr_vec){ 0, 0 };
	return vecs;
}

static void
idq_raise(struct null_fabric *fab, uint32_t ep, uint32_t q, uint32_t bits)
{
	struct null_idq *idq = &null_chip_at(fab, ep)->idq[q];
	struct null_intr_vec vecs[3];
	uint32_t i;

	idq_vecs(q, vecs);
	for (i = 0; vecs[i].bits != 0; i++)
		if ((bits & vecs[i].bits) != 0)
			null_intr_raise(fab, ep, &idq->chint, &idq->chinte, bits & vecs[i].bits,
					vecs[i].vector);
}

/* ---- a queue, under its lock ---- */

static inline uint32_t
idq_mask(const struct null_idq *idq)
{
	uint32_t code = atomic_load_explicit(&idq->size, memory_order_relaxed);

	return TSI721_RING_ENTRIES(code & TSI721_IDQ_SIZE_CODE) - 1;
}

static inline uint64_t
idq_addr(const struct null_idq *idq, uint32_t index)
{
	return null_u64(atomic_load_explicit(&idq->baseu, memory_order_relaxed),
			atomic_load_explicit(&idq->basel, memory_order_relaxed)) +
	       (uint64_t)index * TSI721_IDQ_ENTRY_SIZE;
}

static inline uint32_t
idq_lap(const struct null_idq *idq, uint64_t count, uint32_t mask)
{
	return idq->lap + (uint32_t)(count >> null_log2(mask + 1));
}

static inline void
idq_advance(struct null_idq *idq, uint64_t count)
{
	atomic_store_explicit(&idq->count, count + 1, memory_order_release);
	null_count(&idq->received, 1);
}

/*
 * The lock's owner died: move on over an entry that it published last. Who does
 * not reach the queue's memory leaves this to the lock's next owner.
 */
static void
idq_recover(struct null_fabric *fab, uint32_t ep, struct null_idq *idq)
{
	uint64_t count = atomic_load_explicit(&idq->count, memory_order_relaxed);
	uint32_t mask = idq_mask(idq);
	const uint64_t *entry;

	entry = null_words(null_mem(fab, ep, idq_addr(idq, (uint32_t)count & mask), 8));
	if (entry == NULL)
		return;
	if ((null_load64(entry) >> 48 & 0xff) == null_lap_tag(idq_lap(idq, count, mask)))
		idq_advance(idq, count);
	idq->suspect = 0;
}

/* The same by one who is no engine, and whose view of memory nobody waits for. */
static void
idq_recover_outside(struct null_fabric *fab, uint32_t ep, struct null_idq *idq)
{
	pthread_mutex_lock(&fab->map_lock);
	idq_recover(fab, ep, idq);
	pthread_mutex_unlock(&fab->map_lock);
}

static void
idq_restart(struct null_idq *idq)
{
	idq->lap = idq_lap(idq, atomic_load(&idq->count), idq_mask(idq)) + 1;
	atomic_store(&idq->count, 0);
	atomic_store(&idq->rp, 0);
	idq->rp_seen = 0;
	idq->suspect = 0;
}

/* Make what CTL asks for so; causes to raise. INIT shows until it was done. */
static uint32_t
idq_settle(struct null_idq *idq)
{
	uint32_t ctl = atomic_load(&idq->ctl);
	uint32_t sts = atomic_load(&idq->sts);
	uint32_t causes = 0;

	if ((ctl & NULL_QCTL_RESET) != 0)
		sts = 0;
	if ((ctl & TSI721_IDQ_CTL_INIT) != 0)
		sts = NULL_QSTS_READY;
	if ((ctl & (NULL_QCTL_RESET | TSI721_IDQ_CTL_INIT)) != 0)
		idq_restart(idq);
	if ((ctl & TSI721_IDQ_CTL_SUSPEND) == 0) {
		if ((sts & NULL_QSTS_READY) != 0)
			sts |= TSI721_IDQ_STS_RUN;
	} else if ((sts & TSI721_IDQ_STS_RUN) != 0) {
		sts &= ~TSI721_IDQ_STS_RUN;
		causes = TSI721_SR_CHINT_SUSP;
	}
	atomic_store(&idq->sts, sts);
	atomic_fetch_and(&idq->ctl, ~(NULL_QCTL_RESET | TSI721_IDQ_CTL_INIT));
	return causes;
}

static inline bool
idq_full(const struct null_idq *idq, uint64_t count, uint32_t mask)
{
	return (((uint32_t)count + 1 - idq->rp_seen) & mask) == 0;
}

static bool
idq_room(struct null_device *dev, struct null_chip *chip, struct null_idq *idq, uint64_t count,
	 uint32_t mask)
{
	if (null_likely(!idq_full(idq, count, mask)))
		return true;
	idq->rp_seen = atomic_load_explicit(&idq->rp, memory_order_acquire);
	if (!idq_full(idq, count, mask))
		return true;
	null_wait_for(dev, NULL_RETRY_ODB, &chip->idq_waiters);
	idq->rp_seen = atomic_load(&idq->rp);
	return !idq_full(idq, count, mask);
}

static enum null_resp
idq_put(struct null_device *dev, uint32_t ep, struct null_idq *idq, uint64_t entry)
{
	struct null_chip *chip = null_chip_at(dev->fab, ep);
	uint64_t count = atomic_load_explicit(&idq->count, memory_order_relaxed);
	uint32_t mask = idq_mask(idq);
	uint32_t wp = (uint32_t)count & mask, struck = null_guard_count();
	uint64_t *slot;

	if (!idq_room(dev, chip, idq, count, mask))
		return NULL_RESP_RETRY;
	slot = null_words(null_peer_mem(dev, &dev->odb, ep, idq_addr(idq, wp),
					TSI721_IDQ_ENTRY_SIZE));
	if (slot == NULL)
		return NULL_RESP_ERROR;
	entry |= (uint64_t)null_lap_tag(idq_lap(idq, count, mask)) << 48;
	null_publish64(slot, entry);
	if (null_guard_struck(struck) && null_guard_hit(slot)) {
		null_stat_add(chip, NULL_STAT_DMA_FAULTS, 1);
		return NULL_RESP_ERROR;
	}
	idq_advance(idq, count);
	null_prefetchw((const char *)slot + PREFETCH_ENTRIES * TSI721_IDQ_ENTRY_SIZE);
	return NULL_RESP_DONE;
}

/* ---- delivery ---- */

/* The first queue that takes this info. */
static struct null_idq *
idq_match(struct null_chip *chip, uint16_t info, uint32_t *q)
{
	uint32_t i, mask;

	for (i = 0; i < TSI721_IDQ_NUM; i++) {
		struct null_idq *idq = &chip->idq[i];

		mask = atomic_load_explicit(&idq->mask, memory_order_relaxed);
		if (((mask ^ info) & (mask >> 16) & TSI721_IDQ_MASK_PATT) != 0)
			continue;
		if ((atomic_load_explicit(&idq->sts, memory_order_acquire) & NULL_QSTS_READY) == 0)
			continue;
		*q = i;
		return idq;
	}
	return NULL;
}

static inline uint64_t
idq_entry(uint16_t info, uint16_t src, uint16_t target)
{
	return (uint64_t)__builtin_bswap16(info) | (uint64_t)__builtin_bswap16(src) << 16 |
	       (uint64_t)__builtin_bswap16(target) << 32;
}

/* Under the queue's lock. */
static enum null_resp
idq_accept(struct null_device *dev, uint32_t ep, struct null_idq *idq, uint64_t entry,
	   uint32_t *causes)
{
	if (null_unlikely(idq->suspect != 0)) {
		idq_recover(dev->fab, ep, idq);
		*causes |= TSI721_SR_CHINT_IDBQRCV;
	}
	if (null_unlikely(atomic_load_explicit(&idq->ctl, memory_order_relaxed) != 0))
		*causes |= idq_settle(idq);
	if (null_unlikely((atomic_load_explicit(&idq->sts, memory_order_relaxed) &
			   TSI721_IDQ_STS_RUN) == 0)) {
		null_wait_for(dev, NULL_RETRY_ODB, &null_chip_at(dev->fab, ep)->idq_waiters);
		return NULL_RESP_RETRY;
	}
	return idq_put(dev, ep, idq, entry);
}

enum null_resp
null_idb_deliver(struct null_device *dev, uint32_t ep, uint32_t destid, uint32_t tt,
		 uint16_t info, struct null_idb_after *after)
{
	struct null_chip *chip = null_chip_at(dev->fab, ep);
	struct null_idq *idq = idq_match(chip, info, &after->q);
	enum null_resp resp;
	uint64_t entry;
	bool stolen;

	if (null_unlikely(idq == NULL))
		return NULL_RESP_ERROR;
	if (null_unlikely(!null_queue_lock(dev, NULL_RETRY_ODB, &idq->lock, &idq->contended,
					   &chip->idq_waiters, &stolen))) {
		after->rp = atomic_load_explicit(&idq->rp, memory_order_relaxed);
		return NULL_RESP_RETRY;
	}
	idq->suspect |= stolen;
	after->idq = idq;
	after->ep = ep;
	after->causes = 0;
	if (null_engine_late(dev, &dev->odb)) {
		null_lock_release(dev->fab, &idq->lock);
		after->late = true;
		return NULL_RESP_RETRY;
	}
	entry = idq_entry(info, null_source_id(dev->chip, tt), (uint16_t)destid);
	resp = idq_accept(dev, ep, idq, entry, &after->causes);
	null_lock_release_first(dev->fab, &idq->lock);
	if (null_likely(resp == NULL_RESP_DONE))
		after->causes |= TSI721_SR_CHINT_IDBQRCV;
	else
		after->rp = atomic_load_explicit(&idq->rp, memory_order_relaxed);
	return resp;
}

void
null_idb_delivered(struct null_device *dev, const struct null_idb_after *after)
{
	struct null_idq *idq = after->idq;

	if (null_unlikely(idq == NULL))
		return;
	if (null_unlikely(!null_intr_raised(&idq->chint, &idq->chinte, after->causes)))
		idq_raise(dev->fab, after->ep, after->q, after->causes);
	if (null_unlikely(null_queue_contended(&idq->contended)))
		null_waiters_wake(dev->fab, after->ep,
				  &null_chip_at(dev->fab, after->ep)->idq_waiters);
}

/* ---- after a death, at a reset ---- */

/* Under its lock. */
static void
idq_repair(struct null_fabric *fab, uint32_t ep, struct null_idq *idq)
{
	if (idq->suspect != 0)
		idq_recover_outside(fab, ep, idq);
	if (atomic_load(&idq->ctl) != 0)
		idq_settle(idq);
	null_lock_release(fab, &idq->lock);
}

/*
 * If the lock cannot be had, one who lives has it, and repairs. But the dead one may
 * have had it before and set a cause that it told nobody of: no other does that.
 */
static void
idq_sweep(struct null_fabric *fab, uint32_t ep, uint32_t q)
{
	struct null_idq *idq = &null_chip_at(fab, ep)->idq[q];
	struct null_intr_vec vecs[3];
	bool stolen;

	if (null_lock_try(fab, &idq->lock, &stolen)) {
		idq->suspect |= stolen;
		idq_repair(fab, ep, idq);
	}
	null_intr_again(fab, ep, &idq->chint, &idq->chinte, idq_vecs(q, vecs));
	if ((((uint32_t)atomic_load(&idq->count) - atomic_load(&idq->rp)) & idq_mask(idq)) != 0)
		idq_raise(fab, ep, q, TSI721_SR_CHINT_IDBQRCV);
}

void
null_idb_sweep(struct null_fabric *fab, uint32_t ep)
{
	uint32_t q;

	for (q = 0; q < TSI721_IDQ_NUM; q++)
		idq_sweep(fab, ep, q);
	null_waiters_wake(fab, ep, &null_chip_at(fab, ep)->idq_waiters);
}

void
null_idb_tell(struct null_fabric *fab, uint32_t ep)
{
	struct null_intr_vec vecs[3];
	uint32_t q;

	for (q = 0; q < TSI721_IDQ_NUM; q++) {
		struct null_idq *idq = &null_chip_at(fab, ep)->idq[q];

		null_intr_tell(fab, ep, &idq->chint, &idq->chinte, idq_vecs(q, vecs));
	}
}

void
null_doorbell_reset(struct null_fabric *fab, uint32_t ep)
{
	uint32_t q;
	bool stolen;

	for (q = 0; q < TSI721_IDQ_NUM; q++) {
		struct null_idq *idq = &null_chip_at(fab, ep)->idq[q];

		atomic_fetch_or(&idq->ctl, NULL_QCTL_RESET);
		atomic_store(&idq->received, 0);
		if (!null_lock_wait(fab, &idq->lock, &stolen))
			continue;
		idq_settle(idq);
		null_lock_release(fab, &idq->lock);
	}
}

uint64_t
null_doorbell_stat(const struct null_chip *chip, enum null_stat stat)
{
	uint64_t sum = 0;
	uint32_t q;

	if (stat == NULL_STAT_ODB_SENT)
		return atomic_load_explicit(&chip->odb.sent, memory_order_relaxed);
	if (stat != NULL_STAT_IDB_RECEIVED)
		return 0;
	for (q = 0; q < TSI721_IDQ_NUM; q++)
		sum += atomic_load_explicit(&chip->idq[q].received, memory_order_relaxed);
	return sum;
}

/* ---- registers ---- */

/* If a sender that is stopped holds the lock, the next one does what CTL asks for. */
static void
ctl_write(struct null_device *dev, uint32_t q, uint32_t val)
{
	struct null_idq *idq = &dev->chip->idq[q];
	uint32_t causes = 0;
	bool stolen;

	if ((val & TSI721_IDQ_CTL_SUSPEND) == 0)
		atomic_fetch_and(&idq->ctl, ~TSI721_IDQ_CTL_SUSPEND);
	atomic_fetch_or(&idq->ctl, val & (TSI721_IDQ_CTL_INIT | TSI721_IDQ_CTL_SUSPEND));
	if (null_lock_wait(dev->fab, &idq->lock, &stolen)) {
		idq->suspect |= stolen;
		if (idq->suspect != 0)
			idq_recover_outside(dev->fab, dev->ep, idq);
		causes = idq_settle(idq);
		null_lock_release(dev->fab, &idq->lock);
	}
	idq_raise(dev->fab, dev->ep, q, causes);
	null_waiters_wake(dev->fab, dev->ep, &dev->chip->idq_waiters);
}

static uint32_t
ctl_read(struct null_device *dev, uint32_t q)
{
	return atomic_load(&dev->chip->idq[q].ctl) & ~NULL_QCTL_RESET;
}

static uint32_t
sts_read(struct null_device *dev, uint32_t q)
{
	return atomic_load(&dev->chip->idq[q].sts) & TSI721_IDQ_STS_RUN;
}

static void
rp_write(struct null_device *dev, uint32_t q, uint32_t val)
{
	atomic_store(&dev->chip->idq[q].rp, val);
	if (null_unlikely(null_epset_any(&dev->chip->idq_waiters)))
		null_waiters_wake(dev->fab, dev->ep, &dev->chip->idq_waiters);
}

/* The queue is empty from INIT on, even if the next one has yet to do it. */
static uint32_t
wp_read(struct null_device *dev, uint32_t q)
{
	const struct null_idq *idq = &dev->chip->idq[q];

	if ((atomic_load_explicit(&idq->ctl, memory_order_acquire) & TSI721_IDQ_CTL_INIT) != 0)
		return 0;
	return (uint32_t)atomic_load_explicit(&idq->count, memory_order_acquire) & idq_mask(idq);
}

static uint32_t
chint_read(struct null_device *dev, uint32_t q)
{
	return null_cause_bits(&dev->chip->idq[q].chint);
}

static void
chint_write(struct null_device *dev, uint32_t q, uint32_t val)
{
	null_intr_clear(dev->fab, dev->ep, &dev->chip->idq[q].chint, val);
}

static void
chinte_write(struct null_device *dev, uint32_t q, uint32_t val)
{
	struct null_idq *idq = &dev->chip->idq[q];
	struct null_intr_vec vecs[3];

	null_intr_enable(dev->fab, dev->ep, &idq->chint, &idq->chinte, val, idq_vecs(q, vecs));
}

static void
chintset_write(struct null_device *dev, uint32_t q, uint32_t val)
{
	idq_raise(dev->fab, dev->ep, q, val);
}

#define QUEUE(member, n, o) \
	.name = n, .off = TSI721_IDQ_BASE(0) + (o), .count = TSI721_IDQ_NUM, .stride = 0x1000, \
	NULL_STATES(idq, member)
#define QUEUE_NO_STATE(n, o) \
	.name = n, .off = TSI721_IDQ_BASE(0) + (o), .count = TSI721_IDQ_NUM, .stride = 0x1000, \
	.state = NULL_NO_STATE

static const struct null_reg rows[] = {
	{ QUEUE(ctl, "IDQ_CTL", 0x00), .access = NULL_RW,
	  .wmask = TSI721_IDQ_CTL_SUSPEND | TSI721_IDQ_CTL_INIT, .read = ctl_read,
	  .write = ctl_write },
	{ QUEUE(sts, "IDQ_STS", 0x04), .access = NULL_RO, .read = sts_read },
	{ QUEUE(mask, "IDQ_MASK", 0x08), .access = NULL_RW, .wmask = UINT32_MAX },
	{ QUEUE(rp, "IDQ_RP", 0x0c), .access = NULL_RW, .wmask = TSI721_IDQ_PTR,
	  .write = rp_write },
	{ QUEUE_NO_STATE("IDQ_WP", 0x10), .access = NULL_RO, .read = wp_read },
	{ QUEUE(basel, "IDQ_BASEL", 0x14), .access = NULL_RW, .wmask = TSI721_IDQ_BASEL_ADDR },
	{ QUEUE(baseu, "IDQ_BASEU", 0x18), .access = NULL_RW, .wmask = UINT32_MAX },
	{ QUEUE(size, "IDQ_SIZE", 0x1c), .access = NULL_RW, .wmask = TSI721_IDQ_SIZE_CODE },
	{ QUEUE(chint, "SR_CHINT", 0x40), .access = NULL_W1C, .wmask = TSI721_SR_CHINT_ALL,
	  .read = chint_read, .write = chint_write },
	{ QUEUE(chinte, "SR_CHINTE", 0x44), .access = NULL_RW, .wmask = TSI721_SR_CHINT_ALL,
	  .write = chinte_write },
	{ QUEUE_NO_STATE("SR_CHINTSET", 0x48), .access = NULL_WO, .wmask = TSI721_SR_CHINT_ALL,
	  .write = chintset_write },
};

const struct null_reg_block null_doorbell_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
