/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Attaching to fabrics: names, destination IDs, limits; coming and going under load. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "null_rig.h"

static char err[NULL_ERR_LEN];

static int
dev_open(const char *fabric, int destid, const char *node, struct null_device **dev)
{
	const struct null_device_params p = {
		.fabric = fabric, .destid = destid, .node = node, .host = -1,
	};

	*dev = NULL;
	err[0] = '\0';
	return null_device_open(&p, dev, err, sizeof(err));
}

static uint32_t
destid_of(struct null_device *dev)
{
	struct null_device_info info;

	null_device_info_get(dev, &info);
	return info.destid;
}

static void
destids(void **state)
{
	struct null_device *d[4];
	char other[32];

	(void)state;
	assert_int_equal(dev_open("default", 1, NULL, &d[0]), 0);
	assert_int_equal(dev_open("default", NULL_DESTID_AUTO, NULL, &d[1]), 0);
	assert_int_equal(dev_open("default", NULL_DESTID_AUTO, NULL, &d[2]), 0);
	assert_int_equal(destid_of(d[0]), 1);
	assert_int_equal(destid_of(d[1]), 0);
	assert_int_equal(destid_of(d[2]), 2);
	assert_int_equal(dev_open("default", 2, NULL, &d[3]), -EEXIST);
	assert_string_equal(err, "destination ID 2 is taken on fabric 'default'");
	assert_null(d[3]);
	assert_int_equal(dev_open("default", 255, NULL, &d[3]), -EINVAL);
	assert_string_equal(err, "destination ID 255 is not 0 to 254");
	assert_int_equal(dev_open("default", -2, NULL, &d[3]), -EINVAL);
	/* The same ID on another fabric is another matter. */
	snprintf(other, sizeof(other), "ids-%d", (int)getpid());
	assert_int_equal(dev_open(other, 2, NULL, &d[3]), 0);
	null_device_close(d[3]);
	/* One that left gives its ID back. */
	null_device_close(d[1]);
	assert_int_equal(dev_open("default", NULL_DESTID_AUTO, NULL, &d[1]), 0);
	assert_int_equal(destid_of(d[1]), 0);
	null_device_close(d[0]);
	null_device_close(d[1]);
	null_device_close(d[2]);
	null_device_close(NULL);
}

static void
names(void **state)
{
	static const char *const bad[] = { "", "a b", "a/b", ".hidden", "\xc3\xa4",
		"0123456789012345678901234567890123456789012345678901234567890123" };
	struct null_device *d, *e;
	struct null_device_info info;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(dev_open(bad[i], NULL_DESTID_AUTO, NULL, &d), -EINVAL);
		assert_non_null(strstr(err, "fabric name"));
		assert_null(strchr(err, '\n'));
	}
	assert_int_equal(dev_open(NULL, NULL_DESTID_AUTO, "ep7", &d), 0);
	null_device_info_get(d, &info);
	assert_string_equal(info.fabric, NULL_FABRIC_DEFAULT);
	assert_string_equal(info.node, "ep7");
	assert_int_equal(info.endpoint, 7);
	assert_int_equal(info.lanes, 4);
	assert_int_equal(info.mbaud, 5000);
	assert_false(info.sys16);
	assert_int_equal(dev_open(NULL, NULL_DESTID_AUTO, "ep7", &e), -EEXIST);
	assert_string_equal(err, "node 'ep7' of fabric 'default' is taken");
	assert_int_equal(dev_open(NULL, NULL_DESTID_AUTO, "ep255", &e), -ENOENT);
	assert_string_equal(err, "fabric 'default' has no node 'ep255', only ep0 to ep254");
	assert_int_equal(dev_open(NULL, NULL_DESTID_AUTO, "x", &e), -ENOENT);
	null_device_close(d);
}

