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

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>

#include "../tsi721_regs.h"
#include "null_device.h"
#include "null_link.h"
#include "null_switch.h"
#include "null_topo.h"

#define NULL_PROC_MAX		256u	/* processes of a fabric */
#define NULL_CACHE_LINE		64

#define null_container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define null_likely(x)		__builtin_expect(!!(x), 1)
#define null_unlikely(x)	__builtin_expect(!!(x), 0)

static inline uint64_t
null_u64(uint32_t hi, uint32_t lo)
{
	return (uint64_t)hi << 32 | lo;
}

/* Bus memory is little-endian; registers and descriptors' words are handled in host order. */
static inline uint32_t
null_le32(uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(v);
#else
	return v;
#endif
}

static inline uint64_t
null_le64(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(v);
#else
	return v;
#endif
}

/*
 * A lock in shared memory. Low half: 0 free, else owner's process slot + 1.
 * High half: how often it was released, so that one who waits for an engine to
 * have left sees that it did, even if it was taken again at once.
 */
struct null_lock {
	_Atomic uint32_t word;
};
#define NULL_LOCK_OWNER		0x0000ffffu
#define NULL_LOCK_COUNT_ONE	0x00010000u

/* ---- chip state, shared ---- */

/* Block DMA channel. */
struct null_bdma_ch {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t dwrcnt, drdcnt;
	_Atomic uint32_t ctl, intr, inte, sts;
	_Atomic uint32_t dptrl, dptrh, dsbl, dsbh, dssz;
	_Atomic uint32_t dsrp, dswp;
	uint64_t desc;		/* address of the next descriptor */
	uint32_t fifo_slot;	/* slots used of line dswp */
};

/*
 * Inbound doorbell queue, with the SRIO to PCIe channel's interrupts. Three
 * cache lines: what deliverers write, what the driver writes for each batch,
 * what hardly changes.
 */
struct null_idq {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t contended;	/* somebody gave up waiting for the lock */
	_Atomic uint64_t count;		/* delivered since INIT; WP is its low part */
	_Atomic uint64_t received;	/* delivered since power-up */
	uint32_t lap;			/* number of the first lap since INIT */
	uint32_t suspect;		/* the lock's owner died; its last entry was not looked for */
	uint32_t rp_seen;		/* RP as deliverers last read it */
	alignas(NULL_CACHE_LINE) _Atomic uint32_t rp;
	alignas(NULL_CACHE_LINE) _Atomic uint32_t ctl;
	_Atomic uint32_t sts, mask, basel, baseu, size, chint, chinte;
};

/*
 * Doorbells written to BAR1 and not yet accepted, oldest first. The engine's
 * caller fills slots without its lock, see null_doorbell.c.
 */
#define NULL_ODB_PENDING	256u
struct null_odb {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t todo;		/* work came while another thread held the lock */
	_Atomic uint32_t head;		/* free-running; tail likewise */
	_Atomic uint64_t sent;
	/* The head's target as it was when it last made room, see null_odb.c. */
	uint32_t stall_key, stall_rp;
	uint64_t stall_ns;
	alignas(NULL_CACHE_LINE) _Atomic uint32_t tail;
	struct {
		_Atomic uint64_t word;
		_Atomic uint64_t since_ns;	/* when it was written */
	} pend[NULL_ODB_PENDING];
};

/* Outbound message channel. */
struct null_omsg_ch {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t todo;		/* work came while another thread held the lock */
	_Atomic uint32_t armed;		/* DWRCNT was written since INIT or a write of DRDCNT */
	_Atomic uint32_t dwrcnt, drdcnt;
	_Atomic uint32_t ctl, intr, inte, sts, pwe;
	_Atomic uint32_t dptrl, dptrh, dsbl, dsbh, dssz;
	_Atomic uint32_t dsrp, dswp;
	uint64_t desc;		/* address of the next descriptor */
	uint64_t since_ns;	/* when the head message was first answered with RETRY; 0: not */
	_Atomic uint64_t sent, bytes;
};

