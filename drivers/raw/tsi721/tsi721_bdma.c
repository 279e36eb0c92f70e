/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include "tsi721_device.h"
#include "tsi721_bdma.h"

int
tsi721_bdma_open(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc, int socket_id, struct tsi721_bdma **q)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(ch);
	RTE_SET_USED(nb_desc);
	RTE_SET_USED(socket_id);
	RTE_SET_USED(q);
	return -ENOTSUP;
}

void
tsi721_bdma_close(struct tsi721_bdma *q, void (*free_cb)(void *cookie, void *arg), void *arg)
{
	RTE_SET_USED(q);
	RTE_SET_USED(free_cb);
	RTE_SET_USED(arg);
}

unsigned int
tsi721_bdma_free(const struct tsi721_bdma *q)
{
	RTE_SET_USED(q);
	return 0;
}

unsigned int
tsi721_bdma_pending(const struct tsi721_bdma *q)
{
	RTE_SET_USED(q);
	return 0;
}

unsigned int
tsi721_bdma_descs(const struct tsi721_bdma_seg *segs, unsigned int nb_segs)
{
	RTE_SET_USED(segs);
	RTE_SET_USED(nb_segs);
	return 0;
}

int
tsi721_bdma_post(struct tsi721_bdma *q, const struct tsi721_bdma_req *req, const struct tsi721_bdma_seg *segs, unsigned int nb_segs, void *cookie)
{
	RTE_SET_USED(q);
	RTE_SET_USED(req);
	RTE_SET_USED(segs);
	RTE_SET_USED(nb_segs);
	RTE_SET_USED(cookie);
	return -ENOTSUP;
}

void
tsi721_bdma_kick(struct tsi721_bdma *q)
{
	RTE_SET_USED(q);
}

unsigned int
tsi721_bdma_reap(struct tsi721_bdma *q, void **cookies, int *status, unsigned int nb)
{
	RTE_SET_USED(q);
	RTE_SET_USED(cookies);
	RTE_SET_USED(status);
	RTE_SET_USED(nb);
	return 0;
}

void
tsi721_bdma_stats(const struct tsi721_bdma *q, struct tsi721_bdma_stats *stats)
{
	RTE_SET_USED(q);
	RTE_SET_USED(stats);
}
