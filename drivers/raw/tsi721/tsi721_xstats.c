/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Extended statistics: the counters of all blocks in one list. Counters of
 * queues go on over their being closed and opened.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tsi721_doorbell.h"
#include "tsi721_maint_priv.h"
#include "tsi721_rawdev.h"

/* Counters of `count` things, numbered when there are more than one. */
struct xstats_block {
	const char *prefix;
	unsigned int count;
	unsigned int nb_fields;
	const char *const *fields;
	uint64_t (*get)(struct tsi721_device *dev, unsigned int i, unsigned int field);
};

static const char *const dma_fields[] = { "ops", "bytes", "errors", "full" };
static const char *const out_fields[] = { "messages", "bytes", "errors", "full" };
static const char *const in_fields[] = { "messages", "bytes", "errors" };
static const char *const dbell_fields[] = { "sent", "received", "unclaimed", "errors" };
static const char *const maint_fields[] = { "reads", "writes", "errors" };
static const char *const intr_fields[] = { "handled" };

static uint64_t
dma_get(struct tsi721_device *dev, unsigned int i, unsigned int field)
{
	struct tsi721_bdma_stats now = { 0 }, past;

	/* So that it is not closed and freed meanwhile. */
	rte_spinlock_lock(&dev->lock);
	past = dev->bdma_past[i];
	if (dev->bdma[i] != NULL)
		tsi721_bdma_stats(dev->bdma[i], &now);
	rte_spinlock_unlock(&dev->lock);
	switch (field) {
	case 0:
		return past.ops + now.ops;
	case 1:
		return past.bytes + now.bytes;
	case 2:
		return past.errors + now.errors;
	default:
		return past.full + now.full;
	}
}

static uint64_t
msg_field(const struct tsi721_msg_stats *past, const struct tsi721_msg_stats *now,
	  unsigned int field)
{
	switch (field) {
	case 0:
		return past->messages + now->messages;
	case 1:
		return past->bytes + now->bytes;
	case 2:
		return past->errors + now->errors;
	default:
		return past->full + now->full;
	}
}

static uint64_t
out_get(struct tsi721_device *dev, unsigned int i, unsigned int field)
{
	struct tsi721_msg_stats now = { 0 }, past;

	rte_spinlock_lock(&dev->lock);
	past = dev->omsg_past[i];
	if (dev->omsg[i] != NULL)
		tsi721_omsg_stats(dev->omsg[i], &now);
	rte_spinlock_unlock(&dev->lock);
	return msg_field(&past, &now, field);
}

static uint64_t
in_get(struct tsi721_device *dev, unsigned int i, unsigned int field)
{
	struct tsi721_msg_stats now = { 0 }, past;

	rte_spinlock_lock(&dev->lock);
	past = dev->imsg_past[i];
	if (dev->imsg[i] != NULL)
		tsi721_imsg_stats(dev->imsg[i], &now);
	rte_spinlock_unlock(&dev->lock);
	return msg_field(&past, &now, field);
}

static uint64_t
dbell_get(struct tsi721_device *dev, unsigned int i, unsigned int field)
{
	struct tsi721_dbell_stats stats;

	RTE_SET_USED(i);
	tsi721_dbell_stats(dev, &stats);
	switch (field) {
	case 0:
		return stats.sent;
	case 1:
		return stats.received;
	case 2:
		return stats.unclaimed;
	default:
		return stats.errors;
	}
}

static uint64_t
maint_get(struct tsi721_device *dev, unsigned int i, unsigned int field)
{
	struct tsi721_maint_stats stats;

	RTE_SET_USED(i);
	tsi721_maint_stats(dev, &stats);
	switch (field) {
	case 0:
		return stats.reads;
	case 1:
		return stats.writes;
	default:
		return stats.errors;
	}
}

static uint64_t
intr_get(struct tsi721_device *dev, unsigned int i, unsigned int field)
{
	RTE_SET_USED(i);
	RTE_SET_USED(field);
	return dev->intr_count;
}

#define FIELDS(f)	RTE_DIM(f), f

