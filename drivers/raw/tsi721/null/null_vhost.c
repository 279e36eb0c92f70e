/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The vhost-user server: sockets, the loop, guests that come and go. */

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "null_guard.h"
#include "null_vhost_internal.h"

#define LINE_LEN	512
#define EVENTS		32
#define HELD_MS		1	/* between looks at a device that makes its kernel wait */
/*
 * All BARs of a user-mode Linux kernel share 256 MiB, and it reaches 16 MiB
 * of one mapping: windows larger than this could not be used.
 */
#define WIN_SIZE	(16ull << 20)

/* ---- the log ---- */

static void
vlog(struct vhost_node *node, const char *fmt, va_list ap)
{
	char line[LINE_LEN];
	int n = snprintf(line, sizeof(line), "%s: ", node->addr.sun_path);

	vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
	node->vhost->log(node->vhost->log_ctx, line);
}

void
vhost_log(struct vhost_node *node, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vlog(node, fmt, ap);
	va_end(ap);
}

void
vhost_guest_fail(struct vhost_node *node, const char *fmt, ...)
{
	va_list ap;

	if (node->guest.lost)
		return;
	node->guest.lost = true;
	va_start(ap, fmt);
	vlog(node, fmt, ap);
	va_end(ap);
}

void
vhost_guest_complain(struct vhost_node *node, const char *fmt, ...)
{
	va_list ap;

	if (node->guest.complaints > VHOST_COMPLAINTS_MAX)
		return;
	if (node->guest.complaints++ == VHOST_COMPLAINTS_MAX) {
		vhost_log(node, "more of this kernel's mistakes are not shown");
		return;
	}
	va_start(ap, fmt);
	vlog(node, fmt, ap);
	va_end(ap);
}

/* What the device counted while a guest had it. */
static void
log_stats(struct vhost_node *node)
{
	char line[LINE_LEN];
	size_t n = 0;
	int i;

	line[0] = '\0';
	for (i = 0; i < NULL_STAT_COUNT && n < sizeof(line) - 1; i++) {
		uint64_t val = null_device_stat_get(node->dev, (enum null_stat)i);

		if (val != 0)
			n += (size_t)snprintf(line + n, sizeof(line) - n, " %s=%llu",
					      null_device_stat_name((enum null_stat)i),
					      (unsigned long long)val);
	}
	vhost_log(node, "connection ended:%s", line[0] != '\0' ? line : " nothing was done");
}

/* ---- files in the epoll set ---- */

static int
watch_add(struct null_vhost *vhost, int fd, uint32_t events, struct vhost_watch *watch)
{
	struct epoll_event ev = { .events = events, .data.ptr = watch };

	return epoll_ctl(vhost->epoll, EPOLL_CTL_ADD, fd, &ev) < 0 ? -errno : 0;
}

/* Closing alone would not do: somebody else may have the same file open. */
static void
watch_close(struct null_vhost *vhost, int *fd)
{
	if (*fd < 0)
		return;
	epoll_ctl(vhost->epoll, EPOLL_CTL_DEL, *fd, NULL);
	close(*fd);
	*fd = -1;
}

int
vhost_kick_set(struct vhost_node *node, uint32_t queue, int fd)
{
	struct vhost_queue *q = &node->guest.queue[queue];
	int ret;

	watch_close(node->vhost, &q->kick);
	if (fd < 0)
		return 0;
	/* Edge-triggered, and never read: reading could block on what the guest does. */
	ret = watch_add(node->vhost, fd, EPOLLIN | EPOLLET, &node->on_kick[queue]);
	if (ret < 0) {
		vhost_guest_complain(node, "file that queue %u is kicked by: %s", queue,
				     strerror(-ret));
		close(fd);
		return ret;
	}
	q->kick = fd;
	q->more = true;
	return 0;
}

/* ---- guests ---- */

static void
guest_init(struct vhost_guest *guest)
{
	uint32_t i;

	memset(guest, 0, sizeof(*guest));
	guest->conn = guest->slave_req = -1;
	for (i = 0; i < VHOST_QUEUES; i++)
		guest->queue[i].kick = guest->queue[i].call = -1;
}

