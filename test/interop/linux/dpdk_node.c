/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A DPDK program on the fabric of Linux nodes: dpdk_node EAL-OPTION...
 * Its raw device is the first one. Each line of standard input is a command; what
 * it has to say follows in lines, then "ok" or "no". Numbers may be given in any base.
 */

#include <pthread.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>
#include <rte_pmd_tsi721.h>

#include "dpdk_cm.h"
#include "pattern.h"

#define DEVICE		0
#define WORDS_MAX	64
#define LINE_LEN	1024
#define BELLS_MAX	4096
#define DMA_TIMEOUT_S	30

static int
no(const char *what, int err)
{
	printf("%s: %s\n", what, strerror(-err));
	return 1;
}

/* ---- an inbound window ---- */

static uint8_t *window;
static uint64_t window_size;

/* window RADDR SIZE: all zeroes */
static int
run_window(char **arg)
{
	uint64_t raddr = number(arg[0]), size = number(arg[1]);
	const struct rte_memzone *mz;
	int ret;

	mz = rte_memzone_reserve_aligned("window", size, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 (unsigned int)size);
	if (mz == NULL)
		return no("memory", -rte_errno);
	ret = rte_pmd_tsi721_window_open(DEVICE, raddr, mz->iova, size);
	if (ret < 0)
		return no("window", ret);
	window = mz->addr;
	window_size = size;
	memset(window, 0, size);
	return 0;
}

/* set VALUE: every byte of the window */
static int
run_set(char **arg)
{
	memset(window, (int)number(arg[0]), window_size);
	return 0;
}

/* fill OFFSET LENGTH SEED */
static int
run_fill(char **arg)
{
	pattern_fill(window + number(arg[0]), number(arg[1]), number(arg[2]));
	return 0;
}

/* check OFFSET LENGTH SEED VALUE: the pattern there, VALUE all around it */
static int
run_check(char **arg)
{
	uint64_t off = number(arg[0]), len = number(arg[1]);
	uint8_t val = (uint8_t)number(arg[3]);

	return value_check(window, off, val) ||
	       pattern_check(window + off, len, number(arg[2])) ||
	       value_check(window + off + len, window_size - off - len, val);
}

/* ---- block DMA ---- */

static int
transfer(enum rte_pmd_tsi721_op_type type, uint16_t destid, uint64_t raddr, const void *buf,
	 uint64_t len)
{
	struct rte_pmd_tsi721_seg seg = { .iova = rte_mem_virt2iova(buf), .len = len };
	struct rte_pmd_tsi721_op op = {
		.type = type, .destid = destid, .raddr = raddr, .segs = &seg, .nb_segs = 1,
	};
	uint64_t end = rte_get_timer_cycles() + DMA_TIMEOUT_S * rte_get_timer_hz();
	struct rte_rawdev_buf in = { .buf_addr = &op }, out, *ins = &in, *outs = &out;
	void *queue = NULL;	/* number 0 */

	if (rte_rawdev_enqueue_buffers(DEVICE, &ins, 1, queue) != 1)
		return no("enqueue", op.status);
	while (rte_rawdev_dequeue_buffers(DEVICE, &outs, 1, queue) == 0)
		if (rte_get_timer_cycles() > end) {
			/* The device still has what is on the stack. */
			fprintf(stderr, "a transfer does not end\n");
			exit(1);
		}
	return op.status == 0 ? 0 : no("transfer", op.status);
}

/* Memory with a canary on both sides. */
#define CANARY		64u
#define CANARY_VALUE	0xc5

static uint8_t *
buffer(uint64_t len, uint64_t align)
{
	uint8_t *p = rte_malloc(NULL, len + align + 2 * CANARY, 4096);

	if (p == NULL) {
		fprintf(stderr, "no memory\n");
		exit(1);
	}
	memset(p, CANARY_VALUE, len + align + 2 * CANARY);
	return p;
}

/* dma-write DESTID RADDR LENGTH SEED ALIGN */
static int
run_dma_write(char **arg)
{
	uint64_t len = number(arg[2]), align = number(arg[4]);
	uint8_t *mem = buffer(len, align), *p = mem + CANARY + align;
	int ret;

	pattern_fill(p, len, number(arg[3]));
	ret = transfer(RTE_PMD_TSI721_WRITE_LAST_R, (uint16_t)number(arg[0]), number(arg[1]), p,
		       len);
	rte_free(mem);
	return ret;
}

