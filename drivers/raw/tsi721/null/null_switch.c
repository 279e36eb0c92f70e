/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A switch of the CPS-1848 kind, as its maintenance space shows it. */

#include <string.h>

#include "null_internal.h"

#define PEF	(RIO_PEF_SWITCH | RIO_PEF_MULTIPORT | RIO_PEF_STD_RT | RIO_PEF_EXT_FEATURES | \
		 RIO_PEF_CTLS | RIO_PEF_ADDR_34)

void
null_switch_reset(struct null_switch *sw, uint32_t nb_ports)
{
	uint32_t i, id;

	atomic_store(&sw->nb_ports, (uint16_t)nb_ports);
	atomic_store(&sw->default_port, NULL_RTE_NONE);
	atomic_store(&sw->host_lock, RIO_HOST_DID_LOCK_FREE);
	atomic_store(&sw->comp_tag, 0);
	for (i = 0; i < NULL_SW_PORT_MAX; i++) {
		atomic_store(&sw->port[i].link, NULL_LINK_NONE);
		for (id = 0; id < 256; id++)
			atomic_store_explicit(&sw->port[i].route[id], NULL_RTE_NONE,
					      memory_order_relaxed);
	}
}

static uint32_t
switch_read(struct null_switch *sw, uint32_t in_port, uint32_t off)
{
	switch (off) {
	case RIO_DEV_ID_CAR:
		return IDT_CPS1848_DEVICE_ID << 16 | IDT_VENDOR_ID;
	case RIO_PEF_CAR:
		return PEF;
	case RIO_SWP_INFO_CAR:
		return (uint32_t)atomic_load(&sw->nb_ports) << 8 | in_port;
	case RIO_SWITCH_RT_LIMIT_CAR:
		return 0xff;
	case RIO_HOST_DID_LOCK_CSR:
		return atomic_load(&sw->host_lock);
	case RIO_COMPONENT_TAG_CSR:
		return atomic_load(&sw->comp_tag);
	default:
		return 0;
	}
}

static void
switch_write(struct null_switch *sw, uint32_t off, uint32_t val)
{
	uint32_t cur;

	switch (off) {
	case RIO_HOST_DID_LOCK_CSR:
		val &= RIO_HOST_DID_LOCK_FREE;
		cur = RIO_HOST_DID_LOCK_FREE;
		if (!atomic_compare_exchange_strong(&sw->host_lock, &cur, val) && cur == val)
			atomic_compare_exchange_strong(&sw->host_lock, &cur,
						       RIO_HOST_DID_LOCK_FREE);
		break;
	case RIO_COMPONENT_TAG_CSR:
		atomic_store(&sw->comp_tag, val);
		break;
	default:
		break;
	}
}

enum null_resp
null_switch_maint(struct null_fabric *fab, uint32_t sw, uint32_t in_port, bool write,
		  uint32_t off, uint32_t *val)
{
	if (off >= RIO_MAINT_SPACE_SIZE || off % 4 != 0)
		return NULL_RESP_ERROR;
	if (write)
		switch_write(&fab->sh->sw[sw], off, *val);
	else
		*val = switch_read(&fab->sh->sw[sw], in_port, off);
	return NULL_RESP_DONE;
}
