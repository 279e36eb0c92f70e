/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_INTERNAL_H
#define NULL_INTERNAL_H

/*
 * What the blocks of the null device share. doc/guides/null_device.rst says
 * why it is built this way; in short:
 *
 * - Everything that a chip, a switch or a link remembers is in struct
 *   null_shared, which holds no pointer: it can be mapped by many processes.
 *   Indexes name things. What a process needs beside it (mappings of
 *   endpoints' memory, callbacks) is in struct null_fabric and struct
 *   null_device, which are its own.
 * - An engine (block DMA channel, outbound message channel, outbound doorbell)
 *   is run by its own process only, under the engine's lock. It does the
 *   target's side too: it writes the target's memory and moves the target's
 *   queue pointers, under a lock of the target's queue.
 * - null_lock is the only lock in shared memory. It names its owner's process
 *   slot. Waiting is bounded: who cannot have it answers RETRY. One whose
 *   owner is dead is taken over; every protected step is published by a single
 *   store, so that there is nothing to undo.
 * - What was answered with RETRY stays at the head of its engine and is tried
 *   again when the target makes room (it sees the sender's bit in `waiters`),
 *   and at each register access of the sender's device.
 */

#include "null_base.h"
#include "null_chip.h"
#include "null_device.h"
#include "null_engine.h"
#include "null_fabric.h"
#include "null_intr.h"
#include "null_link.h"
#include "null_lock.h"
#include "null_mem.h"
#include "null_regs.h"
#include "null_switch.h"
#include "null_topo.h"

static inline bool
null_stuck(const struct null_device *dev, uint32_t mask)
{
	return (atomic_load_explicit(&dev->chip->stuck, memory_order_relaxed) & mask) != 0;
}

/* It had work. */
static inline void
null_stuck_hit(const struct null_device *dev)
{
	atomic_fetch_add_explicit(&dev->fab->sh->place[dev->ep].stuck_hits, 1,
				  memory_order_relaxed);
}

/* ---- blocks of the chip ---- */
/* Each block: reset its state; run engines; handle what its registers do. */
void null_maint_reset(struct null_chip *chip, uint32_t destid, bool sys16, bool host);
/* Host base device ID lock: first writer has it; its own second write gives it back. */
void null_host_lock_write(_Atomic uint32_t *lock, uint32_t val);
/* Read or write of an endpoint's configuration space by maintenance request. */
enum null_resp null_maint_access(struct null_fabric *fab, uint32_t ep, bool write,
				 uint32_t off, uint32_t *val);
/* Source ID that requests of this chip carry: what RIO_DID_CSR holds now. */
uint16_t null_source_id(const struct null_chip *chip, uint32_t tt);

void null_portwrite_deliver(struct null_fabric *fab, uint32_t ep, const uint32_t w[4]);

/*
 * Configuration space as after power-up. Size of BAR2 and BAR4, each: a power of
 * two, NULL_WIN_SIZE_MIN to NULL_WIN_SIZE_MAX; to be set before the reset.
 */
#define NULL_WIN_SIZE_MIN	0x100000ull
#define NULL_WIN_SIZE_MAX	0x1000000000ull
#define NULL_WIN_SIZE_DEFAULT	0x8000000ull
bool null_pcicfg_win_size_ok(uint64_t size);
void null_pcicfg_win_size(struct null_chip *chip, uint64_t size);
void null_pcicfg_reset(struct null_chip *chip);

/* Abort code of a channel's status, of an outcome that is not DONE. */
enum null_abort {
	NULL_ABORT_ERROR = 1,	/* error response */
	NULL_ABORT_TIMEOUT = 2,
	NULL_ABORT_PCI = 3,
	NULL_ABORT_DESC = 4,	/* bad descriptor */
};

void null_bdma_run(struct null_device *dev, uint32_t ch);

/* null_device_odb_write() is in null_doorbell.c, null_device_cfg_*() in null_pcicfg.c. */
void null_odb_run(struct null_device *dev);
/*
 * At attach, after null_regs_reset. Whoever delivers to an inbound queue just
 * then, even a stopped process, must find its lock as it left it: so idq[] and
 * imsg[] of a chip are never zeroed but by these.
 */
void null_doorbell_reset(struct null_fabric *fab, uint32_t ep);
void null_mbox_reset(struct null_fabric *fab, uint32_t ep);
/*
 * After the death of a process: publish what it left published in ep's inbound
 * queues without moving their pointers, and raise what it may not have raised.
 */
void null_idb_sweep(struct null_fabric *fab, uint32_t ep);
void null_imsg_sweep(struct null_fabric *fab, uint32_t ep);
void null_portwrite_sweep(struct null_fabric *fab, uint32_t ep);
/* null_intr_tell() for what other processes raise in the block. */
void null_idb_tell(struct null_fabric *fab, uint32_t ep);
void null_imsg_tell(struct null_fabric *fab, uint32_t ep);
void null_portwrite_tell(struct null_fabric *fab, uint32_t ep);
/* What the block's engines have counted by themselves; other counters: 0. */
uint64_t null_doorbell_stat(const struct null_chip *chip, enum null_stat stat);
uint64_t null_mbox_stat(const struct null_chip *chip, enum null_stat stat);

void null_omsg_run(struct null_device *dev, uint32_t ch);

/* An inbound window that is enabled and shows hi2:addr. False: none does. */
struct null_window {
	uint64_t base;		/* RapidIO address bits 63:0 */
	uint64_t size;
	uint64_t iova;		/* that base leads to */
};
bool null_ibwin_find(const struct null_chip *chip, uint64_t addr, uint32_t hi2,
		     struct null_window *win);
/* BAR2, BAR4: reads that fail return all ones, writes that fail are counted. */
void null_obwin_read(struct null_device *dev, unsigned int bar, uint64_t off, void *buf,
		     size_t len);
void null_obwin_write(struct null_device *dev, unsigned int bar, uint64_t off,
		      const void *buf, size_t len);

/* ---- null_thread.c ---- */
/* There is work for engines (NULL_RETRY_*): run them, or have the device's thread do so. */
void null_engine_start(struct null_device *dev, uint32_t bits);
int null_thread_start(struct null_device *dev);
void null_thread_stop(struct null_device *dev);

/* ---- null_device.c ---- */
/* Room was made at ep: run those who wait for it. Not with an engine's lock held. */
void null_waiters_wake(struct null_fabric *fab, uint32_t ep, struct null_epset *set);
/* The same for one endpoint, of any process. */
void null_ep_wake(struct null_fabric *fab, uint32_t ep);
/* All that wait for anything: who was to wake one of them may be gone. */
void null_all_wake(struct null_fabric *fab);

#endif /* NULL_INTERNAL_H */
