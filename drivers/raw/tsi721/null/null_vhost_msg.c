/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* vhost-user messages, the back-end's side of them. */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "null_vhost_internal.h"

#define VERSION			0x1u
#define FLAG_VERSION		0x3u
#define FLAG_REPLY		0x4u
#define FLAG_NEED_REPLY		0x8u

/* Virtio features. */
#define F_PROTOCOL_FEATURES	(1ull << 30)
#define F_VERSION_1		(1ull << 32)
#define FEATURES		(F_PROTOCOL_FEATURES | F_VERSION_1)

/* Protocol features. */
#define PF_REPLY_ACK		(1ull << 3)
#define PF_BACKEND_REQ		(1ull << 5)	/* Linux gets its interrupt number with this */
#define PF_CONFIG		(1ull << 9)
#define PROTOCOL_FEATURES	(PF_REPLY_ACK | PF_BACKEND_REQ | PF_CONFIG)

enum {
	GET_FEATURES = 1,
	SET_FEATURES = 2,
	SET_OWNER = 3,
	RESET_OWNER = 4,
	SET_MEM_TABLE = 5,
	SET_VRING_NUM = 8,
	SET_VRING_ADDR = 9,
	SET_VRING_BASE = 10,
	GET_VRING_BASE = 11,
	SET_VRING_KICK = 12,
	SET_VRING_CALL = 13,
	SET_VRING_ERR = 14,
	GET_PROTOCOL_FEATURES = 15,
	SET_PROTOCOL_FEATURES = 16,
	SET_VRING_ENABLE = 18,
	SET_BACKEND_REQ_FD = 21,
	GET_CONFIG = 24,
	SET_CONFIG = 25,
};

/* Low byte of SET_VRING_KICK, _CALL and _ERR: the queue; this bit: no file comes with it. */
#define VRING_FD_NONE		0x100u

#define MESSAGES		32u	/* of a guest before others have their turn */

/* What a handler returns when it has replied itself. */
#define REPLIED			1

static int
reply(struct vhost_node *node, const struct vhost_msg *msg, const void *payload, uint32_t size)
{
	struct vhost_msg r = { msg->request, VERSION | FLAG_REPLY, size, { 0 } };
	size_t len = VHOST_MSG_HDR + size;
	uint8_t buf[VHOST_MSG_HDR + sizeof(r.u)];

	memcpy(buf, &r, VHOST_MSG_HDR);
	memcpy(buf + VHOST_MSG_HDR, payload, size);
	if (send(node->guest.conn, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)len)
		vhost_guest_fail(node, "reply to message %u cannot be sent: %s", msg->request,
				 strerror(errno));
	return REPLIED;
}

static int
reply_u64(struct vhost_node *node, const struct vhost_msg *msg, uint64_t val)
{
	return reply(node, msg, &val, sizeof(val));
}

/* ---- files that come with a message ---- */

static void
fds_close(struct vhost_guest *guest)
{
	while (guest->nb_fds > 0)
		if (guest->fds[--guest->nb_fds] >= 0)
			close(guest->fds[guest->nb_fds]);
}

/* The only file of a message; -1 when there is not exactly one. */
static int
fd_take(struct vhost_guest *guest)
{
	if (guest->nb_fds != 1)
		return -1;
	guest->nb_fds = 0;
	return guest->fds[0];
}

/* ---- handlers: 0, a negative errno (said already), or REPLIED ---- */

static int
refuse_u64(struct vhost_node *node, const char *what, uint64_t val, uint64_t offered)
{
	vhost_guest_complain(node, "%s %#" PRIx64 ": %#" PRIx64 " are offered", what, val, offered);
	return -EINVAL;
}

static int
set_features(struct vhost_node *node, const struct vhost_msg *msg)
{
	if ((msg->u.u64 & ~FEATURES) != 0)
		return refuse_u64(node, "features", msg->u.u64, FEATURES);
	return 0;
}

static int
set_protocol_features(struct vhost_node *node, const struct vhost_msg *msg)
{
	if ((msg->u.u64 & ~PROTOCOL_FEATURES) != 0)
		return refuse_u64(node, "protocol features", msg->u.u64, PROTOCOL_FEATURES);
	node->guest.reply_ack = (msg->u.u64 & PF_REPLY_ACK) != 0;
	return 0;
}

static int
set_mem_table(struct vhost_node *node, const struct vhost_msg *msg)
{
	struct vhost_guest *guest = &node->guest;
	uint32_t nb = guest->nb_fds;

	if (node->dev == NULL)
		return -ENODEV;
	guest->nb_fds = 0;
	return vhost_mem_set(node, msg, guest->fds, nb);
}

/* Queue that a message is about; NULL: there is none. */
static struct vhost_queue *
queue_get(struct vhost_node *node, const struct vhost_msg *msg, uint32_t index)
{
	if (index < VHOST_QUEUES)
		return &node->guest.queue[index];
	vhost_guest_complain(node, "message %u for queue %u: there are %u", msg->request, index,
			     VHOST_QUEUES);
	return NULL;
}

