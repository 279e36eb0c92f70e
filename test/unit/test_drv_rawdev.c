/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_rawdev.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "tsi721_doorbell.h"

#define RADDR	0x200000000ull

static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	rig_fill(a->mem, RIG_MEM_SIZE, 1);
	return 0;
}

static void
configure(uint16_t id, uint16_t nb_queues)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = nb_queues };
	struct rte_rawdev_info info = { .dev_private = &config };

	assert_int_equal(rte_rawdev_configure(id, &info, sizeof(config)), 0);
	assert_int_equal(rte_rawdev_queue_count(id), nb_queues);
}

static uint64_t
xstat(uint16_t id, const char *name)
{
	unsigned int n = (unsigned int)-1;
	uint64_t value = rte_rawdev_xstats_by_name_get(id, name, &n);

	assert_int_not_equal(n, (unsigned int)-1);
	return value;
}

static void
info(void **state)
{
	struct rte_pmd_tsi721_info priv;
	struct rte_rawdev_info raw = { .dev_private = &priv };
	struct rte_pmd_tsi721_version version;

	(void)state;
	assert_int_equal(rte_rawdev_info_get(b->id, &raw, sizeof(priv)), 0);
	assert_string_equal(raw.driver_name, "raw_tsi721");
	assert_int_equal(priv.destid, b->destid);
	assert_int_equal(priv.destid_bits, 8);
	assert_true(priv.link_up);
	assert_int_equal(priv.link_lanes, 4);
	assert_int_equal(priv.link_mbaud, 5000);
	assert_int_equal(priv.queues_max, 7);
	assert_int_equal(priv.mbox_mask, 0xf);
	assert_int_equal(priv.queue_descs, 128);
	assert_int_equal(rte_rawdev_info_get(b->id, &raw, 1), -EINVAL);

	assert_int_equal(rte_rawdev_firmware_version_get(b->id, &version), 0);
	assert_int_equal(version.vendor, 0x38);
	assert_int_equal(version.device, 0x80ab);
	assert_int_equal(rte_rawdev_firmware_version_get(b->id, NULL), -EINVAL);
	assert_int_equal(rte_rawdev_firmware_load(b->id, &version), -ENOTSUP);
}

static void
queues(void **state)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 8 };
	struct rte_rawdev_info raw = { .dev_private = &config };
	struct rte_pmd_tsi721_queue_conf conf;

	(void)state;
	rig_log_lines();
	assert_int_equal(rte_rawdev_configure(a->id, &raw, sizeof(config)), -EINVAL);
	assert_non_null(strstr(rig_log_last(), "dev_configure"));
	assert_int_equal(rte_rawdev_configure(a->id, &raw, 1), -EINVAL);
	configure(a->id, 2);
	assert_int_equal(rte_rawdev_queue_conf_get(a->id, 1, &conf, sizeof(conf)), 0);
	assert_int_equal(conf.nb_desc, 128);
	assert_int_equal(rte_rawdev_queue_conf_get(a->id, 7, &conf, sizeof(conf)), -EINVAL);
	conf.nb_desc = 100;
	assert_int_equal(rte_rawdev_queue_setup(a->id, 1, &conf, sizeof(conf)), -EINVAL);
	conf.nb_desc = 64;
	assert_int_equal(rte_rawdev_queue_setup(a->id, 2, &conf, sizeof(conf)), -EINVAL);
	assert_int_equal(rte_rawdev_queue_setup(a->id, 1, &conf, 1), -EINVAL);
	assert_int_equal(rte_rawdev_queue_setup(a->id, 1, &conf, sizeof(conf)), 0);
	/* Again, with another size. */
	conf.nb_desc = 256;
	assert_int_equal(rte_rawdev_queue_setup(a->id, 1, &conf, sizeof(conf)), 0);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	assert_int_equal(rte_rawdev_queue_setup(a->id, 1, &conf, sizeof(conf)), -EBUSY);
	rte_rawdev_stop(a->id);
	assert_int_equal(rte_rawdev_queue_release(a->id, 0), 0);
	assert_int_equal(rte_rawdev_queue_release(a->id, 2), -EINVAL);
	assert_int_equal(rte_rawdev_close(a->id), 0);
	assert_int_equal(rte_rawdev_queue_count(a->id), 0);
	assert_false(tsi721_device_in_use(a->dev));
}

