/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Bad fabrics: devices that fail or die in the middle of a walk, loops, tags that
 * are there twice, devices that lie. Nothing of it crashes the enumerator or holds
 * it up, and when it is over all is found as it is.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enum_rig.h"

#define MANY	400000u		/* requests that no sweep of these fabrics may need */

static struct enum_rig *
ring(unsigned int bits)
{
	struct enum_rig *r = enum_rig_open("ring4", bits, false);

	enum_rig_agents(r, 8);
	enum_rig_host(r, 1, 4);
	return r;
}

/* Requests of a sweep of a fabric that is well. */
static uint64_t
ring_requests(void)
{
	struct enum_rig *r = ring(8);
	uint64_t n;

	enum_rig_sweep(r);
	n = r->requests;
	enum_rig_close(r);
	return n;
}

/* From the k-th request on, so many fail: of the first walk, and of one later. */
static void
errors_midway(void **state)
{
	const uint64_t times[] = { 1, 2, 5, 40, 100000 };
	uint64_t nb = ring_requests(), k;
	struct enum_rig *r;
	size_t t;

	(void)state;
	for (t = 0; t < sizeof(times) / sizeof(times[0]); t++)
		for (k = 1 + t; k < nb; k += nb / 12) {
			r = ring(k % 2 ? 8 : 16);
			r->fail_from = k;
			r->fail_n = times[t];
			rio_enum_sweep(&r->e);
			assert_true(r->requests < MANY);
			r->fail_n = 0;
			enum_rig_sweep(r);
			enum_rig_check(r);
			r->fail_from = r->requests + k % 200;
			r->fail_n = times[t];
			rio_enum_sweep(&r->e);
			r->fail_n = 0;
			enum_rig_sweep(r);
			enum_rig_check(r);
			enum_rig_close(r);
		}
}

/* --- what dies in the middle --- */

static uint64_t die_at;
static uint32_t die_link;

static void
die(struct enum_rig *r, uint64_t request)
{
	if (request == die_at)
		enum_rig_link(r, die_link, false);
}

static void
dies_midway(void **state)
{
	uint64_t nb = ring_requests(), k;
	struct enum_rig *r;

	(void)state;
	for (k = 1; k < nb; k += nb / 24) {
		r = ring(8);
		die_at = k;
		/* Endpoints and links between switches, but for the host's own. */
		die_link = (uint32_t)(2 + k % 10);
		r->hook = die;
		rio_enum_sweep(&r->e);
		r->hook = NULL;
		enum_rig_sweep(r);
		enum_rig_check(r);
		enum_rig_link(r, die_link, true);
		enum_rig_sweep(r);
		enum_rig_check(r);
		enum_rig_close(r);
	}
}

/* The host's own link, again and again. */
static void
own_link(void **state)
{
	struct enum_rig *r = ring(8);
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		enum_rig_link(r, r->topo->ep[1].link, false);
		enum_rig_sweep(r);
		assert_int_equal(r->e.g.nb, 1);
		enum_rig_link(r, r->topo->ep[1].link, true);
		enum_rig_sweep(r);
		enum_rig_check(r);
	}
	enum_rig_close(r);
}

/* --- loops --- */

static const char tangle[] =
	"[fabric]\n"
	"[switches]\n"
	"a = 6 ports\nb = 8 ports\nc = 18 ports\n"
	"[endpoints]\n"
	"n0 = none\nn1 = none\nn2 = none\n"
	"[links]\n"
	"n0 = a.0\nn1 = b.7\nn2 = c.17\n"
	"a.1 = b.0\na.2 = b.1\na.3 = c.3\nb.2 = c.2\na.4 = c.16\n";

/* Two links in parallel, a triangle, ports with nothing; each link but the endpoints' fails. */
static void
loops(void **state)
{
	struct enum_rig *r;
	uint32_t host, link;

	(void)state;
	for (host = 0; host < 3; host++) {
		r = enum_rig_open_text(tangle, 16, false);
		enum_rig_agents(r, 3);
		enum_rig_host(r, host, 0x4321);
		enum_rig_sweep(r);
		enum_rig_check(r);
		for (link = 3; link < r->topo->nb_link; link++) {
			enum_rig_link(r, link, false);
			assert_int_equal(rio_enum_sweep(&r->e), 1);
			enum_rig_check(r);
			enum_rig_link(r, link, true);
			enum_rig_sweep(r);
			enum_rig_check(r);
		}
		enum_rig_close(r);
	}
}

