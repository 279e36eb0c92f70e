/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "enum_rig.h"

/* --- access --- */

static bool
fails(struct enum_rig *r)
{
	uint64_t n = ++r->requests;

	if (r->hook != NULL)
		r->hook(r, n);
	return r->fail_n != 0 && n >= r->fail_from && n < r->fail_from + r->fail_n;
}

static int
acc_read(void *ctx, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	struct enum_rig *r = ctx;

	if (fails(r))
		return -EIO;
	if (rig_maint(r->self, false, destid, hop, off, val) != 0)
		return -EIO;
	return r->lie != NULL ? r->lie(r, destid, hop, off, val) : 0;
}

static int
acc_write(void *ctx, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val)
{
	struct enum_rig *r = ctx;

	if (fails(r))
		return -EIO;
	if (r->writes != NULL)
		r->writes(r, destid, hop, off, val);
	return rig_maint(r->self, true, destid, hop, off, &val) == 0 ? 0 : -EIO;
}

static int
acc_local_read(void *ctx, uint32_t off, uint32_t *val)
{
	*val = rig_rd(((struct enum_rig *)ctx)->self, off);
	return 0;
}

static int
acc_local_write(void *ctx, uint32_t off, uint32_t val)
{
	rig_wr(((struct enum_rig *)ctx)->self, off, val);
	return 0;
}

