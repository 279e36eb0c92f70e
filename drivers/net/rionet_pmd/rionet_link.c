/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdlib.h>

#include <rte_common.h>
#include <rte_ethdev.h>

#include "rionet_ethdev.h"

static const uint32_t speeds[] = {
	RTE_ETH_SPEED_NUM_1G, RTE_ETH_SPEED_NUM_2_5G, RTE_ETH_SPEED_NUM_5G,
	RTE_ETH_SPEED_NUM_10G, RTE_ETH_SPEED_NUM_20G,
};

uint32_t
rionet_link_speed(unsigned int lanes, uint32_t mbaud)
{
	/* 8b/10b */
	int32_t mbps = lanes * mbaud / 10 * 8;
	uint32_t best = speeds[0];
	unsigned int i;

	for (i = 1; i < RTE_DIM(speeds); i++)
		if (abs((int32_t)speeds[i] - mbps) < abs((int32_t)best - mbps))
			best = speeds[i];
	return best;
}
