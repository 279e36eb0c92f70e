/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_FABRIC_H
#define NULL_FABRIC_H

/* A fabric: its state in shared memory, and what a process has beside it. */

#include "null_chip.h"
#include "null_switch.h"
#include "null_topo.h"

#define NULL_PROC_MAX		256u	/* processes of a fabric */

/* ---- fabric state, shared ---- */

/* A process. It lives while it holds the record lock of its slot: null_shm.c. */
struct null_proc {
	alignas(NULL_CACHE_LINE) _Atomic uint32_t pid;	/* 0: free, or not announced yet */
	_Atomic uint32_t gen;		/* of this slot's use */
	_Atomic uint32_t wake_fd;	/* number of its agent's pipe there */
	_Atomic uint64_t wake_ino;	/* that file's inode */
	alignas(NULL_CACHE_LINE) _Atomic uint32_t asleep;	/* its agent looks at kicks no more */
	_Atomic uint32_t kicks;		/* NULL_KICK_*: what its agent is to look at */
	struct null_epset retry, intr;	/* its endpoints: engines to run, causes to deliver */
};

/* Where the list of an endpoint's memory is, for other processes: null_peer.c. */
struct null_listing {
	_Atomic uint32_t gen;	/* counts lists */
	_Atomic int32_t fd;	/* of the list, in the process of the endpoint; -1: no memory */
};

/* Where an endpoint is, whether a device is on it or not. */
struct null_place {
	char node[NULL_NAME_LEN];
	uint32_t destid;		/* NULL_TOPO_NO_ID: not numbered */
	uint32_t host;
	uint16_t link;
	_Atomic uint32_t stuck;		/* engines that do not run: NULL_STUCK_* */
	_Atomic uint64_t stuck_hits;	/* how often one of them had work and did not run */
};

#define NULL_SHARED_MAGIC	0x54534937u
#define NULL_SHARED_VERSION	4u

struct null_shared {
	uint32_t magic, version, size;
	char name[NULL_NAME_LEN];
	uint32_t sys16;
	/* Anything that a cached route or window translation depends on has changed. */
	_Atomic uint32_t gen;
	struct null_lock lock;	/* topology: attach, detach, routes */
	_Atomic uint32_t nb_ep;	/* endpoints ever attached are below this */
	uint32_t nb_sw, nb_link;
	uint32_t autostar;	/* endpoints are added on demand to switch 0 */
	uint64_t topo_hash;	/* null_topo_hash(), when it is not a star */
	struct null_place place[NULL_EP_MAX];
	_Atomic uint32_t procs_gen;	/* a process came or went */
	struct null_proc procs[NULL_PROC_MAX];
	struct null_listing listing[NULL_EP_MAX];
	struct null_link links[NULL_LINK_MAX];
	struct null_switch sw[NULL_SW_MAX];
	struct null_sw_tables tables[NULL_SW_PORTS_ALL];
	struct null_chip ep[NULL_EP_MAX];
};

/* ---- process-local ---- */

struct null_agent;
struct null_engine;
struct null_memmap;
struct null_route;

struct null_fabric {
	struct null_shared *sh;
	uint32_t proc;			/* own process slot */
	uint32_t refcnt;
	struct null_fabric *next;	/* fabrics this process has joined */
	bool shared;			/* with other processes; the next is 0 otherwise */
	struct null_agent *agent;
	/* Of the file, opened once: the record locks vanish at any close of it. */
	int fd;
	_Atomic bool own[NULL_EP_MAX];	/* endpoints that this process has attached */
	_Atomic(struct null_memmap *) map[NULL_EP_MAX];
	_Atomic uint32_t map_gen;	/* a map of this process was replaced */
	_Atomic(struct null_device *) dev[NULL_EP_MAX]; /* devices that this process owns */
	pthread_mutex_t map_lock;	/* replacing a map of an own endpoint */
	pthread_mutex_t peer_lock;	/* replacing one of another process's, `retired` */
	struct null_memmap *retired;	/* replaced, and freed by the agent */
	/*
	 * Held for reading by whoever uses another's struct null_device outside of
	 * an engine's lock; for writing to take one out of dev[].
	 */
	pthread_rwlock_t dev_lock;
};

static inline struct null_chip *
null_chip_at(struct null_fabric *fab, uint32_t ep)
{
	return &fab->sh->ep[ep];
}

/* ---- null_fabric.c ---- */
/* name and topology file as in struct null_device_params. */
int null_fabric_join(const char *name, const char *file, struct null_fabric **fab, char *err,
		     size_t errlen);
void null_fabric_leave(struct null_fabric *fab);
int null_fabric_attach(struct null_fabric *fab, const struct null_device_params *params,
		       uint32_t *ep, char *err, size_t errlen);
void null_fabric_detach(struct null_fabric *fab, uint32_t ep);
/* Its process died: the same, and its locks are free again. Under sh->lock, by the agent. */
void null_fabric_detach_dead(struct null_fabric *fab, uint32_t ep);
/* Take back what one who died while it attached has taken. Under sh->lock. */
void null_fabric_tidy(struct null_fabric *fab);
bool null_fabric_proc_alive(struct null_fabric *fab, uint32_t proc);
/* Anything that routes or windows depend on has changed: a new generation. */
void null_fabric_changed(struct null_fabric *fab);
/*
 * Return when no engine that started before this call still runs. Not to be
 * called with an engine's lock held. After null_fabric_changed this means that
 * nobody uses the old translations, but for processes that are stopped: those are
 * waited for for a tenth of a second in all.
 */
void null_fabric_quiesce(struct null_fabric *fab);
/* The same for engines of this process, which alone look at its maps. */
void null_fabric_quiesce_own(struct null_fabric *fab);
/* Judge ep's link again: after SRBOOT_CMPL, LOCKOUT, attach, detach, faults. */
void null_fabric_link_update(struct null_fabric *fab, uint32_t ep);
bool null_fabric_link_ok(struct null_fabric *fab, uint32_t ep);
/* Endpoint that a request of src to destid reaches; DONE, ERROR or TIMEOUT. */
enum null_resp null_fabric_route(struct null_fabric *fab, uint32_t src, uint32_t destid,
				 uint32_t tt, uint32_t *ep, uint32_t *faults);
/* The same through the engine's cache. NULL: *resp says why. */
struct null_route *null_route_get(struct null_device *dev, struct null_engine *eng,
				  uint32_t destid, uint32_t tt, enum null_resp *resp);
/* Maintenance request by hop count: reaches a switch or an endpoint. */
enum null_resp null_fabric_maint(struct null_fabric *fab, uint32_t src, uint32_t destid,
				 uint32_t tt, uint32_t hop, bool write, uint32_t off,
				 uint32_t *val);

/* ---- null_build.c, on a fabric that nobody has joined yet ---- */
void null_star_build(struct null_shared *sh);
void null_topo_build(struct null_shared *sh, const struct null_topo *topo);

/* ---- null_attach.c ---- */
/* One line for an err buffer, which may be NULL. */
__attribute__((format(printf, 3, 4)))
void null_say(char *err, size_t errlen, const char *fmt, ...);
/* Engines of ep that are not to run, a mask of NULL_STUCK_*; they go on at the next access. */
void null_stuck_set(struct null_fabric *fab, uint32_t ep, uint32_t mask);

#endif /* NULL_FABRIC_H */
