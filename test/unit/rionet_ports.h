/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_PORTS_H
#define RIONET_PORTS_H

/*
 * Whole ports on null devices, through the ethdev API as an application sees it.
 * Port n is vdev net_rionet<n>, and where nothing else is said has destination ID n.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#define PORTS		4u
#define NB_DESC		128u
#define POOL		2047u
#define BURST		32u

struct port {
	uint16_t id;
	struct rte_ether_addr mac;
};

extern struct port p[PORTS];
extern struct rte_mempool *pool;	/* POOL mbufs with 2048 bytes of room */

/** What ports are opened with beside their own arguments: "mode=msg", and what a test sets. */
extern const char *rig_mode;
/** From a program's arguments: "dma" for ports that agree on DMA with each other. */
void rig_set_mode(int argc, char *argv[]);
/** Ports 0 to nb - 1 that agree on DMA have done so; nothing to wait for with messages. */
void rig_wait_mode(unsigned int nb);
/** Frames arrive with the length that they had; else as messages, a multiple of 8. */
extern bool rig_exact;

extern const struct rte_ether_addr rig_broadcast;
extern const struct rte_ether_addr rig_group;

int group_setup(void **state);
int group_teardown(void **state);
/** All ports made and started. */
int setup(void **state);
/** Ports removed, whatever a test left; fails if an mbuf is missing. */
int teardown(void **state);

#define RUNNING(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
#define EMPTY(f)	cmocka_unit_test_teardown(f, teardown)

void open_port(unsigned int n, const char *args);
void close_port(unsigned int n);
void start_port(unsigned int n);
void stop_port(unsigned int n);
void configure(struct port *port, uint16_t mtu, struct rte_mempool *mp);

/** Lines logged since the last call; the last of them in line. */
unsigned int log_lines(char line[512]);

/** An address that names no station. */
struct rte_ether_addr foreign(uint8_t n);

/** A frame whose bytes behind the addresses count up from seed + 12. */
struct rte_mbuf *frame(const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
		       uint16_t len, uint8_t seed);
/** Such a frame is taken by port n. */
void transmit(unsigned int n, const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
	      uint16_t len, uint8_t seed);
/** The one frame that waits at port n is this one, if not rig_exact with zero up to a multiple of 8. */
void receive(unsigned int n, const struct rte_ether_addr *dst, const struct rte_ether_addr *src,
	     uint16_t len, uint8_t seed);
/** Take and free what waits at port n. @return how many frames. */
unsigned int drain(unsigned int n);

uint64_t xstat(unsigned int n, const char *name);
/* It is so, or becomes so within 5 s: what other threads do may come late. */
void assert_xstat(unsigned int n, const char *name, uint64_t want);

#endif /* RIONET_PORTS_H */
