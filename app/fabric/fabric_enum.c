/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What a DPDK process has enumerated, or read, of a fabric: asked of its telemetry
 * socket. Works for boards as for null devices.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <jansson.h>

#include "fabric.h"

#define ANSWER_MAX	(256u * 1024u)
#define ANSWER_S	10

struct ask {
	int fd;
	char *buf;		/* ANSWER_MAX bytes */
};

/* Where the EAL of a process with this file prefix has its socket. */
static int
socket_path(const char *prefix, struct sockaddr_un *addr)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");
	int len;

	if (dir == NULL)
		dir = getuid() == 0 ? "/var/run" : getenv("XDG_RUNTIME_DIR");
	if (dir == NULL)
		dir = "/tmp";
	addr->sun_family = AF_UNIX;
	len = snprintf(addr->sun_path, sizeof(addr->sun_path), "%s/dpdk/%s/dpdk_telemetry.v2", dir,
		       prefix);
	return len < (int)sizeof(addr->sun_path) ? 0 : -1;
}

static int
ask_open(struct ask *ask, const char *prefix)
{
	const struct timeval limit = { .tv_sec = ANSWER_S };
	struct sockaddr_un addr = { 0 };

	ask->fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	ask->buf = malloc(ANSWER_MAX);
	if (ask->fd < 0 || ask->buf == NULL || socket_path(prefix, &addr) != 0 ||
	    setsockopt(ask->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0 ||
	    connect(ask->fd, (struct sockaddr *)&addr, sizeof(addr)) != 0 ||
	    recv(ask->fd, ask->buf, ANSWER_MAX, 0) <= 0) {
		fprintf(stderr, "no DPDK process with file prefix '%s' answers at %s: %s\n", prefix,
			addr.sun_path, strerror(errno));
		return -1;
	}
	return 0;
}

static void
ask_close(struct ask *ask)
{
	if (ask->fd >= 0)
		close(ask->fd);
	free(ask->buf);
}

/* The answer to a command, a new reference; NULL: none, or not of this type. */
static json_t * __attribute__((format(printf, 3, 4)))
ask_json(struct ask *ask, json_type type, const char *fmt, ...)
{
	char cmd[160];
	json_t *all, *one;
	ssize_t n;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	if (len >= (int)sizeof(cmd) || send(ask->fd, cmd, (size_t)len, MSG_NOSIGNAL) != len)
		return NULL;
	n = recv(ask->fd, ask->buf, ANSWER_MAX, 0);
	if (n <= 0)
		return NULL;
	all = json_loadb(ask->buf, (size_t)n, 0, NULL);
	cmd[strcspn(cmd, ",")] = '\0';
	one = json_incref(json_object_get(all, cmd));
	json_decref(all);
	if (one != NULL && json_typeof(one) != type) {
		json_decref(one);
		return NULL;
	}
	return one;
}

static long
num(const json_t *obj, const char *key)
{
	return (long)json_integer_value(json_object_get(obj, key));
}

static const char *
str(const json_t *obj, const char *key)
{
	const char *s = json_string_value(json_object_get(obj, key));

	return s != NULL ? s : "?";
}

/* --- text --- */

static void
print_ids(const json_t *routes, const char *port)
{
	const char *id, *sep = "  IDs ";
	json_t *to;

	json_object_foreach((json_t *)(uintptr_t)routes, id, to)
		if (json_integer_value(to) == strtol(port, NULL, 10)) {
			printf("%s%s", sep, id);
			sep = ",";
		}
}

static void
print_device(const json_t *d)
{
	const json_t *routes = json_object_get(d, "routes");
	json_t *ports = json_object_get(d, "ports_up"), *p;
	char width[48];
	const char *port;

	printf("  %s", str(d, "kind"));
	if (num(d, "destid") >= 0)
		printf(" 0x%02lx", num(d, "destid"));
	printf("  tag %ld, %ld switches away, %04lx:%04lx, %ld port%s%s\n", num(d, "component_tag"),
	       num(d, "hops"), num(d, "device"), num(d, "vendor"), num(d, "ports"),
	       num(d, "ports") == 1 ? "" : "s", num(d, "self") ? ", oneself" : "");
	json_object_foreach(ports, port, p) {
		fabric_link_text((uint32_t)num(p, "lanes"), (uint32_t)num(p, "mbaud"), width,
				 sizeof(width));
		printf("    port %-3s %-14s", port, width);
		if (json_object_get(p, "peer_tag") == NULL)
			printf("  nothing known");
		else if (num(p, "peer_destid") >= 0)
			printf("  endpoint 0x%02lx", num(p, "peer_destid"));
		else
			printf("  switch tag %ld, port %ld", num(p, "peer_tag"), num(p, "peer_port"));
		if (routes != NULL)
			print_ids(routes, port);
		printf("\n");
	}
}

static void
print_fabric(const char *name, const json_t *f, const json_t *devices)
{
	size_t i;

	printf("%s: %s, %s, change %ld; %ld-bit IDs, own 0x%02lx", name, str(f, "role"),
	       str(f, "state"), num(f, "generation"), num(f, "destid_bits"), num(f, "destid"));
	if (num(f, "host_destid") >= 0)
		printf(", host 0x%02lx", num(f, "host_destid"));
	printf("; %ld endpoints, %ld switches, %ld links\n", num(f, "endpoints"), num(f, "switches"),
	       num(f, "links"));
	for (i = 0; i < json_array_size(devices); i++)
		print_device(json_array_get(devices, i));
}

/* --- all of it --- */

/* Devices may go while they are asked about: those are left out. */
static json_t *
ask_devices(struct ask *ask, const char *name, const json_t *fabric)
{
	const json_t *tags = json_object_get(fabric, "devices");
	json_t *list = json_array(), *one;
	size_t i;

	for (i = 0; i < json_array_size(tags); i++) {
		one = ask_json(ask, JSON_OBJECT, "/tsi721/fabric_device,%s,%ld", name,
			       (long)json_integer_value(json_array_get(tags, i)));
		if (one != NULL)
			json_array_append_new(list, one);
	}
	return list;
}

static int
show_one(struct ask *ask, const char *name, json_t *out)
{
	json_t *fabric = ask_json(ask, JSON_OBJECT, "/tsi721/fabric,%s", name), *devices;

	if (fabric == NULL) {
		fprintf(stderr, "there is no device '%s'\n", name);
		return -1;
	}
	devices = ask_devices(ask, name, fabric);
	if (out != NULL) {
		json_object_set_new(fabric, "device", json_string(name));
		json_object_set(fabric, "devices", devices);
		json_array_append(out, fabric);
	} else {
		print_fabric(name, fabric, devices);
	}
	json_decref(devices);
	json_decref(fabric);
	return 0;
}

static int
show_all(struct ask *ask, const char *device, json_t *out)
{
	json_t *names;
	size_t i;
	int ret = 0;

	if (device != NULL)
		return show_one(ask, device, out);
	names = ask_json(ask, JSON_ARRAY, "/tsi721/list");
	if (names == NULL) {
		fprintf(stderr, "the process has not loaded librte_raw_tsi721\n");
		return -1;
	}
	for (i = 0; i < json_array_size(names) && ret == 0; i++)
		if (json_is_string(json_array_get(names, i)))
			ret = show_one(ask, json_string_value(json_array_get(names, i)), out);
	json_decref(names);
	return ret;
}

int
fabric_enumerated(const char *prefix, const char *device, bool json)
{
	json_t *out = json ? json_array() : NULL;
	struct ask ask;
	int ret = ask_open(&ask, prefix);

	if (ret == 0)
		ret = show_all(&ask, device, out);
	if (ret == 0 && json) {
		json_dumpf(out, stdout, JSON_INDENT(2));
		printf("\n");
	}
	json_decref(out);
	ask_close(&ask);
	return ret;
}
