/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_OPTIONS_H
#define COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "app_output.h"
#include "compare_paths.h"

#define COMPARE_MAX_SIZES 32
#define COMPARE_MAX_FRAME 9728u /* bytes, without FCS */

struct compare_options {
	uint32_t size[COMPARE_MAX_SIZES]; /* frames, bytes without FCS */
	unsigned int sizes;
	unsigned int path[COMPARE_MAX_PATHS]; /* indexes of compare_paths[] */
	unsigned int paths;
	double duration;     /* seconds a cell, all rounds together */
	unsigned int rounds;
	uint32_t cpu[SIDES]; /* of the sender, of the receiver */
	bool verbose;
	struct app_output json;
	struct app_output csv;
	int eal_argc;
	char **eal_argv;
};

enum compare_parsed { COMPARE_RUN, COMPARE_HELPED, COMPARE_BAD };

/*
 * Read the command line. COMPARE_HELPED: what was asked for was printed, nothing is
 * to be run. COMPARE_BAD: one line on standard error said why; no file was left.
 */
enum compare_parsed compare_options_parse(int argc, char **argv, struct compare_options *opt);

#endif
