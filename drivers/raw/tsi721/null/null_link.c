/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Links: training, and what injected faults do to what passes. */

#include "null_route.h"

/* ---- training ---- */

static bool
end_ready(struct null_fabric *fab, const struct null_end *end)
{
	struct null_chip *chip;
	uint32_t ctl;

	switch (end->kind) {
	case NULL_END_EP:
		chip = null_chip_at(fab, end->index);
		ctl = atomic_load(&chip->port_ctl);
		return atomic_load(&chip->attached) != 0 &&
		       (atomic_load(&chip->devctl) & TSI721_DEVCTL_SRBOOT_CMPL) != 0 &&
		       (ctl & RIO_PORT_N_CTL_PORT_DIS) == 0;
	case NULL_END_SW:
		ctl = atomic_load(&fab->sh->sw[end->index].port[end->port].ctl);
		return (ctl & RIO_PORT_N_CTL_PORT_DIS) == 0;
	default:
		return false;
	}
}

/* All lanes; or lanes 0 and 1; or lane 0; or the redundant lane, the last of a pair. */
static uint32_t
width_without(uint32_t lanes, uint32_t lost)
{
	uint32_t lane_r = lanes == 4 ? 2 : 1;

	if ((lost & ((1u << lanes) - 1)) == 0)
		return lanes;
	if (lanes == 4 && (lost & 3) == 0)
		return 2;
	if ((lost & 1) == 0 || (lanes > 1 && (lost & 1u << lane_r) == 0))
		return 1;
	return 0;
}

static uint32_t
width_now(struct null_fabric *fab, const struct null_link *link)
{
	if (!end_ready(fab, &link->end[0]) || !end_ready(fab, &link->end[1]) ||
	    atomic_load(&link->fault_arg[NULL_FAULT_DOWN]) != 0)
		return 0;
	return width_without(link->lanes, atomic_load(&link->fault_arg[NULL_FAULT_LANES]));
}

static inline bool
all_reported(const struct null_link *link)
{
	return atomic_load(&link->reported) == atomic_load(&link->up);
}

/* What is reported is noted after that: better twice than never. */
static void
report(struct null_fabric *fab, struct null_link *link)
{
	uint32_t was = atomic_load(&link->reported), now = atomic_load(&link->up), i;

	if (was == now)
		return;
	for (i = 0; i < 2; i++)
		if (link->end[i].kind == NULL_END_SW)
			null_switch_link_event(fab, link->end[i].index, link->end[i].port, was, now);
	atomic_store(&link->reported, now);
}

void
null_link_judge(struct null_fabric *fab, uint32_t index)
{
	struct null_link *link = &fab->sh->links[index];
	uint32_t now;

	do {
		now = width_now(fab, link);
		if (atomic_exchange(&link->up, now) != now)
			null_fabric_changed(fab);
		if (all_reported(link))
			continue;
		/* Whoever has it looks again when he has released it. */
		if (!null_lock_once(fab, &link->lock))
			return;
		report(fab, link);
		null_lock_release(fab, &link->lock);
	} while (width_now(fab, link) != now || !all_reported(link));
}

void
null_fabric_link_update(struct null_fabric *fab, uint32_t ep)
{
	uint16_t link = atomic_load(&fab->sh->ep[ep].link);

	if (link != NULL_LINK_NONE)
		null_link_judge(fab, link);
}

bool
null_fabric_link_ok(struct null_fabric *fab, uint32_t ep)
{
	uint16_t link = atomic_load(&fab->sh->ep[ep].link);

	return link != NULL_LINK_NONE && atomic_load(&fab->sh->links[link].up) != 0;
}

uint32_t
null_link_baud_code(const struct null_link *link)
{
	switch ((uint16_t)link->mbaud) {
	case 1250:
		return 1;
	case 2500:
		return 2;
	case 3125:
		return 3;
	case 5000:
		return 4;
	case 6250:
		return 5;
	default:
		return 0;
	}
}

uint32_t
null_link_ipw(const struct null_link *link)
{
	uint32_t lost = atomic_load(&link->fault_arg[NULL_FAULT_LANES]);
	uint32_t up = atomic_load(&link->up);

	/* One that is down shows the width that it tries first. */
	switch (up != 0 ? up : link->lanes) {
	case 4:
		return 2;
	case 2:
		return 3;
	case 1:
		return lost & 1;
	default:
		return 0;
	}
}

/* ---- faults ---- */

void
null_link_fault_set(struct null_fabric *fab, uint32_t index, const struct null_fault *fault)
{
	struct null_link *link = &fab->sh->links[index];
	uint32_t bit = 1u << fault->kind;

	/* First the argument: who sees the bit finds it. */
	atomic_store(&link->fault_seen[fault->kind], 0);
	atomic_store(&link->fault_hits[fault->kind], 0);
	if (fault->kind == NULL_FAULT_SLOW)
		atomic_store(&link->slow_ns, 0);
	atomic_store(&link->fault_arg[fault->kind], fault->arg);
	if (fault->arg != 0)
		atomic_fetch_or(&link->faults, bit);
	else
		atomic_fetch_and(&link->faults, ~bit);
	null_fabric_changed(fab);
	null_link_judge(fab, index);
}

