/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define READY_MS	60000u
#define STOP_MS		60000u
#define QUIET_NS	(200ull * 1000 * 1000)

uint64_t
traffic_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

struct run *
run_new(uint32_t nb, const char *mode)
{
	struct run *r = calloc(1, sizeof(*r));
	static unsigned int runs;
	struct traffic *t;
	uint32_t i;

	assert_non_null(r);
	assert_true(nb <= TRAFFIC_NODES);
	r->memfd = memfd_create("traffic", 0);
	assert_true(r->memfd >= 0);
	assert_int_equal(ftruncate(r->memfd, sizeof(*t)), 0);
	t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED, r->memfd, 0);
	assert_ptr_not_equal(t, MAP_FAILED);
	r->all = t;
	snprintf(t->fabric, sizeof(t->fabric), "traffic-%d-%u", (int)getpid(), runs++);
	snprintf(t->args, sizeof(t->args), "mode=%s,peers=0-%u", mode, nb - 1);
	t->nb = nb;
	t->queues = 1;
	t->dma = strcmp(mode, "msg") != 0;
	t->msg = strcmp(mode, "dma") != 0;
	t->longest = t->dma ? 9000 : 4096;
	for (i = 0; i < nb; i++)
		t->node[i].mtu = t->dma ? 65000 : 4082;
	return r;
}

void
run_start(struct run *r, uint32_t i)
{
	struct traffic_node *n = &r->all->node[i];
	char fd[16], index[16];

	assert_int_equal(r->pid[i], 0);
	n->life++;
	atomic_store(&n->done, 0);
	memset(&n->sums, 0, sizeof(n->sums));
	memset((void *)n->from, 0, sizeof(n->from));
	snprintf(fd, sizeof(fd), "%d", r->memfd);
	snprintf(index, sizeof(index), "%u", i);
	r->pid[i] = fork();
	assert_true(r->pid[i] >= 0);
	if (r->pid[i] == 0) {
		execl(NODE, NODE, fd, index, (char *)NULL);
		_exit(127);
	}
}

/* Have the nodes print their statistics. */
static void
ask_statistics(const struct run *r)
{
	uint32_t i;

	for (i = 0; i < r->all->nb; i++)
		if (r->pid[i] != 0) {
			kill(r->pid[i], SIGUSR1);
			usleep(200000);
		}
}

static void
check_wrong(const struct run *r)
{
	uint32_t i;

	for (i = 0; i < r->all->nb; i++)
		if (atomic_load(&r->all->node[i].wrong) != 0) {
			ask_statistics(r);
			fail_msg("node %u: %u wrong: %s", i, atomic_load(&r->all->node[i].wrong),
				 r->all->node[i].why);
		}
}

void
run_check(struct run *r)
{
	int status;
	uint32_t i;

	check_wrong(r);
	for (i = 0; i < r->all->nb; i++) {
		if (r->pid[i] != 0 && waitpid(r->pid[i], &status, WNOHANG) != 0) {
			r->pid[i] = 0;
			fail_msg("node %u has ended with status 0x%x", i, (unsigned int)status);
		}
	}
}

void
run_ready(struct run *r)
{
	uint32_t i, ms = 0;

	for (i = 0; i < r->all->nb; i++)
		for (; atomic_load(&r->all->node[i].ready) == 0; ms++) {
			run_check(r);
			if (ms > READY_MS)
				fail_msg("node %u is not ready after %u s", i, READY_MS / 1000);
			usleep(1000);
		}
}

void
run_kill(struct run *r, uint32_t i)
{
	int status;

	run_check(r);
	assert_int_equal(kill(r->pid[i], SIGKILL), 0);
	assert_int_equal(waitpid(r->pid[i], &status, 0), r->pid[i]);
	r->pid[i] = 0;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		fail_msg("node %u had ended with status 0x%x", i, (unsigned int)status);
}

/* Frames that have come, and whether those are all. */
static bool
complete(const struct run *r, uint64_t *progress)
{
	const struct traffic *t = r->all;
	bool all = true;
	uint64_t frames;
	uint32_t i, k;

	*progress = 0;
	for (i = 0; i < t->nb; i++) {
		all &= atomic_load(&t->node[i].done) != 0;
		for (k = 0; k < t->nb; k++) {
			frames = atomic_load(&t->node[i].from[k].frames);
			*progress += frames;
			if (k != i && !t->node[i].victim && !t->node[k].victim)
				all &= frames == atomic_load(&t->node[k].good[i]);
		}
	}
	return all;
}

static void
explain(const struct run *r)
{
	const struct traffic *t = r->all;
	uint32_t i, k;

	for (i = 0; i < t->nb; i++)
		for (k = 0; k < t->nb; k++)
			if (k != i)
				print_error("%u to %u: %lu made, %lu came%s\n", k, i,
					    (unsigned long)t->node[k].good[i],
					    (unsigned long)t->node[i].from[k].frames,
					    t->node[k].done ? "" : "; not done");
}

static void
wait_end(struct run *r, uint32_t i)
{
	int status = 0;
	uint32_t ms;

	for (ms = 0; ms < STOP_MS; ms++) {
		if (waitpid(r->pid[i], &status, WNOHANG) == r->pid[i])
			break;
		usleep(1000);
	}
	if (ms == STOP_MS)
		fail_msg("node %u does not end", i);
	r->pid[i] = 0;
	check_wrong(r);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("node %u ended with status 0x%x", i, (unsigned int)status);
}

void
run_end(struct run *r, uint32_t patience_s)
{
	uint64_t progress = 0, last = 0, since = traffic_now_ns(), now;
	uint32_t i;

	if (r->all->frames == 0)
		atomic_store(&r->all->phase, TRAFFIC_QUIET);
	for (;;) {
		bool all = complete(r, &progress);

		run_check(r);
		now = traffic_now_ns();
		if (progress != last)
			since = now;
		last = progress;
		/* What goes to or comes from a victim may end at any number. */
		if (all && now - since > QUIET_NS)
			break;
		if (!all && now - since > patience_s * 1000000000ull) {
			explain(r);
			ask_statistics(r);
			fail_msg("nothing has come for %u s", patience_s);
		}
		usleep(1000);
	}
	atomic_store(&r->all->phase, TRAFFIC_END);
	for (i = 0; i < r->all->nb; i++)
		if (r->pid[i] != 0)
			wait_end(r, i);
	assert_true(complete(r, &progress));
}

void
run_free(struct run *r)
{
	uint32_t i;

	for (i = 0; i < r->all->nb; i++)
		if (r->pid[i] != 0) {
			kill(r->pid[i], SIGKILL);
			waitpid(r->pid[i], NULL, 0);
		}
	munmap(r->all, sizeof(*r->all));
	close(r->memfd);
	free(r);
}
