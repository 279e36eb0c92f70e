/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procs.h"

#define READY_MS	20000u
#define STOP_MS		20000u
#define ASK_MS		20000u

struct procs *
procs_new(uint32_t nb, const char *topology)
{
	struct procs *p = calloc(1, sizeof(*p));
	static unsigned int runs;
	uint32_t i;

	assert_non_null(p);
	assert_true(nb <= NODES_MAX);
	p->memfd = memfd_create("workers", 0);
	assert_true(p->memfd >= 0);
	assert_int_equal(ftruncate(p->memfd, sizeof(*p->all)), 0);
	p->all = mmap(NULL, sizeof(*p->all), PROT_READ | PROT_WRITE, MAP_SHARED, p->memfd, 0);
	assert_ptr_not_equal(p->all, MAP_FAILED);
	snprintf(p->all->fabric, sizeof(p->all->fabric), "procs-%d-%u", (int)getpid(), runs++);
	if (topology != NULL)
		snprintf(p->all->topology, sizeof(p->all->topology), "%s%s",
			 topology[0] == '/' ? "" : FABRICS "/", topology);
	p->all->nb = nb;
	for (i = 0; i < nb; i++) {
		p->all->w[i].destid = topology != NULL ? NULL_DESTID_AUTO : (int)i;
		if (topology != NULL)
			snprintf(p->all->w[i].node, sizeof(p->all->w[i].node), "n%u", i);
	}
	return p;
}

void
procs_start(struct procs *p, uint32_t i)
{
	char fd[16], index[16];

	assert_int_equal(p->pid[i], 0);
	snprintf(fd, sizeof(fd), "%d", p->memfd);
	snprintf(index, sizeof(index), "%u", i);
	p->pid[i] = fork();
	assert_true(p->pid[i] >= 0);
	if (p->pid[i] == 0) {
		execl(WORKER, WORKER, fd, index, (char *)NULL);
		_exit(127);
	}
}

static bool
running(struct procs *p, uint32_t i)
{
	return p->pid[i] != 0 && waitpid(p->pid[i], NULL, WNOHANG) == 0;
}

void
procs_check(struct procs *p)
{
	uint32_t i;

	for (i = 0; i < p->all->nb; i++)
		if (atomic_load(&p->all->w[i].wrong) != 0)
			fail_msg("worker %u: %u wrong; %s", i, atomic_load(&p->all->w[i].wrong),
				 p->all->w[i].why);
}

void
procs_ready(struct procs *p, uint32_t i)
{
	uint32_t ms;

	for (ms = 0; ms < READY_MS && atomic_load(&p->all->w[i].at) == 0; ms++) {
		if (!running(p, i)) {
			procs_check(p);
			fail_msg("worker %u ended before it was there", i);
		}
		usleep(1000);
	}
	assert_int_not_equal(atomic_load(&p->all->w[i].at), 0);
}

void
procs_start_all(struct procs *p)
{
	uint32_t i;

	for (i = 0; i < p->all->nb; i++)
		procs_start(p, i);
	for (i = 0; i < p->all->nb; i++)
		procs_ready(p, i);
}

static bool
exchanged(const struct procs *p, uint32_t times)
{
	uint32_t i, k;

	for (i = 0; i < p->all->nb; i++)
		for (k = 0; k < p->all->nb; k++) {
			const struct worker *w = &p->all->w[i];

			if (i != k && (atomic_load(&w->blocks[k]) < times ||
				       atomic_load(&w->messages[k]) < times ||
				       atomic_load(&w->reads[k]) < times))
				return false;
		}
	return true;
}

void
procs_exchange(struct procs *p, uint32_t times, uint32_t seconds)
{
	uint64_t until = null_now_ns() + seconds * 1000000000ull;

	while (!exchanged(p, times)) {
		procs_check(p);
		if (null_now_ns() > until)
			fail_msg("after %u s the exchange is not done", seconds);
		usleep(2000);
	}
	procs_check(p);
}

uint32_t
procs_ask(struct procs *p, uint32_t i, uint32_t rtype, uint32_t destid, uint64_t rio, void *data,
	  uint32_t len)
{
	struct worker_ask *ask = &p->all->w[i].ask;
	uint32_t ms;

	assert_true(len <= WORKER_DATA);
	ask->rtype = rtype;
	ask->destid = destid;
	ask->rio = rio;
	ask->len = len;
	memcpy(ask->data, data, len);
	atomic_store(&ask->todo, 1);
	for (ms = 0; ms < ASK_MS && atomic_load(&ask->todo) != 0; ms++)
		usleep(1000);
	assert_int_equal(atomic_load(&ask->todo), 0);
	memcpy(data, ask->data, len);
	return ask->code;
}

/* No sanitizer ended it before. */
void
procs_kill(struct procs *p, uint32_t i)
{
	int status;

	assert_int_not_equal(p->pid[i], 0);
	assert_int_equal(kill(p->pid[i], SIGKILL), 0);
	assert_int_equal(waitpid(p->pid[i], &status, 0), p->pid[i]);
	p->pid[i] = 0;
	atomic_store(&p->all->w[i].at, 0);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		fail_msg("worker %u had ended with status 0x%x", i, (unsigned int)status);
}

static void
wait_end(struct procs *p, uint32_t i)
{
	int status = 0;
	uint32_t ms;

	for (ms = 0; ms < STOP_MS; ms++) {
		if (waitpid(p->pid[i], &status, WNOHANG) == p->pid[i])
			break;
		usleep(1000);
	}
	if (ms == STOP_MS) {
		kill(p->pid[i], SIGABRT);
		fail_msg("worker %u does not end", i);
	}
	p->pid[i] = 0;
	procs_check(p);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("worker %u ended with status 0x%x", i, (unsigned int)status);
}

void
procs_stop(struct procs *p)
{
	uint32_t i;

	atomic_store(&p->all->stop, 1);
	for (i = 0; i < p->all->nb; i++)
		if (p->pid[i] != 0)
			wait_end(p, i);
}

bool
procs_file(const struct procs *p)
{
	char path[128];

	snprintf(path, sizeof(path), "/dev/shm/dpdk-rio-%u-%s", (unsigned int)geteuid(),
		 p->all->fabric);
	return access(path, F_OK) == 0;
}

void
procs_free(struct procs *p)
{
	uint32_t i;

	for (i = 0; i < p->all->nb; i++)
		if (p->pid[i] != 0) {
			kill(p->pid[i], SIGKILL);
			waitpid(p->pid[i], NULL, 0);
		}
	munmap(p->all, sizeof(*p->all));
	close(p->memfd);
	free(p);
}
