/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include "tsi721_rawdev.h"

int
tsi721_selftest(uint16_t dev_id)
{
	RTE_SET_USED(dev_id);
	return -ENOTSUP;
}
