/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app_error.h"
#include "latency_load.h"
#include "latency_run.h"

#define COPY_BYTES (8u << 20)

static pthread_t worker[CPU_SETSIZE];
static unsigned int workers;
static _Atomic bool ended;
static enum latency_load kind;

static void
spin(void)
{
	volatile double x = 1;

	for (int i = 0; i < 100000; i++)
		x = x * 1.0000001 + 1e-9;
}

static void
call(void)
{
	for (int i = 0; i < 1000; i++)
		syscall(SYS_getppid);
}

static void *
work(void *arg)
{
	uint8_t *memory = kind == LOAD_MEMORY ? malloc(2ul * COPY_BYTES) : NULL;

	(void)arg;
	if (memory != NULL)
		memset(memory, 1, 2ul * COPY_BYTES);
	while (!atomic_load_explicit(&ended, memory_order_relaxed)) {
		if (kind == LOAD_SYSCALLS)
			call();
		else if (memory != NULL)
			memcpy(memory + COPY_BYTES, memory, COPY_BYTES);
		else
			spin();
	}
	free(memory);
	return NULL;
}

static void
start_on(int cpu)
{
	struct sched_param normal = { .sched_priority = 0 };
	pthread_attr_t attr;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &normal);
	if (pthread_create(&worker[workers], &attr, work, NULL) == 0)
		workers++;
	else
		app_error("--load: no thread on CPU %d", cpu);
	pthread_attr_destroy(&attr);
}

static bool
measures(const struct latency_run *run, int cpu)
{
	for (unsigned int i = 0; i < run->threads; i++)
		if (run->thread[i].cpu == cpu)
			return true;
	return false;
}

void
latency_load_start(struct latency_run *run)
{
	kind = run->options->load;
	workers = 0;
	atomic_store(&ended, false);
	if (kind == LOAD_NONE)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &run->cores.allowed) && !measures(run, cpu) &&
		    !latency_core_isolated(&run->cores, cpu))
			start_on(cpu);
	printf("# load: %s on %u CPU%s\n", latency_load_names[kind], workers,
	       workers == 1 ? "" : "s");
	if (workers == 0)
		printf("# load: no CPU is left for it: all measure\n");
}

void
latency_load_stop(void)
{
	atomic_store(&ended, true);
	while (workers > 0)
		pthread_join(worker[--workers], NULL);
}
