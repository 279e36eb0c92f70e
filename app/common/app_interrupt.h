/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP only make app_interrupted() true and end
 * a waiting system call. The second one ends the process at once.
 */
void app_interrupt_catch(void);

bool app_interrupted(void);

#endif
