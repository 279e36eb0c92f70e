/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Walks over the shipped fabrics by maintenance requests, and other ways round. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "null_rig_fabric.h"

/* ---- walks, as an enumerating host makes them ---- */

struct node {
	uint32_t hop, tag, in_port, destid;
	bool sw;
	uint32_t index;		/* of the endpoint or switch, where expected */
};

struct scan {
	struct rig_dev *host;
	const struct null_topo *t;
	struct node found[64], expected[64];
	uint32_t nb, nb_expected, next_id, redundant;
	bool seen[NULL_SW_MAX];
};

static void
routes_clear(struct rig_dev *d, uint32_t hop)
{
	uint32_t id;

	rig_far_wr(d, rig_any_id(d), hop, IDT_RTE_DESTID_SEL, 0);
	for (id = 0; id < 256; id += 4) {
		rig_far_wr(d, rig_any_id(d), hop, RIO_STD_RTE_CONF_DESTID_SEL_CSR,
		   RIO_STD_RTE_CONF_EXTCFGEN | id);
		rig_far_wr(d, rig_any_id(d), hop, RIO_STD_RTE_CONF_PORT_SEL_CSR, 0xdededede);
	}
	rig_far_wr(d, rig_any_id(d), hop, RIO_STD_RTE_DEFAULT_PORT_CSR, IDT_RTE_NO_ROUTE);
}

static void scan(struct scan *s, uint32_t hop);

static void
scan_switch(struct scan *s, uint32_t hop, struct node *n)
{
	uint32_t info = rig_far_rd(s->host, rig_any_id(s->host), hop, RIO_SWP_INFO_CAR), port, id, first;

	n->in_port = info & RIO_SWP_INFO_PORT_NUM;
	n->sw = true;
	routes_clear(s->host, hop);
	for (id = 0; id < s->next_id; id++)
		rig_route(s->host, hop, rig_any_id(s->host), id, n->in_port);
	for (port = 0; port < info >> 8; port++) {
		if (port == n->in_port)
			continue;
		if ((rig_far_rd(s->host, rig_any_id(s->host), hop, SP(RIO_PORT_N_ERR_STS_CSR(port))) &
		     RIO_PORT_N_ERR_STS_PORT_OK) == 0)
			continue;
		first = s->next_id;
		rig_route(s->host, hop, rig_any_id(s->host), rig_any_id(s->host), port);
		scan(s, hop + 1);
		for (id = first; id < s->next_id; id++)
			rig_route(s->host, hop, rig_any_id(s->host), id, port);
	}
}

static void
scan(struct scan *s, uint32_t hop)
{
	uint32_t any = rig_any_id(s->host);
	struct node *n;

	if (rig_far_rd(s->host, any, hop, RIO_HOST_DID_LOCK_CSR) == s->host->destid) {
		s->redundant++;
		return;
	}
	rig_far_wr(s->host, any, hop, RIO_HOST_DID_LOCK_CSR, s->host->destid);
	assert_int_equal(rig_far_rd(s->host, any, hop, RIO_HOST_DID_LOCK_CSR), s->host->destid);
	assert_true(s->nb < 64);
	n = &s->found[s->nb++];
	*n = (struct node){ .hop = hop, .tag = 0x100 + s->nb };
	rig_far_wr(s->host, any, hop, RIO_COMPONENT_TAG_CSR, n->tag);
	if ((rig_far_rd(s->host, any, hop, RIO_PEF_CAR) & RIO_PEF_SWITCH) != 0) {
		scan_switch(s, hop, n);
		return;
	}
	n->destid = s->next_id++;
	rig_far_wr(s->host, any, hop, RIO_DID_CSR, n->destid << RIO_DID_8_SHIFT);
}

/* The same order on paper. */
static void
expect(struct scan *s, const struct null_end *at, uint32_t hop)
{
	const struct null_topo_sw *sw = &s->t->sw[at->index];
	uint32_t port;

	if (at->kind == NULL_END_SW && s->seen[at->index])
		return;
	s->expected[s->nb_expected++] = (struct node){
		.hop = hop, .sw = at->kind == NULL_END_SW, .index = at->index,
		.in_port = at->port,
	};
	if (at->kind == NULL_END_EP)
		return;
	s->seen[at->index] = true;
	for (port = 0; port < sw->nb_ports; port++)
		if (port != at->port && sw->link[port] != NULL_LINK_NONE)
			expect(s, null_topo_far_end(s->t, sw->link[port], NULL_END_SW, at->index,
						    port), hop + 1);
}