/* dma-read DESTID RADDR LENGTH SEED ALIGN: checks what comes */
static int
run_dma_read(char **arg)
{
	uint64_t len = number(arg[2]), align = number(arg[4]);
	uint8_t *mem = buffer(len, align), *p = mem + CANARY + align;
	int ret;

	ret = transfer(RTE_PMD_TSI721_READ, (uint16_t)number(arg[0]), number(arg[1]), p, len) ||
	      value_check(mem, CANARY + align, CANARY_VALUE) ||
	      pattern_check(p, len, number(arg[3])) ||
	      value_check(p + len, CANARY, CANARY_VALUE);
	rte_free(mem);
	return ret;
}

/* ---- doorbells ---- */

static struct {
	pthread_mutex_t lock;
	unsigned int nb;
	struct {
		uint16_t src, info;
	} bell[BELLS_MAX];
} bells = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The interrupt thread calls. */
static void
on_doorbell(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	pthread_mutex_lock(&bells.lock);
	if (bells.nb < BELLS_MAX) {
		bells.bell[bells.nb].src = src;
		bells.bell[bells.nb].info = info;
		bells.nb++;
	}
	pthread_mutex_unlock(&bells.lock);
}

/* range FIRST LAST: listen, besides what is listened to already */
static int
run_range(char **arg)
{
	int ret = rte_pmd_tsi721_doorbell_request(DEVICE, (uint16_t)number(arg[0]),
						  (uint16_t)number(arg[1]), on_doorbell, NULL);

	return ret < 0 ? no("range", ret) : 0;
}

/* range-end FIRST LAST */
static int
run_range_end(char **arg)
{
	int ret = rte_pmd_tsi721_doorbell_release(DEVICE, (uint16_t)number(arg[0]),
						  (uint16_t)number(arg[1]));

	return ret < 0 ? no("end of range", ret) : 0;
}

static unsigned int
bells_count(void)
{
	unsigned int nb;

	pthread_mutex_lock(&bells.lock);
	nb = bells.nb;
	pthread_mutex_unlock(&bells.lock);
	return nb;
}

/* bells COUNT SECONDS: waits for so many, prints "source info" of each, and forgets them */
static int
run_bells(char **arg)
{
	uint64_t end = rte_get_timer_cycles() + number(arg[1]) * rte_get_timer_hz();
	unsigned int i, nb;

	while (bells_count() < number(arg[0]) && rte_get_timer_cycles() < end)
		rte_delay_us_sleep(1000);
	pthread_mutex_lock(&bells.lock);
	nb = bells.nb;
	for (i = 0; i < nb; i++)
		printf("%u 0x%04x\n", bells.bell[i].src, bells.bell[i].info);
	bells.nb = 0;
	pthread_mutex_unlock(&bells.lock);
	return nb < number(arg[0]);
}

/* bell DESTID INFO... */
static int
run_bell(char **arg)
{
	int i, ret;

	for (i = 1; arg[i] != NULL; i++) {
		ret = rte_pmd_tsi721_doorbell_send(DEVICE, (uint16_t)number(arg[0]),
						   (uint16_t)number(arg[i]));
		if (ret < 0)
			return no("doorbell", ret);
	}
	return 0;
}

/* ---- registers ---- */

/* read DESTID HOPS OFFSET */
static int
run_read(char **arg)
{
	uint32_t val;
	int ret = rte_pmd_tsi721_maint_read(DEVICE, (uint16_t)number(arg[0]),
					    (uint8_t)number(arg[1]), (uint32_t)number(arg[2]),
					    &val);

	if (ret < 0)
		return no("read", ret);
	printf("0x%08x\n", val);
	return 0;
}

/* write DESTID HOPS OFFSET VALUE */
static int
run_write(char **arg)
{
	int ret = rte_pmd_tsi721_maint_write(DEVICE, (uint16_t)number(arg[0]),
					     (uint8_t)number(arg[1]), (uint32_t)number(arg[2]),
					     (uint32_t)number(arg[3]));

	return ret < 0 ? no("write", ret) : 0;
}

/* attr NAME */
static int
run_attr(char **arg)
{
	uint64_t val;
	int ret = rte_rawdev_get_attr(DEVICE, arg[0], &val);

	if (ret < 0)
		return no(arg[0], ret);
	printf("%#llx\n", (unsigned long long)val);
	return 0;
}

/* ---- the fabric, as the driver's host or agent knows it ---- */

#define DEVICES_MAX	320
#define ROUTES_MAX	512

/* fabric: what is known of all of it */
static int
run_fabric(char **arg)
{
	static const char *const state[] = { "unknown", "waiting", "partial", "complete" };
	struct rte_pmd_tsi721_fabric_info info;
	int ret = rte_pmd_tsi721_fabric_info_get(DEVICE, &info);

	(void)arg;
	if (ret < 0)
		return no("fabric", ret);
	printf("state=%s generation=%u endpoints=%u switches=%u destid=%u host=%u portwrites=%llu\n",
	       state[info.state], info.generation, info.nb_endpoints, info.nb_switches,
	       info.destid, info.host_destid, (unsigned long long)info.portwrites);
	return 0;
}