/* Inbound message channel; cache lines as of struct null_idq. */
struct null_imsg_ch {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t contended;	/* somebody gave up waiting for the lock */
	_Atomic uint64_t count;		/* delivered since INIT; FQRP and DQWP are its low parts */
	_Atomic uint64_t received;	/* delivered since power-up */
	uint32_t lap;			/* number of the first lap since INIT */
	uint32_t suspect;		/* the lock's owner died; its last entry was not looked for */
	uint32_t fqwp_seen, dqrp_seen;	/* as deliverers last read them */
	alignas(NULL_CACHE_LINE) _Atomic uint32_t fqwp;
	_Atomic uint32_t dqrp;
	alignas(NULL_CACHE_LINE) _Atomic uint32_t ctl;
	_Atomic uint32_t sts, intr, inte, pwe;
	_Atomic uint32_t fqbl, fqbh, fqsz, fqth;
	_Atomic uint32_t dqbl, dqbh, dqsz;
};

struct null_ibwin {
	_Atomic uint32_t lb, ub, sz, tla, tua;
	_Atomic uint32_t seq;	/* counts the beginnings and ends of writes */
};

struct null_obwin {
	_Atomic uint32_t lb, ub, sz;
	struct {
		_Atomic uint32_t lut[3];
	} zone[TSI721_OBWIN_ZONES];
};

/*
 * Configuration space: 4 KiB, little-endian as on the bus; null_pcicfg.c knows
 * which bits software may write. Words that other threads look at on the fast
 * path (command, MSI, MSI-X control) are read through null_cfg_get32.
 */
#define NULL_CFG_SIZE		4096u
#define NULL_CFG_COMMAND	0x04u
#define   NULL_CFG_COMMAND_MASTER	0x0004u
#define   NULL_CFG_COMMAND_INTX_OFF	0x0400u
#define NULL_CFG_BAR(n)		(0x10u + (n) * 4u)
#define NULL_CFG_PCIE_CAP	0x40u
#define NULL_CFG_PM_CAP		0x80u
#define NULL_CFG_MSI_CAP	0x90u	/* one vector, 64-bit address, no masking */
#define   NULL_CFG_MSI_ENABLE		0x00010000u	/* in the 32-bit word at the capability */
#define NULL_CFG_MSIX_CAP	TSI721_PCIECFG_MSIX_CAP
#define   NULL_CFG_MSIX_ENABLE		0x80000000u	/* in the 32-bit word at the capability */
#define   NULL_CFG_MSIX_MASKALL		0x40000000u

struct null_msix_entry {
	_Atomic uint32_t addr_lo, addr_hi, data, ctl;
};

/* Set of endpoints. */
struct null_epset {
	_Atomic uint64_t w[NULL_EP_MAX / 64];
};

/* One endpoint: a Tsi721 with what is around it. */
struct null_chip {
	_Atomic uint32_t attached;	/* a device is open on it */
	_Atomic uint32_t proc;		/* process slot that owns it */
	char node[NULL_NAME_LEN];
	_Atomic uint16_t link;		/* index in links[] of its port, or NULL_LINK_NONE */
	_Atomic uint32_t stuck;		/* as in its struct null_place */

	/* Block 0x00000: CARs and CSRs that can change. */
	_Atomic uint32_t did, host_lock, comp_tag, pell_ctrl, lcsh_ba, lcsl_ba;
	_Atomic uint32_t gen_ctl, linkto_ctl, rspto_ctl, port_ctl, port_ctl2, err_sts, ack_sts;
	_Atomic uint32_t mnt_rsp;
	_Atomic uint32_t devctl;

	/* Event management and port-writes. */
	_Atomic uint32_t em_int_stat, em_int_enable, em_dev_int_en, pw_ctl, pw_rx_stat;
	_Atomic uint32_t em_int_meets;	/* em_int_enable while em_dev_int_en is set, else 0 */
	_Atomic uint32_t pw_capt[TSI721_RIO_PW_WORDS];
	struct null_lock pw_lock;
	_Atomic uint32_t em_ltl_err, em_ltl_err_en, em_pw_tgt, em_pkt_ttl;
	_Atomic uint32_t em_pn_err, em_pn_err_en;

	/* Interrupts. */
	_Atomic uint32_t dev_inte, dev_intset, dev_chan_inte;
	_Atomic uint32_t sr2pc_gen_inte, sr2pc_gen_int, sr2pc_pwe, pc2sr_inte, bdma_inte;
	_Atomic uint32_t i2c_inte;
	_Atomic uint32_t irq_state;	/* level of (DEV_INT & DEV_INTE) != 0, and a count: null_intr.c */
	struct null_msix_entry msix[TSI721_MSIX_VECTORS];
	_Atomic uint64_t msix_pba[2];

