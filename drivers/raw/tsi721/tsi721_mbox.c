/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include "tsi721_device.h"
#include "tsi721_mbox.h"

int
tsi721_omsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc, int socket_id, struct tsi721_omsg **q)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(mbox);
	RTE_SET_USED(nb_desc);
	RTE_SET_USED(socket_id);
	RTE_SET_USED(q);
	return -ENOTSUP;
}

void
tsi721_omsg_close(struct tsi721_omsg *q, void (*free_cb)(void *cookie, void *arg), void *arg)
{
	RTE_SET_USED(q);
	RTE_SET_USED(free_cb);
	RTE_SET_USED(arg);
}

unsigned int
tsi721_omsg_free(const struct tsi721_omsg *q)
{
	RTE_SET_USED(q);
	return 0;
}

int
tsi721_omsg_post(struct tsi721_omsg *q, uint16_t destid, unsigned int letter, rte_iova_t iova, unsigned int len, void *cookie)
{
	RTE_SET_USED(q);
	RTE_SET_USED(destid);
	RTE_SET_USED(letter);
	RTE_SET_USED(iova);
	RTE_SET_USED(len);
	RTE_SET_USED(cookie);
	return -ENOTSUP;
}

void
tsi721_omsg_kick(struct tsi721_omsg *q)
{
	RTE_SET_USED(q);
}

unsigned int
tsi721_omsg_reap(struct tsi721_omsg *q, void **cookies, int *status, unsigned int nb)
{
	RTE_SET_USED(q);
	RTE_SET_USED(cookies);
	RTE_SET_USED(status);
	RTE_SET_USED(nb);
	return 0;
}

int
tsi721_imsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc, int socket_id, struct tsi721_imsg **q)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(mbox);
	RTE_SET_USED(nb_desc);
	RTE_SET_USED(socket_id);
	RTE_SET_USED(q);
	return -ENOTSUP;
}

void
tsi721_imsg_close(struct tsi721_imsg *q)
{
	RTE_SET_USED(q);
}

unsigned int
tsi721_imsg_poll(struct tsi721_imsg *q, struct tsi721_imsg_info *msgs, unsigned int nb)
{
	RTE_SET_USED(q);
	RTE_SET_USED(msgs);
	RTE_SET_USED(nb);
	return 0;
}

void
tsi721_imsg_release(struct tsi721_imsg *q, unsigned int nb)
{
	RTE_SET_USED(q);
	RTE_SET_USED(nb);
}

void
tsi721_omsg_stats(const struct tsi721_omsg *q, struct tsi721_msg_stats *stats)
{
	RTE_SET_USED(q);
	RTE_SET_USED(stats);
}

void
tsi721_imsg_stats(const struct tsi721_imsg *q, struct tsi721_msg_stats *stats)
{
	RTE_SET_USED(q);
	RTE_SET_USED(stats);
}
