/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Guest memory: mapping what SET_MEM_TABLE names, and finding addresses in it. */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "null_guard.h"
#include "null_vhost_internal.h"

bool
vhost_mem_lost(const struct vhost_guest *guest)
{
	uint32_t i;

	for (i = 0; i < guest->nb_regions; i++)
		if (null_guard_lost(guest->region[i].guard))
			return true;
	return false;
}

/* ---- mapping ---- */

void
vhost_mem_clear(struct vhost_node *node)
{
	struct vhost_guest *guest = &node->guest;

	while (guest->nb_regions > 0) {
		struct vhost_region *r = &guest->region[--guest->nb_regions];

		null_device_dma_unmap(node->dev, r->guest, r->size);
		null_guard_remove(r->guard);
		munmap(r->va, r->size);
		close(r->fd);
	}
}

/* What is wrong with a region; NULL: nothing. */
static const char *
region_check(const struct vhost_region *r, uint64_t off)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE) - 1;
	struct stat st;

	if (r->size == 0 || ((r->guest | r->size | off) & page) != 0)
		return "address, size and offset must be multiples of the page size";
	if (r->guest + r->size < r->guest || r->user + r->size < r->user ||
	    off + r->size < off || off + r->size > INT64_MAX || r->size > SIZE_MAX)
		return "it ends beyond the address space";
	if (fstat(r->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return "its memory must be a regular file";
	if (off + r->size > (uint64_t)st.st_size)
		return "its file must be that long";
	return NULL;
}

/* Takes r->fd when it returns 0. */
static int
region_add(struct vhost_node *node, struct vhost_region *r, uint64_t off)
{
	struct vhost_guest *guest = &node->guest;
	const char *why = region_check(r, off);
	int ret;

	if (why != NULL) {
		vhost_guest_complain(node, "memory at %#" PRIx64 ", %#" PRIx64 " bytes, offset %#"
				     PRIx64 ": %s", r->guest, r->size, off, why);
		return -EINVAL;
	}
	r->va = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, (off_t)off);
	if (r->va == MAP_FAILED) {
		ret = -errno;
		vhost_guest_complain(node, "memory at %#" PRIx64 " cannot be mapped: %s",
				     r->guest, strerror(-ret));
		return ret;
	}
	r->guard = null_guard_add(r->va, r->size, NULL);
	if (r->guard == NULL) {
		vhost_guest_complain(node, "memory at %#" PRIx64 ": too many regions are mapped",
				     r->guest);
		munmap(r->va, r->size);
		return -ENOSPC;
	}
	ret = null_device_dma_map(node->dev, r->guest, r->size, r->va, r->fd, (off_t)off);
	if (ret < 0) {
		vhost_guest_complain(node, "memory at %#" PRIx64 ", %#" PRIx64 " bytes, is "
				     "refused: %s", r->guest, r->size, strerror(-ret));
		null_guard_remove(r->guard);
		munmap(r->va, r->size);
		return ret;
	}
	guest->region[guest->nb_regions++] = *r;
	return 0;
}

int
vhost_mem_set(struct vhost_node *node, const struct vhost_msg *msg, int *fds, uint32_t nb_fds)
{
	uint32_t i, num = msg->u.mem.num;
	int ret = 0;

	vhost_mem_clear(node);
	if (num == 0 || num > VHOST_REGIONS_MAX || num != nb_fds ||
	    msg->size < 8 + num * sizeof(msg->u.mem.region[0])) {
		vhost_guest_complain(node, "memory table of %u regions with %u files: 1 to %u with "
				     "a file each are allowed", num, nb_fds, VHOST_REGIONS_MAX);
		ret = -EINVAL;
	}
	for (i = 0; ret == 0 && i < num; i++) {
		struct vhost_region r = {
			.guest = msg->u.mem.region[i].guest,
			.user = msg->u.mem.region[i].user,
			.size = msg->u.mem.region[i].size,
			.fd = fds[i],
		};

		ret = region_add(node, &r, msg->u.mem.region[i].off);
		if (ret == 0)
			fds[i] = -1;
	}
	for (i = 0; i < nb_fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (ret < 0)
		vhost_mem_clear(node);
	return ret;
}

/* ---- finding ---- */

static bool
covers(uint64_t start, uint64_t size, uint64_t addr, uint64_t len)
{
	return addr >= start && addr - start < size && len <= size - (addr - start);
}

uint8_t *
vhost_mem_guest(const struct vhost_guest *guest, uint64_t addr, uint64_t len)
{
	uint32_t i;

	for (i = 0; i < guest->nb_regions; i++) {
		const struct vhost_region *r = &guest->region[i];

		if (covers(r->guest, r->size, addr, len))
			return r->va + (addr - r->guest);
	}
	return NULL;
}

uint8_t *
vhost_mem_user(const struct vhost_guest *guest, uint64_t addr, uint64_t len)
{
	uint32_t i;

	for (i = 0; i < guest->nb_regions; i++) {
		const struct vhost_region *r = &guest->region[i];

		if (covers(r->user, r->size, addr, len))
			return r->va + (addr - r->user);
	}
	return NULL;
}