static int
set_vring_state(struct vhost_node *node, const struct vhost_msg *msg)
{
	uint32_t num = msg->u.state.num;
	struct vhost_queue *q = queue_get(node, msg, msg->u.state.index);

	if (q == NULL)
		return -EINVAL;
	switch (msg->request) {
	case SET_VRING_NUM:
		if (num == 0 || num > VHOST_QUEUE_SIZE_MAX || (num & (num - 1)) != 0) {
			vhost_guest_complain(node, "queue of %u entries: a power of two up to %u "
					     "is allowed", num, VHOST_QUEUE_SIZE_MAX);
			return -EINVAL;
		}
		q->num = num;
		return 0;
	case SET_VRING_BASE:
		q->next_avail = (uint16_t)num;
		return 0;
	default:
		q->enabled = num != 0;
		/* It may have been filled, or interrupts may have come, before. */
		q->more = q->enabled;
		return 0;
	}
}

static int
set_vring_addr(struct vhost_node *node, const struct vhost_msg *msg)
{
	struct vhost_queue *q = queue_get(node, msg, msg->u.addr.index);

	if (q == NULL)
		return -EINVAL;
	if (msg->u.addr.desc % 16 != 0 || msg->u.addr.avail % 2 != 0 || msg->u.addr.used % 4 != 0) {
		vhost_guest_complain(node, "rings at %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64
				     ": they must be aligned to 16, 2 and 4 bytes",
				     msg->u.addr.desc, msg->u.addr.avail, msg->u.addr.used);
		return -EINVAL;
	}
	q->desc = msg->u.addr.desc;
	q->avail = msg->u.addr.avail;
	q->used = msg->u.addr.used;
	q->placed = true;
	return 0;
}

/* Stops the queue, too. */
static int
get_vring_base(struct vhost_node *node, const struct vhost_msg *msg)
{
	struct vhost_queue *q = queue_get(node, msg, msg->u.state.index);
	uint32_t state[2] = { msg->u.state.index, 0 };

	if (q != NULL) {
		q->enabled = false;
		state[1] = q->next_avail;
	}
	return reply(node, msg, state, sizeof(state));
}

static bool
is_socket(int fd)
{
	int type;
	socklen_t len = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
}

static int
set_vring_fd(struct vhost_node *node, const struct vhost_msg *msg)
{
	uint32_t index = (uint32_t)msg->u.u64 & 0xff;
	struct vhost_queue *q = queue_get(node, msg, index);
	bool none = (msg->u.u64 & VRING_FD_NONE) != 0;
	int fd = none ? -1 : fd_take(&node->guest);

	if (q == NULL || (!none && fd < 0)) {
		if (q != NULL)
			vhost_guest_complain(node, "message %u comes with %u files: one is needed",
					     msg->request, node->guest.nb_fds);
		if (fd >= 0)
			close(fd);
		return -EINVAL;
	}
	if (msg->request == SET_VRING_KICK)
		return vhost_kick_set(node, index, fd);
	/* A write to a socket alone can be kept from ever blocking on what the guest does. */
	if (fd >= 0 && !is_socket(fd)) {
		vhost_guest_complain(node, "file to notify queue %u by is not a socket", index);
		close(fd);
		return -EINVAL;
	}
	if (q->call >= 0)
		close(q->call);
	q->call = fd;
	return 0;
}

static int
set_backend_req_fd(struct vhost_node *node, const struct vhost_msg *msg)
{
	int fd = fd_take(&node->guest);

	(void)msg;
	if (fd < 0) {
		vhost_guest_complain(node, "no file to send requests to");
		return -EINVAL;
	}
	if (node->guest.slave_req >= 0)
		close(node->guest.slave_req);
	node->guest.slave_req = fd;
	return 0;
}

/* The device has no virtio configuration: zeroes. A size of 0 in the reply means an error. */
static int
get_config(struct vhost_node *node, const struct vhost_msg *msg)
{
	struct vhost_msg r = { 0 };
	uint32_t head = (uint32_t)offsetof(struct vhost_msg, u.config.data) -
			(uint32_t)offsetof(struct vhost_msg, u);
	uint32_t size = msg->u.config.size;

	if (size > sizeof(r.u.config.data) || msg->size != head + size)
		size = 0;
	r.u.config.offset = msg->u.config.offset;
	r.u.config.size = size;
	r.u.config.flags = msg->u.config.flags;
	return reply(node, msg, &r.u, head + size);
}

static int
get_features(struct vhost_node *node, const struct vhost_msg *msg)
{
	return reply_u64(node, msg, FEATURES);
}

static int
get_protocol_features(struct vhost_node *node, const struct vhost_msg *msg)
{
	return reply_u64(node, msg, PROTOCOL_FEATURES);
}

static int
nothing(struct vhost_node *node, const struct vhost_msg *msg)
{
	(void)node;
	(void)msg;
	return 0;
}

