/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app_proc.h"

/* What is read of a child's output: its beginning has the cause. */
#define LOG_ROOM 65536

static void
child(struct app_proc *proc, pid_t parent, int sock, int (*body)(int sock, void *arg), void *arg)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	if (proc->log >= 0) {
		dup2(proc->log, STDOUT_FILENO);
		dup2(proc->log, STDERR_FILENO);
	}
	exit(body(sock, arg));
}

int
app_proc_start(struct app_proc *proc, const char *name, bool verbose,
	       int (*body)(int sock, void *arg), void *arg)
{
	pid_t parent = getpid();
	int pair[2], ret;

	memset(proc, 0, sizeof(*proc));
	snprintf(proc->name, sizeof(proc->name), "%s", name);
	proc->sock = -1;
	proc->log = verbose ? -1 : memfd_create(name, MFD_CLOEXEC);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		ret = -errno;
		app_proc_close(proc);
		return ret;
	}
	/* What is buffered would be written twice otherwise. */
	fflush(NULL);
	proc->pid = fork();
	if (proc->pid == 0) {
		close(pair[0]);
		child(proc, parent, pair[1], body, arg);
	}
	ret = proc->pid < 0 ? -errno : 0;
	close(pair[1]);
	proc->sock = pair[0];
	if (ret < 0) {
		proc->pid = 0;
		app_proc_close(proc);
	}
	return ret;
}

bool
app_proc_wait(struct app_proc *proc, int timeout_ms)
{
	const struct timespec step = {.tv_nsec = 2 * 1000 * 1000};

	for (int waited = 0; proc->pid != 0; waited += 2) {
		pid_t got = waitpid(proc->pid, &proc->status, WNOHANG);

		if (got == proc->pid || (got < 0 && errno == ECHILD)) {
			proc->pid = 0;
			break;
		}
		if (waited >= timeout_ms)
			return false;
		nanosleep(&step, NULL);
	}
	return true;
}

void
app_proc_stop(struct app_proc *proc)
{
	if (proc->pid == 0)
		return;
	kill(proc->pid, SIGTERM);
	if (app_proc_wait(proc, 1000))
		return;
	kill(proc->pid, SIGKILL);
	app_proc_wait(proc, 10000);
}

bool
app_proc_ended_well(const struct app_proc *proc)
{
	return proc->pid == 0 && WIFEXITED(proc->status) && WEXITSTATUS(proc->status) == 0;
}

const char *
app_proc_how_ended(const struct app_proc *proc, char *text, size_t room)
{
	if (proc->pid != 0)
		snprintf(text, room, "still runs");
	else if (WIFSIGNALED(proc->status))
		snprintf(text, room, "was killed by signal %d (%s)", WTERMSIG(proc->status),
			 strsignal(WTERMSIG(proc->status)));
	else
		snprintf(text, room, "ended with exit code %d", WEXITSTATUS(proc->status));
	return text;
}

static bool
speaks_of_error(const char *line)
{
	static const char *const words[] = {"error", "cannot", "could not", "fail", "invalid",
					    "unknown", "not found", "unable",
					    "unrecognized"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(line, words[i]) != NULL)
			return true;
	return false;
}

const char *
app_proc_last_words(const struct app_proc *proc, char *text, size_t room)
{
	char *output = malloc(LOG_ROOM + 1), *save = NULL;
	ssize_t got;

	text[0] = '\0';
	if (output == NULL || proc->log < 0)
		goto out;
	got = pread(proc->log, output, LOG_ROOM, 0);
	output[got > 0 ? got : 0] = '\0';
	for (char *line = strtok_r(output, "\r\n", &save); line != NULL;
	     line = strtok_r(NULL, "\r\n", &save)) {
		while (isspace((unsigned char)*line))
			line++;
		if (*line == '\0')
			continue;
		snprintf(text, room, "%s", line);
		if (speaks_of_error(line))
			break;
	}
out:
	free(output);
	return text;
}

void
app_proc_close(struct app_proc *proc)
{
	if (proc->sock >= 0)
		close(proc->sock);
	if (proc->log >= 0)
		close(proc->log);
	proc->sock = -1;
	proc->log = -1;
}