/* --- tags that lie --- */

static void
duplicate_tags(void **state)
{
	struct enum_rig *r;
	uint32_t i, round;

	(void)state;
	for (round = 0; round < 4; round++) {
		r = ring(8);
		/* Left behind by another host: all the same, or as this one will give them. */
		for (i = 0; i < 8; i++)
			rig_wr(&r->rig->d[i], RIO_COMPONENT_TAG_CSR, round % 2 ? 3 : i);
		for (i = 0; i < 4; i++)
			atomic_store(&r->fab->sh->sw[i].comp_tag, round < 2 ? 3 : i + 2);
		enum_rig_sweep(r);
		enum_rig_check(r);
		/* And later: each takes another's, with an event and without. */
		for (i = 0; i < 8; i++)
			if (i != 1)
				rig_wr(&r->rig->d[i], RIO_COMPONENT_TAG_CSR,
				       rig_rd(&r->rig->d[(i + 2) % 8], RIO_COMPONENT_TAG_CSR));
		for (i = 0; i < 4; i++)
			atomic_store(&r->fab->sh->sw[i].comp_tag,
				     atomic_load(&r->fab->sh->sw[(i + 1) % 4].comp_tag));
		enum_rig_sweep(r);
		enum_rig_check(r);
		enum_rig_close(r);
	}
}

/* --- devices that lie --- */

static uint32_t
dice(struct enum_rig *r, uint32_t n)
{
	r->seed = r->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(r->seed >> 33) % n;
}

/* Any answer may be anything, now and then. */
static int
lie_sometimes(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	static const uint32_t odd[] = { 0, 1, 0xffff, 0x10000, 0xffffff, 0x7fffffff, UINT32_MAX };

	(void)destid;
	(void)hop;
	(void)off;
	if (dice(r, 20) != 0)
		return 0;
	switch (dice(r, 4)) {
	case 0:
		return -5;
	case 1:
		*val = odd[dice(r, sizeof(odd) / sizeof(odd[0]))];
		return 0;
	case 2:
		*val ^= 1u << dice(r, 32);
		return 0;
	default:
		*val = dice(r, 0x10000) << 16 | dice(r, 0x10000);
		return 0;
	}
}

static void
ports_open(struct enum_rig *r)
{
	uint32_t sw, p;

	for (sw = 0; sw < 4; sw++)
		for (p = 0; p < 18; p++)
			atomic_fetch_and(&r->fab->sh->sw[sw].port[p].ctl,
					 ~(RIO_PORT_N_CTL_LOCKOUT | RIO_PORT_N_CTL_PORT_DIS));
	for (p = 0; p < r->topo->nb_link; p++)
		null_link_judge(r->fab, p);
}

static void
random_lies(void **state)
{
	struct enum_rig *r;
	uint64_t before;
	uint32_t seed, i;

	(void)state;
	for (seed = 0; seed < 60; seed++) {
		r = ring(seed % 2 ? 8 : 16);
		r->seed = seed * 7919u;
		r->lie = lie_sometimes;
		for (i = 0; i < 6; i++) {
			before = r->requests;
			rio_enum_sweep(&r->e);
			assert_true(r->requests - before < MANY);
			assert_true(r->e.g.nb <= RIO_DEV_MAX);
		}
		/*
		 * What it wrote because of a lie about a port, such as that to the host, may
		 * have cut it off; and it may have been told that it is not the host.
		 */
		r->lie = NULL;
		ports_open(r);
		enum_rig_host_end(r);
		enum_rig_host(r, 1, 4);
		enum_rig_sweep(r);
		enum_rig_graph(r);
		enum_rig_routes(r);
		enum_rig_settled(r);
		enum_rig_rings(r);
		enum_rig_close(r);
	}
}

