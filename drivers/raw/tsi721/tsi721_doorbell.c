/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_malloc.h>
#include <rte_memzone.h>

#include "tsi721_doorbell.h"
#include "tsi721_doorbell_priv.h"

#define DBELL_QUEUE		0u	/* takes all doorbells; the other seven stay off */
#define DBELL_ENTRIES		512u
#define DBELL_WORDS		(TSI721_IDQ_ENTRY_SIZE / sizeof(uint32_t))
#define DBELL_RANGES		32u
/* Consumed entries are told to the device in lots of this many, or when idle. */
#define DBELL_REPORT		64u
/*
 * Info and source ID of a free entry. No doorbell looks so: 0xffff is the
 * broadcast ID, no device's own.
 */
#define DBELL_FREE		UINT32_MAX

struct dbell_range {
	uint16_t first, last;
	tsi721_dbell_cb cb;
	void *arg;
};

struct tsi721_dbell {
	/* First word of an entry: info and source ID, both big-endian. */
	uint32_t *queue;
	uint32_t next;			/* entry to look at; free-running */
	uint32_t reported;		/* what the device knows of next */
	rte_spinlock_t lock;		/* who holds it dispatches */
	uint32_t nb_ranges;
	struct dbell_range ranges[DBELL_RANGES];
	struct tsi721_dbell_stats stats;	/* received, unclaimed */
	uint64_t sent;
	uint64_t errors;
	uint64_t from_poll;		/* dispatched other than from the interrupt handler */
	struct tsi721_device *dev;
	uint32_t limit;			/* doorbells from here on are other queues'; 0: all are its own */
	const struct rte_memzone *mz;
};

static inline uint32_t *
dbell_entry(const struct tsi721_dbell *db, uint32_t index)
{
	return &db->queue[(index % DBELL_ENTRIES) * DBELL_WORDS];
}

int
tsi721_dbell_init(struct tsi721_device *dev)
{
	struct tsi721_dbell *db;
	uint32_t i;

	db = rte_zmalloc_socket("tsi721_dbell", sizeof(*db), RTE_CACHE_LINE_SIZE, dev->socket_id);
	if (db == NULL)
		return -ENOMEM;
	db->dev = dev;
	rte_spinlock_init(&db->lock);
	db->mz = tsi721_ring_alloc(dev, "idq", DBELL_QUEUE,
				   (size_t)DBELL_ENTRIES * TSI721_IDQ_ENTRY_SIZE, dev->socket_id);
	if (db->mz == NULL) {
		rte_free(db);
		return -ENOMEM;
	}
	db->queue = db->mz->addr;
	for (i = 0; i < DBELL_ENTRIES; i++)
		*dbell_entry(db, i) = DBELL_FREE;
	rte_io_wmb();

	tsi721_write32(dev, TSI721_IDQ_SIZE(DBELL_QUEUE), tsi721_ring_code(DBELL_ENTRIES));
	tsi721_write32(dev, TSI721_IDQ_BASEU(DBELL_QUEUE), (uint32_t)(db->mz->iova >> 32));
	tsi721_write32(dev, TSI721_IDQ_BASEL(DBELL_QUEUE), (uint32_t)db->mz->iova);
	tsi721_write32(dev, TSI721_IDQ_MASK(DBELL_QUEUE), 0);	/* any info matches */
	tsi721_write32(dev, TSI721_SR_CHINT(DBELL_QUEUE), TSI721_SR_CHINT_ALL);
	tsi721_write32(dev, TSI721_IDQ_CTL(DBELL_QUEUE), TSI721_IDQ_CTL_INIT);
	tsi721_write32(dev, TSI721_IDQ_RP(DBELL_QUEUE), 0);
	dev->dbell = db;
	return 0;
}

void
tsi721_dbell_fini(struct tsi721_device *dev)
{
	struct tsi721_dbell *db = dev->dbell;

	if (db == NULL)
		return;
	/*
	 * A queue that takes only 0xffff, and is suspended, and whose base is
	 * nowhere: the chip has no plain off switch.
	 */
	tsi721_write32(dev, TSI721_SR_CHINTE(DBELL_QUEUE), 0);
	tsi721_write32(dev, TSI721_IDQ_MASK(DBELL_QUEUE),
		       TSI721_IDQ_MASK_MASK | TSI721_IDQ_MASK_PATT);
	tsi721_write32(dev, TSI721_IDQ_CTL(DBELL_QUEUE), TSI721_IDQ_CTL_SUSPEND);
	tsi721_read32(dev, TSI721_IDQ_CTL(DBELL_QUEUE));
	tsi721_write32(dev, TSI721_IDQ_BASEU(DBELL_QUEUE), 0);
	tsi721_write32(dev, TSI721_IDQ_BASEL(DBELL_QUEUE), 0);
	dev->dbell = NULL;
	tsi721_ring_free(db->mz);
	rte_free(db);
}

