/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The fabric as a device sees it. The host sweeps when the device starts, a moment
 * after a port-write, and now and then: a port-write may be lost. An agent looks
 * at its own registers now and then, and reads the fabric when it was discovered.
 * All but the first look is done by alarms, in the EAL's interrupt thread.
 *
 * Two locks: `work`, held as long as somebody talks to the fabric; `pub`, for a
 * moment, of what is published. Neither is taken by the data path.
 */

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_errno.h>

#include "rio_enum.h"
#include "tsi721_fabric.h"
#include "tsi721_maint.h"
#include "tsi721_portwrite.h"
#include "tsi721_rawdev.h"

#define WATCH_US	250000u	/* between looks, when nothing happens */
#define AGAIN_US	10000u	/* when a look was not complete; twice as long the next time */
#define GLANCE_LOOKS	4u	/* of an agent's looks, one at the switches too */
#define SOON_US		1u
#define BUSY_US		1000u	/* when somebody else looks */
#define PW_MAX		64u	/* port-writes that wait for a sweep */
#define GEN_CTL		(TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR)

struct tsi721_fabric {
	struct tsi721_device *dev;
	pthread_mutex_t work;
	struct rio_enum e;
	uint32_t seen_did, seen_ctl;	/* of an agent: at the last look */
	bool stale;			/* of an agent: read it all */
	uint64_t again_us;
	uint32_t looks;

	pthread_mutex_t pub;
	struct tsi721_fabric_view *view;
	enum rte_pmd_tsi721_fabric_role role;
	enum rte_pmd_tsi721_fabric_state state;
	struct rio_enum_stats stats;
	uint64_t portwrites;
	struct {
		uint32_t tag, port;
	} pw[PW_MAX];
	uint32_t nb_pw;
	bool stopping;
};

/* --- access of the enumerator --- */

static int
access_read(void *ctx, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	return tsi721_maint_read(ctx, destid, hop, off, val);
}

static int
access_write(void *ctx, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val)
{
	return tsi721_maint_write(ctx, destid, hop, off, val);
}

static int
access_local_read(void *ctx, uint32_t off, uint32_t *val)
{
	return tsi721_lcread(ctx, off, val);
}

static int
access_local_write(void *ctx, uint32_t off, uint32_t val)
{
	return tsi721_lcwrite(ctx, off, val);
}

static uint64_t
access_now_us(void *ctx)
{
	RTE_SET_USED(ctx);
	return rte_get_timer_cycles() / (rte_get_timer_hz() / US_PER_S);
}

static void
access_wait_us(void *ctx, uint32_t us)
{
	RTE_SET_USED(ctx);
	rte_delay_us_sleep(us);
}

static void
access_log(void *ctx, enum rio_log level, const char *line)
{
	struct tsi721_device *dev = ctx;

	switch (level) {
	case RIO_LOG_ERROR:
		TSI721_LOG(ERR, dev, "%s", line);
		break;
	case RIO_LOG_NOTICE:
		TSI721_LOG(NOTICE, dev, "%s", line);
		break;
	default:
		TSI721_LOG(DEBUG, dev, "%s", line);
	}
}

static const struct rio_access fabric_access = {
	.read = access_read,
	.write = access_write,
	.local_read = access_local_read,
	.local_write = access_local_write,
	.now_us = access_now_us,
	.wait_us = access_wait_us,
	.log = access_log,
};

static enum rte_pmd_tsi721_fabric_role
role_of(struct tsi721_fabric *fab)
{
	enum rte_pmd_tsi721_fabric_role role;

	pthread_mutex_lock(&fab->pub);
	role = fab->role;
	pthread_mutex_unlock(&fab->pub);
	return role;
}

/* ID of the host: the target of port-writes says it, and of a host it is its own. */
static uint16_t
host_of(struct tsi721_fabric *fab)
{
	const struct rio_dev *dev;
	uint32_t tgt;

	if (fab->role == RTE_PMD_TSI721_FABRIC_HOST)
		return fab->e.conf.hdid;
	dev = fab->e.g.nb > 1 ? &fab->e.g.dev[1] : NULL;
	if (dev == NULL || !dev->used || !dev->is_switch || dev->em == 0 ||
	    tsi721_maint_read(fab->dev, fab->dev->sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8, 0,
			      dev->em + RIO_EM_PW_TGT_DEVID, &tgt) != 0)
		return RIO_NO_ID;
	return (uint16_t)(fab->dev->sys16 ? tgt >> 16 : tgt >> 16 & 0xffu);
}

