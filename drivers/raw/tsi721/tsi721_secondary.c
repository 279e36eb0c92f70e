/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* What a secondary process asks, the rawdev that it has, and the primary's answers. */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memzone.h>
#include <rte_string_fns.h>

#include "tsi721_rawdev.h"
#include "tsi721_secondary.h"

#define MP_ACTION	"tsi721"
#define MP_TIMEOUT_S	5
#define DUMP_SIZE	0x4000u
#define ATTR_LEN	32u

enum request {
	REQUEST_FIND,		/* the memzone's name */
	REQUEST_REFRESH,	/* everything in the memzone */
	REQUEST_ATTR,		/* a value */
};

struct question {
	uint32_t request;
	char name[TSI721_NAME_LEN];
	char attr[ATTR_LEN];
};

struct answer {
	int32_t ret;
	uint64_t value;
	char memzone[RTE_MEMZONE_NAMESIZE];
};
_Static_assert(sizeof(struct question) <= RTE_MP_MAX_PARAM_LEN &&
	       sizeof(struct answer) <= RTE_MP_MAX_PARAM_LEN, "too long for a message");

/* The memzone: written by the primary process, in the thread that answers; read by others. */
struct tsi721_shared {
	struct rte_pmd_tsi721_info info;
	struct rte_pmd_tsi721_version version;
	uint32_t started;
	uint32_t nb_xstats;
	char dump[DUMP_SIZE];
	struct {
		uint64_t value;
		struct rte_rawdev_xstats_name name;
	} xstats[];
};

/* dev_private of a rawdev in a secondary process. */
struct tsi721_view {
	char name[TSI721_NAME_LEN];
	const struct tsi721_shared *shared;
};

/* --- the primary process --- */

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

static void
shared_refresh(struct tsi721_device *dev)
{
	struct rte_rawdev *rawdev = dev->rawdev;
	struct tsi721_shared *shared = dev->shared_mz->addr;
	unsigned int i;
	FILE *f;

	rawdev->dev_ops->dev_info_get(rawdev, &shared->info, sizeof(shared->info));
	rawdev->dev_ops->firmware_version_get(rawdev, &shared->version);
	shared->started = rawdev->started;
	for (i = 0; i < shared->nb_xstats; i++)
		tsi721_xstats_get(rawdev, &i, &shared->xstats[i].value, 1);
	/* One byte less, so that the text has an end whatever its length is. */
	memset(shared->dump, 0, sizeof(shared->dump));
	f = fmemopen(shared->dump, sizeof(shared->dump) - 1, "w");
	if (f == NULL)
		return;
	rawdev->dev_ops->dump(rawdev, f);
	fclose(f);
}

static void
answer_device(struct tsi721_device *dev, const struct question *q, struct answer *a)
{
	char attr[ATTR_LEN];

	switch (q->request) {
	case REQUEST_FIND:
		strlcpy(a->memzone, dev->shared_mz->name, sizeof(a->memzone));
		a->ret = 0;
		break;
	case REQUEST_REFRESH:
		shared_refresh(dev);
		a->ret = 0;
		break;
	case REQUEST_ATTR:
		strlcpy(attr, q->attr, sizeof(attr));
		a->ret = tsi721_attr_get(dev->rawdev, attr, &a->value);
		break;
	default:
		a->ret = -EINVAL;
		break;
	}
}

/* In the thread of the EAL that answers other processes. */
static int
shared_answer(const struct rte_mp_msg *msg, const void *peer)
{
	struct rte_mp_msg reply = { .len_param = sizeof(struct answer) };
	struct answer a = { .ret = -ENODEV };
	struct tsi721_device *dev;
	struct question q;

	strlcpy(reply.name, MP_ACTION, sizeof(reply.name));
	if (msg->len_param == sizeof(q)) {
		memcpy(&q, msg->param, sizeof(q));
		q.name[sizeof(q.name) - 1] = '\0';
		q.attr[sizeof(q.attr) - 1] = '\0';
		/* Nobody removes it meanwhile: that takes its memzone away first. */
		pthread_mutex_lock(&shared_lock);
		dev = tsi721_device_find(q.name);
		if (dev != NULL && dev->shared_mz != NULL)
			answer_device(dev, &q, &a);
		pthread_mutex_unlock(&shared_lock);
	} else {
		a.ret = -EINVAL;	/* another version of this driver */
	}
	memcpy(reply.param, &a, sizeof(a));
	return rte_mp_reply(&reply, peer);
}

int
tsi721_shared_create(struct tsi721_device *dev)
{
	static bool registered;
	unsigned int count = tsi721_xstats_count(dev), i;
	struct rte_rawdev_xstats_name *names;
	struct tsi721_shared *shared;

	if (!registered && rte_mp_action_register(MP_ACTION, shared_answer) != 0)
		return rte_errno == ENOTSUP ? 0 : -rte_errno;
	registered = true;
	names = calloc(count, sizeof(*names));
	dev->shared_mz = tsi721_ring_alloc(dev, "shared", 0, sizeof(*shared) +
					   count * sizeof(shared->xstats[0]), dev->socket_id);
	if (names == NULL || dev->shared_mz == NULL) {
		free(names);
		tsi721_shared_destroy(dev);
		return -ENOMEM;
	}
	shared = dev->shared_mz->addr;
	tsi721_xstats_names(dev->rawdev, names, count);
	for (i = 0; i < count; i++)
		shared->xstats[i].name = names[i];
	shared->nb_xstats = count;
	free(names);
	return 0;
}

