/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_ERROR_H
#define APP_ERROR_H

/*
 * One line on standard error, behind the tool's name. Returns -1, so that
 * `return app_error(...)` ends a function that failed.
 */
int app_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