/* Under `work`. */
static void
publish(struct tsi721_fabric *fab, enum rte_pmd_tsi721_fabric_state state)
{
	struct tsi721_fabric_view *view = NULL, *old = NULL;
	uint32_t was = fab->view != NULL ? fab->view->generation : 0;

	if (fab->e.generation != was) {
		view = tsi721_fabric_view_create(&fab->e);
		if (view != NULL)
			view->host_destid = host_of(fab);
		else
			TSI721_LOG(ERR, fab->dev, "no memory for what is on the fabric");
	}
	pthread_mutex_lock(&fab->pub);
	fab->state = state;
	fab->stats = fab->e.stats;
	if (view != NULL) {
		old = fab->view;
		fab->view = view;
	}
	pthread_mutex_unlock(&fab->pub);
	tsi721_fabric_view_free(old);
	if (view == NULL)
		return;
	TSI721_LOG(INFO, fab->dev, "fabric: %u devices, %u links, change %u took %u us",
		   view->nb_devs, view->nb_links, view->generation, fab->e.stats.last_us);
	tsi721_fabric_tell_change(fab->dev, view->generation);
}

/* --- host --- */

static void
take_portwrites(struct tsi721_fabric *fab)
{
	uint32_t i;

	pthread_mutex_lock(&fab->pub);
	for (i = 0; i < fab->nb_pw; i++)
		rio_enum_suspect(&fab->e, fab->pw[i].tag, fab->pw[i].port);
	fab->nb_pw = 0;
	pthread_mutex_unlock(&fab->pub);
}

static void
become_agent(struct tsi721_fabric *fab)
{
	pthread_mutex_lock(&fab->pub);
	fab->role = RTE_PMD_TSI721_FABRIC_AGENT;
	pthread_mutex_unlock(&fab->pub);
	fab->seen_did = fab->seen_ctl = 0;
	fab->stale = true;
	tsi721_device_destid(fab->dev);
}

/* Returns when to look next. */
static uint64_t
host_look(struct tsi721_fabric *fab)
{
	int ret;

	take_portwrites(fab);
	ret = rio_enum_sweep(&fab->e);
	if (ret == -EBUSY) {
		become_agent(fab);
		publish(fab, RTE_PMD_TSI721_FABRIC_WAITING);
		return SOON_US;
	}
	tsi721_device_destid(fab->dev);
	publish(fab, ret < 0 ? RTE_PMD_TSI721_FABRIC_PARTIAL : RTE_PMD_TSI721_FABRIC_COMPLETE);
	fab->again_us = ret >= 0 || fab->again_us == 0 ? AGAIN_US : 2 * fab->again_us;
	return ret < 0 ? RTE_MIN(fab->again_us, WATCH_US) : WATCH_US;
}

/* --- agent --- */

static bool
discovered(struct tsi721_device *dev)
{
	return (tsi721_read32(dev, GEN_CTL) & RIO_PORT_GEN_DISCOVERED) != 0;
}

/* Read the fabric. Under `work`. */
static int
discover(struct tsi721_fabric *fab)
{
	int ret = rio_enum_discover(&fab->e);

	tsi721_device_destid(fab->dev);
	publish(fab, !discovered(fab->dev) ? RTE_PMD_TSI721_FABRIC_WAITING :
		     ret < 0 ? RTE_PMD_TSI721_FABRIC_PARTIAL : RTE_PMD_TSI721_FABRIC_COMPLETE);
	/* The host may be at it still: once more, until nothing is new. */
	fab->stale = ret != 0;
	return ret;
}

static uint64_t
agent_look(struct tsi721_fabric *fab)
{
	uint32_t did = tsi721_read32(fab->dev, RIO_DID_CSR);
	uint32_t ctl = tsi721_read32(fab->dev, GEN_CTL) & RIO_PORT_GEN_DISCOVERED;

	if (did != fab->seen_did || ctl != fab->seen_ctl)
		fab->stale = true;
	else if (!fab->stale && ctl != 0 && ++fab->looks % GLANCE_LOOKS == 0)
		fab->stale = !rio_enum_glance(&fab->e);
	fab->seen_did = did;
	fab->seen_ctl = ctl;
	if (fab->stale && ctl != 0)
		discover(fab);
	return ctl == 0 ? AGAIN_US : WATCH_US;
}

/* --- when --- */

static void fabric_alarm(void *arg);

static void
look_later(struct tsi721_fabric *fab, uint64_t us)
{
	/* One that somebody else has set meanwhile would be one too many. */
	rte_eal_alarm_cancel(fabric_alarm, fab);
	pthread_mutex_lock(&fab->pub);
	if (!fab->stopping && rte_eal_alarm_set(us, fabric_alarm, fab) != 0)
		TSI721_LOG(ERR, fab->dev, "no alarm: the fabric is watched no more");
	pthread_mutex_unlock(&fab->pub);
}