/* One that never answers, which takes half a second to notice each time. */
static uint64_t slow_us, slow_asked;

static uint64_t
slow_now(void *ctx)
{
	(void)ctx;
	return slow_us;
}

static int
never(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	(void)destid;
	(void)off;
	(void)val;
	/* n3, behind the second switch's port 1; hop counts tell it from switches. */
	if (hop != 2 || r->e.g.nb < 3 || atomic_load(&r->fab->sh->sw[1].rt.dev[0xff]) != 1)
		return 0;
	slow_us += 500000;
	slow_asked++;
	return -110;
}

static void
slow_neighbour(void **state)
{
	struct enum_rig *r = ring(8);
	uint64_t asked;
	uint32_t i;

	(void)state;
	slow_us = slow_asked = 0;
	r->access.now_us = slow_now;
	r->e.conf.sweep_max_us = 1000000;
	r->lie = never;
	for (i = 0; i < 40; i++)
		rio_enum_sweep(&r->e);
	/* All others are known: eight endpoints but one, four switches. */
	assert_int_equal(r->e.g.nb, 11);
	assert_true(slow_asked > 0);
	asked = slow_asked;
	for (i = 0; i < 32; i++)
		rio_enum_sweep(&r->e);
	assert_true(slow_asked - asked <= 6);
	r->lie = NULL;
	for (i = 0; i < 40; i++)
		rio_enum_sweep(&r->e);
	enum_rig_check(r);
	enum_rig_close(r);
}

/* Switches of another maker: their tables are written through 0x70 and 0x74 alone. */
#define OTHER_ID	0x0578000du

static int
other_maker(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	(void)r;
	(void)destid;
	(void)hop;
	if (off >= 0x10000)
		fail_msg("register 0x%x of a switch that has none there", off);
	if (off == RIO_DEV_ID_CAR && *val == (IDT_CPS1848_DEVICE_ID << 16 | IDT_VENDOR_ID))
		*val = OTHER_ID;
	return 0;
}

/* The same for an agent, which only reads. */
static void
lies_to_agents(void **state)
{
	struct enum_rig *r;
	struct rio_enum host;
	uint64_t before;
	uint32_t seed, i;

	(void)state;
	for (seed = 0; seed < 20; seed++) {
		r = ring(seed % 2 ? 8 : 16);
		if (seed % 4 >= 2) {
			r->lie = other_maker;
			r->switch_id = OTHER_ID;
		}
		enum_rig_sweep(r);
		host = r->e;
		enum_rig_host(r, 6, RIO_NO_ID);
		assert_int_equal(rio_enum_discover(&r->e), 1);
		r->seed = seed * 104729u;
		r->lie = lie_sometimes;
		for (i = 0; i < 6; i++) {
			before = r->requests;
			rio_enum_discover(&r->e);
			assert_true(r->requests - before < MANY);
			assert_true(r->e.g.nb <= RIO_DEV_MAX);
		}
		r->lie = seed % 4 >= 2 ? other_maker : NULL;
		rio_enum_discover(&r->e);
		assert_int_equal(rio_enum_discover(&r->e), 0);
		for (i = 0; i < host.g.nb; i++)
			assert_non_null(rio_enum_find(&r->e, host.g.dev[i].tag));
		assert_int_equal(r->e.g.nb, host.g.nb);
		rio_enum_fini(&r->e);
		/* It has left everything as it was. */
		r->e = host;
		r->self = &r->rig->d[1];
		assert_int_equal(rio_enum_sweep(&r->e), 0);
		enum_rig_check(r);
		enum_rig_close(r);
	}
}

/* A fabric without end: whatever is asked is another new switch, with 255 ports, all up. */
static int
endless(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	(void)destid;
	(void)hop;
	switch (off) {
	case RIO_SWP_INFO_CAR:
		*val = 255u << 8 | dice(r, 255);
		return 0;
	case RIO_COMPONENT_TAG_CSR:
		*val = dice(r, 3) == 0 ? dice(r, 0x10000) : *val;
		return 0;
	default:
		if (off >= 0x100 && off < 0x4000 && (off & 0x1f) == 0x18)
			*val = RIO_PORT_N_ERR_STS_PORT_OK;
		return 0;
	}
}

