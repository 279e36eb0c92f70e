/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_SHARED_H
#define COMPARE_SHARED_H

/*
 * What the tool and the processes of one path tell each other. Counters lie in
 * memory that all map, so that reading them costs the measured loops nothing;
 * commands and reports go over each process's socket, so that a death is noticed.
 */

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#include "compare_paths.h"

#define COMPARE_BURST 32

/* Each part is written by one side only and has cache lines of its own. */
struct compare_shared {
	/* By the tool: the sender shall end. */
	alignas(128) atomic_uint stop;

	/* By the sender, after each burst. */
	struct {
		alignas(128) atomic_uint_fast64_t sent;    /* taken by the port */
		atomic_uint_fast64_t refused; /* offers of a frame that was not taken */
		atomic_uint_fast64_t no_buffer; /* bursts that found the pool empty */
		atomic_uint done;		/* `sent` is final */
	} tx;

	/* By the receiver, after each burst; see struct app_flow. */
	struct {
		alignas(128) atomic_uint_fast64_t received;
		atomic_uint_fast64_t skipped;
		atomic_uint_fast64_t late;
		atomic_uint_fast64_t whole;
		atomic_uint_fast64_t bad;
		atomic_uint_fast64_t foreign;
	} rx;
};

/* The tool to a process: measure one frame size, or end. */
enum compare_op { COMPARE_OP_MEASURE = 1, COMPARE_OP_END };

struct compare_command {
	uint32_t op;
	uint32_t frame_bytes;
	uint32_t stream;
	uint8_t dst[6]; /* MAC address of the receiving port */
};

/* A process to the tool. */
enum compare_news {
	COMPARE_OPENED = 1, /* ports are started: the other side may be */
	COMPARE_READY,	   /* links are up; mac and max_frame hold */
	COMPARE_DONE,	   /* the roles of this process have ended, counters are final */
	COMPARE_FAILED,	   /* text says why; the process ends */
};

struct compare_report {
	uint32_t news;
	uint32_t max_frame; /* bytes without FCS, the least of its ports */
	uint8_t mac[6];	    /* of the receiving port, from the process that has it */
	char text[200];
};

#endif
