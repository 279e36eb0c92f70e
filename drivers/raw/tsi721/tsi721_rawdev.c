/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <dev_driver.h>
#include <rte_malloc.h>

#include "tsi721_cm.h"
#include "tsi721_dmadev.h"
#include "tsi721_doorbell.h"
#include "tsi721_idq.h"
#include "tsi721_maint.h"
#include "tsi721_obwin.h"
#include "tsi721_rawdev.h"
#include "tsi721_ring.h"
#include "tsi721_secondary.h"
#include "tsi721_window.h"

static int
raw_info_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	struct rte_pmd_tsi721_info *info = obj;
	struct tsi721_device *dev = raw->dev;
	struct tsi721_link link;

	if (info == NULL || size != sizeof(*info)) {
		TSI721_LOG(ERR, dev, "info of %zu bytes: needed is struct rte_pmd_tsi721_info, %zu",
			   size, sizeof(*info));
		return -EINVAL;
	}
	tsi721_link_get(dev, &link);
	*info = (struct rte_pmd_tsi721_info){
		.destid = tsi721_device_destid(dev),
		.destid_bits = dev->sys16 ? 16 : 8,
		.host = tsi721_read32(dev, TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR) &
			RIO_PORT_GEN_HOST,
		.link_up = link.up,
		.link_lanes = link.lanes,
		.link_mbaud = link.mbaud,
		.queues_max = raw->max_queues,
		.mbox_mask = dev->conf.mbox_sel,
		.queue_descs = dev->conf.descs,
		.desc_min = TSI721_RING_MIN,
		.desc_max = TSI721_RING_MAX,
	};
	return 0;
}

/* --- queues --- */

static int
raw_queue_release(struct rte_rawdev *rawdev, uint16_t queue_id)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;

	if (queue_id >= raw->nb_queues)
		return -EINVAL;
	tsi721_rawdev_events_close(raw, TSI721_INTR_BDMA, 1u << raw->queues[queue_id].ch);
	tsi721_rawop_queue_close(&raw->queues[queue_id]);
	return 0;
}

static void
raw_queues_release(struct tsi721_rawdev *raw)
{
	uint16_t i;

	tsi721_rawdev_events_close(raw, TSI721_INTR_BDMA, UINT32_MAX);
	for (i = 0; i < raw->nb_queues; i++)
		tsi721_rawop_queue_close(&raw->queues[i]);
}

static int
raw_configure(const struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	const struct rte_pmd_tsi721_config *config = obj;

	if (config == NULL || size != sizeof(*config) || config->nb_queues > raw->max_queues) {
		TSI721_LOG(ERR, raw->dev, "%u queues in %zu bytes: allowed are 0 to %u in %zu",
			   config != NULL && size == sizeof(*config) ? config->nb_queues : 0, size,
			   raw->max_queues, sizeof(*config));
		return -EINVAL;
	}
	raw_queues_release(raw);
	raw->nb_queues = config->nb_queues;
	return 0;
}

static int
raw_queue_def_conf(struct rte_rawdev *rawdev, uint16_t queue_id, rte_rawdev_obj_t obj, size_t size)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	struct rte_pmd_tsi721_queue_conf *conf = obj;

	if (conf == NULL || size != sizeof(*conf) || queue_id >= raw->max_queues)
		return -EINVAL;
	conf->nb_desc = raw->dev->conf.descs;
	conf->socket_id = raw->dev->socket_id;
	return 0;
}

static int
raw_queue_setup(struct rte_rawdev *rawdev, uint16_t queue_id, rte_rawdev_obj_t obj, size_t size)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	const struct rte_pmd_tsi721_queue_conf *conf = obj;
	struct tsi721_rawdev_queue *queue;

	if (conf == NULL || size != sizeof(*conf) || queue_id >= raw->nb_queues) {
		TSI721_LOG(ERR, raw->dev,
			   "queue %u with %zu bytes: allowed are 0 to below %u with %zu", queue_id,
			   size, raw->nb_queues, sizeof(*conf));
		return -EINVAL;
	}
	if (rawdev->started)
		return -EBUSY;
	queue = &raw->queues[queue_id];
	tsi721_rawdev_events_close(raw, TSI721_INTR_BDMA, 1u << queue->ch);
	tsi721_rawop_queue_close(queue);
	return tsi721_rawop_queue_open(queue, raw->dev, conf->nb_desc, conf->socket_id);
}