/* Spread the bits of a counter; the same run has the same faults. */
static uint32_t
mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)(x >> 33);
}

/* One of so many packets is what the fault waits for. */
static bool
hit(struct null_fabric *fab, uint32_t index, enum null_fault_kind kind, uint32_t packets)
{
	struct null_link *link = &fab->sh->links[index];
	uint32_t arg = atomic_load(&link->fault_arg[kind]), seen, i;
	bool yes = false;

	if (arg == 0)
		return false;
	seen = atomic_fetch_add(&link->fault_seen[kind], packets);
	if ((arg & NULL_RATE_PROB) == 0)
		yes = ((uint64_t)seen + packets) / arg > seen / arg;
	for (i = 0; i < packets && !yes && (arg & NULL_RATE_PROB) != 0; i++)
		yes = mix((uint64_t)(index << 4 | kind) << 32 | (uint32_t)(seen + i)) <
		      (arg & ~NULL_RATE_PROB);
	if (yes)
		atomic_fetch_add(&link->fault_hits[kind], 1);
	return yes;
}

/* One request in each interval is accepted. */
static bool
too_fast(struct null_link *link)
{
	uint32_t usec = atomic_load(&link->fault_arg[NULL_FAULT_SLOW]);
	uint64_t now, next;

	if (usec == 0)
		return false;
	now = null_now_ns();
	next = atomic_load(&link->slow_ns);
	if (now >= next && atomic_compare_exchange_strong(&link->slow_ns, &next,
							  now + (uint64_t)usec * 1000))
		return false;
	atomic_fetch_add(&link->fault_hits[NULL_FAULT_SLOW], 1);
	return true;
}

/* False: the fate is sealed. */
static bool
fate_at_link(struct null_fabric *fab, uint32_t index, enum null_req req, uint32_t packets,
	     struct null_fate *fate)
{
	struct null_link *link = &fab->sh->links[index];
	bool answered = req != NULL_REQ_NWRITE;
	bool queued = req == NULL_REQ_DOORBELL || req == NULL_REQ_MSG;
	bool writes = req == NULL_REQ_NWRITE || req == NULL_REQ_NWRITE_R || req == NULL_REQ_MSG;

	if (atomic_load(&link->faults) == 0)
		return true;
	fate->deliver = false;
	if (hit(fab, index, NULL_FAULT_DROP, packets)) {
		fate->resp = answered ? NULL_RESP_TIMEOUT : NULL_RESP_DONE;
		return false;
	}
	if (answered && hit(fab, index, NULL_FAULT_ERROR, 1)) {
		fate->resp = NULL_RESP_ERROR;
		return false;
	}
	if (queued && (too_fast(link) || hit(fab, index, NULL_FAULT_RETRY, 1))) {
		fate->resp = NULL_RESP_RETRY;
		return false;
	}
	fate->deliver = true;
	if (answered && hit(fab, index, NULL_FAULT_TIMEOUT, 1))
		fate->resp = NULL_RESP_TIMEOUT;
	if (writes && hit(fab, index, NULL_FAULT_CORRUPT, packets))
		fate->corrupt = true;
	return true;
}

void
null_fate_of_walk(struct null_fabric *fab, const struct null_walk *w, enum null_req req,
		  uint32_t packets, struct null_fate *fate)
{
	uint32_t i;

	*fate = (struct null_fate){ .resp = NULL_RESP_DONE, .deliver = true };
	for (i = 0; i < w->nb; i++)
		if (!fate_at_link(fab, w->link[i], req, packets, fate))
			return;
}

bool
null_fate_of_response(struct null_fabric *fab, const struct null_walk *w, uint32_t packets)
{
	uint32_t i;

	for (i = 0; i < w->nb; i++)
		if (hit(fab, w->link[i], NULL_FAULT_DROP, packets))
			return true;
	return false;
}

void
null_link_fate(struct null_fabric *fab, uint32_t src, uint32_t destid, uint32_t tt,
	       enum null_req req, uint32_t packets, struct null_fate *fate)
{
	struct null_walk w, back;

	*fate = (struct null_fate){ .resp = req == NULL_REQ_NWRITE ? NULL_RESP_DONE :
					    NULL_RESP_TIMEOUT };
	if (!null_walk_request(fab, &w, src, destid, tt, NULL_HOP_NONE))
		return;
	/* A read's data comes with the response, a message has one for each packet. */
	null_fate_of_walk(fab, &w, req, req == NULL_REQ_NREAD ? 1 : packets, fate);
	if (!fate->deliver || req == NULL_REQ_NWRITE || fate->resp != NULL_RESP_DONE)
		return;
	if (!null_walk_response(fab, &back, &w, src) ||
	    null_fate_of_response(fab, &back,
				  req == NULL_REQ_NREAD || req == NULL_REQ_MSG ? packets : 1))
		fate->resp = NULL_RESP_TIMEOUT;
}

void
null_link_corrupt(uint8_t *data, uint64_t len)
{
	static _Atomic uint32_t count;
	uint32_t r = mix(atomic_fetch_add_explicit(&count, 1, memory_order_relaxed));

	if (len > 0)
		data[r % len] ^= (uint8_t)(1u << (r >> 28));
}
