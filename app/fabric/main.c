/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* dpdk-rio-fabric: topology files, and what the fabrics that they describe look like. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

#define EXIT_USAGE	2

static const char usage[] =
	"usage: dpdk-rio-fabric check FILE...\n"
	"       dpdk-rio-fabric show FILE [--json]\n"
	"\n"
	"check   read topology files and say what is wrong with them, a line each\n"
	"show    endpoints, switches, ports, routes and links of the fabric that a\n"
	"        topology file describes\n"
	"\n"
	"Exit code: 0, 1 when a file is refused, 2 when the arguments are.\n";

static int __attribute__((format(printf, 1, 2)))
bad_usage(const char *fmt, ...)
{
	va_list ap;

	fputs("dpdk-rio-fabric: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("; --help says more\n", stderr);
	return EXIT_USAGE;
}

static int
cmd_check(int argc, char **argv)
{
	struct null_view_fabric f;
	struct null_view *view;
	char err[NULL_ERR_LEN];
	int i, code = EXIT_SUCCESS;

	if (argc == 0)
		return bad_usage("check: no file is given");
	for (i = 0; i < argc; i++) {
		if (null_view_file(argv[i], &view, err, sizeof(err)) < 0) {
			fprintf(stderr, "%s\n", err);
			code = EXIT_FAILURE;
			continue;
		}
		null_view_fabric(view, &f);
		printf("%s: fabric %s, %u endpoints, %u switches, %u links\n", argv[i], f.name,
		       f.endpoints, f.switches, f.links);
		null_view_close(view);
	}
	return code;
}

static int
cmd_show(int argc, char **argv)
{
	const char *what = NULL;
	struct null_view *view;
	char err[NULL_ERR_LEN];
	bool json = false;
	int i, ret = 0;

	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0)
			json = true;
		else if (argv[i][0] == '-' || what != NULL)
			return bad_usage("show: '%s' is neither --json nor the one file", argv[i]);
		else
			what = argv[i];
	}
	if (what == NULL)
		return bad_usage("show: no file is given");
	if (null_view_file(what, &view, err, sizeof(err)) < 0) {
		fprintf(stderr, "%s\n", err);
		return EXIT_FAILURE;
	}
	if (json)
		ret = fabric_show_json(view);
	else
		fabric_show_text(view);
	null_view_close(view);
	if (fflush(stdout) != 0 || ret < 0) {
		fprintf(stderr, "dpdk-rio-fabric: the output cannot be written\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "check", cmd_check },
	{ "show", cmd_show },
};

int
main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return bad_usage("no command is given");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 2, argv + 2);
	return bad_usage("'%s' is no command", argv[1]);
}