static uint16_t
raw_queue_count(struct rte_rawdev *rawdev)
{
	const struct tsi721_rawdev *raw = rawdev->dev_private;

	return raw->nb_queues;
}

static int
raw_start(struct rte_rawdev *rawdev)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	uint16_t i;
	int ret;

	for (i = 0; i < raw->nb_queues; i++) {
		if (raw->queues[i].q != NULL)
			continue;
		ret = tsi721_rawop_queue_open(&raw->queues[i], raw->dev, raw->dev->conf.descs,
					      raw->dev->socket_id);
		if (ret != 0)
			return ret;
	}
	return 0;
}

/* What runs goes on, and can be dequeued; nothing more is taken. */
static void
raw_stop(struct rte_rawdev *rawdev)
{
	RTE_SET_USED(rawdev);
}

void
tsi721_rawdev_release(struct tsi721_rawdev *raw)
{
	unsigned int i;

	tsi721_cm_release(raw);
	for (i = 0; i < TSI721_INTR_SRCS; i++)
		tsi721_rawdev_events_close(raw, (enum tsi721_intr_src)i, UINT32_MAX);
	raw_queues_release(raw);
	for (i = 0; i < RTE_PMD_TSI721_MBOXES; i++) {
		tsi721_omsg_close(raw->out[i], NULL, NULL);
		tsi721_imsg_close(raw->in[i]);
		raw->out[i] = NULL;
		raw->in[i] = NULL;
	}
	for (i = 0; i < TSI721_IBWIN_NUM; i++)
		for (; raw->windows[i] != 0; raw->windows[i]--)
			tsi721_ibwin_close(raw->dev, i);
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		if (raw->outwins & 1u << i)
			tsi721_obwin_close(raw->dev, i);
	raw->outwins = 0;
	for (i = 0; i < TSI721_IDQ_NUM; i++)
		if (raw->bell_queues & 1u << i)
			tsi721_idq_close(raw->dev, i);
	raw->bell_queues = 0;
	while (raw->nb_ranges != 0) {
		raw->nb_ranges--;
		tsi721_dbell_release(raw->dev, raw->ranges[raw->nb_ranges].first,
				     raw->ranges[raw->nb_ranges].last);
	}
}

static int
raw_close(struct rte_rawdev *rawdev)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;

	tsi721_rawdev_release(raw);
	raw->nb_queues = 0;
	return 0;
}

/* As after the probe. Refused while others hold the device: it is theirs too. */
static int
raw_reset(struct rte_rawdev *rawdev)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;

	if (raw->dev->refcnt != 0) {
		TSI721_LOG(ERR, raw->dev, "cannot be reset, it is held %u times", raw->dev->refcnt);
		return -EBUSY;
	}
	raw_close(rawdev);
	rawdev->started = 0;
	return tsi721_xstats_reset(rawdev, NULL, 0);
}

/* --- operations --- */

static struct tsi721_rawdev_queue *
raw_queue(struct rte_rawdev *rawdev, rte_rawdev_obj_t context)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	uintptr_t id = (uintptr_t)context;

	return likely(id < raw->nb_queues && raw->queues[id].q != NULL) ? &raw->queues[id] : NULL;
}

static int
raw_enqueue(struct rte_rawdev *rawdev, struct rte_rawdev_buf **buffers, unsigned int count,
	    rte_rawdev_obj_t context)
{
	struct tsi721_rawdev_queue *queue = raw_queue(rawdev, context);
	unsigned int n;

	if (unlikely(queue == NULL || !rawdev->started))
		return -EINVAL;
	for (n = 0; n < count; n++)
		if (tsi721_rawop_post(queue, buffers[n]->buf_addr) != 0)
			break;
	tsi721_rawop_kick(queue);
	return (int)n;
}