void
tsi721_shared_destroy(struct tsi721_device *dev)
{
	pthread_mutex_lock(&shared_lock);
	tsi721_ring_free(dev->shared_mz);
	dev->shared_mz = NULL;
	pthread_mutex_unlock(&shared_lock);
}

/* --- a secondary process --- */

static int
ask(const char *name, enum request request, const char *attr, struct answer *a)
{
	struct timespec timeout = { .tv_sec = MP_TIMEOUT_S };
	struct rte_mp_msg msg = { .len_param = sizeof(struct question) };
	struct question q = { .request = request };
	struct rte_mp_reply reply;
	int ret = -EIO;

	strlcpy(q.name, name, sizeof(q.name));
	if (attr != NULL)
		strlcpy(q.attr, attr, sizeof(q.attr));
	strlcpy(msg.name, MP_ACTION, sizeof(msg.name));
	memcpy(msg.param, &q, sizeof(q));
	if (rte_mp_request_sync(&msg, &reply, &timeout) == 0) {
		if (reply.nb_received == 1 && reply.msgs[0].len_param == sizeof(*a)) {
			memcpy(a, reply.msgs[0].param, sizeof(*a));
			ret = a->ret;
		}
		free(reply.msgs);
	}
	if (ret == -EIO)
		TSI721_LOG_NAME(ERR, name, "the primary process does not answer");
	return ret;
}

static const struct tsi721_view *
view_refresh(const struct rte_rawdev *rawdev, int *ret)
{
	const struct tsi721_view *view = rawdev->dev_private;
	struct answer a;

	*ret = ask(view->name, REQUEST_REFRESH, NULL, &a);
	if (*ret == -ENODEV)
		TSI721_LOG_NAME(ERR, view->name, "the primary process has removed it");
	return *ret == 0 ? view : NULL;
}

static int
view_info_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	const struct tsi721_view *view;
	int ret;

	if (obj == NULL || size != sizeof(view->shared->info))
		return -EINVAL;
	view = view_refresh(rawdev, &ret);
	if (view != NULL)
		memcpy(obj, &view->shared->info, size);
	return ret;
}

static int
view_version_get(struct rte_rawdev *rawdev, rte_rawdev_obj_t obj)
{
	const struct tsi721_view *view;
	int ret;

	if (obj == NULL)
		return -EINVAL;
	view = view_refresh(rawdev, &ret);
	if (view != NULL)
		memcpy(obj, &view->shared->version, sizeof(view->shared->version));
	return ret;
}

static int
view_dump(struct rte_rawdev *rawdev, FILE *f)
{
	const struct tsi721_view *view;
	int ret;

	if (f == NULL)
		return -EINVAL;
	view = view_refresh(rawdev, &ret);
	if (view != NULL)
		fprintf(f, "%.*s", (int)sizeof(view->shared->dump), view->shared->dump);
	return ret;
}

static int
view_xstats_names(const struct rte_rawdev *rawdev, struct rte_rawdev_xstats_name *names,
		  unsigned int size)
{
	const struct tsi721_view *view = rawdev->dev_private;
	unsigned int count = view->shared->nb_xstats, i;

	for (i = 0; names != NULL && i < RTE_MIN(size, count); i++)
		names[i] = view->shared->xstats[i].name;
	return (int)count;
}

static int
view_xstats_get(const struct rte_rawdev *rawdev, const unsigned int ids[], uint64_t values[],
		unsigned int n)
{
	const struct tsi721_view *view;
	unsigned int i;
	int ret;

	view = view_refresh(rawdev, &ret);
	if (view == NULL)
		return ret;
	for (i = 0; i < n; i++) {
		if (ids[i] >= view->shared->nb_xstats)
			return -EINVAL;
		values[i] = view->shared->xstats[ids[i]].value;
	}
	return (int)n;
}

static uint64_t
view_xstats_by_name(const struct rte_rawdev *rawdev, const char *name, unsigned int *id)
{
	const struct tsi721_view *view;
	unsigned int i;
	int ret;

	view = view_refresh(rawdev, &ret);
	for (i = 0; view != NULL && name != NULL && i < view->shared->nb_xstats; i++)
		if (strcmp(view->shared->xstats[i].name.name, name) == 0) {
			if (id != NULL)
				*id = i;
			return view->shared->xstats[i].value;
		}
	if (id != NULL)
		*id = UINT32_MAX;
	return (uint64_t)-EINVAL;
}