	struct null_idq idq[TSI721_IDQ_NUM];
	struct null_odb odb;
	struct null_ibwin ibwin[TSI721_IBWIN_NUM];
	struct null_obwin obwin[TSI721_OBWIN_NUM];
	_Atomic uint32_t zone_sel, lut_data[3];
	struct null_lock obwin_lock;	/* of the engine behind BAR2 and BAR4 */
	struct null_bdma_ch bdma[TSI721_DMAC_NUM];

	_Atomic uint32_t rqrpto, ib_devid;
	_Atomic uint32_t smsg_inte, smsg_pwe, smsg_int, smsg_ecc_log, retry_gen_cnt, retry_rx_cnt;
	_Atomic uint32_t ecc_cor[TSI721_IMSG_NUM], ecc_ncor[TSI721_IMSG_NUM];
	struct null_omsg_ch omsg[TSI721_OMSG_NUM];
	struct null_imsg_ch imsg[TSI721_IMSG_NUM];

	_Atomic uint32_t cfg[NULL_CFG_SIZE / 4];	/* in host order: byte 0 is bits 7:0 of word 0 */
	uint32_t win_log2;		/* size of BAR2 and of BAR4, each; not changed by a reset */

	/* Who waits for room here: set by senders, taken when room is made. */
	struct null_epset idq_waiters, imsg_waiters;

	_Atomic uint64_t stats[NULL_STAT_COUNT];
};

/* ---- fabric state, shared ---- */

/* A process. It lives while it holds the record lock of its slot: null_shm.c. */
struct null_proc {
	alignas(NULL_CACHE_LINE) _Atomic uint32_t pid;	/* 0: free, or not announced yet */
	_Atomic uint32_t gen;		/* of this slot's use */
	_Atomic uint32_t wake_fd;	/* number of its agent's pipe there */
	_Atomic uint64_t wake_ino;	/* that file's inode */
	alignas(NULL_CACHE_LINE) _Atomic uint32_t asleep;	/* its agent looks at kicks no more */
	_Atomic uint32_t kicks;		/* NULL_KICK_*: what its agent is to look at */
	struct null_epset retry, intr;	/* its endpoints: engines to run, causes to deliver */
};

/* Where the list of an endpoint's memory is, for other processes: null_peer.c. */
struct null_listing {
	_Atomic uint32_t gen;	/* counts lists */
	_Atomic int32_t fd;	/* of the list, in the process of the endpoint; -1: no memory */
};

/* Where an endpoint is, whether a device is on it or not. */
struct null_place {
	char node[NULL_NAME_LEN];
	uint32_t destid;		/* NULL_TOPO_NO_ID: not numbered */
	uint32_t host;
	uint16_t link;
	_Atomic uint32_t stuck;		/* engines that do not run: NULL_STUCK_* */
};

#define NULL_SHARED_MAGIC	0x54534937u
#define NULL_SHARED_VERSION	2u

struct null_shared {
	uint32_t magic, version, size;
	char name[NULL_NAME_LEN];
	uint32_t sys16;
	/* Anything that a cached route or window translation depends on has changed. */
	_Atomic uint32_t gen;
	struct null_lock lock;	/* topology: attach, detach, routes */
	_Atomic uint32_t nb_ep;	/* endpoints ever attached are below this */
	uint32_t nb_sw, nb_link;
	uint32_t autostar;	/* endpoints are added on demand to switch 0 */
	uint64_t topo_hash;	/* null_topo_hash(), when it is not a star */
	struct null_place place[NULL_EP_MAX];
	_Atomic uint32_t procs_gen;	/* a process came or went */
	struct null_proc procs[NULL_PROC_MAX];
	struct null_listing listing[NULL_EP_MAX];
	struct null_link links[NULL_LINK_MAX];
	struct null_switch sw[NULL_SW_MAX];
	struct null_sw_tables tables[NULL_SW_PORTS_ALL];
	struct null_chip ep[NULL_EP_MAX];
};

/* ---- process-local ---- */

struct null_region {
	uint64_t iova;
	uint64_t len;
	uint8_t *va;
};

/* What null_device_dma_map was given. */
struct null_export {
	struct null_region r;
	int fd;
	off_t fd_off;
	uint64_t dev, ino;	/* of the file */
	uint32_t page;		/* its block size */
};

/*
 * An endpoint's memory as this process maps it: sorted, replaced as a whole,
 * freed when every engine has left it. Only engines look at it.
 */
