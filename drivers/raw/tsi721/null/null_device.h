/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_DEVICE_H
#define NULL_DEVICE_H

/*
 * The null device: a software Tsi721 on a software RapidIO fabric, seen from
 * where a PCI bus would be. Plain C, no EAL. Whoever attaches it (a DPDK
 * vdev, a vhost-user server, a unit test) provides what a PCI host provides:
 * register accesses, the memory that bus addresses lead to, and somewhere for
 * interrupts to go.
 *
 * Functions that can fail return 0 or a negative errno; where an `err` buffer
 * is given it then holds one line that names the value and what is allowed.
 *
 * Threads: accesses to one device may come from any number of threads at
 * once. open, close, dma_map and dma_unmap of one device must not overlap
 * each other.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct null_device;

#define NULL_NAME_LEN		64	/* fabric and node names, with the final NUL */
#define NULL_FABRIC_DEFAULT	"default"
#define NULL_DESTID_AUTO	(-1)
#define NULL_ERR_LEN		256

/** How engines run. */
enum null_exec {
	NULL_EXEC_INLINE,	/**< in the caller of the register write, before it returns */
	NULL_EXEC_THREAD,	/**< in a thread of the device, as beside a chip */
};

/** What interrupts are delivered as; follows the PCI configuration a driver wrote. */
enum null_irq_kind {
	NULL_IRQ_INTX,		/**< level-triggered; vector is 0, level is given */
	NULL_IRQ_MSI,		/**< data is what the driver wrote as MSI data */
	NULL_IRQ_MSIX,		/**< vector is the MSI-X table entry */
};

struct null_irq {
	enum null_irq_kind kind;
	unsigned int vector;
	uint64_t addr;		/**< MSI and MSI-X message address */
	uint32_t data;		/**< MSI and MSI-X message data */
	bool level;		/**< INTx: asserted or deasserted */
};

/**
 * Interrupt delivery. Called from the thread in which the cause arose, which
 * may be another device's user; must not block and must not access a device.
 */
typedef void (*null_irq_cb)(void *ctx, const struct null_irq *irq);

/** How a device is attached to a fabric. Zero-initialise, then set what differs. */
struct null_device_params {
	const char *fabric;	/**< NULL: the topology's name, or NULL_FABRIC_DEFAULT */
	/**
	 * File that describes the fabric (doc/guides/fabrics.rst), for whoever comes
	 * first; who comes later may give none, or an equal one. NULL: a star.
	 */
	const char *topology;
	const char *node;	/**< endpoint of the topology; NULL: the first free one */
	int destid;		/**< NULL_DESTID_AUTO: what the fabric gives */
	int host;		/**< 1: host bit set in general control, 0: clear, -1: fabric's choice */
	enum null_exec exec;
	unsigned int lanes;	/**< link width: 1, 2 or 4; 0: fabric's choice */
	unsigned int mbaud;	/**< lane speed: 1250, 2500, 3125, 5000, 6250; 0: fabric's choice */
	const char *faults;	/**< to begin with, ';' between them, as in fabrics.rst; NULL: none */
	uint64_t win_size;	/**< of BAR2 and BAR4, each: power of two, 1 MiB to 64 GiB; 0: 128 MiB */
	null_irq_cb irq;	/**< NULL: interrupts are not delivered */
	void *irq_ctx;
};

/**
 * Attach a device to a fabric, creating the fabric when it is the first of it.
 * After this the device is as a chip after power-up with its straps read.
 *
 * @return 0; -EINVAL bad parameter or topology file; -EEXIST destination ID or node
 *   is taken, or the fabric is there with another topology; -ENOSPC the fabric is
 *   full; -ENOENT no such node; -ENOMEM; or why the topology file cannot be read.
 */
int null_device_open(const struct null_device_params *params, struct null_device **dev,
		     char *err, size_t errlen);

/** Detach: link down, requests in flight end, memory is forgotten. NULL is allowed. */
void null_device_close(struct null_device *dev);

