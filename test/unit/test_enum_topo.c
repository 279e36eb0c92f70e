/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Enumeration of the topologies that come with the project, by each of their endpoints. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enum_rig.h"

static const char *const files[] = { "pair", "star8", "two-switches-16", "ring4" };

/* --- destination IDs --- */

/* As Linux gives them: the lowest free one, depth first, by port. */
struct order {
	struct enum_rig *r;
	uint16_t hdid, next;
	bool seen[NULL_SW_MAX];
	uint16_t id[NULL_EP_MAX];
};

static void
order_from(struct order *o, const struct null_end *at, uint32_t host)
{
	const struct null_topo *t = o->r->topo;
	uint32_t p;

	if (at->kind == NULL_END_EP) {
		if (at->index == host)
			return;
		if (o->next == o->hdid)
			o->next++;
		o->id[at->index] = o->next++;
		return;
	}
	if (o->seen[at->index])
		return;
	o->seen[at->index] = true;
	for (p = 0; p < t->sw[at->index].nb_ports; p++)
		if (t->sw[at->index].link[p] != NULL_LINK_NONE)
			order_from(o, null_topo_far_end(t, t->sw[at->index].link[p], NULL_END_SW,
							at->index, p), host);
}

static void
check_ids(struct enum_rig *r, uint32_t host, uint16_t hdid, bool numbered)
{
	struct order o = { .r = r, .hdid = hdid };
	uint32_t i;

	o.id[host] = hdid;
	order_from(&o, null_topo_far_end(r->topo, r->topo->ep[host].link, NULL_END_EP, host, 0),
		   host);
	for (i = 0; i < r->topo->nb_ep; i++)
		assert_int_equal(enum_rig_ep(r, i)->destid,
				 numbered ? r->topo->ep[i].destid : o.id[i]);
}

/* A file, each endpoint as host: on a fabric that has been enumerated, and on one fresh. */
static void
all_hosts(const char *file, unsigned int bits, bool enumerated)
{
	struct enum_rig *r = enum_rig_open(file, bits, enumerated);
	uint32_t host, nb = r->topo->nb_ep;
	uint16_t hdid;

	enum_rig_close(r);
	for (host = 0; host < nb; host++) {
		r = enum_rig_open(file, bits, enumerated);
		hdid = enumerated ? (uint16_t)r->topo->ep[host].destid : (uint16_t)(host / 2);
		if (!enumerated)
			enum_rig_agents(r, nb);
		enum_rig_host(r, host, hdid);
		assert_int_equal(rio_enum_sweep(&r->e), 1);
		assert_int_equal(r->e.generation, 1);
		enum_rig_check(r);
		check_ids(r, host, hdid, enumerated);
		/* And nothing is left to do. */
		assert_int_equal(rio_enum_sweep(&r->e), 0);
		assert_int_equal(r->e.generation, 1);
		enum_rig_check(r);
		assert_int_equal(r->lines, 0);
		enum_rig_close(r);
	}
}

#define TOPO(n, bits, en) \
static void \
topo_##n##_##bits##_##en(void **state) \
{ \
	(void)state; \
	all_hosts(files[n], bits, en); \
}
#define TOPO4(n) TOPO(n, 8, 0) TOPO(n, 8, 1) TOPO(n, 16, 0) TOPO(n, 16, 1)
TOPO4(0)
TOPO4(1)
TOPO4(2)
TOPO4(3)

/* A host of 16 bits whose ID has an upper half. */
static void
high_host(void **state)
{
	struct enum_rig *r = enum_rig_open("ring4", 16, false);

	(void)state;
	enum_rig_agents(r, 3);
	enum_rig_host(r, 3, 0x1234);
	enum_rig_sweep(r);
	enum_rig_check(r);
	assert_int_equal(enum_rig_ep(r, 3)->destid, 0x1234);
	assert_int_equal(enum_rig_ep(r, 2)->destid, 0);
	enum_rig_close(r);
}

/* A host that ends and begins anew, elsewhere too, finds the IDs that were given. */
static void
next_host(void **state)
{
	struct enum_rig *r = enum_rig_open("ring4", 8, false);
	uint16_t id[8];
	uint32_t i;

	(void)state;
	enum_rig_agents(r, 8);
	enum_rig_host(r, 2, 9);
	enum_rig_sweep(r);
	enum_rig_graph(r);
	for (i = 0; i < 8; i++)
		id[i] = enum_rig_ep(r, i)->destid;
	enum_rig_host_end(r);
	enum_rig_host(r, 2, 9);
	enum_rig_sweep(r);
	enum_rig_check(r);
	for (i = 0; i < 8; i++)
		assert_int_equal(enum_rig_ep(r, i)->destid, id[i]);
	enum_rig_host_end(r);
	/* One of a higher ID takes over; the former host keeps its own. */
	enum_rig_host(r, 5, 30);
	enum_rig_sweep(r);
	enum_rig_check(r);
	for (i = 0; i < 8; i++)
		assert_int_equal(enum_rig_ep(r, i)->destid, i == 5 ? 30 : id[i]);
	enum_rig_close(r);
}

/* --- links that fail and come back --- */

static void
pull(struct enum_rig *r, uint32_t link, bool redundant)
{
	enum_rig_link(r, link, false);
	/* The host is told, unless it is the one that was cut off. */
	if (redundant)
		assert_true(enum_rig_portwrites(r) > 0);
	else
		enum_rig_portwrites(r);
	if (redundant) {
		/* One sweep is enough. */
		assert_int_equal(rio_enum_sweep(&r->e), 1);
		enum_rig_check(r);
	}
	enum_rig_sweep(r);
	enum_rig_portwrites(r);
	enum_rig_link(r, link, true);
	enum_rig_portwrites(r);
	assert_int_equal(rio_enum_sweep(&r->e), 1);
	enum_rig_sweep(r);
	enum_rig_check(r);
}