struct null_memmap {
	uint32_t nb;		/* of r: exports that touch each other merged into one */
	uint32_t nb_exports;
	struct null_region *r;
	/* Of another process's endpoint: which list it was made of, what was mapped for it. */
	uint32_t gen;
	uint32_t nb_maps;
	struct null_region *maps;
	struct null_memmap *next;	/* of those to be freed */
	struct null_export exports[];
};

struct null_fabric {
	struct null_shared *sh;
	uint32_t proc;			/* own process slot */
	uint32_t refcnt;
	struct null_fabric *next;	/* fabrics this process has joined */
	bool shared;			/* with other processes; the next is 0 otherwise */
	struct null_agent *agent;
	/* Of the file, opened once: the record locks vanish at any close of it. */
	int fd;
	_Atomic bool own[NULL_EP_MAX];	/* endpoints that this process has attached */
	_Atomic(struct null_memmap *) map[NULL_EP_MAX];
	_Atomic uint32_t map_gen;	/* a map of this process was replaced */
	_Atomic(struct null_device *) dev[NULL_EP_MAX]; /* devices that this process owns */
	pthread_mutex_t map_lock;	/* replacing a map of an own endpoint */
	pthread_mutex_t peer_lock;	/* replacing one of another process's, `retired` */
	struct null_memmap *retired;	/* replaced, and freed by the agent */
	/*
	 * Held for reading by whoever uses another's struct null_device outside of
	 * an engine's lock; for writing to take one out of dev[].
	 */
	pthread_rwlock_t dev_lock;
};

/*
 * Direct-mapped cache of bus addresses, one an engine, used under its lock. An
 * entry covers a whole mapped region; which entry is looked at depends on the
 * endpoint and the 2 MiB granule asked for. Emptied when a generation changes.
 */
#define NULL_TLB_SIZE		64u
#define NULL_TLB_SHIFT		21
struct null_tlb {
	struct null_tlb_ent {
		uint64_t iova;
		uint64_t len;	/* 0: empty */
		uint8_t *va;
		uint32_t ep;
	} e[NULL_TLB_SIZE];
};

/* RapidIO addresses of a target that lie in one window and one region of its memory. */
struct null_span {
	uint64_t base;		/* address bits 63:0 */
	uint64_t len;		/* 0: empty */
	uint8_t *va;
	uint32_t hi2;		/* address bits 65:64 */
};

/* Where a destination ID leads, and the last spans hit there. */
#define NULL_ROUTE_FAULTY	0x40000000u	/* so that no fast path finds its key */
#define NULL_ROUTE_SPANS	4u
struct null_route {
	uint32_t key;		/* tt << 16 | destid, and NULL_ROUTE_FAULTY; UINT32_MAX: empty */
	uint32_t ep;
	uint32_t faults;	/* not 0: null_link_fate() is asked about each request */
	uint32_t next;		/* span to replace next */
	struct null_span span[NULL_ROUTE_SPANS];
};

/*
 * Caches of an engine. Call null_engine_check before using them in a run and
 * between requests: it empties them when anything that they depend on changed.
 */
#define NULL_ROUTE_CACHE	16u	/* by destination ID, direct-mapped */
struct null_engine {
	uint32_t gen;		/* null_shared.gen they were filled at */
	uint32_t map_gen;	/* null_fabric.map_gen they were filled at */
	struct null_route route[NULL_ROUTE_CACHE];
	struct null_tlb tlb;
};

/* Runs a device's engines, with exec=thread. */
struct null_thread {
	pthread_t thread;
	pthread_mutex_t lock;		/* of `wake` */
	pthread_cond_t wake;
	_Atomic uint32_t work;		/* NULL_RETRY_*: engines to run */
	_Atomic bool sleeping, stop;
};

struct null_device {
	struct null_fabric *fab;
	struct null_chip *chip;		/* &fab->sh->ep[ep] */
	uint32_t ep;
	enum null_exec exec;
	null_irq_cb irq;
	void *irq_ctx;
	struct null_thread thread;
	_Atomic uint32_t retry;		/* NULL_RETRY_*: engines to run at the next access */
	struct null_engine bdma[TSI721_DMAC_NUM];
	struct null_engine omsg[TSI721_OMSG_NUM];
	struct null_engine odb;
	struct null_engine obwin;
};