/* A channel that somebody has taken beside the rawdev: it cannot be started. */
static void
channel_taken(void **state)
{
	struct tsi721_bdma *q;

	(void)state;
	assert_int_equal(tsi721_bdma_open(a->dev, 1, 32, SOCKET_ID_ANY, &q), 0);
	configure(a->id, 2);
	assert_int_equal(rte_rawdev_start(a->id), -EBUSY);
	tsi721_bdma_close(q, NULL, NULL);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	rte_rawdev_stop(a->id);
}

#define OPS	20

static void
operations(void **state)
{
	struct rte_pmd_tsi721_seg seg[OPS];
	struct rte_pmd_tsi721_op op[OPS];
	struct rte_rawdev_buf buf[OPS], *bufs[OPS];
	void *queue = (void *)1;
	unsigned int got = 0, tries = 0, i;
	int win, n;

	(void)state;
	configure(a->id, 2);
	for (i = 0; i < OPS; i++) {
		seg[i] = (struct rte_pmd_tsi721_seg){ a->iova + i * 100, 100 };
		op[i] = (struct rte_pmd_tsi721_op){
			.type = RTE_PMD_TSI721_WRITE_R, .destid = b->destid,
			.raddr = RADDR + i * 100, .segs = &seg[i], .nb_segs = 1, .status = 99,
			.user = &seg[i],
		};
		buf[i].buf_addr = &op[i];
		bufs[i] = &buf[i];
	}
	assert_int_equal(rte_rawdev_enqueue_buffers(a->id, bufs, OPS, queue), -EINVAL);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	win = rte_pmd_tsi721_window_open(b->id, RADDR, b->iova, RIG_MEM_SIZE);
	assert_int_equal(win, 0);

	/* One goes where nothing is, and one is no operation at all. */
	op[3].raddr = 0x999000000ull;
	op[17].type = 9;
	assert_int_equal(rte_rawdev_enqueue_buffers(a->id, bufs, OPS, queue), 17);
	assert_int_equal(op[17].status, -EINVAL);
	op[17].type = RTE_PMD_TSI721_WRITE;
	assert_int_equal(rte_rawdev_enqueue_buffers(a->id, &bufs[17], 3, queue), 3);
	memset(buf, 0, sizeof(buf));
	while (got < OPS) {
		assert_true(tries++ < 100000);
		n = rte_rawdev_dequeue_buffers(a->id, &bufs[got], OPS - got, queue);
		assert_true(n >= 0);
		got += (unsigned int)n;
	}
	for (i = 0; i < OPS; i++) {
		assert_ptr_equal(buf[i].buf_addr, &op[i]);
		assert_ptr_equal(op[i].user, &seg[i]);
		assert_int_equal(op[i].status, i == 3 ? -EIO : 0);
		assert_int_equal(memcmp(b->mem + i * 100, a->mem + i * 100, 100) == 0, i != 3);
	}
	assert_int_equal(xstat(a->id, "dma1_ops"), OPS - 1);
	assert_int_equal(xstat(a->id, "dma1_errors"), 1);
	assert_int_equal(xstat(a->id, "dma1_bytes"), (OPS - 1) * 100);

	/* No such queue; stopped. */
	assert_int_equal(rte_rawdev_enqueue_buffers(a->id, bufs, 1, (void *)2), -EINVAL);
	assert_int_equal(rte_rawdev_dequeue_buffers(a->id, bufs, 1, (void *)-1), -EINVAL);
	rte_rawdev_stop(a->id);
	assert_int_equal(rte_rawdev_enqueue_buffers(a->id, bufs, 1, queue), -EINVAL);
	/* Counters outlive the queue. */
	assert_int_equal(rte_rawdev_close(a->id), 0);
	assert_int_equal(xstat(a->id, "dma1_ops"), OPS - 1);
	assert_int_equal(rte_pmd_tsi721_window_close(b->id, 0), 0);
	assert_int_equal(rte_pmd_tsi721_window_close(b->id, 0), -EINVAL);
}

