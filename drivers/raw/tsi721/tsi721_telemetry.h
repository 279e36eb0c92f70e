/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_TELEMETRY_H
#define TSI721_TELEMETRY_H

/*
 * The commands /tsi721/... of DPDK's telemetry socket. They are registered when
 * the driver is loaded, and answered by telemetry's thread.
 */

/** A device that is in the list no more ends: afterwards no command looks at it. */
void tsi721_telemetry_leave(void);

#endif /* TSI721_TELEMETRY_H */
