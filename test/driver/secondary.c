/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A secondary process that looks at a raw device of the primary one, prints what
 * it sees, and tries what it may not. secondary EAL-OPTIONS -- NAME
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_rawdev.h>

#include <rte_pmd_tsi721.h>

static int
fail(const char *what, int64_t ret)
{
	printf("wrong: %s: %" PRId64 "\n", what, ret);
	return 1;
}

static int
look(uint16_t id)
{
	struct rte_pmd_tsi721_version version;
	struct rte_pmd_tsi721_info info;
	struct rte_rawdev_info raw = { .dev_private = &info };
	int count = rte_rawdev_xstats_names_get(id, NULL, 0), i, ret;
	struct rte_rawdev_xstats_name *names;
	unsigned int *ids, by_name;
	uint64_t *values, tag;

	ret = rte_rawdev_info_get(id, &raw, sizeof(info));
	if (ret != 0)
		return fail("info", ret);
	printf("driver %s destid %u bits %u link %u lanes %u queues %u\n", raw.driver_name,
	       info.destid, info.destid_bits, info.link_up, info.link_lanes, info.queues_max);
	ret = rte_rawdev_firmware_version_get(id, &version);
	if (ret != 0 || version.vendor != 0x38 || version.device != 0x80ab)
		return fail("version", ret);
	ret = rte_rawdev_get_attr(id, "component_tag", &tag);
	if (ret != 0)
		return fail("component_tag", ret);
	printf("component_tag %" PRIu64 "\n", tag);
	if (rte_rawdev_get_attr(id, "colour", &tag) != -ENOENT)
		return fail("colour", 0);
	if (count <= 0)
		return fail("number of xstats", count);
	names = calloc((size_t)count, sizeof(*names));
	ids = calloc((size_t)count, sizeof(*ids));
	values = calloc((size_t)count, sizeof(*values));
	for (i = 0; i < count; i++)
		ids[i] = (unsigned int)i;
	if (rte_rawdev_xstats_names_get(id, names, (unsigned int)count) != count ||
	    rte_rawdev_xstats_get(id, ids, values, (unsigned int)count) != count)
		return fail("xstats", 0);
	for (i = 0; i < count; i++) {
		printf("xstat %s %" PRIu64 "\n", names[i].name, values[i]);
		rte_rawdev_xstats_by_name_get(id, names[i].name, &by_name);
		if (by_name != ids[i])
			return fail(names[i].name, by_name);
	}
	ids[0] = (unsigned int)count;
	if (rte_rawdev_xstats_get(id, ids, values, 1) != -EINVAL)
		return fail("xstat out of range", 0);
	return rte_rawdev_dump(id, stdout) != 0 ? fail("dump", 0) : 0;
}

static int
try(uint16_t id)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 1 };
	struct rte_rawdev_info raw = { .dev_private = &config };
	struct rte_pmd_tsi721_queue_conf queue = { .nb_desc = 32 };
	struct rte_rawdev_buf buf = { 0 }, *bufs = &buf;
	uint32_t val;

	if (rte_rawdev_configure(id, &raw, sizeof(config)) != -ENOTSUP ||
	    rte_rawdev_queue_setup(id, 0, &queue, sizeof(queue)) != -ENOTSUP ||
	    rte_rawdev_start(id) != -ENOTSUP || rte_rawdev_reset(id) != -ENOTSUP ||
	    rte_rawdev_enqueue_buffers(id, &bufs, 1, NULL) != -ENOTSUP ||
	    rte_rawdev_dequeue_buffers(id, &bufs, 1, NULL) != -ENOTSUP ||
	    rte_rawdev_set_attr(id, "component_tag", 1) != -ENOTSUP ||
	    rte_rawdev_xstats_reset(id, NULL, 0) != -ENOTSUP ||
	    rte_rawdev_selftest(id) != -ENOTSUP || rte_rawdev_queue_count(id) != 0)
		return fail("what a secondary process may not", 0);
	if (rte_pmd_tsi721_doorbell_send(id, 0, 0) != -ENODEV ||
	    rte_pmd_tsi721_local_read(id, 0, &val) != -ENODEV ||
	    rte_pmd_tsi721_mbox_open(id, 0, 32, 32, SOCKET_ID_ANY) != -ENODEV ||
	    rte_pmd_tsi721_intr_open(id, RTE_PMD_TSI721_INTR_DOORBELL, 0) != -ENODEV)
		return fail("the public interface", 0);
	return 0;
}

/* A port that the primary process has started. */
static int
port(uint16_t id)
{
	struct rte_eth_stats stats;
	struct rte_eth_conf conf = { 0 };
	struct rte_mbuf *mbufs[4];

	if (rte_eth_stats_get(id, &stats) != 0)
		return fail("statistics of a port", id);
	printf("port %u opackets %" PRIu64 "\n", id, stats.opackets);
	if (rte_eth_rx_burst(id, 0, mbufs, 4) != 0)
		return fail("a burst", id);
	if (rte_eth_promiscuous_disable(id) != 0 || rte_eth_promiscuous_get(id) != 0 ||
	    rte_eth_promiscuous_enable(id) != 0)
		return fail("promiscuous mode", id);
	if (rte_eth_dev_stop(id) != -ENOTSUP)
		return fail("stopping a port", id);
	return rte_eth_dev_configure(id, 1, 1, &conf) == 0 ? fail("configuring a port", id) : 0;
}

int
main(int argc, char **argv)
{
	int eal = rte_eal_init(argc, argv), ret;
	uint16_t id;

	if (eal < 0 || argc - eal != 2)
		return 2;
	id = rte_rawdev_get_dev_id(argv[eal + 1]);
	ret = id >= RTE_RAWDEV_MAX_DEVS ? fail("no such device", 0) : look(id);
	if (ret == 0)
		ret = try(id);
	if (ret == 0 && rte_eth_dev_get_port_by_name("net_rionet0", &id) == 0)
		ret = port(id);
	printf("%s\n", ret == 0 ? "done" : "failed");
	rte_eal_cleanup();
	return ret;
}