/**
 * Make memory reachable by bus address [iova, iova + len). Maps may not
 * overlap (-EEXIST); iova and va must be equal modulo 64 (-EINVAL). `fd` and `fd_off` say which file the memory is a shared
 * mapping of, so that other processes on the fabric can map it; -1 when it has
 * none, and then only this process's engines reach it.
 */
int null_device_dma_map(struct null_device *dev, uint64_t iova, size_t len, void *va,
			int fd, off_t fd_off);

/** Undo one null_device_dma_map; afterwards no engine uses the memory. */
int null_device_dma_unmap(struct null_device *dev, uint64_t iova, size_t len);

/** 32-bit register access at an offset of a BAR. Values are in host order. */
uint32_t null_device_read32(struct null_device *dev, unsigned int bar, uint64_t off);
void null_device_write32(struct null_device *dev, unsigned int bar, uint64_t off, uint32_t val);

/**
 * Access of 1, 2, 4 or 8 bytes as they are on the bus (byte 0 at the lowest
 * address). BAR1 takes 2-byte doorbells whose bytes are big-endian; windows in
 * BAR2 and BAR4 take all sizes; BAR0 takes 4 and ignores others.
 */
void null_device_bar_read(struct null_device *dev, unsigned int bar, uint64_t off,
			  void *buf, size_t len);
void null_device_bar_write(struct null_device *dev, unsigned int bar, uint64_t off,
			   const void *buf, size_t len);

/** PCI configuration space access, 1, 2 or 4 bytes, off below 4096. */
void null_device_cfg_read(struct null_device *dev, unsigned int off, void *buf, size_t len);
void null_device_cfg_write(struct null_device *dev, unsigned int off, const void *buf,
			   size_t len);

/** Ring an outbound doorbell as a write to BAR1 would; the fast form of it. */
void null_device_odb_write(struct null_device *dev, uint32_t off, uint16_t info);

/**
 * Whether a doorbell written now is taken without waiting. When the queue of those
 * that their targets have no room for is full, a write waits, as a processor
 * would on the bus; who must not wait asks first, and again until it is true.
 */
bool null_device_odb_room(struct null_device *dev);

/** What the fabric gave the device. */
struct null_device_info {
	char fabric[NULL_NAME_LEN];
	char node[NULL_NAME_LEN];
	unsigned int endpoint;	/**< index on the fabric */
	uint16_t destid;
	bool sys16;		/**< 16-bit destination IDs */
	unsigned int lanes;
	unsigned int mbaud;
};
void null_device_info_get(struct null_device *dev, struct null_device_info *info);

/** Counters that a chip does not have; see null_device_stat_name(). */
enum null_stat {
	NULL_STAT_UNKNOWN_REG_READS,	/**< reads of registers that nobody has a fact about */
	NULL_STAT_UNKNOWN_REG_WRITES,
	NULL_STAT_BDMA_DESCS,
	NULL_STAT_BDMA_BYTES,
	NULL_STAT_BDMA_ABORTS,
	NULL_STAT_ODB_SENT,
	NULL_STAT_ODB_RETRIES,		/**< doorbells answered with RETRY, each attempt */
	NULL_STAT_ODB_ERRORS,
	NULL_STAT_IDB_RECEIVED,
	NULL_STAT_OMSG_SENT,
	NULL_STAT_OMSG_BYTES,
	NULL_STAT_OMSG_RETRIES,
	NULL_STAT_OMSG_ERRORS,
	NULL_STAT_IMSG_RECEIVED,
	NULL_STAT_WINDOW_MISSES,	/**< requests outside every inbound window */
	NULL_STAT_DMA_FAULTS,		/**< bus addresses that lead to no memory */
	NULL_STAT_IRQS,
	NULL_STAT_OBWIN_ERRORS,		/**< accesses to outbound windows that failed */
	NULL_STAT_COUNT
};
const char *null_device_stat_name(enum null_stat stat);
uint64_t null_device_stat_get(struct null_device *dev, enum null_stat stat);

#ifdef __cplusplus
}
#endif

#endif /* NULL_DEVICE_H */
