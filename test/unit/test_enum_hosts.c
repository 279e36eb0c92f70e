/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Host locks: of hosts that are dead, lower, higher. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "enum_rig.h"

static void
lock(struct enum_rig *r, uint32_t node, uint32_t id)
{
	if (node < r->topo->nb_ep)
		rig_wr(&r->rig->d[node], RIO_HOST_DID_LOCK_CSR, id);
	else
		atomic_store(&r->fab->sh->sw[node - r->topo->nb_ep].host_lock, id);
}

static uint32_t
locked(struct enum_rig *r, uint32_t node)
{
	if (node < r->topo->nb_ep)
		return rig_rd(&r->rig->d[node], RIO_HOST_DID_LOCK_CSR);
	return atomic_load(&r->fab->sh->sw[node - r->topo->nb_ep].host_lock);
}

/* A lower host died and left a lock, anywhere: it is waited for, and then taken. */
static void
lower_and_dead(void **state)
{
	struct enum_rig *r;
	uint32_t node;

	(void)state;
	for (node = 0; node < 12; node++) {
		r = enum_rig_open("ring4", 8, false);
		enum_rig_agents(r, 8);
		enum_rig_host(r, 3, 20);
		lock(r, node, 19);
		enum_rig_sweep(r);
		enum_rig_check(r);
		assert_int_equal(r->lines, 1);
		assert_non_null(strstr(r->last, "0x13"));
		enum_rig_close(r);
	}
}

static uint32_t release_node;
static unsigned int release_in;
static struct enum_rig *release_rig;

/* A lower host gives way after a while. */
static void
wait_and_release(void *ctx, uint32_t us)
{
	(void)ctx;
	(void)us;
	/* The second write of an endpoint's holder frees its lock. */
	if (--release_in == 0)
		lock(release_rig, release_node, release_node < 8 ? 19 : 0xffff);
}

static void
lower_gives_way(void **state)
{
	(void)state;
	for (release_node = 0; release_node < 12; release_node++) {
		release_rig = enum_rig_open("ring4", 8, false);
		enum_rig_agents(release_rig, 8);
		release_rig->access.wait_us = wait_and_release;
		enum_rig_host(release_rig, 3, 20);
		lock(release_rig, release_node, 19);
		release_in = 3;
		assert_int_equal(rio_enum_sweep(&release_rig->e), 1);
		assert_int_equal(release_in, 0);
		assert_int_equal(release_rig->lines, 0);
		enum_rig_sweep(release_rig);
		enum_rig_check(release_rig);
		enum_rig_close(release_rig);
	}
}

/* A higher host is at it: everything is given back, and the own device is as it was. */
static void
higher(void **state)
{
	const uint32_t ctl = TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR;
	struct enum_rig *r;
	uint32_t node, i;

	(void)state;
	for (node = 0; node < 12; node++) {
		r = enum_rig_open("ring4", 16, false);
		enum_rig_agents(r, 8);
		rig_wr(&r->rig->d[3], RIO_DID_CSR, 0xff0077);
		rig_wr(&r->rig->d[3], RIO_COMPONENT_TAG_CSR, 0x88);
		enum_rig_host(r, 3, 20);
		lock(r, node, 21);
		assert_int_equal(rio_enum_sweep(&r->e), -EBUSY);
		assert_int_equal(r->e.winner, 21);
		assert_int_equal(r->e.g.nb, 0);
		assert_int_equal(r->lines, 1);
		for (i = 0; i < 12; i++)
			assert_int_equal(locked(r, i), i == node ? 21 : 0xffff);
		assert_int_equal(rig_rd(&r->rig->d[3], RIO_DID_CSR), 0xff0077);
		assert_int_equal(rig_rd(&r->rig->d[3], RIO_COMPONENT_TAG_CSR), 0x88);
		assert_int_equal(rig_rd(&r->rig->d[3], ctl), 0);
		/* When that one has gone, this one may be the host. */
		lock(r, node, node < 8 ? 21 : 0xffff);
		enum_rig_sweep(r);
		enum_rig_check(r);
		enum_rig_close(r);
	}
}

/* A host that has finished is known by where port-writes go, if it is alive. */
static void
finished(void **state)
{
	const uint32_t ctl = TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR;
	struct enum_rig *r = enum_rig_open("ring4", 8, false);
	struct rio_enum first;

	(void)state;
	enum_rig_agents(r, 8);
	enum_rig_host(r, 6, 40);
	enum_rig_sweep(r);
	enum_rig_check(r);
	first = r->e;
	r->self = NULL;
	enum_rig_host(r, 2, 30);
	assert_int_equal(rio_enum_sweep(&r->e), -EBUSY);
	assert_int_equal(r->e.winner, 40);
	rio_enum_fini(&r->e);
	/* The first one goes on. */
	r->e = first;
	r->self = &r->rig->d[6];
	enum_rig_sweep(r);
	enum_rig_check(r);
	/* It is alive no more: its device is one like others. */
	rig_wr(&r->rig->d[6], ctl, 0);
	first = r->e;
	enum_rig_host(r, 2, 30);
	enum_rig_sweep(r);
	enum_rig_check(r);
	rio_enum_fini(&r->e);
	/* And when it comes back to life, it sees that it is not the host now, and takes over anew. */
	r->e = first;
	r->self = &r->rig->d[6];
	assert_int_equal(rio_enum_sweep(&r->e), -EBUSY);
	assert_int_equal(r->e.winner, RIO_NO_ID);
	enum_rig_sweep(r);
	enum_rig_check(r);
	enum_rig_close(r);
}

/* A lower host that is no more has taken switches, and written other routes. */
static void
taken_back(void **state)
{
	struct enum_rig *r = enum_rig_open("ring4", 8, false);
	uint32_t sw, id;

	(void)state;
	enum_rig_agents(r, 8);
	enum_rig_host(r, 6, 40);
	enum_rig_sweep(r);
	enum_rig_check(r);
	for (sw = 0; sw < 4; sw++) {
		atomic_store(&r->fab->sh->sw[sw].pw_tgt, 3u << 16);
		for (id = 0; id < 256; id++)
			null_switch_route_set(&r->fab->sh->sw[sw], NULL_SW_ALL, false, id, id % 18);
		null_fabric_changed(r->fab);
		enum_rig_sweep(r);
		enum_rig_check(r);
		assert_non_null(strstr(r->last, "taken back"));
	}
	enum_rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lower_and_dead), cmocka_unit_test(lower_gives_way),
		cmocka_unit_test(higher), cmocka_unit_test(finished),
		cmocka_unit_test(taken_back),
	};

	return cmocka_run_group_tests_name("enum_hosts", tests, NULL, NULL);
}
