/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_DEVICE_H
#define TSI721_DEVICE_H

/*
 * One Tsi721: its BARs, how they are accessed, its life, and the blocks that
 * hang on it. This header and those of the blocks (tsi721_bdma.h,
 * tsi721_doorbell.h, tsi721_mbox.h, tsi721_window.h, tsi721_maint.h) are the
 * internal API that net/rionet is built on; applications use
 * rte_pmd_tsi721.h.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>
#include <rte_io.h>
#include <rte_byteorder.h>
#include <rte_log.h>
#include <rte_spinlock.h>

#include "tsi721_bdma.h"
#include "tsi721_fabric.h"
#include "tsi721_intr.h"
#include "tsi721_mbox.h"
#include "tsi721_regs.h"

struct tsi721_device;
struct tsi721_dbell;
struct tsi721_dmadev;
struct tsi721_idq;
struct tsi721_maint;
struct rte_device;
struct rte_intr_handle;
struct rte_memzone;
struct rte_rawdev;

#define TSI721_NAME_LEN		64
/** Names of null devices begin so: those of vdevs, by which EAL finds their driver, and own ones. */
#define TSI721_VDEV_PREFIX	"raw_tsi721"

/**
 * How the registers of a device that is not memory-mapped are accessed. NULL
 * ops mean plain loads and stores to the mapped BARs.
 */
struct tsi721_bus_ops {
	uint32_t (*read32)(void *bus, unsigned int bar, uint64_t off);
	void (*write32)(void *bus, unsigned int bar, uint64_t off, uint32_t val);
	/* A 16-bit write of `info`, big-endian on the bus, to BAR1. */
	void (*doorbell)(void *bus, uint32_t off, uint16_t info);
	/* Bytes of an outbound window, BAR2 or BAR4; a read that fails gives ones. */
	void (*win_read)(void *bus, unsigned int bar, uint64_t off, void *buf, size_t len);
	void (*win_write)(void *bus, unsigned int bar, uint64_t off, const void *buf, size_t len);
};

/** What stands behind a device, board or not: configuration space, interrupts, its end. */
struct tsi721_host_ops {
	/* PCI configuration space; 0 or a negative errno. */
	int (*cfg_read)(struct tsi721_device *dev, uint32_t off, void *buf, uint32_t len);
	int (*cfg_write)(struct tsi721_device *dev, uint32_t off, const void *buf, uint32_t len);
	/*
	 * Let interrupts through to dev->intr_handle, as dev->conf.intr says, and set
	 * dev->intr_mode to what they are. The chip's own enables are off. 0, and where there
	 * are none TSI721_INTR_OFF; or a negative errno after one line. close ends it.
	 */
	int (*irq_open)(struct tsi721_device *dev);
	/* In an interrupt handler, with the device's interrupts off: lets the next one through. */
	void (*irq_ack)(struct tsi721_device *dev);
	/* The last call: no access follows; struct tsi721_device may be freed in it. */
	void (*close)(struct tsi721_device *dev);
	/* Whether the bus that found the device knows it no more; NULL: it does. */
	bool (*forgotten)(struct tsi721_device *dev);
	/* Further counters, n from 0; NULL: none, and a name of NULL ends them. */
	const char *(*stat_name)(unsigned int n);
	uint64_t (*stat_get)(struct tsi721_device *dev, unsigned int n);
};

/** How interrupts arrive; in device arguments also: whichever works, none. */
enum tsi721_intr_mode {
	TSI721_INTR_AUTO,
	TSI721_INTR_OFF,
	TSI721_INTR_INTX,
	TSI721_INTR_MSI,
	TSI721_INTR_MSIX,
};

/** What device arguments decide. */
struct tsi721_conf {
	int mrrs;		/* code 0 to 5: 128 << code bytes; -1: leave it */
	uint8_t dma_sel;	/* block DMA channels that queues and ports may use, a bit each */
	uint8_t dmadev;		/* those that are dmadevs, none of which is in dma_sel */
	uint8_t mbox_sel;	/* mailboxes that may be used, a bit each */
	uint32_t descs;		/* descriptors of a block DMA channel, if not said otherwise */
	uint8_t role;		/* enum rte_pmd_tsi721_fabric_role */
	int hdid;		/* a host's destination ID; -1: the one it has */
	enum tsi721_intr_mode intr;
};

