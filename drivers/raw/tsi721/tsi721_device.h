/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_DEVICE_H
#define TSI721_DEVICE_H

/*
 * One Tsi721: its BARs, how they are accessed, its life, and the blocks that
 * hang on it. This header and those of the blocks (tsi721_bdma.h,
 * tsi721_doorbell.h, tsi721_mbox.h, tsi721_window.h, tsi721_maint.h) are the
 * internal API that net/rionet is built on; applications use
 * rte_pmd_tsi721.h.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>
#include <rte_io.h>
#include <rte_byteorder.h>
#include <rte_spinlock.h>

#include "tsi721_regs.h"

struct tsi721_device;
struct tsi721_bdma;
struct tsi721_dbell;
struct tsi721_maint;
struct rte_rawdev;
struct rte_intr_handle;

#define TSI721_NAME_LEN		64

/**
 * How a device that is not memory-mapped is accessed. NULL ops mean plain
 * loads and stores to the mapped BARs.
 */
struct tsi721_bus_ops {
	uint32_t (*read32)(void *bus, unsigned int bar, uint64_t off);
	void (*write32)(void *bus, unsigned int bar, uint64_t off, uint32_t val);
	/* A 16-bit write of `info`, big-endian on the bus, to BAR1. */
	void (*doorbell)(void *bus, uint32_t off, uint16_t info);
	int (*cfg_read)(void *bus, uint32_t off, void *buf, uint32_t len);
	int (*cfg_write)(void *bus, uint32_t off, const void *buf, uint32_t len);
	void (*close)(void *bus);
};

struct tsi721_device {
	uint8_t *bar[6];			/* mapped BARs, where there are any */
	const struct tsi721_bus_ops *ops;	/* NULL on a board */
	void *bus;				/* for ops */
	uint16_t destid;
	bool sys16;				/* 16-bit destination IDs on this fabric */
	int socket_id;
	struct tsi721_bdma *bdma[TSI721_DMAC_NUM];
	struct tsi721_dbell *dbell;
	struct tsi721_maint *maint;
	char name[TSI721_NAME_LEN];
	struct rte_rawdev *rawdev;
	struct rte_intr_handle *intr_handle;	/* NULL: no interrupts */
	uint32_t refcnt;			/* under the device list's lock */
};

static __rte_always_inline uint32_t
tsi721_read32(struct tsi721_device *dev, uint32_t off)
{
	if (likely(dev->ops == NULL))
		return rte_le_to_cpu_32(rte_read32_relaxed(dev->bar[TSI721_BAR_REGS] + off));
	return dev->ops->read32(dev->bus, TSI721_BAR_REGS, off);
}

static __rte_always_inline void
tsi721_write32(struct tsi721_device *dev, uint32_t off, uint32_t val)
{
	if (likely(dev->ops == NULL))
		rte_write32_relaxed(rte_cpu_to_le_32(val), dev->bar[TSI721_BAR_REGS] + off);
	else
		dev->ops->write32(dev->bus, TSI721_BAR_REGS, off, val);
}

/** Look a device up by rawdev name (a PCI address for a board) and hold it. */
__rte_internal
struct tsi721_device *tsi721_device_get(const char *name);

/** Give back what tsi721_device_get returned. NULL is allowed. */
__rte_internal
void tsi721_device_put(struct tsi721_device *dev);

#endif /* TSI721_DEVICE_H */
