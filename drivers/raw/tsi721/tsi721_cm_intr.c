/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Channelised messages in the EAL's interrupt thread, for who gave a callback. */

#include <errno.h>
#include <unistd.h>

#include "tsi721_cm_priv.h"
#include "tsi721_device.h"

#define CM_ROUNDS	16u	/* then other interrupts have their turn */

static const enum tsi721_intr_src cm_src[] = { TSI721_INTR_IMSG, TSI721_INTR_OMSG };

static void
cm_report(struct tsi721_cm *c)
{
	uint32_t events;
	uint16_t number;

	for (;;) {
		rte_spinlock_lock(&c->lock);
		events = rio_cm_next(c->cm, &number);
		rte_spinlock_unlock(&c->lock);
		if (events == 0)
			return;
		c->cb(c->arg, c->dev_id, number, events);
	}
}

/* Nothing to do: have what comes interrupt. true: something has come meanwhile. */
static bool
cm_arm(struct tsi721_cm *c)
{
	bool more;

	/* What is held interrupts nobody: who makes room for it does. */
	more = !c->held && tsi721_intr_arm(c->raw->dev, TSI721_INTR_IMSG, c->mbox) == 1;
	return tsi721_intr_arm(c->raw->dev, TSI721_INTR_OMSG, c->mbox) == 1 || more;
}

static void
cm_handler(void *arg)
{
	struct tsi721_cm *c = arg;
	bool more = true;
	uint64_t count;
	unsigned int i;

	for (i = 0; i < RTE_DIM(c->fds); i++)
		if (read(c->fds[i], &count, sizeof(count)) < 0 && errno != EAGAIN)
			TSI721_LOG(ERR, c->raw->dev, "eventfd of mailbox %u: errno %d", c->mbox,
				   errno);
	for (i = 0; i < CM_ROUNDS && more; i++) {
		rte_spinlock_lock(&c->lock);
		more = tsi721_cm_run(c) || cm_arm(c);
		rte_spinlock_unlock(&c->lock);
		cm_report(c);
	}
	if (more)
		tsi721_intr_signal(c->raw->dev, TSI721_INTR_IMSG, c->mbox);
}

static int
cm_intr_open(struct tsi721_cm *c, unsigned int i)
{
	struct rte_intr_handle *handle;

	c->fds[i] = tsi721_intr_open(c->raw->dev, cm_src[i], c->mbox);
	if (c->fds[i] < 0)
		return c->fds[i];
	handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (handle == NULL)
		return -ENOMEM;
	if (rte_intr_fd_set(handle, c->fds[i]) != 0 ||
	    rte_intr_type_set(handle, RTE_INTR_HANDLE_EXT) != 0 ||
	    rte_intr_callback_register(handle, cm_handler, c) != 0) {
		rte_intr_instance_free(handle);
		return -EIO;
	}
	c->intr[i] = handle;
	return 0;
}

int
tsi721_cm_intr_start(struct tsi721_cm *c)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < RTE_DIM(c->fds) && ret == 0; i++)
		ret = cm_intr_open(c, i);
	if (ret != 0)
		tsi721_cm_intr_stop(c);
	else
		/* What has come since the mailbox was opened, and arms. */
		tsi721_intr_signal(c->raw->dev, TSI721_INTR_IMSG, c->mbox);
	return ret;
}

void
tsi721_cm_intr_stop(struct tsi721_cm *c)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(c->fds); i++) {
		if (c->intr[i] != NULL) {
			rte_intr_callback_unregister_sync(c->intr[i], cm_handler, c);
			rte_intr_instance_free(c->intr[i]);
			c->intr[i] = NULL;
		}
		if (c->fds[i] >= 0)
			tsi721_intr_close(c->raw->dev, cm_src[i], c->mbox);
		c->fds[i] = -1;
	}
}

void
tsi721_cm_intr_again(struct tsi721_cm *c)
{
	tsi721_intr_signal(c->raw->dev, TSI721_INTR_IMSG, c->mbox);
}
