/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef VHOST_RIG_H
#define VHOST_RIG_H

/*
 * A vhost-user server in a thread, and the other end of it: a guest that does
 * by hand what the virtio drivers of user-mode Linux do, rightly or wrongly.
 * A step that the rig itself needs and that fails ends the test.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <pthread.h>

#include "null_vhost.h"

#define RIG_MEM		0x100000u	/* bytes of guest memory */
#define RIG_GUEST	0x40000000ull	/* where it is on the guest's bus */
#define RIG_USER	0x7f0000000000ull	/* and in the address space of its driver */
#define RIG_QUEUE	16u		/* entries of a queue */

/* Layout of guest memory: rings of a queue, then buffers. */
#define RIG_DESC(q)	((q) * 0x4000u)
#define RIG_AVAIL(q)	((q) * 0x4000u + 0x1000u)
#define RIG_USED(q)	((q) * 0x4000u + 0x2000u)
#define RIG_BUF(n)	(0x10000u + (n) * 0x1000u)

enum { RIG_READ = 0, RIG_WRITE = 2, RIG_NEXT = 1, RIG_INDIRECT = 4 };
enum { RIG_CFG_READ = 1, RIG_CFG_WRITE, RIG_BAR_READ, RIG_BAR_WRITE, RIG_BAR_MEMSET, RIG_INT,
       RIG_MSI };

struct rig {
	struct null_vhost *vhost;
	struct null_device_info info;
	pthread_t thread;
	char path[100];
	pthread_mutex_t lock;
	char log[8192];

	/* The guest. */
	int conn, mem_fd, kick[2], call[2], call_peer[2], slave[2];
	uint8_t *mem;
	uint16_t next[2];	/* entries made available of a queue */
};

struct rig_msg {
	uint32_t request, flags, size;
	uint8_t data[300];
};

struct rig *rig_new(void);
void rig_free(struct rig *r);

/* Connection without a word said. */
void rig_connect(struct rig *r);
/* The whole set-up as Linux does it. */
void rig_boot(struct rig *r);
/* The guest goes away. */
void rig_leave(struct rig *r);
/* The server ends the connection; within 5 s or the test fails. */
void rig_ended(struct rig *r);
/* The server says this before 5 s are over. */
void rig_said(struct rig *r, const char *text);
/* The server still works: another guest boots and finds the device. */
void rig_works(struct rig *r);

void rig_send(struct rig *r, uint32_t request, uint32_t flags, const void *data, uint32_t size,
	      const int *fds, unsigned int nb_fds);
/* False: the connection is over. */
bool rig_receive(struct rig *r, struct rig_msg *msg);
/* Send a message and return what the acknowledgement says. */
uint64_t rig_ack(struct rig *r, uint32_t request, const void *data, uint32_t size,
		 const int *fds, unsigned int nb_fds);
uint64_t rig_get_u64(struct rig *r, uint32_t request);
uint64_t rig_mem_table(struct rig *r, uint64_t guest, uint64_t size, uint64_t off, int fd);

void rig_desc(struct rig *r, unsigned int q, unsigned int i, uint64_t addr, uint32_t len,
	      uint16_t flags, uint16_t next);
/* Make descriptor `head` available; kick. */
void rig_avail(struct rig *r, unsigned int q, uint16_t head);
void rig_kick(struct rig *r, unsigned int q);
/* Entries given back so far; waits up to 5 s for at least `least`. */
uint16_t rig_used(struct rig *r, unsigned int q, uint16_t least);
/* Length that the entry before the last one given back was used with. */
uint32_t rig_used_len(struct rig *r, unsigned int q);

/* One access to the device. Reads return what came (little-endian). */
uint32_t rig_op(struct rig *r, uint8_t op, uint8_t bar, uint64_t addr, uint32_t size,
		const void *data, uint32_t len, void *in, uint32_t in_len);
uint32_t rig_cfg_read(struct rig *r, uint32_t off);
void rig_cfg_write(struct rig *r, uint32_t off, uint32_t val);
uint32_t rig_reg_read(struct rig *r, uint32_t off);
void rig_reg_write(struct rig *r, uint32_t off, uint32_t val);

#endif /* VHOST_RIG_H */
