/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Outbound doorbells. A write to BAR1 is delivered by its caller if nothing
 * older waits and the engine is free, else it joins a queue that any thread
 * may add to.
 */

#include <sched.h>

#include "null_queue.h"

#define ODB_CHAN		0u	/* whose SR_CHINT shows what became of outbound doorbells */
#define ODB_TIMEOUT_NS		(500ull * 1000 * 1000)	/* of a target that makes no room */

/* A stuck engine, or faults on the way. False: the doorbell does not arrive. */
static bool
odb_passes(struct null_device *dev, const struct null_route *rt, uint32_t destid, uint32_t tt,
	   struct null_fate *fate)
{
	*fate = (struct null_fate){ .resp = NULL_RESP_RETRY };
	if ((rt->faults & NULL_ROUTE_STUCK) != 0)
		null_stuck_hit(dev);
	else
		null_link_fate(dev->fab, dev->ep, destid, tt, NULL_REQ_DOORBELL, 1, fate);
	if (!fate->deliver && fate->resp == NULL_RESP_RETRY)
		null_wait_for(dev, NULL_RETRY_ODB, &null_chip_at(dev->fab, rt->ep)->idq_waiters);
	return fate->deliver;
}

static enum null_resp
odb_deliver(struct null_device *dev, uint32_t destid, uint32_t tt, uint16_t info,
	    struct null_idb_after *after)
{
	struct null_fate fate = { .resp = NULL_RESP_DONE };
	enum null_resp resp;
	struct null_route *rt;

	after->idq = NULL;
	after->rp = 0;
	after->late = false;
	null_engine_check(dev, &dev->odb);
	rt = null_route_get(dev, &dev->odb, destid, tt, &resp);
	if (null_unlikely(rt == NULL))
		return resp;
	if (null_unlikely(rt->faults != 0) && !odb_passes(dev, rt, destid, tt, &fate))
		return fate.resp;
	resp = null_idb_deliver(dev, rt->ep, destid, tt, info, after);
	if (null_likely(resp == NULL_RESP_DONE))
		resp = fate.resp;
	if (null_likely(resp == NULL_RESP_DONE))
		null_count(&dev->chip->odb.sent, 1);
	return resp;
}

/* What the sender's own channel shows. */
static void
odb_ended(struct null_device *dev, enum null_resp resp)
{
	struct null_idq *chan = &dev->chip->idq[ODB_CHAN];
	uint32_t cause = TSI721_SR_CHINT_ODBOK;

	switch (resp) {
	case NULL_RESP_DONE:
		break;
	case NULL_RESP_RETRY:
		cause = TSI721_SR_CHINT_ODBRTRY;
		null_stat_add(dev->chip, NULL_STAT_ODB_RETRIES, 1);
		break;
	case NULL_RESP_TIMEOUT:
		cause = TSI721_SR_CHINT_ODBTO;
		null_stat_add(dev->chip, NULL_STAT_ODB_ERRORS, 1);
		break;
	default:
		cause = TSI721_SR_CHINT_ODBERR;
		null_stat_add(dev->chip, NULL_STAT_ODB_ERRORS, 1);
		break;
	}
	null_intr_raise(dev->fab, dev->ep, &chan->chint, &chan->chinte, cause,
			TSI721_MSIX_SR2PC_CH_INT(ODB_CHAN));
}

/* ---- doorbells that wait ---- */

/*
 * Word of a slot: info, destination ID, tt, and the lap over the slots, which
 * says that it is filled. Slots are taken by a compare-and-swap of tail.
 */
static inline uint64_t
pend_word(uint32_t destid, uint32_t tt, uint16_t info, uint32_t at)
{
	return info | (uint64_t)destid << 16 | (uint64_t)tt << 32 |
	       (uint64_t)(at / NULL_ODB_PENDING + 1) << 40;
}

static bool
pend_add(struct null_odb *odb, uint32_t destid, uint32_t tt, uint16_t info)
{
	uint32_t tail = atomic_load(&odb->tail);

	do {
		if (tail - atomic_load(&odb->head) >= NULL_ODB_PENDING)
			return false;
	} while (!atomic_compare_exchange_weak(&odb->tail, &tail, tail + 1));
	atomic_store_explicit(&odb->pend[tail % NULL_ODB_PENDING].since_ns, null_now_ns(),
			      memory_order_relaxed);
	atomic_store(&odb->pend[tail % NULL_ODB_PENDING].word, pend_word(destid, tt, info, tail));
	return true;
}

/* The oldest, if there is one and its writer has filled the slot. */
static bool
pend_head(struct null_odb *odb, uint32_t *destid, uint32_t *tt, uint16_t *info)
{
	uint32_t head = atomic_load_explicit(&odb->head, memory_order_relaxed);
	uint64_t word = atomic_load(&odb->pend[head % NULL_ODB_PENDING].word);

	*info = (uint16_t)word;
	*destid = (uint16_t)(word >> 16);
	*tt = (uint8_t)(word >> 32);
	return word == pend_word(*destid, *tt, *info, head);
}

