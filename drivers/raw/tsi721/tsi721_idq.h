/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_IDQ_H
#define TSI721_IDQ_H

/*
 * Doorbell queues 1 to 7, which applications poll without callbacks; queue 0 is
 * that of ranges (tsi721_doorbell.h). While one of them is open, queue 0 takes
 * doorbells below TSI721_IDQ_FIRST only and they take what is above, so that no
 * doorbell has two queues. For files of this folder.
 */

#include <stdint.h>

#include "rte_pmd_tsi721.h"
#include "tsi721_device.h"

#define TSI721_IDQ_FIRST	0x8000u

struct tsi721_idq;

/** 1 to 7; -EINVAL; -EBUSY a range reaches into theirs; -ENOSPC; -ENOMEM. */
int tsi721_idq_open(struct tsi721_device *dev, uint16_t mask, uint16_t pattern, uint32_t entries,
		    int socket_id);
void tsi721_idq_close(struct tsi721_device *dev, unsigned int nr);
unsigned int tsi721_idq_poll(struct tsi721_idq *q, struct rte_pmd_tsi721_doorbell *bells,
			     unsigned int nb);

#endif /* TSI721_IDQ_H */
