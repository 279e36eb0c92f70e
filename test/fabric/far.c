/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "far.h"

#define WORD	"far"

void
far_main(int argc, char **argv, uint32_t (*obey)(struct node *n, char what))
{
	struct null_device_params p = { .host = -1 };
	char err[NULL_ERR_LEN], what;
	uint32_t said = 0;
	struct node n;
	int from, to;

	if (argc != 5 || strcmp(argv[0], WORD) != 0)
		return;
	p.fabric = argv[1];
	p.destid = atoi(argv[2]);
	from = atoi(argv[3]);
	to = atoi(argv[4]);
	if (node_open(&n, &p, (uint32_t)p.destid, 0, err, sizeof(err)) != 0)
		_exit(1);
	while (write(to, &said, sizeof(said)) == sizeof(said) && read(from, &what, 1) == 1)
		said = obey(&n, what);
	node_close(&n);
	exit(0);
}

void
far_start(struct far *f, const char *fabric, uint32_t destid)
{
	char id[16], in[16], out[16];
	int to[2], from[2];
	uint32_t said;

	assert_int_equal(pipe(to) | pipe(from), 0);
	fcntl(to[1], F_SETFD, FD_CLOEXEC);
	fcntl(from[0], F_SETFD, FD_CLOEXEC);
	snprintf(id, sizeof(id), "%u", destid);
	snprintf(in, sizeof(in), "%d", to[0]);
	snprintf(out, sizeof(out), "%d", from[1]);
	f->pid = fork();
	assert_true(f->pid >= 0);
	if (f->pid == 0) {
		execl("/proc/self/exe", WORD, fabric, id, in, out, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	f->to = to[1];
	f->from = from[0];
	assert_int_equal(read(f->from, &said, sizeof(said)), sizeof(said));
}

uint32_t
far_tell(struct far *f, char what)
{
	uint32_t said;

	assert_int_equal(write(f->to, &what, 1), 1);
	assert_int_equal(read(f->from, &said, sizeof(said)), sizeof(said));
	return said;
}

static int
end_wait(struct far *f)
{
	int status;

	close(f->to);
	assert_int_equal(waitpid(f->pid, &status, 0), f->pid);
	close(f->from);
	return status;
}

void
far_end(struct far *f)
{
	int status;

	status = end_wait(f);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void
far_kill(struct far *f)
{
	assert_int_equal(kill(f->pid, SIGKILL), 0);
	end_wait(f);
}
