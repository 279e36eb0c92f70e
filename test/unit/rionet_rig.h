/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_RIG_H
#define RIONET_RIG_H

/*
 * What the unit tests of net/rionet stand on: EAL without hugepages or devices, a
 * port, and in place of the raw driver a fake that records what it is given and
 * delivers what it is told.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include <rte_mbuf.h>

#include "rionet_port.h"

/** Group setup: EAL, once a program. */
int rig_eal(void **state);

#define RIG_SELF	1u
#define RIG_POOL_SIZE	255u
#define RIG_SENT_MAX	1024u

/** A port with destination ID RIG_SELF and MTU 1500, its queues not set up. */
struct rionet_port *rig_port(void);
void rig_port_free(struct rionet_port *port);

/** RIG_POOL_SIZE mbufs with `room` bytes behind the headroom. */
struct rte_mempool *rig_pool(uint16_t room);
/** Write to every field and byte of free mbufs that their next user must set. */
void rig_dirty(struct rte_mempool *pool);
/** All mbufs of a pool are free, and in the state that free ones are in. */
void rig_pool_check(struct rte_mempool *pool);
/** Free a pool all of whose mbufs must have come back. */
void rig_pool_free(struct rte_mempool *pool);

/** A port with a queue in each direction, and a pool. */
#define RIG_NB_DESC	64u
struct rig_queues {
	struct rionet_port *port;
	struct rionet_txq *txq;
	struct rionet_rxq *rxq;
	struct rte_mempool *pool;
};
extern struct rig_queues q;

/** Started; the pool's mbufs have this room. */
void rig_open_queues(uint16_t room);
/** With 2048 bytes of room, as a test's setup. */
int rig_queues_setup(void **state);
/** Ends what is in flight; nothing may then be left in the device or in bounce buffers. */
int rig_queues_teardown(void **state);

#define RIG_QUEUES(f)	cmocka_unit_test_setup_teardown(f, rig_queues_setup, rig_queues_teardown)
#define RIG_FOREIGN(n)	(0x000000000002ull | (uint64_t)(n) << 40)
#define RIG_BROADCAST	RIONET_MAC_MASK

/* The fake raw driver. */

struct rig_message {
	uint16_t destid;
	uint16_t len;
	const uint8_t *data;
	void *cookie;
	uint8_t bytes[4096];	/* as they were at the kick */
};

struct rig_doorbell {
	uint16_t destid;
	uint16_t info;
};

/** An endpoint of the fake fabric, by destination ID. */
struct rig_endpoint {
	bool there;
	uint32_t pef, src_ops, dst_ops;
	bool joins;		/* answers a JOIN */
};

struct rig {
	/* Outbound. */
	unsigned int ring;	/* descriptors */
	unsigned int posted, kicked, ended, reaped;
	struct rig_message sent[RIG_SENT_MAX];
	int status[RIG_SENT_MAX];	/* what each message ends with */
	unsigned int kicks;
	/* Inbound: messages that wait. */
	unsigned int arrived, released;
	struct {
		uint16_t src;
		uint16_t len;
		uint8_t bytes[4096];
	} in[RIG_SENT_MAX];
	uint64_t in_errors;
	/* Doorbells and maintenance. */
	unsigned int nb_doorbells;
	struct rig_doorbell doorbells[1024];
	struct rig_endpoint endpoint[65536];
	int request_error;
	bool requested;
	unsigned int maint_reads;
};

extern struct rig rig;

/** Forget everything that the fake was told. */
void rig_reset(void);
/** Messages that were kicked end, with what rig.status says. */
void rig_end_all(void);
/** A message arrives. */
void rig_arrive(uint16_t src, const void *bytes, uint16_t len);
/** A doorbell arrives. It is handled at the next poll. */
void rig_ring(uint16_t src, uint16_t info);

#endif /* RIONET_RIG_H */
