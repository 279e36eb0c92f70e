/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Included ahead of arch/um/drivers/virt-pci.c of Linux 6.1 (config/uml_kernel.sh).
 *
 * That file's register accesses put a request into a virtqueue and wait for the
 * answer in a buffer that all of them share, between get_cpu_var and put_cpu_var.
 * Interrupts are on there if the caller has them on. An interrupt handler that
 * accesses registers itself, as every driver's does, then takes the outer access's
 * answer or breaks the virtqueue ("id 6 is not a head!"). On a machine with a
 * PCI bus nothing of that can happen: hence interrupts are off in between. There
 * is one processor, and with interrupts off nobody else comes here.
 */

#include <linux/irqflags.h>
#include <linux/percpu.h>

static unsigned long access_flags;
static unsigned int access_depth;

static inline void access_begin(void)
{
	unsigned long flags;

	local_irq_save(flags);
	if (access_depth++ == 0)
		access_flags = flags;
}

static inline void access_end(void)
{
	if (--access_depth == 0)
		local_irq_restore(access_flags);
}

#undef get_cpu_var
#undef put_cpu_var
#define get_cpu_var(var)	(*({ access_begin(); this_cpu_ptr(&var); }))
#define put_cpu_var(var)	do { (void)&(var); access_end(); } while (0)