static const struct xstats_block xstats_blocks[] = {
	{ "dma", TSI721_DMAC_MAINT, FIELDS(dma_fields), dma_get },
	{ "out", TSI721_MSG_MBOX_NUM, FIELDS(out_fields), out_get },
	{ "in", TSI721_MSG_MBOX_NUM, FIELDS(in_fields), in_get },
	{ "dbell", 1, FIELDS(dbell_fields), dbell_get },
	{ "maint", 1, FIELDS(maint_fields), maint_get },
	{ "interrupts", 1, FIELDS(intr_fields), intr_get },
};

static unsigned int
host_count(const struct tsi721_device *dev)
{
	unsigned int n = 0;

	if (dev->host->stat_name != NULL)
		while (dev->host->stat_name(n) != NULL)
			n++;
	return n;
}

unsigned int
tsi721_xstats_count(const struct tsi721_device *dev)
{
	unsigned int n = 0, b;

	for (b = 0; b < RTE_DIM(xstats_blocks); b++)
		n += xstats_blocks[b].count * xstats_blocks[b].nb_fields;
	return n + host_count(dev);
}

/* Block of a counter; *id becomes its number there. NULL: of what stands behind the device. */
static const struct xstats_block *
xstats_block_of(unsigned int *id)
{
	unsigned int b;

	for (b = 0; b < RTE_DIM(xstats_blocks); b++) {
		unsigned int n = xstats_blocks[b].count * xstats_blocks[b].nb_fields;

		if (*id < n)
			return &xstats_blocks[b];
		*id -= n;
	}
	return NULL;
}

static uint64_t
xstats_value(struct tsi721_device *dev, unsigned int id)
{
	const struct xstats_block *b = xstats_block_of(&id);

	if (b == NULL)
		return dev->host->stat_get(dev, id);
	return b->get(dev, id / b->nb_fields, id % b->nb_fields);
}

static void
xstats_name(const struct tsi721_device *dev, unsigned int id, char *name, size_t size)
{
	const struct xstats_block *b = xstats_block_of(&id);

	if (b == NULL)
		snprintf(name, size, "null_%s", dev->host->stat_name(id));
	else if (b->count == 1)
		snprintf(name, size, "%s_%s", b->prefix, b->fields[id]);
	else
		snprintf(name, size, "%s%u_%s", b->prefix, id / b->nb_fields,
			 b->fields[id % b->nb_fields]);
}

int
tsi721_xstats_get(const struct rte_rawdev *rawdev, const unsigned int ids[], uint64_t values[],
		  unsigned int n)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	unsigned int count = tsi721_xstats_count(raw->dev), i;

	for (i = 0; i < n; i++) {
		if (ids[i] >= count)
			return -EINVAL;
		values[i] = xstats_value(raw->dev, ids[i]) - raw->xstats_base[ids[i]];
	}
	return (int)n;
}

int
tsi721_xstats_names(const struct rte_rawdev *rawdev, struct rte_rawdev_xstats_name *names,
		    unsigned int size)
{
	const struct tsi721_rawdev *raw = rawdev->dev_private;
	unsigned int count = tsi721_xstats_count(raw->dev), i;

	if (names == NULL || size < count)
		return (int)count;
	for (i = 0; i < count; i++)
		xstats_name(raw->dev, i, names[i].name, sizeof(names[i].name));
	return (int)count;
}

uint64_t
tsi721_xstats_by_name(const struct rte_rawdev *rawdev, const char *name, unsigned int *id)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	unsigned int count = tsi721_xstats_count(raw->dev), i;
	char own[RTE_RAW_DEV_XSTATS_NAME_SIZE];

	for (i = 0; i < count; i++) {
		xstats_name(raw->dev, i, own, sizeof(own));
		if (strcmp(own, name) == 0) {
			*id = i;
			return xstats_value(raw->dev, i) - raw->xstats_base[i];
		}
	}
	return (uint64_t)-EINVAL;
}

int
tsi721_xstats_reset(struct rte_rawdev *rawdev, const uint32_t ids[], uint32_t nb_ids)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	unsigned int count = tsi721_xstats_count(raw->dev), i;

	for (i = 0; ids != NULL && i < nb_ids; i++)
		if (ids[i] >= count)
			return -EINVAL;
	if (ids == NULL)
		nb_ids = count;
	for (i = 0; i < nb_ids; i++) {
		unsigned int id = ids != NULL ? ids[i] : i;

		raw->xstats_base[id] = xstats_value(raw->dev, id);
	}
	return 0;
}
