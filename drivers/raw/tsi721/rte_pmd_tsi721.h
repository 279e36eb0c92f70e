/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RTE_PMD_TSI721_H
#define RTE_PMD_TSI721_H

/**
 * @file
 * RapidIO through the Tsi721 PCIe bridge: what a raw device of librte_raw_tsi721
 * offers. A device is a rawdev (rte_rawdev.h); functions here take its dev_id.
 *
 * What travels on RapidIO:
 * - block DMA: reads and writes between memory of this machine and RapidIO
 *   addresses, through the queues of the rawdev: rte_rawdev_configure,
 *   rte_rawdev_queue_setup, rte_rawdev_start, rte_rawdev_enqueue_buffers and
 *   rte_rawdev_dequeue_buffers. A target's memory is reachable where it has
 *   opened an inbound window.
 * - doorbells: 16 bits to a destination.
 * - messages: up to 4096 bytes to a mailbox of a destination. Connections made of
 *   them, as Linux's rio_cm, are in rte_pmd_tsi721_cm.h.
 * - maintenance requests: 32 bits of the configuration space of any device.
 *
 * Destination IDs name devices on the fabric: 8 or 16 bits, see
 * struct rte_pmd_tsi721_info. Memory is named by IOVA (rte_mem_virt2iova,
 * rte_malloc_virt2iova, rte_mbuf_data_iova).
 *
 * Functions return 0 or a count on success, else a negative errno; all return
 * -ENODEV when dev_id is no Tsi721. Unless said otherwise they may be called
 * from any thread, and not at the same time as the device is removed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include <rte_pmd_tsi721_fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Block DMA queues of a device, at most. */
#define RTE_PMD_TSI721_QUEUES_MAX	7
/** Mailboxes of a device. */
#define RTE_PMD_TSI721_MBOXES		4
/** Inbound windows of a device. */
#define RTE_PMD_TSI721_WINDOWS		8
/** Hop count of a maintenance request that is for the endpoint, past all switches. */
#define RTE_PMD_TSI721_HOP_ENDPOINT	0xff

/* ---- the device ---- */

/** dev_private of rte_rawdev_info_get; dev_private_size is its size. */
struct rte_pmd_tsi721_info {
	uint16_t destid;	/**< own destination ID, as set now */
	uint8_t destid_bits;	/**< of all IDs on this fabric: 8 or 16 */
	bool host;		/**< host bit of the general control register */
	bool link_up;
	uint8_t link_lanes;	/**< 1, 2, 4; 0 when down */
	uint32_t link_mbaud;	/**< of a lane, 1250 to 6250; 0 when down */
	uint16_t queues_max;	/**< block DMA queues that may be configured */
	uint8_t mbox_mask;	/**< mailboxes that may be opened, a bit each */
	uint32_t queue_descs;	/**< descriptors of a queue by default */
	uint32_t desc_min;	/**< descriptors of any ring: powers of two from here */
	uint32_t desc_max;	/**< to here */
};

/**
 * dev_private of rte_rawdev_configure. Releases queues that were set up; those
 * that follow are set up with rte_rawdev_queue_setup, or by rte_rawdev_start
 * with default values. -EINVAL: more than queues_max.
 */
struct rte_pmd_tsi721_config {
	uint16_t nb_queues;	/**< 0 to queues_max */
};

/** queue_conf of rte_rawdev_queue_conf_get (defaults) and rte_rawdev_queue_setup. */
struct rte_pmd_tsi721_queue_conf {
	uint32_t nb_desc;	/**< power of two, desc_min to desc_max */
	int socket_id;		/**< for its memory; SOCKET_ID_ANY */
};

/** version_info of rte_rawdev_firmware_version_get: the chip has none, but an identity. */
struct rte_pmd_tsi721_version {
	uint16_t vendor;	/**< RapidIO vendor, 0x0038 */
	uint16_t device;	/**< RapidIO device, 0x80ab */
	uint32_t revision;	/**< device information CAR */
	uint16_t asm_vendor;	/**< of the board */
	uint16_t asm_device;	/**< of the board */
	uint16_t asm_revision;	/**< of the board */
};

