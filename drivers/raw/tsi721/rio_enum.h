/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIO_ENUM_H
#define RIO_ENUM_H

/*
 * Enumeration and discovery of a RapidIO fabric, for any device that can do
 * maintenance requests: plain C, no EAL, nothing of the Tsi721.
 *
 * A host sweeps the fabric: breadth first from itself it visits every switch,
 * looks at its ports, and finds out what is behind those that are up. Then it
 * gives destination IDs, writes the routes that are not as they should be, and
 * tells new devices that they are discovered. The first sweep enumerates; each
 * one after it finds what has come, gone or failed since. What is known costs
 * little: a read for each port and one or two for each device.
 *
 * An agent reads what a host has left behind, and writes nothing.
 *
 * Whatever a device answers is not to be trusted: numbers of ports, pointers to
 * blocks, tags and IDs are checked, and devices, switches on the way, requests
 * and time are limited.
 *
 * One thread at a time for each struct rio_enum.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rio_regs.h"

#define RIO_DEV_MAX	320u	/* of which endpoints */
#define RIO_EP_MAX	256u
#define RIO_SW_MAX	64u
#define RIO_DEPTH_MAX	16u	/* switches a request passes */
#define RIO_NO_DEV	UINT16_MAX
#define RIO_NO_ID	UINT16_MAX
#define RIO_NO_PORT	UINT16_MAX
#define RIO_TAG_MAX	0xffffu

enum rio_log { RIO_LOG_ERROR, RIO_LOG_NOTICE, RIO_LOG_DETAIL };

/** What a host or agent works with. Errors are negative errnos. */
struct rio_access {
	int (*read)(void *ctx, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val);
	int (*write)(void *ctx, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val);
	int (*local_read)(void *ctx, uint32_t off, uint32_t *val);
	int (*local_write)(void *ctx, uint32_t off, uint32_t val);
	uint64_t (*now_us)(void *ctx);
	void (*wait_us)(void *ctx, uint32_t us);
	void (*log)(void *ctx, enum rio_log level, const char *line);
};

struct rio_enum_conf {
	const struct rio_access *access;
	void *ctx;
	bool sys16;		/* destination IDs have 16 bits */
	uint16_t hdid;		/* the host's destination ID */
	uint32_t lock_wait_us;	/* for a lower host to give way; 0: 1 s */
	uint32_t sweep_max_us;	/* a sweep ends unfinished after this; 0: 1 s */
};

/* --- the graph --- */

struct rio_port {
	bool up;		/* the link is trained */
	bool lockout;
	bool suspect;		/* something happened here: look closely */
	bool ready;		/* passes packets; width and speed are known */
	uint8_t lanes;		/* 0: not known */
	uint8_t fails, skip;	/* nobody answered; sweeps in which not to ask again */
	uint16_t mbaud;
	uint16_t peer;		/* device, or RIO_NO_DEV */
	uint8_t peer_port;
	uint16_t keep_id;	/* of the endpoint that was here last, or RIO_NO_ID */
};

/* Entries of a switch's tables: 256 by lower half (8-bit IDs), 256 by upper half. */
#define RIO_ROUTES	512u
#define RIO_ROUTE_DOM	256u
#define RIO_ROUTE_UNKNOWN UINT16_MAX

struct rio_dev {
	bool used;
	bool is_switch;
	bool fresh;		/* to be set up */
	bool reached;		/* in this sweep */
	bool locked;		/* its host lock is held */
	bool indirect;		/* tables only through 0x70 and 0x74 */
	uint8_t misses;		/* sweeps in which it did not answer */
	uint8_t depth;		/* switches before it */
	uint16_t parent;	/* the switch before it; RIO_NO_DEV: next to oneself */
	uint8_t parent_port;
	uint32_t tag;
	uint16_t destid;	/* of endpoints; RIO_NO_ID: none yet */
	uint16_t strap_id;	/* the one it was found with, if that is to be believed */
	uint32_t id, info, asm_id, asm_info, pef, src_ops, dst_ops;
	uint16_t sp, em;	/* LP-Serial and error management blocks; 0: none */
	uint16_t nb_ports;
	uint8_t in_port;	/* by which requests of this host come in */
	struct rio_port *port;
	uint16_t *route;	/* of switches: what the tables hold */
	uint16_t any;		/* where requests to nobody's ID lead to */
	uint16_t by;		/* of agents: an ID whose requests pass a switch */
};

/** dev[0] is oneself. Slots that are not `used` are empty. */
struct rio_graph {
	uint32_t nb;		/* slots in use are below */
	struct rio_dev dev[RIO_DEV_MAX];
};

struct rio_enum_stats {
	uint64_t sweeps, unfinished, changes;
	uint64_t requests, errors;
	uint64_t routes_written;
	uint32_t last_us, longest_us;	/* of a sweep that changed something */
};

struct rio_enum {
	struct rio_enum_conf conf;
	struct rio_graph g;
	struct rio_enum_stats stats;
	uint32_t generation;	/* another one after each change; 0: nothing is known */
	uint16_t winner;	/* of the host that this one gave way to */
	bool done;		/* a sweep, or a discovery, has been complete */

	/* Of the sweep that runs. */
	bool changed;
	bool lost;		/* a higher host has been met */
	bool unfinished;
	uint64_t end_us;
	uint32_t next_tag;
	uint32_t own_did, own_tag, own_ctl;	/* of oneself, before it was the host */
	uint16_t (*target)[RIO_ROUTES];	/* what tables should hold, by device */
};

/** 0; -ENOMEM. */
int rio_enum_init(struct rio_enum *e, const struct rio_enum_conf *conf);
void rio_enum_fini(struct rio_enum *e);

/**
 * Be the host: sweep once.
 *
 * @return 1 something changed; 0 nothing did; -EAGAIN not all could be looked at,
 *   sweep again soon; -EBUSY a host with a higher ID is there (`winner`), and this
 *   one has let go of everything.
 */
int rio_enum_sweep(struct rio_enum *e);

/** A port-write of this component tag and port: look closely in the next sweep. */
void rio_enum_suspect(struct rio_enum *e, uint32_t tag, uint32_t port);

/**
 * Be an agent: read what a host has set up.
 *
 * @return 1 something is other than last time; 0 nothing is; -EAGAIN the own device
 *   has not been discovered yet, or not all could be read.
 */
int rio_enum_discover(struct rio_enum *e);

/**
 * Whether the links of the switches that a discovery found are up and down as they were
 * then, and the nearest one's routes the same: a part of what reading it all anew takes.
 */
bool rio_enum_glance(struct rio_enum *e);

/** The device with this tag; NULL. */
const struct rio_dev *rio_enum_find(const struct rio_enum *e, uint32_t tag);
/** Port that a switch sends an ID out of; RIO_NO_PORT: none. */
uint16_t rio_enum_route_get(const struct rio_enum *e, const struct rio_dev *sw, uint16_t destid);

#endif /* RIO_ENUM_H */