/* Bits of null_device.retry. */
#define NULL_RETRY_OMSG(ch)	(1u << (ch))
#define NULL_RETRY_ODB		(1u << 8)
#define NULL_RETRY_BDMA_SHIFT	16
#define NULL_RETRY_BDMA(ch)	(1u << (NULL_RETRY_BDMA_SHIFT + (ch)))	/* stuck, by a fault */

/* ---- small helpers ---- */
static inline void
null_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" : : : "memory");
#endif
}

static inline struct null_chip *
null_chip_at(struct null_fabric *fab, uint32_t ep)
{
	return &fab->sh->ep[ep];
}

static inline void
null_stat_add(struct null_chip *chip, enum null_stat s, uint64_t n)
{
	atomic_fetch_add_explicit(&chip->stats[s], n, memory_order_relaxed);
}

static inline uint32_t
null_cfg_get32(const struct null_chip *chip, unsigned int off)
{
	return atomic_load_explicit(&chip->cfg[off / 4], memory_order_acquire);
}

static inline bool
null_bus_master(const struct null_chip *chip)
{
	return (null_cfg_get32(chip, NULL_CFG_COMMAND) & NULL_CFG_COMMAND_MASTER) != 0;
}

/* ---- null_lock.c ---- */
/*
 * An engine's own lock, which only threads of one process want: one attempt.
 * Who fails leaves its work to the holder, who looks for new work after the
 * release (null_lock_release is sequentially consistent for that):
 *
 *	do {
 *		if (!null_lock_once(fab, &ch->lock))
 *			return;
 *		work until there is none;
 *		null_lock_release(fab, &ch->lock);
 *	} while (there is work again);
 */
bool null_lock_once_slow(struct null_fabric *fab, struct null_lock *l);
bool null_lock_try_slow(struct null_fabric *fab, struct null_lock *l, bool *stolen);

/* One attempt at a lock that was free when it was last looked at. */
static inline bool
null_lock_take(struct null_fabric *fab, struct null_lock *l)
{
	uint32_t word = atomic_load_explicit(&l->word, memory_order_relaxed);

	return (word & NULL_LOCK_OWNER) == 0 &&
	       atomic_compare_exchange_strong(&l->word, &word, word | (fab->proc + 1));
}

static inline bool
null_lock_once(struct null_fabric *fab, struct null_lock *l)
{
	return null_likely(null_lock_take(fab, l)) || null_lock_once_slow(fab, l);
}

/* A target's queue. Bounded wait; false: somebody alive holds it. *stolen: the owner died in it. */
static inline bool
null_lock_try(struct null_fabric *fab, struct null_lock *l, bool *stolen)
{
	*stolen = false;
	return null_likely(null_lock_take(fab, l)) || null_lock_try_slow(fab, l, stolen);
}

/* For set-up, INIT and teardown, where waiting longer is right; a stopped owner ends it with false. */
bool null_lock_wait(struct null_fabric *fab, struct null_lock *l, bool *stolen);

static inline uint32_t
null_lock_free_word(struct null_lock *l)
{
	uint32_t word = atomic_load_explicit(&l->word, memory_order_relaxed);

	return (word & ~NULL_LOCK_OWNER) + NULL_LOCK_COUNT_ONE;
}

static inline void
null_lock_release(struct null_fabric *fab, struct null_lock *l)
{
	(void)fab;
	atomic_store(&l->word, null_lock_free_word(l));
}

/* The same without order towards later loads, for one who does another release next. */
static inline void
null_lock_release_first(struct null_fabric *fab, struct null_lock *l)
{
	(void)fab;
	atomic_store_explicit(&l->word, null_lock_free_word(l), memory_order_release);
}

/*
 * Return when whoever holds the lock now has released it once. A process that is
 * stopped, or whose engine does not end, is not waited for beyond *until (0: set
 * here, so that several locks share one limit).
 */
bool null_lock_passed(struct null_fabric *fab, struct null_lock *l, uint64_t *until);

/* ---- null_mem.c ---- */
int null_mem_map(struct null_fabric *fab, uint32_t ep, const struct null_export *add);
int null_mem_unmap(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len);
void null_mem_forget(struct null_fabric *fab, uint32_t ep);
/*
 * Where [iova, iova + len) of endpoint ep is in this process; NULL when not all
 * of it is one mapped region. No bytes outside the range may be touched.
 */
uint8_t *null_mem(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len);
/* The region that iova lies in. False: none; region->len is then how far away the next one is. */
bool null_mem_region(struct null_fabric *fab, uint32_t ep, uint64_t iova,
		     struct null_region *region);
