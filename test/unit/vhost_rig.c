/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "vhost_rig.h"

#define WAIT_MS		5000
#define NEED_REPLY	0x8u

enum { GET_FEATURES = 1, SET_FEATURES = 2, SET_OWNER = 3, SET_MEM_TABLE = 5, SET_VRING_NUM = 8,
       SET_VRING_ADDR = 9, SET_VRING_BASE = 10, SET_VRING_KICK = 12, SET_VRING_CALL = 13,
       GET_PROTOCOL_FEATURES = 15, SET_PROTOCOL_FEATURES = 16, SET_VRING_ENABLE = 18,
       SET_SLAVE_REQ_FD = 21 };

static void
nap(void)
{
	const struct timespec ts = { .tv_nsec = 200000 };

	nanosleep(&ts, NULL);
}

static uint64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* ---- the server ---- */

static void
on_log(void *ctx, const char *line)
{
	struct rig *r = ctx;
	size_t n;

	pthread_mutex_lock(&r->lock);
	n = strlen(r->log);
	snprintf(r->log + n, sizeof(r->log) - n, "%s\n", line);
	pthread_mutex_unlock(&r->lock);
}

static void *
serve(void *arg)
{
	struct rig *r = arg;

	null_vhost_run(r->vhost);
	return NULL;
}

struct rig *
rig_new(void)
{
	char fabric[NULL_NAME_LEN], err[NULL_ERR_LEN];
	struct null_device_params params = {
		.fabric = fabric,
		.destid = NULL_DESTID_AUTO,
		.host = -1,
	};
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->conn = -1;
	pthread_mutex_init(&r->lock, NULL);
	snprintf(r->path, sizeof(r->path), "%s/rio-vhost-test-%d",
		 getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp", (int)getpid());
	snprintf(fabric, sizeof(fabric), "vhost-test-%d", (int)getpid());
	assert_int_equal(null_vhost_create(&r->vhost, on_log, r), 0);
	assert_int_equal(null_vhost_add(r->vhost, r->path, &params, &r->info, err, sizeof(err)),
			 0);
	assert_int_equal(pthread_create(&r->thread, NULL, serve, r), 0);
	return r;
}

void
rig_free(struct rig *r)
{
	rig_leave(r);
	null_vhost_stop(r->vhost);
	pthread_join(r->thread, NULL);
	null_vhost_destroy(r->vhost);
	pthread_mutex_destroy(&r->lock);
	assert_int_equal(access(r->path, F_OK), -1);
	free(r);
}

void
rig_said(struct rig *r, const char *text)
{
	uint64_t end = now_ms() + WAIT_MS;
	bool found;

	do {
		pthread_mutex_lock(&r->lock);
		found = strstr(r->log, text) != NULL;
		pthread_mutex_unlock(&r->lock);
		if (found)
			return;
		nap();
	} while (now_ms() < end);
	fail_msg("the server did not say '%s' but: %s", text, r->log);
}

/* ---- messages ---- */

void
rig_send(struct rig *r, uint32_t request, uint32_t flags, const void *data, uint32_t size,
	 const int *fds, unsigned int nb_fds)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(16 * sizeof(int))];
	} control;
	uint8_t buf[12 + 4096];
	struct iovec iov = { buf, 12 + size };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;

	assert_true(size <= 4096 && nb_fds <= 16);
	memcpy(buf, &request, 4);
	memcpy(buf + 4, &flags, 4);
	memcpy(buf + 8, &size, 4);
	if (size > 0)
		memcpy(buf + 12, data, size);
	if (nb_fds > 0) {
		memset(&control, 0, sizeof(control));
		mh.msg_control = control.buf;
		mh.msg_controllen = CMSG_SPACE(nb_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&mh);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(nb_fds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, nb_fds * sizeof(int));
	}
	/* The server may have ended the connection already: the test sees that. */
	(void)!sendmsg(r->conn, &mh, MSG_NOSIGNAL);
}

