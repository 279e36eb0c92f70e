/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include "tsi721_device.h"
#include "tsi721_maint.h"

int
tsi721_lcread(struct tsi721_device *dev, uint32_t off, uint32_t *val)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(off);
	RTE_SET_USED(val);
	return -ENOTSUP;
}

int
tsi721_lcwrite(struct tsi721_device *dev, uint32_t off, uint32_t val)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(off);
	RTE_SET_USED(val);
	return -ENOTSUP;
}

int
tsi721_maint_read(struct tsi721_device *dev, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(destid);
	RTE_SET_USED(hop);
	RTE_SET_USED(off);
	RTE_SET_USED(val);
	return -ENOTSUP;
}

int
tsi721_maint_write(struct tsi721_device *dev, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(destid);
	RTE_SET_USED(hop);
	RTE_SET_USED(off);
	RTE_SET_USED(val);
	return -ENOTSUP;
}

void
tsi721_link_get(struct tsi721_device *dev, struct tsi721_link *link)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(link);
}