static int
raw_dequeue(struct rte_rawdev *rawdev, struct rte_rawdev_buf **buffers, unsigned int count,
	    rte_rawdev_obj_t context)
{
	struct tsi721_rawdev_queue *queue = raw_queue(rawdev, context);
	struct rte_pmd_tsi721_op *ops[32];
	unsigned int n = 0, got, burst, i;

	if (unlikely(queue == NULL))
		return -EINVAL;
	do {
		burst = RTE_MIN(count - n, RTE_DIM(ops));
		got = tsi721_rawop_reap(queue, ops, burst);
		for (i = 0; i < got; i++)
			buffers[n++]->buf_addr = ops[i];
	} while (got == burst && n < count);
	return (int)n;
}

/* --- looking at it --- */

static int
raw_version_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	struct rte_pmd_tsi721_version *version = obj;
	uint32_t id, asm_id, asm_info;

	if (version == NULL)
		return -EINVAL;
	id = tsi721_read32(raw->dev, RIO_DEV_ID_CAR);
	asm_id = tsi721_read32(raw->dev, RIO_ASM_ID_CAR);
	asm_info = tsi721_read32(raw->dev, RIO_ASM_INFO_CAR);
	*version = (struct rte_pmd_tsi721_version){
		.vendor = id & RIO_DEV_ID_VENDOR,
		.device = (uint16_t)(id >> 16),
		.revision = tsi721_read32(raw->dev, RIO_DEV_INFO_CAR),
		.asm_vendor = asm_id & RIO_DEV_ID_VENDOR,
		.asm_device = (uint16_t)(asm_id >> 16),
		.asm_revision = (uint16_t)(asm_info >> 16),
	};
	return 0;
}

/* An open channel; under the lock nobody closes it. */
static void
dump_channel(struct tsi721_device *dev, unsigned int ch, FILE *f)
{
	unsigned int pending = 0, room = 0;
	bool open;

	rte_spinlock_lock(&dev->lock);
	open = dev->bdma[ch] != NULL;
	if (open) {
		pending = tsi721_bdma_pending(dev->bdma[ch]);
		room = tsi721_bdma_free(dev->bdma[ch]);
	}
	rte_spinlock_unlock(&dev->lock);
	if (open)
		fprintf(f, "  DMA channel %u: %u operations pending, %u descriptors free\n", ch,
			pending, room);
}

static int
raw_dump(struct rte_rawdev *rawdev, FILE *f)
{
	struct tsi721_rawdev *raw = rawdev->dev_private;
	struct tsi721_device *dev = raw->dev;
	unsigned int count = tsi721_xstats_count(dev), i;
	struct rte_rawdev_xstats_name *names;
	struct tsi721_link link;
	uint64_t value;

	if (f == NULL)
		return -EINVAL;
	tsi721_link_get(dev, &link);
	fprintf(f, "%s: destination ID 0x%x of %u bits, link %s", dev->name, dev->destid,
		dev->sys16 ? 16 : 8, link.up ? "up" : "down");
	if (link.up)
		fprintf(f, " x%u at %u Mbaud", link.lanes, link.mbaud);
	fprintf(f, ", held %u times\n", dev->refcnt);
	for (i = 0; i < TSI721_DMAC_NUM; i++)
		dump_channel(dev, i, f);
	for (i = 0; i < TSI721_MSG_MBOX_NUM; i++)
		if (dev->omsg[i] != NULL || dev->imsg[i] != NULL)
			fprintf(f, "  mailbox %u:%s%s\n", i, dev->omsg[i] != NULL ? " out" : "",
				dev->imsg[i] != NULL ? " in" : "");
	for (i = 0; i < TSI721_IBWIN_NUM; i++)
		if (dev->ibwin_used & 1u << i)
			fprintf(f, "  inbound window %u: 0x%08x%08x\n", i,
				tsi721_read32(dev, TSI721_IBWIN_UB(i)),
				tsi721_read32(dev, TSI721_IBWIN_LB(i)) & TSI721_IBWIN_LB_BA);
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		if (dev->obwin[i].size != 0)
			fprintf(f, "  outbound window %u: BAR%u at 0x%" PRIx64 ", 0x%" PRIx64
				" bytes\n", i, dev->obwin[i].bar, dev->obwin[i].off,
				dev->obwin[i].size);

	names = calloc(count, sizeof(*names));
	if (names == NULL)
		return -ENOMEM;
	tsi721_xstats_names(rawdev, names, count);
	for (i = 0; i < count; i++) {
		tsi721_xstats_get(rawdev, &i, &value, 1);
		if (value != 0)
			fprintf(f, "  %s: %" PRIu64 "\n", names[i].name, value);
	}
	free(names);
	return 0;
}

