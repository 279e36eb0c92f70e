/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_RIG_FABRIC_H
#define NULL_RIG_FABRIC_H

/* What tests of switches and of ways through them share. */

#include "null_rig.h"

/* Registers of a switch: LP-Serial, error management. */
#define SP(r)	(0x100u + (r))
#define EM(r)	(0x1000u + (r))

/* The ID that is nobody's, which requests of an enumerating host carry. */
uint32_t rig_any_id(const struct rig_dev *d);
/* Register of what is `hop` switches away, on the way to destid. It has to answer. */
uint32_t rig_far_rd(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off);
void rig_far_wr(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off, uint32_t val);
/* Of the switch that a device is at. */
uint32_t rig_sw_rd(struct rig_dev *d, uint32_t off);
void rig_sw_wr(struct rig_dev *d, uint32_t off, uint32_t val);
/* In the switch `hop` away on the way to via: an entry of its table. */
void rig_route(struct rig_dev *d, uint32_t hop, uint32_t via, uint32_t destid, uint32_t port);

/* Open doorbell queue 0 for all; does a doorbell from one to the other arrive? */
void rig_idb_open(struct rig_dev *d);
bool rig_rings(struct rig_dev *from, struct rig_dev *to, uint32_t destid);
/* The port-write that was captured, if there is one, which is then taken. */
bool rig_pw_take(struct rig_dev *d, uint32_t words[4]);
/* Transfer of 64 bytes at RapidIO address 0x10000 by channel 0: abort code, or 0. */
uint32_t rig_dma_code(struct rig_dev *d, uint32_t rtype, uint32_t destid);

#endif /* NULL_RIG_FABRIC_H */
