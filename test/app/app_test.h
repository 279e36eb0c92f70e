/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_TEST_H
#define APP_TEST_H

/* What cmocka wants included before it, and a way to read what is written to stderr. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

struct stderr_capture {
	int saved;
	int file;
	char text[1024];
};

static inline void
stderr_begin(struct stderr_capture *c)
{
	fflush(stderr);
	c->saved = dup(STDERR_FILENO);
	c->file = memfd_create("stderr", 0);
	assert_true(c->saved >= 0 && c->file >= 0);
	dup2(c->file, STDERR_FILENO);
}

/* What was written since stderr_begin(), without the program's name in front. */
static inline const char *
stderr_end(struct stderr_capture *c)
{
	ssize_t got;
	char *colon;

	fflush(stderr);
	dup2(c->saved, STDERR_FILENO);
	got = pread(c->file, c->text, sizeof(c->text) - 1, 0);
	c->text[got < 0 ? 0 : got] = '\0';
	close(c->file);
	close(c->saved);
	colon = strstr(c->text, ": ");
	return colon == NULL ? c->text : colon + 2;
}

#endif
