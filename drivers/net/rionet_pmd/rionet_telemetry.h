/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_TELEMETRY_H
#define RIONET_TELEMETRY_H

/*
 * The commands /rionet/... of DPDK's telemetry socket, registered when the driver is
 * loaded, answered by telemetry's thread.
 */

struct rionet_port;

/** A port that commands may look at from now on, whole as it is. */
void rionet_telemetry_enter(struct rionet_port *port);
/** Afterwards none looks at it. A port that was not entered is allowed. */
void rionet_telemetry_leave(struct rionet_port *port);
/** Around what takes away what a command may be looking at: queues. */
void rionet_telemetry_lock(void);
void rionet_telemetry_unlock(void);

#endif /* RIONET_TELEMETRY_H */
