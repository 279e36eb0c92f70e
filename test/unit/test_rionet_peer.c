/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The peer table's states, and membership on a fake fabric. */

#include <errno.h>

#include <rte_cycles.h>

#include <rio_regs.h>

#include "rionet_proto.h"
#include "rionet_rig.h"

#define JOIN	RIONET_DBELL_JOIN
#define LEAVE	RIONET_DBELL_LEAVE
#define HZ	1000u

static int
setup(void **state)
{
	*state = rionet_peers_create(RIG_SELF, SOCKET_ID_ANY);
	return *state == NULL;
}

static int
teardown(void **state)
{
	rionet_peers_free(*state);
	return 0;
}

/* A JOIN is answered on the transition only. */
static void
test_join_leave(void **state)
{
	struct rionet_peers *p = *state;

	assert_int_equal(rionet_peer_state(p, 5), RIONET_PEER_NONE);
	assert_int_equal(rionet_peers_doorbell(p, 5, JOIN), RIONET_REPLY_JOIN);
	assert_int_equal(rionet_peer_state(p, 5), RIONET_PEER_JOINED);
	assert_int_equal(rionet_peers_doorbell(p, 5, JOIN), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_doorbell(p, 5, LEAVE), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peer_state(p, 5), RIONET_PEER_KNOWN);
	assert_int_equal(rionet_peers_doorbell(p, 5, JOIN), RIONET_REPLY_JOIN);
	assert_int_equal(rionet_peers_count(p, RIONET_PEER_JOINED), 1);
	assert_int_equal(rionet_peers_doorbell(p, 6, LEAVE), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peer_state(p, 6), RIONET_PEER_NONE);
	assert_int_equal(rionet_peers_doorbell(p, 6, 0x1002), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peer_state(p, 6), RIONET_PEER_NONE);
	assert_int_equal(p->stats.joins, 3);
	assert_int_equal(p->stats.leaves, 2);
}

static void
test_self(void **state)
{
	struct rionet_peers *p = *state;

	assert_int_equal(rionet_peers_add(p, RIG_SELF), -EINVAL);
	assert_int_equal(rionet_peers_doorbell(p, RIG_SELF, JOIN), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peer_state(p, RIG_SELF), RIONET_PEER_NONE);
}

static void
test_added(void **state)
{
	struct rionet_peers *p = *state;
	uint16_t destids[RIONET_PEERS_MAX];

	assert_int_equal(rionet_peers_add(p, 0), 0);
	assert_int_equal(rionet_peers_add(p, 0xffff), 0);
	assert_int_equal(rionet_peers_add(p, 0xffff), 0);
	assert_int_equal(rionet_peers_count(p, RIONET_PEER_KNOWN), 2);
	rionet_peers_doorbell(p, 0xffff, JOIN);
	assert_int_equal(rionet_peers_list(p, RIONET_PEER_JOINED, destids), 1);
	assert_int_equal(destids[0], 0xffff);
	rionet_peers_reset(p);
	assert_int_equal(rionet_peer_state(p, 0xffff), RIONET_PEER_NONE);
	assert_int_equal(rionet_peers_count(p, RIONET_PEER_KNOWN), 0);
}

/* Doorbells from every source ID: bounded, and who has joined keeps its place. */
static void
test_full(void **state)
{
	struct rionet_peers *p = *state;
	unsigned int i;

	for (i = 0; i < RIONET_PEERS_MAX; i++)
		assert_int_equal(rionet_peers_doorbell(p, 100 + i, JOIN), RIONET_REPLY_JOIN);
	assert_int_equal(rionet_peers_doorbell(p, 9, JOIN), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_add(p, 9), -ENOSPC);
	assert_int_equal(p->stats.refused, 1);
	assert_int_equal(rionet_peer_state(p, 9), RIONET_PEER_NONE);

	rionet_peers_doorbell(p, 107, LEAVE);
	assert_int_equal(rionet_peers_doorbell(p, 9, JOIN), RIONET_REPLY_JOIN);
	assert_int_equal(rionet_peer_state(p, 9), RIONET_PEER_JOINED);
	assert_int_equal(rionet_peer_state(p, 107), RIONET_PEER_NONE);
	assert_int_equal(rionet_peer_state(p, 106), RIONET_PEER_JOINED);
	for (i = 0; i <= UINT16_MAX; i++)
		rionet_peers_doorbell(p, i, JOIN);
	assert_int_equal(rionet_peers_count(p, RIONET_PEER_JOINED), RIONET_PEERS_MAX);
	assert_int_equal(rionet_peer_state(p, 9), RIONET_PEER_JOINED);
}

static void
test_failures(void **state)
{
	struct rionet_peers *p = *state;

	rionet_peers_doorbell(p, 5, JOIN);
	/* Spread over time they do no harm. */
	assert_int_equal(rionet_peers_failed(p, 5, -EIO, 1, HZ), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_failed(p, 5, -EIO, 2000, HZ), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_failed(p, 5, -EIO, 4000, HZ), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_failed(p, 5, -EIO, 4001, HZ), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_failed(p, 5, -EIO, 4002, HZ), RIONET_REPLY_REJOIN);
	assert_int_equal(rionet_peer_state(p, 5), RIONET_PEER_LOST);
	assert_true(rionet_peers_any_lost(p));
	/* Further ones, and too early a retry, ask nothing. */
	assert_int_equal(rionet_peers_failed(p, 5, -EIO, 4003, HZ), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_retry(p, 5, 4999, HZ), RIONET_REPLY_NONE);
	assert_int_equal(rionet_peers_retry(p, 5, 5002, HZ), RIONET_REPLY_REJOIN);
	assert_int_equal(rionet_peers_retry(p, 5, 5003, HZ), RIONET_REPLY_NONE);
	/* It answers. */
	assert_int_equal(rionet_peers_doorbell(p, 5, JOIN), RIONET_REPLY_JOIN);
	assert_int_equal(rionet_peer_state(p, 5), RIONET_PEER_JOINED);
	assert_false(rionet_peers_any_lost(p));
	assert_int_equal(rionet_peers_retry(p, 5, 90000, HZ), RIONET_REPLY_NONE);
	/* A timeout is enough. */
	assert_int_equal(rionet_peers_failed(p, 5, -ETIMEDOUT, 90000, HZ), RIONET_REPLY_REJOIN);
	assert_int_equal(p->stats.lost, 2);
	rionet_peers_doorbell(p, 5, LEAVE);
	assert_false(rionet_peers_any_lost(p));
	assert_int_equal(rionet_peers_failed(p, 77, -EIO, 1, HZ), RIONET_REPLY_NONE);
}

