/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What the tests do in a Linux node with /dev/rio_mport0: one subcommand an
 * invocation. Numbers may be given in any base. Output is one line a fact;
 * the exit code is 0, 1 for "the kernel or the data said no", 2 for bad usage.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/rio_mport_cdev.h>

#include "pattern.h"

#define DEVICE "/dev/rio_mport0"

static int
no(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	return 1;
}

static int
mport_open(void)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		no(DEVICE);
		exit(1);
	}
	return fd;
}

/* ---- properties, maintenance ---- */

/* properties */
static int
run_properties(char **arg)
{
	struct rio_mport_properties p;

	(void)arg;
	if (ioctl(mport_open(), RIO_MPORT_GET_PROPERTIES, &p) < 0)
		return no("properties");
	printf("hdid=%u id=%u sys_size=%u port_ok=%u link_speed=%u link_width=%u flags=%#x "
	       "dma_max_sge=%u dma_max_size=%#x dma_align=%u cap_mport=%#x transfer_mode=%#x\n",
	       p.hdid, p.id, p.sys_size, p.port_ok, p.link_speed, p.link_width, p.flags,
	       p.dma_max_sge, p.dma_max_size, p.dma_align, p.cap_mport, p.transfer_mode);
	return 0;
}

static int
maint(unsigned long request, uint16_t destid, uint8_t hop, uint32_t off, uint32_t *val)
{
	struct rio_mport_maint_io io = {
		.rioid = destid,
		.hopcount = hop,
		.offset = off,
		.length = 4,
		.buffer = (uintptr_t)val,
	};

	return ioctl(mport_open(), request, &io);
}

/* local-read OFFSET */
static int
run_local_read(char **arg)
{
	uint32_t val = 0;

	if (maint(RIO_MPORT_MAINT_READ_LOCAL, 0, 0, (uint32_t)number(arg[0]), &val) < 0)
		return no("local-read");
	printf("0x%08x\n", val);
	return 0;
}

/* local-write OFFSET VALUE */
static int
run_local_write(char **arg)
{
	uint32_t val = (uint32_t)number(arg[1]);

	if (maint(RIO_MPORT_MAINT_WRITE_LOCAL, 0, 0, (uint32_t)number(arg[0]), &val) < 0)
		return no("local-write");
	return 0;
}

/* read DESTID HOPS OFFSET */
static int
run_read(char **arg)
{
	uint32_t val = 0;

	if (maint(RIO_MPORT_MAINT_READ_REMOTE, (uint16_t)number(arg[0]), (uint8_t)number(arg[1]),
		  (uint32_t)number(arg[2]), &val) < 0)
		return no("read");
	printf("0x%08x\n", val);
	return 0;
}

/* write DESTID HOPS OFFSET VALUE */
static int
run_write(char **arg)
{
	uint32_t val = (uint32_t)number(arg[3]);

	if (maint(RIO_MPORT_MAINT_WRITE_REMOTE, (uint16_t)number(arg[0]), (uint8_t)number(arg[1]),
		  (uint32_t)number(arg[2]), &val) < 0)
		return no("write");
	return 0;
}

/* ---- inbound windows ---- */

static uint8_t *
window_map(int fd, const char *raddr, const char *size)
{
	struct rio_mmap m = { .rio_addr = number(raddr), .length = number(size) };
	uint8_t *p;

	if (ioctl(fd, RIO_MAP_INBOUND, &m) < 0) {
		no("inbound window");
		exit(1);
	}
	p = mmap(NULL, m.length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)m.handle);
	if (p == MAP_FAILED) {
		no("mmap of inbound window");
		exit(1);
	}
	return p;
}

/* window-hold RADDR SIZE: opens the window, all zeroes, and keeps it until it is killed. */
static int
run_window_hold(char **arg)
{
	uint8_t *p = window_map(mport_open(), arg[0], arg[1]);

	memset(p, 0, number(arg[1]));
	printf("open\n");
	fflush(stdout);
	pause();
	return 0;
}

/* window-fill RADDR SIZE OFFSET LENGTH SEED: of a window that is held */
static int
run_window_fill(char **arg)
{
	uint8_t *p = window_map(mport_open(), arg[0], arg[1]);

	pattern_fill(p + number(arg[2]), number(arg[3]), number(arg[4]));
	return 0;
}

/* window-set RADDR SIZE VALUE: every byte */
static int
run_window_set(char **arg)
{
	memset(window_map(mport_open(), arg[0], arg[1]), (int)number(arg[2]), number(arg[1]));
	return 0;
}

/* window-check RADDR SIZE OFFSET LENGTH SEED VALUE: pattern there, VALUE all around it */
static int
run_window_check(char **arg)
{
	uint8_t *p = window_map(mport_open(), arg[0], arg[1]);
	uint64_t size = number(arg[1]), off = number(arg[2]), len = number(arg[3]);
	uint8_t val = (uint8_t)number(arg[5]);

	return value_check(p, off, val) || pattern_check(p + off, len, number(arg[4])) ||
	       value_check(p + off + len, size - off - len, val);
}