static void
full_queue(void **state)
{
	struct rte_pmd_tsi721_seg seg = { a->iova, 8 };
	static struct rte_pmd_tsi721_op op[200];
	struct rte_rawdev_buf buf[200], *bufs[200];
	unsigned int i;

	(void)state;
	configure(a->id, 1);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	for (i = 0; i < 200; i++) {
		op[i] = (struct rte_pmd_tsi721_op){
			.type = RTE_PMD_TSI721_WRITE_R, .destid = b->destid, .raddr = RADDR,
			.segs = &seg, .nb_segs = 1, .status = 99,
		};
		buf[i].buf_addr = &op[i];
		bufs[i] = &buf[i];
	}
	assert_int_equal(rte_rawdev_enqueue_buffers(a->id, bufs, 200, NULL), 128);
	assert_int_equal(op[128].status, 99);
	/* Released before they were dequeued. */
	rte_rawdev_stop(a->id);
	assert_int_equal(rte_rawdev_queue_release(a->id, 0), 0);
	for (i = 0; i < 128; i++)
		assert_int_equal(op[i].status, -ECANCELED);
}

static void
attributes(void **state)
{
	uint64_t val;

	(void)state;
	assert_int_equal(rte_rawdev_get_attr(b->id, "destid", &val), 0);
	assert_int_equal(val, b->destid);
	assert_int_equal(rte_rawdev_get_attr(b->id, "destid_bits", &val), 0);
	assert_int_equal(val, 8);
	assert_int_equal(rte_rawdev_get_attr(b->id, "link_up", &val), 0);
	assert_int_equal(val, 1);
	assert_int_equal(rte_rawdev_get_attr(b->id, "link_lanes", &val), 0);
	assert_int_equal(val, 4);
	assert_int_equal(rte_rawdev_get_attr(b->id, "link_mbaud", &val), 0);
	assert_int_equal(val, 5000);
	assert_int_equal(rte_rawdev_get_attr(b->id, "queues_max", &val), 0);
	assert_int_equal(val, 7);
	assert_int_equal(rte_rawdev_get_attr(b->id, "mbox_mask", &val), 0);
	assert_int_equal(val, 0xf);
	assert_int_equal(rte_rawdev_set_attr(b->id, "component_tag", 0x12345678), 0);
	assert_int_equal(rte_rawdev_get_attr(b->id, "component_tag", &val), 0);
	assert_int_equal(val, 0x12345678);
	assert_int_equal(rte_rawdev_set_attr(b->id, "component_tag", 1ull << 32), -EINVAL);
	assert_int_equal(rte_rawdev_set_attr(b->id, "discovered", 1), 0);
	assert_int_equal(rte_rawdev_get_attr(b->id, "discovered", &val), 0);
	assert_int_equal(val, 1);
	assert_int_equal(rte_rawdev_set_attr(b->id, "discovered", 0), 0);
	assert_int_equal(rte_rawdev_get_attr(b->id, "discovered", &val), 0);
	assert_int_equal(val, 0);
	assert_int_equal(rte_rawdev_set_attr(b->id, "discovered", 2), -EINVAL);
	assert_int_equal(rte_rawdev_set_attr(b->id, "destid", 1), -EPERM);
	assert_int_equal(rte_rawdev_set_attr(b->id, "colour", 1), -ENOENT);
	assert_int_equal(rte_rawdev_get_attr(b->id, "colour", &val), -ENOENT);
	/* Another ID, as one who enumerates would set it. */
	tsi721_write32(b->dev, RIO_DID_CSR, 0x44u << 16);
	assert_int_equal(rte_rawdev_get_attr(b->id, "destid", &val), 0);
	assert_int_equal(val, 0x44);
	tsi721_write32(b->dev, RIO_DID_CSR, (uint32_t)b->destid << 16);
	assert_int_equal(rte_rawdev_get_attr(b->id, "destid", NULL), -EINVAL);
	assert_int_equal(rte_rawdev_get_attr(b->id, NULL, &val), -ENOENT);
}

