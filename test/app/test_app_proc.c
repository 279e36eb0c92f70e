/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "app_interrupt.h"
#include "app_proc.h"

static void
sleep_ms(long ms)
{
	const struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&ts, NULL);
}

static int
exits_with(int sock, void *arg)
{
	(void)sock;
	return *(int *)arg;
}

static int
speaks(int sock, void *arg)
{
	(void)sock;
	fputs("first line\n", stdout);
	fflush(stdout);
	fputs(arg, stderr);
	return 3;
}

static int
echoes(int sock, void *arg)
{
	char message[16];
	ssize_t got;

	(void)arg;
	while ((got = recv(sock, message, sizeof(message), 0)) > 0)
		send(sock, message, (size_t)got, 0);
	return 0;
}

static int
will_not_end(int sock, void *arg)
{
	(void)sock;
	(void)arg;
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
	return 0;
}

static int
kills_itself(int sock, void *arg)
{
	(void)sock;
	(void)arg;
	raise(SIGKILL);
	return 0;
}

static void
exit_codes(void **state)
{
	struct app_proc proc;
	char text[80];
	int code = 0;

	(void)state;
	assert_int_equal(app_proc_start(&proc, "p", false, exits_with, &code), 0);
	assert_true(app_proc_wait(&proc, 5000));
	assert_true(app_proc_ended_well(&proc));
	app_proc_close(&proc);
	code = 7;
	assert_int_equal(app_proc_start(&proc, "p", false, exits_with, &code), 0);
	assert_true(app_proc_wait(&proc, 5000));
	assert_false(app_proc_ended_well(&proc));
	assert_string_equal(app_proc_how_ended(&proc, text, sizeof(text)),
			    "ended with exit code 7");
	app_proc_close(&proc);
}

static void
death_by_signal(void **state)
{
	struct app_proc proc;
	char text[80];

	(void)state;
	assert_int_equal(app_proc_start(&proc, "p", false, kills_itself, NULL), 0);
	assert_true(app_proc_wait(&proc, 5000));
	assert_false(app_proc_ended_well(&proc));
	assert_string_equal(app_proc_how_ended(&proc, text, sizeof(text)),
			    "was killed by signal 9 (Killed)");
	app_proc_close(&proc);
}

static void
last_words_are(char *spoken, const char *wanted)
{
	struct app_proc proc;
	char text[80];

	assert_int_equal(app_proc_start(&proc, "p", false, speaks, spoken), 0);
	assert_true(app_proc_wait(&proc, 5000));
	assert_string_equal(app_proc_last_words(&proc, text, sizeof(text)), wanted);
	app_proc_close(&proc);
}

static void
last_words(void **state)
{
	static char error[] = "fine\n  EAL: Cannot do it\nfailed later\nmore\n";
	static char plain[] = "fine\nthe end\n\n";
	static char nothing[] = "";

	(void)state;
	last_words_are(error, "EAL: Cannot do it");
	last_words_are(plain, "the end");
	last_words_are(nothing, "first line");
}

static void
messages(void **state)
{
	struct app_proc proc;
	char got[16];

	(void)state;
	assert_int_equal(app_proc_start(&proc, "p", false, echoes, NULL), 0);
	send(proc.sock, "one", 3, 0);
	send(proc.sock, "two", 3, 0);
	assert_int_equal(recv(proc.sock, got, sizeof(got), 0), 3);
	assert_memory_equal(got, "one", 3);
	assert_int_equal(recv(proc.sock, got, sizeof(got), 0), 3);
	assert_memory_equal(got, "two", 3);
	assert_false(app_proc_wait(&proc, 20));
	app_proc_close(&proc);
	assert_true(app_proc_wait(&proc, 5000));
	assert_true(app_proc_ended_well(&proc));
}

static void
a_stubborn_one_is_killed(void **state)
{
	struct app_proc proc;
	char text[80];

	(void)state;
	assert_int_equal(app_proc_start(&proc, "p", false, will_not_end, NULL), 0);
	sleep_ms(100);
	app_proc_stop(&proc);
	assert_int_equal(proc.pid, 0);
	assert_string_equal(app_proc_how_ended(&proc, text, sizeof(text)),
			    "was killed by signal 9 (Killed)");
	app_proc_stop(&proc);
	app_proc_close(&proc);
}

static int
waits_for_a_signal(int sock, void *arg)
{
	(void)sock;
	(void)arg;
	sleep_ms(20000);
	return 0;
}

/*
 * The tool is killed: its child must not outlive it. The child's pid comes by a pipe, and
 * the child itself comes to us, so that it can be waited for.
 */
static void
child_ends_with_the_tool(void **state)
{
	int ends[2], status;
	pid_t tool, child, got = 0;
	struct app_proc proc;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	tool = fork();
	if (tool == 0) {
		app_proc_start(&proc, "p", false, waits_for_a_signal, NULL);
		if (write(ends[1], &proc.pid, sizeof(proc.pid)) < 0)
			_exit(1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(ends[0], &child, sizeof(child)), sizeof(child));
	sleep_ms(100);
	kill(tool, SIGKILL);
	assert_int_equal(waitpid(tool, &status, 0), tool);
	for (int i = 0; i < 100 && got == 0; i++) {
		got = waitpid(child, &status, WNOHANG);
		sleep_ms(50);
	}
	assert_int_equal(got, child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	close(ends[0]);
	close(ends[1]);
}

static int
is_interrupted(int sock, void *arg)
{
	(void)arg;
	app_interrupt_catch();
	if (app_interrupted())
		return 1;
	send(sock, "x", 1, 0);
	sleep_ms(5000);
	if (!app_interrupted())
		return 2;
	send(sock, "x", 1, 0);
	sleep_ms(5000);
	return 3;
}

static void
first_interrupt_is_told_second_ends(void **state)
{
	struct app_proc proc;
	char text[80];

	(void)state;
	assert_int_equal(app_proc_start(&proc, "p", false, is_interrupted, NULL), 0);
	assert_int_equal(recv(proc.sock, text, sizeof(text), 0), 1);
	kill(proc.pid, SIGINT);
	assert_int_equal(recv(proc.sock, text, sizeof(text), 0), 1);
	kill(proc.pid, SIGINT);
	assert_true(app_proc_wait(&proc, 4000));
	assert_string_equal(app_proc_how_ended(&proc, text, sizeof(text)),
			    "was killed by signal 2 (Interrupt)");
	app_proc_close(&proc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_codes),
		cmocka_unit_test(death_by_signal),
		cmocka_unit_test(last_words),
		cmocka_unit_test(messages),
		cmocka_unit_test(a_stubborn_one_is_killed),
		cmocka_unit_test(child_ends_with_the_tool),
		cmocka_unit_test(first_interrupt_is_told_second_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
