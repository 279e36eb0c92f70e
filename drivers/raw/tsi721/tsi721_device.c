/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include "tsi721_device.h"

int
tsi721_device_open_own(const char *name, const char *args, struct tsi721_device **dev)
{
	RTE_SET_USED(name);
	RTE_SET_USED(args);
	RTE_SET_USED(dev);
	return -ENOTSUP;
}

struct tsi721_device *
tsi721_device_get(const char *name)
{
	RTE_SET_USED(name);
	return NULL;
}

void
tsi721_device_put(struct tsi721_device *dev)
{
	RTE_SET_USED(dev);
}

RTE_LOG_REGISTER(tsi721_logtype, pmd.raw.tsi721, NOTICE);