/* Lookups that missed an engine's cache: fill it. */
uint8_t *null_tlb_fill(struct null_device *dev, struct null_engine *eng, uint32_t ep,
		       uint64_t iova, uint64_t len);
/*
 * Inbound windows: where RapidIO address hi2:addr of rt's target is. *len, what
 * is asked for, is cut to what lies there in one piece. NULL: no window shows
 * the address (*fault false), or it leads to no memory (*fault true); *len is
 * then cut to what the next window or region could not change.
 */
uint8_t *null_target_mem(struct null_device *dev, struct null_engine *eng,
			 struct null_route *rt, uint64_t addr, uint32_t hi2, uint64_t *len,
			 bool *fault);
/* Empty an engine's caches when anything they depend on has changed. */
void null_engine_flush(struct null_engine *eng);

/*
 * A target's queue is locked, and what the engine knows is of before. An engine
 * that was held up since it looked may be about to deliver to a queue that is
 * another one's by now: with the lock, it stays what it is.
 */
static inline bool
null_engine_late(const struct null_device *dev, const struct null_engine *eng)
{
	return null_unlikely(atomic_load_explicit(&dev->fab->sh->gen, memory_order_acquire) !=
			     eng->gen);
}

static inline void
null_engine_check(struct null_device *dev, struct null_engine *eng)
{
	uint32_t gen = atomic_load_explicit(&dev->fab->sh->gen, memory_order_acquire);
	uint32_t map_gen = atomic_load_explicit(&dev->fab->map_gen, memory_order_acquire);

	if (null_likely(eng->gen == gen && eng->map_gen == map_gen))
		return;
	null_engine_flush(eng);
	eng->gen = gen;
	eng->map_gen = map_gen;
}

static inline struct null_tlb_ent *
null_tlb_at(struct null_engine *eng, uint32_t ep, uint64_t iova)
{
	return &eng->tlb.e[((iova >> NULL_TLB_SHIFT) + ep * 11u) % NULL_TLB_SIZE];
}

/* As null_mem, through the engine's cache. The caller holds the engine's lock. */
static inline uint8_t *
null_tlb_mem(struct null_device *dev, struct null_engine *eng, uint32_t ep, uint64_t iova,
	     uint64_t len)
{
	const struct null_tlb_ent *e = null_tlb_at(eng, ep, iova);
	uint64_t off = iova - e->iova;

	if (null_likely(off < e->len && e->ep == ep && len <= e->len - off))
		return e->va + off;
	return null_tlb_fill(dev, eng, ep, iova, len);
}

/* Queues and buffers of an endpoint, by its own bus addresses: checks its bus mastering. */
static inline uint8_t *
null_peer_mem(struct null_device *dev, struct null_engine *eng, uint32_t ep, uint64_t iova,
	      uint64_t len)
{
	struct null_chip *chip = null_chip_at(dev->fab, ep);
	uint8_t *va = NULL;

	if (null_likely(null_bus_master(chip)))
		va = null_tlb_mem(dev, eng, ep, iova, len);
	if (null_unlikely(va == NULL))
		null_stat_add(chip, NULL_STAT_DMA_FAULTS, 1);
	return va;
}

/* Own side of a DMA. NULL: NULL_RESP_PCI. */
static inline uint8_t *
null_dma_mem(struct null_device *dev, struct null_engine *eng, uint64_t iova, uint64_t len)
{
	return null_peer_mem(dev, eng, dev->ep, iova, len);
}

/* ---- null_fabric.c ---- */
/* name and topology file as in struct null_device_params. */
int null_fabric_join(const char *name, const char *file, struct null_fabric **fab, char *err,
		     size_t errlen);
void null_fabric_leave(struct null_fabric *fab);
int null_fabric_attach(struct null_fabric *fab, const struct null_device_params *params,
		       uint32_t *ep, char *err, size_t errlen);
void null_fabric_detach(struct null_fabric *fab, uint32_t ep);
/* Its process died: the same, and its locks are free again. Under sh->lock, by the agent. */
void null_fabric_detach_dead(struct null_fabric *fab, uint32_t ep);
/* Take back what one who died while it attached has taken. Under sh->lock. */
void null_fabric_tidy(struct null_fabric *fab);
bool null_fabric_proc_alive(struct null_fabric *fab, uint32_t proc);
/* Anything that routes or windows depend on has changed: a new generation. */
void null_fabric_changed(struct null_fabric *fab);
/*
 * Return when no engine that started before this call still runs. Not to be
 * called with an engine's lock held. After null_fabric_changed this means that
 * nobody uses the old translations, but for processes that are stopped: those are
 * waited for for a tenth of a second in all.
 */
