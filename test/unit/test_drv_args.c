/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_rawdev.h>

#include "drv_rig.h"
#include "tsi721_args.h"

static void
defaults(void **state)
{
	struct tsi721_args args;

	(void)state;
	assert_int_equal(tsi721_args_parse("raw", NULL, false, &args), 0);
	assert_int_equal(args.destid, -1);
	assert_int_equal(args.host, -1);
	assert_int_equal(args.conf.mrrs, -1);
	assert_int_equal(args.conf.hdid, -1);
	assert_int_equal(args.conf.dma_sel, 0x7f);
	assert_int_equal(args.conf.dmadev, 0);
	assert_int_equal(args.conf.mbox_sel, 0xf);
	assert_int_equal(args.conf.descs, 128);
	assert_string_equal(args.fabric, "");
	assert_false(args.thread);
	assert_int_equal(args.lanes, 0);
	assert_int_equal(args.mbaud, 0);
}

static void
all_good(void **state)
{
	struct tsi721_args args;

	(void)state;
	assert_int_equal(tsi721_args_parse("raw",
		"fabric=f-1,topology=a/b.ini,fault=drop 1/9;down,node=n.2,destid=0x10,host=1,"
		"exec=thread,link=3.125x2,pace=0,mrrs=5,"
		"dma_sel=0x41,mbox_sel=3,descs=32768,hdid=16", false, &args), 0);
	assert_string_equal(args.fabric, "f-1");
	assert_string_equal(args.topology, "a/b.ini");
	assert_string_equal(args.fault, "drop 1/9;down");
	assert_string_equal(args.node, "n.2");
	assert_int_equal(args.destid, 16);
	assert_int_equal(args.host, 1);
	assert_true(args.thread);
	assert_int_equal(args.mbaud, 3125);
	assert_int_equal(args.lanes, 2);
	assert_int_equal(args.conf.mrrs, 5);
	assert_int_equal(args.conf.dma_sel, 0x41);
	assert_int_equal(args.conf.mbox_sel, 3);
	assert_int_equal(args.conf.descs, 32768);
	assert_int_equal(args.conf.hdid, 16);

}

/* What makes a host, an agent, neither; on a board too. */
static void
roles(void **state)
{
	const struct {
		const char *text;
		int hdid, host;
		enum rte_pmd_tsi721_fabric_role role;
	} good[] = {
		{ "mrrs=5", -1, -1, RTE_PMD_TSI721_FABRIC_NONE },
		{ "hdid=7", 7, 1, RTE_PMD_TSI721_FABRIC_HOST },
		{ "hdid=7,host=1", 7, 1, RTE_PMD_TSI721_FABRIC_HOST },
		{ "host=1", -1, 1, RTE_PMD_TSI721_FABRIC_HOST },
		{ "hdid=0", 0, 1, RTE_PMD_TSI721_FABRIC_HOST },
		{ "hdid=-1", -1, 0, RTE_PMD_TSI721_FABRIC_AGENT },
		{ "host=0", -1, 0, RTE_PMD_TSI721_FABRIC_AGENT },
		{ "host=0,hdid=-1", -1, 0, RTE_PMD_TSI721_FABRIC_AGENT },
	};
	struct tsi721_args args;
	size_t i;

	(void)state;
	for (i = 0; i < 2 * RTE_DIM(good); i++) {
		assert_int_equal(tsi721_args_parse("raw", good[i / 2].text, i % 2, &args), 0);
		assert_int_equal(args.conf.hdid, good[i / 2].hdid);
		assert_int_equal(args.host, good[i / 2].host);
		assert_int_equal(args.conf.role, good[i / 2].role);
	}
}

/* A channel that is a dmadev is nobody else's. */
static void
dmadevs(void **state)
{
	struct tsi721_args args;

	(void)state;
	assert_int_equal(tsi721_args_parse("raw", "dmadev=0x42", true, &args), 0);
	assert_int_equal(args.conf.dmadev, 0x42);
	assert_int_equal(args.conf.dma_sel, 0x3d);
	assert_int_equal(tsi721_args_parse("raw", "dma_sel=3,dmadev=2", false, &args), 0);
	assert_int_equal(args.conf.dmadev, 2);
	assert_int_equal(args.conf.dma_sel, 1);
}

