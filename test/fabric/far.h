/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef FAR_H
#define FAR_H

/*
 * A process beside that of the test, with a node on the same star. It does what it is
 * told by a byte, one thing after another, so that the test knows what was when. It is the
 * test's own program run anew, since children of fork must not use what is joined.
 */

#include <sys/types.h>

#include "procs.h"

struct far {
	pid_t pid;
	int to, from;
};

/** First thing in main: does not return in a process that was started by far_start. */
void far_main(int argc, char **argv, uint32_t (*obey)(struct node *n, char what));
/** Returns when the node is there. */
void far_start(struct far *f, const char *fabric, uint32_t destid);
/** Returns when it has done that: what `obey` returned. */
uint32_t far_tell(struct far *f, char what);
/** Leave in peace. */
void far_end(struct far *f);
/** Or by SIGKILL. */
void far_kill(struct far *f);

#endif /* FAR_H */
