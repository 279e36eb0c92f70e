/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The public API of interrupts: what the application opened, and what it may wait for. */

#include <errno.h>

#include "tsi721_cm.h"
#include "tsi721_intr.h"
#include "tsi721_rawdev.h"

static const enum tsi721_intr_src intr_src[] = {
	[RTE_PMD_TSI721_INTR_DOORBELL] = TSI721_INTR_DBELL,
	[RTE_PMD_TSI721_INTR_MSG_IN] = TSI721_INTR_IMSG,
	[RTE_PMD_TSI721_INTR_MSG_OUT] = TSI721_INTR_OMSG,
	[RTE_PMD_TSI721_INTR_DMA] = TSI721_INTR_BDMA,
};

/* Whether the application, or its channelised messages, opened a side of a mailbox. */
static bool
intr_mbox(const struct tsi721_rawdev *raw, const void *side, unsigned int mbox)
{
	return side != NULL || tsi721_cm_waits_for(raw, mbox);
}

/* Number of a source as the device counts it; -EINVAL: nothing of the application's. */
static int
intr_nr(const struct tsi721_rawdev *raw, enum rte_pmd_tsi721_intr intr, unsigned int nr)
{
	switch (intr) {
	case RTE_PMD_TSI721_INTR_DOORBELL:
		return nr == 0 ? 0 : -EINVAL;
	case RTE_PMD_TSI721_INTR_MSG_IN:
		return nr < RTE_PMD_TSI721_MBOXES && intr_mbox(raw, raw->in[nr], nr) ? (int)nr
									       : -EINVAL;
	case RTE_PMD_TSI721_INTR_MSG_OUT:
		return nr < RTE_PMD_TSI721_MBOXES && intr_mbox(raw, raw->out[nr], nr) ? (int)nr
										: -EINVAL;
	case RTE_PMD_TSI721_INTR_DMA:
		return nr < raw->nb_queues && raw->queues[nr].q != NULL ? raw->queues[nr].ch
									: -EINVAL;
	}
	return -EINVAL;
}

int
rte_pmd_tsi721_intr_open(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);
	int n, fd;

	if (raw == NULL)
		return -ENODEV;
	n = intr_nr(raw, intr, nr);
	if (n < 0)
		return n;
	fd = tsi721_intr_open(raw->dev, intr_src[intr], (unsigned int)n);
	if (fd >= 0)
		__atomic_fetch_or(&raw->events[intr_src[intr]], 1u << n, __ATOMIC_RELAXED);
	return fd;
}

/* Number of an open source, or -EINVAL, -ENODEV. */
static int
intr_opened(const struct tsi721_rawdev *raw, enum rte_pmd_tsi721_intr intr, unsigned int nr)
{
	int n = raw != NULL ? intr_nr(raw, intr, nr) : -ENODEV;

	if (n >= 0 && !(__atomic_load_n(&raw->events[intr_src[intr]], __ATOMIC_RELAXED) & 1u << n))
		return -EINVAL;
	return n;
}

int
rte_pmd_tsi721_intr_close(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);
	int n = intr_opened(raw, intr, nr);

	if (n < 0)
		return n;
	__atomic_fetch_and(&raw->events[intr_src[intr]], ~(1u << n), __ATOMIC_RELAXED);
	tsi721_intr_close(raw->dev, intr_src[intr], (unsigned int)n);
	return 0;
}

int
rte_pmd_tsi721_intr_arm(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);
	int n = intr_opened(raw, intr, nr);

	return n >= 0 ? tsi721_intr_arm(raw->dev, intr_src[intr], (unsigned int)n) : n;
}

int
rte_pmd_tsi721_intr_disarm(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);
	int n = intr_opened(raw, intr, nr);

	if (n < 0)
		return n;
	tsi721_intr_disarm(raw->dev, intr_src[intr], (unsigned int)n);
	return 0;
}

void
tsi721_rawdev_events_close(struct tsi721_rawdev *raw, enum tsi721_intr_src src, uint32_t which)
{
	uint32_t open = __atomic_fetch_and(&raw->events[src], ~which, __ATOMIC_RELAXED) & which;

	for (; open != 0; open &= open - 1)
		tsi721_intr_close(raw->dev, src, (unsigned int)__builtin_ctz(open));
}