static void
fabric_alarm(void *arg)
{
	struct tsi721_fabric *fab = arg;
	uint64_t next;

	/* This thread must not wait for one that may wait for it. */
	if (pthread_mutex_trylock(&fab->work) != 0) {
		look_later(fab, BUSY_US);
		return;
	}
	next = role_of(fab) == RTE_PMD_TSI721_FABRIC_HOST ? host_look(fab) : agent_look(fab);
	pthread_mutex_unlock(&fab->work);
	look_later(fab, next);
}

void
tsi721_fabric_portwrite(struct tsi721_device *dev, const uint32_t words[TSI721_RIO_PW_WORDS])
{
	struct tsi721_fabric *fab = dev->fabric;
	bool host;

	TSI721_LOG(DEBUG, dev, "port-write: tag 0x%x, port %u, detect 0x%x", words[0],
		   words[2] & 0xffu, words[1]);
	tsi721_fabric_tell_portwrite(dev, words);
	if (fab == NULL)
		return;
	pthread_mutex_lock(&fab->pub);
	fab->portwrites++;
	host = fab->role == RTE_PMD_TSI721_FABRIC_HOST;
	/* What finds no room here the sweep finds by itself. */
	if (host && fab->nb_pw < PW_MAX) {
		fab->pw[fab->nb_pw].tag = words[0];
		fab->pw[fab->nb_pw++].port = words[2] & 0xffu;
	}
	pthread_mutex_unlock(&fab->pub);
	if (host)
		look_later(fab, SOON_US);
}

/* --- life --- */

static void
fabric_free(struct tsi721_fabric *fab)
{
	rio_enum_fini(&fab->e);
	tsi721_fabric_view_free(fab->view);
	pthread_mutex_destroy(&fab->work);
	pthread_mutex_destroy(&fab->pub);
	free(fab);
}

/* A host's own ID, unless it is told one; nobody's is none. */
static uint16_t
hdid_of(const struct tsi721_device *dev)
{
	if (dev->conf.hdid >= 0)
		return (uint16_t)dev->conf.hdid;
	return dev->destid != (dev->sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8) ? dev->destid : 0;
}

int
tsi721_fabric_start(struct tsi721_device *dev)
{
	struct rio_enum_conf conf = {
		.access = &fabric_access, .ctx = dev, .sys16 = dev->sys16,
		.hdid = hdid_of(dev),
	};
	struct tsi721_fabric *fab = calloc(1, sizeof(*fab));

	if (fab == NULL)
		return -ENOMEM;
	fab->dev = dev;
	fab->role = dev->conf.role;
	fab->stale = true;
	if (rio_enum_init(&fab->e, &conf) != 0) {
		free(fab);
		return -ENOMEM;
	}
	pthread_mutex_init(&fab->work, NULL);
	pthread_mutex_init(&fab->pub, NULL);
	dev->fabric = fab;
	if (fab->role == RTE_PMD_TSI721_FABRIC_NONE)
		return 0;
	if (fab->role == RTE_PMD_TSI721_FABRIC_AGENT)
		fab->state = RTE_PMD_TSI721_FABRIC_WAITING;
	/* The first look is the caller's, later ones are alarms. */
	fabric_alarm(fab);
	return 0;
}

void
tsi721_fabric_stop(struct tsi721_device *dev)
{
	struct tsi721_fabric *fab = dev->fabric;

	if (fab == NULL)
		return;
	pthread_mutex_lock(&fab->pub);
	fab->stopping = true;
	pthread_mutex_unlock(&fab->pub);
	rte_eal_alarm_cancel(fabric_alarm, fab);
	pthread_mutex_lock(&fab->work);
	dev->fabric = NULL;
	pthread_mutex_unlock(&fab->work);
	fabric_free(fab);
}

/* --- what others ask --- */

void
tsi721_fabric_info(struct tsi721_device *dev, struct rte_pmd_tsi721_fabric_info *info)
{
	struct tsi721_fabric *fab = dev->fabric;
	uint32_t i;

	memset(info, 0, sizeof(*info));
	info->destid = dev->destid;
	info->destid_bits = dev->sys16 ? 16 : 8;
	info->host_destid = RIO_NO_ID;
	if (fab == NULL)
		return;
	pthread_mutex_lock(&fab->pub);
	info->role = fab->role;
	info->state = fab->state;
	info->sweeps = fab->stats.sweeps;
	info->changes = fab->stats.changes;
	info->last_change_us = fab->stats.last_us;
	info->longest_change_us = fab->stats.longest_us;
	info->portwrites = fab->portwrites;
	if (fab->view != NULL) {
		info->generation = fab->view->generation;
		info->nb_devices = fab->view->nb_devs;
		for (i = 0; i < fab->view->nb_devs; i++)
			info->nb_switches += fab->view->devs[i].is_switch;
		info->nb_endpoints = info->nb_devices - info->nb_switches;
		info->nb_links = fab->view->nb_links;
		info->host_destid = fab->view->host_destid;
	}
	pthread_mutex_unlock(&fab->pub);
}

