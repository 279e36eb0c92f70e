/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_VIEW_H
#define NULL_VIEW_H

/*
 * Looking at a fabric from outside: what is on it, how it is wired and routed,
 * what its links and switches counted. For dpdk-rio-fabric. Everything is a
 * copy of what was there at the moment of the call; looking changes nothing and
 * holds nothing up. One thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "null_device.h"

#define NULL_VIEW_TEXT_LEN	160u
#define NULL_VIEW_ALL_PORTS	UINT32_MAX

struct null_view;

/**
 * The fabric that a topology file describes, as it is before anybody joins.
 *
 * @return 0, or as null_topo_load(), with one line in err.
 */
int null_view_file(const char *path, struct null_view **view, char *err, size_t errlen);
/** A fabric that is running, by its name. -ENOENT: none of this name is. */
int null_view_running(const char *name, struct null_view **view, char *err, size_t errlen);
void null_view_close(struct null_view *view);
/** Names of this user's running fabrics, in no order. */
void null_view_each(void (*fn)(void *ctx, const char *name), void *ctx);

struct null_view_fabric {
	char name[NULL_NAME_LEN];
	bool running;		/**< false: of a file */
	bool star;		/**< endpoints come as they are needed */
	bool sys16;
	bool enumerated;	/**< of a file: IDs and routes are set from the start */
	uint32_t endpoints, switches, links;
	uint32_t attached;	/**< endpoints with a device */
	uint32_t processes;
};
void null_view_fabric(const struct null_view *view, struct null_view_fabric *f);

/** What a link leads to: "n0", "sw0.16"; "" where nothing is. */
struct null_view_ep {
	char node[NULL_NAME_LEN];
	char peer[NULL_NAME_LEN + 8];
	uint32_t link;		/**< UINT32_MAX: none */
	bool numbered;
	uint32_t destid;
	bool host;
	bool attached;		/**< a device is on it */
	uint32_t pid;		/**< whose */
	bool link_up;
	char stuck[NULL_VIEW_TEXT_LEN];	/**< engines that do not run, as a fault; "" */
	uint64_t stuck_hits;	/**< how often one of them was to run */
};
bool null_view_ep(const struct null_view *view, uint32_t ep, struct null_view_ep *e);
uint64_t null_view_ep_stat(const struct null_view *view, uint32_t ep, enum null_stat stat);

struct null_view_switch {
	char node[NULL_NAME_LEN];
	uint32_t ports;
	uint32_t comp_tag, host_lock, domain, default_port;
	uint32_t pw_target;	/**< register: target of port-writes */
	uint32_t pw_sent, pw_lost, circles;
	uint32_t unknown_reads, unknown_writes;
};
bool null_view_switch(const struct null_view *view, uint32_t sw, struct null_view_switch *s);

struct null_view_port {
	char peer[NULL_NAME_LEN + 8];
	uint32_t link;		/**< UINT32_MAX: none */
	uint32_t lanes, mbaud;	/**< of the link */
	uint32_t width;		/**< lanes that it trained to; 0: down */
	bool vacant;		/**< no device is on the endpoint at its other end */
	bool lockout, disabled;
	uint32_t drop_rx, drop_tx;
	uint32_t err_det;	/**< register: port error detect */
};
bool null_view_port(const struct null_view *view, uint32_t sw, uint32_t port,
		    struct null_view_port *p);

/**
 * Entry of a switch's routing table: of a port, or NULL_VIEW_ALL_PORTS for the
 * global one. Device table, or the domain table of 16-bit IDs. Text is a port's
 * number, "none", "default" or "device" (looked up in the device table).
 */
bool null_view_route(const struct null_view *view, uint32_t sw, uint32_t port, bool domain,
		     uint32_t index, char text[NULL_VIEW_TEXT_LEN]);

struct null_view_link {
	char end[2][NULL_NAME_LEN + 8];
	uint32_t lanes, mbaud, width;
};
bool null_view_link(const struct null_view *view, uint32_t link, struct null_view_link *l);
/**
 * The n-th fault of a link: its text, and how often it struck; of `down` and `lanes`
 * how many packets they have stopped.
 */
bool null_view_fault(const struct null_view *view, uint32_t link, unsigned int n,
		     char text[NULL_VIEW_TEXT_LEN], uint64_t *hits);

struct null_view_reg {
	const char *name;	/**< of the row */
	uint32_t index;		/**< in the row */
	uint32_t count;		/**< registers of the row */
	uint32_t off, val;
};
/**
 * Call fn for each register of an endpoint with a device on it, or of a switch;
 * not for routing tables. 0; -ENOENT no such node; -ENODEV no device is there.
 */
int null_view_regs(const struct null_view *view, const char *node,
		   void (*fn)(void *ctx, const struct null_view_reg *reg), void *ctx);

/**
 * How many switches the tables take a request from endpoint src to endpoint dst
 * through, whether the links are up or not; -1: they do not lead there.
 */
int null_view_hops(const struct null_view *view, uint32_t src, uint32_t dst);

/**
 * Give a running fabric a fault, or take it away. `where` is "n0" or "sw0.16":
 * the link there, or for `stuck` the endpoint. The calling process joins the
 * fabric for the time of the call, and may not have a view of it open.
 *
 * @return 0; -ENOENT no such fabric or place; -EINVAL the fault; or why the
 *   fabric cannot be joined; with one line in err.
 */
int null_view_fault_set(const char *name, const char *where, const char *fault, char *err,
			size_t errlen);
/** kind: first word of a fault; NULL: all there. where NULL: everywhere. */
int null_view_fault_clear(const char *name, const char *where, const char *kind, char *err,
			  size_t errlen);

#endif /* NULL_VIEW_H */