static void
xstats(void **state)
{
	int count = rte_rawdev_xstats_names_get(a->id, NULL, 0), i;
	struct rte_rawdev_xstats_name *names = calloc((size_t)count, sizeof(*names));
	unsigned int id, *ids = calloc((size_t)count, sizeof(*ids));
	uint64_t *values = calloc((size_t)count, sizeof(*values));

	(void)state;
	assert_true(count > 60);
	assert_int_equal(rte_rawdev_xstats_names_get(a->id, names, (unsigned int)count - 1), count);
	assert_string_equal(names[0].name, "");
	assert_int_equal(rte_rawdev_xstats_names_get(a->id, names, (unsigned int)count), count);
	for (i = 0; i < count; i++) {
		assert_int_not_equal(names[i].name[0], '\0');
		ids[i] = (unsigned int)i;
		rte_rawdev_xstats_by_name_get(a->id, names[i].name, &id);
		assert_int_equal(id, i);
	}
	assert_int_equal(rte_pmd_tsi721_doorbell_send(a->id, b->destid, 1), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_send(a->id, b->destid, 2), 0);
	assert_int_equal(xstat(a->id, "dbell_sent"), 2);
	assert_int_equal(xstat(a->id, "null_odb_sent"), 2);
	rte_rawdev_xstats_by_name_get(a->id, "dbell_sent", &id);
	assert_int_equal(rte_rawdev_xstats_reset(a->id, &id, 1), 0);
	assert_int_equal(xstat(a->id, "dbell_sent"), 0);
	assert_int_equal(xstat(a->id, "null_odb_sent"), 2);
	assert_int_equal(rte_rawdev_xstats_get(a->id, ids, values, (unsigned int)count), count);
	assert_int_equal(values[id], 0);
	assert_int_equal(rte_rawdev_xstats_reset(a->id, NULL, 0), 0);
	assert_int_equal(xstat(a->id, "null_odb_sent"), 0);
	id = (unsigned int)count;
	assert_int_equal(rte_rawdev_xstats_get(a->id, &id, values, 1), -EINVAL);
	assert_int_equal(rte_rawdev_xstats_reset(a->id, &id, 1), -EINVAL);
	assert_int_equal(rte_rawdev_xstats_by_name_get(a->id, "colour", &id), (uint64_t)-EINVAL);
	assert_int_equal(id, (unsigned int)-1);
	free(names);
	free(ids);
	free(values);
}

static void
dump(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	configure(a->id, 1);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 2, 32, 0, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_rawdev_dump(a->id, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "destination ID 0x0"));
	assert_non_null(strstr(text, "x4 at 5000 Mbaud"));
	assert_non_null(strstr(text, "DMA channel 0: 0 operations pending, 128 descriptors free"));
	assert_non_null(strstr(text, "mailbox 2: out\n"));
	free(text);
	assert_int_equal(rte_rawdev_dump(a->id, NULL), -EINVAL);
	rte_rawdev_stop(a->id);
}

static void
count_dbell(void *arg, uint16_t src, uint16_t what)
{
	(void)src;
	__atomic_fetch_add((unsigned int *)arg, what, __ATOMIC_RELEASE);
}

static bool
sum_is_seven(void *arg)
{
	return __atomic_load_n((unsigned int *)arg, __ATOMIC_ACQUIRE) == 7;
}