/* Switches that were passed before others were found still lack routes back. */
static void
routes_complete(struct scan *s)
{
	uint32_t i, id, via;

	for (i = 0; i < s->nb; i++) {
		if (!s->found[i].sw)
			continue;
		/* The first endpoint beyond it leads there. */
		for (via = i; s->found[via].sw; via++)
			assert_true(via + 1 < s->nb);
		for (id = 0; id < s->next_id; id++) {
			rig_far_wr(s->host, s->found[via].destid, s->found[i].hop,
			   RIO_STD_RTE_CONF_DESTID_SEL_CSR, id);
			if (rig_far_rd(s->host, s->found[via].destid, s->found[i].hop,
			       RIO_STD_RTE_CONF_PORT_SEL_CSR) == IDT_RTE_DEFAULT_ROUTE)
				rig_far_wr(s->host, s->found[via].destid, s->found[i].hop,
				   RIO_STD_RTE_CONF_PORT_SEL_CSR, s->found[i].in_port);
		}
	}
}

static void
all_pairs(struct rig *rig)
{
	uint32_t i, j, id;

	for (i = 0; i < rig->nb; i++)
		rig_idb_open(&rig->d[i]);
	for (i = 0; i < rig->nb; i++)
		for (j = 0; j < rig->nb; j++) {
			id = rig_rd(&rig->d[j], RIO_DID_CSR) >> RIO_DID_8_SHIFT;
			if (!rig_rings(&rig->d[i], &rig->d[j], id) && (i != j || rig->nb > 2))
				fail_msg("no doorbell from %u to %u, ID %u", i, j, id);
		}
}

static void
walk_one(const char *name, uint32_t redundant)
{
	struct scan s = { .next_id = 1 };
	struct null_topo *t;
	struct rig *rig;
	char path[256], err[NULL_ERR_LEN], *text;
	uint32_t i;

	snprintf(path, sizeof(path), "%s/%s.ini", FABRICS, name);
	assert_int_equal(null_topo_load(path, &t, err, sizeof(err)), 0);
	text = rig_topo_text(path);
	rig = rig_open_topo(text);
	free(text);
	s.host = &rig->d[0];
	s.t = t;
	rig_wr(s.host, RIO_HOST_DID_LOCK_CSR, s.host->destid);
	expect(&s, null_topo_far_end(t, t->ep[0].link, NULL_END_EP, 0, 0), 0);
	scan(&s, 0);

	assert_int_equal(s.nb, s.nb_expected);
	assert_int_equal(s.next_id, t->nb_ep);
	assert_int_equal(s.redundant, redundant);
	for (i = 0; i < s.nb; i++) {
		const struct null_shared *sh = s.host->dev->fab->sh;
		const struct node *f = &s.found[i], *e = &s.expected[i];

		assert_int_equal(f->sw, e->sw);
		assert_int_equal(f->hop, e->hop);
		assert_int_equal(f->in_port, e->sw ? e->in_port : 0);
		assert_int_equal(f->tag, f->sw ? atomic_load(&sh->sw[e->index].comp_tag) :
				 atomic_load(&sh->ep[e->index].comp_tag));
		/* An endpoint by its ID, which hop counts do not matter to. */
		if (f->sw)
			continue;
		assert_int_equal(rig_far_rd(s.host, f->destid, RIO_HOP_ENDPOINT, RIO_COMPONENT_TAG_CSR),
				 f->tag);
		assert_int_equal(rig_far_rd(s.host, f->destid, f->hop, RIO_COMPONENT_TAG_CSR), f->tag);
	}
	if (t->nb_sw > 0) {
		routes_complete(&s);
		all_pairs(rig);
	}
	null_topo_free(t);
	rig_close(rig);
}

static void
walk_pair(void **state)
{
	(void)state;
	walk_one("pair", 0);
}

static void
walk_star(void **state)
{
	(void)state;
	walk_one("star8", 0);
}

static void
walk_two(void **state)
{
	(void)state;
	walk_one("two-switches-16", 0);
}

static void
walk_ring(void **state)
{
	(void)state;
	/* The last switch meets the first one again, and the first the last. */
	walk_one("ring4", 2);
}

