/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* dpdk-rio-fabric: topology files and running fabrics, looked at and given faults. */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

#define EXIT_USAGE	2

static const char usage[] =
	"usage: dpdk-rio-fabric check FILE...\n"
	"       dpdk-rio-fabric list [--json]\n"
	"       dpdk-rio-fabric show FILE|NAME [--json]\n"
	"       dpdk-rio-fabric regs FILE|NAME NODE [PATTERN] [--json]\n"
	"       dpdk-rio-fabric fault NAME WHERE FAULT...\n"
	"       dpdk-rio-fabric clear NAME [WHERE [KIND]]\n"
	"       dpdk-rio-fabric enumerated [PREFIX [DEVICE]] [--json]\n"
	"\n"
	"check   read topology files and say what is wrong with them, a line each\n"
	"list    fabrics of this user that are running\n"
	"show    endpoints, switches, ports, routes, links, faults and counters\n"
	"regs    registers of a node whose names match a shell pattern (default: all)\n"
	"fault   give a link or endpoint a fault: down, lanes 0,2, drop 1/100, error 5%,\n"
	"        timeout, corrupt, retry, slow MICROSECONDS, stuck bdma0,omsg1,odb\n"
	"clear   take faults away: those of that kind, of that place, or all\n"
	"enumerated  what a DPDK process knows of its fabrics, asked of its telemetry socket:\n"
	"        the process with that --file-prefix (default: rte), that raw device (default: all)\n"
	"\n"
	"FILE is a topology file: it ends in .ini or has a slash. NAME is that of a running\n"
	"fabric; the one called default belongs to each process alone and cannot be seen.\n"
	"WHERE is an endpoint, or a port as SWITCH.PORT.\n"
	"\n"
	"Exit code: 0, 1 when something is refused or not there, 2 when the arguments are.\n";

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

/* Output that could not be written is no success. */
static int
done(int ret)
{
	if (fflush(stdout) != 0 || ferror(stdout) != 0)
		fprintf(stderr, "dpdk-rio-fabric: the output cannot be written\n");
	else if (ret < 0)
		fprintf(stderr, "dpdk-rio-fabric: no memory\n");
	else
		return EXIT_SUCCESS;
	return EXIT_FAILURE;
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
	return done(0) == EXIT_SUCCESS ? code : EXIT_FAILURE;
}

/* Takes --json out of the arguments. */
static bool
take_json(int *argc, char **argv)
{
	bool json = false;
	int i, n = 0;

	for (i = 0; i < *argc; i++) {
		if (strcmp(argv[i], "--json") == 0)
			json = true;
		else
			argv[n++] = argv[i];
	}
	*argc = n;
	return json;
}

static int
open_view(const char *what, struct null_view **view)
{
	size_t len = strlen(what);
	char err[NULL_ERR_LEN];
	int ret;

	if (strchr(what, '/') != NULL || (len > 4 && strcmp(what + len - 4, ".ini") == 0))
		ret = null_view_file(what, view, err, sizeof(err));
	else
		ret = null_view_running(what, view, err, sizeof(err));
	if (ret < 0)
		fprintf(stderr, "%s\n", err);
	return ret;
}

static int
cmd_list(int argc, char **argv)
{
	bool json = take_json(&argc, argv);

	if (argc != 0)
		return bad_usage("list: '%s' is not --json", argv[0]);
	return done(json ? fabric_list_json() : fabric_list_text());
}

static int
cmd_show(int argc, char **argv)
{
	bool json = take_json(&argc, argv);
	struct null_view *view;
	int ret = 0;

	if (argc != 1)
		return bad_usage("show: one file or running fabric is needed, %d are given", argc);
	if (open_view(argv[0], &view) < 0)
		return EXIT_FAILURE;
	if (json)
		ret = fabric_show_json(view);
	else
		fabric_show_text(view);
	null_view_close(view);
	return done(ret);
}

static int
cmd_regs(int argc, char **argv)
{
	bool json = take_json(&argc, argv);
	struct null_view *view;
	const char *pattern;
	int ret;

	if (argc < 2 || argc > 3)
		return bad_usage("regs: a file or running fabric, a node and perhaps a pattern are "
				 "needed");
	pattern = argc == 3 ? argv[2] : "*";
	if (open_view(argv[0], &view) < 0)
		return EXIT_FAILURE;
	ret = json ? fabric_regs_json(view, argv[1], pattern) :
		     fabric_regs_text(view, argv[1], pattern);
	null_view_close(view);
	switch (ret) {
	case -ENOENT:
		fprintf(stderr, "%s has no node '%s'\n", argv[0], argv[1]);
		return EXIT_FAILURE;
	case -ENODEV:
		fprintf(stderr, "no device is on node '%s' of %s\n", argv[1], argv[0]);
		return EXIT_FAILURE;
	case -ESRCH:
		fprintf(stderr, "no register of node '%s' of %s matches '%s'\n", argv[1], argv[0],
			pattern);
		return EXIT_FAILURE;
	default:
		return done(ret);
	}
}

static int
cmd_fault(int argc, char **argv)
{
	char fault[NULL_VIEW_TEXT_LEN] = "", err[NULL_ERR_LEN];
	size_t n = 0;
	int i;

	if (argc < 3)
		return bad_usage("fault: a running fabric, a place and a fault are needed");
	for (i = 2; i < argc && n < sizeof(fault); i++)
		n += (size_t)snprintf(fault + n, sizeof(fault) - n, "%s%s", i > 2 ? " " : "",
				      argv[i]);
	if (n >= sizeof(fault))
		return bad_usage("fault: '%s...' is too long", argv[2]);
	if (null_view_fault_set(argv[0], argv[1], fault, err, sizeof(err)) == 0)
		return EXIT_SUCCESS;
	fprintf(stderr, "%s\n", err);
	return EXIT_FAILURE;
}

static int
cmd_clear(int argc, char **argv)
{
	char err[NULL_ERR_LEN];

	if (argc < 1 || argc > 3)
		return bad_usage("clear: a running fabric, and perhaps a place and a kind, are needed");
	if (null_view_fault_clear(argv[0], argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL,
				  err, sizeof(err)) == 0)
		return EXIT_SUCCESS;
	fprintf(stderr, "%s\n", err);
	return EXIT_FAILURE;
}

static int
cmd_enumerated(int argc, char **argv)
{
	bool json = take_json(&argc, argv);
	int ret;

	if (argc > 2)
		return bad_usage("enumerated: a file prefix and a device at most, %d are given", argc);
	ret = fabric_enumerated(argc > 0 ? argv[0] : "rte", argc > 1 ? argv[1] : NULL, json);
	return ret != 0 ? EXIT_FAILURE : done(0);
}

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	bool json;		/* takes --json */
} commands[] = {
	{ "check", cmd_check, false },
	{ "list", cmd_list, true },
	{ "show", cmd_show, true },
	{ "regs", cmd_regs, true },
	{ "fault", cmd_fault, false },
	{ "clear", cmd_clear, false },
	{ "enumerated", cmd_enumerated, true },
};

static int
help(void)
{
	fputs(usage, stdout);
	return done(0);
}

static int
command_run(const struct command *c, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return help();
		if (argv[i][0] == '-' && (!c->json || strcmp(argv[i], "--json") != 0))
			return bad_usage("%s: '%s' is no option of it", c->name, argv[i]);
	}
	return c->run(argc, argv);
}

int
main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return bad_usage("no command is given");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help();
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return command_run(&commands[i], argc - 2, argv + 2);
	return bad_usage("'%s' is no command", argv[1]);
}
