/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_CM_PRIV_H
#define TSI721_CM_PRIV_H

#include <rte_interrupts.h>
#include <rte_memzone.h>
#include <rte_spinlock.h>

#include "rio_cm.h"
#include "rte_pmd_tsi721_cm.h"
#include "tsi721_cm.h"
#include "tsi721_mbox.h"
#include "tsi721_rawdev.h"

#define CM_BURST	32u

/* A message on its way out. */
struct cm_slot {
	uint32_t serial;
	uint32_t next;		/* free one */
	uint16_t destid;
};

struct tsi721_cm {
	struct tsi721_rawdev *raw;
	rte_spinlock_t lock;	/* of all below, and of both queues */
	struct rio_cm *cm;
	struct tsi721_omsg *out;
	struct tsi721_imsg *in;
	const struct rte_memzone *mz;	/* a message each slot */
	struct cm_slot *slots;
	uint32_t nb_slots, free_slots;
	uint32_t used_slots;
	bool held;		/* the oldest message waits for room */
	bool stopping;
	uint8_t mbox;
	uint16_t dev_id;
	rte_pmd_tsi721_cm_cb cb;
	void *arg;
	struct rte_intr_handle *intr[2];	/* of messages in, out */
	int fds[2];
};

/* Take in at most a burst, look at what was sent. Under the lock. Whether there was anything. */
bool tsi721_cm_run(struct tsi721_cm *c);

int tsi721_cm_intr_start(struct tsi721_cm *c);
void tsi721_cm_intr_stop(struct tsi721_cm *c);
/* There is room for what was held. */
void tsi721_cm_intr_again(struct tsi721_cm *c);

#endif /* TSI721_CM_PRIV_H */
