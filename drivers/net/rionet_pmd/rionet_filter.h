/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_FILTER_H
#define RIONET_FILTER_H

/*
 * Which received frames a port takes, by destination address. The chip does not
 * look at it. Set by control operations while the receiving thread reads.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "rionet_proto.h"

#define RIONET_MC_ADDRS_MAX	64u
/** Unicast addresses of a port, its own among them. */
#define RIONET_MAC_ADDRS_MAX	32u

struct rionet_filter {
	bool promiscuous;
	bool allmulticast;
	bool any_more;			/* of more[] some are set */
	uint16_t nb_mc;
	uint64_t mac;			/* own address, as rionet_mac48() gives it */
	uint64_t mc[RIONET_MC_ADDRS_MAX];
	uint64_t more[RIONET_MAC_ADDRS_MAX];	/* further addresses by index; 0: none */
};

static inline bool
rionet_filter_group(const struct rionet_filter *filter, uint64_t mac)
{
	uint16_t i, nb;

	if (mac == RIONET_MAC_MASK || __atomic_load_n(&filter->allmulticast, __ATOMIC_RELAXED))
		return true;
	nb = __atomic_load_n(&filter->nb_mc, __ATOMIC_ACQUIRE);
	for (i = 0; i < nb; i++)
		if (__atomic_load_n(&filter->mc[i], __ATOMIC_RELAXED) == mac)
			return true;
	return false;
}

/* One of several unicast addresses. */
static inline bool
rionet_filter_more(const struct rionet_filter *filter, uint64_t mac)
{
	unsigned int i;

	if (!__atomic_load_n(&filter->any_more, __ATOMIC_ACQUIRE))
		return false;
	for (i = 0; i < RIONET_MAC_ADDRS_MAX; i++)
		if (__atomic_load_n(&filter->more[i], __ATOMIC_RELAXED) == mac)
			return mac != 0;
	return false;
}

/** Whether a frame to this address is taken. */
static __rte_always_inline bool
rionet_filter_takes(const struct rionet_filter *filter, uint64_t mac)
{
	if (likely(__atomic_load_n(&filter->promiscuous, __ATOMIC_RELAXED)))
		return true;
	if (mac == __atomic_load_n(&filter->mac, __ATOMIC_RELAXED))
		return true;
	if (rionet_mac_is_group(mac))
		return rionet_filter_group(filter, mac);
	return rionet_filter_more(filter, mac);
}

#endif /* RIONET_FILTER_H */