static void
parameters(void **state)
{
	struct null_device_params p = { .fabric = "default", .destid = NULL_DESTID_AUTO, .host = 2 };
	struct null_device *d;
	struct null_device_info info;

	(void)state;
	assert_int_equal(null_device_open(&p, &d, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "host=2 is not 0, 1 or -1");
	p.host = 0;
	p.lanes = 3;
	assert_int_equal(null_device_open(&p, &d, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "3 lanes are not 1, 2 or 4");
	p.lanes = 1;
	p.mbaud = 1000;
	assert_int_equal(null_device_open(&p, &d, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "1000 Mbaud is not 1250, 2500, 3125, 5000 or 6250");
	/* Without a buffer for the reason, and with a short one. */
	assert_int_equal(null_device_open(&p, &d, NULL, 0), -EINVAL);
	assert_int_equal(null_device_open(&p, &d, err, 5), -EINVAL);
	assert_string_equal(err, "1000");
	p.mbaud = 1250;
	assert_int_equal(null_device_open(&p, &d, err, sizeof(err)), 0);
	null_device_info_get(d, &info);
	assert_int_equal(info.lanes, 1);
	assert_int_equal(info.mbaud, 1250);
	assert_int_equal(null_device_read32(d, 0, TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR),
			 RIO_PORT_GEN_DISCOVERED);
	assert_int_equal(null_device_read32(d, 0, TSI721_SP_BASE + RIO_PORT_N_CTL2_CSR(0)) >> 28, 1);
	assert_int_equal(null_device_read32(d, 0, TSI721_SP_BASE + RIO_PORT_N_CTL_CSR(0)) &
			 RIO_PORT_N_CTL_IPW, 0);
	null_device_close(d);
}

/* 255 endpoints, each reaches the next; the 256th is refused. */
static void
full(void **state)
{
	struct null_device *d[255], *e;
	uint32_t ep, faults, i;

	(void)state;
	for (i = 0; i < 255; i++) {
		assert_int_equal(dev_open("default", NULL_DESTID_AUTO, NULL, &d[i]), 0);
		assert_int_equal(destid_of(d[i]), i);
		null_device_write32(d[i], 0, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	}
	assert_int_equal(dev_open("default", NULL_DESTID_AUTO, NULL, &e), -ENOSPC);
	assert_string_equal(err, "fabric 'default' is full: it has 255 endpoints");
	for (i = 0; i < 255; i++) {
		assert_int_equal(null_fabric_route(d[i]->fab, d[i]->ep, (i + 1) % 255, 0, &ep,
						   &faults), NULL_RESP_DONE);
		assert_int_equal(ep, (i + 1) % 255);
		assert_int_equal(null_fabric_route(d[i]->fab, d[i]->ep, 255, 0, &ep, &faults),
				 NULL_RESP_TIMEOUT);
		assert_int_equal(null_fabric_route(d[i]->fab, d[i]->ep, i, 1, &ep, &faults),
				 NULL_RESP_TIMEOUT);
	}
	for (i = 0; i < 255; i++)
		null_device_close(d[i]);
}

/* A chip that comes after another on the same endpoint remembers nothing of it. */
static void
fresh_again(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct null_device *again;
	uint32_t i;
	const struct null_reg *row;
	const char *fabric = rig->d[0].dev->fab->sh->name;

	for (i = 0; (row = null_reg_row(i)) != NULL; i++)
		if (row->off != TSI721_DEVCTL)
			rig_wr(b, row->off, 0xffffffff);
	null_device_close(b->dev);
	b->dev = NULL;
	assert_int_equal(dev_open(fabric, NULL_DESTID_AUTO, NULL, &again), 0);
	assert_int_equal(again->ep, 1);
	for (i = 0; (row = null_reg_row(i)) != NULL; i++) {
		uint32_t val = null_device_read32(again, 0, row->off);

		if (row->off != RIO_DID_CSR && val != (row->access == NULL_WO ? 0 : row->reset))
			fail_msg("%s is 0x%x", row->name, val);
	}
	assert_int_equal(null_device_stat_get(again, NULL_STAT_UNKNOWN_REG_READS), 0);
	b->dev = again;
}

static void
stat_names(void **state)
{
	struct rig *rig = *state;
	int i, j;

	for (i = 0; i < NULL_STAT_COUNT; i++) {
		assert_non_null(null_device_stat_name(i));
		for (j = 0; j < i; j++)
			assert_string_not_equal(null_device_stat_name(i), null_device_stat_name(j));
	}
	assert_null(null_device_stat_name(NULL_STAT_COUNT));
	assert_int_equal(null_device_stat_get(rig->d[0].dev, NULL_STAT_COUNT), 0);
}

/* ---- coming and going ---- */

struct traffic {
	struct rig_dev *a;
	uint32_t to;
	_Atomic bool stop;
	uint32_t done, aborts;
};

/* Writes to destination ID 2, whether it is there or not. */
static void *
traffic_run(void *arg)
{
	struct traffic *t = arg;
	struct rig_bdma dma;

	rig_bdma_open(&dma, t->a, 0, 0, 0x1000, 0);
	while (!atomic_load(&t->stop)) {
		dma.nb = 0;
		rig_bdma_set(&dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
		rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, 2, 0x100000 + t->to, 0x10000, 1024);
		rig_bdma_go(&dma);
		if ((rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_ABORT) != 0)
			t->aborts++;
		else
			t->done++;
	}
	return NULL;
}

static void
come_and_go_under_load(void **state)
{
	struct rig *rig = *state;
	struct traffic t[2] = { { .a = &rig->d[0] }, { .a = &rig->d[1], .to = 2048 } };
	const char *fabric = rig->d[0].dev->fab->sh->name;
	pthread_t thread[2];
	unsigned int i, round;

	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, traffic_run, &t[i]), 0);
	for (round = 0; round < 300; round++) {
		struct rig_dev c = { .iova = 0x700000000ull };

		assert_int_equal(dev_open(fabric, 2, NULL, &c.dev), 0);
		c.mem = aligned_alloc(0x1000, 0x2000);
		assert_non_null(c.mem);
		assert_int_equal(null_device_dma_map(c.dev, c.iova, 0x2000, c.mem, -1, 0), 0);
		rig_master(&c, true);
		rig_wr(&c, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
		rig_ibwin(&c, 0, 0x100000, 0x1000, 0x1000);
		usleep(200);
		/* Afterwards nobody writes there: the memory may go. */
		if (round % 3 == 0)
			assert_int_equal(null_device_dma_unmap(c.dev, c.iova, 0x2000), 0);
		else if (round % 3 == 1)
			rig_ibwin_close(&c, 0);
		else
			null_device_close(c.dev);
		free(c.mem);
		if (round % 3 != 2)
			null_device_close(c.dev);
	}
	for (i = 0; i < 2; i++) {
		atomic_store(&t[i].stop, true);
		pthread_join(thread[i], NULL);
		assert_true(t[i].done > 0);
		assert_true(t[i].aborts > 0);
	}
}

struct churn {
	pthread_t thread;
	int id;
	bool ok;
};

static void *
churn_run(void *arg)
{
	struct churn *c = arg;
	struct null_device *d;
	unsigned int i;

	c->ok = true;
	for (i = 0; i < 100 && c->ok; i++) {
		const struct null_device_params p = {
			.fabric = "default", .destid = c->id, .host = -1,
		};

		c->ok = null_device_open(&p, &d, NULL, 0) == 0;
		if (c->ok) {
			null_device_write32(d, 0, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
			null_device_close(d);
		}
	}
	return NULL;
}

static void
open_and_close_in_threads(void **state)
{
	struct churn c[4];
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		c[i].id = i;
		assert_int_equal(pthread_create(&c[i].thread, NULL, churn_run, &c[i]), 0);
	}
	for (i = 0; i < 4; i++) {
		pthread_join(c[i].thread, NULL);
		assert_true(c[i].ok);
	}
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rig_setup2, rig_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(destids), cmocka_unit_test(names), cmocka_unit_test(parameters),
		cmocka_unit_test(full), T(fresh_again), T(stat_names), T(come_and_go_under_load),
		cmocka_unit_test(open_and_close_in_threads),
	};

	return cmocka_run_group_tests_name("null_fabric", tests, NULL, NULL);
}