/* Preset routes take nobody further than needed. */
static void
preset_hops(void **state)
{
	char *text = rig_topo_text(FABRICS "/ring4.ini");
	struct rig *rig = rig_open_topo(text);
	static const uint32_t hops[] = { 1, 1, 2, 2, 3, 3, 2, 2 };
	uint32_t i, hop;

	(void)state;
	free(text);
	for (i = 1; i < 8; i++) {
		for (hop = 0; hop < hops[i]; hop++)
			assert_int_equal(rig_far_rd(&rig->d[0], i, hop, RIO_DEV_ID_CAR), 0x03740038);
		assert_int_equal(rig_far_rd(&rig->d[0], i, hops[i], RIO_DEV_ID_CAR), 0x80ab0038);
	}
	all_pairs(rig);
	rig_close(rig);
}

/* ---- a ring's other way round ---- */

static void
redundant_path(void **state)
{
	char *text = rig_topo_text(FABRICS "/ring4.ini");
	struct rig *rig = rig_open_topo(text);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[2];
	struct null_fabric *fab = a->dev->fab;
	struct null_fault fault = { .kind = NULL_FAULT_DOWN, .arg = 1 };
	uint16_t link = atomic_load(&fab->sh->sw[0].port[16].link);
	uint32_t w[4], entry, i;

	(void)state;
	free(text);
	for (i = 0; i < 8; i++)
		rig_ibwin(&rig->d[i], 0, 0x10000, 0x1000, 0x8000);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 2), 0);
	assert_int_equal(rig_dma_code(b, TSI721_RTYPE_ALL_NWRITE_R, 0), 0);
	rig_pw_take(a, w);

	/* Gone: errors for who needs it, nothing for the others, a report; no new route. */
	null_link_fault_set(fab, link, &fault);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 2), NULL_ABORT_TIMEOUT);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_ALL_NWRITE_R, 2), NULL_ABORT_TIMEOUT);
	assert_int_equal(rig_dma_code(b, TSI721_RTYPE_NREAD, 0), NULL_ABORT_TIMEOUT);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 1), 0);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 6), 0);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 2), NULL_ABORT_TIMEOUT);
	entry = rig_sw_rd(a, IDT_BCAST_DEV_RTE(2));
	assert_int_equal(entry, 16);
	assert_true(rig_pw_take(a, w));
	assert_int_equal(w[0], 8 + 1);
	assert_int_equal(w[1], RIO_EM_PED_LINK_TO);
	assert_int_equal(w[2] & 0xff, 16);
	/* Two arrivals at this switch before. */
	assert_int_equal(atomic_load(&fab->sh->sw[0].pw_sent), 2 + 1);
	/* The report of the other end had to pass the very link. */
	assert_int_equal(atomic_load(&fab->sh->sw[1].pw_lost), 1);

	/* The other way round: rewrite what used the link, nearest switch first. */
	for (i = 2; i <= 5; i++)
		rig_sw_wr(a, IDT_BCAST_DEV_RTE(i), 17);
	for (i = 2; i <= 3; i++)
		rig_far_wr(a, 6, 1, IDT_BCAST_DEV_RTE(i), 17);
	for (i = 0; i <= 1; i++)
		rig_far_wr(a, 2, 3, IDT_BCAST_DEV_RTE(i), 16);
	for (i = 6; i <= 7; i++)
		rig_far_wr(a, 2, 3, IDT_BCAST_DEV_RTE(i), 16);
	assert_int_equal(rig_far_rd(a, 2, 4, RIO_DEV_ID_CAR), 0x80ab0038);
	all_pairs(rig);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 2), 0);
	assert_int_equal(rig_dma_code(b, TSI721_RTYPE_ALL_NWRITE_R, 0), 0);

	/* Back again: a report, and the old route would do. */
	rig_pw_take(a, w);
	fault.arg = 0;
	null_link_fault_set(fab, link, &fault);
	assert_true(rig_pw_take(a, w));
	rig_sw_wr(a, IDT_BCAST_DEV_RTE(2), 16);
	assert_int_equal(rig_far_rd(a, 2, 2, RIO_DEV_ID_CAR), 0x80ab0038);
	rig_close(rig);
}

/* Routes that lead in a circle: the packet dies, nothing hangs. */
static void
circle(void **state)
{
	struct rig *rig = rig_open_topo(
		"[fabric]\n[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 0\nb = 1\n"
		"[links]\na = s.0\nb = t.0\ns.1 = t.1\n");
	struct rig_dev *a = &rig->d[0];
	struct null_shared *sh = a->dev->fab->sh;

	(void)state;
	rig_ibwin(&rig->d[1], 0, 0x10000, 0x1000, 0x8000);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 1), 0);
	rig_far_wr(a, 1, 1, IDT_BCAST_DEV_RTE(1), 1);
	assert_int_equal(rig_dma_code(a, TSI721_RTYPE_NREAD, 1), NULL_ABORT_TIMEOUT);
	assert_true(atomic_load(&sh->sw[0].ttl_drops) + atomic_load(&sh->sw[1].ttl_drops) > 0);
	/* By hop count both switches are still there, many times. */
	assert_int_equal(rig_far_rd(a, 1, 6, RIO_SWP_INFO_CAR), 4 << 8 | 1);
	rig_close(rig);
}

