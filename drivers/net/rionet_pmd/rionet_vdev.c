/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Making and removing ports. A port is a vdev on a raw device: one that has a
 * name, or a null device of its own.
 */

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <bus_driver.h>
#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include <rio_regs.h>
#include <tsi721_device.h>

#include "rionet_ethdev.h"
#include "rionet_port.h"
#include "rionet_proto.h"
#include "rionet_telemetry.h"

#define ERR_LEN		512u
#define DISCOVERED_WAIT_MS	3000u

RTE_LOG_REGISTER(rionet_logtype, pmd.net.rionet, NOTICE);

/* Ports by raw device: a device carries one. */
static TAILQ_HEAD(, rionet_port) ports = TAILQ_HEAD_INITIALIZER(ports);
static pthread_mutex_t ports_lock = PTHREAD_MUTEX_INITIALIZER;

/* -EBUSY: the raw device has a port. */
static int
port_enter(struct rionet_port *port)
{
	struct rionet_port *other;

	pthread_mutex_lock(&ports_lock);
	TAILQ_FOREACH(other, &ports, next)
		if (other->dev == port->dev)
			break;
	if (other == NULL)
		TAILQ_INSERT_TAIL(&ports, port, next);
	pthread_mutex_unlock(&ports_lock);
	if (other == NULL)
		return 0;
	RIONET_LOG(ERR, port->data->name, "raw=%s: is used by %s already", port->args.raw,
		   other->data->name);
	return -EBUSY;
}

static void
port_leave(struct rionet_port *port)
{
	pthread_mutex_lock(&ports_lock);
	TAILQ_REMOVE(&ports, port, next);
	pthread_mutex_unlock(&ports_lock);
}

void
rionet_port_fini(struct rionet_port *port)
{
	rionet_telemetry_leave(port);
	if (port->entered)
		port_leave(port);
	port->entered = false;
	rionet_fdb_free(port->fdb);
	port->fdb = NULL;
	rionet_peers_free(port->peers);
	port->peers = NULL;
	tsi721_device_put(port->dev);
	port->dev = NULL;
}

static int
vdev_cmp_name(const struct rte_device *dev, const void *name)
{
	return strcmp(rte_dev_name(dev), name);
}

/*
 * Virtual devices are probed in the order in which they were given: this one may come later.
 * Others than raw_tsi721's are left alone, this port itself among them.
 */
static void
probe_raw_vdev(const char *name)
{
	struct rte_bus *bus = rte_bus_find_by_name("vdev");
	struct rte_device *dev;

	if (strncmp(name, TSI721_VDEV_PREFIX, strlen(TSI721_VDEV_PREFIX)) != 0)
		return;
	if (bus == NULL || bus->find_device == NULL || bus->plug == NULL)
		return;
	dev = bus->find_device(NULL, vdev_cmp_name, name);
	if (dev != NULL && !rte_dev_is_probed(dev))
		bus->plug(dev);
}

static int
port_hold_device(struct rionet_port *port)
{
	const char *name = port->data->name;
	const char *raw = port->args.raw;

	if (raw[0] == '\0')
		return tsi721_device_open_own(name, port->args.null_args, &port->dev);
	port->dev = tsi721_device_get(raw);
	if (port->dev == NULL) {
		probe_raw_vdev(raw);
		port->dev = tsi721_device_get(raw);
	}
	if (port->dev == NULL) {
		RIONET_LOG(ERR, name, "raw=%s: no such raw device; allowed: the name of a "
			   "raw_tsi721 vdev, the PCI address of a board", raw);
		return -ENODEV;
	}
	return 0;
}

/* Arguments that only the device can tell to be wrong. */
static int
port_check_args(const struct rionet_port *port)
{
	const struct rionet_args *args = &port->args;
	unsigned int max = port->dev->sys16 ? UINT16_MAX - 1 : RIO_ANY_DESTID_8 - 1;
	unsigned int i;

	if (args->unknown == RIONET_UNKNOWN_PEER &&
	    (args->unknown_destid > max || args->unknown_destid == port->dev->destid)) {
		RIONET_LOG(ERR, port->data->name,
			   "unknown=%u: allowed: another station's destination ID up to %u, not %u",
			   args->unknown_destid, max, port->dev->destid);
		return -EINVAL;
	}
	for (i = 0; i < args->nb_ranges; i++)
		if (args->ranges[i].last > max) {
			RIONET_LOG(ERR, port->data->name,
				   "peers=%u-%u: destination IDs of this fabric end at %u",
				   args->ranges[i].first, args->ranges[i].last, max);
			return -EINVAL;
		}
	return 0;
}

