/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Attributes of the rawdev; rte_pmd_tsi721.h lists them. */

#include <errno.h>
#include <string.h>

#include "tsi721_maint.h"
#include "tsi721_rawdev.h"

#define REG_GEN_CTL	(TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR)

struct attr {
	const char *name;
	uint64_t (*get)(struct tsi721_rawdev *raw);
	int (*set)(struct tsi721_rawdev *raw, uint64_t value);	/* NULL: read only */
};

static uint64_t
get_destid(struct tsi721_rawdev *raw)
{
	return tsi721_device_destid(raw->dev);
}

static uint64_t
get_destid_bits(struct tsi721_rawdev *raw)
{
	return raw->dev->sys16 ? 16 : 8;
}

static uint64_t
get_link_up(struct tsi721_rawdev *raw)
{
	struct tsi721_link link;

	tsi721_link_get(raw->dev, &link);
	return link.up;
}

static uint64_t
get_link_lanes(struct tsi721_rawdev *raw)
{
	struct tsi721_link link;

	tsi721_link_get(raw->dev, &link);
	return link.lanes;
}

static uint64_t
get_link_mbaud(struct tsi721_rawdev *raw)
{
	struct tsi721_link link;

	tsi721_link_get(raw->dev, &link);
	return link.mbaud;
}

static uint64_t
get_host(struct tsi721_rawdev *raw)
{
	return (tsi721_read32(raw->dev, REG_GEN_CTL) & RIO_PORT_GEN_HOST) != 0;
}

static uint64_t
get_queues_max(struct tsi721_rawdev *raw)
{
	return raw->max_queues;
}

static uint64_t
get_mbox_mask(struct tsi721_rawdev *raw)
{
	return raw->dev->conf.mbox_sel;
}

static uint64_t
get_component_tag(struct tsi721_rawdev *raw)
{
	return tsi721_read32(raw->dev, RIO_COMPONENT_TAG_CSR);
}

static int
set_component_tag(struct tsi721_rawdev *raw, uint64_t value)
{
	if (value > UINT32_MAX)
		return -EINVAL;
	tsi721_write32(raw->dev, RIO_COMPONENT_TAG_CSR, (uint32_t)value);
	return 0;
}

static uint64_t
get_discovered(struct tsi721_rawdev *raw)
{
	return (tsi721_read32(raw->dev, REG_GEN_CTL) & RIO_PORT_GEN_DISCOVERED) != 0;
}

static int
set_discovered(struct tsi721_rawdev *raw, uint64_t value)
{
	uint32_t ctl;

	if (value > 1)
		return -EINVAL;
	ctl = tsi721_read32(raw->dev, REG_GEN_CTL) & ~RIO_PORT_GEN_DISCOVERED;
	tsi721_write32(raw->dev, REG_GEN_CTL, value != 0 ? ctl | RIO_PORT_GEN_DISCOVERED : ctl);
	return 0;
}

static const struct attr attrs[] = {
	{ "destid", get_destid, NULL },
	{ "destid_bits", get_destid_bits, NULL },
	{ "link_up", get_link_up, NULL },
	{ "link_lanes", get_link_lanes, NULL },
	{ "link_mbaud", get_link_mbaud, NULL },
	{ "host", get_host, NULL },
	{ "queues_max", get_queues_max, NULL },
	{ "mbox_mask", get_mbox_mask, NULL },
	{ "component_tag", get_component_tag, set_component_tag },
	{ "discovered", get_discovered, set_discovered },
};

static const struct attr *
attr_find(const char *name)
{
	size_t i;

	for (i = 0; name != NULL && i < RTE_DIM(attrs); i++)
		if (strcmp(attrs[i].name, name) == 0)
			return &attrs[i];
	return NULL;
}

int
tsi721_attr_get(struct rte_rawdev *rawdev, const char *name, uint64_t *value)
{
	const struct attr *attr = attr_find(name);

	if (attr == NULL)
		return -ENOENT;
	if (value == NULL)
		return -EINVAL;
	*value = attr->get(rawdev->dev_private);
	return 0;
}

int
tsi721_attr_set(struct rte_rawdev *rawdev, const char *name, const uint64_t value)
{
	const struct attr *attr = attr_find(name);

	if (attr == NULL)
		return -ENOENT;
	if (attr->set == NULL)
		return -EPERM;
	return attr->set(rawdev->dev_private, value);
}