static void
links(void **state)
{
	static const struct {
		const char *text;
		unsigned int mbaud, lanes;
	} good[] = {
		{ "link=1.25x1", 1250, 1 }, { "link=2.5x2", 2500, 2 }, { "link=3.125x4", 3125, 4 },
		{ "link=5.0x4", 5000, 4 }, { "link=5x4", 5000, 4 }, { "link=6.25x1", 6250, 1 },
	};
	struct tsi721_args args;
	size_t i;

	(void)state;
	for (i = 0; i < RTE_DIM(good); i++) {
		assert_int_equal(tsi721_args_parse("raw", good[i].text, false, &args), 0);
		assert_int_equal(args.mbaud, good[i].mbaud);
		assert_int_equal(args.lanes, good[i].lanes);
	}
}

/* Each is refused with one line that holds both texts. */
static const struct bad {
	const char *text, *named, *allowed;
} bad[] = {
	{ "colour=red", "colour=red", "fabric=<name>" },
	{ "destid", "destid=", "0 to 0xfffe" },
	{ "destid=", "destid=", "0 to 0xfffe" },
	{ "destid=-1", "destid=-1", "0 to 0xfffe" },
	{ "destid=65535", "destid=65535", "0 to 0xfffe" },
	{ "destid=1x", "destid=1x", "0 to 0xfffe" },
	{ "destid=99999999999999999999", "destid=9999", "0 to 0xfffe" },
	{ "destid=1,destid=1", "destid=1", "once" },
	{ "host=2", "host=2", "0, 1" },
	{ "exec=fast", "exec=fast", "inline, thread" },
	{ "link=5.0", "link=5.0", "1.25" },
	{ "link=5.0x3", "link=5.0x3", "1, 2 or 4" },
	{ "link=5.0x8", "link=5.0x8", "1, 2 or 4" },
	{ "link=10x4", "link=10x4", "6.25" },
	{ "link=x4", "link=x4", "6.25" },
	{ "pace=1", "pace=1", "0" },
	{ "mrrs=6", "mrrs=6", "0 to 5" },
	{ "dma_sel=0x80", "dma_sel=0x80", "0x7f" },
	{ "dmadev=0x80", "dmadev=0x80", "0x7f" },
	{ "dma_sel=3,dmadev=6", "dmadev=0x6", "dma_sel=0x3" },
	{ "mbox_sel=16", "mbox_sel=16", "0xf" },
	{ "descs=16", "descs=16", "32 to 32768" },
	{ "descs=100", "descs=100", "powers of two" },
	{ "descs=65536", "descs=65536", "32 to 32768" },
	{ "hdid=70000", "hdid=70000", "-1, 0 to 0xfffe" },
	{ "hdid=-2", "hdid=-2", "-1, 0 to 0xfffe" },
	{ "hdid=-1,host=1", "hdid=-1", "host=0" },
	{ "hdid=3,destid=4", "hdid=3", "destid=4" },
	{ "hdid=3,host=0", "hdid=3", "host=1" },
	{ "fabric=a/b", "fabric=a/b", "letters" },
	{ "fabric=..", "fabric=..", "letters" },
	{ "node=0123456789012345678901234567890123456789012345678901234567890123",
	  "node=0123", "1 to 63" },
	{ "topology=", "topology=", "path of a file" },
	{ "fault=", "fault=", "fabrics.rst" },
	{ "intr=eventfd", "intr=eventfd", "auto, msix, msi, intx, off" },
	{ "destid_bits=16", "destid_bits=16", "fabric=" },
	{ "=1", "=1", "allowed" },
};