static int
port_init(struct rionet_port *port, int socket_id)
{
	struct rte_ether_addr *addr;
	int ret;

	ret = port_hold_device(port);
	if (ret != 0)
		return ret;
	/* The destination ID is the address: a host may be about to give it. */
	if (tsi721_fabric_wait(port->dev, DISCOVERED_WAIT_MS) != 0)
		RIONET_LOG(NOTICE, port->data->name,
			   "no host has discovered its device yet: destination ID 0x%x may change",
			   port->dev->destid);
	ret = port_check_args(port);
	if (ret == 0)
		ret = port_enter(port);
	if (ret != 0)
		return ret;
	port->entered = true;
	port->hz = rte_get_tsc_hz();
	port->peers = rionet_peers_create(port->dev->destid, socket_id);
	port->fdb = rionet_fdb_create(socket_id);
	addr = rte_zmalloc_socket("rionet_mac", RIONET_MAC_ADDRS_MAX * sizeof(*addr), 0,
				  socket_id);
	if (port->peers == NULL || port->fdb == NULL || addr == NULL) {
		RIONET_LOG(ERR, port->data->name, "no memory");
		rte_free(addr);
		return -ENOMEM;
	}
	port->filter.mac = rionet_mac_of(port->dev->destid);
	rionet_mac_to_addr(port->filter.mac, addr);
	port->data->mac_addrs = addr;
	return 0;
}

/* The port that the primary process made, as a secondary one sees it. */
static int
rionet_attach(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rte_eth_dev *dev = rte_eth_dev_attach_secondary(name);

	if (dev == NULL) {
		RIONET_LOG(ERR, name, "the primary process has no such port");
		return -ENODEV;
	}
	rionet_ethdev_attach(dev);
	dev->device = &vdev->device;
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
rionet_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rionet_args args;
	struct rionet_port *port;
	struct rte_eth_dev *dev;
	char err[ERR_LEN];
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return rionet_attach(vdev);
	ret = rionet_args_parse(rte_vdev_device_args(vdev), &args, err, sizeof(err));
	if (ret != 0) {
		RIONET_LOG(ERR, name, "%s", err);
		return ret;
	}
	if (vdev->device.numa_node == SOCKET_ID_ANY)
		vdev->device.numa_node = rte_socket_id();
	dev = rte_eth_vdev_allocate(vdev, sizeof(*port));
	if (dev == NULL) {
		RIONET_LOG(ERR, name, "no memory, or %u ports are in use", RTE_MAX_ETHPORTS);
		return -ENOMEM;
	}
	port = dev->data->dev_private;
	port->data = dev->data;
	port->args = args;
	ret = port_init(port, dev->data->numa_node);
	if (ret != 0) {
		rionet_port_fini(port);
		rte_eth_dev_release_port(dev);
		/* The bus would take -EEXIST for a device that it has probed already. */
		return ret == -EEXIST ? -EBUSY : ret;
	}
	rionet_ethdev_init(dev);
	rionet_telemetry_enter(port);
	rte_eth_dev_probing_finish(dev);
	RIONET_LOG(INFO, name, "port on %s, destination ID %u", port->dev->name,
		   port->dev->destid);
	return 0;
}

static int
rionet_remove(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	/* In a secondary process one that was closed is still found by its name. */
	if (dev == NULL || dev->dev_ops == NULL)
		return 0;
	dev->dev_ops->dev_close(dev);
	return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver rionet_vdev_driver = {
	.probe = rionet_probe,
	.remove = rionet_remove,
};

RTE_PMD_REGISTER_VDEV(net_rionet, rionet_vdev_driver);
RTE_PMD_REGISTER_PARAM_STRING(net_rionet,
	RIONET_ARG_RAW "=<name> "
	RIONET_ARG_MODE "=<auto|msg|dma> "
	RIONET_ARG_RX "=<auto|copy|zc> "
	RIONET_ARG_REGION "=<1..1024> "
	RIONET_ARG_UNKNOWN "=<flood|drop|0..65535> "
	RIONET_ARG_PEERS "=<N|N-M|[N,N-M,...]> "
	RIONET_ARG_AGEING "=<0..1000000> "
	"and, without raw=, the arguments of raw_tsi721");
