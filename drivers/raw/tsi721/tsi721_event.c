/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Eventfds of interrupt sources. A source is armed by the enable of its channel,
 * which the handler turns off again when it passes the signal on. The handler
 * touches registers and descriptors only, never queues.
 */

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tsi721_doorbell_priv.h"
#include "tsi721_event.h"
#include "tsi721_mbox.h"
#include "tsi721_ring.h"

/* Registers of a source: its channel's cause and enable, and what in them is its own. */
struct source {
	unsigned int count;
	uint32_t inte, cause;		/* of number 0 */
	uint32_t stride;
	uint32_t bits;
	uint32_t always;		/* bits enabled whether armed or not */
	uint32_t chan;			/* bit of number 0 in DEV_CHAN_INT */
	bool (*waiting)(struct tsi721_device *dev, unsigned int nr);
};

static bool
dbell_waiting(struct tsi721_device *dev, unsigned int nr)
{
	RTE_SET_USED(nr);
	return !tsi721_dbell_empty(dev);
}

static bool
imsg_waiting(struct tsi721_device *dev, unsigned int nr)
{
	return dev->imsg[nr] != NULL && tsi721_imsg_waiting(dev->imsg[nr]);
}

static bool
omsg_waiting(struct tsi721_device *dev, unsigned int nr)
{
	return dev->omsg[nr] != NULL && tsi721_omsg_waiting(dev->omsg[nr]);
}

static bool
bdma_waiting(struct tsi721_device *dev, unsigned int nr)
{
	return dev->bdma[nr] != NULL && tsi721_bdma_waiting(dev->bdma[nr]);
}

static const struct source sources[TSI721_INTR_SRCS] = {
	[TSI721_INTR_DBELL] = {
		.count = 1,
		.inte = TSI721_SR_CHINTE(0),
		.cause = TSI721_SR_CHINT(0),
		.bits = TSI721_SR_CHINT_IDBQRCV,
		.always = DBELL_INT_ERRORS,
		.chan = TSI721_INT_SR2PC_CHAN(0),
		.waiting = dbell_waiting,
	},
	[TSI721_INTR_IMSG] = {
		.count = TSI721_MSG_MBOX_NUM,
		.inte = TSI721_IBDMAC_INTE(TSI721_IMSG_CHAN(0)),
		.cause = TSI721_IBDMAC_INT(TSI721_IMSG_CHAN(0)),
		.stride = TSI721_MSG_BASE(1) - TSI721_MSG_BASE(0),
		.bits = TSI721_IBDMAC_INT_DQ_RCV | TSI721_IBDMAC_INT_PC_ERROR,
		.chan = TSI721_INT_IMSG_CHAN(TSI721_IMSG_CHAN(0)),
		.waiting = imsg_waiting,
	},
	[TSI721_INTR_OMSG] = {
		.count = TSI721_MSG_MBOX_NUM,
		.inte = TSI721_OBDMAC_INTE(0),
		.cause = TSI721_OBDMAC_INT(0),
		.stride = TSI721_MSG_BASE(1) - TSI721_MSG_BASE(0),
		.bits = TSI721_OBDMAC_INT_DONE | TSI721_OBDMAC_INT_ERROR |
			TSI721_OBDMAC_INT_ST_FULL,
		.chan = TSI721_INT_OMSG_CHAN(0),
		.waiting = omsg_waiting,
	},
	[TSI721_INTR_BDMA] = {
		.count = TSI721_DMAC_MAINT,
		.inte = TSI721_DMAC_BASE(0) + TSI721_DMAC_INTE,
		.cause = TSI721_DMAC_BASE(0) + TSI721_DMAC_INT,
		.stride = TSI721_DMAC_BASE(1) - TSI721_DMAC_BASE(0),
		.bits = TSI721_DMAC_INT_DONE | TSI721_DMAC_INT_ERR | TSI721_DMAC_INT_STFULL,
		.chan = TSI721_INT_BDMA_CHAN(0),
		.waiting = bdma_waiting,
	},
};

static int *
event_fd(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	return (unsigned int)src < TSI721_INTR_SRCS && nr < sources[src].count ?
	       &dev->event_fd[src][nr] : NULL;
}

static void
event_enable(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr, bool on)
{
	const struct source *s = &sources[src];

	tsi721_write32(dev, s->inte + nr * s->stride, on ? s->bits | s->always : s->always);
}