/*
 * Attributes of rte_rawdev_get_attr; those marked w also of rte_rawdev_set_attr.
 * Others are -ENOENT; setting one that is only read is -EPERM.
 *
 * "destid"          own destination ID
 * "destid_bits"     8 or 16
 * "link_up"         0 or 1
 * "link_lanes"      lanes in use
 * "link_mbaud"      Mbaud of a lane
 * "host"            0 or 1
 * "queues_max"      block DMA queues that may be configured
 * "mbox_mask"       mailboxes that may be opened
 * "component_tag" w component tag CSR, 32 bits; -EINVAL above
 * "discovered"    w discovered bit of the general control register, 0 or 1
 */

/* ---- the link ---- */

/** The port, its link, and what went wrong since errors were cleared. */
struct rte_pmd_tsi721_link {
	bool up;
	uint8_t lanes;			/**< 1, 2, 4; 0 when down */
	uint32_t mbaud;			/**< of a lane; 0 when down */
	bool port_error;		/**< the port could not recover by itself: retrain it */
	bool output_stopped;		/**< it has been, by an error of transmission */
	bool input_stopped;
	uint32_t port_detect;		/**< port error detect CSR of the RapidIO specification */
	uint32_t logical_detect;	/**< logical and transport layer error detect CSR */
	uint8_t error_rate;		/**< error rate counter of the port */
	uint32_t retries_made;		/**< messages that this device answered with RETRY */
	uint32_t retries_got;		/**< RETRY answers to messages of this device */
};

/** Read it. -EINVAL: link is NULL. */
int rte_pmd_tsi721_link_get(uint16_t dev_id, struct rte_pmd_tsi721_link *link);

/** Clear the errors. State, lanes and speed stay, and so do xstats. */
int rte_pmd_tsi721_link_errors_clear(uint16_t dev_id);

/**
 * Train the link anew: the port goes down and up, errors are cleared. Requests
 * that are under way fail, and they alone: queues and mailboxes go on. Switches
 * report it by port-write. Not from several threads at once.
 *
 * @return 0 the link is up; -ETIMEDOUT it is not, in timeout_ms
 */
int rte_pmd_tsi721_link_retrain(uint16_t dev_id, uint32_t timeout_ms);

/* ---- block DMA ---- */

/** A piece of this machine's memory. */
struct rte_pmd_tsi721_seg {
	rte_iova_t iova;	/**< any alignment; IOVA-contiguous memory */
	uint64_t len;		/**< bytes, at least 1; one descriptor each 64 MiB begun */
};

enum rte_pmd_tsi721_op_type {
	RTE_PMD_TSI721_READ,		/**< NREAD: RapidIO to memory */
	RTE_PMD_TSI721_WRITE_LAST_R,	/**< NWRITE, last packet NWRITE_R: ends when all is there */
	RTE_PMD_TSI721_WRITE,		/**< NWRITE: ends when it was sent */
	RTE_PMD_TSI721_WRITE_R,		/**< NWRITE_R throughout */
	RTE_PMD_TSI721_WRITE_IMM,	/**< NWRITE_R of op.imm, which enqueue copies */
};

/** Rows of one length, apart by a fixed distance on either side. */
struct rte_pmd_tsi721_stride {
	uint32_t rows;		/**< at least 1 */
	uint64_t mem_step;	/**< bytes from a row to the next in memory */
	uint64_t raddr_step;	/**< and at the RapidIO address */
};

/** Bytes of an immediate write, at most. */
#define RTE_PMD_TSI721_IMM_MAX		15
/**
 * Fire and forget: dequeue does not return the operation, whose memory is the
 * application's again when enqueue returns; only xstats tell of a failure. What
 * segments name must stay until a later operation of the queue has ended. Not
 * for operations with more descriptors than the ring has (-E2BIG).
 */
#define RTE_PMD_TSI721_OP_FORGET	0x01

