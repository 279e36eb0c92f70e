/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "tsi721_fabric.h"
#include "tsi721_portwrite.h"

#define PW_BURST	32u	/* then other interrupts have their turn */
#define PW_PENDING	(TSI721_RIO_PW_RX_STAT_PW_VAL | TSI721_RIO_PW_RX_STAT_PW_DISC)

void
tsi721_portwrite_init(struct tsi721_device *dev)
{
	/* The first one stays until it is taken; those that come meanwhile are lost. */
	tsi721_write32(dev, TSI721_RIO_PW_CTL, TSI721_RIO_PW_CTL_PWC_MODE);
	tsi721_write32(dev, TSI721_RIO_PW_RX_STAT, PW_PENDING);
	tsi721_write32(dev, TSI721_RIO_EM_INT_ENABLE, TSI721_RIO_EM_INT_PW_RX);
	tsi721_write32(dev, TSI721_RIO_EM_DEV_INT_EN, TSI721_RIO_EM_DEV_INT_EN_INT);
}

void
tsi721_portwrite_fini(struct tsi721_device *dev)
{
	tsi721_write32(dev, TSI721_RIO_EM_INT_ENABLE, 0);
	tsi721_write32(dev, TSI721_RIO_EM_DEV_INT_EN, 0);
}

bool
tsi721_portwrite_take(struct tsi721_device *dev, uint32_t words[TSI721_RIO_PW_WORDS])
{
	uint32_t stat = tsi721_read32(dev, TSI721_RIO_PW_RX_STAT), i;

	if (!(stat & PW_PENDING))
		return false;
	for (i = 0; i < TSI721_RIO_PW_WORDS; i++)
		words[i] = tsi721_read32(dev, TSI721_RIO_PW_RX_CAPT(i));
	/* Its cause falls with it, and rises again when another has come. */
	tsi721_write32(dev, TSI721_RIO_PW_RX_STAT, PW_PENDING);
	return (stat & TSI721_RIO_PW_RX_STAT_PW_VAL) != 0;
}

unsigned int
tsi721_portwrite_dispatch(struct tsi721_device *dev)
{
	uint32_t words[TSI721_RIO_PW_WORDS];
	unsigned int n = 0;

	while (n < PW_BURST && tsi721_portwrite_take(dev, words)) {
		n++;
		tsi721_fabric_portwrite(dev, words);
	}
	return n;
}