/* ---- all at once ---- */

struct busy {
	struct rig *rig;
	_Atomic bool stop;
	_Atomic uint32_t done, lost, other;
};

static void *
busy_sender(void *ctx)
{
	struct busy *b = ctx;
	uint32_t code;

	while (!atomic_load(&b->stop)) {
		code = rig_dma_code(&b->rig->d[0], TSI721_RTYPE_ALL_NWRITE_R, 2);
		atomic_fetch_add(code == 0 ? &b->done : code == NULL_ABORT_TIMEOUT ? &b->lost :
				 &b->other, 1);
	}
	return NULL;
}

/* The switch that the sender is at: its routes, a port of it, its counters. */
static void *
busy_manager(void *ctx)
{
	struct busy *b = ctx;
	struct rig_dev *d = &b->rig->d[1];
	const uint32_t ctl = SP(RIO_PORT_N_CTL_CSR(16));
	uint32_t i, was = rig_sw_rd(d, ctl);

	for (i = 0; !atomic_load(&b->stop); i++) {
		rig_route(d, 0, rig_any_id(d), 2, i % 3 == 0 ? IDT_RTE_NO_ROUTE : 16);
		rig_sw_wr(d, ctl, i % 5 == 0 ? was | RIO_PORT_N_CTL_LOCKOUT : was);
		rig_sw_rd(d, IDT_PORT_DROP_TX(16));
		rig_sw_rd(d, SP(RIO_PORT_N_ERR_STS_CSR(16)));
	}
	return NULL;
}

/* Traffic, route changes, links that come and go, and port-writes about them. */
static void
busy(void **state)
{
	char *text = rig_topo_text(FABRICS "/ring4.ini");
	struct busy b = { .rig = rig_open_topo(text) };
	struct null_fabric *fab = b.rig->d[0].dev->fab;
	struct null_fault fault = { .kind = NULL_FAULT_DOWN };
	const struct timespec nap = { .tv_nsec = 200000 };
	pthread_t sender, manager;
	uint32_t i, w[4];

	(void)state;
	free(text);
	rig_ibwin(&b.rig->d[2], 0, 0x10000, 0x1000, 0x8000);
	assert_int_equal(pthread_create(&sender, NULL, busy_sender, &b), 0);
	assert_int_equal(pthread_create(&manager, NULL, busy_manager, &b), 0);
	for (i = 0; i < 400 || (i < 40000 && (b.done < 100 || b.lost < 100)); i++) {
		fault.kind = i / 2 % 2 == 0 ? NULL_FAULT_DOWN : NULL_FAULT_DROP;
		fault.arg = i % 2 == 0 ? 2 + i % 7 : 0;
		null_link_fault_set(fab, 8, &fault);
		rig_pw_take(&b.rig->d[0], w);
		nanosleep(&nap, NULL);
	}
	atomic_store(&b.stop, true);
	pthread_join(sender, NULL);
	pthread_join(manager, NULL);
	assert_true(b.done >= 100);
	assert_true(b.lost >= 100);
	assert_int_equal(b.other, 0);
	fault.arg = 0;
	null_link_fault_set(fab, 8, &fault);
	/* And afterwards everything is as if nothing had been. */
	assert_int_equal(atomic_load(&fab->sh->links[8].up), 4);
	rig_sw_wr(&b.rig->d[1], SP(RIO_PORT_N_CTL_CSR(16)), 0x40600001);
	rig_route(&b.rig->d[1], 0, rig_any_id(&b.rig->d[1]), 2, 16);
	assert_int_equal(rig_dma_code(&b.rig->d[0], TSI721_RTYPE_NREAD, 2), 0);
	rig_close(b.rig);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walk_pair),
		cmocka_unit_test(walk_star),
		cmocka_unit_test(walk_two),
		cmocka_unit_test(walk_ring),
		cmocka_unit_test(preset_hops),
		cmocka_unit_test(redundant_path),
		cmocka_unit_test(circle),
		cmocka_unit_test(busy),
	};

	return cmocka_run_group_tests_name("null_walk", tests, NULL, NULL);
}
