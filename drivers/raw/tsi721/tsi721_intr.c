/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Interrupts. Those of inbound doorbells are handled in the EAL's interrupt
 * thread: peers are answered although no lcore polls; so are those of port-writes.
 * The others, and those of doorbells where an application asks for them, go to
 * eventfds.
 */

#include <errno.h>

#include <rte_alarm.h>
#include <rte_interrupts.h>

#include "tsi721_device.h"
#include "tsi721_doorbell_priv.h"
#include "tsi721_event.h"
#include "tsi721_portwrite.h"

/* What may interrupt where its channel's own enable says so. Channel 7 is polled. */
#define INTR_CHANS		(TSI721_INT_SR2PC_CHAN(0) | 0x00f00000u | 0x00000f00u | 0x0000007fu)
#define INTR_DEV		(TSI721_DEV_INT_SR2PC_CH | TSI721_DEV_INT_SMSG_CH | \
				 TSI721_DEV_INT_BDMA_CH | TSI721_DEV_INT_SRIO)

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

	if (tsi721_event_is_open(dev, TSI721_INTR_DBELL))
		return;
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
intr_resume(void *arg)
{
	struct tsi721_device *dev = arg;

	if (tsi721_event_is_open(dev, TSI721_INTR_DBELL))
		return;
	tsi721_dbell_intr_enable(dev, false);
	intr_dbell(dev);
}

void
tsi721_intr_dbell_resume(struct tsi721_device *dev)
{
	/* From the interrupt thread, as every dispatch that nobody polls for. */
	if (rte_eal_alarm_set(1, intr_resume, dev) != 0)
		TSI721_LOG(ERR, dev, "no alarm: doorbells are answered by polling only");
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
	__atomic_store_n(&dev->intr_count, dev->intr_count + 1, __ATOMIC_RELAXED);

	/* With MSI-X the vectors are the channels' own; the device's cause says nothing. */
	if (dev_int & TSI721_DEV_INT_SRIO || dev->intr_mode == TSI721_INTR_MSIX)
		tsi721_portwrite_dispatch(dev);
	if (dev_int & INTR_DEV || dev->intr_mode == TSI721_INTR_MSIX) {
		chans = tsi721_read32(dev, TSI721_DEV_CHAN_INT);
		tsi721_event_handle(dev, chans);
		if (chans & TSI721_INT_SR2PC_CHAN(0) &&
		    !tsi721_event_is_open(dev, TSI721_INTR_DBELL)) {
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
	tsi721_portwrite_init(dev);
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
	tsi721_portwrite_fini(dev);
	rte_intr_callback_unregister_sync(dev->intr_handle, intr_handler, dev);
	/* Neither side sets an alarm any more once the other is gone. */
	rte_eal_alarm_cancel(intr_dbell, dev);
	rte_eal_alarm_cancel(intr_resume, dev);
	tsi721_event_fini(dev);
}
