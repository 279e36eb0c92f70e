/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TAP_IFACE_H
#define TAP_IFACE_H

/*
 * A TAP interface of the kernel: one file descriptor a queue, not blocking; every
 * frame with a struct virtio_net_hdr in front. Functions that fail print one line and
 * return -1.
 */

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <netinet/in.h>

#include <rte_ether.h>

#define TAP_IFACE_QUEUES 7

struct tap_address {
	int family;	/* AF_INET or AF_INET6 */
	union {
		struct in_addr v4;
		struct in6_addr v6;
	};
	unsigned int length;	/* of the prefix, bits */
};

struct tap_iface {
	char name[IFNAMSIZ];
	int fd[TAP_IFACE_QUEUES];
	unsigned int queues;
	int control;	/* a socket for ioctl() */
};

/* What the kernel may leave undone in the frames that it sends: checksums, segments. */
struct tap_offload {
	bool checksum;
	bool tso;	/* needs checksum */
};

/* ADDRESS/LENGTH. 0, or -1 without a line. */
int tap_address_parse(const char *text, struct tap_address *address);

/* name: may have one %d, the kernel replaces it. The interface is down. */
int tap_iface_open(struct tap_iface *iface, const char *name, unsigned int queues);
int tap_iface_set_offload(const struct tap_iface *iface, const struct tap_offload *offload);
int tap_iface_set_mac(const struct tap_iface *iface, const struct rte_ether_addr *mac);
int tap_iface_set_mtu(const struct tap_iface *iface, uint32_t mtu);
int tap_iface_add_address(const struct tap_iface *iface, const struct tap_address *address);
int tap_iface_up(const struct tap_iface *iface);
/* Whether a cable is plugged in, as the kernel sees it. */
void tap_iface_set_carrier(const struct tap_iface *iface, bool on);
/* The interface goes. */
void tap_iface_close(struct tap_iface *iface);

#endif
