/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_ROUTE_H
#define NULL_ROUTE_H

/* Between null_route.c, null_link.c and null_switch.c: walks over the fabric. */

#include "null_internal.h"

#define NULL_HOP_NONE	UINT32_MAX	/* not a maintenance request */

struct null_walk {
	uint32_t destid, tt;
	uint32_t hop;		/* hop count left; counts down at each switch */
	bool maint;
	uint32_t faults;	/* of all links on the way, those of NULL_ROUTE_FAULTS */
	uint32_t nb;
	uint16_t link[NULL_HOPS_MAX + 1];	/* that were crossed */
	struct null_end at;	/* what it has arrived at, and by which port */
};

/* From endpoint src; false: the packet is lost, or the endpoint it reaches ignores it. */
bool null_walk_request(struct null_fabric *fab, struct null_walk *w, uint32_t src, uint32_t destid,
		       uint32_t tt, uint32_t hop);
/* From where w arrived back to src; false: the response is lost. */
bool null_walk_response(struct null_fabric *fab, struct null_walk *back, const struct null_walk *w,
			uint32_t src);
/* What the faults on a request's way do. */
void null_fate_of_walk(struct null_fabric *fab, const struct null_walk *w, enum null_req req,
		       uint32_t packets, struct null_fate *fate);
/* A response or port-write of so many packets is lost. */
bool null_fate_of_response(struct null_fabric *fab, const struct null_walk *w, uint32_t packets);
/* From a switch to an endpoint; false: it got lost. */
bool null_fabric_portwrite(struct null_fabric *fab, uint32_t sw, uint32_t destid, uint32_t tt,
			   const uint32_t words[4]);

#endif /* NULL_ROUTE_H */