/**
 * One operation: memory segments that lie one behind the other at a RapidIO
 * address of a destination; or rows of one segment; or a few bytes of its own.
 * rte_rawdev_enqueue_buffers takes buffers whose buf_addr points to one, and
 * (void *)(uintptr_t)queue as context. The operation belongs to the device until
 * rte_rawdev_dequeue_buffers returns its address, with `status` set. Operations
 * of a queue run and end in order; one that fails does not stop those behind it.
 *
 * Enqueue returns how many were taken: less than asked when descriptors run out,
 * and 0 or the count before a bad one, whose status is then set to -EINVAL. A
 * segment or row takes one descriptor for each 64 MiB begun. Operations may have
 * more than the ring has: the queue then takes no other until it has begun the
 * last of them, which dequeue sees to, and segs and stride stay until it has
 * ended. A queue is used by one thread at a time; what was enqueued is started
 * before the call returns.
 *
 * When a part of an operation fails, parts behind it may have been written or not.
 */
struct rte_pmd_tsi721_op {
	enum rte_pmd_tsi721_op_type type;
	uint16_t destid;
	uint8_t prio;		/**< 0 to 3 */
	uint8_t raddr_hi;	/**< bits 65:64 of the RapidIO address */
	uint64_t raddr;		/**< RapidIO address, bits 63:0, any alignment */
	const struct rte_pmd_tsi721_seg *segs;	/**< read by enqueue only, unless see above */
	uint32_t nb_segs;	/**< at least 1; with stride: 1 */
	uint8_t flags;		/**< 0 or RTE_PMD_TSI721_OP_FORGET */
	uint8_t imm_len;	/**< of WRITE_IMM, 1 to RTE_PMD_TSI721_IMM_MAX */
	uint8_t imm[RTE_PMD_TSI721_IMM_MAX];	/**< its bytes */
	/** NULL, or: segs is the first row. Each row takes descriptors of its own. */
	const struct rte_pmd_tsi721_stride *stride;
	/**
	 * Set when it has ended: 0; -EIO error response; -ETIMEDOUT no
	 * response; -EFAULT memory that the device cannot reach; -ECANCELED
	 * the queue was released before.
	 */
	int status;
	void *user;		/**< the application's */
	struct rte_pmd_tsi721_op *next;	/**< the driver's */
};

/**
 * Run one operation and wait until it has ended; others of the queue that end
 * meanwhile are dequeued as ever. By the queue's thread.
 *
 * @param timeout_us how long to wait at most
 * @return status of the operation; -EINVAL also: no such queue, not started, or
 *   OP_FORGET; -EAGAIN not begun in time, the queue is full; -EINPROGRESS not ended
 *   in time, it belongs to the device until it is dequeued
 */
int rte_pmd_tsi721_op_run(uint16_t dev_id, uint16_t queue, struct rte_pmd_tsi721_op *op,
			  uint32_t timeout_us);

/* ---- block DMA channels as dmadevs ---- */

/*
 * The device argument dmadev=<mask> makes dmadevs (rte_dmadev.h) of block DMA
 * channels: "<name of the rawdev>_dma<channel>", one virtual channel each. They
 * are then no queues of the rawdev and no port's; a channel is opened by
 * rte_dma_start and given back by rte_dma_stop, which drops what was not
 * collected. Errors of jobs: INVALID_SRC_ADDR or INVALID_DST_ADDR for memory
 * that the device cannot reach (the side that is memory) or an error response
 * (the side that is reached through RapidIO), DEV_LINK_ERROR for no response.
 * Jobs behind a failed one run; rte_dma_completed_status ends its list with it.
 *
 * Directions of rte_dma_vchan_setup:
 * - MEM_TO_DEV and DEV_TO_MEM: the address of the device's side is a RapidIO
 *   address; the port's type is RTE_DMA_PORT_PCIE, its other fields are 0. Where
 *   it lies is said by rte_pmd_tsi721_dma_target_set.
 * - MEM_TO_MEM, where a transfer shows that the fabric brings packets that a
 *   device sends to itself back to it: RTE_DMA_CAPA_MEM_TO_MEM says so. While
 *   such a device is started, inbound windows show memory to whoever is on the
 *   fabric: with virtual addresses as IOVA whatever lies in a range of 16 GiB
 *   and is mapped for the device, else the pages of the EAL that are written to.
 *
 * Lists (rte_dma_copy_sg) are cut where either side's segment ends; a job takes
 * a descriptor for each piece, and for each 64 MiB of it that are begun.
 */

