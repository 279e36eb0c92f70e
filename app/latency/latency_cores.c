/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "latency_cores.h"

int
latency_cpu_list(const char *text, cpu_set_t *set)
{
	char *end;

	CPU_ZERO(set);
	text += strspn(text, " \t\n");
	if (strncmp(text, "(null)", 6) == 0)
		return 0;
	while (*text != '\0' && *text != '\n') {
		unsigned long first, last;

		if (!isdigit((unsigned char)*text))
			return -1;
		first = last = strtoul(text, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (first > last || last >= CPU_SETSIZE || strchr(",\n", *end) == NULL)
			return -1;
		for (; first <= last; first++)
			CPU_SET(first, set);
		text = *end == ',' ? end + 1 : end;
	}
	return 0;
}

/* First line of a file; false when there is none. */
static bool
line_of(const char *root, const char *file, char *line, size_t room)
{
	char path[PATH_MAX];
	FILE *in;
	bool any;

	snprintf(path, sizeof(path), "%s%s", root, file);
	in = fopen(path, "re");
	if (in == NULL)
		return false;
	any = fgets(line, (int)room, in) != NULL;
	fclose(in);
	return any;
}

static void
list_of(const char *root, const char *file, cpu_set_t *set)
{
	char line[4096];

	CPU_ZERO(set);
	if (line_of(root, file, line, sizeof(line)) && latency_cpu_list(line, set) < 0)
		CPU_ZERO(set);
}

/* rcu_nocbs= is nowhere but on the command line. */
static void
from_command_line(const char *root, const char *key, cpu_set_t *set)
{
	char line[4096], list[1024];
	char *at;

	CPU_ZERO(set);
	if (!line_of(root, "/proc/cmdline", line, sizeof(line)))
		return;
	at = strstr(line, key);
	if (at == NULL || (at != line && at[-1] != ' '))
		return;
	at += strlen(key);
	snprintf(list, sizeof(list), "%.*s", (int)strcspn(at, " \n"), at);
	if (latency_cpu_list(list, set) < 0)
		CPU_ZERO(set);
}

/* A cpuset of cgroup v2 that is a partition of its own isolates its CPUs as well. */
static void
cpuset(const char *root, struct latency_cores *cores)
{
	char line[512], path[PATH_MAX];
	cpu_set_t set;

	if (!line_of(root, "/proc/self/cpuset", line, sizeof(line)))
		return;
	line[strcspn(line, "\n")] = '\0';
	snprintf(cores->cpuset, sizeof(cores->cpuset), "%.*s", (int)sizeof(cores->cpuset) - 1, line);
	snprintf(path, sizeof(path), "/sys/fs/cgroup%.256s/cpuset.cpus.partition",
		 cores->cpuset);
	if (!line_of(root, path, line, sizeof(line)) || strncmp(line, "isolated", 8) != 0)
		return;
	snprintf(path, sizeof(path), "/sys/fs/cgroup%.256s/cpuset.cpus.effective",
		 cores->cpuset);
	list_of(root, path, &set);
	CPU_OR(&cores->isolated, &cores->isolated, &set);
}

void
latency_cores_read(struct latency_cores *cores, const char *root)
{
	memset(cores, 0, sizeof(*cores));
	sched_getaffinity(0, sizeof(cores->allowed), &cores->allowed);
	list_of(root, "/sys/devices/system/cpu/isolated", &cores->isolated);
	list_of(root, "/sys/devices/system/cpu/nohz_full", &cores->nohz_full);
	from_command_line(root, "rcu_nocbs=", &cores->rcu_nocbs);
	cpuset(root, cores);
}

static void
print_list(FILE *out, const char *name, const cpu_set_t *set)
{
	const char *between = "";

	fprintf(out, "# %s: ", name);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int last = cpu;

		if (!CPU_ISSET(cpu, set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
			last++;
		fprintf(out, last == cpu ? "%s%d" : "%s%d-%d", between, cpu, last);
		between = ",";
		cpu = last;
	}
	fputs(*between == '\0' ? "none\n" : "\n", out);
}

void
latency_cores_print(const struct latency_cores *cores, FILE *out)
{
	print_list(out, "isolated CPUs", &cores->isolated);
	print_list(out, "nohz_full CPUs", &cores->nohz_full);
	print_list(out, "rcu_nocbs CPUs", &cores->rcu_nocbs);
	print_list(out, "CPUs of this process", &cores->allowed);
	if (cores->cpuset[0] != '\0')
		fprintf(out, "# cpuset: %s\n", cores->cpuset);
}

bool
latency_core_isolated(const struct latency_cores *cores, int cpu)
{
	return cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &cores->isolated);
}
