/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_ARGS_H
#define TSI721_ARGS_H

/* Device arguments, of boards and of null devices. */

#include <stdbool.h>
#include <stdint.h>

#include "tsi721_device.h"

#define TSI721_ARG_LEN	256

struct tsi721_args {
	struct tsi721_conf conf;
	int host;			/* -1: not said */
	bool agent;			/* hdid=-1 */
	/* Null devices only. */
	char fabric[TSI721_NAME_LEN];	/* "": the topology's, or the default */
	char topology[TSI721_ARG_LEN];	/* file; "": none */
	char fault[TSI721_ARG_LEN];	/* to begin with; "": none */
	char node[TSI721_NAME_LEN];	/* "": any */
	int destid;			/* -1: the fabric's choice */
	bool thread;			/* exec=thread */
	unsigned int lanes, mbaud;	/* 0: the fabric's choice */
	int pace;
	/* Boards only: what a fabric knows of a null device, nobody knows of a board. */
	int destid_bits;		/* 8 or 16 */
};

#define TSI721_ARGS_BOARD \
	"mrrs=<0-5> dma_sel=<mask> dmadev=<mask> mbox_sel=<mask> descs=<32-32768> " \
	"host=<0|1> hdid=<-1-65534> intr=<auto|msix|msi|intx|off>"
#define TSI721_ARGS_BOARD_ONLY \
	"destid_bits=<8|16> "
#define TSI721_ARGS_NULL \
	"fabric=<name> topology=<file> node=<name> destid=<0-65534> " \
	"exec=<inline|thread> " \
	"link=<baud>x<lanes> pace=<0> fault=<fault>[;...] "

/**
 * Parse "key=value,..." into args, which is filled with defaults first. A board
 * has no arguments of the null device. -EINVAL: one line was logged that names
 * key, value and what is allowed.
 */
int tsi721_args_parse(const char *dev_name, const char *text, bool board,
		      struct tsi721_args *args);

#endif /* TSI721_ARGS_H */
