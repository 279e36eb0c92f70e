/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef LATENCY_OPTIONS_H
#define LATENCY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "app_output.h"

enum latency_what { LATENCY_TIMER, LATENCY_DOORBELL, LATENCY_FRAME, LATENCY_DMA };
enum latency_load { LOAD_NONE, LOAD_CPU, LOAD_MEMORY, LOAD_SYSCALLS };

struct latency_options {
	enum latency_what what;
	enum latency_load load;
	uint32_t interval_us;
	uint32_t distance_us;	/* each further lcore's interval is so much longer */
	uint32_t loops;		/* 0: no end */
	double duration;	/* seconds; 0: no end */
	uint32_t breaktrace_us;	/* 0: none */
	uint32_t histogram;	/* places; 0: none */
	uint32_t priority;	/* SCHED_FIFO; 0: SCHED_OTHER */
	uint32_t frame_bytes;	/* of frames and copies */
	uint32_t peer;		/* destination ID; UINT32_MAX: none given */
	bool echo;		/* answer another process */
	bool mlockall;
	bool quiet;
	bool nanoseconds;
	struct app_output json;
};

enum latency_parsed { LATENCY_RUN, LATENCY_HELPED, LATENCY_BAD };

/* argv[0] is EAL's last argument. One line on standard error when LATENCY_BAD. */
enum latency_parsed latency_options_parse(int argc, char **argv, struct latency_options *opt);

/* Whether help or the version is asked for in front of EAL's options; prints it. */
bool latency_options_help(int argc, char **argv);

extern const char *const latency_what_names[];
extern const char *const latency_load_names[];

#endif
