/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_VHOST_INTERNAL_H
#define NULL_VHOST_INTERNAL_H

/*
 * What the parts of the vhost-user server share: null_vhost.c (sockets, the
 * loop, guests coming and going), null_vhost_msg.c (vhost-user messages),
 * null_vhost_mem.c (guest memory), null_vhost_ring.c (virtqueues),
 * null_vhost_pci.c (virtio-pcidev operations and interrupts).
 *
 * Everything here is used by the server's thread, but for struct vhost_irqs,
 * which an interrupt callback fills from any thread.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#include "../tsi721_regs.h"
#include "null_device.h"
#include "null_vhost.h"

#define VHOST_QUEUE_CMD		0u	/* the guest's accesses to the device */
#define VHOST_QUEUE_IRQ		1u	/* buffers that interrupts are put into */
#define VHOST_QUEUES		2u
#define VHOST_QUEUE_SIZE_MAX	32768u
#define VHOST_REGIONS_MAX	8u	/* also the files a message may carry */
#define VHOST_CHAIN_MAX		64u	/* descriptors of one request */
#define VHOST_OP_MAX		65536u	/* bytes of data of one operation */
#define VHOST_COMPLAINTS_MAX	8u	/* lines about one guest's bad operations */

/* Guest memory. */
struct vhost_region {
	uint64_t guest;		/* bus and guest physical address */
	uint64_t user;		/* address that the guest's vhost-user driver uses for rings */
	uint64_t size;
	uint8_t *va;
	struct null_guard *guard;	/* the guest may cut the file short */
	int fd;
};

/* One virtqueue. Its rings are looked up in guest memory each time they are used. */
struct vhost_queue {
	uint32_t num;		/* descriptors, a power of two; 0: not set up */
	uint64_t desc, avail, used;
	bool placed;		/* the three addresses are set */
	bool enabled;
	uint16_t next_avail;	/* free-running, as the ring's index */
	int kick;
	int call;
	bool more;		/* look at it without a kick */
	bool held;		/* as a bus is: its next request has to wait for the device */
};

/* Where a virtqueue is in this process, for the time of one visit. */
struct vhost_rings {
	uint32_t num;
	struct vhost_desc *desc;
	uint16_t *avail;	/* flags, index, ring */
	uint16_t *used;		/* flags, index, elements */
};

/* One request: memory to read from, then memory to write to. */
struct vhost_chain {
	uint16_t head;
	uint32_t nb_out, nb_in;
	size_t out_len, in_len;
	struct vhost_seg {
		uint8_t *va;
		uint32_t len;
	} seg[VHOST_CHAIN_MAX];	/* nb_out, then nb_in of them */
};

/* vhost-user message, as it arrives. */
struct vhost_msg {
	uint32_t request, flags, size;
	union {
		uint64_t u64;
		struct {
			uint32_t index, num;
		} state;
		struct {
			uint32_t index, flags;
			uint64_t desc, used, avail, log;
		} addr;
		struct {
			uint32_t num, pad;
			struct {
				uint64_t guest, size, user, off;
			} region[VHOST_REGIONS_MAX];
		} mem;
		struct {
			uint32_t offset, size, flags;
			uint8_t data[256];
		} config;
	} u;
};
#define VHOST_MSG_HDR		12u

/* Interrupts that wait for a buffer of the guest. Like a latch: the same again merges. */
#define VHOST_IRQ_MSI		TSI721_MSIX_VECTORS
#define VHOST_IRQ_INTX		(TSI721_MSIX_VECTORS + 1)
#define VHOST_IRQS		(TSI721_MSIX_VECTORS + 2)
struct vhost_irqs {
	_Atomic uint64_t pending[(VHOST_IRQS + 63) / 64];
	struct {
		_Atomic uint64_t addr;
		_Atomic uint32_t data;
	} msg[VHOST_IRQS];
	atomic_bool fresh;	/* set since the server looked last */
};

/* A kernel that is connected. */
struct vhost_guest {
	int conn;		/* -1: none */
	int slave_req;		/* kept open: its end would end the guest's interrupts */
	bool reply_ack;
	bool lost;		/* broke the protocol: ends at the next turn of the loop */
	uint32_t complaints;
	struct vhost_region region[VHOST_REGIONS_MAX];
	uint32_t nb_regions;
	struct vhost_queue queue[VHOST_QUEUES];
	struct vhost_msg msg;	/* being received */
	size_t got;
	int fds[VHOST_REGIONS_MAX];
	uint32_t nb_fds;
};