static void
public_doorbells(void **state)
{
	unsigned int sum = 0;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_doorbell_request(b->id, 1, 9, count_dbell, &sum), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_request(b->id, 9, 10, count_dbell, &sum), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_doorbell_send(a->id, b->destid, 3), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_send(a->id, b->destid, 4), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_send(a->id, 0x100, 4), -EINVAL);
	rig_until(sum_is_seven, &sum);
	assert_true(rte_pmd_tsi721_doorbell_poll(b->id, 8) >= 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_release(b->id, 1, 8), -ENOENT);
	assert_int_equal(rte_pmd_tsi721_doorbell_release(b->id, 1, 9), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_release(b->id, 1, 9), -ENOENT);
}

static void
public_messages(void **state)
{
	struct rte_pmd_tsi721_msg_out m[3] = {
		{ b->destid, 1, 8, a->iova, &m[0] }, { b->destid, 2, 4096, a->iova + 8, &m[1] },
		{ b->destid, 2, 0, a->iova, &m[2] },
	};
	struct rte_pmd_tsi721_msg_in in[4];
	void *users[4];
	int status[4];

	(void)state;
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 1, 0, 0, SOCKET_ID_ANY), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 4, 32, 0, SOCKET_ID_ANY), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 1, 32, 33, SOCKET_ID_ANY), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 1, 32, 0, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(b->id, 1, 0, 32, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(b->id, 1, 0, 32, SOCKET_ID_ANY), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 1, m, 3), 2);
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 1, &m[2], 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_msg_reap(a->id, 1, users, status, 4), 2);
	assert_ptr_equal(users[0], &m[0]);
	assert_ptr_equal(users[1], &m[1]);
	assert_int_equal(status[0] | status[1], 0);
	assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, 1, in, 4), 2);
	assert_int_equal(in[1].len, 4096);
	assert_int_equal(in[1].src, a->destid);
	assert_int_equal(in[1].letter, 2);
	assert_memory_equal(in[1].data, a->mem + 8, 4096);
	assert_int_equal(rte_pmd_tsi721_msg_release(b->id, 1, 2), 0);
	assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, 1, in, 4), 0);

	/* The side that was not opened, the mailbox that was not. */
	assert_int_equal(rte_pmd_tsi721_msg_peek(a->id, 1, in, 4), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_msg_release(a->id, 1, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_msg_send(b->id, 1, m, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_msg_reap(b->id, 7, users, status, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, 2), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, 1), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, 1), -EINVAL);
	/* Closing the device closes what is left open. */
	assert_int_equal(rte_rawdev_close(b->id), 0);
	assert_false(tsi721_device_in_use(b->dev));
}

static void
public_maintenance(void **state)
{
	uint32_t val;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_local_write(a->id, RIO_COMPONENT_TAG_CSR, 77), 0);
	assert_int_equal(rte_pmd_tsi721_local_read(a->id, RIO_COMPONENT_TAG_CSR, &val), 0);
	assert_int_equal(val, 77);
	assert_int_equal(rte_pmd_tsi721_maint_write(b->id, a->destid, RTE_PMD_TSI721_HOP_ENDPOINT,
						    RIO_COMPONENT_TAG_CSR, 78), 0);
	assert_int_equal(rte_pmd_tsi721_maint_read(b->id, a->destid, RTE_PMD_TSI721_HOP_ENDPOINT,
						   RIO_COMPONENT_TAG_CSR, &val), 0);
	assert_int_equal(val, 78);
}

static void
no_such_device(void **state)
{
	uint32_t val;
	uint16_t id;

	(void)state;
	for (id = 10; id < UINT16_MAX - 100; id += 97) {
		assert_int_equal(rte_pmd_tsi721_local_read(id, 0, &val), -ENODEV);
		assert_int_equal(rte_pmd_tsi721_doorbell_send(id, 0, 0), -ENODEV);
		assert_int_equal(rte_pmd_tsi721_msg_send(id, 0, NULL, 0), -ENODEV);
		assert_int_equal(rte_pmd_tsi721_window_close(id, 0), -ENODEV);
	}
}