void
tsi721_dbell_send(struct tsi721_device *dev, uint16_t destid, uint16_t info)
{
	struct tsi721_dbell *db = dev->dbell;
	uint32_t off;

	if (unlikely(!dev->sys16 && destid > RIO_ANY_DESTID_8)) {
		TSI721_LOG(DEBUG, dev, "doorbell to 0x%x: destination IDs have 8 bits", destid);
		__atomic_fetch_add(&db->errors, 1, __ATOMIC_RELAXED);
		return;
	}
	__atomic_fetch_add(&db->sent, 1, __ATOMIC_RELAXED);
	off = TSI721_ODB_OFFSET(tsi721_tt(dev), destid);
	if (likely(dev->ops == NULL))
		rte_write16(rte_cpu_to_be_16(info), dev->bar[TSI721_BAR_DOORBELL] + off);
	else
		dev->ops->doorbell(dev->bus, off, info);
}

int
tsi721_dbell_request(struct tsi721_device *dev, uint16_t first, uint16_t last,
		     tsi721_dbell_cb cb, void *arg)
{
	struct tsi721_dbell *db = dev->dbell;
	uint32_t i;
	int ret = 0;

	if (first > last || cb == NULL) {
		TSI721_LOG(ERR, dev, "doorbell range 0x%x to 0x%x: needs first <= last, a callback",
			   first, last);
		return -EINVAL;
	}
	rte_spinlock_lock(&db->lock);
	for (i = 0; i < db->nb_ranges; i++)
		if (first <= db->ranges[i].last && last >= db->ranges[i].first)
			ret = -EBUSY;
	if (db->nb_ranges == DBELL_RANGES || (db->limit != 0 && last >= db->limit))
		ret = -EBUSY;
	if (ret == 0)
		db->ranges[db->nb_ranges++] = (struct dbell_range){ first, last, cb, arg };
	rte_spinlock_unlock(&db->lock);
	if (ret != 0)
		TSI721_LOG(ERR, dev, "doorbell range 0x%x to 0x%x overlaps one, or a doorbell "
			   "queue's, or %u are taken", first, last, DBELL_RANGES);
	return ret;
}

void
tsi721_dbell_release(struct tsi721_device *dev, uint16_t first, uint16_t last)
{
	struct tsi721_dbell *db = dev->dbell;
	uint32_t i;

	rte_spinlock_lock(&db->lock);
	for (i = 0; i < db->nb_ranges; i++)
		if (db->ranges[i].first == first && db->ranges[i].last == last) {
			db->ranges[i] = db->ranges[--db->nb_ranges];
			break;
		}
	rte_spinlock_unlock(&db->lock);
}

int
tsi721_dbell_limit(struct tsi721_device *dev, uint32_t first)
{
	struct tsi721_dbell *db = dev->dbell;
	uint32_t i;
	int ret = 0;

	rte_spinlock_lock(&db->lock);
	for (i = 0; first != 0 && i < db->nb_ranges; i++)
		if (db->ranges[i].last >= first)
			ret = -EBUSY;
	if (ret == 0) {
		db->limit = first;
		/* Bits that must be 0. */
		tsi721_write32(dev, TSI721_IDQ_MASK(DBELL_QUEUE), first << 16);
	}
	rte_spinlock_unlock(&db->lock);
	if (ret != 0)
		TSI721_LOG(ERR, dev, "doorbell queue: a range reaches beyond 0x%x", first - 1);
	return ret;
}

uint32_t
tsi721_dbell_ranges(struct tsi721_device *dev)
{
	return dev->dbell != NULL ? dev->dbell->nb_ranges : 0;
}

static inline void
dbell_report(struct tsi721_dbell *db)
{
	/* Entries must be free in memory before the device may fill them. */
	rte_io_wmb();
	tsi721_write32(db->dev, TSI721_IDQ_RP(DBELL_QUEUE), db->next % DBELL_ENTRIES);
	db->reported = db->next;
}