/* Where an open outbound window lies. */
struct tsi721_obwin {
	unsigned int bar;
	uint64_t off, size;	/* size 0: not open */
};

struct tsi721_device {
	uint8_t *bar[6];			/* mapped BARs, where there are any */
	uint64_t bar_len[6];			/* of those that windows may lie in */
	const struct tsi721_bus_ops *ops;	/* NULL on a board */
	void *bus;				/* for ops */
	uint16_t destid;
	bool sys16;				/* 16-bit destination IDs on this fabric */
	int socket_id;
	struct tsi721_bdma *bdma[TSI721_DMAC_NUM];	/* NULL: not open */
	struct tsi721_omsg *omsg[TSI721_MSG_MBOX_NUM];	/* NULL: not open */
	struct tsi721_imsg *imsg[TSI721_MSG_MBOX_NUM];	/* NULL: not open */
	struct tsi721_dbell *dbell;
	struct tsi721_idq *idq[TSI721_IDQ_NUM];	/* NULL: not open */
	struct tsi721_maint *maint;
	const struct tsi721_host_ops *host;
	struct tsi721_conf conf;
	char name[TSI721_NAME_LEN];
	struct rte_rawdev *rawdev;
	const struct rte_memzone *shared_mz;	/* for secondary processes; NULL: there are none */
	struct tsi721_dmadev *dmadev[TSI721_DMAC_NUM];	/* NULL: the channel is none */
	bool loops;				/* the fabric brings packets to this device back to it */
	struct rte_intr_handle *intr_handle;	/* NULL: no interrupts */
	enum tsi721_intr_mode intr_mode;	/* what they are; never AUTO once it is up */
	bool msix_ok;				/* the MSI-X capability says where the table is */
	rte_spinlock_t lock;			/* which channels, windows, mailboxes are in use */
	struct tsi721_obwin obwin[TSI721_OBWIN_NUM];
	uint32_t ibwin_used;			/* inbound windows in use, a bit each */
	uint32_t ibwin_refs[TSI721_IBWIN_NUM];	/* how often each was opened */
	struct tsi721_bdma_stats bdma_past[TSI721_DMAC_NUM];	/* of queues closed since */
	struct tsi721_msg_stats omsg_past[TSI721_MSG_MBOX_NUM];
	struct tsi721_msg_stats imsg_past[TSI721_MSG_MBOX_NUM];
	/* Eventfds of sources as fd + 1, 0: none; the handler writes to them under the lock. */
	rte_spinlock_t event_lock;
	int event_fd[TSI721_INTR_SRCS][TSI721_DMAC_NUM];
	uint64_t intr_count;			/* interrupts handled */
	uint64_t intr_polled;			/* doorbells polled by others, at the last one */
	struct tsi721_fabric *fabric;
	pthread_mutex_t fabric_cbs_lock;
	struct tsi721_fabric_cbs fabric_cbs;

	/* Under the device list's lock. */
	struct tsi721_device *next;
	uint32_t refcnt;
	bool own;				/* ends with its last reference */
};

static __rte_always_inline uint32_t
tsi721_read32(struct tsi721_device *dev, uint32_t off)
{
	if (likely(dev->ops == NULL))
		return rte_le_to_cpu_32(rte_read32_relaxed(dev->bar[TSI721_BAR_REGS] + off));
	return dev->ops->read32(dev->bus, TSI721_BAR_REGS, off);
}

static __rte_always_inline void
tsi721_write32(struct tsi721_device *dev, uint32_t off, uint32_t val)
{
	if (likely(dev->ops == NULL))
		rte_write32_relaxed(rte_cpu_to_le_32(val), dev->bar[TSI721_BAR_REGS] + off);
	else
		dev->ops->write32(dev->bus, TSI721_BAR_REGS, off, val);
}

/** Look a device up by rawdev name (a PCI address for a board) and hold it. */
__rte_internal
struct tsi721_device *tsi721_device_get(const char *name);

/**
 * Make a null device of one's own and hold it. Its name is "raw_tsi721_" and
 * the name given here, its arguments are those of a raw_tsi721 vdev (NULL or
 * "": fabric `default`, destination ID by order of arrival). It ends with its
 * last reference; it is a rawdev as any other until then.
 * @return 0; -EINVAL bad argument or name too long; -EEXIST name or destination
 *   ID taken; -ENOMEM; -ENOTSUP in a secondary process. A line was logged.
 */