static void
irqs_clear(struct vhost_irqs *irqs)
{
	uint32_t i;

	for (i = 0; i < sizeof(irqs->pending) / sizeof(irqs->pending[0]); i++)
		atomic_store(&irqs->pending[i], 0);
	atomic_store(&irqs->fresh, false);
}

/* Attach the device; its place on the fabric is the same each time. */
static int
device_open(struct vhost_node *node, char *err, size_t errlen)
{
	int ret = null_device_open(&node->params, &node->dev, err, errlen);

	if (ret < 0) {
		node->dev = NULL;
		return ret;
	}
	null_device_info_get(node->dev, &node->info);
	node->params.fabric = node->info.fabric;
	node->params.node = node->info.node;
	/* All ones: an enumerating host is to give one. */
	if (node->info.destid != (node->info.sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8))
		node->params.destid = node->info.destid;
	return 0;
}

static bool
device_reopen(struct vhost_node *node)
{
	char err[NULL_ERR_LEN] = "";

	if (device_open(node, err, sizeof(err)) == 0)
		return true;
	vhost_log(node, "device cannot be attached again: %s", err);
	return false;
}

/* Its memory and files are forgotten, its device is detached. */
static void
guest_end(struct vhost_node *node)
{
	struct vhost_guest *guest = &node->guest;
	uint32_t i;

	if (guest->conn < 0)
		return;
	watch_close(node->vhost, &guest->conn);
	for (i = 0; i < VHOST_QUEUES; i++) {
		watch_close(node->vhost, &guest->queue[i].kick);
		if (guest->queue[i].call >= 0)
			close(guest->queue[i].call);
	}
	if (guest->slave_req >= 0)
		close(guest->slave_req);
	while (guest->nb_fds > 0)
		close(guest->fds[--guest->nb_fds]);
	log_stats(node);
	vhost_mem_clear(node);
	null_device_close(node->dev);
	node->dev = NULL;
	guest_init(guest);
	irqs_clear(&node->irqs);
}

