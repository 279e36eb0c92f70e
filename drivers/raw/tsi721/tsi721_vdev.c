/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <bus_vdev_driver.h>

#include "tsi721_device.h"

static int
tsi721_vdev_probe(struct rte_vdev_device *vdev)
{
	TSI721_LOG_NAME(ERR, rte_vdev_device_name(vdev), "no null device in this build");
	return -ENOTSUP;
}

static int
tsi721_vdev_remove(struct rte_vdev_device *vdev)
{
	RTE_SET_USED(vdev);
	return 0;
}

static struct rte_vdev_driver tsi721_vdev_driver = {
	.probe = tsi721_vdev_probe,
	.remove = tsi721_vdev_remove,
};

RTE_PMD_REGISTER_VDEV(raw_tsi721, tsi721_vdev_driver);
RTE_PMD_REGISTER_PARAM_STRING(raw_tsi721,
	"fabric=<name> "
	"node=<name> "
	"destid=<0..65535> "
	"host=<0|1> "
	"exec=<inline|thread> "
	"link=<1.25|2.5|3.125|5.0|6.25>x<1|2|4> "
	"pace=<0> "
	"mrrs=<0..5> "
	"dma_sel=<mask> "
	"mbox_sel=<mask> "
	"descs=<32..32768> "
	"hdid=<0..65535>");
