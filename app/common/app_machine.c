/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "app_output.h"

struct machine {
	char cpu[128];
	long cpus;
	struct utsname kernel;
	double load;
};

/* Value of the first line of /proc/cpuinfo that begins with a key. */
static void
cpu_model(char *model, size_t room)
{
	static const char *const keys[] = {"model name", "Model", "cpu model", "uarch"};
	FILE *in = fopen("/proc/cpuinfo", "re");
	char line[256];

	snprintf(model, room, "unknown CPU");
	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		char *colon = strstr(line, ": ");

		if (colon == NULL)
			continue;
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (strncmp(line, keys[i], strlen(keys[i])) != 0)
				continue;
			colon[strcspn(colon, "\n")] = '\0';
			snprintf(model, room, "%s", colon + 2);
			fclose(in);
			return;
		}
	}
	if (in != NULL)
		fclose(in);
}

static void
look(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	cpu_model(m->cpu, sizeof(m->cpu));
	m->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uname(&m->kernel);
	getloadavg(&m->load, 1);
}

json_t *
app_json_machine(const char *dpdk_version)
{
	struct machine m;
	time_t now = time(NULL);
	struct tm utc;
	char when[32];

	look(&m);
	gmtime_r(&now, &utc);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return json_pack("{s:s, s:I, s:s, s:s, s:s, s:f, s:s}", "cpu", m.cpu, "cpus_online",
			 (json_int_t)m.cpus, "kernel", m.kernel.release, "arch", m.kernel.machine,
			 "dpdk", dpdk_version, "load_average_1min", m.load, "utc", when);
}

const char *
app_machine_line(char *line, size_t room, const char *dpdk_version)
{
	struct machine m;

	look(&m);
	snprintf(line, room, "%s, %s, %ld CPUs online, Linux %s, load average %.2f", dpdk_version,
		 m.cpu, m.cpus, m.kernel.release, m.load);
	return line;
}
