/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Which offloads a port does, and how control operations set them.
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <ethdev_driver.h>

#include "rionet_offload.h"
#include "rionet_port.h"
#include "rionet_rxoff.h"
#include "rionet_txoff.h"

#define L4_CKSUMS	(RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM | \
			 RTE_ETH_RX_OFFLOAD_SCTP_CKSUM)

#define RSS_TYPES	(RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_FRAG_IPV4 | \
			 RTE_ETH_RSS_NONFRAG_IPV4_TCP | RTE_ETH_RSS_NONFRAG_IPV4_UDP | \
			 RTE_ETH_RSS_NONFRAG_IPV4_SCTP | RTE_ETH_RSS_NONFRAG_IPV4_OTHER | \
			 RTE_ETH_RSS_IPV6 | RTE_ETH_RSS_FRAG_IPV6 | \
			 RTE_ETH_RSS_NONFRAG_IPV6_TCP | RTE_ETH_RSS_NONFRAG_IPV6_UDP | \
			 RTE_ETH_RSS_NONFRAG_IPV6_SCTP | RTE_ETH_RSS_NONFRAG_IPV6_OTHER)

static struct rionet_rxoff *
off_of(const struct rte_eth_dev *dev)
{
	return &((struct rionet_port *)dev->data->dev_private)->rxoff;
}

void
rionet_offload_infos(struct rte_eth_dev_info *info)
{
	info->rx_offload_capa = RIONET_RX_OFFLOADS;
	info->tx_offload_capa = RIONET_TX_OFFLOADS;
	info->flow_type_rss_offloads = RSS_TYPES;
	info->hash_key_size = RIONET_RSS_KEY_LEN;
	info->reta_size = RIONET_RETA_SIZE;
}

/* One word, so that a receiving thread sees all of it or nothing. */
static void
off_update(struct rte_eth_dev *dev)
{
	struct rionet_rxoff *off = off_of(dev);
	uint64_t rx = dev->data->dev_conf.rxmode.offloads;
	uint32_t what = 0;

	if (off->ptypes != 0)
		what |= RIONET_RXOFF_PTYPE;
	if (rx & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM)
		what |= RIONET_RXOFF_IP_CKSUM;
	if (rx & L4_CKSUMS)
		what |= RIONET_RXOFF_L4_CKSUM;
	if (rx & RTE_ETH_RX_OFFLOAD_VLAN_STRIP)
		what |= RIONET_RXOFF_STRIP;
	if (rx & RTE_ETH_RX_OFFLOAD_VLAN_FILTER)
		what |= RIONET_RXOFF_FILTER;
	if ((rx & RTE_ETH_RX_OFFLOAD_RSS_HASH) && off->rss_hf != 0)
		what |= RIONET_RXOFF_HASH;
	__atomic_store_n(&off->what, what, __ATOMIC_RELEASE);
}

int
rionet_offload_configure(struct rte_eth_dev *dev)
{
	struct rte_eth_rss_conf *rss = &dev->data->dev_conf.rx_adv_conf.rss_conf;
	struct rionet_rxoff *off = off_of(dev);
	unsigned int i;

	off->rss_hf = 0;
	for (i = 0; i < RIONET_RETA_SIZE; i++)
		off->reta[i] = dev->data->nb_rx_queues != 0 ? i % dev->data->nb_rx_queues : 0;
	if (!(dev->data->dev_conf.rxmode.mq_mode & RTE_ETH_MQ_RX_RSS_FLAG)) {
		off_update(dev);
		return 0;
	}
	return rionet_rss_hash_update(dev, rss);
}

void
rionet_offload_select(struct rte_eth_dev *dev)
{
	const struct rionet_port *port = dev->data->dev_private;
	uint64_t tx = dev->data->dev_conf.txmode.offloads;

	dev->rx_pkt_burst = port->rxoff.what != 0 ? rionet_rxoff_burst : port->rx_burst;
	dev->tx_pkt_burst = tx & RIONET_TX_OFFLOADS_WORK ? rionet_txoff_burst : port->tx_burst;
	dev->tx_pkt_prepare = rionet_tx_prepare;
}

