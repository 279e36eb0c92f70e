/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/ipv6.h>
#include <linux/virtio_net.h>
#include <net/if_arp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app_error.h"
#include "tap_iface.h"

#define TUN_DEVICE "/dev/net/tun"

int
tap_address_parse(const char *text, struct tap_address *address)
{
	char copy[INET6_ADDRSTRLEN + 8];
	unsigned int most;
	char *slash, *end;
	unsigned long length;

	if (strlen(text) >= sizeof(copy))
		return -1;
	strcpy(copy, text);
	slash = strchr(copy, '/');
	if (slash == NULL || slash[1] < '0' || slash[1] > '9')
		return -1;
	*slash = '\0';
	if (inet_pton(AF_INET, copy, &address->v4) == 1)
		address->family = AF_INET;
	else if (inet_pton(AF_INET6, copy, &address->v6) == 1)
		address->family = AF_INET6;
	else
		return -1;
	most = address->family == AF_INET ? 32 : 128;
	length = strtoul(slash + 1, &end, 10);
	if (*end != '\0' || length > most)
		return -1;
	address->length = (unsigned int)length;
	return 0;
}

static void
request(const struct tap_iface *iface, struct ifreq *req)
{
	memset(req, 0, sizeof(*req));
	memcpy(req->ifr_name, iface->name, sizeof(req->ifr_name));
}

static int
open_queue(struct tap_iface *iface, short flags)
{
	int size = sizeof(struct virtio_net_hdr);
	struct ifreq req;
	int fd = open(TUN_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return app_error("cannot open %s: %s", TUN_DEVICE, strerror(errno));
	request(iface, &req);
	req.ifr_flags = flags;
	if (ioctl(fd, TUNSETIFF, &req) < 0) {
		int err = errno;

		close(fd);
		if (err == EPERM)
			return app_error("cannot make interface %s: the right to (CAP_NET_ADMIN) "
					 "is missing", iface->name);
		return app_error("cannot make interface %s: %s", iface->name, strerror(err));
	}
	memcpy(iface->name, req.ifr_name, sizeof(iface->name));
	if (ioctl(fd, TUNSETVNETHDRSZ, &size) < 0) {
		app_error("interface %s takes no virtio-net headers: %s", iface->name,
			  strerror(errno));
		close(fd);
		return -1;
	}
	iface->fd[iface->queues++] = fd;
	return 0;
}

int
tap_iface_open(struct tap_iface *iface, const char *name, unsigned int queues)
{
	short flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR | (queues > 1 ? IFF_MULTI_QUEUE : 0);

	memset(iface, 0, sizeof(*iface));
	strncpy(iface->name, name, sizeof(iface->name) - 1);
	iface->control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (iface->control < 0)
		return app_error("cannot make a socket: %s", strerror(errno));
	while (iface->queues < queues)
		if (open_queue(iface, flags) < 0) {
			tap_iface_close(iface);
			return -1;
		}
	return 0;
}

int
tap_iface_set_offload(const struct tap_iface *iface, const struct tap_offload *offload)
{
	unsigned int flags = 0;

	if (offload->checksum)
		flags |= TUN_F_CSUM;
	if (offload->checksum && offload->tso)
		flags |= TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
	for (unsigned int q = 0; q < iface->queues; q++)
		if (ioctl(iface->fd[q], TUNSETOFFLOAD, flags) < 0)
			return app_error("cannot set offloads of %s: %s", iface->name,
					 strerror(errno));
	return 0;
}

static int
set(const struct tap_iface *iface, unsigned long what, struct ifreq *req, const char *text)
{
	if (ioctl(iface->control, what, req) < 0)
		return app_error("cannot set the %s of %s: %s", text, iface->name,
				 strerror(errno));
	return 0;
}

int
tap_iface_set_mac(const struct tap_iface *iface, const struct rte_ether_addr *mac)
{
	struct ifreq req;

	request(iface, &req);
	req.ifr_hwaddr.sa_family = ARPHRD_ETHER;
	memcpy(req.ifr_hwaddr.sa_data, mac->addr_bytes, RTE_ETHER_ADDR_LEN);
	return set(iface, SIOCSIFHWADDR, &req, "MAC address");
}

int
tap_iface_set_mtu(const struct tap_iface *iface, uint32_t mtu)
{
	struct ifreq req;

	request(iface, &req);
	req.ifr_mtu = (int)mtu;
	return set(iface, SIOCSIFMTU, &req, "MTU");
}

static int
add_v4(const struct tap_iface *iface, const struct tap_address *address)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr = address->v4 };
	struct ifreq req;

	request(iface, &req);
	memcpy(&req.ifr_addr, &in, sizeof(in));
	if (set(iface, SIOCSIFADDR, &req, "IPv4 address") < 0)
		return -1;
	in.sin_addr.s_addr = address->length == 0 ? 0 :
			     htonl(UINT32_MAX << (32 - address->length));
	request(iface, &req);
	memcpy(&req.ifr_netmask, &in, sizeof(in));
	return set(iface, SIOCSIFNETMASK, &req, "IPv4 netmask");
}

static int
add_v6(const struct tap_iface *iface, const struct tap_address *address)
{
	struct in6_ifreq req = { .ifr6_addr = address->v6, .ifr6_prefixlen = address->length,
				 .ifr6_ifindex = (int)if_nametoindex(iface->name) };
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = fd < 0 ? -1 : ioctl(fd, SIOCSIFADDR, &req);

	if (ret < 0)
		app_error("cannot set the IPv6 address of %s: %s", iface->name, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret < 0 ? -1 : 0;
}

int
tap_iface_add_address(const struct tap_iface *iface, const struct tap_address *address)
{
	return address->family == AF_INET ? add_v4(iface, address) : add_v6(iface, address);
}

int
tap_iface_up(const struct tap_iface *iface)
{
	struct ifreq req;

	request(iface, &req);
	if (ioctl(iface->control, SIOCGIFFLAGS, &req) < 0)
		return app_error("cannot read the flags of %s: %s", iface->name, strerror(errno));
	req.ifr_flags |= IFF_UP;
	return set(iface, SIOCSIFFLAGS, &req, "flags");
}

void
tap_iface_set_carrier(const struct tap_iface *iface, bool on)
{
	int carrier = on;

	/* A kernel without it (before 5.0) shows a carrier always. */
	(void)!ioctl(iface->fd[0], TUNSETCARRIER, &carrier);
}

void
tap_iface_close(struct tap_iface *iface)
{
	for (unsigned int q = 0; q < iface->queues; q++)
		close(iface->fd[q]);
	iface->queues = 0;
	if (iface->control >= 0)
		close(iface->control);
	iface->control = -1;
}