static void
endless_fabric(void **state)
{
	struct enum_rig *r;
	uint32_t seed, i;

	(void)state;
	for (seed = 0; seed < 4; seed++) {
		r = ring(8);
		r->seed = seed;
		r->lie = endless;
		r->e.conf.sweep_max_us = 200000;
		for (i = 0; i < 3; i++) {
			r->requests = 0;
			rio_enum_sweep(&r->e);
			assert_true(r->e.g.nb <= RIO_DEV_MAX);
		}
		r->lie = NULL;
		r->e.conf.sweep_max_us = 20000000;
		enum_rig_host_end(r);
		enum_rig_host(r, 1, 4);
		enum_rig_sweep(r);
		enum_rig_check(r);
		enum_rig_close(r);
	}
}

/* Pointers to blocks that run in a circle, or lead nowhere. */
static uint32_t block_to;

static int
bad_blocks(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	(void)r;
	(void)destid;
	(void)hop;
	if (off == RIO_ASM_INFO_CAR)
		*val = block_to;
	else if (off == 0x2000 || off == 0x100)
		*val = 0x2000u << 16 | 0x55;
	return 0;
}

static void
blocks(void **state)
{
	const uint32_t to[] = { 0, 4, 0x2000, 0x101, 0xfffc, 0x100 };
	struct enum_rig *r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
		r = ring(8);
		block_to = to[i];
		r->lie = bad_blocks;
		rio_enum_sweep(&r->e);
		assert_true(r->requests < MANY);
		enum_rig_close(r);
	}
}

/*
 * Who selects an entry and then writes it must hold the switch's lock, since others select too.
 * Not for the ID that is nobody's, by whose entry the switch is reached at all, and for the
 * host's, by whose its answers come back.
 */
static uint16_t locks_are;

static void
only_locked(struct enum_rig *r, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val)
{
	static uint32_t selected;
	uint32_t lock;

	if (off == RIO_STD_RTE_CONF_DESTID_SEL_CSR)
		selected = val;
	if (off != RIO_STD_RTE_CONF_PORT_SEL_CSR || (selected & 0xff) == RIO_ANY_DESTID_8 ||
	    selected == locks_are)
		return;
	assert_int_equal(rig_maint(r->self, false, destid, hop, RIO_HOST_DID_LOCK_CSR, &lock), 0);
	if ((lock & 0xffff) != locks_are)
		fail_msg("entry 0x%x written, the lock is 0x%x", selected, lock);
}

static void
standard_routes(void **state)
{
	static const char *const files[] = { "star8", "two-switches-16", "ring4" };
	struct enum_rig *r;
	uint32_t link;
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		r = enum_rig_open(files[i / 2], i % 2 ? 16 : 8, false);
		enum_rig_agents(r, 16);
		r->lie = other_maker;
		r->switch_id = OTHER_ID;
		r->writes = only_locked;
		locks_are = i % 2 ? 0x2233 : 7;
		enum_rig_host(r, 2, locks_are);
		enum_rig_sweep(r);
		enum_rig_check(r);
		for (link = 8; i / 2 == 2 && link < r->topo->nb_link; link++) {
			enum_rig_link(r, link, false);
			assert_int_equal(rio_enum_sweep(&r->e), 1);
			enum_rig_check(r);
			enum_rig_link(r, link, true);
			enum_rig_sweep(r);
			enum_rig_check(r);
		}
		enum_rig_close(r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_midway), cmocka_unit_test(dies_midway),
		cmocka_unit_test(own_link), cmocka_unit_test(loops),
		cmocka_unit_test(duplicate_tags), cmocka_unit_test(random_lies),
		cmocka_unit_test(lies_to_agents),
		cmocka_unit_test(endless_fabric), cmocka_unit_test(blocks), cmocka_unit_test(slow_neighbour),
		cmocka_unit_test(standard_routes),
	};

	return cmocka_run_group_tests_name("enum_hostile", tests, NULL, NULL);
}