/* What an event of the loop is about. */
struct vhost_watch {
	enum { VHOST_WATCH_WAKE, VHOST_WATCH_LISTEN, VHOST_WATCH_CONN, VHOST_WATCH_KICK } kind;
	struct vhost_node *node;
	uint32_t queue;
};

/* A device that is offered. */
struct vhost_node {
	struct null_vhost *vhost;
	struct vhost_node *next;
	struct sockaddr_un addr;
	bool bound;
	int listen;
	struct null_device *dev;	/* NULL: could not be attached again */
	struct null_device_params params;
	struct null_device_info info;
	struct vhost_guest guest;
	struct vhost_irqs irqs;
	struct vhost_watch on_listen, on_conn, on_kick[VHOST_QUEUES];
	uint8_t out[VHOST_OP_MAX + 16];	/* of the operation at hand */
	uint8_t in[VHOST_OP_MAX];
};

struct null_vhost {
	int epoll, wake;
	struct vhost_watch on_wake;
	struct vhost_node *nodes;
	null_vhost_log log;
	void *log_ctx;
	atomic_bool stop;
	atomic_bool awake;	/* looks at everything before it waits again */
	uint32_t faults;	/* null_guard_count() when it was looked at last */
};

/* ---- null_vhost.c ---- */
/* From any thread: look at the interrupts that are fresh. */
void vhost_wake(struct null_vhost *vhost);
void vhost_log(struct vhost_node *node, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The guest broke the protocol: say so, and end its connection soon. */
void vhost_guest_fail(struct vhost_node *node, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Something odd that the guest may do; said a few times only. */
void vhost_guest_complain(struct vhost_node *node, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Watch a queue's kick file from now on (fd, owned by the queue then), or none (-1). */
int vhost_kick_set(struct vhost_node *node, uint32_t queue, int fd);

/* ---- null_vhost_msg.c ---- */
/* Receive what is there and act on whole messages. False: the connection is over. */
bool vhost_msg_receive(struct vhost_node *node);

/* ---- null_vhost_mem.c ---- */
/*
 * Replace guest memory by what a message names. Takes the files in every case.
 * Nothing is mapped after a failure. 0 or -EINVAL or what mmap gave.
 */
int vhost_mem_set(struct vhost_node *node, const struct vhost_msg *msg, int *fds,
		  uint32_t nb_fds);
void vhost_mem_clear(struct vhost_node *node);
/* Where guest memory is in this process; NULL when it is not all in one region. */
uint8_t *vhost_mem_guest(const struct vhost_guest *guest, uint64_t addr, uint64_t len);
uint8_t *vhost_mem_user(const struct vhost_guest *guest, uint64_t addr, uint64_t len);
/* A guest has cut the file of its memory short: null_guard.h. */
bool vhost_mem_lost(const struct vhost_guest *guest);

/* ---- null_vhost_ring.c ---- */
/* Whether the queue is set up and enabled; fills rings. A bad address fails the guest. */
bool vhost_ring_open(struct vhost_node *node, uint32_t queue, struct vhost_rings *rings);
/* Next request. False: none, or the guest has failed. */
bool vhost_ring_pop(struct vhost_node *node, uint32_t queue, const struct vhost_rings *rings,
		    struct vhost_chain *chain);
/* Let the request that was popped last be the next one again. */
void vhost_ring_unpop(struct vhost_node *node, uint32_t queue);
/* Give a request back with `len` bytes written to it. */
void vhost_ring_push(const struct vhost_rings *rings, const struct vhost_chain *chain,
		     uint32_t len);
/* Notify the guest of what was given back, unless it asked not to. */
void vhost_ring_notify(struct vhost_node *node, uint32_t queue, const struct vhost_rings *rings);
/* Copy out of, or into, a request. At most what there is room for. */
size_t vhost_chain_read(const struct vhost_chain *chain, void *buf, size_t len);
size_t vhost_chain_write(const struct vhost_chain *chain, const void *buf, size_t len);

/* ---- null_vhost_pci.c ---- */
/* Run the guest's accesses to the device. */
void vhost_pci_run(struct vhost_node *node);
/* Deliver pending interrupts as far as the guest gave buffers. */
void vhost_pci_irqs(struct vhost_node *node);
/* null_irq_cb with a node as its context. */
void vhost_pci_irq(void *ctx, const struct null_irq *irq);

#endif /* NULL_VHOST_INTERNAL_H */