/* devices: "e TAG DESTID HOPS" or "s TAG PORTS HOPS" of each, oneself first */
static int
run_devices(char **arg)
{
	static struct rte_pmd_tsi721_fabric_device devs[DEVICES_MAX];
	int i, nb = rte_pmd_tsi721_fabric_devices(DEVICE, devs, DEVICES_MAX);

	(void)arg;
	if (nb < 0)
		return no("devices", nb);
	for (i = 0; i < nb && i < DEVICES_MAX; i++)
		printf("%c %u %u %u\n", devs[i].is_switch ? 's' : 'e', devs[i].comp_tag,
		       devs[i].is_switch ? devs[i].nb_ports : devs[i].destid, devs[i].hops);
	return 0;
}

/* routes TAG: "DESTID PORT" of each destination that the switch knows */
static int
run_routes(char **arg)
{
	static struct rte_pmd_tsi721_fabric_route routes[ROUTES_MAX];
	int i, nb = rte_pmd_tsi721_fabric_routes(DEVICE, (uint32_t)number(arg[0]), routes,
						 ROUTES_MAX);

	if (nb < 0)
		return no("routes", nb);
	for (i = 0; i < nb && i < ROUTES_MAX; i++)
		printf("%u %u\n", routes[i].destid, routes[i].port);
	return 0;
}

/* rescan */
static int
run_rescan(char **arg)
{
	int ret = rte_pmd_tsi721_fabric_rescan(DEVICE);

	(void)arg;
	return ret < 0 ? no("rescan", ret) : 0;
}

static const struct {
	const char *name;
	int args;		/* at least */
	int (*run)(char **arg);
} commands[] = {
	{ "window", 2, run_window },
	{ "set", 1, run_set },
	{ "fill", 3, run_fill },
	{ "check", 4, run_check },
	{ "dma-write", 5, run_dma_write },
	{ "dma-read", 5, run_dma_read },
	{ "range", 2, run_range },
	{ "range-end", 2, run_range_end },
	{ "bells", 2, run_bells },
	{ "bell", 2, run_bell },
	{ "read", 3, run_read },
	{ "write", 4, run_write },
	{ "attr", 1, run_attr },
	{ "fabric", 0, run_fabric },
	{ "devices", 0, run_devices },
	{ "routes", 1, run_routes },
	{ "rescan", 0, run_rescan },
	{ "cm-start", 0, run_cm_start },
	{ "cm-listen", 1, run_cm_listen },
	{ "cm-serve", 2, run_cm_serve },
	{ "cm-talk", 3, run_cm_talk },
	{ "cm-silence", 2, run_cm_silence },
	{ "cm-connect", 2, run_cm_connect },
	{ "cm-lost", 1, run_cm_lost },
	{ "cm-refuse", 0, run_cm_refuse },
	{ "cm-stats", 0, run_cm_stats },
};

/* 0 when it did what it should. */
static int
run_line(char *line)
{
	char *words[WORDS_MAX + 1], *save = NULL, *word;
	int nb = 0;
	size_t i;

	for (word = strtok_r(line, " \n", &save); word != NULL && nb < WORDS_MAX;
	     word = strtok_r(NULL, " \n", &save))
		words[nb++] = word;
	words[nb] = NULL;
	for (i = 0; nb > 0 && i < RTE_DIM(commands); i++)
		if (strcmp(words[0], commands[i].name) == 0 && nb - 1 >= commands[i].args)
			return commands[i].run(words + 1);
	printf("no such command, or too few arguments\n");
	return 1;
}

static int
start(void)
{
	struct rte_pmd_tsi721_config conf = { .nb_queues = 1 };
	struct rte_rawdev_info info = { .dev_private = &conf };

	if (rte_rawdev_count() == 0)
		return -ENODEV;
	if (rte_rawdev_configure(DEVICE, &info, sizeof(conf)) != 0)
		return -EINVAL;
	return rte_rawdev_start(DEVICE);
}

int
main(int argc, char **argv)
{
	char line[LINE_LEN];
	int ret;

	if (rte_eal_init(argc, argv) < 0)
		return 1;
	ret = start();
	if (ret < 0) {
		fprintf(stderr, "dpdk_node: %s\n", strerror(-ret));
		return 1;
	}
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		printf("%s\n", run_line(line) == 0 ? "ok" : "no");
		fflush(stdout);
	}
	rte_rawdev_stop(DEVICE);
	rte_rawdev_close(DEVICE);
	return rte_eal_cleanup() == 0 ? 0 : 1;
}
