/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Who is told of changes of the fabric and of port-writes. */

#include <errno.h>

#include "tsi721_fabric.h"
#include "tsi721_rawdev.h"

void
tsi721_fabric_tell_change(struct tsi721_device *dev, uint32_t generation)
{
	unsigned int i;

	if (dev->rawdev == NULL)
		return;
	pthread_mutex_lock(&dev->fabric_cbs_lock);
	for (i = 0; i < TSI721_CBS_MAX; i++)
		if (dev->fabric_cbs.change[i].cb != NULL)
			((rte_pmd_tsi721_fabric_cb)dev->fabric_cbs.change[i].cb)(
				dev->fabric_cbs.change[i].arg, dev->rawdev->dev_id, generation);
	pthread_mutex_unlock(&dev->fabric_cbs_lock);
}

void
tsi721_fabric_tell_portwrite(struct tsi721_device *dev,
			     const uint32_t words[TSI721_RIO_PW_WORDS])
{
	unsigned int i;

	if (dev->rawdev == NULL)
		return;
	pthread_mutex_lock(&dev->fabric_cbs_lock);
	for (i = 0; i < TSI721_CBS_MAX; i++)
		if (dev->fabric_cbs.portwrite[i].cb != NULL)
			((rte_pmd_tsi721_portwrite_cb)dev->fabric_cbs.portwrite[i].cb)(
				dev->fabric_cbs.portwrite[i].arg, dev->rawdev->dev_id, words);
	pthread_mutex_unlock(&dev->fabric_cbs_lock);
}

int
tsi721_fabric_cb_add(struct tsi721_device *dev, bool portwrite, void (*cb)(void), void *arg)
{
	int i, ret = -ENOSPC;

	if (cb == NULL)
		return -EINVAL;
	pthread_mutex_lock(&dev->fabric_cbs_lock);
	for (i = TSI721_CBS_MAX - 1; i >= 0 && ret != -EEXIST; i--) {
		void (*have)(void) = portwrite ? dev->fabric_cbs.portwrite[i].cb :
						 dev->fabric_cbs.change[i].cb;
		void *with = portwrite ? dev->fabric_cbs.portwrite[i].arg :
					 dev->fabric_cbs.change[i].arg;

		if (have == cb && with == arg)
			ret = -EEXIST;
		else if (have == NULL)
			ret = i;
	}
	if (ret >= 0 && portwrite) {
		dev->fabric_cbs.portwrite[ret].cb = cb;
		dev->fabric_cbs.portwrite[ret].arg = arg;
	} else if (ret >= 0) {
		dev->fabric_cbs.change[ret].cb = cb;
		dev->fabric_cbs.change[ret].arg = arg;
	}
	pthread_mutex_unlock(&dev->fabric_cbs_lock);
	return ret < 0 ? ret : 0;
}

int
tsi721_fabric_cb_del(struct tsi721_device *dev, bool portwrite, void (*cb)(void), void *arg)
{
	int i, ret = -ENOENT;

	pthread_mutex_lock(&dev->fabric_cbs_lock);
	for (i = 0; cb != NULL && i < (int)TSI721_CBS_MAX; i++) {
		if (portwrite && dev->fabric_cbs.portwrite[i].cb == cb &&
		    dev->fabric_cbs.portwrite[i].arg == arg) {
			dev->fabric_cbs.portwrite[i].cb = NULL;
			ret = 0;
		} else if (!portwrite && dev->fabric_cbs.change[i].cb == cb &&
			   dev->fabric_cbs.change[i].arg == arg) {
			dev->fabric_cbs.change[i].cb = NULL;
			ret = 0;
		}
	}
	pthread_mutex_unlock(&dev->fabric_cbs_lock);
	return ret;
}