static uint64_t
acc_now(void *ctx)
{
	struct timespec ts;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

static void
acc_wait(void *ctx, uint32_t us)
{
	struct timespec ts = { us / 1000000u, us % 1000000u * 1000 };

	(void)ctx;
	nanosleep(&ts, NULL);
}

static void
acc_log(void *ctx, enum rio_log level, const char *line)
{
	struct enum_rig *r = ctx;

	if (level == RIO_LOG_DETAIL)
		return;
	snprintf(r->last, sizeof(r->last), "%s", line);
	r->lines++;
}

/* --- life --- */

struct enum_rig *
enum_rig_open_text(const char *text, unsigned int bits, bool enumerated)
{
	struct enum_rig *r = calloc(1, sizeof(*r));
	const char *at = strstr(text, "[fabric]\n");
	const char *end = strstr(text, "[routes ");
	char *all, path[RIG_PATH_LEN], err[NULL_ERR_LEN];
	uint32_t i;

	assert_non_null(r);
	assert_non_null(at);
	at += strlen("[fabric]\n");
	/* Only what is enumerated has routes; they come last in our files. */
	if (end == NULL || enumerated)
		end = text + strlen(text);
	assert_true(asprintf(&all, "%.*sid_bits = %u\nenumerated = %d\n%.*s", (int)(at - text), text,
			     bits, enumerated, (int)(end - at), at) > 0);
	rig_file(all, path);
	if (null_topo_load(path, &r->topo, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	rig_file_remove(path);
	r->rig = rig_open_topo(all);
	free(all);
	r->fab = r->rig->d[0].dev->fab;
	for (i = 0; i < r->rig->nb; i++) {
		r->rig->d[i].tt = bits == 16 ? TSI721_TT_16 : TSI721_TT_8;
		rig_idb_open(&r->rig->d[i]);
	}
	r->switch_id = IDT_CPS1848_DEVICE_ID << 16 | IDT_VENDOR_ID;
	r->access = (struct rio_access){ acc_read, acc_write, acc_local_read, acc_local_write,
					 acc_now, acc_wait, acc_log };
	return r;
}

struct enum_rig *
enum_rig_open(const char *file, unsigned int bits, bool enumerated)
{
	char path[RIG_PATH_LEN], *text;
	struct enum_rig *r;

	snprintf(path, sizeof(path), "%s/%s.ini", FABRICS, file);
	text = rig_topo_text(path);
	r = enum_rig_open_text(text, bits, enumerated);
	free(text);
	return r;
}

void
enum_rig_host(struct enum_rig *r, uint32_t ep, uint16_t hdid)
{
	struct rio_enum_conf conf = { .access = &r->access, .ctx = r, .hdid = hdid,
				      .sys16 = r->topo->sys16, .sweep_max_us = 20000000,
				      .lock_wait_us = 20000 };

	r->self = &r->rig->d[ep];
	assert_int_equal(rio_enum_init(&r->e, &conf), 0);
}

void
enum_rig_host_end(struct enum_rig *r)
{
	if (r->self != NULL)
		rio_enum_fini(&r->e);
	r->self = NULL;
}

void
enum_rig_close(struct enum_rig *r)
{
	enum_rig_host_end(r);
	rig_close(r->rig);
	null_topo_free(r->topo);
	free(r);
}

void
enum_rig_agents(struct enum_rig *r, uint32_t but)
{
	uint32_t i;

	for (i = 0; i < r->rig->nb; i++)
		if (i != but)
			rig_wr(&r->rig->d[i], TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR, 0);
}

void
enum_rig_link(struct enum_rig *r, uint32_t link, bool up)
{
	struct null_fault fault = { NULL_FAULT_DOWN, !up };

	null_link_fault_set(r->fab, link, &fault);
}

unsigned int
enum_rig_portwrites(struct enum_rig *r)
{
	unsigned int n = 0;
	uint32_t w[4];

	for (; rig_pw_take(r->self, w); n++)
		rio_enum_suspect(&r->e, w[0], w[2] & 0xff);
	return n;
}

void
enum_rig_sweep(struct enum_rig *r)
{
	unsigned int i;
	int ret = 1;

	for (i = 0; i < 12 && ret != 0; i++)
		ret = rio_enum_sweep(&r->e);
	if (ret != 0)
		fail_msg("sweep: %d, '%s'", ret, r->last);
}

/* --- judging --- */

static const struct null_end *
topo_far(const struct null_topo *t, bool is_switch, uint32_t node, uint32_t port)
{
	uint16_t link = is_switch ? t->sw[node].link[port] : t->ep[node].link;

	if (link == NULL_LINK_NONE)
		return NULL;
	return null_topo_far_end(t, link, is_switch ? NULL_END_SW : NULL_END_EP, node, port);
}

static bool
link_is_up(struct enum_rig *r, bool is_switch, uint32_t node, uint32_t port)
{
	uint16_t link = is_switch ? r->topo->sw[node].link[port] : r->topo->ep[node].link;

	return link != NULL_LINK_NONE && atomic_load(&r->fab->sh->links[link].up) != 0;
}

/* The node that a device stands for; those that it is linked to next. */
static void
map_device(struct enum_rig *r, uint32_t index, bool is_switch, uint32_t node)
{
	int16_t *of = is_switch ? &r->sw_of[index] : &r->ep_of[index];
	const struct rio_dev *dev = &r->e.g.dev[index];
	const struct null_end *far;
	uint32_t p;

	assert_true(dev->used);
	assert_int_equal(dev->is_switch, is_switch);
	if (*of >= 0) {
		assert_int_equal(*of, node);
		return;
	}
	assert_int_equal(r->sw_of[index], -1);
	*of = (int16_t)node;
	assert_int_equal(dev->nb_ports, is_switch ? r->topo->sw[node].nb_ports : 1);
	assert_int_equal(dev->id, is_switch ? r->switch_id :
			 TSI721_RIO_DEVICE_ID << 16 | TSI721_RIO_VENDOR_ID);
	for (p = 0; p < dev->nb_ports; p++) {
		assert_int_equal(dev->port[p].up, link_is_up(r, is_switch, node, p));
		if (!dev->port[p].up) {
			assert_int_equal(dev->port[p].peer, RIO_NO_DEV);
			continue;
		}
		far = topo_far(r->topo, is_switch, node, p);
		if (dev->port[p].peer == RIO_NO_DEV)
			fail_msg("nothing at port %u of %s %u", p, is_switch ? "sw" : "n", node);
		if (far->kind == NULL_END_SW)
			assert_int_equal(dev->port[p].peer_port, far->port);
		assert_int_equal(dev->port[p].lanes, 4);
		map_device(r, dev->port[p].peer, far->kind == NULL_END_SW, far->index);
	}
}

void
enum_rig_graph(struct enum_rig *r)
{
	uint32_t i, eps = 0, sws = 0, up = 0;

	memset(r->ep_of, 0xff, sizeof(r->ep_of));
	memset(r->sw_of, 0xff, sizeof(r->sw_of));
	map_device(r, 0, false, (uint32_t)(r->self - r->rig->d));
	for (i = 0; i < RIO_DEV_MAX; i++) {
		/* No device stands for nothing, no two for the same. */
		assert_int_equal(r->e.g.dev[i].used, r->ep_of[i] >= 0 || r->sw_of[i] >= 0);
		eps += r->ep_of[i] >= 0;
		sws += r->sw_of[i] >= 0;
	}
	for (i = 0; i < r->topo->nb_ep; i++)
		up += link_is_up(r, false, i, 0);
	assert_int_equal(eps, up);
	assert_int_equal(sws, r->topo->nb_sw);
}

struct rio_dev *
enum_rig_ep(struct enum_rig *r, uint32_t ep)
{
	uint32_t i;

	for (i = 0; i < RIO_DEV_MAX; i++)
		if (r->ep_of[i] == (int16_t)ep)
			return &r->e.g.dev[i];
	return NULL;
}

/* Links from each switch to an endpoint, by the topology and what is up. */
static void
topo_distances(struct enum_rig *r, uint32_t ep, uint32_t dist[NULL_SW_MAX])
{
	const struct null_end *far;
	uint32_t round, s, p, via;

	for (s = 0; s < r->topo->nb_sw; s++) {
		dist[s] = UINT32_MAX;
		far = topo_far(r->topo, false, ep, 0);
		if (far->kind == NULL_END_SW && far->index == s && link_is_up(r, false, ep, 0))
			dist[s] = 1;
	}
	for (round = 0; round < r->topo->nb_sw; round++)
		for (s = 0; s < r->topo->nb_sw; s++)
			for (p = 0; p < r->topo->sw[s].nb_ports; p++) {
				far = topo_far(r->topo, true, s, p);
				if (far == NULL || far->kind != NULL_END_SW ||
				    !link_is_up(r, true, s, p) || dist[far->index] == UINT32_MAX)
					continue;
				via = dist[far->index] + 1;
				dist[s] = via < dist[s] ? via : dist[s];
			}
}

/* Follow the switches' own tables. */
static uint32_t
table_hops(struct enum_rig *r, uint32_t sw, uint32_t ep, uint16_t destid)
{
	uint32_t hops, port, in_port = NULL_SW_ALL;
	const struct null_end *far;

	for (hops = 1; hops < 20; hops++) {
		if (!null_switch_route(&r->fab->sh->sw[sw], in_port, destid, r->self->tt, &port) ||
		    !link_is_up(r, true, sw, port))
			return 0;
		far = topo_far(r->topo, true, sw, port);
		if (far->kind == NULL_END_EP)
			return far->index == ep ? hops : 0;
		sw = far->index;
		in_port = far->port;
	}
	return 0;
}

void
enum_rig_routes(struct enum_rig *r)
{
	uint32_t ep, sw, dist[NULL_SW_MAX];
	struct rio_dev *dev;

	for (ep = 0; ep < r->topo->nb_ep; ep++) {
		dev = enum_rig_ep(r, ep);
		if (dev == NULL)
			continue;
		topo_distances(r, ep, dist);
		for (sw = 0; sw < r->topo->nb_sw; sw++)
			if (table_hops(r, sw, ep, dev->destid) != dist[sw])
				fail_msg("sw%u to n%u (0x%x): %u switches, %u would do", sw, ep,
					 dev->destid, table_hops(r, sw, ep, dev->destid),
					 dist[sw]);
	}
}

void
enum_rig_settled(struct enum_rig *r)
{
	uint32_t i, tag = 0, did, ctl;
	const struct rio_dev *dev;
	struct null_switch *sw;

	for (i = 0; i < RIO_DEV_MAX; i++) {
		dev = &r->e.g.dev[i];
		if (!dev->used)
			continue;
		assert_true(dev->tag > 0 && dev->tag < 0x10000);
		assert_false(dev->fresh || dev->locked);
		if (r->ep_of[i] >= 0) {
			struct rig_dev *d = &r->rig->d[r->ep_of[i]];

			did = rig_rd(d, RIO_DID_CSR);
			assert_int_equal(r->topo->sys16 ? did & 0xffff : did >> 16, dev->destid);
			assert_int_equal(rig_rd(d, RIO_COMPONENT_TAG_CSR), dev->tag);
			assert_int_equal(rig_rd(d, RIO_HOST_DID_LOCK_CSR), 0xffff);
			ctl = rig_rd(d, TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR);
			assert_int_equal(ctl, (i == 0 ? RIO_PORT_GEN_HOST : 0) |
					 RIO_PORT_GEN_MASTER | RIO_PORT_GEN_DISCOVERED);
			continue;
		}
		sw = &r->fab->sh->sw[r->sw_of[i]];
		tag = atomic_load(&sw->comp_tag);
		assert_int_equal(tag, dev->tag);
		assert_int_equal(atomic_load(&sw->host_lock), 0xffff);
		assert_true(atomic_load(&sw->gen_ctl) & RIO_PORT_GEN_DISCOVERED);
		assert_int_equal(atomic_load(&sw->pw_tgt), (uint32_t)r->e.conf.hdid << 16 |
				 (r->topo->sys16 ? RIO_EM_PW_TGT_DEVID_DEV16 : 0));
		for (uint32_t p = 0; p < dev->nb_ports; p++)
			assert_int_equal((atomic_load(&sw->port[p].ctl) & RIO_PORT_N_CTL_LOCKOUT) != 0,
					 !dev->port[p].up);
	}
}

void
enum_rig_rings(struct enum_rig *r)
{
	struct rio_dev *to;
	uint32_t i, j;

	for (i = 0; i < r->topo->nb_ep; i++)
		for (j = 0; j < r->topo->nb_ep; j++) {
			to = enum_rig_ep(r, j);
			if (i == j || to == NULL || enum_rig_ep(r, i) == NULL)
				continue;
			if (!rig_rings(&r->rig->d[i], &r->rig->d[j], to->destid))
				fail_msg("no doorbell of n%u arrives at n%u", i, j);
		}
}

void
enum_rig_check(struct enum_rig *r)
{
	enum_rig_graph(r);
	enum_rig_routes(r);
	enum_rig_settled(r);
	enum_rig_rings(r);
}
