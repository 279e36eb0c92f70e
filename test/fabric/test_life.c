/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Processes come and go in any order, and what is left of a fabric then. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procs.h"

#define LEFT_MS		100u	/* a killed process has left by then; more on a busy machine */
#define LEFT_MAX_MS	1000u

static int
open_here(const struct procs *p, struct node *n, int destid, char *err)
{
	const struct null_device_params params = {
		.fabric = p->all->fabric, .destid = destid, .host = -1,
	};

	err[0] = '\0';
	return node_open(n, &params, 15, 0, err, NULL_ERR_LEN);
}

/* Until the station does not answer: milliseconds. */
static uint32_t
until_gone(struct node *n, uint32_t destid)
{
	uint64_t begin = null_now_ns();

	while (node_dma(n, TSI721_RTYPE_NREAD, destid, NODE_PAT_RIO, NODE_IN, 8) == 0 &&
	       null_now_ns() - begin < 10000000000ull)
		usleep(500);
	return (uint32_t)((null_now_ns() - begin) / 1000000);
}

static uint32_t
maps_of_memfd(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	uint32_t n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		n += strstr(line, "memfd:node") != NULL;
	fclose(f);
	return n;
}

/* A killed one leaves soon, its memory is let go, its name and ID can be taken at once. */
static void
killed(void **state)
{
	struct procs *p = procs_new(2, NULL);
	char err[NULL_ERR_LEN];
	struct node n;
	uint32_t ms, i, maps, life;

	(void)state;
	p->all->w[0].kind = WORKER_IDLE;
	p->all->w[1].kind = WORKER_IDLE;
	procs_start_all(p);
	assert_int_equal(open_here(p, &n, 9, err), 0);
	maps = maps_of_memfd();
	for (i = 0; i < 5; i++) {
		assert_int_equal(node_dma(&n, TSI721_RTYPE_NREAD, 1, NODE_PAT_RIO, NODE_IN, 8), 0);
		assert_int_equal(maps_of_memfd(), maps + 1);
		assert_int_equal(kill(p->pid[1], SIGKILL), 0);
		ms = until_gone(&n, 1);
		if (ms > LEFT_MS)
			print_message("a killed process was there for %u ms\n", ms);
		assert_true(ms <= LEFT_MAX_MS);
		procs_kill(p, 1);
		for (ms = 0; maps_of_memfd() > maps && ms < 2000; ms++)
			usleep(1000);
		assert_int_equal(maps_of_memfd(), maps);
		procs_start(p, 1);
		procs_ready(p, 1);
	}
	/* At once: nobody has had time to notice. */
	for (i = 0; i < 5; i++) {
		procs_kill(p, 1);
		procs_start(p, 1);
		procs_ready(p, 1);
		assert_int_equal(node_dma(&n, TSI721_RTYPE_NREAD, 1, NODE_PAT_RIO, NODE_IN, 8), 0);
		life = atomic_load(&p->all->w[1].ready);
		assert_int_equal(n.mem[NODE_IN], node_pattern(0, node_seed(1, life)));
	}
	node_close(&n);
	procs_stop(p);
	procs_free(p);
}

/* All are killed: the file is stale, and the next one begins anew. */
static void
stale(void **state)
{
	struct procs *p = procs_new(2, NULL);
	char err[NULL_ERR_LEN];
	struct node n;

	(void)state;
	p->all->w[0].kind = WORKER_IDLE;
	p->all->w[1].kind = WORKER_IDLE;
	procs_start_all(p);
	procs_kill(p, 0);
	procs_kill(p, 1);
	assert_true(procs_file(p));
	assert_int_equal(open_here(p, &n, 1, err), 0);
	assert_int_not_equal(node_dma(&n, TSI721_RTYPE_NREAD, 0, NODE_PAT_RIO, NODE_IN, 8), 0);
	node_close(&n);
	assert_false(procs_file(p));
	procs_free(p);
}

/* What lies there under the name and is no fabric's, or one of another version. */
static void
refused(void **state)
{
	struct procs *p = procs_new(2, NULL);
	char err[NULL_ERR_LEN], path[128];
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
			   .l_start = ((off_t)1 << 40) + 6, .l_len = 1 };
	struct node n;
	int fd, pipes[2];
	pid_t pid;
	char c;

	(void)state;
	snprintf(path, sizeof(path), "/dev/shm/dpdk-rio-%u-%s", (unsigned int)geteuid(),
		 p->all->fabric);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(open_here(p, &n, 1, err), -ELOOP);
	assert_non_null(strstr(err, path));
	assert_int_equal(unlink(path), 0);

	/* Somebody of another version holds a slot. */
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	if (pid == 0) {
		if (fcntl(fd, F_SETLK, &l) == 0 && write(pipes[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(pipes[0], &c, 1), 1);
	close(fd);
	assert_int_equal(open_here(p, &n, 1, err), -EPROTO);
	assert_non_null(strstr(err, "another version"));
	assert_null(strchr(err, '\n'));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* Now it is stale. */
	assert_int_equal(open_here(p, &n, 1, err), 0);
	node_close(&n);
	procs_free(p);
}

/* In and out in any order, the first one first. */
static void
any_order(void **state)
{
	static const uint32_t orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 } };
	struct procs *p = procs_new(4, NULL);
	uint32_t i, k;

	(void)state;
	procs_start_all(p);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 3; k++) {
			procs_kill(p, orders[i][k]);
			usleep((useconds_t)(rand() % 20000));
			procs_start(p, orders[i][k]);
			procs_ready(p, orders[i][k]);
		}
	procs_exchange(p, 20, 60);
	procs_stop(p);
	assert_false(procs_file(p));
	procs_free(p);
}

/* Memory without a file is its own process's alone: others get error responses. */
static void
private_memory(void **state)
{
	struct procs *p = procs_new(1, NULL);
	char err[NULL_ERR_LEN];
	struct node n;

	(void)state;
	procs_start_all(p);
	assert_int_equal(open_here(p, &n, 9, err), 0);
	/* The worker reads from what this one shows; then the memory has no file. */
	assert_int_equal(node_dma(&n, TSI721_RTYPE_NREAD, 0, NODE_PAT_RIO, NODE_IN, 8), 0);
	assert_int_equal(null_device_dma_unmap(n.dev, n.iova, NODE_MEM), 0);
	assert_int_equal(null_device_dma_map(n.dev, n.iova, NODE_MEM, n.mem, -1, 0), 0);
	assert_int_equal(node_dma(&n, TSI721_RTYPE_NREAD, 0, NODE_PAT_RIO, NODE_IN, 8), 0);
	node_close(&n);
	procs_stop(p);
	procs_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed),
		cmocka_unit_test(stale),
		cmocka_unit_test(refused),
		cmocka_unit_test(any_order),
		cmocka_unit_test(private_memory),
	};

	return cmocka_run_group_tests_name("fabric_life", tests, NULL, NULL);
}
