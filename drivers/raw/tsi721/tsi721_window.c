/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include "tsi721_device.h"
#include "tsi721_window.h"

int
tsi721_ibwin_open(struct tsi721_device *dev, uint64_t raddr, rte_iova_t iova, uint64_t size)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(raddr);
	RTE_SET_USED(iova);
	RTE_SET_USED(size);
	return -ENOTSUP;
}

int
tsi721_ibwin_close(struct tsi721_device *dev, unsigned int win)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(win);
	return -ENOTSUP;
}