/* A running port's receiving threads may be in the function that they were given. */
static void
off_reselect(struct rte_eth_dev *dev)
{
	off_update(dev);
	if (off_of(dev)->what == 0 || !dev->data->dev_started)
		return;
	dev->rx_pkt_burst = rionet_rxoff_burst;
	__atomic_store_n(&rte_eth_fp_ops[dev->data->port_id].rx_pkt_burst, rionet_rxoff_burst,
			 __ATOMIC_RELEASE);
}

int
rionet_vlan_filter_set(struct rte_eth_dev *dev, uint16_t vlan, int on)
{
	uint64_t *word = &off_of(dev)->vlans[vlan / 64], bit = UINT64_C(1) << vlan % 64;

	if (on)
		__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
	return 0;
}

/* The ethdev layer has changed dev_conf before it asks. */
int
rionet_vlan_offload_set(struct rte_eth_dev *dev, int mask)
{
	RTE_SET_USED(mask);
	off_reselect(dev);
	return 0;
}

const uint32_t *
rionet_supported_ptypes_get(struct rte_eth_dev *dev)
{
	RTE_SET_USED(dev);
	return rionet_ptypes;
}

int
rionet_ptypes_set(struct rte_eth_dev *dev, uint32_t mask)
{
	__atomic_store_n(&off_of(dev)->ptypes,
			 mask & (RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK),
			 __ATOMIC_RELAXED);
	off_reselect(dev);
	return 0;
}

int
rionet_rss_hash_update(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf)
{
	struct rionet_rxoff *off = off_of(dev);

	if (conf->rss_key != NULL && conf->rss_key_len != RIONET_RSS_KEY_LEN) {
		RIONET_LOG(ERR, dev->data->name, "RSS key of %u bytes: allowed: %u",
			   conf->rss_key_len, RIONET_RSS_KEY_LEN);
		return -EINVAL;
	}
	if (conf->rss_hf & ~RSS_TYPES) {
		RIONET_LOG(ERR, dev->data->name, "RSS types 0x%" PRIx64 ": allowed: those of 0x%"
			   PRIx64, conf->rss_hf, (uint64_t)RSS_TYPES);
		return -EINVAL;
	}
	if (conf->rss_key != NULL)
		rionet_rxoff_set_key(off, conf->rss_key);
	off->rss_hf = conf->rss_hf;
	off_reselect(dev);
	return 0;
}

int
rionet_rss_hash_conf_get(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf)
{
	const struct rionet_rxoff *off = off_of(dev);

	conf->rss_hf = off->rss_hf;
	if (conf->rss_key != NULL && conf->rss_key_len >= RIONET_RSS_KEY_LEN)
		memcpy(conf->rss_key, off->key, RIONET_RSS_KEY_LEN);
	conf->rss_key_len = RIONET_RSS_KEY_LEN;
	return 0;
}

static int
reta_check(const struct rte_eth_dev *dev, uint16_t size)
{
	if (size == RIONET_RETA_SIZE)
		return 0;
	RIONET_LOG(ERR, dev->data->name, "redirection table of %u: it has %u entries", size,
		   RIONET_RETA_SIZE);
	return -EINVAL;
}

int
rionet_reta_update(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *reta,
		   uint16_t size)
{
	struct rionet_rxoff *off = off_of(dev);
	unsigned int i;

	if (reta_check(dev, size) != 0)
		return -EINVAL;
	/* The ethdev layer has checked the queues. */
	for (i = 0; i < size; i++)
		if (reta[i / RTE_ETH_RETA_GROUP_SIZE].mask >> i % RTE_ETH_RETA_GROUP_SIZE & 1)
			__atomic_store_n(&off->reta[i], reta[i / RTE_ETH_RETA_GROUP_SIZE]
					 .reta[i % RTE_ETH_RETA_GROUP_SIZE], __ATOMIC_RELAXED);
	return 0;
}

int
rionet_reta_query(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *reta,
		  uint16_t size)
{
	const struct rionet_rxoff *off = off_of(dev);
	unsigned int i;

	if (reta_check(dev, size) != 0)
		return -EINVAL;
	for (i = 0; i < size; i++)
		if (reta[i / RTE_ETH_RETA_GROUP_SIZE].mask >> i % RTE_ETH_RETA_GROUP_SIZE & 1)
			reta[i / RTE_ETH_RETA_GROUP_SIZE].reta[i % RTE_ETH_RETA_GROUP_SIZE] =
				off->reta[i];
	return 0;
}
