/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <string.h>

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

/* len bytes of x found no memory at the target. False: the target says so. */
static bool
missed(struct null_device *dev, struct null_route *rt, const struct null_xfer *x, uint64_t len,
       bool fault)
{
	null_stat_add(null_chip_at(dev->fab, rt->ep),
		      fault ? NULL_STAT_DMA_FAULTS : NULL_STAT_WINDOW_MISSES, 1);
	return unnoticed(x, len);
}

/* Memory that was cut short while n bytes were on their way. */
static uint32_t
lost(struct null_device *dev, struct null_route *rt, const struct null_xfer *x, uint64_t n,
     const uint8_t *own, const uint8_t *far)
{
	if (null_guard_hit(own)) {
		null_stat_add(dev->chip, NULL_STAT_DMA_FAULTS, 1);
		return NULL_ABORT_PCI;
	}
	if (far != NULL && null_guard_hit(far) && !missed(dev, rt, x, n, true))
		return NULL_ABORT_ERROR;
	return 0;
}

static uint32_t
piece(struct null_device *dev, struct null_engine *eng, struct null_route *rt,
      struct null_xfer *x)
{
	uint32_t struck = null_guard_count();
	uint64_t n = x->len;
	uint8_t *own = own_piece(dev, x, &n), *far;
	uint32_t code;
	bool fault;

	if (own == NULL)
		return NULL_ABORT_PCI;
	far = null_target_mem(dev, eng, rt, x->addr, x->hi2, &n, &fault);
	if (null_unlikely(far == NULL)) {
		if (!missed(dev, rt, x, n, fault))
			return NULL_ABORT_ERROR;
	} else if (x->rtype == TSI721_RTYPE_NREAD) {
		null_copy(own, far, n);
	} else {
		null_copy(far, own, n);
	}
	if (null_guard_struck(struck)) {
		code = lost(dev, rt, x, n, own, far);
		if (code != 0)
			return code;
	}
	advance(x, n);
	return 0;
}

/* ---- over links with faults ---- */

static enum null_req
request_of(const struct null_xfer *x, bool last)
{
	switch (x->rtype) {
	case TSI721_RTYPE_NREAD:
		return NULL_REQ_NREAD;
	case TSI721_RTYPE_ALL_NWRITE:
		return NULL_REQ_NWRITE;
	case TSI721_RTYPE_LAST_NWRITE_R:
		return last ? NULL_REQ_NWRITE_R : NULL_REQ_NWRITE;
	default:
		return NULL_REQ_NWRITE_R;
	}
}

/* A packet whose data are changed on the way: copied out, changed, then written. */
static uint32_t
packet_corrupt(struct null_device *dev, struct null_engine *eng, struct null_route *rt,
	       struct null_xfer *x)
{
	uint64_t n, done, len = x->len;
	uint32_t struck = null_guard_count(), code;
	struct null_xfer from = *x;
	uint8_t data[PACKET];
	const uint8_t *own;
	uint8_t *far;
	bool fault;

	for (done = 0; done < len; done += n, advance(&from, n)) {
		n = len - done;
		own = own_piece(dev, &from, &n);
		if (own == NULL)
			return NULL_ABORT_PCI;
		memcpy(data + done, own, n);
		if (null_guard_struck(struck) && null_guard_hit(own))
			return lost(dev, rt, x, n, own, NULL);
	}
	null_link_corrupt(data, len);
	for (done = 0; done < len; done += n, advance(x, n)) {
		n = len - done;
		far = null_target_mem(dev, eng, rt, x->addr, x->hi2, &n, &fault);
		if (far != NULL)
			memcpy(far, data + done, n);
		else if (!missed(dev, rt, x, n, fault))
			return NULL_ABORT_ERROR;
		code = far != NULL && null_guard_struck(struck) ? lost(dev, rt, x, n, NULL, far) : 0;
		if (code != 0)
			return code;
	}
	return 0;
}

static uint32_t
packet(struct null_device *dev, struct null_engine *eng, struct null_route *rt,
       struct null_xfer *x, bool last)
{
	enum null_req req = request_of(x, last);
	struct null_fate fate;
	uint32_t code = 0;

	null_link_fate(dev->fab, dev->ep, x->destid, x->tt, req, 1, &fate);
	/* A read whose response is lost changes nothing. */
	if (!fate.deliver || (req == NULL_REQ_NREAD && fate.resp != NULL_RESP_DONE))
		return null_abort_of(fate.resp);
	if (req != NULL_REQ_NREAD)
		x->rtype = req == NULL_REQ_NWRITE ? TSI721_RTYPE_ALL_NWRITE :
						    TSI721_RTYPE_ALL_NWRITE_R;
	if (fate.corrupt)
		code = packet_corrupt(dev, eng, rt, x);
	while (x->len > 0 && code == 0)
		code = piece(dev, eng, rt, x);
	return code != 0 ? code : null_abort_of(fate.resp);
}

/* Packet by packet: that is what faults are about. */
static uint32_t
xfer_faulty(struct null_device *dev, struct null_engine *eng, struct null_route *rt,
	    struct null_xfer *x)
{
	struct null_xfer part;
	uint32_t code = 0;

	while (x->len > 0 && code == 0) {
		part = *x;
		if (part.len > PACKET - x->addr % PACKET)
			part.len = PACKET - x->addr % PACKET;
		advance(x, part.len);
		code = packet(dev, eng, rt, &part, x->len == 0);
	}
	return code;
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
	if (null_unlikely(rt->faults != 0))
		return xfer_faulty(dev, eng, rt, x);
	while (x->len > 0 && code == 0)
		code = piece(dev, eng, rt, x);
	return code;
}
