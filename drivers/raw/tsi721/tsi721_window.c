/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <inttypes.h>

#include "tsi721_device.h"
#include "tsi721_window.h"

struct ibwin {
	uint64_t raddr, iova, size;
};

/* What an open window is, read back from its registers. */
static struct ibwin
ibwin_read(struct tsi721_device *dev, unsigned int win)
{
	uint32_t code = (tsi721_read32(dev, TSI721_IBWIN_SZ(win)) & TSI721_IBWIN_SZ_SIZE) >>
			TSI721_IBWIN_SZ_SIZE_SHIFT;

	return (struct ibwin){
		.raddr = (uint64_t)tsi721_read32(dev, TSI721_IBWIN_UB(win)) << 32 |
			 (tsi721_read32(dev, TSI721_IBWIN_LB(win)) & TSI721_IBWIN_LB_BA),
		.iova = (uint64_t)tsi721_read32(dev, TSI721_IBWIN_TUA(win)) << 32 |
			(tsi721_read32(dev, TSI721_IBWIN_TLA(win)) & TSI721_IBWIN_TLA_ADD),
		.size = TSI721_IBWIN_SIZE_MIN << code,
	};
}

/* The window to use: one that is open with these values, or a free one. */
static int
ibwin_pick(struct tsi721_device *dev, const struct ibwin *want)
{
	unsigned int win;
	int free_win = -ENOSPC;

	for (win = 0; win < TSI721_IBWIN_NUM; win++) {
		struct ibwin w;

		if (!(dev->ibwin_used & 1u << win)) {
			if (free_win < 0)
				free_win = (int)win;
			continue;
		}
		w = ibwin_read(dev, win);
		if (w.raddr == want->raddr && w.iova == want->iova && w.size == want->size)
			return (int)win;
		if (want->raddr <= w.raddr + (w.size - 1) &&
		    w.raddr <= want->raddr + (want->size - 1))
			return -EEXIST;
	}
	return free_win;
}

static void
ibwin_write(struct tsi721_device *dev, unsigned int win, const struct ibwin *w)
{
	uint32_t code = (uint32_t)__builtin_ctzll(w->size / TSI721_IBWIN_SIZE_MIN);

	tsi721_write32(dev, TSI721_IBWIN_SZ(win), code << TSI721_IBWIN_SZ_SIZE_SHIFT);
	tsi721_write32(dev, TSI721_IBWIN_TUA(win), (uint32_t)(w->iova >> 32));
	tsi721_write32(dev, TSI721_IBWIN_TLA(win), (uint32_t)w->iova & TSI721_IBWIN_TLA_ADD);
	tsi721_write32(dev, TSI721_IBWIN_UB(win), (uint32_t)(w->raddr >> 32));
	/* The enable bit last: from here on the window is open. */
	tsi721_write32(dev, TSI721_IBWIN_LB(win),
		       ((uint32_t)w->raddr & TSI721_IBWIN_LB_BA) | TSI721_IBWIN_LB_WEN);
	tsi721_read32(dev, TSI721_IBWIN_LB(win));
}

int
tsi721_ibwin_open(struct tsi721_device *dev, uint64_t raddr, rte_iova_t iova, uint64_t size)
{
	const struct ibwin want = { raddr, iova, size };
	int win;

	if (!rte_is_power_of_2((uint32_t)(size >> 12)) || size % TSI721_IBWIN_SIZE_MIN != 0 ||
	    size > TSI721_IBWIN_SIZE_MAX || raddr % size != 0 || iova % size != 0) {
		TSI721_LOG(ERR, dev, "window of 0x%" PRIx64 " bytes at 0x%" PRIx64 " to 0x%" PRIx64
			   ": allowed are powers of two, 4 KiB to 16 GiB, at multiples of the size",
			   size, raddr, iova);
		return -EINVAL;
	}

	rte_spinlock_lock(&dev->lock);
	win = ibwin_pick(dev, &want);
	if (win >= 0 && !(dev->ibwin_used & 1u << win)) {
		ibwin_write(dev, (unsigned int)win, &want);
		dev->ibwin_used |= 1u << win;
		dev->ibwin_refs[win] = 0;
	}
	if (win >= 0)
		dev->ibwin_refs[win]++;
	rte_spinlock_unlock(&dev->lock);
	return win;
}

int
tsi721_ibwin_close(struct tsi721_device *dev, unsigned int win)
{
	int ret = -EINVAL;

	rte_spinlock_lock(&dev->lock);
	if (win < TSI721_IBWIN_NUM && (dev->ibwin_used & 1u << win))
		ret = 0;
	if (ret == 0 && --dev->ibwin_refs[win] == 0) {
		tsi721_write32(dev, TSI721_IBWIN_LB(win), 0);
		/* Read back: afterwards nothing comes in through it. */
		tsi721_read32(dev, TSI721_IBWIN_LB(win));
		dev->ibwin_used &= ~(1u << win);
	}
	rte_spinlock_unlock(&dev->lock);
	return ret;
}
