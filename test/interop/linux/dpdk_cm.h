/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef DPDK_CM_H
#define DPDK_CM_H

/* Commands of dpdk_node about channelised messages. 0, or 1 after saying what went wrong. */

/* cm-start */
int run_cm_start(char **arg);
/* cm-listen CHANNEL */
int run_cm_listen(char **arg);
/* cm-serve CHANNEL CLOSE: take one connection; CLOSE 1: end it */
int run_cm_serve(char **arg);
/* cm-talk DESTID CHANNEL CLOSE: connect; CLOSE 1: the other side ends it */
int run_cm_talk(char **arg);
/* cm-silence DESTID CHANNEL: connect in vain */
int run_cm_silence(char **arg);
/* cm-connect DESTID CHANNEL, and cm-lost closed|unreachable: what becomes of it */
int run_cm_connect(char **arg);
int run_cm_lost(char **arg);
/* cm-refuse: wait for a request, which nobody listens for */
int run_cm_refuse(char **arg);
/* cm-stats: "NAME VALUE" of what should be 0 */
int run_cm_stats(char **arg);

#endif /* DPDK_CM_H */
