/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_TOPO_H
#define NULL_TOPO_H

/*
 * Topology files: which endpoints, switches and links a fabric has, which IDs
 * and routes it starts with, which faults. doc/guides/fabrics.rst is their
 * format. null_topo.c reads one, null_topo_route.c fills in the routes and
 * refuses what could not work; null_fabric.c makes a fabric of the result.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "null_device.h"
#include "null_fault.h"

#define NULL_EP_MAX		256u	/* endpoints of a fabric */
#define NULL_SW_MAX		32u	/* switches of a fabric */
#define NULL_SW_PORT_MAX	255u	/* ports of a switch: SWP_INFO has 8 bits */
#define NULL_SW_PORTS_ALL	1024u	/* ports of all switches of a fabric */
#define NULL_LINK_MAX		512u
#define NULL_HOPS_MAX		16u	/* switches a request may pass: a loop ends here */
#define NULL_LINK_NONE		UINT16_MAX

/* What a link's end is attached to. */
enum null_end_kind { NULL_END_NONE, NULL_END_EP, NULL_END_SW };

struct null_end {
	uint8_t kind;
	uint8_t port;		/* of a switch */
	uint16_t index;		/* endpoint or switch */
};

#define NULL_TOPO_FAULT_MAX	256u
#define NULL_TOPO_NAME_MAX	31u	/* letters of a node's name */
/* Ports of a switch in a file: on a CPS-1848, larger table entries are multicast masks. */
#define NULL_TOPO_PORT_MAX	0x40u
#define NULL_TOPO_NO_ID		UINT32_MAX
#define NULL_TOPO_NO_PORT	UINT16_MAX

/* `line` is where the file says it. */
struct null_topo_ep {
	char name[NULL_TOPO_NAME_MAX + 1];
	uint32_t destid;	/* NULL_TOPO_NO_ID: not numbered */
	bool host;
	uint16_t link;
	uint32_t line;
};

struct null_topo_sw {
	char name[NULL_TOPO_NAME_MAX + 1];
	uint32_t nb_ports;
	uint8_t domain;				/* upper half of the 16-bit IDs that are local */
	uint16_t link[NULL_TOPO_PORT_MAX];	/* by port; NULL_LINK_NONE */
	uint16_t out[NULL_EP_MAX];		/* port toward each endpoint; NULL_TOPO_NO_PORT */
	uint32_t out_line[NULL_EP_MAX];		/* 0: not from the file */
	uint8_t dev[256], dom[256];		/* the tables that say so, as in the switch */
	uint32_t line;
};

struct null_topo_link {
	struct null_end end[2];
	uint8_t lanes;
	uint16_t mbaud;		/* a lane */
	uint32_t line;
};

struct null_topo_fault {
	struct null_fault fault;
	uint16_t link;		/* of faults of a link */
	uint16_t ep;		/* of faults of an endpoint */
	uint32_t line;
};

struct null_topo {
	char name[NULL_NAME_LEN];
	bool sys16;		/* 16-bit destination IDs */
	bool enumerated;	/* IDs and routes are set from the start */
	uint32_t nb_ep, nb_sw, nb_link, nb_fault;
	uint32_t host;		/* enumerated: endpoint that counts as enumerator */
	struct null_topo_ep ep[NULL_EP_MAX];
	struct null_topo_sw sw[NULL_SW_MAX];
	struct null_topo_link link[NULL_LINK_MAX];
	struct null_topo_fault fault[NULL_TOPO_FAULT_MAX];
};

/**
 * Read and check a topology file. *topo is to be given to null_topo_free().
 *
 * @return 0; -EINVAL the file is refused, err is "file:line: reason"; -ENOMEM;
 *   or the error of opening it, negative.
 */
int null_topo_load(const char *path, struct null_topo **topo, char *err, size_t errlen);
void null_topo_free(struct null_topo *topo);

/** Number that is the same for the same fabric, whatever the file looks like. */
uint64_t null_topo_hash(const struct null_topo *topo);

/** "n0" or "sw0.16". */
void null_topo_end_name(const struct null_topo *topo, const struct null_end *end, char *buf,
			size_t len);
/** The other end of the link at this one. */
const struct null_end *null_topo_far_end(const struct null_topo *topo, uint16_t link,
					 enum null_end_kind kind, uint32_t index, uint32_t port);

/*
 * null_topo_route.c: routes that the file does not give, loops, routing tables.
 * Returns the line that is wrong, with the reason; 0: all is well.
 */
uint32_t null_topo_complete(struct null_topo *topo, char *reason, size_t len);

#endif /* NULL_TOPO_H */
