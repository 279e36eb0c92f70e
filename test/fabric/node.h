/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NODE_H
#define NODE_H

/*
 * A null device with memory that other processes reach, and as much of a driver
 * as tests of traffic between processes need. Nothing here fails a test: a
 * worker reports, since others may have been killed on purpose.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "null_internal.h"

#define NODES_MAX	16u
#define NODE_MEM	0x400000u
#define NODE_SLOTS	16u		/* blocks that one peer may have under way here */
#define NODE_SLOT_SIZE	0x400u

/* RapidIO addresses of the two windows, and what is behind them. */
#define NODE_WIN_SIZE	0x100000u
#define NODE_WIN_RIO	0x10000000u	/* blocks: peer, slot */
#define NODE_PAT_SIZE	0x10000u
#define NODE_PAT_RIO	0x20000000u	/* a pattern to be read */
#define NODE_WIN	0x200000u	/* in memory */
#define NODE_PAT	0x320000u

#define NODE_OUT	0x060000u	/* blocks to send, and where reads go */
#define NODE_IN		0x070000u
#define NODE_MSG	0x080000u	/* a message to send */
#define NODE_BUFS	0x100000u	/* messages that arrive */

struct node {
	struct null_device *dev;
	uint8_t *mem;
	uint64_t iova;
	uint32_t index, destid, tt;
	int memfd;
	int irq_fd;			/* eventfd: an interrupt was delivered */
	_Atomic uint32_t irqs;

	uint32_t dma_slot, dma_wr;
	uint32_t msg_slot, msg_wr, msg_line;
	uint32_t fq_wp, dq_rp, idq_rp;
};

/** What a node's pattern depends on: a life of it has another one than the next. */
static inline uint32_t
node_seed(uint32_t index, uint32_t life)
{
	return index + life * NODES_MAX;
}

/** Open and set up; 0, or -errno with a line in err. */
int node_open(struct node *n, const struct null_device_params *params, uint32_t index,
	      uint32_t life, char *err, size_t errlen);
void node_close(struct node *n);

uint32_t node_rd(struct node *n, uint32_t off);
void node_wr(struct node *n, uint32_t off, uint32_t val);

/** One block, waited for. 0 or the abort code; the channel is ready again. */
uint32_t node_dma(struct node *n, uint32_t rtype, uint32_t destid, uint64_t rio, uint32_t mem_off,
		  uint32_t len);

/** A register by maintenance request, waited for. 0 or the abort code. */
uint32_t node_maint(struct node *n, bool write, uint32_t destid, uint32_t hop, uint32_t off,
		    uint32_t *val);

/** Whether requests of peers may change this byte: one of a window or of an inbound queue. */
bool node_may_change(uint32_t off);

/** Send the len bytes at NODE_MSG. node_msg_done() says what became of it. */
void node_msg_send(struct node *n, uint32_t destid, uint32_t len);
void node_msg_send_to(struct node *n, uint32_t destid, uint32_t mbox, uint32_t letter,
		      uint32_t len);
#define NODE_MSG_BUSY	0xffu
uint32_t node_msg_done(struct node *n);
/** Take messages, anew: with all buffers but one posted. */
void node_msg_open(struct node *n);
/** A message that arrived: its bytes, or NULL. Give it back when done. */
const uint8_t *node_msg_get(struct node *n, uint32_t *src, uint32_t *len);
void node_msg_free(struct node *n);

void node_ring(struct node *n, uint32_t destid, uint16_t info);
/** A doorbell that arrived. */
bool node_bell_get(struct node *n, uint32_t *src, uint16_t *info);

/** Interrupts on for doorbells and messages, by MSI-X; node_irq_rearm() before looking again. */
void node_irq_on(struct node *n);
void node_irq_rearm(struct node *n);

/** A byte that depends on where it is and on the seed. */
static inline uint8_t
node_pattern(uint32_t i, uint32_t seed)
{
	uint32_t x = (i + 1) * 2654435761u + seed * 40503u;

	return (uint8_t)(x >> 13 ^ x >> 24);
}

#endif /* NODE_H */
