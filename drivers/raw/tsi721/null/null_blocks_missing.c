/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Stands in for blocks that a build lacks: no registers, nothing that answers. */

#include <string.h>

#include "null_internal.h"

#ifndef HAVE_NULL_PORTWRITE
const struct null_reg_block null_portwrite_regs = { NULL, 0 };
#endif
#ifndef HAVE_NULL_DOORBELL
const struct null_reg_block null_doorbell_regs = { NULL, 0 };
#endif
#ifndef HAVE_NULL_WINDOW
const struct null_reg_block null_ibwin_regs = { NULL, 0 };
#endif
#ifndef HAVE_NULL_WINDOW
const struct null_reg_block null_obwin_regs = { NULL, 0 };
#endif
#ifndef HAVE_NULL_MBOX
const struct null_reg_block null_mbox_regs = { NULL, 0 };
#endif

#ifndef HAVE_NULL_PORTWRITE
void
null_portwrite_deliver(struct null_fabric *fab, uint32_t ep, const uint32_t w[4])
{
	(void)fab;
	(void)ep;
	(void)w;
}
#endif

#ifndef HAVE_NULL_PCICFG
void
null_pcicfg_reset(struct null_chip *chip)
{
	atomic_store(&chip->cfg[NULL_CFG_COMMAND / 4], 0);
}
#endif

#ifndef HAVE_NULL_PCICFG
void
null_device_cfg_read(struct null_device *dev, unsigned int off, void *buf, size_t len)
{
	uint32_t w = off < NULL_CFG_SIZE ? null_cfg_get32(dev->chip, off) : 0;

	memset(buf, 0, len);
	memcpy(buf, (char *)&w + off % 4, len <= 4 - off % 4 ? len : 0);
}
#endif

#ifndef HAVE_NULL_PCICFG
void
null_device_cfg_write(struct null_device *dev, unsigned int off, const void *buf, size_t len)
{
	uint32_t w;

	if (off >= NULL_CFG_SIZE || len > 4 - off % 4)
		return;
	w = null_cfg_get32(dev->chip, off);
	memcpy((char *)&w + off % 4, buf, len);
	atomic_store(&dev->chip->cfg[off / 4], w);
	null_intr_cfg_changed(dev->fab, dev->ep);
}
#endif

#ifndef HAVE_NULL_DOORBELL
void
null_device_odb_write(struct null_device *dev, uint32_t off, uint16_t info)
{
	(void)dev;
	(void)off;
	(void)info;
}
#endif

#ifndef HAVE_NULL_DOORBELL
void
null_odb_run(struct null_device *dev)
{
	(void)dev;
}
#endif

#ifndef HAVE_NULL_MBOX
void
null_omsg_run(struct null_device *dev, uint32_t ch)
{
	(void)dev;
	(void)ch;
}
#endif

#ifndef HAVE_NULL_WINDOW
bool
null_ibwin_find(const struct null_chip *chip, uint64_t addr, uint32_t hi2,
		struct null_window *win)
{
	(void)chip;
	(void)addr;
	(void)hi2;
	(void)win;
	return false;
}
#endif

#ifndef HAVE_NULL_WINDOW
void
null_obwin_read(struct null_device *dev, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	(void)dev;
	(void)bar;
	(void)off;
	memset(buf, 0xff, len);
}
#endif

#ifndef HAVE_NULL_WINDOW
void
null_obwin_write(struct null_device *dev, unsigned int bar, uint64_t off, const void *buf,
		 size_t len)
{
	(void)dev;
	(void)bar;
	(void)off;
	(void)buf;
	(void)len;
}
#endif

#ifndef HAVE_NULL_DOORBELL
uint64_t
null_doorbell_stat(const struct null_chip *chip, enum null_stat stat)
{
	(void)chip;
	(void)stat;
	return 0;
}
#endif

#ifndef HAVE_NULL_MBOX
uint64_t
null_mbox_stat(const struct null_chip *chip, enum null_stat stat)
{
	(void)chip;
	(void)stat;
	return 0;
}
#endif

#ifndef HAVE_NULL_PCICFG
int
null_pcicfg_win_size(struct null_chip *chip, uint64_t size)
{
	(void)chip;
	(void)size;
	return 0;
}
#endif