/* Membership. */

static void
endpoint(uint16_t destid, bool joins)
{
	rig.endpoint[destid] = (struct rig_endpoint){ true, 0, 0xcc00, 0xcc00, joins };
}

static unsigned int
doorbells(uint16_t destid, uint16_t info)
{
	unsigned int i, n = 0;

	for (i = 0; i < rig.nb_doorbells; i++)
		n += rig.doorbells[i].destid == destid && rig.doorbells[i].info == info;
	return n;
}

static void
test_start_finds_stations(void **state)
{
	struct rionet_port *port = rig_port();
	uint64_t begin;

	(void)state;
	endpoint(0, true);
	endpoint(RIG_SELF, true);
	endpoint(254, true);
	endpoint(255, true);
	endpoint(3, true);
	rig.endpoint[3].pef = RIO_PEF_SWITCH;
	endpoint(4, true);
	rig.endpoint[4].dst_ops = 0xc400;
	endpoint(5, true);
	rig.endpoint[5].src_ops = 0xc800;
	begin = rte_get_tsc_cycles();
	assert_int_equal(rionet_join_start(port), 0);
	/* All have answered: no waiting for those that never would. */
	assert_true(rte_get_tsc_cycles() - begin < port->hz / 25);
	assert_int_equal(rionet_peers_count(port->peers, RIONET_PEER_JOINED), 2);
	assert_int_equal(rionet_peer_state(port->peers, 0), RIONET_PEER_JOINED);
	assert_int_equal(rionet_peer_state(port->peers, 254), RIONET_PEER_JOINED);
	/* LEAVE, JOIN, and a JOIN that answers theirs. */
	assert_int_equal(doorbells(254, LEAVE), 1);
	assert_int_equal(doorbells(254, JOIN), 2);
	assert_int_equal(rig.nb_doorbells, 6);

	rionet_join_stop(port);
	assert_int_equal(doorbells(254, LEAVE), 2);
	assert_int_equal(doorbells(0, LEAVE), 2);
	assert_false(rig.requested);
	assert_int_equal(rionet_peers_count(port->peers, RIONET_PEER_JOINED), 0);
	rig_port_free(port);
}

static void
test_start_waits_a_while(void **state)
{
	struct rionet_port *port = rig_port();
	uint64_t begin;

	(void)state;
	endpoint(2, false);
	endpoint(7, true);
	begin = rte_get_tsc_cycles();
	assert_int_equal(rionet_join_start(port), 0);
	begin = rte_get_tsc_cycles() - begin;
	assert_true(begin > port->hz / 25 && begin < port->hz);
	assert_int_equal(rionet_peer_state(port->peers, 2), RIONET_PEER_KNOWN);
	assert_int_equal(rionet_peer_state(port->peers, 7), RIONET_PEER_JOINED);
	rionet_join_stop(port);
	/* LEAVE at the end is for those that joined. */
	assert_int_equal(doorbells(2, LEAVE), 1);
	assert_int_equal(doorbells(7, LEAVE), 2);
	rig_port_free(port);
}

static void
test_start_within_ranges(void **state)
{
	struct rionet_port *port = rig_port();

	(void)state;
	endpoint(10, true);
	endpoint(20, true);
	endpoint(300, true);
	port->args.nb_ranges = 2;
	port->args.ranges[0] = (struct rionet_range){ 299, 301 };
	port->args.ranges[1] = (struct rionet_range){ 10, 10 };
	assert_int_equal(rionet_join_start(port), 0);
	assert_int_equal(rionet_peer_state(port->peers, 10), RIONET_PEER_JOINED);
	assert_int_equal(rionet_peer_state(port->peers, 300), RIONET_PEER_JOINED);
	assert_int_equal(rionet_peer_state(port->peers, 20), RIONET_PEER_NONE);
	/* Two absent, two that are there. */
	assert_int_equal(rig.maint_reads, 2 + 2 * 4);
	rionet_join_stop(port);
	rig_port_free(port);
}

static void
test_start_doorbells_taken(void **state)
{
	struct rionet_port *port = rig_port();

	(void)state;
	endpoint(2, true);
	rig.request_error = -EBUSY;
	assert_int_equal(rionet_join_start(port), -EBUSY);
	assert_int_equal(rig.nb_doorbells, 0);
	rig_port_free(port);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_join_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(test_self, setup, teardown),
		cmocka_unit_test_setup_teardown(test_added, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
		cmocka_unit_test(test_start_finds_stations),
		cmocka_unit_test(test_start_waits_a_while),
		cmocka_unit_test(test_start_within_ranges),
		cmocka_unit_test(test_start_doorbells_taken),
	};

	return cmocka_run_group_tests_name("rionet_peer", tests, rig_eal, NULL);
}