static const struct rte_rawdev_ops raw_ops = {
	.dev_info_get = raw_info_get,
	.dev_configure = raw_configure,
	.dev_start = raw_start,
	.dev_stop = raw_stop,
	.dev_close = raw_close,
	.dev_reset = raw_reset,
	.queue_def_conf = raw_queue_def_conf,
	.queue_setup = raw_queue_setup,
	.queue_release = raw_queue_release,
	.queue_count = raw_queue_count,
	.enqueue_bufs = raw_enqueue,
	.dequeue_bufs = raw_dequeue,
	.dump = raw_dump,
	.attr_get = tsi721_attr_get,
	.attr_set = tsi721_attr_set,
	.xstats_get = tsi721_xstats_get,
	.xstats_get_names = tsi721_xstats_names,
	.xstats_get_by_name = tsi721_xstats_by_name,
	.xstats_reset = tsi721_xstats_reset,
	.firmware_version_get = raw_version_get,
	.dev_selftest = tsi721_selftest,
};

/* --- life --- */

int
tsi721_rawdev_create(struct tsi721_device *dev, struct rte_device *rte_dev)
{
	struct tsi721_rawdev *raw;
	struct rte_rawdev *rawdev;
	uint8_t ch;
	int ret;

	rawdev = rte_rawdev_pmd_allocate(dev->name, sizeof(*raw), dev->socket_id);
	if (rawdev == NULL) {
		TSI721_LOG(ERR, dev, "no rawdev: the name is taken, there are %u, or no memory",
			   RTE_RAWDEV_MAX_DEVS);
		return -ENOMEM;
	}
	rawdev->dev_ops = &raw_ops;
	rawdev->device = rte_dev;
	rawdev->driver_name = "raw_tsi721";
	raw = rawdev->dev_private;
	raw->dev = dev;
	rte_spinlock_init(&raw->lock);
	for (ch = 0; ch < TSI721_DMAC_MAINT; ch++)
		if (dev->conf.dma_sel & 1u << ch)
			raw->queues[raw->max_queues++].ch = ch;
	raw->xstats_base = rte_zmalloc_socket("tsi721_xstats", tsi721_xstats_count(dev) *
					      sizeof(*raw->xstats_base), 0, dev->socket_id);
	if (raw->xstats_base == NULL) {
		rte_rawdev_pmd_release(rawdev);
		return -ENOMEM;
	}
	dev->rawdev = rawdev;
	ret = tsi721_dmadevs_create(dev);
	if (ret != 0)
		tsi721_rawdev_destroy(dev);
	return ret;
}

void
tsi721_rawdev_destroy(struct tsi721_device *dev)
{
	struct tsi721_rawdev *raw = dev->rawdev->dev_private;

	tsi721_dmadevs_destroy(dev);
	dev->rawdev->started = 0;
	rte_free(raw->xstats_base);
	rte_rawdev_pmd_release(dev->rawdev);
	dev->rawdev = NULL;
}

struct tsi721_rawdev *
tsi721_rawdev_of(uint16_t dev_id)
{
	if (dev_id >= RTE_RAWDEV_MAX_DEVS || !rte_rawdev_pmd_is_valid_dev((uint8_t)dev_id))
		return NULL;
	if (unlikely(rte_rawdevs[dev_id].dev_ops != &raw_ops)) {
		tsi721_secondary_refuses(&rte_rawdevs[dev_id]);
		return NULL;
	}
	return rte_rawdevs[dev_id].dev_private;
}