/* By request: least payload, and what to do. */
static const struct {
	uint32_t size;
	int (*run)(struct vhost_node *node, const struct vhost_msg *msg);
} requests[] = {
	[GET_FEATURES] = { 0, get_features },
	[SET_FEATURES] = { 8, set_features },
	[SET_OWNER] = { 0, nothing },
	[RESET_OWNER] = { 0, nothing },
	[SET_MEM_TABLE] = { 8, set_mem_table },
	[SET_VRING_NUM] = { 8, set_vring_state },
	[SET_VRING_ADDR] = { 40, set_vring_addr },
	[SET_VRING_BASE] = { 8, set_vring_state },
	[GET_VRING_BASE] = { 8, get_vring_base },
	[SET_VRING_KICK] = { 8, set_vring_fd },
	[SET_VRING_CALL] = { 8, set_vring_fd },
	[SET_VRING_ERR] = { 8, nothing },
	[GET_PROTOCOL_FEATURES] = { 0, get_protocol_features },
	[SET_PROTOCOL_FEATURES] = { 8, set_protocol_features },
	[SET_VRING_ENABLE] = { 8, set_vring_state },
	[SET_BACKEND_REQ_FD] = { 0, set_backend_req_fd },
	[GET_CONFIG] = { 12, get_config },
	[SET_CONFIG] = { 12, nothing },
};
#define NB_REQUESTS	(sizeof(requests) / sizeof(requests[0]))

static void
act(struct vhost_node *node)
{
	const struct vhost_msg *msg = &node->guest.msg;
	int ret = -EINVAL;

	if ((msg->flags & FLAG_VERSION) != VERSION)
		vhost_guest_fail(node, "message of version %u: it must be %u",
				 msg->flags & FLAG_VERSION, VERSION);
	else if (msg->request >= NB_REQUESTS || requests[msg->request].run == NULL)
		vhost_guest_complain(node, "message %u is not known", msg->request);
	else if (msg->size < requests[msg->request].size)
		vhost_guest_complain(node, "message %u of %u bytes: at least %u are needed",
				     msg->request, msg->size, requests[msg->request].size);
	else
		ret = requests[msg->request].run(node, msg);
	fds_close(&node->guest);
	if (ret != REPLIED && (msg->flags & FLAG_NEED_REPLY) != 0 && node->guest.reply_ack)
		reply_u64(node, msg, ret < 0);
}

/* ---- receiving ---- */

/* Keep the files that came; false: there were more than a message may carry. */
static bool
fds_keep(struct vhost_guest *guest, struct msghdr *mh)
{
	struct cmsghdr *c;
	bool fit = (mh->msg_flags & MSG_CTRUNC) == 0;
	size_t i, nb;
	int fd;

	for (c = CMSG_FIRSTHDR(mh); c != NULL; c = CMSG_NXTHDR(mh, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		nb = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < nb; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			if (guest->nb_fds < VHOST_REGIONS_MAX) {
				guest->fds[guest->nb_fds++] = fd;
			} else {
				close(fd);
				fit = false;
			}
		}
	}
	return fit;
}

/* Receive up to len bytes: their number, 0 at the end of the connection, -1 for none now. */
static ssize_t
receive(struct vhost_node *node, void *buf, size_t len)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(VHOST_REGIONS_MAX * sizeof(int))];
	} control;
	struct iovec iov = { buf, len };
	struct msghdr mh = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.buf,
		.msg_controllen = sizeof(control.buf),
	};
	ssize_t n;

	do {
		n = recvmsg(node->guest.conn, &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? -1 : 0;
	if (!fds_keep(&node->guest, &mh)) {
		vhost_guest_fail(node, "message with more than %u files", VHOST_REGIONS_MAX);
		return 0;
	}
	return n;
}

bool
vhost_msg_receive(struct vhost_node *node)
{
	struct vhost_guest *g = &node->guest;
	struct vhost_msg *msg = &g->msg;
	uint32_t turns = MESSAGES;
	uint8_t *to;
	size_t want;
	ssize_t n;

	while (!g->lost && turns > 0) {
		/* The payload is aligned in memory, so it is not right behind the header. */
		if (g->got < VHOST_MSG_HDR) {
			to = (uint8_t *)msg + g->got;
			want = VHOST_MSG_HDR - g->got;
		} else {
			to = (uint8_t *)&msg->u + (g->got - VHOST_MSG_HDR);
			want = VHOST_MSG_HDR + msg->size - g->got;
		}
		n = receive(node, to, want);
		if (n < 0)
			return true;
		if (n == 0)
			return false;
		g->got += (size_t)n;
		if (g->got < VHOST_MSG_HDR)
			continue;
		if (msg->size > sizeof(msg->u)) {
			vhost_guest_fail(node, "message %u of %u bytes: at most %zu are allowed",
					 msg->request, msg->size, sizeof(msg->u));
			return false;
		}
		if (g->got < VHOST_MSG_HDR + msg->size)
			continue;
		act(node);
		g->got = 0;
		memset(msg, 0, sizeof(*msg));
		turns--;
	}
	return !g->lost;
}
