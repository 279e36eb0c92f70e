/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include "tsi721_device.h"
#include "tsi721_doorbell.h"

void
tsi721_dbell_send(struct tsi721_device *dev, uint16_t destid, uint16_t info)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(destid);
	RTE_SET_USED(info);
}

int
tsi721_dbell_request(struct tsi721_device *dev, uint16_t first, uint16_t last, tsi721_dbell_cb cb, void *arg)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(first);
	RTE_SET_USED(last);
	RTE_SET_USED(cb);
	RTE_SET_USED(arg);
	return -ENOTSUP;
}

void
tsi721_dbell_release(struct tsi721_device *dev, uint16_t first, uint16_t last)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(first);
	RTE_SET_USED(last);
}

unsigned int
tsi721_dbell_poll(struct tsi721_device *dev, unsigned int max)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(max);
	return 0;
}

void
tsi721_dbell_stats(struct tsi721_device *dev, struct tsi721_dbell_stats *stats)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(stats);
}
