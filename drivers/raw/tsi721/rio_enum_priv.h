/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIO_ENUM_PRIV_H
#define RIO_ENUM_PRIV_H

/* What the files of rio_enum share. */

#include "rio_enum.h"

#define RIO_TRIES	3u	/* of a request, before it counts as not answered */
#define RIO_MISSES	3u	/* sweeps, before a device whose link is up counts as gone */
#define RIO_SWEEP_MAX_US 1000000u
#define RIO_HOP_FAR	0xffu
#define RIO_SELF	(-1)	/* instead of a destination ID: the own registers */

/* ID that is nobody's: requests that find their way by hop count. */
static inline uint16_t
rio_any_id(const struct rio_enum *e)
{
	return e->conf.sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;
}

static inline uint16_t
rio_did_get(const struct rio_enum *e, uint32_t csr)
{
	return (uint16_t)(e->conf.sys16 ? csr & RIO_DID_16 : (csr & RIO_DID_8) >> RIO_DID_8_SHIFT);
}

/* As an enumerator writes it: the other size's ID is all ones. */
static inline uint32_t
rio_did_csr(const struct rio_enum *e, uint16_t destid)
{
	return e->conf.sys16 ? RIO_DID_8 | destid :
			       (uint32_t)destid << RIO_DID_8_SHIFT | RIO_DID_16;
}

/* The table entry that an ID is looked up at. */
static inline uint32_t
rio_route_slot(uint16_t destid)
{
	return destid < RIO_ROUTE_DOM ? destid : RIO_ROUTE_DOM + (destid >> 8);
}

static inline uint16_t
rio_dev_index(const struct rio_enum *e, const struct rio_dev *dev)
{
	return (uint16_t)(dev - e->g.dev);
}

static inline bool
rio_dev_has_id(const struct rio_dev *dev)
{
	return !dev->is_switch;
}

/* rio_enum_graph.c: slots, links. */
struct rio_dev *rio_dev_new(struct rio_enum *e, bool is_switch, uint32_t nb_ports);
void rio_dev_free(struct rio_enum *e, struct rio_dev *dev);
/* Nothing is known of what its tables hold. */
void rio_routes_forget(struct rio_dev *sw);
/* More or fewer ports than before; false: no memory. */
bool rio_dev_resize(struct rio_enum *e, struct rio_dev *dev, uint32_t nb_ports);
void rio_graph_reset(struct rio_enum *e);
/* Join and part two ports. */
void rio_link_set(struct rio_enum *e, struct rio_dev *a, uint32_t port_a, struct rio_dev *b,
		  uint32_t port_b);
void rio_link_cut(struct rio_enum *e, struct rio_dev *dev, uint32_t port);
struct rio_dev *rio_dev_by_tag(struct rio_enum *e, uint32_t tag);

/*
 * rio_enum_access.c: requests. `far` ones go to the device that the path set by
 * rio_path() leads to, at a hop count; each is tried again when it fails.
 */
void rio_say(struct rio_enum *e, enum rio_log level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int rio_far_read(struct rio_enum *e, uint8_t hop, uint32_t off, uint32_t *val);
int rio_far_write(struct rio_enum *e, uint8_t hop, uint32_t off, uint32_t val);
int rio_id_read(struct rio_enum *e, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val);
int rio_id_write(struct rio_enum *e, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val);
int rio_local_read(struct rio_enum *e, uint32_t off, uint32_t *val);
int rio_local_write(struct rio_enum *e, uint32_t off, uint32_t val);
/* The same for a device of the graph, whose path is set first. */
int rio_dev_read(struct rio_enum *e, struct rio_dev *dev, uint32_t off, uint32_t *val);
int rio_dev_write(struct rio_enum *e, struct rio_dev *dev, uint32_t off, uint32_t val);
/* Let requests to nobody's ID lead to a device, or out of a port of a switch. */
int rio_path(struct rio_enum *e, struct rio_dev *dev);
int rio_path_port(struct rio_enum *e, struct rio_dev *sw, uint32_t port);
/* destid may be RIO_SELF. LP-Serial and error management block of what is there. */
int rio_blocks_read(struct rio_enum *e, int32_t destid, uint8_t hop, uint32_t asm_info,
		    uint16_t *sp, uint16_t *em);
/* Capabilities of what is there. */
int rio_cars_read(struct rio_enum *e, int32_t destid, uint8_t hop, struct rio_dev *cars);
void rio_cars_copy(struct rio_dev *dev, const struct rio_dev *cars);
bool rio_time_over(struct rio_enum *e);

/* rio_enum_lock.c: who is the host. rio_lose: -EBUSY, another one. */
int rio_lose(struct rio_enum *e, uint32_t holder);
int rio_lock_local(struct rio_enum *e);
/* Of what is at `hop`; -EBUSY: of a higher host, and this one has lost. */
int rio_lock_far(struct rio_enum *e, uint8_t hop);
/* Of what turned out to be no device. */
void rio_unlock_far(struct rio_enum *e, uint8_t hop);
int rio_lock_dev(struct rio_enum *e, struct rio_dev *dev);
void rio_unlock_all(struct rio_enum *e);
/* Whether another host has taken a switch that was this one's. */
int rio_owner_check(struct rio_enum *e, struct rio_dev *sw);

/* rio_enum_walk.c: one sweep's look at everything. */
int rio_walk(struct rio_enum *e);

/* rio_enum_ids.c: destination IDs. */
void rio_ids_assign(struct rio_enum *e);

/* rio_enum_route.c: tables of switches. */
int rio_route_write(struct rio_enum *e, struct rio_dev *sw, uint32_t slot, uint16_t entry);
int rio_route_any(struct rio_enum *e, struct rio_dev *sw, uint8_t hop, uint16_t port);
/* Read all entries of what is at (destid, hop) into dev->route. */
int rio_routes_read(struct rio_enum *e, uint16_t destid, uint8_t hop, struct rio_dev *sw);
/* Write what is not as the graph asks for. */
int rio_routes_apply(struct rio_enum *e);

/* rio_enum_setup.c: what a new device is told. */
int rio_setup_switch(struct rio_enum *e, struct rio_dev *sw);
int rio_setup_endpoint(struct rio_enum *e, struct rio_dev *ep);
int rio_setup_discovered(struct rio_enum *e, struct rio_dev *dev);
/* A port with a link: let packets through, read its width. One without: lock it out. */
int rio_setup_port_up(struct rio_enum *e, struct rio_dev *sw, uint32_t port);
int rio_setup_port_down(struct rio_enum *e, struct rio_dev *sw, uint32_t port);
void rio_link_width(uint32_t ctl, uint32_t ctl2, struct rio_port *port);

#endif /* RIO_ENUM_PRIV_H */
