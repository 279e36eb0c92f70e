/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_CM_H
#define TSI721_CM_H

/* Channelised messages of a rawdev: rio_cm over a mailbox. For this folder. */

#include <stdbool.h>

struct tsi721_rawdev;

/** Whether it has this mailbox, and the application may wait for it. */
bool tsi721_cm_waits_for(const struct tsi721_rawdev *raw, unsigned int mbox);
/** Stop it, if it was started. */
void tsi721_cm_release(struct tsi721_rawdev *raw);

#endif /* TSI721_CM_H */