/* Has the one that is connected gone, without the loop having seen it yet? */
static bool
guest_gone(const struct vhost_guest *guest)
{
	struct pollfd pfd = { .fd = guest->conn, .events = POLLRDHUP };

	return poll(&pfd, 1, 0) == 1 && (pfd.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static void
guest_begin(struct vhost_node *node)
{
	int fd = accept4(node->listen, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (node->guest.conn >= 0 && guest_gone(&node->guest)) {
		guest_end(node);
		device_reopen(node);
	}
	if (node->guest.conn >= 0) {
		vhost_log(node, "second kernel is refused");
		close(fd);
		return;
	}
	if ((node->dev == NULL && !device_reopen(node)) ||
	    watch_add(node->vhost, fd, EPOLLIN, &node->on_conn) < 0) {
		close(fd);
		return;
	}
	node->guest.conn = fd;
	irqs_clear(&node->irqs);
	vhost_log(node, "kernel connected");
}

/* ---- the loop ---- */

void
vhost_wake(struct null_vhost *vhost)
{
	const uint64_t one = 1;

	if (!atomic_load(&vhost->awake))
		(void)!write(vhost->wake, &one, sizeof(one));
}

static void
on_event(const struct vhost_watch *watch)
{
	struct vhost_node *node = watch->node;

	switch (watch->kind) {
	case VHOST_WATCH_WAKE:
		return;
	case VHOST_WATCH_LISTEN:
		guest_begin(node);
		return;
	case VHOST_WATCH_CONN:
		if (node->guest.conn >= 0 && !vhost_msg_receive(node))
			node->guest.lost = true;
		return;
	case VHOST_WATCH_KICK:
		node->guest.queue[watch->queue].more = true;
		return;
	}
}

/* Everything a node has to do. */
static void
node_turn(struct vhost_node *node)
{
	struct vhost_guest *guest = &node->guest;
	struct vhost_queue *cmd = &guest->queue[VHOST_QUEUE_CMD];

	if (guest->conn >= 0 && (cmd->more || cmd->held))
		vhost_pci_run(node);
	if (atomic_load(&node->irqs.fresh) || guest->queue[VHOST_QUEUE_IRQ].more)
		vhost_pci_irqs(node);
	if (guest->lost) {
		guest_end(node);
		device_reopen(node);
	}
}

/* How long a node can wait, in milliseconds; -1: until something happens. */
static int
node_patience(const struct vhost_node *node)
{
	const struct vhost_queue *cmd = &node->guest.queue[VHOST_QUEUE_CMD];

	if (cmd->more || node->guest.lost || atomic_load(&node->irqs.fresh))
		return 0;
	return cmd->held ? HELD_MS : -1;
}

/* Guests that cut their memory short: what was read there were zeroes, so they end. */
static void
faults_check(struct null_vhost *vhost)
{
	uint32_t faults = null_guard_count();
	struct vhost_node *node;

	if (faults == vhost->faults)
		return;
	vhost->faults = faults;
	for (node = vhost->nodes; node != NULL; node = node->next)
		if (node->guest.conn >= 0 && vhost_mem_lost(&node->guest))
			vhost_guest_fail(node, "the kernel's memory file is shorter than it was");
}

/* How long to wait then, as above. */
static int
serve(struct null_vhost *vhost)
{
	struct vhost_node *node;
	int wait = -1;

	for (node = vhost->nodes; node != NULL; node = node->next)
		node_turn(node);
	faults_check(vhost);
	/* A callback that saw `awake` relies on this look; one that does not writes to `wake`. */
	atomic_store(&vhost->awake, false);
	for (node = vhost->nodes; node != NULL; node = node->next) {
		int patience = node_patience(node);

		if (patience >= 0 && (wait < 0 || patience < wait))
			wait = patience;
	}
	return atomic_load(&vhost->stop) ? 0 : wait;
}

int
null_vhost_run(struct null_vhost *vhost)
{
	struct epoll_event ev[EVENTS];
	int i, n;

	while (!atomic_load(&vhost->stop)) {
		n = epoll_wait(vhost->epoll, ev, EVENTS, serve(vhost));
		atomic_store(&vhost->awake, true);
		if (n < 0 && errno != EINTR)
			return -errno;
		for (i = 0; i < n; i++)
			on_event(ev[i].data.ptr);
	}
	return 0;
}

void
null_vhost_stop(struct null_vhost *vhost)
{
	const uint64_t one = 1;
	int saved = errno;

	atomic_store(&vhost->stop, true);
	(void)!write(vhost->wake, &one, sizeof(one));
	errno = saved;
}

/* ---- setting up and down ---- */

int
null_vhost_create(struct null_vhost **out, null_vhost_log log, void *log_ctx)
{
	struct null_vhost *vhost = calloc(1, sizeof(*vhost));
	int ret;

	if (vhost == NULL)
		return -ENOMEM;
	vhost->log = log;
	vhost->log_ctx = log_ctx;
	vhost->on_wake.kind = VHOST_WATCH_WAKE;
	vhost->faults = null_guard_count();
	vhost->epoll = epoll_create1(EPOLL_CLOEXEC);
	vhost->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = vhost->epoll < 0 || vhost->wake < 0 || !null_guard_ready() ? -errno : 0;
	if (ret == 0)
		ret = watch_add(vhost, vhost->wake, EPOLLIN | EPOLLET, &vhost->on_wake);
	if (ret < 0) {
		null_vhost_destroy(vhost);
		return ret;
	}
	*out = vhost;
	return 0;
}

static struct vhost_node *
node_new(struct null_vhost *vhost, const struct null_device_params *params)
{
	struct vhost_node *node = calloc(1, sizeof(*node));
	uint32_t i;

	if (node == NULL)
		return NULL;
	node->vhost = vhost;
	node->listen = -1;
	node->addr.sun_family = AF_UNIX;
	node->params = *params;
	node->params.irq = vhost_pci_irq;
	node->params.irq_ctx = node;
	if (node->params.win_size == 0)
		node->params.win_size = WIN_SIZE;
	node->on_listen = (struct vhost_watch){ VHOST_WATCH_LISTEN, node, 0 };
	node->on_conn = (struct vhost_watch){ VHOST_WATCH_CONN, node, 0 };
	for (i = 0; i < VHOST_QUEUES; i++)
		node->on_kick[i] = (struct vhost_watch){ VHOST_WATCH_KICK, node, i };
	guest_init(&node->guest);
	return node;
}

static void
node_free(struct vhost_node *node)
{
	guest_end(node);
	null_device_close(node->dev);
	watch_close(node->vhost, &node->listen);
	if (node->bound)
		unlink(node->addr.sun_path);
	free(node);
}

/* Remove a socket that nobody listens on any more. */
static int
socket_reclaim(const struct sockaddr_un *addr, char *err, size_t errlen)
{
	struct stat st;
	int fd, ret;

	if (lstat(addr->sun_path, &st) < 0)
		return 0;	/* not there, or bind will say why not */
	if (!S_ISSOCK(st.st_mode)) {
		snprintf(err, errlen, "'%s' is there and is not a socket", addr->sun_path);
		return -EADDRINUSE;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		ret = -errno;
		snprintf(err, errlen, "socket: %s", strerror(-ret));
		return ret;
	}
	ret = connect(fd, (const struct sockaddr *)addr, sizeof(*addr));
	close(fd);
	if (ret == 0) {
		snprintf(err, errlen, "'%s' is in use: somebody listens on it", addr->sun_path);
		return -EADDRINUSE;
	}
	unlink(addr->sun_path);
	return 0;
}

static int
socket_listen(struct vhost_node *node, const char *path, char *err, size_t errlen)
{
	struct sockaddr_un *addr = &node->addr;
	int ret;

	if (path[0] == '\0' || strlen(path) >= sizeof(addr->sun_path)) {
		snprintf(err, errlen, "socket path '%.120s' is not 1 to %zu characters long", path,
			 sizeof(addr->sun_path) - 1);
		return -ENAMETOOLONG;
	}
	strcpy(addr->sun_path, path);
	ret = socket_reclaim(addr, err, errlen);
	if (ret < 0)
		return ret;
	node->listen = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (node->listen >= 0 &&
	    bind(node->listen, (const struct sockaddr *)addr, sizeof(*addr)) == 0) {
		node->bound = true;
		if (listen(node->listen, 1) == 0) {
			ret = watch_add(node->vhost, node->listen, EPOLLIN, &node->on_listen);
			if (ret == 0)
				return 0;
			errno = -ret;
		}
	}
	ret = -errno;
	snprintf(err, errlen, "socket '%s': %s", path, strerror(-ret));
	return ret;
}

int
null_vhost_add(struct null_vhost *vhost, const char *path,
	       const struct null_device_params *params, struct null_device_info *info, char *err,
	       size_t errlen)
{
	struct vhost_node *node = node_new(vhost, params);
	struct vhost_node **last;
	int ret;

	if (node == NULL) {
		snprintf(err, errlen, "no memory for a device");
		return -ENOMEM;
	}
	ret = device_open(node, err, errlen);
	if (ret == 0)
		ret = socket_listen(node, path, err, errlen);
	if (ret < 0) {
		node_free(node);
		return ret;
	}
	for (last = &vhost->nodes; *last != NULL; last = &(*last)->next)
		;
	*last = node;
	if (info != NULL)
		*info = node->info;
	return 0;
}

void
null_vhost_destroy(struct null_vhost *vhost)
{
	if (vhost == NULL)
		return;
	while (vhost->nodes != NULL) {
		struct vhost_node *node = vhost->nodes;

		vhost->nodes = node->next;
		node_free(node);
	}
	if (vhost->epoll >= 0)
		close(vhost->epoll);
	if (vhost->wake >= 0)
		close(vhost->wake);
	free(vhost);
}
