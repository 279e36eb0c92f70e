/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_string_fns.h>
#include <rte_telemetry.h>

#include "tsi721_maint.h"
#include "tsi721_rawdev.h"
#include "tsi721_telemetry.h"

#define PARAM_LEN	64u
/* What of a switch fits into the largest answer that telemetry sends. */
#define PORTS_MAX	160u
#define ROUTES_MAX	250u
#define XSTATS_MAX	250u

/* Held while a command looks at a device. */
static pthread_mutex_t telemetry_lock = PTHREAD_MUTEX_INITIALIZER;

void
tsi721_telemetry_leave(void)
{
	pthread_mutex_lock(&telemetry_lock);
	pthread_mutex_unlock(&telemetry_lock);
}

/* "NAME", "NAME,REST": false, there is no such device. */
static bool
param_device(const char *params, struct tsi721_device **dev, char rest[PARAM_LEN])
{
	char name[TSI721_NAME_LEN];
	size_t len = params != NULL ? strcspn(params, ",") : 0;

	if (len == 0 || len >= sizeof(name))
		return false;
	memcpy(name, params, len);
	name[len] = '\0';
	rest[0] = '\0';
	if (params[len] == ',' && strlcpy(rest, params + len + 1, PARAM_LEN) >= PARAM_LEN)
		return false;
	*dev = tsi721_device_find(name);
	return *dev != NULL;
}

typedef int (*answer_t)(struct tsi721_device *dev, const char *rest, struct rte_tel_data *d);

static int
answer(const char *params, struct rte_tel_data *d, answer_t fn)
{
	struct tsi721_device *dev;
	char rest[PARAM_LEN];
	int ret = -EINVAL;

	pthread_mutex_lock(&telemetry_lock);
	if (param_device(params, &dev, rest))
		ret = fn(dev, rest, d);
	pthread_mutex_unlock(&telemetry_lock);
	return ret;
}

/* --- list, info, xstats --- */

static void
list_one(struct tsi721_device *dev, void *arg)
{
	rte_tel_data_add_array_string(arg, dev->name);
}

static int
cmd_list(const char *cmd, const char *params, struct rte_tel_data *d)
{
	RTE_SET_USED(cmd);
	RTE_SET_USED(params);
	rte_tel_data_start_array(d, RTE_TEL_STRING_VAL);
	tsi721_device_each(list_one, d);
	return 0;
}

static const char *
role_text(enum rte_pmd_tsi721_fabric_role role)
{
	static const char *const text[] = { "none", "agent", "host" };

	return (unsigned int)role < RTE_DIM(text) ? text[role] : "?";
}

static const char *
state_text(enum rte_pmd_tsi721_fabric_state state)
{
	static const char *const text[] = { "unknown", "waiting", "partial", "complete" };

	return (unsigned int)state < RTE_DIM(text) ? text[state] : "?";
}

/* UINT16_MAX stands for none, as in the public header. */
static void
add_id(struct rte_tel_data *d, const char *name, uint16_t id)
{
	rte_tel_data_add_dict_int(d, name, id != UINT16_MAX ? (int)id : -1);
}

static int
answer_info(struct tsi721_device *dev, const char *rest, struct rte_tel_data *d)
{
	uint32_t ctl = tsi721_read32(dev, TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR);
	struct tsi721_link link;

	if (rest[0] != '\0')
		return -EINVAL;
	tsi721_link_get(dev, &link);
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_string(d, "name", dev->name);
	rte_tel_data_add_dict_int(d, "rawdev", dev->rawdev != NULL ? dev->rawdev->dev_id : -1);
	rte_tel_data_add_dict_int(d, "socket", dev->socket_id);
	rte_tel_data_add_dict_int(d, "destid", tsi721_device_destid(dev));
	rte_tel_data_add_dict_int(d, "destid_bits", dev->sys16 ? 16 : 8);
	rte_tel_data_add_dict_u64(d, "component_tag",
				  tsi721_read32(dev, RIO_COMPONENT_TAG_CSR));
	rte_tel_data_add_dict_int(d, "host", (ctl & RIO_PORT_GEN_HOST) != 0);
	rte_tel_data_add_dict_int(d, "discovered", (ctl & RIO_PORT_GEN_DISCOVERED) != 0);
	rte_tel_data_add_dict_int(d, "link_up", link.up);
	rte_tel_data_add_dict_int(d, "link_lanes", link.lanes);
	rte_tel_data_add_dict_int(d, "link_mbaud", (int)link.mbaud);
	rte_tel_data_add_dict_u64(d, "interrupts", dev->intr_count);
	rte_tel_data_add_dict_int(d, "references", (int)dev->refcnt);
	return 0;
}