/* ---- DMA ---- */

static int
sync_of(const char *name)
{
	if (strcmp(name, "sync") == 0)
		return RIO_TRANSFER_SYNC;
	if (strcmp(name, "async") == 0)
		return RIO_TRANSFER_ASYNC;
	if (strcmp(name, "faf") == 0)
		return RIO_TRANSFER_FAF;
	fprintf(stderr, "'%s' is not sync, async or faf\n", name);
	exit(2);
}

/* One transfer, from or to memory of this process. 0, or 1 after saying why. */
static int
transfer(int fd, int dir, int sync, uint16_t destid, uint64_t raddr, void *buf, uint64_t len)
{
	struct rio_transfer_io io = {
		.rio_addr = raddr,
		.loc_addr = (uintptr_t)buf,
		.length = len,
		.rioid = destid,
		.method = RIO_EXCHANGE_DEFAULT,
	};
	struct rio_transaction t = {
		.block = (uintptr_t)&io,
		.count = 1,
		.transfer_mode = RIO_TRANSFER_MODE_TRANSFER,
		.sync = (uint16_t)sync,
		.dir = (uint16_t)dir,
	};
	struct rio_async_tx_wait wait = { .timeout = 30000 };
	int ret = ioctl(fd, RIO_TRANSFER, &t);

	if (ret < 0)
		return no("transfer");
	if (sync != RIO_TRANSFER_ASYNC)
		return 0;
	wait.token = (uint32_t)ret;
	if (ioctl(fd, RIO_WAIT_FOR_ASYNC, &wait) < 0)
		return no("wait for transfer");
	return 0;
}

/* Memory for a transfer that begins at an odd place of a page, with a canary on both sides. */
#define CANARY		64u
#define CANARY_VALUE	0xc5

static uint8_t *
buffer(uint64_t len, uint64_t align)
{
	size_t size = len + align + 2 * CANARY + 2 * 4096;
	uint8_t *p = aligned_alloc(4096, (size + 4095) & ~4095ull);

	if (p == NULL) {
		no("memory");
		exit(1);
	}
	memset(p, CANARY_VALUE, size);
	return p + CANARY + align;
}

/* dma-write DESTID RADDR LENGTH SEED sync|async|faf ALIGN */
static int
run_dma_write(char **arg)
{
	uint64_t len = number(arg[2]);
	uint8_t *buf = buffer(len, number(arg[5]));
	int ret;

	pattern_fill(buf, len, number(arg[3]));
	ret = transfer(mport_open(), RIO_TRANSFER_DIR_WRITE, sync_of(arg[4]),
		       (uint16_t)number(arg[0]), number(arg[1]), buf, len);
	return ret;
}

/* dma-read DESTID RADDR LENGTH SEED sync|async|faf ALIGN: checks what comes */
static int
run_dma_read(char **arg)
{
	uint64_t len = number(arg[2]);
	uint8_t *buf = buffer(len, number(arg[5]));
	int ret = transfer(mport_open(), RIO_TRANSFER_DIR_READ, sync_of(arg[4]),
			   (uint16_t)number(arg[0]), number(arg[1]), buf, len);

	return ret || value_check(buf - CANARY, CANARY, CANARY_VALUE) ||
	       pattern_check(buf, len, number(arg[3])) ||
	       value_check(buf + len, CANARY, CANARY_VALUE);
}

/*
 * dma-retry TRIES DESTID RADDR LENGTH SEED read|write: until it succeeds, always over the
 * DMA channel that the first try was given. Prints how many failed.
 */
static int
run_dma_retry(char **arg)
{
	int dir = strcmp(arg[5], "read") == 0 ? RIO_TRANSFER_DIR_READ : RIO_TRANSFER_DIR_WRITE;
	uint64_t i, tries = number(arg[0]), len = number(arg[3]);
	uint8_t *buf = buffer(len, 0);
	int fd = mport_open();

	if (dir == RIO_TRANSFER_DIR_WRITE)
		pattern_fill(buf, len, number(arg[4]));
	for (i = 0; i < tries; i++)
		if (transfer(fd, dir, RIO_TRANSFER_SYNC, (uint16_t)number(arg[1]), number(arg[2]),
			     buf, len) == 0)
			break;
	printf("%llu failed\n", (unsigned long long)i);
	return i == tries || pattern_check(buf, len, number(arg[4]));
}

/* ---- events: doorbells and port-writes ---- */

/* doorbell DESTID INFO... */
static int
run_doorbell(char **arg)
{
	int fd = mport_open();
	int i;

	for (i = 1; arg[i] != NULL; i++) {
		struct rio_event ev = { .header = RIO_DOORBELL };

		ev.u.doorbell.rioid = (uint16_t)number(arg[0]);
		ev.u.doorbell.payload = (uint16_t)number(arg[i]);
		if (write(fd, &ev, sizeof(ev)) != sizeof(ev))
			return no("doorbell");
	}
	return 0;
}