static bool
read_all(int fd, void *buf, size_t len)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	size_t got = 0;
	ssize_t n;

	while (got < len) {
		if (poll(&pfd, 1, WAIT_MS) != 1)
			fail_msg("no reply in %d ms", WAIT_MS);
		n = recv(fd, (uint8_t *)buf + got, len - got, 0);
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

bool
rig_receive(struct rig *r, struct rig_msg *msg)
{
	if (!read_all(r->conn, msg, 12))
		return false;
	assert_true(msg->size <= sizeof(msg->data));
	return read_all(r->conn, msg->data, msg->size);
}

uint64_t
rig_ack(struct rig *r, uint32_t request, const void *data, uint32_t size, const int *fds,
	unsigned int nb_fds)
{
	struct rig_msg msg;
	uint64_t val;

	rig_send(r, request, 1 | NEED_REPLY, data, size, fds, nb_fds);
	assert_true(rig_receive(r, &msg));
	assert_int_equal(msg.request, request);
	assert_int_equal(msg.flags, 5);
	assert_int_equal(msg.size, 8);
	memcpy(&val, msg.data, 8);
	return val;
}

uint64_t
rig_get_u64(struct rig *r, uint32_t request)
{
	struct rig_msg msg;
	uint64_t val;

	rig_send(r, request, 1, NULL, 0, NULL, 0);
	assert_true(rig_receive(r, &msg));
	assert_int_equal(msg.size, 8);
	memcpy(&val, msg.data, 8);
	return val;
}

uint64_t
rig_mem_table(struct rig *r, uint64_t guest, uint64_t size, uint64_t off, int fd)
{
	const struct {
		uint32_t num, pad;
		uint64_t guest, size, user, off;
	} table = { 1, 0, guest, size, RIG_USER, off };

	return rig_ack(r, SET_MEM_TABLE, &table, sizeof(table), &fd, 1);
}

/* ---- coming and going ---- */

void
rig_connect(struct rig *r)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", r->path);
	r->conn = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(connect(r->conn, (struct sockaddr *)&addr, sizeof(addr)), 0);
	r->mem_fd = memfd_create("guest", 0);
	assert_int_equal(ftruncate(r->mem_fd, RIG_MEM), 0);
	r->mem = mmap(NULL, RIG_MEM, PROT_READ | PROT_WRITE, MAP_SHARED, r->mem_fd, 0);
	assert_ptr_not_equal(r->mem, MAP_FAILED);
	for (int q = 0; q < 2; q++) {
		int sv[2];

		r->kick[q] = eventfd(0, 0);
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sv), 0);
		r->call[q] = sv[0];
		r->call_peer[q] = sv[1];
		r->next[q] = 0;
	}
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, r->slave), 0);
}

static void
queue_setup(struct rig *r, uint32_t q)
{
	const uint32_t num[2] = { q, RIG_QUEUE }, base[2] = { q, 0 }, on[2] = { q, 1 };
	const uint64_t index = q;
	const struct {
		uint32_t index, flags;
		uint64_t desc, used, avail, log;
	} addr = { q, 0, RIG_USER + RIG_DESC(q), RIG_USER + RIG_USED(q), RIG_USER + RIG_AVAIL(q),
		   0 };

	assert_int_equal(rig_ack(r, SET_VRING_CALL, &index, 8, &r->call[q], 1), 0);
	assert_int_equal(rig_ack(r, SET_VRING_NUM, num, 8, NULL, 0), 0);
	assert_int_equal(rig_ack(r, SET_VRING_BASE, base, 8, NULL, 0), 0);
	assert_int_equal(rig_ack(r, SET_VRING_ADDR, &addr, sizeof(addr), NULL, 0), 0);
	assert_int_equal(rig_ack(r, SET_VRING_KICK, &index, 8, &r->kick[q], 1), 0);
	assert_int_equal(rig_ack(r, SET_VRING_ENABLE, on, 8, NULL, 0), 0);
}

void
rig_boot(struct rig *r)
{
	uint64_t features, protocol;

	rig_connect(r);
	features = rig_get_u64(r, GET_FEATURES);
	protocol = rig_get_u64(r, GET_PROTOCOL_FEATURES);
	rig_send(r, SET_PROTOCOL_FEATURES, 1, &protocol, 8, NULL, 0);
	assert_int_equal(rig_ack(r, SET_OWNER, NULL, 0, NULL, 0), 0);
	assert_int_equal(rig_ack(r, SET_FEATURES, &features, 8, NULL, 0), 0);
	assert_int_equal(rig_ack(r, SET_SLAVE_REQ_FD, NULL, 0, &r->slave[1], 1), 0);
	assert_int_equal(rig_mem_table(r, RIG_GUEST, RIG_MEM, 0, r->mem_fd), 0);
	queue_setup(r, 0);
	queue_setup(r, 1);
}

void
rig_leave(struct rig *r)
{
	if (r->conn < 0)
		return;
	close(r->conn);
	close(r->mem_fd);
	munmap(r->mem, RIG_MEM);
	for (int q = 0; q < 2; q++) {
		close(r->kick[q]);
		close(r->call[q]);
		close(r->call_peer[q]);
		close(r->slave[q]);
	}
	r->conn = -1;
}