int
tsi721_fabric_devices(struct tsi721_device *dev, struct rte_pmd_tsi721_fabric_device *devs,
		      unsigned int max)
{
	struct tsi721_fabric *fab = dev->fabric;
	unsigned int n = 0;

	if (fab == NULL)
		return 0;
	pthread_mutex_lock(&fab->pub);
	if (fab->view != NULL) {
		n = fab->view->nb_devs;
		if (max != 0)
			memcpy(devs, fab->view->devs, RTE_MIN(n, max) * sizeof(*devs));
	}
	pthread_mutex_unlock(&fab->pub);
	return (int)n;
}

/* Under `pub`. */
static int
view_index(const struct tsi721_fabric *fab, uint32_t tag)
{
	uint32_t i;

	for (i = 0; fab->view != NULL && i < fab->view->nb_devs; i++)
		if (fab->view->devs[i].comp_tag == tag)
			return (int)i;
	return -ENOENT;
}

int
tsi721_fabric_ports(struct tsi721_device *dev, uint32_t tag,
		    struct rte_pmd_tsi721_fabric_port *ports, unsigned int max)
{
	struct tsi721_fabric *fab = dev->fabric;
	int i, ret;

	if (fab == NULL)
		return -ENOENT;
	pthread_mutex_lock(&fab->pub);
	i = ret = view_index(fab, tag);
	if (i >= 0) {
		ret = (int)fab->view->of[i].nb_ports;
		if (max != 0)
			memcpy(ports, fab->view->of[i].ports,
			       RTE_MIN((unsigned int)ret, max) * sizeof(*ports));
	}
	pthread_mutex_unlock(&fab->pub);
	return ret;
}

int
tsi721_fabric_routes(struct tsi721_device *dev, uint32_t tag,
		     struct rte_pmd_tsi721_fabric_route *routes, unsigned int max)
{
	struct tsi721_fabric *fab = dev->fabric;
	int i, ret;

	if (fab == NULL)
		return -ENOENT;
	pthread_mutex_lock(&fab->pub);
	i = ret = view_index(fab, tag);
	if (i >= 0 && !fab->view->devs[i].is_switch)
		ret = -ENOENT;
	if (ret >= 0) {
		ret = (int)fab->view->of[i].nb_routes;
		if (max != 0)
			memcpy(routes, fab->view->of[i].routes,
			       RTE_MIN((unsigned int)ret, max) * sizeof(*routes));
	}
	pthread_mutex_unlock(&fab->pub);
	return ret;
}

int
tsi721_fabric_rescan(struct tsi721_device *dev)
{
	struct tsi721_fabric *fab = dev->fabric;
	int ret;

	if (fab == NULL)
		return -EAGAIN;
	if (role_of(fab) == RTE_PMD_TSI721_FABRIC_HOST) {
		look_later(fab, SOON_US);
		return 0;
	}
	pthread_mutex_lock(&fab->work);
	ret = discover(fab);
	pthread_mutex_unlock(&fab->work);
	return ret < 0 ? -EAGAIN : 0;
}

/* Agents and those without a role read the fabric when somebody asks first. */
static bool
fabric_known(struct tsi721_device *dev)
{
	struct rte_pmd_tsi721_fabric_info info;

	tsi721_fabric_info(dev, &info);
	if (info.role == RTE_PMD_TSI721_FABRIC_HOST)
		return info.generation != 0;
	if (!discovered(dev))
		return false;
	return tsi721_fabric_rescan(dev) == 0;
}

int
tsi721_fabric_stations(struct tsi721_device *dev, uint16_t *destids, unsigned int max)
{
	struct tsi721_fabric *fab = dev->fabric;
	unsigned int n = 0;
	uint32_t i;

	if (fab == NULL || !fabric_known(dev))
		return -EAGAIN;
	pthread_mutex_lock(&fab->pub);
	for (i = 0; fab->view != NULL && i < fab->view->nb_devs && n < max; i++)
		if (!fab->view->devs[i].is_switch && !fab->view->devs[i].self &&
		    fab->view->devs[i].destid != RIO_NO_ID)
			destids[n++] = fab->view->devs[i].destid;
	pthread_mutex_unlock(&fab->pub);
	return (int)n;
}

int
tsi721_fabric_wait(struct tsi721_device *dev, uint32_t ms)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * ms / 1000;

	if (dev->fabric == NULL || role_of(dev->fabric) != RTE_PMD_TSI721_FABRIC_AGENT)
		return 0;
	while (!discovered(dev)) {
		if (rte_get_timer_cycles() > end)
			return -ETIMEDOUT;
		rte_delay_us_sleep(1000);
	}
	tsi721_device_destid(dev);
	return 0;
}