static int
event_wait(int fd, struct rio_event *ev, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	if (poll(&pfd, 1, timeout_ms) == 0) {
		printf("no event in %d ms\n", timeout_ms);
		return 1;
	}
	if (read(fd, ev, sizeof(*ev)) != sizeof(*ev))
		return no("event");
	return 0;
}

static int
events_enable(int fd, unsigned long request, const void *filter, uint32_t mask)
{
	if (ioctl(fd, request, filter) < 0)
		return no("range of events");
	if (ioctl(fd, RIO_SET_EVENT_MASK, mask) < 0)
		return no("event mask");
	printf("listening\n");
	fflush(stdout);
	return 0;
}

/* doorbell-wait LOW HIGH COUNT TIMEOUT_MS: prints "source info" of each */
static int
run_doorbell_wait(char **arg)
{
	struct rio_doorbell_filter f = {
		.rioid = 0xffff,
		.low = (uint16_t)number(arg[0]),
		.high = (uint16_t)number(arg[1]),
	};
	uint64_t i, count = number(arg[2]);
	int fd = mport_open();
	struct rio_event ev;

	if (events_enable(fd, RIO_ENABLE_DOORBELL_RANGE, &f, RIO_DOORBELL) != 0)
		return 1;
	for (i = 0; i < count && event_wait(fd, &ev, (int)number(arg[3])) == 0; i++)
		printf("%u 0x%04x\n", ev.u.doorbell.rioid, ev.u.doorbell.payload);
	/* The kernel does not do this when the file is closed. */
	if (ioctl(fd, RIO_DISABLE_DOORBELL_RANGE, &f) < 0)
		return no("end of range");
	return i < count;
}

/* portwrite-wait TIMEOUT_MS: prints the four words of one */
static int
run_portwrite_wait(char **arg)
{
	struct rio_pw_filter f = { .mask = 0, .low = 0, .high = 0xffffffff };
	int fd = mport_open();
	struct rio_event ev;
	uint32_t *w = ev.u.portwrite.payload;

	if (events_enable(fd, RIO_ENABLE_PORTWRITE_RANGE, &f, RIO_PORTWRITE) != 0 ||
	    event_wait(fd, &ev, (int)number(arg[0])) != 0)
		return 1;
	printf("0x%08x 0x%08x 0x%08x 0x%08x\n", w[0], w[1], w[2], w[3]);
	return 0;
}

/* ---- outbound windows, devices ---- */

/* outbound DESTID RADDR SIZE: maps a window, prints its address on the bus, unmaps it */
static int
run_outbound(char **arg)
{
	struct rio_mmap m = {
		.rioid = (uint16_t)number(arg[0]),
		.rio_addr = number(arg[1]),
		.length = number(arg[2]),
	};
	int fd = mport_open();

	if (ioctl(fd, RIO_MAP_OUTBOUND, &m) < 0)
		return no("outbound window");
	printf("%#llx\n", (unsigned long long)m.handle);
	if (ioctl(fd, RIO_UNMAP_OUTBOUND, &m.handle) < 0)
		return no("unmap of outbound window");
	return 0;
}

static int
device(unsigned long request, const char *what, char **arg)
{
	struct rio_rdev_info info = {
		.destid = (uint16_t)number(arg[0]),
		.hopcount = (uint8_t)number(arg[1]),
		.comptag = (uint32_t)number(arg[2]),
	};

	snprintf(info.name, sizeof(info.name), "%s", arg[3]);
	return ioctl(mport_open(), request, &info) < 0 ? no(what) : 0;
}

/* device-add DESTID HOPS COMPTAG NAME */
static int
run_device_add(char **arg)
{
	return device(RIO_DEV_ADD, "device-add", arg);
}

/* device-delete DESTID HOPS COMPTAG NAME */
static int
run_device_delete(char **arg)
{
	return device(RIO_DEV_DEL, "device-delete", arg);
}

static const struct {
	const char *name;
	int args;		/* at least */
	int (*run)(char **arg);
} commands[] = {
	{ "properties", 0, run_properties },
	{ "local-read", 1, run_local_read },
	{ "local-write", 2, run_local_write },
	{ "read", 3, run_read },
	{ "write", 4, run_write },
	{ "window-hold", 2, run_window_hold },
	{ "window-fill", 5, run_window_fill },
	{ "window-set", 3, run_window_set },
	{ "window-check", 6, run_window_check },
	{ "dma-write", 6, run_dma_write },
	{ "dma-read", 6, run_dma_read },
	{ "dma-retry", 6, run_dma_retry },
	{ "doorbell", 2, run_doorbell },
	{ "doorbell-wait", 4, run_doorbell_wait },
	{ "portwrite-wait", 1, run_portwrite_wait },
	{ "outbound", 3, run_outbound },
	{ "device-add", 4, run_device_add },
	{ "device-delete", 4, run_device_delete },
};

int
main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0) {
			if (argc - 2 >= commands[i].args)
				return commands[i].run(argv + 2);
			break;
		}
	fprintf(stderr, "usage: rio_mport COMMAND ARGUMENT...\n");
	return 2;
}
