/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_EAL_H
#define APP_EAL_H

/*
 * EAL in a tool that gives each of its processes an EAL of its own. The tool's
 * command line is `tool [EAL options] -- [tool options]`.
 */

#include <stdbool.h>
#include <stddef.h>

#define APP_EAL_MAX_LCORES 8

struct app_eal {
	const char *prefix;	/* --file-prefix, unique on the machine */
	unsigned int lcores;	/* how many; the first is the main lcore */
	unsigned int cpu[APP_EAL_MAX_LCORES];
	int argc;		/* the user's EAL options, without the program's name */
	char *const *argv;
};

/*
 * Split a command line at `--`. eal_argc receives the number of EAL options; the
 * tool's options begin at argv[return value]. own ends with NULL: names of long
 * options of the tool; one of them in front of `--` is an error, as is
 * an EAL option that the tool sets itself. One line on standard error, -1 then.
 */
int app_eal_split(int argc, char **argv, const char *const *own, int *eal_argc);

/* Whether the user's EAL options say which memory to use. */
bool app_eal_chooses_memory(int argc, char *const *argv);

/* Used when they do not: ordinary pages, no set-up of the machine needed. */
#define APP_EAL_DEFAULT_MEMORY "--no-huge -m 512"

/*
 * Start EAL in this process: no PCI devices, no telemetry, the file prefix, the
 * lcores, the user's options, default memory when they choose none. Returns 0, or -1 (the
 * reason is in EAL's log). Once a process.
 */
int app_eal_start(const struct app_eal *eal);

/* rte_eal_cleanup(), and the runtime folder is removed. */
void app_eal_stop(const struct app_eal *eal);

/* Remove the runtime folder that an EAL with this prefix left when it was killed. */
void app_eal_remove_runtime_dir(const char *prefix);

/*
 * Load a plugin that lies beside the tool: in ../drivers of the tool's own folder
 * (the build folder's layout). EAL's rule against folders below a world-writable
 * one does not apply: such a plugin is as trustworthy as the tool itself. Without
 * one there the installed plugin counts, which EAL loads by itself. Call
 * before app_eal_start(). Returns 0 (loaded, or none there), or -1 with a line on
 * standard error when one is there and does not load.
 */
int app_eal_load_plugin(const char *file);

/* The n-th CPU (from 0) that this process may run on; -1 when there are fewer. */
int app_eal_nth_cpu(unsigned int n);

/* Whether this process may run on a CPU. */
bool app_eal_may_use_cpu(unsigned int cpu);

#endif
