/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_WINDOW_H
#define TSI721_WINDOW_H

/*
 * Inbound windows: what of this machine's memory the fabric may read and
 * write, and at which RapidIO address. There is no filter by source. Any
 * thread.
 */

#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

struct tsi721_device;

/**
 * Show [iova, iova + size) at RapidIO address raddr. size is a power of two,
 * 4 KiB to 16 GiB; raddr and iova are multiples of it. A window that is open
 * with just these values is held once more: it closes with its last holder.
 * @return window number 0 to 7; -EINVAL; -EEXIST overlaps another open window;
 *   -ENOSPC all eight are open.
 */
__rte_internal
int tsi721_ibwin_open(struct tsi721_device *dev, uint64_t raddr, rte_iova_t iova, uint64_t size);
/** Give a window back; the last holder's call closes it. -EINVAL: not open. */
__rte_internal
int tsi721_ibwin_close(struct tsi721_device *dev, unsigned int win);

#endif /* TSI721_WINDOW_H */
