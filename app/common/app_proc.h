/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_PROC_H
#define APP_PROC_H

/*
 * Child processes of a tool: forked, joined to it by a socket that keeps messages
 * apart, their output kept in memory and shown only when they fail. EAL can be
 * started once a process, so each EAL a tool needs is such a child.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct app_proc {
	char name[48];
	pid_t pid; /* 0: not started, or ended and waited for */
	int sock;  /* the tool's end, SOCK_SEQPACKET; -1: closed */
	int log;   /* file with the child's output; -1: it goes to the tool's own */
	int status; /* as of waitpid(), when it ended */
};

/*
 * Start `body` in a child. Its return value is the exit code. SIGINT is ignored
 * there (it reaches the whole terminal group, and the tool decides what it means);
 * when the tool dies the child gets SIGTERM. verbose: its output is not kept
 * but goes where the tool's goes. Returns 0 or a negative errno.
 */
int app_proc_start(struct app_proc *proc, const char *name, bool verbose,
		   int (*body)(int sock, void *arg), void *arg);

/* Wait for the end, at most timeout_ms. Returns true when it ended. */
bool app_proc_wait(struct app_proc *proc, int timeout_ms);

/* SIGTERM, a second later SIGKILL, and wait. Nothing when it ended already. */
void app_proc_stop(struct app_proc *proc);

/* Whether it ended by itself with exit code 0. */
bool app_proc_ended_well(const struct app_proc *proc);

/* How it ended, in words. */
const char *app_proc_how_ended(const struct app_proc *proc, char *text, size_t room);

/*
 * The line of its output that most likely says what went wrong: the first one that
 * speaks of an error (what follows are consequences), else the last one; empty
 * when there is none.
 */
const char *app_proc_last_words(const struct app_proc *proc, char *text, size_t room);

/* Close what is left open. The process must have ended. */
void app_proc_close(struct app_proc *proc);

#endif
