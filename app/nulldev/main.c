/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * dpdk-rio-nulldev: offers null devices, all on one fabric, to user-mode Linux
 * kernels, one a socket.
 */

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null_vhost.h"

#define SOCKETS_MAX	256	/* as many as a fabric has endpoints */
#define DESTID_MAX	0xffff

struct options {
	const char *fabric;
	const char *topology;
	char *socket[SOCKETS_MAX];
	int nb_sockets;
};

/* What --socket names. */
struct place {
	const char *path;
	const char *node;
	int destid;
};

static struct null_vhost *server;

static const char usage[] =
	"usage: dpdk-rio-nulldev [--fabric NAME] [--topology FILE]\n"
	"                        --socket PATH[,node=NAME][,destid=N]...\n"
	"\n"
	"Offers null devices (software Tsi721s) to user-mode Linux kernels: each socket is\n"
	"one device, which the kernel finds as PCI device 111d:80ab when it is started with\n"
	"virtio_uml.device=PATH:1234. Several --socket make several nodes of one fabric.\n"
	"\n"
	"  -f, --fabric NAME   fabric to join (default: the topology's name, or default)\n"
	"  -t, --topology FILE what the fabric is to be, if it is not there yet\n"
	"  -s, --socket PATH[,node=NAME][,destid=N]\n"
	"                      path of the socket; node: endpoint of the fabric (default: the\n"
	"                      first free one); destid: destination ID (default: the fabric's)\n"
	"  -h, --help          this text\n"
	"\n"
	"Prints a line for each device and then \"ready\". Ends at SIGINT or SIGTERM. A device\n"
	"whose kernel goes away is as after power-up for the next one.\n";

static int __attribute__((format(printf, 1, 2)))
fail(const char *fmt, ...)
{
	va_list ap;

	fputs("dpdk-rio-nulldev: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return EXIT_FAILURE;
}

static void
on_signal(int sig)
{
	(void)sig;
	null_vhost_stop(server);
}

static void
on_log(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

/* 0: go on; else exit with *code. */
static int
options_parse(int argc, char **argv, struct options *o, int *code)
{
	static const struct option longs[] = {
		{ "fabric", required_argument, NULL, 'f' },
		{ "topology", required_argument, NULL, 't' },
		{ "socket", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*code = EXIT_FAILURE;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:t:s:h", longs, NULL)) != -1) {
		switch (c) {
		case 'f':
			o->fabric = optarg;
			break;
		case 't':
			o->topology = optarg;
			break;
		case 's':
			if (o->nb_sockets == SOCKETS_MAX)
				return fail("more than %d --socket", SOCKETS_MAX);
			o->socket[o->nb_sockets++] = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			*code = fflush(stdout) == 0 ? EXIT_SUCCESS :
				fail("the output cannot be written");
			return 1;
		case ':':
			return fail("option '%s' needs a value", argv[optind - 1]);
		default:
			return fail("option '%s' is not known; --help lists what is",
				    argv[optind - 1]);
		}
	}
	if (optind < argc)
		return fail("argument '%s' is not expected; --help says what is", argv[optind]);
	if (o->nb_sockets == 0)
		return fail("no --socket: where shall a kernel connect?");
	return 0;
}

static int
destid_parse(const char *text, int *destid)
{
	char *end;
	long val;

	errno = 0;
	val = strtol(text, &end, 0);
	if (errno != 0 || end == text || *end != '\0' || val < 0 || val > DESTID_MAX)
		return fail("destid '%s' is not 0 to %d", text, DESTID_MAX);
	*destid = (int)val;
	return 0;
}

/* Cuts the argument up in place. */
static int
place_parse(char *arg, struct place *p)
{
	char node_key[] = "node", destid_key[] = "destid";
	char *const keys[] = { node_key, destid_key, NULL };
	char *rest = strchr(arg, ','), *val, *item;

	*p = (struct place){ .path = arg, .destid = NULL_DESTID_AUTO };
	if (rest == NULL)
		return 0;
	*rest++ = '\0';
	while (*rest != '\0') {
		item = rest;
		switch (getsubopt(&rest, keys, &val)) {
		case 0:
			if (val == NULL || *val == '\0')
				return fail("socket '%s': node needs a name", p->path);
			p->node = val;
			break;
		case 1:
			if (val == NULL)
				return fail("socket '%s': destid needs a number", p->path);
			if (destid_parse(val, &p->destid) != 0)
				return EXIT_FAILURE;
			break;
		default:
			return fail("socket '%s': '%s' is not known; node=NAME and destid=N are",
				    p->path, item);
		}
	}
	return 0;
}

static int
serve_add(const struct options *o, char *arg)
{
	struct null_device_params params = {
		.fabric = o->fabric, .topology = o->topology, .host = -1,
	};
	struct null_device_info info;
	char err[NULL_ERR_LEN];
	struct place place;

	if (place_parse(arg, &place) != 0)
		return EXIT_FAILURE;
	params.node = place.node;
	params.destid = place.destid;
	if (null_vhost_add(server, place.path, &params, &info, err, sizeof(err)) < 0)
		return fail("%s", err);
	printf("%s: node %s, destination ID %u, fabric %s\n", place.path, info.node, info.destid,
	       info.fabric);
	return 0;
}

static int
serve(const struct options *o)
{
	struct sigaction sa = { .sa_handler = on_signal };
	int i, ret;

	for (i = 0; i < o->nb_sockets; i++)
		if (serve_add(o, o->socket[i]) != 0)
			return EXIT_FAILURE;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	printf("ready\n");
	if (fflush(stdout) != 0 || ferror(stdout) != 0)
		return fail("the output cannot be written");
	ret = null_vhost_run(server);
	return ret == 0 ? EXIT_SUCCESS : fail("waiting for kernels: %s", strerror(-ret));
}

int
main(int argc, char **argv)
{
	struct options o = { 0 };
	int code;

	if (options_parse(argc, argv, &o, &code) != 0)
		return code;
	signal(SIGPIPE, SIG_IGN);
	code = null_vhost_create(&server, on_log, NULL);
	if (code < 0)
		return fail("server: %s", strerror(-code));
	code = serve(&o);
	null_vhost_destroy(server);
	return code;
}
