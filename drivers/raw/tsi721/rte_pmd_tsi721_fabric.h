/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RTE_PMD_TSI721_FABRIC_H
#define RTE_PMD_TSI721_FABRIC_H

/**
 * @file
 * What is on the fabric: devices, links, routes, as the host enumerated them or
 * as an agent reads them; and port-writes. Included by rte_pmd_tsi721.h.
 *
 * Roles come from the device arguments: a device with hdid=N or host=1 is the
 * host, which enumerates when it is probed and watches the fabric from then on,
 * in the EAL's interrupt thread. One with hdid=-1 or host=0 is an agent: it waits
 * to be discovered, and then reads what the host has set up. With neither it
 * takes the fabric as it is, and reads it when rte_pmd_tsi721_fabric_rescan() says so.
 *
 * Devices are named by component tag, which the host makes unique (agents may see
 * some that have none, 0, on a fabric that nobody enumerated). What functions
 * return is a copy of the latest result; `generation` tells whether two calls saw
 * the same one. All return -ENODEV when dev_id is no Tsi721, and may be called
 * from any thread, callbacks included unless said otherwise.
 */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum rte_pmd_tsi721_fabric_role {
	RTE_PMD_TSI721_FABRIC_NONE,	/**< takes the fabric as it is */
	RTE_PMD_TSI721_FABRIC_AGENT,
	RTE_PMD_TSI721_FABRIC_HOST,
};

enum rte_pmd_tsi721_fabric_state {
	RTE_PMD_TSI721_FABRIC_UNKNOWN,	/**< nobody has looked yet */
	RTE_PMD_TSI721_FABRIC_WAITING,	/**< to be discovered by a host */
	RTE_PMD_TSI721_FABRIC_PARTIAL,	/**< some devices do not answer; tried again */
	RTE_PMD_TSI721_FABRIC_COMPLETE,
};

struct rte_pmd_tsi721_fabric_info {
	enum rte_pmd_tsi721_fabric_role role;	/**< now: a host that gave way is an agent */
	enum rte_pmd_tsi721_fabric_state state;
	uint32_t generation;		/**< another one after each change; 0: no result yet */
	uint32_t nb_devices;		/**< oneself included */
	uint32_t nb_endpoints;
	uint32_t nb_switches;
	uint32_t nb_links;		/**< that are up and lead to known devices */
	uint16_t destid;		/**< own destination ID */
	uint16_t host_destid;		/**< of the host; UINT16_MAX: not known */
	uint8_t destid_bits;		/**< 8 or 16 */
	uint64_t sweeps;		/**< times the host looked at the fabric */
	uint64_t changes;		/**< those that changed something */
	uint32_t last_change_us;	/**< how long the latest of these took */
	uint32_t longest_change_us;
	uint64_t portwrites;		/**< received by this device */
};

int rte_pmd_tsi721_fabric_info_get(uint16_t dev_id, struct rte_pmd_tsi721_fabric_info *info);

struct rte_pmd_tsi721_fabric_device {
	uint32_t comp_tag;
	bool is_switch;
	bool self;
	uint16_t destid;	/**< of endpoints; UINT16_MAX: none, as all switches */
	uint8_t hops;		/**< switches on the way there, for maintenance requests */
	uint16_t nb_ports;
	uint16_t vendor;	/**< device identity CAR */
	uint16_t device;
	uint32_t revision;	/**< device information CAR */
	uint16_t asm_vendor;	/**< assembly identity CAR */
	uint16_t asm_device;
};

/** At most max devices, oneself first. Returns how many there are. */
int rte_pmd_tsi721_fabric_devices(uint16_t dev_id, struct rte_pmd_tsi721_fabric_device *devs,
				  unsigned int max);

struct rte_pmd_tsi721_fabric_port {
	uint8_t port;
	bool up;		/**< the link is trained */
	bool lockout;		/**< locked out by the host, since there is no link */
	uint8_t lanes;		/**< 1, 2, 4; 0: down or not known */
	uint16_t mbaud;		/**< of a lane; 0: down or not known */
	bool linked;		/**< to a device that is known: peer_ is set */
	uint32_t peer_tag;	/**< its component tag */
	uint16_t peer_destid;	/**< its destination ID; UINT16_MAX: a switch */
	uint8_t peer_port;
};

/** Ports of a device, at most max. Returns how many it has; -ENOENT: no such tag. */
int rte_pmd_tsi721_fabric_ports(uint16_t dev_id, uint32_t comp_tag,
				struct rte_pmd_tsi721_fabric_port *ports, unsigned int max);

struct rte_pmd_tsi721_fabric_route {
	uint16_t destid;
	uint8_t port;
};

/**
 * By which ports a switch sends the endpoints' destination IDs, at most max.
 * Returns how many; those without a route are left out. -ENOENT: no such switch.
 */
int rte_pmd_tsi721_fabric_routes(uint16_t dev_id, uint32_t comp_tag,
				 struct rte_pmd_tsi721_fabric_route *routes, unsigned int max);

/**
 * Look at the fabric again: the host soon, in the background, everybody else before
 * this returns. 0; -EAGAIN: this device has not been discovered, or not everything
 * could be read.
 */
int rte_pmd_tsi721_fabric_rescan(uint16_t dev_id);

/** Called after each change, by the EAL's interrupt thread or in rescan. */
typedef void (*rte_pmd_tsi721_fabric_cb)(void *arg, uint16_t dev_id, uint32_t generation);

/**
 * Be told of changes. It must not register, unregister or rescan. -EINVAL: no callback;
 * -EEXIST: it is there with this argument; -ENOSPC: there are 8.
 */
int rte_pmd_tsi721_fabric_register(uint16_t dev_id, rte_pmd_tsi721_fabric_cb cb, void *arg);
/** Afterwards it is not called any more. -ENOENT. */
int rte_pmd_tsi721_fabric_unregister(uint16_t dev_id, rte_pmd_tsi721_fabric_cb cb, void *arg);

/**
 * A port-write that this device received, as it came: component tag, port error
 * detect, port number (low byte), logical-layer error detect. Called by the EAL's
 * interrupt thread.
 */
typedef void (*rte_pmd_tsi721_portwrite_cb)(void *arg, uint16_t dev_id, const uint32_t words[4]);

/** As rte_pmd_tsi721_fabric_register, for port-writes. */
int rte_pmd_tsi721_portwrite_register(uint16_t dev_id, rte_pmd_tsi721_portwrite_cb cb, void *arg);
int rte_pmd_tsi721_portwrite_unregister(uint16_t dev_id, rte_pmd_tsi721_portwrite_cb cb,
					void *arg);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_TSI721_FABRIC_H */