static void
selftest(void **state)
{
	int count = rte_rawdev_xstats_names_get(a->id, NULL, 0), i;
	unsigned int *ids = calloc((size_t)count, sizeof(*ids));
	uint64_t *before = calloc((size_t)count, sizeof(*before));
	uint64_t *after = calloc((size_t)count, sizeof(*after));
	uint64_t tag, now;

	(void)state;
	for (i = 0; i < count; i++)
		ids[i] = (unsigned int)i;
	rte_pmd_tsi721_doorbell_send(a->id, b->destid, 1);
	assert_int_equal(rte_rawdev_set_attr(a->id, "component_tag", 0x55), 0);
	assert_int_equal(rte_rawdev_xstats_get(a->id, ids, before, (unsigned int)count), count);
	assert_int_equal(rte_rawdev_selftest(a->id), 0);
	assert_int_equal(rte_rawdev_selftest(b->id), 0);
	/* As it was: counters, registers, nothing open. */
	assert_int_equal(rte_rawdev_xstats_get(a->id, ids, after, (unsigned int)count), count);
	assert_memory_equal(before, after, (size_t)count * sizeof(*before));
	assert_int_equal(rte_rawdev_get_attr(a->id, "component_tag", &tag), 0);
	assert_int_equal(tag, 0x55);
	assert_false(tsi721_device_in_use(a->dev));
	assert_int_equal(rte_rawdev_get_attr(a->id, "link_up", &now), 0);
	assert_int_equal(now, 1);
	free(ids);
	free(before);
	free(after);
}

/* Two devices on a fabric that a file describes; it is this process's alone. */
static void
two_on(const char *topology, uint16_t ids[2])
{
	static const char *const names[2] = { "raw_tsi7216", "raw_tsi7217" };
	char path[] = "/tmp/raw-test-XXXXXX", args[96];
	int fd = mkstemp(path), i;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, topology, strlen(topology)), strlen(topology));
	close(fd);
	snprintf(args, sizeof(args), "fabric=raw-%d,topology=%s", (int)getpid(), path);
	for (i = 0; i < 2; i++) {
		assert_int_equal(rte_vdev_init(names[i], args), 0);
		ids[i] = rte_rawdev_get_dev_id(names[i]);
	}
	unlink(path);
}

/* Without a switch nothing leads back: each end tests with the other, if that is unused. */
static void
selftest_by_cable(void **state)
{
	struct tsi721_device *other;
	uint64_t tag;
	uint16_t ids[2];

	(void)state;
	two_on("[fabric]\nname = cable\n[endpoints]\nn0 = 0\nn1 = 1\n[links]\nn0 = n1\n", ids);
	assert_int_equal(rte_rawdev_set_attr(ids[1], "component_tag", 0x11), 0);
	assert_int_equal(rte_rawdev_selftest(ids[0]), 0);
	assert_int_equal(rte_rawdev_selftest(ids[1]), 0);
	other = tsi721_device_get("raw_tsi7217");
	rig_log_lines();
	assert_int_equal(rte_rawdev_selftest(ids[0]), -EIO);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "0x0 does not lead back"));
	tsi721_device_put(other);
	/* Who is in use, or passed, is as before. */
	assert_int_equal(rte_rawdev_get_attr(ids[1], "component_tag", &tag), 0);
	assert_int_equal(tag, 0x11);
	assert_int_equal(xstat(ids[1], "dbell_received"), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7216"), 0);
	/* Alone, the link is down. */
	rig_log_lines();
	assert_int_equal(rte_rawdev_selftest(ids[1]), -EIO);
	assert_non_null(strstr(rig_log_last(), "link is down"));
	assert_int_equal(rte_vdev_uninit("raw_tsi7217"), 0);
}

