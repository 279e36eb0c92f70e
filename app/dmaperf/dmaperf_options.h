/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef DMAPERF_OPTIONS_H
#define DMAPERF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "app_output.h"

#define DMAPERF_MAX_SIZES	32
#define DMAPERF_MAX_QUEUES	7
#define DMAPERF_MAX_THREADS	7
#define DMAPERF_NO_PEER		UINT32_MAX

enum dmaperf_via { VIA_DMA, VIA_WINDOW, VIA_MESSAGE };
enum dmaperf_op { OP_READ, OP_WRITE, OP_WRITE_R, OP_WRITE_LAST, OPS };
enum dmaperf_mode { MODE_BLOCKING, MODE_ASYNC, MODE_FAF };

struct dmaperf_options {
	enum dmaperf_via via;
	enum dmaperf_mode mode;
	unsigned int op[OPS], ops;	/* enum dmaperf_op */
	uint64_t size[DMAPERF_MAX_SIZES];
	unsigned int sizes;
	uint64_t total;		/* bytes that are gone over, again and again */
	double duration;	/* seconds of a cell of the table */
	uint32_t queues, threads;
	bool share;		/* all threads on all queues */
	uint32_t descs, burst, align;
	uint32_t peer;		/* destination ID, or DMAPERF_NO_PEER */
	uint64_t raddr;
	uint32_t mbox;
	bool receive, verify;
	struct app_output json, csv;
	const char *plot;	/* folder */
};

enum dmaperf_parsed { DMAPERF_RUN, DMAPERF_HELPED, DMAPERF_BAD };

extern const char *const dmaperf_op_names[], *const dmaperf_via_names[], *const dmaperf_mode_names[];

/* argv[0] is EAL's last argument. One line on standard error when DMAPERF_BAD. */
enum dmaperf_parsed dmaperf_options_parse(int argc, char **argv, struct dmaperf_options *opt);
bool dmaperf_options_help(int argc, char **argv);

/* "4096", "64K", "1M", "1G". 0, or -1 with a line. */
int dmaperf_parse_bytes(const char *option, const char *text, uint64_t min, uint64_t max,
			uint64_t *out);

#endif
