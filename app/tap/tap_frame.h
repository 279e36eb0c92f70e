/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TAP_FRAME_H
#define TAP_FRAME_H

/*
 * What the kernel says of a frame in its virtio-net header, and what DPDK says of it in
 * the mbuf: unfinished checksums, frames that stand for many.
 */

#include <linux/virtio_net.h>

#include <rte_mbuf.h>

/*
 * Of a frame that the kernel sends. The header is the kernel's own, and is checked
 * all the same.
 * @return 0; -EINVAL: header and frame do not fit.
 */
int tap_frame_to_mbuf(const struct virtio_net_hdr *hdr, struct rte_mbuf *m);

/* Of a frame that came by a port. What is not known about it the kernel finds out itself. */
void tap_frame_to_kernel(struct rte_mbuf *m, struct virtio_net_hdr *hdr);

#endif