__rte_internal
int tsi721_device_open_own(const char *name, const char *args, struct tsi721_device **dev);

/** Give back what tsi721_device_get or _open_own returned. NULL is allowed. */
__rte_internal
void tsi721_device_put(struct tsi721_device *dev);

/**
 * Whether the device does not answer any more, as one that was pulled out: its identity
 * reads as all ones. Any thread.
 */
__rte_internal
bool tsi721_device_is_gone(struct tsi721_device *dev);

/*
 * What follows is for the files of this folder.
 */

extern int tsi721_logtype;
#define TSI721_LOG(level, dev, fmt, ...) \
	rte_log(RTE_LOG_ ## level, tsi721_logtype, "%s: " fmt "\n", (dev)->name, ## __VA_ARGS__)
/* The same where there is no device yet. */
#define TSI721_LOG_NAME(level, name, fmt, ...) \
	rte_log(RTE_LOG_ ## level, tsi721_logtype, "%s: " fmt "\n", (name), ## __VA_ARGS__)

/**
 * Bring a device up whose name, socket, bus, accessors, configuration and
 * interrupt handle are set: registers, blocks, rawdev, place in the list.
 * On failure nothing is left but what the caller had set up.
 */
int tsi721_device_init(struct tsi721_device *dev, struct rte_device *rte_dev);
/**
 * Take a device down and out of the list; host->close ends it. -EBUSY: somebody
 * holds it, and it stays as it is; a line was logged.
 */
int tsi721_device_fini(struct tsi721_device *dev);
/** The device of this name without holding it; NULL. */
struct tsi721_device *tsi721_device_find(const char *name);
/** Call fn for each device that is up, under the list's lock: it must not look for others. */
void tsi721_device_each(void (*fn)(struct tsi721_device *dev, void *arg), void *arg);
/** Registers and blocks only, for tests and reset; _down undoes _up. */
int tsi721_device_up(struct tsi721_device *dev);
void tsi721_device_down(struct tsi721_device *dev);
/** Whether anything of it is in use: references, open queues, windows, doorbell ranges. */
bool tsi721_device_in_use(struct tsi721_device *dev);

/** Read the own destination ID anew: who enumerates the fabric may have changed it. */
uint16_t tsi721_device_destid(struct tsi721_device *dev);

/* Capabilities, by names that all versions of rte_pci.h lack or differ in. */
#define TSI721_PCI_CAP_MSI	0x05u
#define TSI721_PCI_CAP_EXP	0x10u
#define TSI721_PCI_CAP_MSIX	0x11u
/** Offset of a PCI capability; -ENOENT: there is none, or it is hidden; -EIO. */
int tsi721_pci_cap_find(struct tsi721_device *dev, uint8_t id);
/**
 * PCI configuration space: bus mastering, what a driver may rely on in ordering,
 * read request size, completion timeout, offsets of the MSI-X capability.
 */
int tsi721_cfg_init(struct tsi721_device *dev);

/**
 * Zeroed memory for a ring: IOVA-contiguous, aligned to its size's power of two
 * up to 4 KiB, on a socket. NULL: none left, a line was logged.
 */
const struct rte_memzone *tsi721_ring_alloc(struct tsi721_device *dev, const char *what,
					    unsigned int nr, size_t size, int socket_id);
/** The same, aligned to `align`, a power of two. */
const struct rte_memzone *tsi721_mem_reserve(struct tsi721_device *dev, const char *what,
					     unsigned int nr, size_t size, uint32_t align,
					     int socket_id);
void tsi721_ring_free(const struct rte_memzone *mz);

/** Interrupts: doorbells are answered from the EAL's interrupt thread. */
int tsi721_intr_init(struct tsi721_device *dev);
void tsi721_intr_fini(struct tsi721_device *dev);

static inline unsigned int
tsi721_tt(const struct tsi721_device *dev)
{
	return dev->sys16 ? TSI721_TT_16 : TSI721_TT_8;
}

/* Ring size code of a power of two from 32 up: 16 << code entries. */
static inline uint32_t
tsi721_ring_code(uint32_t entries)
{
	return (uint32_t)__builtin_ctz(entries) - 4;
}

#endif /* TSI721_DEVICE_H */