/** The device's side of a dmadev's copies. */
struct rte_pmd_tsi721_dma_target {
	uint16_t destid;	/**< unless destid_in_addr */
	uint8_t raddr_hi;	/**< bits 65:64 of RapidIO addresses */
	uint8_t prio;		/**< 0 to 3 */
	/**
	 * Addresses of copies hold the destination ID in bits 63:48, and bits
	 * 47:0 of the RapidIO address; those between are 0.
	 */
	bool destid_in_addr;
	/** How MEM_TO_DEV writes: RTE_PMD_TSI721_WRITE_LAST_R, _WRITE or _WRITE_R. */
	enum rte_pmd_tsi721_op_type write;
};

/**
 * Say where the copies that follow go, or come from. Before the first
 * rte_dma_start of a virtual channel with a device's side, and whenever its
 * thread likes; for MEM_TO_MEM only `prio` counts.
 *
 * @param dma_id of rte_dmadev.h
 * @return 0; -ENODEV no dmadev of a Tsi721; -EINVAL
 */
int rte_pmd_tsi721_dma_target_set(int16_t dma_id, uint16_t vchan,
				  const struct rte_pmd_tsi721_dma_target *target);

/** The rawdev that a dmadev belongs to, or -ENODEV. */
int rte_pmd_tsi721_dma_rawdev(int16_t dma_id);

/* ---- memory ---- */

/** Memory for windows and transfers. */
struct rte_pmd_tsi721_mem {
	void *addr;
	rte_iova_t iova;	/**< a multiple of size; IOVA-contiguous */
	uint64_t size;
	const void *zone;	/**< the driver's */
};

/**
 * Allocate zeroed memory that an inbound window can show and block DMA can
 * reach. It stays when the device is closed, until it is freed.
 *
 * @param size      power of two, 4 KiB to 2 GiB
 * @param socket_id SOCKET_ID_ANY: the device's
 * @return 0; -EINVAL; -ENOMEM no such piece in one; mem is zeroed then
 */
int rte_pmd_tsi721_mem_alloc(uint16_t dev_id, uint64_t size, int socket_id,
			     struct rte_pmd_tsi721_mem *mem);

/** Free it, and zero mem. Windows onto it must be closed. -EINVAL: none, or freed already. */
int rte_pmd_tsi721_mem_free(uint16_t dev_id, struct rte_pmd_tsi721_mem *mem);

/* ---- inbound windows ---- */

/** raddr of rte_pmd_tsi721_window_open: the IOVA is the RapidIO address. */
#define RTE_PMD_TSI721_DIRECT	UINT64_MAX

/**
 * Let the fabric read and write memory: [iova, iova + size) appears at RapidIO
 * address raddr. There is no filter by source: whoever is on the fabric can.
 *
 * @param size  power of two, 4 KiB to 16 GiB
 * @param raddr multiple of size, or RTE_PMD_TSI721_DIRECT
 * @param iova  multiple of size, of memory IOVA-contiguous
 * A window that is open with just these values is held once more, and has the
 * same number; it closes when it was closed as often as opened.
 *
 * @return number of the window; -EINVAL; -EEXIST overlaps another; -ENOSPC all are open
 */
int rte_pmd_tsi721_window_open(uint16_t dev_id, uint64_t raddr, rte_iova_t iova, uint64_t size);

/**
 * Give a window back. The last time closes it: afterwards nothing comes in
 * through it. -EINVAL: not open.
 */
int rte_pmd_tsi721_window_close(uint16_t dev_id, unsigned int window);

/* ---- outbound windows ---- */

/** What accesses to a zone become. */
enum rte_pmd_tsi721_zone_type {
	RTE_PMD_TSI721_ZONE_NWRITE,	/**< loads NREAD, stores NWRITE */
	RTE_PMD_TSI721_ZONE_NWRITE_R,	/**< loads NREAD, stores NWRITE_R */
	/**
	 * Maintenance requests, for accesses of 4 bytes at multiples of 4. The
	 * bytes of a register are in big-endian order.
	 */
	RTE_PMD_TSI721_ZONE_MAINT,
};

