/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>

#include "app_eal.h"
#include "app_error.h"

#define MAX_ARGS 128

/* EAL options that the tool sets for each of its processes. */
static const char *const set_by_tool[] = {
	"-l", "-c", "--lcores", "--file-prefix", "--proc-type", "--vdev", "--main-lcore", NULL,
};

static const char *const memory_options[] = {
	"--no-huge", "-m", "--socket-mem", "--in-memory", "--huge-dir", "--huge-unlink",
	"--legacy-mem", "--single-file-segments", "--socket-limit", NULL,
};

/* Whether arg is the option, alone or with its value attached. */
static bool
is_option(const char *arg, const char *option)
{
	size_t len = strlen(option);

	if (strncmp(arg, option, len) != 0)
		return false;
	return arg[len] == '\0' || arg[len] == '=' || option[1] != '-';
}

/* Whether arg is --name, alone or with its value attached. */
static bool
is_long_option(const char *arg, const char *name)
{
	size_t len = strlen(name);

	return strncmp(arg, "--", 2) == 0 && strncmp(arg + 2, name, len) == 0 &&
	       (arg[2 + len] == '\0' || arg[2 + len] == '=');
}

static bool
is_one_of(const char *arg, const char *const *options)
{
	for (; *options != NULL; options++)
		if (is_option(arg, *options))
			return true;
	return false;
}

int
app_eal_split(int argc, char **argv, const char *const *own, int *eal_argc)
{
	int dashes = 1;

	while (dashes < argc && strcmp(argv[dashes], "--") != 0)
		dashes++;
	for (int i = 1; i < dashes; i++) {
		if (is_one_of(argv[i], set_by_tool))
			return app_error("%s: the tool sets this EAL option itself", argv[i]);
		for (int k = 0; own[k] != NULL; k++)
			if (is_long_option(argv[i], own[k]))
				return app_error("%s: options of the tool belong behind --, as in "
						 "'-- %s'", argv[i], argv[i]);
	}
	*eal_argc = dashes - 1;
	return dashes < argc ? dashes + 1 : argc;
}

bool
app_eal_chooses_memory(int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++)
		if (is_one_of(argv[i], memory_options))
			return true;
	return false;
}

/* --lcores list: lcore n on the CPU chosen for it. */
static void
lcore_list(const struct app_eal *eal, char *list, size_t room)
{
	size_t used = 0;

	for (unsigned int i = 0; i < eal->lcores; i++)
		used += (size_t)snprintf(list + used, room - used, "%s%u@%u", i == 0 ? "" : ",", i,
					 eal->cpu[i]);
}

/* EAL's arguments; it keeps pointers to them, so they live as long as the process. */
static char *kept[MAX_ARGS];
static int kept_count;

static int
keep(const char *arg)
{
	if (kept_count == MAX_ARGS - 1)
		return app_error("more than %d EAL options, the tool's own included", MAX_ARGS - 1);
	kept[kept_count] = strdup(arg);
	if (kept[kept_count] == NULL)
		return app_error("cannot copy EAL options: no memory");
	kept_count++;
	return 0;
}

int
app_eal_start(const struct app_eal *eal)
{
	static const char *const memory[] = {"--no-huge", "-m", "512"};
	char list[APP_EAL_MAX_LCORES * 12];
	const char *const fixed[] = {
		program_invocation_short_name, "--no-pci", "--no-telemetry",
		"--file-prefix", eal->prefix, "--lcores", list,
	};
	char *argv[MAX_ARGS];
	bool chosen = app_eal_chooses_memory(eal->argc, eal->argv);
	int ret = 0;

	lcore_list(eal, list, sizeof(list));
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		ret |= keep(fixed[i]);
	for (size_t i = 0; !chosen && i < sizeof(memory) / sizeof(memory[0]); i++)
		ret |= keep(memory[i]);
	for (int i = 0; i < eal->argc && ret == 0; i++)
		ret = keep(eal->argv[i]);
	if (ret != 0)
		return -1;
	/* A copy: EAL writes to the array. */
	memcpy(argv, kept, sizeof(argv));
	return rte_eal_init(kept_count, argv) < 0 ? -1 : 0;
}

void
app_eal_stop(const struct app_eal *eal)
{
	rte_eal_cleanup();
	app_eal_remove_runtime_dir(eal->prefix);
}

/* Where EAL puts the folder, by its documented rules. */
static void
runtime_dir(const char *prefix, char *path, size_t room)
{
	const char *base = getenv("RUNTIME_DIRECTORY");

	if (base == NULL)
		base = getuid() == 0 ? "/var/run" : getenv("XDG_RUNTIME_DIR");
	snprintf(path, room, "%s/dpdk/%s", base == NULL ? "/tmp" : base, prefix);
}

void
app_eal_remove_runtime_dir(const char *prefix)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	runtime_dir(prefix, path, sizeof(path));
	dir = opendir(path);
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(path);
}

int
app_eal_load_plugin(const char *file)
{
	char self[PATH_MAX], path[PATH_MAX + 64];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (len < 0)
		return 0;
	self[len] = '\0';
	slash = strrchr(self, '/');
	if (slash == NULL)
		return 0;
	*slash = '\0';
	snprintf(path, sizeof(path), "%s/../drivers/%s", self, file);
	if (access(path, F_OK) != 0)
		return 0;
	if (dlopen(path, RTLD_NOW) == NULL)
		return app_error("cannot load %s: %s", path, dlerror());
	return 0;
}

int
app_eal_nth_cpu(unsigned int n)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && n-- == 0)
			return cpu;
	return -1;
}

bool
app_eal_may_use_cpu(unsigned int cpu)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && cpu < CPU_SETSIZE &&
	       CPU_ISSET(cpu, &set);
}
