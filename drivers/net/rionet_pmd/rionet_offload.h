/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_OFFLOAD_H
#define RIONET_OFFLOAD_H

/*
 * Control operations of offloads; the ethdev operations of these names.
 */

#include <rte_ethdev.h>

#define RIONET_RX_OFFLOADS	(RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_VLAN_STRIP | \
				 RTE_ETH_RX_OFFLOAD_VLAN_FILTER | RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | \
				 RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM | \
				 RTE_ETH_RX_OFFLOAD_SCTP_CKSUM | RTE_ETH_RX_OFFLOAD_RSS_HASH)
/* Those that are work in front of sending, then those that are none. */
#define RIONET_TX_OFFLOADS_WORK	(RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | \
				 RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
				 RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO)
#define RIONET_TX_OFFLOADS	(RIONET_TX_OFFLOADS_WORK | RTE_ETH_TX_OFFLOAD_MULTI_SEGS | \
				 RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE)

/** Take over what the application configured. */
int rionet_offload_configure(struct rte_eth_dev *dev);
/** Capabilities into dev_infos_get's answer. */
void rionet_offload_infos(struct rte_eth_dev_info *info);
/** The burst functions that the configuration needs in front of the port's mode. */
void rionet_offload_select(struct rte_eth_dev *dev);

int rionet_vlan_filter_set(struct rte_eth_dev *dev, uint16_t vlan, int on);
int rionet_vlan_offload_set(struct rte_eth_dev *dev, int mask);
const uint32_t *rionet_supported_ptypes_get(struct rte_eth_dev *dev);
int rionet_ptypes_set(struct rte_eth_dev *dev, uint32_t mask);
int rionet_rss_hash_update(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf);
int rionet_rss_hash_conf_get(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf);
int rionet_reta_update(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *reta,
		       uint16_t size);
int rionet_reta_query(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *reta,
		      uint16_t size);

#endif /* RIONET_OFFLOAD_H */