static int
cmd_info(const char *cmd, const char *params, struct rte_tel_data *d)
{
	RTE_SET_USED(cmd);
	return answer(params, d, answer_info);
}

/* Counters whose names begin with `rest`; without it those that are not 0. */
static int
answer_xstats(struct tsi721_device *dev, const char *rest, struct rte_tel_data *d)
{
	unsigned int n = tsi721_xstats_count(dev), i, added = 0;
	struct rte_rawdev_xstats_name *names = calloc(n, sizeof(*names));
	uint64_t value;
	int ret = 0;

	if (names == NULL)
		return -ENOMEM;
	if (dev->rawdev == NULL || tsi721_xstats_names(dev->rawdev, names, n) != (int)n)
		ret = -EINVAL;
	rte_tel_data_start_dict(d);
	for (i = 0; i < n && ret == 0 && added < XSTATS_MAX; i++) {
		if (strncmp(names[i].name, rest, strlen(rest)) != 0 ||
		    tsi721_xstats_get(dev->rawdev, &i, &value, 1) != 1 ||
		    (rest[0] == '\0' && value == 0))
			continue;
		rte_tel_data_add_dict_u64(d, names[i].name, value);
		added++;
	}
	free(names);
	return ret;
}

static int
cmd_xstats(const char *cmd, const char *params, struct rte_tel_data *d)
{
	RTE_SET_USED(cmd);
	return answer(params, d, answer_xstats);
}

/* --- fabric --- */

static int
add_tags(struct tsi721_device *dev, struct rte_tel_data *d)
{
	int n = tsi721_fabric_devices(dev, NULL, 0), i;
	struct rte_pmd_tsi721_fabric_device *devs = calloc((size_t)n + 1, sizeof(*devs));
	struct rte_tel_data *tags = rte_tel_data_alloc();

	if (devs == NULL || tags == NULL) {
		free(devs);
		rte_tel_data_free(tags);
		return -ENOMEM;
	}
	n = RTE_MIN(tsi721_fabric_devices(dev, devs, (unsigned int)n), n);
	rte_tel_data_start_array(tags, RTE_TEL_U64_VAL);
	for (i = 0; i < n; i++)
		rte_tel_data_add_array_u64(tags, devs[i].comp_tag);
	free(devs);
	return rte_tel_data_add_dict_container(d, "devices", tags, 0);
}

static int
answer_fabric(struct tsi721_device *dev, const char *rest, struct rte_tel_data *d)
{
	struct rte_pmd_tsi721_fabric_info info;

	if (rest[0] != '\0')
		return -EINVAL;
	tsi721_fabric_info(dev, &info);
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_string(d, "role", role_text(info.role));
	rte_tel_data_add_dict_string(d, "state", state_text(info.state));
	rte_tel_data_add_dict_int(d, "generation", (int)info.generation);
	rte_tel_data_add_dict_int(d, "destid", info.destid);
	rte_tel_data_add_dict_int(d, "destid_bits", info.destid_bits);
	add_id(d, "host_destid", info.host_destid);
	rte_tel_data_add_dict_int(d, "endpoints", (int)info.nb_endpoints);
	rte_tel_data_add_dict_int(d, "switches", (int)info.nb_switches);
	rte_tel_data_add_dict_int(d, "links", (int)info.nb_links);
	rte_tel_data_add_dict_u64(d, "sweeps", info.sweeps);
	rte_tel_data_add_dict_u64(d, "changes", info.changes);
	rte_tel_data_add_dict_int(d, "last_change_us", (int)info.last_change_us);
	rte_tel_data_add_dict_int(d, "longest_change_us", (int)info.longest_change_us);
	rte_tel_data_add_dict_u64(d, "portwrites", info.portwrites);
	return add_tags(dev, d);
}

static int
cmd_fabric(const char *cmd, const char *params, struct rte_tel_data *d)
{
	RTE_SET_USED(cmd);
	return answer(params, d, answer_fabric);
}

static int
add_ports(struct tsi721_device *dev, uint32_t tag, struct rte_tel_data *d)
{
	struct rte_pmd_tsi721_fabric_port ports[UINT8_MAX + 1];
	int n = tsi721_fabric_ports(dev, tag, ports, RTE_DIM(ports)), i;
	struct rte_tel_data *list = rte_tel_data_alloc(), *port;
	unsigned int added = 0;
	char name[8];

	if (list == NULL)
		return -ENOMEM;
	rte_tel_data_start_dict(list);
	for (i = 0; i < RTE_MIN(n, (int)RTE_DIM(ports)) && added < PORTS_MAX; i++) {
		if (!ports[i].up)
			continue;
		port = rte_tel_data_alloc();
		if (port == NULL)
			break;
		rte_tel_data_start_dict(port);
		rte_tel_data_add_dict_int(port, "lanes", ports[i].lanes);
		rte_tel_data_add_dict_int(port, "mbaud", ports[i].mbaud);
		if (ports[i].linked) {
			rte_tel_data_add_dict_u64(port, "peer_tag", ports[i].peer_tag);
			rte_tel_data_add_dict_int(port, "peer_port", ports[i].peer_port);
			add_id(port, "peer_destid", ports[i].peer_destid);
		}
		snprintf(name, sizeof(name), "%u", ports[i].port);
		rte_tel_data_add_dict_container(list, name, port, 0);
		added++;
	}
	return rte_tel_data_add_dict_container(d, "ports_up", list, 0);
}

