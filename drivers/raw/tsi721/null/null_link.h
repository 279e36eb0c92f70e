/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_LINK_H
#define NULL_LINK_H

/*
 * Links: what a link remembers (in shared memory), training, faults.
 *
 * A link's width is judged again by whoever changed something that it depends on,
 * and again until the answer stands, so that of two who judge at once neither
 * leaves an old answer behind. Its change is reported by one at a time; who dies
 * before that is done leaves it to the one who buries him.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "null_base.h"
#include "null_fault.h"
#include "null_topo.h"

struct null_fabric;

/* Outcome of a request on the fabric. */
enum null_resp {
	NULL_RESP_DONE,
	NULL_RESP_RETRY,	/* no room now; the sender keeps the request */
	NULL_RESP_ERROR,	/* the target answered with an error response */
	NULL_RESP_TIMEOUT,	/* nobody answered */
	NULL_RESP_PCI,		/* own side: a bus address leads nowhere, or mastering is off */
};

/* What is requested; decides which faults apply. */
enum null_req {
	NULL_REQ_NREAD,
	NULL_REQ_NWRITE,	/* the one request without a response */
	NULL_REQ_NWRITE_R,
	NULL_REQ_DOORBELL,
	NULL_REQ_MSG,
	NULL_REQ_MAINT,
};

struct null_link {
	struct null_end end[2];
	_Atomic uint32_t up;	/* lanes it trained to; 0: both ends see it uninitialised */
	_Atomic uint32_t reported;	/* `up` as the switches at its ends reported it last */
	struct null_lock lock;		/* reporting */
	_Atomic uint8_t lanes;
	_Atomic uint16_t mbaud;		/* a lane */
	_Atomic uint32_t faults;	/* 1 << kind of those that are set */
	_Atomic uint32_t fault_arg[NULL_FAULT_LINK_KINDS];	/* struct null_fault's */
	_Atomic uint32_t fault_seen[NULL_FAULT_LINK_KINDS];	/* packets it was asked about */
	_Atomic uint64_t fault_hits[NULL_FAULT_LINK_KINDS];	/* what it did: never silent */
	_Atomic uint64_t slow_ns;	/* of `slow`: when the next request is accepted */
};

/* Of null_route.faults: ask null_link_fate() for each request. */
#define NULL_ROUTE_FAULTS	(~((1u << NULL_FAULT_DOWN) | (1u << NULL_FAULT_LANES)))
#define NULL_ROUTE_NO_RETURN	0x80000000u	/* responses do not find their way back */
#define NULL_ROUTE_STUCK	0x40000000u	/* the doorbell engine is stuck */

/* Judge a link again; switches at its ends report a change. */
void null_link_judge(struct null_fabric *fab, uint32_t link);
/* Set a fault of a link; arg 0 takes it away. Counters begin again. */
void null_link_fault_set(struct null_fabric *fab, uint32_t link, const struct null_fault *fault);

/* What becomes of one request. */
struct null_fate {
	enum null_resp resp;	/* what the sender is to see */
	bool deliver;		/* the target gets it; its own answer counts when resp is DONE */
	bool corrupt;		/* with null_link_corrupt() applied to its data */
};

/*
 * Ask the faults on the way from src to a destination ID and back. `packets` is
 * how many the data takes. Engines ask only where null_route.faults is not 0.
 */
void null_link_fate(struct null_fabric *fab, uint32_t src, uint32_t destid, uint32_t tt,
		    enum null_req req, uint32_t packets, struct null_fate *fate);
/* Change one byte of data, another one each time. */
void null_link_corrupt(uint8_t *data, uint64_t len);

/* Code of SEL_BAUD and of IPW in a port's control registers. */
uint32_t null_link_baud_code(const struct null_link *link);
uint32_t null_link_ipw(const struct null_link *link);

#endif /* NULL_LINK_H */
