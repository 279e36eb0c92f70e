/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef ENUM_RIG_H
#define ENUM_RIG_H

/*
 * The enumerator on null devices, without the driver: any endpoint of a topology
 * as host, and the topology's own graph to judge the result by.
 */

#include "null_rig_fabric.h"
#include "rio_enum.h"

struct enum_rig {
	struct rig *rig;
	struct null_topo *topo;
	struct null_fabric *fab;
	struct rig_dev *self;
	struct rio_enum e;
	struct rio_access access;
	char last[200];			/* log line */
	unsigned int lines;
	/* Requests: counted; from the fail_from-th on, fail_n of them fail. */
	uint64_t requests, fail_from, fail_n;
	void (*hook)(struct enum_rig *r, uint64_t request);
	/* What a read answers: may be changed, or the read made to fail. */
	int (*lie)(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val);
	/* Told of a write before it is made. */
	void (*writes)(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val);
	uint64_t seed;			/* of lies */
	uint32_t switch_id;		/* identity that switches are expected to have */
	int16_t ep_of[RIO_DEV_MAX], sw_of[RIO_DEV_MAX];	/* device to node, by enum_rig_graph() */
};

/* A file of config/fabrics; bits: 8 or 16; whether IDs and routes are there from the start. */
struct enum_rig *enum_rig_open(const char *file, unsigned int bits, bool enumerated);
/* The same for a text, which has a line "[fabric]". */
struct enum_rig *enum_rig_open_text(const char *text, unsigned int bits, bool enumerated);
/* Be the host at an endpoint. */
void enum_rig_host(struct enum_rig *r, uint32_t ep, uint16_t hdid);
void enum_rig_host_end(struct enum_rig *r);
void enum_rig_close(struct enum_rig *r);
/* As an agent's driver does when it begins: the device waits to be discovered. */
void enum_rig_agents(struct enum_rig *r, uint32_t but);

/* The graph found is the topology's, but for endpoints without link: every port, both ways. */
void enum_rig_graph(struct enum_rig *r);
/* Every switch's tables lead to each endpoint the shortest way there is now, by its ID. */
void enum_rig_routes(struct enum_rig *r);
/* What a host leaves behind: locks free, discovered, IDs in the devices, port-writes to it. */
void enum_rig_settled(struct enum_rig *r);
/* All of that, and doorbells between all endpoints. */
void enum_rig_check(struct enum_rig *r);
void enum_rig_rings(struct enum_rig *r);
/* Device of an endpoint of the topology; NULL: not found. */
struct rio_dev *enum_rig_ep(struct enum_rig *r, uint32_t ep);

void enum_rig_link(struct enum_rig *r, uint32_t link, bool up);
/* Take port-writes until there is none; their number. */
unsigned int enum_rig_portwrites(struct enum_rig *r);
/* Sweep until nothing is left to do; fails after some. */
void enum_rig_sweep(struct enum_rig *r);

#endif /* ENUM_RIG_H */