/* What has been is no news. Read back, so that what comes now raises the cause again. */
static void
event_clear(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	const struct source *s = &sources[src];

	tsi721_write32(dev, s->cause + nr * s->stride, s->bits);
	tsi721_read32(dev, s->cause + nr * s->stride);
}

int
tsi721_intr_open(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	int *slot = event_fd(dev, src, nr), none = 0, fd;

	if (slot == NULL)
		return -EINVAL;
	if (dev->intr_handle == NULL)
		return -ENOTSUP;
	fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* Kept as fd + 1, so that 0 is none. */
	if (!__atomic_compare_exchange_n(slot, &none, fd + 1, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST)) {
		close(fd);
		return -EBUSY;
	}
	event_enable(dev, src, nr, false);
	return fd;
}

void
tsi721_intr_close(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	int *slot = event_fd(dev, src, nr), fd;

	if (slot == NULL || __atomic_load_n(slot, __ATOMIC_SEQ_CST) == 0)
		return;
	event_enable(dev, src, nr, false);
	/* The handler looks at it under this lock only. */
	rte_spinlock_lock(&dev->event_lock);
	fd = __atomic_exchange_n(slot, 0, __ATOMIC_SEQ_CST);
	rte_spinlock_unlock(&dev->event_lock);
	if (fd == 0)
		return;
	close(fd - 1);
	/* They are the interrupt thread's again, with what has come meanwhile. */
	if (src == TSI721_INTR_DBELL)
		tsi721_intr_dbell_resume(dev);
}

int
tsi721_intr_arm(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	int *slot = event_fd(dev, src, nr), fd;
	uint64_t count;

	fd = slot != NULL ? __atomic_load_n(slot, __ATOMIC_RELAXED) : 0;
	if (fd == 0)
		return -ENOENT;
	if (sources[src].waiting(dev, nr))
		return 1;
	/* A signal of the time before. */
	if (read(fd - 1, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return -errno;
	event_clear(dev, src, nr);
	event_enable(dev, src, nr, true);
	/* What came before the cause was cleared raises none: look after that. */
	if (!sources[src].waiting(dev, nr))
		return 0;
	event_enable(dev, src, nr, false);
	return 1;
}

void
tsi721_intr_disarm(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	int *slot = event_fd(dev, src, nr);

	if (slot != NULL && __atomic_load_n(slot, __ATOMIC_RELAXED) != 0)
		event_enable(dev, src, nr, false);
}

/* Under the lock, so that the descriptor is not another one by now. */
static void
event_write(struct tsi721_device *dev, int *slot)
{
	uint64_t one = 1;
	ssize_t ret;
	int fd;

	rte_spinlock_lock(&dev->event_lock);
	fd = __atomic_load_n(slot, __ATOMIC_SEQ_CST);
	/* It can only fail when the counter is full, and then it is readable anyway. */
	if (fd != 0) {
		ret = write(fd - 1, &one, sizeof(one));
		RTE_SET_USED(ret);
	}
	rte_spinlock_unlock(&dev->event_lock);
}

void
tsi721_intr_signal(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr)
{
	int *slot = event_fd(dev, src, nr);

	if (slot != NULL)
		event_write(dev, slot);
}

bool
tsi721_event_is_open(struct tsi721_device *dev, enum tsi721_intr_src src)
{
	return __atomic_load_n(&dev->event_fd[src][0], __ATOMIC_SEQ_CST) != 0;
}

void
tsi721_event_handle(struct tsi721_device *dev, uint32_t chans)
{
	unsigned int src, nr;

	for (src = 0; src < TSI721_INTR_SRCS; src++)
		for (nr = 0; nr < sources[src].count; nr++) {
			if (!(chans & sources[src].chan << nr) ||
			    __atomic_load_n(&dev->event_fd[src][nr], __ATOMIC_SEQ_CST) == 0)
				continue;
			event_enable(dev, (enum tsi721_intr_src)src, nr, false);
			/* Errors of doorbells stay enabled, so their causes must go. */
			if (src == TSI721_INTR_DBELL)
				tsi721_dbell_intr_clear(dev);
			event_write(dev, &dev->event_fd[src][nr]);
		}
}

void
tsi721_event_fini(struct tsi721_device *dev)
{
	unsigned int src, nr;
	int fd;

	for (src = 0; src < TSI721_INTR_SRCS; src++)
		for (nr = 0; nr < sources[src].count; nr++) {
			fd = __atomic_exchange_n(&dev->event_fd[src][nr], 0, __ATOMIC_SEQ_CST);
			if (fd != 0)
				close(fd - 1);
		}
}