static void
dbell_dispatch(struct tsi721_dbell *db, uint32_t word)
{
	const uint8_t *b = (const uint8_t *)&word;
	uint16_t info = (uint16_t)(b[0] << 8 | b[1]);
	uint16_t src = (uint16_t)(b[2] << 8 | b[3]);
	uint32_t i;

	db->stats.received++;
	for (i = 0; i < db->nb_ranges; i++) {
		const struct dbell_range *r = &db->ranges[i];

		if (info >= r->first && info <= r->last) {
			r->cb(r->arg, src, info);
			return;
		}
	}
	db->stats.unclaimed++;
}

/* Under the lock. */
static unsigned int
dbell_run(struct tsi721_dbell *db, unsigned int max)
{
	unsigned int n;

	for (n = 0; n < max; n++) {
		uint32_t *entry = dbell_entry(db, db->next);
		uint32_t word = __atomic_load_n(entry, __ATOMIC_ACQUIRE);

		if (word == DBELL_FREE)
			break;
		*entry = DBELL_FREE;
		__atomic_store_n(&db->next, db->next + 1, __ATOMIC_RELAXED);
		if (db->next - db->reported >= DBELL_REPORT)
			dbell_report(db);
		dbell_dispatch(db, word);
	}
	if (n < max && db->next != db->reported)
		dbell_report(db);
	return n;
}

bool
tsi721_dbell_empty(struct tsi721_device *dev)
{
	const struct tsi721_dbell *db = dev->dbell;
	uint32_t next = __atomic_load_n(&db->next, __ATOMIC_RELAXED);

	return __atomic_load_n(dbell_entry(db, next), __ATOMIC_RELAXED) == DBELL_FREE;
}

unsigned int
tsi721_dbell_dispatch(struct tsi721_device *dev, unsigned int max)
{
	struct tsi721_dbell *db = dev->dbell;
	unsigned int n;

	if (!rte_spinlock_trylock(&db->lock))
		return 0;
	n = dbell_run(db, max);
	rte_spinlock_unlock(&db->lock);
	return n;
}

unsigned int
tsi721_dbell_poll(struct tsi721_device *dev, unsigned int max)
{
	struct tsi721_dbell *db = dev->dbell;
	unsigned int n;

	/* What was not reported is told when a run ends by an empty queue, so this suffices. */
	if (likely(tsi721_dbell_empty(dev)) &&
	    likely(__atomic_load_n(&db->reported, __ATOMIC_RELAXED) ==
		   __atomic_load_n(&db->next, __ATOMIC_RELAXED)))
		return 0;
	n = tsi721_dbell_dispatch(dev, max);
	__atomic_store_n(&db->from_poll, db->from_poll + n, __ATOMIC_RELAXED);
	return n;
}

uint64_t
tsi721_dbell_polled(struct tsi721_device *dev)
{
	return __atomic_load_n(&dev->dbell->from_poll, __ATOMIC_RELAXED);
}

void
tsi721_dbell_intr_enable(struct tsi721_device *dev, bool on)
{
	tsi721_write32(dev, TSI721_SR_CHINTE(DBELL_QUEUE),
		       on ? TSI721_SR_CHINT_IDBQRCV | DBELL_INT_ERRORS : DBELL_INT_ERRORS);
}

void
tsi721_dbell_intr_clear(struct tsi721_device *dev)
{
	uint32_t cause = tsi721_read32(dev, TSI721_SR_CHINT(DBELL_QUEUE));

	tsi721_write32(dev, TSI721_SR_CHINT(DBELL_QUEUE), cause);
	/* Read back, so that a doorbell that comes now raises the cause again. */
	tsi721_read32(dev, TSI721_SR_CHINT(DBELL_QUEUE));
	if (cause & DBELL_INT_ERRORS)
		__atomic_fetch_add(&dev->dbell->errors, 1, __ATOMIC_RELAXED);
}

void
tsi721_dbell_stats(struct tsi721_device *dev, struct tsi721_dbell_stats *stats)
{
	struct tsi721_dbell *db = dev->dbell;
	uint32_t cause = tsi721_read32(dev, TSI721_SR_CHINT(DBELL_QUEUE)) & DBELL_INT_ERRORS;

	/* The cause says that there were failures, not how many. */
	if (cause != 0) {
		tsi721_write32(dev, TSI721_SR_CHINT(DBELL_QUEUE), cause);
		__atomic_fetch_add(&db->errors, 1, __ATOMIC_RELAXED);
	}
	*stats = db->stats;
	stats->sent = __atomic_load_n(&db->sent, __ATOMIC_RELAXED);
	stats->errors = __atomic_load_n(&db->errors, __ATOMIC_RELAXED);
}