/* Pull each link of the ring, with each endpoint as host. IDs stay what they were. */
static void
ring_links(void **state)
{
	struct enum_rig *r;
	uint32_t host, link, i;

	(void)state;
	for (host = 0; host < 8; host++) {
		r = enum_rig_open("ring4", host % 2 ? 8 : 16, true);
		enum_rig_host(r, host, (uint16_t)host);
		enum_rig_sweep(r);
		for (link = 0; link < r->topo->nb_link; link++) {
			pull(r, link, r->topo->link[link].end[0].kind == NULL_END_SW &&
				      r->topo->link[link].end[1].kind == NULL_END_SW);
			for (i = 0; i < 8; i++)
				assert_int_equal(enum_rig_ep(r, i)->destid, i);
		}
		enum_rig_close(r);
	}
}

/* The same with no port-write seen: the sweep alone finds it. */
static void
silent_links(void **state)
{
	struct enum_rig *r = enum_rig_open("ring4", 8, true);
	uint32_t link;

	(void)state;
	enum_rig_host(r, 0, 0);
	enum_rig_sweep(r);
	for (link = 8; link < r->topo->nb_link; link++) {
		enum_rig_link(r, link, false);
		assert_int_equal(rio_enum_sweep(&r->e), 1);
		enum_rig_check(r);
		enum_rig_link(r, link, true);
		enum_rig_sweep(r);
		enum_rig_check(r);
	}
	enum_rig_close(r);
}

/* As after power-up. */
static void
forget(struct rig_dev *d)
{
	rig_wr(d, RIO_DID_CSR, 0xffffff);
	rig_wr(d, RIO_COMPONENT_TAG_CSR, 0);
	rig_wr(d, TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR, 0);
}

/* A device that ends and begins anew between two sweeps, and one that is away for some. */
static void
restart(void **state)
{
	const uint32_t ctl = TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR;
	struct enum_rig *r = enum_rig_open("ring4", 8, false);
	struct rig_dev *d = &r->rig->d[5];
	uint32_t gen;
	uint16_t id, other;

	(void)state;
	enum_rig_agents(r, 8);
	enum_rig_host(r, 0, 0);
	enum_rig_sweep(r);
	enum_rig_check(r);
	id = enum_rig_ep(r, 5)->destid;
	other = enum_rig_ep(r, 4)->destid;
	gen = r->e.generation;
	/* No event at all: its registers are those of a new device. */
	forget(d);
	enum_rig_sweep(r);
	enum_rig_check(r);
	assert_int_equal(enum_rig_ep(r, 5)->destid, id);
	assert_int_not_equal(r->e.generation, gen);
	/* Only its driver began anew. */
	rig_wr(d, ctl, 0);
	enum_rig_sweep(r);
	enum_rig_check(r);
	assert_int_equal(enum_rig_ep(r, 5)->destid, id);
	/* Two are away, and back in the other order. */
	enum_rig_link(r, r->topo->ep[4].link, false);
	enum_rig_sweep(r);
	enum_rig_link(r, r->topo->ep[5].link, false);
	enum_rig_sweep(r);
	forget(d);
	forget(&r->rig->d[4]);
	enum_rig_link(r, r->topo->ep[5].link, true);
	enum_rig_sweep(r);
	enum_rig_link(r, r->topo->ep[4].link, true);
	enum_rig_sweep(r);
	enum_rig_check(r);
	assert_int_equal(enum_rig_ep(r, 5)->destid, id);
	assert_int_equal(enum_rig_ep(r, 4)->destid, other);
	/* Away, another one gets another ID, back with the old one. */
	enum_rig_link(r, r->topo->ep[5].link, false);
	enum_rig_sweep(r);
	enum_rig_graph(r);
	assert_null(enum_rig_ep(r, 5));
	forget(d);
	enum_rig_link(r, r->topo->ep[5].link, true);
	enum_rig_sweep(r);
	enum_rig_check(r);
	assert_int_equal(enum_rig_ep(r, 5)->destid, id);
	enum_rig_close(r);
}

/* A switch that is reset in the middle of all. */
static void
switch_reset(void **state)
{
	struct enum_rig *r = enum_rig_open("ring4", 16, true);
	uint32_t sw, i;

	(void)state;
	enum_rig_host(r, 0, 0);
	enum_rig_sweep(r);
	for (sw = 0; sw < 4; sw++) {
		null_switch_reset(&r->fab->sh->sw[sw]);
		null_fabric_changed(r->fab);
		enum_rig_sweep(r);
		enum_rig_check(r);
		for (i = 0; i < 8; i++)
			assert_int_equal(enum_rig_ep(r, i)->destid, i);
	}
	enum_rig_close(r);
}

int
main(void)
{
#define T4(n) \
	cmocka_unit_test(topo_##n##_8_0), cmocka_unit_test(topo_##n##_8_1), \
	cmocka_unit_test(topo_##n##_16_0), cmocka_unit_test(topo_##n##_16_1)
	const struct CMUnitTest tests[] = {
		T4(0), T4(1), T4(2), T4(3), cmocka_unit_test(high_host),
		cmocka_unit_test(next_host), cmocka_unit_test(ring_links),
		cmocka_unit_test(silent_links), cmocka_unit_test(restart),
		cmocka_unit_test(switch_reset),
	};

	return cmocka_run_group_tests_name("enum_topo", tests, NULL, NULL);
}