void null_fabric_quiesce(struct null_fabric *fab);
/* The same for engines of this process, which alone look at its maps. */
void null_fabric_quiesce_own(struct null_fabric *fab);
/* Judge ep's link again: after SRBOOT_CMPL, LOCKOUT, attach, detach, faults. */
void null_fabric_link_update(struct null_fabric *fab, uint32_t ep);
bool null_fabric_link_ok(struct null_fabric *fab, uint32_t ep);
/* Endpoint that a request of src to destid reaches; DONE, ERROR or TIMEOUT. */
enum null_resp null_fabric_route(struct null_fabric *fab, uint32_t src, uint32_t destid,
				 uint32_t tt, uint32_t *ep, uint32_t *faults);
/* The same through the engine's cache. NULL: *resp says why. */
struct null_route *null_route_get(struct null_device *dev, struct null_engine *eng,
				  uint32_t destid, uint32_t tt, enum null_resp *resp);
/* Maintenance request by hop count: reaches a switch or an endpoint. */
enum null_resp null_fabric_maint(struct null_fabric *fab, uint32_t src, uint32_t destid,
				 uint32_t tt, uint32_t hop, bool write, uint32_t off,
				 uint32_t *val);

/* ---- null_build.c, on a fabric that nobody has joined yet ---- */
void null_star_build(struct null_shared *sh);
void null_topo_build(struct null_shared *sh, const struct null_topo *topo);

/* ---- null_attach.c ---- */
/* One line for an err buffer, which may be NULL. */
__attribute__((format(printf, 3, 4)))
void null_say(char *err, size_t errlen, const char *fmt, ...);
/* Engines of ep that are not to run, a mask of NULL_STUCK_*; they go on at the next access. */
void null_stuck_set(struct null_fabric *fab, uint32_t ep, uint32_t mask);