static int
add_routes(struct tsi721_device *dev, uint32_t tag, struct rte_tel_data *d)
{
	struct rte_pmd_tsi721_fabric_route routes[ROUTES_MAX];
	int n = tsi721_fabric_routes(dev, tag, routes, ROUTES_MAX), i;
	struct rte_tel_data *dict;
	char id[16];

	if (n < 0)
		return 0;
	dict = rte_tel_data_alloc();
	if (dict == NULL)
		return -ENOMEM;
	rte_tel_data_start_dict(dict);
	for (i = 0; i < RTE_MIN(n, (int)ROUTES_MAX); i++) {
		snprintf(id, sizeof(id), "%u", routes[i].destid);
		rte_tel_data_add_dict_int(dict, id, routes[i].port);
	}
	return rte_tel_data_add_dict_container(d, "routes", dict, 0);
}

static int
find_device(struct tsi721_device *dev, uint32_t tag, struct rte_pmd_tsi721_fabric_device *out)
{
	int n = tsi721_fabric_devices(dev, NULL, 0), i, ret = -ENOENT;
	struct rte_pmd_tsi721_fabric_device *devs = calloc((size_t)n + 1, sizeof(*devs));

	if (devs == NULL)
		return -ENOMEM;
	n = RTE_MIN(tsi721_fabric_devices(dev, devs, (unsigned int)n), n);
	for (i = 0; i < n && ret != 0; i++)
		if (devs[i].comp_tag == tag) {
			*out = devs[i];
			ret = 0;
		}
	free(devs);
	return ret;
}

/* NAME,TAG */
static int
answer_device(struct tsi721_device *dev, const char *rest, struct rte_tel_data *d)
{
	struct rte_pmd_tsi721_fabric_device fd;
	char *end;
	unsigned long tag = strtoul(rest, &end, 0);
	int ret;

	if (rest[0] == '\0' || *end != '\0' || tag > UINT32_MAX)
		return -EINVAL;
	ret = find_device(dev, (uint32_t)tag, &fd);
	if (ret != 0)
		return ret;
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_u64(d, "component_tag", fd.comp_tag);
	rte_tel_data_add_dict_string(d, "kind", fd.is_switch ? "switch" : "endpoint");
	rte_tel_data_add_dict_int(d, "self", fd.self);
	add_id(d, "destid", fd.destid);
	rte_tel_data_add_dict_int(d, "hops", fd.hops);
	rte_tel_data_add_dict_int(d, "ports", fd.nb_ports);
	rte_tel_data_add_dict_int(d, "vendor", fd.vendor);
	rte_tel_data_add_dict_int(d, "device", fd.device);
	rte_tel_data_add_dict_u64(d, "revision", fd.revision);
	rte_tel_data_add_dict_int(d, "assembly_vendor", fd.asm_vendor);
	rte_tel_data_add_dict_int(d, "assembly_device", fd.asm_device);
	ret = add_ports(dev, fd.comp_tag, d);
	return ret != 0 ? ret : add_routes(dev, fd.comp_tag, d);
}

static int
cmd_device(const char *cmd, const char *params, struct rte_tel_data *d)
{
	RTE_SET_USED(cmd);
	return answer(params, d, answer_device);
}

RTE_INIT(tsi721_telemetry_init)
{
	rte_telemetry_register_cmd("/tsi721/list", cmd_list,
		"Names of Tsi721 devices. No parameter.");
	rte_telemetry_register_cmd("/tsi721/info", cmd_info,
		"Registers and link of a device. Parameter: NAME.");
	rte_telemetry_register_cmd("/tsi721/xstats", cmd_xstats,
		"Counters that are not 0, or all with this beginning. Parameters: NAME[,BEGINNING].");
	rte_telemetry_register_cmd("/tsi721/fabric", cmd_fabric,
		"Enumeration, and component tags of the fabric's devices. Parameter: NAME.");
	rte_telemetry_register_cmd("/tsi721/fabric_device", cmd_device,
		"A device of the fabric: ports that are up, routes. Parameters: NAME,TAG.");
}
