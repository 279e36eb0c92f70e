/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_VHOST_H
#define NULL_VHOST_H

/*
 * Null devices as PCI devices of user-mode Linux kernels: a vhost-user server.
 * Each device waits on a unix socket of its own; the kernel that connects
 * there (virtio_uml.device=SOCKET:1234) finds a virtio-pcidev device, the PCI
 * device behind which is the null device. The kernel's memory is what bus
 * addresses lead to.
 *
 * A device is on its fabric from null_vhost_add to null_vhost_destroy: the
 * board is plugged in. A kernel that connects or goes away is the machine
 * around it: after each the device is as after power-up, with its link down.
 *
 * What a kernel sends is not trusted: a broken ring or message ends its
 * connection, with one line to the log; the server and other kernels go on.
 *
 * Threads: one thread runs a server with null_vhost_run and does everything
 * else with it before and after that. null_vhost_stop may be called from
 * anywhere, also from a signal handler.
 */

#include "null_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Virtio device ID that the tests' kernel knows PCI devices by: none is assigned. */
#define NULL_VHOST_DEVICE_ID	1234

struct null_vhost;

/** One line about an event, without newline. */
typedef void (*null_vhost_log)(void *ctx, const char *line);

/**
 * Make a server without devices.
 *
 * @return 0 or a negative errno: -ENOMEM, or what epoll_create or eventfd gave.
 */
int null_vhost_create(struct null_vhost **vhost, null_vhost_log log, void *log_ctx);

/**
 * Attach a device to a fabric and offer it on a socket. The members irq and
 * irq_ctx of params are not looked at.
 *
 * @param path
 *   Of the socket. A socket that nobody listens on is replaced.
 * @param info
 *   If not NULL, filled with what the fabric gave the device.
 * @return
 *   0; -EADDRINUSE somebody listens there, or something else than a socket is
 *   there; -ENAMETOOLONG; other errors of the socket and of null_device_open.
 *   `err` then holds one line.
 */
int null_vhost_add(struct null_vhost *vhost, const char *path,
		   const struct null_device_params *params, struct null_device_info *info,
		   char *err, size_t errlen);

/**
 * Serve until null_vhost_stop. Returns 0, or a negative errno when waiting
 * itself fails.
 */
int null_vhost_run(struct null_vhost *vhost);

/** Make null_vhost_run return. Safe in a signal handler. */
void null_vhost_stop(struct null_vhost *vhost);

/** End connections, detach the devices, remove the sockets. NULL is allowed. */
void null_vhost_destroy(struct null_vhost *vhost);

#ifdef __cplusplus
}
#endif

#endif /* NULL_VHOST_H */
