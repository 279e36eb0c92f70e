/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_NODE_H
#define COMPARE_NODE_H

/*
 * A DPDK process of a path: has an EAL of its own, opens its ports, measures when told.
 */

#include <stdbool.h>

#include "compare_options.h"
#include "compare_shared.h"

struct compare_node {
	const struct compare_options *options;
	const struct compare_path *path;
	struct compare_shared *shared;
	bool side[SIDES];  /* what this process has: the sender, the receiver, or both */
	char run[48];	   /* unique to this run and path */
	char prefix[56];   /* --file-prefix */
};

/* Body of the process, for app_proc_start(); arg is its struct compare_node. */
int compare_node_main(int sock, void *arg);

/* Bytes that a buffer must hold for these frame sizes, with room for padding. */
uint32_t compare_buffer_room(const struct compare_options *options);

#endif
