/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stddef.h>
#include <string.h>

#include <rte_common.h>
#include <rte_hash_crc.h>
#include <rte_sctp.h>

#include "rionet_cksum.h"

uint16_t
rionet_l4_sum(const struct rte_mbuf *m, const struct rionet_l4 *l4)
{
	uint16_t payload = 0;
	uint32_t sum;

	if (unlikely(rte_raw_cksum_mbuf(m, l4->off, l4->len, &payload) != 0))
		return 0;
	sum = __rte_raw_cksum(l4->addrs, l4->addrs_len, payload);
	sum += rte_cpu_to_be_16(l4->proto);
	sum += rte_cpu_to_be_16((uint16_t)l4->len);
	return __rte_raw_cksum_reduce(sum);
}

/* The CRC over n bytes from off on. */
static uint32_t
crc_bytes(const struct rte_mbuf *m, uint32_t off, uint32_t n, uint32_t crc)
{
	for (; m != NULL && n > 0; m = m->next) {
		uint32_t part;

		if (off >= m->data_len) {
			off -= m->data_len;
			continue;
		}
		part = RTE_MIN(n, m->data_len - off);
		crc = rte_hash_crc(rte_pktmbuf_mtod_offset(m, const void *, off), part, crc);
		n -= part;
		off = 0;
	}
	return crc;
}

uint32_t
rionet_sctp_crc(const struct rte_mbuf *m, const struct rionet_l4 *l4)
{
	const uint32_t at = offsetof(struct rte_sctp_hdr, cksum), none = 0;
	uint32_t crc;

	crc = crc_bytes(m, l4->off, at, UINT32_MAX);
	crc = rte_hash_crc(&none, sizeof(none), crc);
	crc = crc_bytes(m, l4->off + at + sizeof(none), l4->len - at - sizeof(none), crc);
	/* The field is little-endian, other than all else in the header. */
	return rte_cpu_to_le_32(~crc);
}