static void
ids_of_16_bits(void **state)
{
	struct rte_pmd_tsi721_info priv;
	struct rte_rawdev_info raw = { .dev_private = &priv };
	unsigned int sum = 0;
	uint16_t ids[2];
	uint32_t val;

	(void)state;
	two_on("[fabric]\nname = wide\nid_bits = 16\n[switches]\ns0 = 4 ports\n"
	       "[endpoints]\nn0 = 0x1234\nn1 = 0x8001\n[links]\nn0 = s0.0\nn1 = s0.1\n", ids);
	assert_int_equal(rte_rawdev_info_get(ids[1], &raw, sizeof(priv)), 0);
	assert_int_equal(priv.destid, 0x8001);
	assert_int_equal(priv.destid_bits, 16);
	assert_int_equal(rte_rawdev_selftest(ids[0]), 0);
	assert_int_equal(rte_rawdev_selftest(ids[1]), 0);
	assert_int_equal(rte_pmd_tsi721_maint_read(ids[0], 0x8001, RTE_PMD_TSI721_HOP_ENDPOINT,
						   RIO_DID_CSR, &val), 0);
	assert_int_equal(val & RIO_DID_16, 0x8001);
	assert_int_equal(rte_pmd_tsi721_doorbell_request(ids[1], 7, 7, count_dbell, &sum), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_send(ids[0], 0x8001, 7), 0);
	rig_until(sum_is_seven, &sum);
	assert_int_equal(rte_vdev_uninit("raw_tsi7216"), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7217"), 0);
}

static void
selftest_fails(void **state)
{
	uint8_t sel = a->dev->conf.mbox_sel;

	(void)state;
	/* A device that lies about its link. */
	rig_hold(a);
	rig_give(TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0), 0);
	rig_log_lines();
	assert_int_equal(rte_rawdev_selftest(a->id), -EIO);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "link"));
	rig_let(a);
	/* A destination ID that leads elsewhere. */
	a->dev->destid = 0x70;
	rig_log_lines();
	assert_int_equal(rte_rawdev_selftest(a->id), -EIO);
	assert_int_equal(rig_log_lines(), 1);
	a->dev->destid = a->destid;
	assert_int_equal(rte_rawdev_selftest(a->id), 0);
	assert_int_equal(a->dev->conf.mbox_sel, sel);
}

static void
selftest_busy(void **state)
{
	struct tsi721_device *dev;
	unsigned int sum = 0;

	(void)state;
	dev = tsi721_device_get("raw_tsi7210");
	assert_ptr_equal(dev, a->dev);
	rig_log_lines();
	assert_int_equal(rte_rawdev_selftest(a->id), -EBUSY);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "in use"));
	tsi721_device_put(dev);

	configure(a->id, 1);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	assert_int_equal(rte_rawdev_selftest(a->id), -EBUSY);
	rte_rawdev_stop(a->id);
	assert_int_equal(rte_rawdev_selftest(a->id), -EBUSY);
	assert_int_equal(rte_rawdev_close(a->id), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 3, 0, 32, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_rawdev_selftest(a->id), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, 3), 0);
	assert_int_equal(rte_pmd_tsi721_window_open(a->id, 0, a->iova, 4096), 0);
	assert_int_equal(rte_rawdev_selftest(a->id), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_window_close(a->id, 0), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_request(a->id, 0, 0, count_dbell, &sum), 0);
	assert_int_equal(rte_rawdev_selftest(a->id), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_doorbell_release(a->id, 0, 0), 0);
	assert_int_equal(rte_rawdev_selftest(a->id), 0);
}

