/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "null_copy.h"
#include "null_xfer.h"

#define PACKET	256u	/* payload of a RapidIO packet; packets end at its multiples */

uint32_t
null_abort_of(enum null_resp resp)
{
	switch (resp) {
	case NULL_RESP_DONE:
		return 0;
	case NULL_RESP_ERROR:
		return NULL_ABORT_ERROR;
	case NULL_RESP_PCI:
		return NULL_ABORT_PCI;
	default:
		return NULL_ABORT_TIMEOUT;
	}
}

static void
advance(struct null_xfer *x, uint64_t n)
{
	uint64_t addr = x->addr + n;

	if (addr < x->addr)
		x->hi2 = (x->hi2 + 1) & 3;
	x->addr = addr;
	x->iova += n;
	x->len -= n;
}

/* Own memory from x->iova on; *n is cut to what lies in one piece. */
static uint8_t *
own_piece(struct null_device *dev, const struct null_xfer *x, uint64_t *n)
{
	struct null_region own;
	uint64_t off;

	if (!null_bus_master(dev->chip) || !null_mem_region(dev->fab, dev->ep, x->iova, &own)) {
		null_stat_add(dev->chip, NULL_STAT_DMA_FAULTS, 1);
		return NULL;
	}
	off = x->iova - own.iova;
	if (*n > own.len - off)
		*n = own.len - off;
	return own.va + off;
}

/* Does a request that nothing answers go unnoticed? *len: what of x is lost. */
static bool
unnoticed(const struct null_xfer *x, uint64_t len)
{
	uint64_t last;

	switch (x->rtype) {
	case TSI721_RTYPE_ALL_NWRITE:
		return true;
	case TSI721_RTYPE_LAST_NWRITE_R:
		/* Bytes of the last packet, the only one that is answered. */
		last = (x->addr + x->len - 1) % PACKET + 1;
		return x->len >= last && x->len - len >= last;
	default:
		return false;
	}
}

static uint32_t
piece(struct null_device *dev, struct null_engine *eng, struct null_route *rt,
      struct null_xfer *x)
{
	uint64_t n = x->len;
	uint8_t *own = own_piece(dev, x, &n), *far;
	bool fault;

	if (own == NULL)
		return NULL_ABORT_PCI;
	far = null_target_mem(dev, eng, rt, x->addr, x->hi2, &n, &fault);
	if (null_unlikely(far == NULL)) {
		null_stat_add(null_chip_at(dev->fab, rt->ep),
			      fault ? NULL_STAT_DMA_FAULTS : NULL_STAT_WINDOW_MISSES, 1);
		if (!unnoticed(x, n))
			return NULL_ABORT_ERROR;
	} else if (x->rtype == TSI721_RTYPE_NREAD) {
		null_copy(own, far, n);
	} else {
		null_copy(far, own, n);
	}
	advance(x, n);
	return 0;
}

uint32_t
null_xfer(struct null_device *dev, struct null_engine *eng, struct null_xfer *x)
{
	struct null_route *rt;
	enum null_resp resp;
	uint32_t code = 0;

	rt = null_route_get(dev, eng, x->destid, x->tt, &resp);
	if (rt == NULL) {
		/* Lost in the fabric, unless the own link does not even take it. */
		if (x->rtype == TSI721_RTYPE_ALL_NWRITE && null_fabric_link_ok(dev->fab, dev->ep))
			return 0;
		return null_abort_of(resp);
	}
	while (x->len > 0 && code == 0)
		code = piece(dev, eng, rt, x);
	return code;
}