static int
view_attr_get(struct rte_rawdev *rawdev, const char *name, uint64_t *value)
{
	const struct tsi721_view *view = rawdev->dev_private;
	struct answer a;
	int ret;

	if (name == NULL || strlen(name) >= ATTR_LEN)
		return -ENOENT;
	if (value == NULL)
		return -EINVAL;
	ret = ask(view->name, REQUEST_ATTR, name, &a);
	if (ret == 0)
		*value = a.value;
	return ret;
}

/* --- what it cannot do --- */

static int
refuse(const struct rte_rawdev *rawdev)
{
	TSI721_LOG_NAME(ERR, rawdev->name, "belongs to the primary process: a secondary one has "
			"information, statistics, attributes, dump");
	return -ENOTSUP;
}

static int
refuse_configure(const struct rte_rawdev *rawdev, rte_rawdev_obj_t obj, size_t size)
{
	RTE_SET_USED(obj);
	RTE_SET_USED(size);
	return refuse(rawdev);
}

static int
refuse_start(struct rte_rawdev *rawdev)
{
	return refuse(rawdev);
}

static int
refuse_queue_setup(struct rte_rawdev *rawdev, uint16_t id, rte_rawdev_obj_t obj, size_t size)
{
	RTE_SET_USED(id);
	return refuse_configure(rawdev, obj, size);
}

static int
refuse_bufs(struct rte_rawdev *rawdev, struct rte_rawdev_buf **bufs, unsigned int count,
	    rte_rawdev_obj_t context)
{
	RTE_SET_USED(bufs);
	RTE_SET_USED(count);
	RTE_SET_USED(context);
	return refuse(rawdev);
}

static int
refuse_attr_set(struct rte_rawdev *rawdev, const char *name, const uint64_t value)
{
	RTE_SET_USED(name);
	RTE_SET_USED(value);
	return refuse(rawdev);
}

static int
refuse_xstats_reset(struct rte_rawdev *rawdev, const uint32_t ids[], uint32_t nb)
{
	RTE_SET_USED(ids);
	RTE_SET_USED(nb);
	return refuse(rawdev);
}

static int
refuse_selftest(uint16_t dev_id)
{
	return refuse(&rte_rawdevs[dev_id]);
}

static uint16_t
no_queues(struct rte_rawdev *rawdev)
{
	RTE_SET_USED(rawdev);
	return 0;
}

static int
view_close(struct rte_rawdev *rawdev)
{
	RTE_SET_USED(rawdev);
	return 0;
}

static const struct rte_rawdev_ops view_ops = {
	.dev_info_get = view_info_get,
	.dev_configure = refuse_configure,
	.dev_start = refuse_start,
	.dev_close = view_close,
	.dev_reset = refuse_start,
	.queue_def_conf = refuse_queue_setup,
	.queue_setup = refuse_queue_setup,
	.queue_count = no_queues,
	.enqueue_bufs = refuse_bufs,
	.dequeue_bufs = refuse_bufs,
	.dump = view_dump,
	.attr_get = view_attr_get,
	.attr_set = refuse_attr_set,
	.xstats_get = view_xstats_get,
	.xstats_get_names = view_xstats_names,
	.xstats_get_by_name = view_xstats_by_name,
	.xstats_reset = refuse_xstats_reset,
	.firmware_version_get = view_version_get,
	.dev_selftest = refuse_selftest,
};

void
tsi721_secondary_refuses(const struct rte_rawdev *rawdev)
{
	if (rawdev->dev_ops == &view_ops)
		refuse(rawdev);
}

/* --- its rawdev's life --- */

int
tsi721_secondary_probe(const char *name, struct rte_device *rte_dev)
{
	const struct rte_memzone *mz;
	struct tsi721_view *view;
	struct rte_rawdev *rawdev;
	struct answer a;
	int ret = ask(name, REQUEST_FIND, NULL, &a);

	if (ret == -EIO)
		return ret;
	a.memzone[sizeof(a.memzone) - 1] = '\0';
	mz = ret == 0 ? rte_memzone_lookup(a.memzone) : NULL;
	if (mz == NULL) {
		TSI721_LOG_NAME(ERR, name, "the primary process has no such device");
		return -ENODEV;
	}
	rawdev = rte_rawdev_pmd_allocate(name, sizeof(*view), SOCKET_ID_ANY);
	if (rawdev == NULL) {
		TSI721_LOG_NAME(ERR, name, "no rawdev: the name is taken, or there are %u",
				RTE_RAWDEV_MAX_DEVS);
		return -ENOMEM;
	}
	view = rawdev->dev_private;
	strlcpy(view->name, name, sizeof(view->name));
	view->shared = mz->addr;
	rawdev->dev_ops = &view_ops;
	rawdev->device = rte_dev;
	rawdev->driver_name = "raw_tsi721";
	return 0;
}

int
tsi721_secondary_remove(const char *name)
{
	struct rte_rawdev *rawdev = rte_rawdev_pmd_get_named_dev(name);

	return rawdev != NULL ? rte_rawdev_pmd_release(rawdev) : 0;
}
