/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_PATHS_H
#define COMPARE_PATHS_H

/*
 * The paths that can be compared: one table, one entry a path.
 */

#include <stddef.h>
#include <stdint.h>

#define COMPARE_MAX_PATHS 16

/* Processes of a path, and sides of a path: the sender's is 0, the receiver's 1. */
enum { SIDE_SENDER, SIDE_RECEIVER, SIDES };

struct compare_dev {
	/* Device name; NULL: the sender's port is the receiver's too (loopback). */
	const char *name;
	/*
	 * Device arguments or NULL. {run} stands for a name unique to this run, {room}
	 * for the bytes that a buffer must hold.
	 */
	const char *args;
};

struct compare_path {
	const char *name;   /* as --paths has it */
	const char *what;   /* one line */
	const char *copies; /* what happens to a frame's bytes on the way */
	const char *driver; /* plugin that must be there; NULL: the path is computed */
	const char *origin; /* where the plugin comes from, when it is not there */
	struct compare_dev dev[SIDES];
	unsigned int processes; /* 1: both sides in one; 2: one each */
	/*
	 * Of two processes: the side that must be there before the other, and the side that
	 * goes first.
	 */
	unsigned int starts_first;
	unsigned int ends_first;
	double (*computed_pps)(uint32_t frame_bytes); /* for a computed path */
};

/* Ends with an entry without a name. */
extern const struct compare_path compare_paths[];

/* Arguments of a device with {run} and {room} replaced. Returns -1 if room is short. */
int compare_dev_args(const struct compare_dev *dev, const char *run, uint32_t buffer_room,
		     char *text, size_t room);

#endif