void
rig_ended(struct rig *r)
{
	struct rig_msg msg;

	/* What was asked before may still be answered. */
	while (rig_receive(r, &msg))
		;
	rig_leave(r);
}

void
rig_works(struct rig *r)
{
	rig_leave(r);
	rig_boot(r);
	assert_int_equal(rig_cfg_read(r, 0), 0x80ab111d);
	assert_int_equal(rig_reg_read(r, 0), 0x80ab0038);
	rig_leave(r);
}

/* ---- queues ---- */

void
rig_desc(struct rig *r, unsigned int q, unsigned int i, uint64_t addr, uint32_t len,
	 uint16_t flags, uint16_t next)
{
	uint8_t *d = r->mem + RIG_DESC(q) + i * 16;

	memcpy(d, &addr, 8);
	memcpy(d + 8, &len, 4);
	memcpy(d + 12, &flags, 2);
	memcpy(d + 14, &next, 2);
}

void
rig_kick(struct rig *r, unsigned int q)
{
	const uint64_t one = 1;

	assert_int_equal(write(r->kick[q], &one, 8), 8);
}

void
rig_avail(struct rig *r, unsigned int q, uint16_t head)
{
	uint16_t *avail = (uint16_t *)(r->mem + RIG_AVAIL(q));

	avail[2 + r->next[q] % RIG_QUEUE] = head;
	r->next[q]++;
	__atomic_store_n(&avail[1], r->next[q], __ATOMIC_RELEASE);
	rig_kick(r, q);
}

uint16_t
rig_used(struct rig *r, unsigned int q, uint16_t least)
{
	const uint16_t *used = (const uint16_t *)(r->mem + RIG_USED(q));
	uint64_t end = now_ms() + WAIT_MS;
	uint16_t n;

	while ((n = __atomic_load_n(&used[1], __ATOMIC_ACQUIRE)) < least) {
		if (now_ms() > end)
			fail_msg("queue %u: %u given back, not %u: %s", q, n, least, r->log);
		nap();
	}
	return n;
}

uint32_t
rig_used_len(struct rig *r, unsigned int q)
{
	uint16_t last = (uint16_t)(rig_used(r, q, 1) - 1);
	uint32_t len;

	memcpy(&len, r->mem + RIG_USED(q) + 4 + (last % RIG_QUEUE) * 8 + 4, 4);
	return len;
}

uint32_t
rig_op(struct rig *r, uint8_t op, uint8_t bar, uint64_t addr, uint32_t size, const void *data,
       uint32_t len, void *in, uint32_t in_len)
{
	uint8_t *buf = r->mem + RIG_BUF(0);
	uint16_t before = rig_used(r, 0, 0);

	memset(buf, 0, 16);
	buf[0] = op;
	buf[1] = bar;
	memcpy(buf + 4, &size, 4);
	memcpy(buf + 8, &addr, 8);
	if (len > 0)
		memcpy(buf + 16, data, len);
	rig_desc(r, 0, 0, RIG_GUEST + RIG_BUF(0), 16 + len, in_len > 0 ? RIG_NEXT : 0, 1);
	rig_desc(r, 0, 1, RIG_GUEST + RIG_BUF(2), in_len, RIG_WRITE, 0);
	rig_avail(r, 0, 0);
	rig_used(r, 0, (uint16_t)(before + 1));
	if (in_len > 0)
		memcpy(in, r->mem + RIG_BUF(2), in_len);
	return rig_used_len(r, 0);
}

uint32_t
rig_cfg_read(struct rig *r, uint32_t off)
{
	uint32_t val;

	assert_int_equal(rig_op(r, RIG_CFG_READ, 0, off, 4, NULL, 0, &val, 4), 4);
	return val;
}

void
rig_cfg_write(struct rig *r, uint32_t off, uint32_t val)
{
	rig_op(r, RIG_CFG_WRITE, 0, off, 4, &val, 4, NULL, 0);
}

uint32_t
rig_reg_read(struct rig *r, uint32_t off)
{
	uint32_t val;

	assert_int_equal(rig_op(r, RIG_BAR_READ, 0, off, 4, NULL, 0, &val, 4), 4);
	return val;
}

void
rig_reg_write(struct rig *r, uint32_t off, uint32_t val)
{
	rig_op(r, RIG_BAR_WRITE, 0, off, 4, &val, 4, NULL, 0);
}
