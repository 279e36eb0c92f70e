/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Interrupts. The only ones in use are those of inbound doorbells: peers are
 * answered although no lcore polls. All run in the EAL's interrupt thread.
 */

#include <errno.h>

#include <rte_alarm.h>
#include <rte_interrupts.h>

#include "tsi721_device.h"
#include "tsi721_doorbell_priv.h"

#define INTR_CHANS		TSI721_INT_SR2PC_CHAN(0)
#define INTR_DEV		TSI721_DEV_INT_SR2PC_CH

#define INTR_BURST		64u
#define INTR_BURSTS		16u	/* then other interrupts have their turn */
/* When an lcore polls doorbells, its work is not taken away more often than this. */
#define INTR_POLLED_US		10000u
/* When there is more, or somebody else is in a dispatch, look again after this. */
#define INTR_AGAIN_US		100u

static void intr_dbell(void *arg);

static void
intr_later(struct tsi721_device *dev, uint64_t us)
{
	if (rte_eal_alarm_set(us, intr_dbell, dev) == 0)
		return;
	TSI721_LOG(ERR, dev, "no alarm: doorbells are answered by polling only");
}

/*
 * Dispatch what has arrived, then let arrivals interrupt again. One that comes
 * between the last look and that is found by the look after it.
 */
static void
intr_dbell(void *arg)
{
	struct tsi721_device *dev = arg;
	uint64_t polled = tsi721_dbell_polled(dev);
	unsigned int i;

	for (i = 0; i < INTR_BURSTS && tsi721_dbell_dispatch(dev, INTR_BURST) != 0; i++)
		;
	if (polled != dev->intr_polled) {
		dev->intr_polled = polled;
		intr_later(dev, INTR_POLLED_US);
		return;
	}
	tsi721_dbell_intr_clear(dev);
	tsi721_dbell_intr_enable(dev, true);
	if (!tsi721_dbell_empty(dev)) {
		tsi721_dbell_intr_enable(dev, false);
		intr_later(dev, INTR_AGAIN_US);
	}
}

static void
intr_handler(void *arg)
{
	struct tsi721_device *dev = arg;
	uint32_t dev_int, chans;

	/* Off while they are handled; on again, what is left or new interrupts anew. */
	tsi721_write32(dev, TSI721_DEV_INTE, 0);
	dev_int = tsi721_read32(dev, TSI721_DEV_INT);
	dev->host->irq_ack(dev);
	dev->intr_count++;

	if (dev_int & TSI721_DEV_INT_SR2PC_CH) {
		chans = tsi721_read32(dev, TSI721_DEV_CHAN_INT);
		if (chans & TSI721_INT_SR2PC_CHAN(0)) {
			tsi721_dbell_intr_enable(dev, false);
			tsi721_dbell_intr_clear(dev);
			intr_dbell(dev);
		}
	}
	tsi721_write32(dev, TSI721_DEV_INTE, INTR_DEV);
}

int
tsi721_intr_init(struct tsi721_device *dev)
{
	int ret = dev->host->irq_open != NULL ? dev->host->irq_open(dev) : 0;

	if (ret != 0 || dev->intr_handle == NULL)
		return ret;
	ret = rte_intr_callback_register(dev->intr_handle, intr_handler, dev);
	if (ret < 0) {
		TSI721_LOG(ERR, dev, "cannot register its interrupt: %d", ret);
		return ret;
	}
	tsi721_dbell_intr_clear(dev);
	tsi721_dbell_intr_enable(dev, true);
	tsi721_write32(dev, TSI721_DEV_CHAN_INTE, INTR_CHANS);
	tsi721_write32(dev, TSI721_DEV_INTE, INTR_DEV);
	return 0;
}

void
tsi721_intr_fini(struct tsi721_device *dev)
{
	if (dev->intr_handle == NULL)
		return;
	tsi721_write32(dev, TSI721_DEV_INTE, 0);
	tsi721_read32(dev, TSI721_DEV_INTE);
	rte_intr_callback_unregister_sync(dev->intr_handle, intr_handler, dev);
	/* Neither side sets an alarm any more once the other is gone. */
	rte_eal_alarm_cancel(intr_dbell, dev);
}
