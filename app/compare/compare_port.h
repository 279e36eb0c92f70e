/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_PORT_H
#define COMPARE_PORT_H

#include <stddef.h>
#include <stdint.h>

#include <rte_mempool.h>

struct compare_port {
	const char *device; /* name of the vdev; NULL: not opened */
	uint16_t id;
	uint32_t max_frame; /* bytes without FCS */
};

/*
 * Create the device, set the port up with one queue each way and room for frames
 * of `frame` bytes where its driver can, start it. Returns 0, or
 * what went wrong in why and -1, or -ENODEV when there is no driver for the device.
 */
int compare_port_open(struct compare_port *port, const char *device, const char *args,
		      struct rte_mempool *pool, uint32_t frame, char *why, size_t room);

/* Wait until the link is up. Same returns. */
int compare_port_wait_link(const struct compare_port *port, int timeout_ms, char *why,
			   size_t room);

/* Stop and close the port, remove the device. Nothing when it is not open. */
void compare_port_close(struct compare_port *port);

#endif
