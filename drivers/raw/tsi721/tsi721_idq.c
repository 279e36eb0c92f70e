/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_malloc.h>
#include <rte_memzone.h>

#include "tsi721_doorbell_priv.h"
#include "tsi721_idq.h"

#define ENTRY_WORDS	(TSI721_IDQ_ENTRY_SIZE / sizeof(uint32_t))
/* Info and source ID of a free entry: 0xffff is the broadcast ID, nobody's own. */
#define ENTRY_FREE	UINT32_MAX
#define MASK_SHIFT	16

struct tsi721_idq {
	uint32_t *queue;
	uint32_t mask;			/* entries - 1 */
	uint32_t next, reported;	/* free-running */
	struct tsi721_device *dev;
	unsigned int nr;
	const struct rte_memzone *mz;
};

static inline uint32_t *
idq_entry(const struct tsi721_idq *q, uint32_t index)
{
	return &q->queue[(index & q->mask) * ENTRY_WORDS];
}

static int
idq_alloc(struct tsi721_idq *q, uint32_t entries, int socket_id)
{
	uint32_t i;

	q->mz = tsi721_ring_alloc(q->dev, "idq", q->nr, (size_t)entries * TSI721_IDQ_ENTRY_SIZE,
				  socket_id);
	if (q->mz == NULL)
		return -ENOMEM;
	q->queue = q->mz->addr;
	q->mask = entries - 1;
	for (i = 0; i < entries; i++)
		*idq_entry(q, i) = ENTRY_FREE;
	return 0;
}

static void
idq_hw_open(const struct tsi721_idq *q, uint16_t mask, uint16_t pattern)
{
	struct tsi721_device *dev = q->dev;

	rte_io_wmb();
	tsi721_write32(dev, TSI721_IDQ_SIZE(q->nr), tsi721_ring_code(q->mask + 1));
	tsi721_write32(dev, TSI721_IDQ_BASEU(q->nr), (uint32_t)(q->mz->iova >> 32));
	tsi721_write32(dev, TSI721_IDQ_BASEL(q->nr), (uint32_t)q->mz->iova);
	tsi721_write32(dev, TSI721_IDQ_MASK(q->nr), (uint32_t)mask << MASK_SHIFT | pattern);
	tsi721_write32(dev, TSI721_IDQ_CTL(q->nr), TSI721_IDQ_CTL_INIT);
	tsi721_write32(dev, TSI721_IDQ_RP(q->nr), 0);
}

static bool
idq_any(const struct tsi721_device *dev)
{
	unsigned int i;

	for (i = 0; i < TSI721_IDQ_NUM; i++)
		if (dev->idq[i] != NULL)
			return true;
	return false;
}

static bool
idq_good(struct tsi721_device *dev, uint16_t mask, uint16_t pattern, uint32_t entries)
{
	if ((mask & pattern & TSI721_IDQ_FIRST) != 0 && (pattern & ~mask) == 0 &&
	    entries >= TSI721_IDQ_ENTRIES_MIN && entries <= TSI721_IDQ_ENTRIES_MAX &&
	    (entries & (entries - 1)) == 0)
		return true;
	TSI721_LOG(ERR, dev, "doorbell queue for 0x%04x of mask 0x%04x, %u entries: allowed are "
		   "masks and patterns with 0x8000, no other bits in the pattern than in the mask, "
		   "powers of two from 512 to 524288", pattern, mask, entries);
	return false;
}

/* Under the device's lock. */
static int
idq_place(struct tsi721_device *dev, struct tsi721_idq *q)
{
	for (q->nr = 1; q->nr < TSI721_IDQ_NUM; q->nr++)
		if (dev->idq[q->nr] == NULL) {
			dev->idq[q->nr] = q;
			return 0;
		}
	return -ENOSPC;
}

int
tsi721_idq_open(struct tsi721_device *dev, uint16_t mask, uint16_t pattern, uint32_t entries,
		int socket_id)
{
	struct tsi721_idq *q;
	int ret;

	if (!idq_good(dev, mask, pattern, entries))
		return -EINVAL;
	q = rte_zmalloc_socket("tsi721_idq", sizeof(*q), RTE_CACHE_LINE_SIZE, socket_id);
	if (q == NULL)
		return -ENOMEM;
	q->dev = dev;
	rte_spinlock_lock(&dev->lock);
	ret = tsi721_dbell_limit(dev, TSI721_IDQ_FIRST);
	if (ret == 0)
		ret = idq_place(dev, q);
	if (ret == 0) {
		ret = idq_alloc(q, entries, socket_id);
		if (ret == 0)
			idq_hw_open(q, mask, pattern);
		else
			dev->idq[q->nr] = NULL;
	}
	if (ret != 0 && !idq_any(dev))
		tsi721_dbell_limit(dev, 0);
	rte_spinlock_unlock(&dev->lock);
	if (ret != 0) {
		rte_free(q);
		return ret;
	}
	return (int)q->nr;
}

void
tsi721_idq_close(struct tsi721_device *dev, unsigned int nr)
{
	struct tsi721_idq *q = dev->idq[nr];

	/* It takes only 0xffff, is suspended, and its base is nowhere: there is no plain off. */
	tsi721_write32(dev, TSI721_IDQ_MASK(nr), TSI721_IDQ_MASK_MASK | TSI721_IDQ_MASK_PATT);
	tsi721_write32(dev, TSI721_IDQ_CTL(nr), TSI721_IDQ_CTL_SUSPEND);
	tsi721_read32(dev, TSI721_IDQ_CTL(nr));
	tsi721_write32(dev, TSI721_IDQ_BASEU(nr), 0);
	tsi721_write32(dev, TSI721_IDQ_BASEL(nr), 0);
	rte_spinlock_lock(&dev->lock);
	dev->idq[nr] = NULL;
	if (!idq_any(dev))
		tsi721_dbell_limit(dev, 0);
	rte_spinlock_unlock(&dev->lock);
	tsi721_ring_free(q->mz);
	rte_free(q);
}

unsigned int
tsi721_idq_poll(struct tsi721_idq *q, struct rte_pmd_tsi721_doorbell *bells, unsigned int nb)
{
	unsigned int n;

	for (n = 0; n < nb; n++) {
		uint32_t *entry = idq_entry(q, q->next);
		uint32_t word = __atomic_load_n(entry, __ATOMIC_ACQUIRE);

		if (word == ENTRY_FREE)
			break;
		word = rte_be_to_cpu_32(word);
		bells[n].info = (uint16_t)(word >> 16);
		bells[n].src = (uint16_t)word;
		*entry = ENTRY_FREE;
		q->next++;
	}
	/* The device is told a quarter of the queue at a time, or when there is nothing. */
	if (q->next - q->reported > q->mask / 4 || (n < nb && q->next != q->reported)) {
		rte_io_wmb();
		tsi721_write32(q->dev, TSI721_IDQ_RP(q->nr), q->next & q->mask);
		q->reported = q->next;
	}
	return n;
}