static void
references(void **state)
{
	struct tsi721_device *dev = tsi721_device_get("raw_tsi7211");

	(void)state;
	assert_ptr_equal(dev, b->dev);
	assert_null(tsi721_device_get("raw_tsi7219"));
	tsi721_device_put(NULL);
	/* Held, it stays; a line says why. */
	rig_log_lines();
	assert_int_equal(rte_vdev_uninit("raw_tsi7211"), -EBUSY);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "raw_tsi7211"));
	assert_int_equal(rte_rawdev_reset(b->id), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_doorbell_send(b->id, a->destid, 1), 0);
	tsi721_device_put(dev);
	/* Given back, it is still there, for it is not its holder's. */
	assert_ptr_equal(tsi721_device_find("raw_tsi7211"), b->dev);
}

static void
own_device(void **state)
{
	struct tsi721_device *own, *other;
	char name[TSI721_NAME_LEN + 1];
	int count = rte_rawdev_count();

	(void)state;
	assert_int_equal(tsi721_device_open_own("port9", "fabric=default", &own), 0);
	assert_string_equal(own->name, "raw_tsi721_port9");
	assert_int_equal(rte_rawdev_count(), count + 1);
	assert_int_equal(rte_rawdev_selftest(own->rawdev->dev_id), -EBUSY);
	assert_int_equal(tsi721_device_open_own("port9", "", &other), -EEXIST);
	rig_log_lines();
	assert_int_equal(tsi721_device_open_own("port8", "fabric=default,destid=0", &other), -EEXIST);
	assert_int_equal(tsi721_device_open_own("port8", "link=1", &other), -EINVAL);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(tsi721_device_open_own(name, "", &other), -EINVAL);
	assert_int_equal(rig_log_lines(), 3);
	/* Held twice, it ends with the second. */
	assert_ptr_equal(tsi721_device_get("raw_tsi721_port9"), own);
	tsi721_device_put(own);
	assert_ptr_equal(tsi721_device_find("raw_tsi721_port9"), own);
	tsi721_device_put(own);
	assert_null(tsi721_device_find("raw_tsi721_port9"));
	assert_int_equal(rte_rawdev_count(), count);
}

static void
reset(void **state)
{
	struct tsi721_omsg *out;

	(void)state;
	configure(a->id, 3);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 0, 32, 32, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_window_open(a->id, 0, a->iova, 4096), 0);
	rte_pmd_tsi721_doorbell_send(a->id, b->destid, 1);
	assert_int_equal(rte_rawdev_reset(a->id), 0);
	assert_false(tsi721_device_in_use(a->dev));
	assert_int_equal(xstat(a->id, "dbell_sent"), 0);
	assert_int_equal(rte_rawdev_queue_count(a->id), 0);
	assert_int_equal(rte_rawdev_selftest(a->id), 0);
	assert_int_equal(tsi721_omsg_open(a->dev, 0, 32, SOCKET_ID_ANY, &out), 0);
	tsi721_omsg_close(out, NULL, NULL);
}

/* The one that made the host by its arguments is one. */
static void
host_by_argument(void **state)
{
	uint64_t val;
	uint16_t id;

	(void)state;
	assert_int_equal(rte_vdev_init("raw_tsi7215", "fabric=default,hdid=33,mrrs=5"), 0);
	id = rte_rawdev_get_dev_id("raw_tsi7215");
	assert_int_equal(rte_rawdev_get_attr(id, "destid", &val), 0);
	assert_int_equal(val, 33);
	assert_int_equal(rte_rawdev_get_attr(id, "host", &val), 0);
	assert_int_equal(val, 1);
	assert_int_equal(rte_rawdev_selftest(id), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7215"), 0);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, rig_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(info), TEST(queues), TEST(channel_taken), TEST(operations), TEST(full_queue),
		TEST(attributes), TEST(xstats), TEST(dump), TEST(public_doorbells),
		TEST(public_messages), TEST(public_maintenance), TEST(no_such_device),
		TEST(selftest), TEST(selftest_by_cable), TEST(ids_of_16_bits),
		TEST(selftest_fails), TEST(selftest_busy), TEST(references),
		TEST(own_device), TEST(reset), TEST(host_by_argument),
	};

	return cmocka_run_group_tests_name("drv_rawdev", tests, rig_eal, NULL);
}