/*
 * The head was answered with RETRY. It waits as long as its target makes room
 * for others; what stands behind it for the same target has waited with it.
 */
static bool
pend_expired(struct null_odb *odb, uint32_t key, uint32_t rp)
{
	uint32_t head = atomic_load_explicit(&odb->head, memory_order_relaxed);
	uint64_t since = atomic_load_explicit(&odb->pend[head % NULL_ODB_PENDING].since_ns,
					      memory_order_relaxed);
	uint64_t now = null_now_ns();

	if (odb->stall_key != key || odb->stall_rp != rp) {
		odb->stall_key = key;
		odb->stall_rp = rp;
		odb->stall_ns = now;
	}
	return now - since > ODB_TIMEOUT_NS && now - odb->stall_ns > ODB_TIMEOUT_NS;
}

/* Under the engine's lock: the oldest that waits. RETRY: none, or it goes on waiting. */
static enum null_resp
odb_step(struct null_device *dev, struct null_idb_after *after)
{
	struct null_odb *odb = &dev->chip->odb;
	uint32_t destid, tt;
	enum null_resp resp;
	uint16_t info;

	after->idq = NULL;
	after->late = false;
	if (!pend_head(odb, &destid, &tt, &info))
		return NULL_RESP_RETRY;
	resp = odb_deliver(dev, destid, tt, info, after);
	if (null_unlikely(after->late)) {
		/* At once again, but first those are woken who wait for the lock it had. */
		atomic_store(&odb->todo, 1);
		return resp;
	}
	if (resp == NULL_RESP_RETRY) {
		odb_ended(dev, resp);
		if (!pend_expired(odb, tt << 16 | destid, after->rp))
			return resp;
		resp = NULL_RESP_TIMEOUT;
	}
	atomic_store(&odb->head, atomic_load_explicit(&odb->head, memory_order_relaxed) + 1);
	odb_ended(dev, resp);
	return resp;
}

void
null_odb_run(struct null_device *dev)
{
	struct null_odb *odb = &dev->chip->odb;
	enum null_resp resp;
	struct null_idb_after after;

	do {
		if (!null_engine_enter(dev->fab, &odb->lock, &odb->todo))
			return;
		resp = odb_step(dev, &after);
		null_lock_release(dev->fab, &odb->lock);
		null_idb_delivered(dev, &after);
	} while (resp != NULL_RESP_RETRY || atomic_load(&odb->todo) != 0);
}

static inline bool
pend_full(const struct null_odb *odb)
{
	return atomic_load(&odb->tail) - atomic_load(&odb->head) >= NULL_ODB_PENDING;
}

bool
null_device_odb_room(struct null_device *dev)
{
	if (null_likely(!pend_full(&dev->chip->odb)))
		return true;
	/* This is when time limits are judged, too. */
	null_engine_start(dev, NULL_RETRY_ODB);
	return !pend_full(&dev->chip->odb);
}

/* A chip whose queue is full holds the bus, and with it the processor, until there is room. */
static void
odb_queue(struct null_device *dev, uint32_t destid, uint32_t tt, uint16_t info)
{
	while (!pend_add(&dev->chip->odb, destid, tt, info)) {
		null_engine_start(dev, NULL_RETRY_ODB);
		sched_yield();
	}
	null_engine_start(dev, NULL_RETRY_ODB);
}

/* Nothing older waits and the engine is free: deliver at once. False: not so. */
static bool
odb_direct(struct null_device *dev, uint32_t destid, uint32_t tt, uint16_t info)
{
	struct null_odb *odb = &dev->chip->odb;
	enum null_resp resp = NULL_RESP_RETRY;
	struct null_idb_after after = { .idq = NULL };

	if (null_unlikely(!null_lock_once(dev->fab, &odb->lock)))
		return false;
	if (null_likely(atomic_load_explicit(&odb->head, memory_order_relaxed) ==
			atomic_load_explicit(&odb->tail, memory_order_relaxed)))
		resp = odb_deliver(dev, destid, tt, info, &after);
	null_lock_release(dev->fab, &odb->lock);
	null_idb_delivered(dev, &after);
	if (null_unlikely(atomic_load(&odb->todo) != 0))
		null_odb_run(dev);
	if (null_unlikely(resp == NULL_RESP_RETRY))
		return false;
	odb_ended(dev, resp);
	return true;
}

void
null_device_odb_write(struct null_device *dev, uint32_t off, uint16_t info)
{
	uint32_t tt = off >> 18 & 0x3;
	uint32_t destid = off >> 2 & 0xffff;

	if (null_unlikely(off >= TSI721_BAR1_SIZE || (off & 0x3) != 0 || tt > TSI721_TT_16)) {
		odb_ended(dev, NULL_RESP_ERROR);
		return;
	}
	if (null_likely(tt == TSI721_TT_8))
		destid &= 0xff;
	if (null_likely(dev->exec == NULL_EXEC_INLINE) && odb_direct(dev, destid, tt, info))
		return;
	odb_queue(dev, destid, tt, info);
}