/** What an eighth of an outbound window shows. */
struct rte_pmd_tsi721_zone {
	enum rte_pmd_tsi721_zone_type type;
	uint16_t destid;
	uint8_t raddr_hi;	/**< bits 65:64 of the RapidIO address */
	uint8_t hop;		/**< of maintenance requests */
	uint64_t raddr;		/**< a multiple of the zone's size; or the offset of registers */
};

/**
 * Open an outbound window, in which loads and stores of the CPU are requests to
 * others, without a descriptor: good for a few words, and for devices that only
 * take small accesses. There are eight, in the address space of BAR2 and BAR4.
 *
 * @param size     a power of two from 32 KiB; its zones are an eighth each
 * @param zones    one, and the window shows `size` bytes from its raddr on; or eight
 * @param nb_zones 1 or 8
 * @return number of the window; -EINVAL; -ENODEV the device has no such BARs;
 *   -ENOSPC all are open, or the BARs are full; -ETIMEDOUT the chip does not answer
 */
int rte_pmd_tsi721_outwin_open(uint16_t dev_id, uint64_t size,
			       const struct rte_pmd_tsi721_zone *zones, unsigned int nb_zones);

/** Close it; nobody may access it then. -EINVAL: not open. */
int rte_pmd_tsi721_outwin_close(uint16_t dev_id, unsigned int window);

/**
 * Let zone 0 to 7 of an open window show something else. Accesses that run at
 * the same time go to the one or the other. -EINVAL; -ETIMEDOUT.
 */
int rte_pmd_tsi721_outwin_zone(uint16_t dev_id, unsigned int window, unsigned int zone,
			       const struct rte_pmd_tsi721_zone *to);

/**
 * The window as memory: uncached, for aligned loads and stores of 1 to 8 bytes.
 * NULL: not open, or the device's BARs are no memory (a null device's are not);
 * the two calls below work everywhere.
 */
volatile void *rte_pmd_tsi721_outwin_ptr(uint16_t dev_id, unsigned int window);

/**
 * Copy into, or out of, a window. Any number of threads at once. Stores are
 * posted: what becomes of them is not told, and a read of the same zone comes
 * behind them. A read that fails gives ones.
 *
 * @return 0; -EINVAL not open, or off + len above its size
 */
int rte_pmd_tsi721_outwin_write(uint16_t dev_id, unsigned int window, uint64_t off,
				const void *buf, size_t len);
int rte_pmd_tsi721_outwin_read(uint16_t dev_id, unsigned int window, uint64_t off, void *buf,
			       size_t len);

/* ---- doorbells ---- */

/**
 * Send a doorbell. It does not wait; failures show in the xstats dbell_errors.
 * -EINVAL: destid does not fit the fabric's IDs.
 */
int rte_pmd_tsi721_doorbell_send(uint16_t dev_id, uint16_t destid, uint16_t info);

/**
 * A doorbell of a requested range. Called by who polls, or by the EAL's
 * interrupt thread; never by two at once. It may send and receive (doorbells,
 * messages, block DMA, maintenance, windows that are open), but it must not
 * open, close, request or release anything: that would wait for the callback.
 */
typedef void (*rte_pmd_tsi721_doorbell_cb)(void *arg, uint16_t src, uint16_t info);

/**
 * Receive doorbells with info from first to last. -EINVAL: first above last or
 * no callback; -EBUSY: overlaps another range (net_rionet has 0x1000 to
 * 0x1001) or, while a doorbell queue is open, reaches 0x8000; or there are 32.
 */
int rte_pmd_tsi721_doorbell_request(uint16_t dev_id, uint16_t first, uint16_t last,
				    rte_pmd_tsi721_doorbell_cb cb, void *arg);

/** Undo a request of this very range; afterwards the callback does not run. -ENOENT. */
int rte_pmd_tsi721_doorbell_release(uint16_t dev_id, uint16_t first, uint16_t last);

/**
 * Dispatch at most max doorbells that have arrived; returns how many. Without
 * it, doorbells are dispatched by interrupt. One memory load when there is none.
 */
int rte_pmd_tsi721_doorbell_poll(uint16_t dev_id, unsigned int max);