static inline bool
null_stuck(const struct null_device *dev, uint32_t mask)
{
	return (atomic_load_explicit(&dev->chip->stuck, memory_order_relaxed) & mask) != 0;
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
 * After the death of a process: publish what it left published in ep's inbound
 * queues without moving their pointers, and raise what it may not have raised.
 */
/*
 * At attach, after null_regs_reset. Whoever delivers to an inbound queue just
 * then, even a stopped process, must find its lock as it left it: so idq[] and
 * imsg[] of a chip are never zeroed but by these.
 */
void null_doorbell_reset(struct null_fabric *fab, uint32_t ep);
void null_mbox_reset(struct null_fabric *fab, uint32_t ep);
void null_idb_sweep(struct null_fabric *fab, uint32_t ep);
void null_imsg_sweep(struct null_fabric *fab, uint32_t ep);
void null_portwrite_sweep(struct null_fabric *fab, uint32_t ep);
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

/* ---- null_intr.c: DEV_INT and its kin, MSI-X table and PBA, delivery ---- */
void null_intr_raise_slow(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
			  const _Atomic uint32_t *enable, uint32_t bits, unsigned int vector);
/*
 * Set causes of a channel register; raises what follows. `vector` is the MSI-X
 * one. What the cause announces must have been published before, with a
 * sequentially consistent store last (the queue's pointer): a driver that
 * clears the cause and then finds nothing must not have missed it.
 */
static inline void
null_intr_raise(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		const _Atomic uint32_t *enable, uint32_t bits, unsigned int vector)
{
	if (null_unlikely((atomic_load(cause) & bits) != bits))
		null_intr_raise_slow(fab, ep, cause, enable, bits, vector);
}
/* Write-one-to-clear of causes by software. */
void null_intr_clear(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		     uint32_t bits);
/* Which MSI-X vector a cause goes to; a block's table ends with bits 0. */
struct null_intr_vec {
	uint32_t bits;
	unsigned int vector;
};
/* Write of an enable register: raises what it uncovers. */
void null_intr_enable(struct null_fabric *fab, uint32_t ep, const _Atomic uint32_t *cause,
		      _Atomic uint32_t *enable, uint32_t val, const struct null_intr_vec *vecs);
/* Judge DEV_INT again after any change of causes or enables. */
void null_intr_update(struct null_fabric *fab, uint32_t ep);
/* After a write of the command register or of MSI or MSI-X control. */
void null_intr_cfg_changed(struct null_fabric *fab, uint32_t ep);
/* Another process has raised causes of an own endpoint: deliver what follows. */
void null_intr_catch_up(struct null_fabric *fab, uint32_t ep);
/*
 * Whoever raised causes may have died before the MSI-X message: send those of all
 * that are raised and enabled. A driver takes one too many for a late one.
 */
void null_intr_again(struct null_fabric *fab, uint32_t ep, const _Atomic uint32_t *cause,
		     const _Atomic uint32_t *enable, const struct null_intr_vec *vecs);
uint32_t null_intr_dev_int(const struct null_chip *chip);
uint32_t null_intr_dev_chan_int(const struct null_chip *chip);

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
void null_epset_add(struct null_epset *set, uint32_t ep);
static inline bool
null_epset_any(const struct null_epset *set)
{
	uint64_t any = 0;

	for (unsigned int i = 0; i < NULL_EP_MAX / 64; i++)
		any |= atomic_load_explicit(&set->w[i], memory_order_relaxed);
	return any != 0;
}
uint64_t null_now_ns(void);

/* Order a store to bus memory after those before it, as posted writes are. */
static inline void
null_wmb(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("" : : : "memory");
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/* ---- register table ---- */

enum null_access { NULL_RO, NULL_RW, NULL_W1C, NULL_WO };

/*
 * One row a register, or an array of them: `count` registers `stride` apart,
 * and the state of each `state_stride` bytes apart in struct null_chip. A row
 * with a handler has side effects; `i` is the index in the array.
 *
 * A write handler is given, and stores itself: for RW the register's new value
 * (wmask is applied to the old one), for W1C the bits to clear (and'ed with
 * wmask), for WO the written value (and'ed with wmask). dev is the chip that
 * the register belongs to; for rows below 0x20000, which other devices reach by
 * maintenance requests, only dev->fab, dev->ep and dev->chip may be used.
 */
struct null_reg {
	const char *name;
	uint32_t off, count, stride;
	uint32_t reset;
	uint32_t wmask;			/* bits that a write changes (RW) or clears (W1C) */
	enum null_access access;
	uint32_t state, state_stride;	/* offsetof in struct null_chip; NULL_NO_STATE: none */
	bool read_clears;		/* who only looks, looks at the state */
	uint32_t (*read)(struct null_device *dev, uint32_t i);
	void (*write)(struct null_device *dev, uint32_t i, uint32_t val);
};
#define NULL_NO_STATE		UINT32_MAX
/* Where the state of a row is: of one register, or of an array of structs' members. */
#define NULL_STATE(member)	.state = offsetof(struct null_chip, member)
#define NULL_STATES(array, member) \
	.state = offsetof(struct null_chip, array[0].member), \
	.state_stride = sizeof(((struct null_chip *)0)->array[0])

/*
 * Each block's table; null_regs.c joins them into a lookup by offset. DEVCTL
 * is in null_maint.c's; the interrupt registers of no other block
 * (SR2PC_GEN_*, SR2PC_PWE, PC2SR_INTE, BDMA_INTE, I2C_INT_ENABLE) and the MSI-X
 * table and PBA are in null_intr.c's; RQRPTO, IB_DEVID and SMSG_* in null_mbox.c's.
 */
struct null_reg_block {
	const struct null_reg *regs;
	uint32_t nb;
};
extern const struct null_reg_block null_maint_regs, null_portwrite_regs, null_doorbell_regs,
	null_ibwin_regs, null_obwin_regs, null_bdma_regs, null_mbox_regs, null_omsg_regs,
	null_imsg_regs, null_intr_regs;

const struct null_reg *null_reg_find(uint32_t off, uint32_t *i);
/* Through table and handlers, as an access by the bus or by maintenance. False: no such row. */
bool null_reg_read(struct null_device *dev, uint32_t off, uint32_t *val);
bool null_reg_write(struct null_device *dev, uint32_t off, uint32_t val);
/* What a read of a row's i-th register gives, without what it does. As for maintenance. */
uint32_t null_reg_peek(struct null_device *dev, const struct null_reg *row, uint32_t i);
/* Put every register's state to its reset value. */
void null_regs_reset(struct null_chip *chip);
/* For tests and tools: every row, NULL at the end. */
const struct null_reg *null_reg_row(unsigned int n);

#endif /* NULL_INTERNAL_H */
