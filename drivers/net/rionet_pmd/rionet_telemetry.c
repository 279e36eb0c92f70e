/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_ethdev.h>
#include <rte_telemetry.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>

#include "rionet_peer_stats.h"
#include "rionet_port.h"
#include "rionet_telemetry.h"

/* What fits into the largest answer. */
#define PEERS_A_TIME	100u
#define NAME_LEN	64u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rionet_port *shown[RTE_MAX_ETHPORTS];	/* by ethdev port */

void
rionet_telemetry_lock(void)
{
	pthread_mutex_lock(&lock);
}

void
rionet_telemetry_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void
rionet_telemetry_enter(struct rionet_port *port)
{
	rionet_telemetry_lock();
	shown[port->data->port_id] = port;
	rionet_telemetry_unlock();
}

void
rionet_telemetry_leave(struct rionet_port *port)
{
	rionet_telemetry_lock();
	if (shown[port->data->port_id] == port)
		shown[port->data->port_id] = NULL;
	rionet_telemetry_unlock();
}

/* "N" or "N,FROM"; lock held. NULL: no such port, or something else than numbers. */
static struct rionet_port *
param_port(const char *params, unsigned long *from)
{
	unsigned long id;
	char *end;

	*from = 0;
	if (params == NULL || !isdigit((unsigned char)params[0]))
		return NULL;
	id = strtoul(params, &end, 10);
	if (*end == ',' && isdigit((unsigned char)end[1]))
		*from = strtoul(end + 1, &end, 10);
	return *end == '\0' && id < RTE_MAX_ETHPORTS ? shown[id] : NULL;
}

static int
cmd_list(const char *cmd, const char *params, struct rte_tel_data *d)
{
	unsigned int i;

	RTE_SET_USED(cmd);
	RTE_SET_USED(params);
	rte_tel_data_start_array(d, RTE_TEL_INT_VAL);
	rionet_telemetry_lock();
	for (i = 0; i < RTE_MAX_ETHPORTS; i++)
		if (shown[i] != NULL)
			rte_tel_data_add_array_int(d, i);
	rionet_telemetry_unlock();
	return 0;
}

static const char *
unknown_text(enum rionet_unknown unknown)
{
	static const char *const text[] = { "flood", "drop", "peer" };

	return text[unknown];
}

static int
cmd_info(const char *cmd, const char *params, struct rte_tel_data *d)
{
	struct rionet_port *port;
	unsigned long from;

	RTE_SET_USED(cmd);
	rionet_telemetry_lock();
	port = param_port(params, &from);
	if (port != NULL) {
		rte_tel_data_start_dict(d);
		rte_tel_data_add_dict_string(d, "name", port->data->name);
		rte_tel_data_add_dict_string(d, "raw", port->dev->name);
		rte_tel_data_add_dict_int(d, "destid", port->peers->self);
		rte_tel_data_add_dict_int(d, "started", port->started);
		rte_tel_data_add_dict_int(d, "link", port->data->dev_link.link_status);
		rte_tel_data_add_dict_string(d, "unknown", unknown_text(port->args.unknown));
		rte_tel_data_add_dict_int(d, "ageing", port->args.ageing);
		rte_tel_data_add_dict_int(d, "mac_entries", rionet_fdb_count(port->fdb));
		rte_tel_data_add_dict_int(d, "peers_joined",
					  rionet_peers_count(port->peers, RIONET_PEER_JOINED));
	}
	rionet_telemetry_unlock();
	return port != NULL ? 0 : -EINVAL;
}

static int
add_peer(struct rte_tel_data *d, const struct rionet_peer_view *view)
{
	struct rte_tel_data *one = rte_tel_data_alloc();
	char name[NAME_LEN];
	unsigned int i;

	if (one == NULL)
		return -ENOMEM;
	rte_tel_data_start_dict(one);
	rte_tel_data_add_dict_string(one, "state", rionet_peer_state_name(view->state));
	for (i = 0; i < RIONET_PEER_STATS; i++)
		rte_tel_data_add_dict_u64(one, rionet_peer_stat_names[i], view->value[i]);
	snprintf(name, sizeof(name), "%u", view->destid);
	if (rte_tel_data_add_dict_container(d, name, one, 0) == 0)
		return 0;
	rte_tel_data_free(one);
	return -ENOSPC;
}

static int
cmd_peers(const char *cmd, const char *params, struct rte_tel_data *d)
{
	struct rionet_peer_view view;
	struct rionet_port *port;
	unsigned long from;
	unsigned int s, n = 0;

	RTE_SET_USED(cmd);
	rionet_telemetry_lock();
	port = param_port(params, &from);
	if (port != NULL) {
		rte_tel_data_start_dict(d);
		for (s = from + 1; s <= port->peers->nb && n < PEERS_A_TIME; s++, n++) {
			rionet_peer_view(port, s, &view);
			if (add_peer(d, &view) != 0)
				break;
		}
	}
	rionet_telemetry_unlock();
	return port != NULL ? 0 : -EINVAL;
}

RTE_INIT(rionet_telemetry_init)
{
	rte_telemetry_register_cmd("/rionet/list", cmd_list, "Ports of this driver. No parameters");
	rte_telemetry_register_cmd("/rionet/info", cmd_info,
				   "A port and its settings. Parameters: int port_id");
	rte_telemetry_register_cmd("/rionet/peers", cmd_peers,
				   "Stations, by destination ID: state, and what was exchanged, "
				   "100 at most. Parameters: int port_id[,int first]");
}
