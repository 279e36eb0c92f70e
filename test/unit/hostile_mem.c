/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The linker puts these between the drivers and EAL (--wrap): memory that the device
 * reaches lies between pages that nothing may touch, a port's structures lie
 * where AddressSanitizer knows their ends, and timers run when the test says so.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_malloc.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "hostile_mem.h"

#define ZONES	64u
#define ALARMS	32u

/* ---- memzones between guards ---- */

static struct {
	struct rte_memzone mz;		/* what the driver has */
	const struct rte_memzone *real;	/* NULL: free */
} zones[ZONES];
static unsigned int blocks;

const struct rte_memzone *__real_rte_memzone_reserve_aligned(const char *name, size_t len,
							      int socket_id, unsigned int flags,
							      unsigned int align);
int __real_rte_memzone_free(const struct rte_memzone *mz);

static bool
is_port(const char *name)
{
	return name != NULL && strncmp(name, "rionet", 6) == 0;
}

static void
protect(unsigned int i, int prot)
{
	const struct rte_memzone *mz = &zones[i].mz, *real = zones[i].real;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), len = RTE_ALIGN_CEIL(mz->len, page);
	uint8_t *end = (uint8_t *)mz->addr + len;
	size_t before = (size_t)((uint8_t *)mz->addr - (uint8_t *)real->addr);

	if (mprotect(real->addr, before, prot) != 0 || mprotect(end, page, prot) != 0)
		abort();
}

const struct rte_memzone *__wrap_rte_memzone_reserve_aligned(const char *name, size_t len,
							      int socket_id, unsigned int flags,
							      unsigned int align);
const struct rte_memzone *
__wrap_rte_memzone_reserve_aligned(const char *name, size_t len, int socket_id,
				   unsigned int flags, unsigned int align)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), before = RTE_MAX((size_t)align, page);
	const struct rte_memzone *real;
	unsigned int i;

	if (!is_port(name))
		return __real_rte_memzone_reserve_aligned(name, len, socket_id, flags, align);
	for (i = 0; i < ZONES && zones[i].real != NULL; i++)
		;
	if (i == ZONES)
		abort();
	real = __real_rte_memzone_reserve_aligned(name, before + RTE_ALIGN_CEIL(len, page) + page,
						  socket_id, flags, (unsigned int)before);
	if (real == NULL)
		return NULL;
	zones[i].real = real;
	zones[i].mz = *real;
	zones[i].mz.addr = (uint8_t *)real->addr + before;
	zones[i].mz.iova = real->iova + before;
	zones[i].mz.len = len;
	protect(i, PROT_NONE);
	return &zones[i].mz;
}

int __wrap_rte_memzone_free(const struct rte_memzone *mz);
int
__wrap_rte_memzone_free(const struct rte_memzone *mz)
{
	const struct rte_memzone *real;
	unsigned int i;

	for (i = 0; i < ZONES; i++)
		if (mz == &zones[i].mz && zones[i].real != NULL) {
			protect(i, PROT_READ | PROT_WRITE);
			real = zones[i].real;
			zones[i].real = NULL;
			return __real_rte_memzone_free(real);
		}
	return __real_rte_memzone_free(mz);
}

/* ---- a port's structures ---- */

void *__real_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket);
void __real_rte_free(void *p);

void *__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket);
void *
__wrap_rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	void *p;

	/* Addresses are freed by the ethdev library. */
	if (!is_port(type) || strcmp(type, "rionet_mac") == 0)
		return __real_rte_zmalloc_socket(type, size, align, socket);
	if (posix_memalign(&p, RTE_MAX(align, (unsigned int)RTE_CACHE_LINE_SIZE), size) != 0)
		return NULL;
	memset(p, 0, size);
	blocks++;
	return p;
}

void __wrap_rte_free(void *p);
void
__wrap_rte_free(void *p)
{
	if (p == NULL || rte_mem_virt2memseg_list(p) != NULL) {
		__real_rte_free(p);
		return;
	}
	blocks--;
	free(p);
}

unsigned int
hostile_blocks(void)
{
	unsigned int i, n = blocks;

	for (i = 0; i < ZONES; i++)
		n += zones[i].real != NULL;
	return n;
}

/* ---- timers ---- */

static struct {
	rte_eal_alarm_callback cb;	/* NULL: free */
	void *arg;
} alarms[ALARMS];

int __wrap_rte_eal_alarm_set(uint64_t us, rte_eal_alarm_callback cb, void *arg);
int
__wrap_rte_eal_alarm_set(uint64_t us, rte_eal_alarm_callback cb, void *arg)
{
	unsigned int i;

	(void)us;
	for (i = 0; i < ALARMS; i++)
		if (alarms[i].cb == NULL) {
			alarms[i].cb = cb;
			alarms[i].arg = arg;
			return 0;
		}
	return -ENOMEM;
}

int __wrap_rte_eal_alarm_cancel(rte_eal_alarm_callback cb, void *arg);
int
__wrap_rte_eal_alarm_cancel(rte_eal_alarm_callback cb, void *arg)
{
	unsigned int i, n = 0;

	for (i = 0; i < ALARMS; i++)
		if (alarms[i].cb == cb && (arg == (void *)-1 || alarms[i].arg == arg)) {
			alarms[i].cb = NULL;
			n++;
		}
	return (int)n;
}

void
hostile_ticks(void)
{
	rte_eal_alarm_callback cb[ALARMS];
	void *arg[ALARMS];
	unsigned int i, n = 0;

	for (i = 0; i < ALARMS; i++)
		if (alarms[i].cb != NULL) {
			cb[n] = alarms[i].cb;
			arg[n++] = alarms[i].arg;
			alarms[i].cb = NULL;
		}
	for (i = 0; i < n; i++)
		cb[i](arg[i]);
}
