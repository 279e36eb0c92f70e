/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Maintenance requests of an enumerator: counted, tried again, ended in time.
 * A host reaches a device by an ID that is nobody's: it points that ID's route in
 * each switch on the way to the next one, and remembers where it points.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "rio_enum_priv.h"

#define EF_BLOCKS_MAX	32u	/* a list of blocks that runs in a circle ends here */
#define EF_MIN		0x100u

void
rio_say(struct rio_enum *e, enum rio_log level, const char *fmt, ...)
{
	char line[200];
	va_list ap;

	if (e->conf.access->log == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	e->conf.access->log(e->conf.ctx, level, line);
}

bool
rio_time_over(struct rio_enum *e)
{
	if (!e->unfinished && e->conf.access->now_us(e->conf.ctx) > e->end_us)
		e->unfinished = true;
	return e->unfinished;
}

int
rio_id_read(struct rio_enum *e, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	uint32_t i;
	int ret = -EAGAIN;

	for (i = 0; i < RIO_TRIES && ret != 0 && !rio_time_over(e); i++) {
		*val = 0;
		ret = e->conf.access->read(e->conf.ctx, destid, hop, off, val);
		e->stats.requests++;
		e->stats.errors += ret != 0;
	}
	return ret;
}

int
rio_id_write(struct rio_enum *e, uint16_t destid, uint8_t hop, uint32_t off, uint32_t val)
{
	uint32_t i;
	int ret = -EAGAIN;

	for (i = 0; i < RIO_TRIES && ret != 0 && !rio_time_over(e); i++) {
		ret = e->conf.access->write(e->conf.ctx, destid, hop, off, val);
		e->stats.requests++;
		e->stats.errors += ret != 0;
	}
	return ret;
}

int
rio_far_read(struct rio_enum *e, uint8_t hop, uint32_t off, uint32_t *val)
{
	return rio_id_read(e, rio_any_id(e), hop, off, val);
}

int
rio_far_write(struct rio_enum *e, uint8_t hop, uint32_t off, uint32_t val)
{
	return rio_id_write(e, rio_any_id(e), hop, off, val);
}

int
rio_local_read(struct rio_enum *e, uint32_t off, uint32_t *val)
{
	*val = 0;
	return e->conf.access->local_read(e->conf.ctx, off, val);
}

int
rio_local_write(struct rio_enum *e, uint32_t off, uint32_t val)
{
	return e->conf.access->local_write(e->conf.ctx, off, val);
}

/* --- paths --- */

/* Point the switches from oneself to `sw`, and sw itself out of `port`. */
int
rio_path_port(struct rio_enum *e, struct rio_dev *sw, uint32_t port)
{
	int ret = rio_path(e, sw);

	if (ret != 0 || sw->any == port)
		return ret;
	return rio_route_any(e, sw, sw->depth, (uint16_t)port);
}

int
rio_path(struct rio_enum *e, struct rio_dev *dev)
{
	struct rio_dev *chain[RIO_DEPTH_MAX], *sw;
	uint32_t port[RIO_DEPTH_MAX], n = 0;
	int ret;

	for (sw = dev; sw->parent != RIO_NO_DEV; sw = &e->g.dev[sw->parent]) {
		if (n == RIO_DEPTH_MAX)
			return -ELOOP;
		port[n] = sw->parent_port;
		chain[n++] = &e->g.dev[sw->parent];
	}
	while (n-- > 0) {
		if (chain[n]->any == port[n])
			continue;
		ret = rio_route_any(e, chain[n], chain[n]->depth, (uint16_t)port[n]);
		if (ret != 0)
			return ret;
	}
	return 0;
}

static uint8_t
hop_of(const struct rio_dev *dev)
{
	return dev->is_switch ? dev->depth : RIO_HOP_FAR;
}

int
rio_dev_read(struct rio_enum *e, struct rio_dev *dev, uint32_t off, uint32_t *val)
{
	int ret;

	if (dev == &e->g.dev[0])
		return rio_local_read(e, off, val);
	ret = rio_path(e, dev);
	return ret != 0 ? ret : rio_far_read(e, hop_of(dev), off, val);
}

int
rio_dev_write(struct rio_enum *e, struct rio_dev *dev, uint32_t off, uint32_t val)
{
	int ret;

	if (dev == &e->g.dev[0])
		return rio_local_write(e, off, val);
	ret = rio_path(e, dev);
	return ret != 0 ? ret : rio_far_write(e, hop_of(dev), off, val);
}

/* --- what a device says of itself --- */

static int
any_read(struct rio_enum *e, int32_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	if (destid == RIO_SELF)
		return rio_local_read(e, off, val);
	return rio_id_read(e, (uint16_t)destid, hop, off, val);
}

static bool
is_sp_block(uint32_t id)
{
	/* LP-Serial, register map I: endpoint, with recovery by software, free, both. */
	return id == RIO_EFB_SER_EP_M1_ID || id == 0x0002u || id == RIO_EFB_SER_EPF_M1_ID ||
	       id == 0x0009u;
}

int
rio_blocks_read(struct rio_enum *e, int32_t destid, uint8_t hop, uint32_t asm_info,
		uint16_t *sp, uint16_t *em)
{
	uint32_t off = asm_info & RIO_ASM_INFO_EF_PTR, val, i;
	int ret;

	*sp = *em = 0;
	for (i = 0; i < EF_BLOCKS_MAX && off >= EF_MIN && off % 4 == 0; i++) {
		ret = any_read(e, destid, hop, off, &val);
		if (ret != 0)
			return ret;
		if (*sp == 0 && is_sp_block(val & RIO_EFB_ID))
			*sp = (uint16_t)off;
		if (*em == 0 && (val & RIO_EFB_ID) == RIO_EFB_ERR_MGMNT_ID)
			*em = (uint16_t)off;
		off = (val & RIO_EFB_PTR) >> 16;
	}
	return 0;
}

int
rio_cars_read(struct rio_enum *e, int32_t destid, uint8_t hop, struct rio_dev *cars)
{
	const struct {
		uint32_t off;
		uint32_t *val;
	} car[] = {
		{ RIO_DEV_ID_CAR, &cars->id }, { RIO_DEV_INFO_CAR, &cars->info },
		{ RIO_ASM_ID_CAR, &cars->asm_id }, { RIO_ASM_INFO_CAR, &cars->asm_info },
		{ RIO_PEF_CAR, &cars->pef }, { RIO_SRC_OPS_CAR, &cars->src_ops },
		{ RIO_DST_OPS_CAR, &cars->dst_ops },
	};
	size_t i;
	int ret;

	for (i = 0; i < sizeof(car) / sizeof(car[0]); i++) {
		ret = any_read(e, destid, hop, car[i].off, car[i].val);
		if (ret != 0)
			return ret;
	}
	if ((cars->pef & RIO_PEF_EXT_FEATURES) == 0)
		return 0;
	return rio_blocks_read(e, destid, hop, cars->asm_info, &cars->sp, &cars->em);
}

/* Whether its tables lie in its configuration space. */
static bool
is_direct(uint32_t id)
{
	/* CPS-1848, CPS-1432, VPS-1616, SPS-1616, CPS-1616. */
	static const uint16_t idt[] = { IDT_CPS1848_DEVICE_ID, 0x0375, 0x0377, 0x0378, 0x0379 };
	size_t i;

	for (i = 0; i < sizeof(idt) / sizeof(idt[0]); i++)
		if (id == ((uint32_t)idt[i] << 16 | IDT_VENDOR_ID))
			return true;
	return false;
}

void
rio_cars_copy(struct rio_dev *dev, const struct rio_dev *cars)
{
	dev->id = cars->id;
	dev->info = cars->info;
	dev->asm_id = cars->asm_id;
	dev->asm_info = cars->asm_info;
	dev->pef = cars->pef;
	dev->src_ops = cars->src_ops;
	dev->dst_ops = cars->dst_ops;
	dev->sp = cars->sp;
	dev->em = cars->em;
	dev->indirect = !is_direct(cars->id);
}