static void
all_bad(void **state)
{
	struct tsi721_args args;
	size_t i;

	(void)state;
	for (i = 0; i < RTE_DIM(bad); i++) {
		rig_log_lines();
		assert_int_equal(tsi721_args_parse("raw9", bad[i].text, false, &args), -EINVAL);
		assert_int_equal(rig_log_lines(), 1);
		assert_non_null(strstr(rig_log_last(), "raw9: "));
		assert_non_null(strstr(rig_log_last(), bad[i].named));
		assert_non_null(strstr(rig_log_last(), bad[i].allowed));
	}
}

static void
board_has_no_fabric(void **state)
{
	struct tsi721_args args;

	(void)state;
	assert_int_equal(tsi721_args_parse("raw", "mrrs=5,hdid=0", true, &args), 0);
	rig_log_lines();
	assert_int_equal(tsi721_args_parse("raw", "fabric=x", true, &args), -EINVAL);
	assert_int_equal(rig_log_lines(), 1);
	assert_null(strstr(rig_log_last(), "exec="));
}

static void
board_has_destid_bits(void **state)
{
	struct tsi721_args args;

	(void)state;
	assert_int_equal(tsi721_args_parse("raw", "", true, &args), 0);
	assert_int_equal(args.destid_bits, 8);
	assert_int_equal(args.conf.intr, TSI721_INTR_AUTO);
	assert_int_equal(tsi721_args_parse("raw", "destid_bits=16,hdid=0xfffe,intr=msi", true,
					   &args), 0);
	assert_int_equal(args.destid_bits, 16);
	assert_int_equal(args.conf.hdid, 0xfffe);
	assert_int_equal(args.conf.intr, TSI721_INTR_MSI);
	assert_int_equal(tsi721_args_parse("raw", "hdid=0xfe", true, &args), 0);
	rig_log_lines();
	assert_int_equal(tsi721_args_parse("raw", "destid_bits=12", true, &args), -EINVAL);
	assert_int_equal(tsi721_args_parse("raw", "hdid=0xff", true, &args), -EINVAL);
	assert_int_equal(tsi721_args_parse("raw", "destid_bits=16,hdid=0xffff", true, &args),
			 -EINVAL);
	assert_int_equal(rig_log_lines(), 3);
}

/* A refused probe leaves nothing behind: the same name can be probed again. */
static void
probe_refused(void **state)
{
	int count = rte_rawdev_count();

	(void)state;
	rig_log_lines();
	assert_int_not_equal(rte_vdev_init("raw_tsi7210", "fabric=default,link=7x4"), 0);
	assert_int_equal(rig_log_lines(), 1);
	assert_int_equal(rte_rawdev_count(), count);
	assert_null(tsi721_device_find("raw_tsi7210"));
	assert_int_equal(rte_vdev_init("raw_tsi7210", "fabric=default,link=6.25x1"), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7210"), 0);
	assert_int_equal(rte_rawdev_count(), count);
}

static void
destid_taken(void **state)
{
	char other[48];

	(void)state;
	assert_int_equal(rte_vdev_init("raw_tsi7210", "fabric=default,destid=9"), 0);
	rig_log_lines();
	assert_int_not_equal(rte_vdev_init("raw_tsi7211", "fabric=default,destid=9"), 0);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "9"));
	/* On another fabric it is free. */
	snprintf(other, sizeof(other), "fabric=other-%d,destid=9", (int)getpid());
	assert_int_equal(rte_vdev_init("raw_tsi7211", other), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7211"), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7210"), 0);
	/* And so it is again, once its owner has gone. */
	assert_int_equal(rte_vdev_init("raw_tsi7211", "fabric=default,destid=9"), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7211"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(all_good), cmocka_unit_test(roles),
		cmocka_unit_test(dmadevs),
		cmocka_unit_test(links),
		cmocka_unit_test(all_bad),
		cmocka_unit_test(board_has_no_fabric),
		cmocka_unit_test(board_has_destid_bits),
		cmocka_unit_test(probe_refused),
		cmocka_unit_test(destid_taken),
	};

	return cmocka_run_group_tests_name("drv_args", tests, rig_eal, NULL);
}