/*
 * Doorbell queues of the chip, beside that of ranges: each is polled by a thread
 * of its own, and nobody is called. A queue has the doorbells whose info agrees
 * with its pattern in the bits of its mask. Of the 16 bits the highest is set:
 * while a queue is open, doorbells from 0x8000 on go to queues, or are refused (an
 * error response to the sender) where none wants them; ranges have those below.
 * Of several queues that want one, the lowest numbered has it. A full queue makes
 * senders try again.
 */

/** A doorbell that has arrived. */
struct rte_pmd_tsi721_doorbell {
	uint16_t src;		/**< destination ID of its sender */
	uint16_t info;
};

/**
 * Open a queue.
 *
 * @param mask    bits of info that count, 0x8000 among them
 * @param pattern what they are; 0x8000 is set, and no bit that is not in mask
 * @param entries power of two, 512 to 524288
 * @return its number, 1 to 7; -EINVAL; -EBUSY a requested range reaches 0x8000;
 *   -ENOSPC all seven are open; -ENOMEM
 */
int rte_pmd_tsi721_doorbell_queue_open(uint16_t dev_id, uint16_t mask, uint16_t pattern,
				       uint32_t entries, int socket_id);

/** Close it; doorbells that wait are lost. -EINVAL: not open. */
int rte_pmd_tsi721_doorbell_queue_close(uint16_t dev_id, unsigned int queue);

/** Take at most nb doorbells, in order of arrival; returns how many. One thread. -EINVAL. */
int rte_pmd_tsi721_doorbell_queue_poll(uint16_t dev_id, unsigned int queue,
				       struct rte_pmd_tsi721_doorbell *bells, unsigned int nb);

/* ---- messages ---- */

/**
 * Open a mailbox for sending, receiving, or both: rings of nb_out and nb_in
 * messages, powers of two from desc_min to desc_max; 0 leaves that side alone.
 * Between open and close, each side is used by one thread at a time.
 *
 * @return 0; -EINVAL; -EBUSY open already, by whomever; -ENODEV no such
 *   mailbox, or not in mbox_mask; -ENOMEM
 */
int rte_pmd_tsi721_mbox_open(uint16_t dev_id, unsigned int mbox, uint32_t nb_out,
			     uint32_t nb_in, int socket_id);

/** Close both sides. Messages on their way are lost. -EINVAL: not open. */
int rte_pmd_tsi721_mbox_close(uint16_t dev_id, unsigned int mbox);

/** A message to send. */
struct rte_pmd_tsi721_msg_out {
	uint16_t destid;
	uint8_t letter;		/**< 0 to 3 */
	/**
	 * 1 to 4096. What travels is a multiple of 8: up to 7 bytes that lie
	 * behind it in memory go too, so they must be there.
	 */
	uint16_t len;
	rte_iova_t iova;	/**< of IOVA-contiguous memory; stays until it is reaped */
	void *user;		/**< given back by reap */
};

/**
 * Send nb messages, in order. Returns how many were taken: less than nb when the
 * ring is full, or before a message that is not as it should be (-EINVAL when
 * it is the first).
 */
int rte_pmd_tsi721_msg_send(uint16_t dev_id, unsigned int mbox,
			    const struct rte_pmd_tsi721_msg_out *msgs, unsigned int nb);

/**
 * Collect at most nb sent messages that have ended: their user pointers, and
 * (unless NULL) 0, -EIO error response or -ETIMEDOUT. Returns how many.
 */
int rte_pmd_tsi721_msg_reap(uint16_t dev_id, unsigned int mbox, void **users, int *status,
			    unsigned int nb);

/** A received message. */
struct rte_pmd_tsi721_msg_in {
	const void *data;	/**< in a buffer of the device, until it is released */
	uint16_t len;		/**< 8 to 4096, a multiple of 8: padding included */
	uint16_t src;		/**< destination ID of its sender */
	uint8_t letter;
};

/**
 * Look at the oldest received messages that were not released, at most nb, at most 32.
 * Returns how many. Reads memory only.
 */
int rte_pmd_tsi721_msg_peek(uint16_t dev_id, unsigned int mbox,
			    struct rte_pmd_tsi721_msg_in *msgs, unsigned int nb);

