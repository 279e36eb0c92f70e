/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef LATENCY_CORES_H
#define LATENCY_CORES_H

/* Which CPUs the machine keeps free of other work, as the kernel says. */

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

struct latency_cores {
	cpu_set_t allowed;	/* this process may run there */
	cpu_set_t isolated;	/* isolcpus=, or a cpuset whose partition is "isolated" */
	cpu_set_t nohz_full;
	cpu_set_t rcu_nocbs;	/* as on the kernel's command line */
	char cpuset[256];	/* of this process, "" when there is none */
};

/*
 * A list as the kernel writes it: "0-2,5", may end with a newline; "" and "(null)" are empty.
 * 0, or -1.
 */
int latency_cpu_list(const char *text, cpu_set_t *set);

/* root: "" for this machine, else a folder with sys/ and proc/ in it. */
void latency_cores_read(struct latency_cores *cores, const char *root);

/* Lines beginning with '#'. */
void latency_cores_print(const struct latency_cores *cores, FILE *out);

bool latency_core_isolated(const struct latency_cores *cores, int cpu);

#endif