/** Give the buffers of the nb oldest peeked messages back. */
int rte_pmd_tsi721_msg_release(uint16_t dev_id, unsigned int mbox, unsigned int nb);

/* ---- maintenance ---- */

/** Register of this device: offset a multiple of 4 below 512 KiB. -EINVAL. */
int rte_pmd_tsi721_local_read(uint16_t dev_id, uint32_t offset, uint32_t *val);
int rte_pmd_tsi721_local_write(uint16_t dev_id, uint32_t offset, uint32_t val);

/**
 * Configuration register of another device: the switch behind `hop` switches on
 * the way to destid, or the endpoint (RTE_PMD_TSI721_HOP_ENDPOINT). Blocks until
 * it is answered, a few microseconds, or until the chip gives up.
 *
 * @param offset multiple of 4 below 16 MiB
 * @return 0; -EINVAL; -EIO error response; -ETIMEDOUT no response: nobody is there, no
 *   route leads there, or a link is down
 */
int rte_pmd_tsi721_maint_read(uint16_t dev_id, uint16_t destid, uint8_t hop, uint32_t offset,
			      uint32_t *val);
int rte_pmd_tsi721_maint_write(uint16_t dev_id, uint16_t destid, uint8_t hop, uint32_t offset,
			       uint32_t val);

/* ---- interrupts ---- */

/**
 * Instead of polling, a thread may sleep until a source has something: each
 * gives a file descriptor for poll(2), epoll(7) or rte_epoll_ctl that becomes
 * readable then, once each time it was armed. While nothing is armed nothing interrupts:
 * who has much to do polls and arms when it runs dry, and so many arrivals
 * cost one interrupt. The chip has no register to hold interrupts back, as far as is known.
 *
 * @code
 * fd = rte_pmd_tsi721_intr_open(dev_id, RTE_PMD_TSI721_INTR_MSG_IN, mbox);
 * for (;;) {
 *	while ((n = rte_pmd_tsi721_msg_peek(dev_id, mbox, msgs, 32)) > 0)
 *		... and rte_pmd_tsi721_msg_release
 *	if (rte_pmd_tsi721_intr_arm(dev_id, RTE_PMD_TSI721_INTR_MSG_IN, mbox) == 0)
 *		poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
 * }
 * @endcode
 *
 * Nothing that comes is missed; a wake-up for nothing is possible. The interrupt
 * goes through the EAL's interrupt thread, whatever it is on the bus.
 */
enum rte_pmd_tsi721_intr {
	RTE_PMD_TSI721_INTR_DOORBELL,	/**< nr 0: doorbells of all ranges */
	RTE_PMD_TSI721_INTR_MSG_IN,	/**< nr: a mailbox opened for receiving; a message is there */
	RTE_PMD_TSI721_INTR_MSG_OUT,	/**< nr: a mailbox opened for sending; messages have ended */
	RTE_PMD_TSI721_INTR_DMA,	/**< nr: a queue that is set up; what was enqueued has ended */
};

/**
 * Open a source. While that of doorbells is open, doorbells, also those of a
 * net_rionet port of the device, are dispatched by rte_pmd_tsi721_doorbell_poll only.
 *
 * @return a descriptor, to be waited for only: it is read by intr_arm, and closed by
 *   intr_close, or when its mailbox or queue is closed. -EINVAL: no such source, or
 *   it is not open for receiving, sending or DMA; -EBUSY: open; -ENOTSUP: the
 *   device has no interrupts (intr=off, or none to be had); -EMFILE.
 */
int rte_pmd_tsi721_intr_open(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr);

/** Undo it. -EINVAL: not open. */
int rte_pmd_tsi721_intr_close(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr);

/**
 * Have the descriptor become readable by what comes from now on. By the thread
 * that uses the source, after it has found nothing to do.
 *
 * @return 0: it may sleep; 1: there is something already, and nothing is armed; -EINVAL: not open
 */
int rte_pmd_tsi721_intr_arm(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr);

/** No wake-up until it is armed again; one may be on its way. -EINVAL: not open. */
int rte_pmd_tsi721_intr_disarm(uint16_t dev_id, enum rte_pmd_tsi721_intr intr, unsigned int nr);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_TSI721_H */
