/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Reading topology files. libinih splits lines; a reader in between counts them
 * and looks at section headers, which libinih reports only with their keys.
 */

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "null_topo_parse.h"

#define DEFAULT_LANES	4u
#define DEFAULT_MBAUD	5000u
#define COMMENT		";#"
#define BYTE_ORDER_MARK	"\xef\xbb\xbf"	/* some editors' first bytes of UTF-8 */
#define NO_LINE		"neither '[section]' nor 'key = value'"

static const char *const section_names[] = {
	[SEC_FABRIC] = "fabric", [SEC_SWITCHES] = "switches", [SEC_ENDPOINTS] = "endpoints",
	[SEC_LINKS] = "links", [SEC_FAULTS] = "faults",
};

int
topo_wrong(struct topo_parse *p, const char *fmt, ...)
{
	va_list ap;

	if (p->failed)
		return 0;
	p->failed = true;
	p->err_line = p->line;
	va_start(ap, fmt);
	vsnprintf(p->reason, p->reason_len, fmt, ap);
	va_end(ap);
	return 0;
}

/* ---- lines ---- */

static int
routes_section(struct topo_parse *p, const char *sw)
{
	if (!p->topo->enumerated)
		return topo_wrong(p, "[routes %s] is for enumerated = 1", sw);
	if (!topo_find_sw(p->topo, sw, &p->routes_sw))
		return topo_wrong(p, "switch '%s' of [routes %s] is not defined above", sw, sw);
	p->section = SEC_ROUTES;
	return 1;
}

static int
on_section(struct topo_parse *p, char *header)
{
	char *w[TOPO_WORDS_MAX + 1];
	uint32_t n = topo_split(header, w), i;

	p->section = SEC_NONE;
	if (n == 2 && strcmp(w[0], "routes") == 0)
		return routes_section(p, w[1]);
	for (i = 0; n == 1 && i < sizeof(section_names) / sizeof(section_names[0]); i++)
		if (section_names[i] != NULL && strcmp(w[0], section_names[i]) == 0)
			p->section = (enum topo_section)i;
	if (p->section == SEC_NONE)
		return topo_wrong(p, "section [%s%s%s] is none of fabric, switches, endpoints, "
				  "links, routes SWITCH, faults", n > 0 ? w[0] : "",
				  n > 1 ? " " : "", n > 1 ? w[1] : "");
	if (p->section == SEC_FABRIC && p->fabric_seen)
		return topo_wrong(p, "[fabric] is given twice");
	if (p->section != SEC_FABRIC && !p->fabric_seen)
		return topo_wrong(p, "the first section has to be [fabric]");
	p->fabric_seen = true;
	return 1;
}

/* Header of a section. */
static void
look_at_header(struct topo_parse *p, const char *line)
{
	const char *end = strchr(line, ']');
	char header[NULL_ERR_LEN];

	if (end == NULL) {
		topo_wrong(p, "section without ']'");
		return;
	}
	snprintf(header, sizeof(header), "%.*s", (int)(end - line - 1), line + 1);
	end++;
	end += strspn(end, TOPO_BLANK);
	if (*end != '\0' && *end != ';')
		topo_wrong(p, "text after the section's ']'");
	else
		on_section(p, header);
}

/* libinih goes on after a line that is nothing: the reason told would be that of a later one. */
static void
look_at_line(struct topo_parse *p, const char *line)
{
	if (line[0] == '[')
		look_at_header(p, line);
	else if (line[0] != '\0' && strchr(COMMENT, line[0]) == NULL && strpbrk(line, "=:") == NULL)
		topo_wrong(p, NO_LINE);
}

/* libinih's fgets: one line, without its indent (which would continue the one above). */
static char *
read_line(char *buf, int size, void *ctx)
{
	struct topo_parse *p = ctx;
	char *text;

	if (p->failed || fgets(buf, size, p->file) == NULL)
		return NULL;
	p->line++;
	if (strchr(buf, '\n') == NULL && !feof(p->file)) {
		topo_wrong(p, "line is longer than %d characters, or holds a zero byte", size - 2);
		return NULL;
	}
	text = buf;
	if (p->line == 1 && strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
		text += strlen(BYTE_ORDER_MARK);
	text += strspn(text, TOPO_BLANK);
	memmove(buf, text, strlen(text) + 1);
	look_at_line(p, buf);
	return p->failed ? NULL : buf;
}

static int
on_key(void *ctx, const char *section, const char *key, const char *val)
{
	struct topo_parse *p = ctx;
	char value[NULL_ERR_LEN];

	(void)section;
	snprintf(value, sizeof(value), "%s", val);
	switch (p->section) {
	case SEC_FABRIC:
		return topo_fabric_key(p, key, value);
	case SEC_SWITCHES:
		return topo_switch_key(p, key, value);
	case SEC_ENDPOINTS:
		return topo_endpoint_key(p, key, value);
	case SEC_LINKS:
		return topo_link_key(p, key, value);
	case SEC_ROUTES:
		return topo_route_key(p, key, value);
	case SEC_FAULTS:
		return topo_fault_key(p, key, value);
	default:
		return topo_wrong(p, "'%s' is in no section", key);
	}
}

/* The file's name without folder and .ini, where it is a good name. */
static int
name_from_path(struct topo_parse *p, const char *path)
{
	const char *base = strrchr(path, '/');
	char name[NULL_NAME_LEN];
	char *ini;

	if (p->topo->name[0] != '\0')
		return 1;
	snprintf(name, sizeof(name), "%s", base != NULL ? base + 1 : path);
	ini = strstr(name, ".ini");
	if (ini != NULL)
		*ini = '\0';
	if (!topo_name_ok(name))
		return topo_wrong(p, "[fabric] has no name, and '%s' is not one", name);
	strcpy(p->topo->name, name);
	return 1;
}

static int
parse_all(struct topo_parse *p, const char *path)
{
	int line = ini_parse_stream(read_line, p, on_key, p);
	uint32_t bad;

	if (line != 0 && !p->failed) {
		p->line = (uint32_t)line;
		return topo_wrong(p, NO_LINE);
	}
	if (p->failed)
		return 0;
	if (ferror(p->file))
		return topo_wrong(p, "cannot be read");
	if (!name_from_path(p, path))
		return 0;
	bad = null_topo_complete(p->topo, p->reason, p->reason_len);
	p->err_line = bad;
	return bad == 0;
}

int
null_topo_load(const char *path, struct null_topo **topo, char *err, size_t errlen)
{
	struct topo_parse p = { .lanes = DEFAULT_LANES, .mbaud = DEFAULT_MBAUD };
	char reason[NULL_ERR_LEN] = "";
	struct stat st;
	int ret = 0;

	p.file = fopen(path, "re");
	if (p.file == NULL) {
		ret = -errno;
		snprintf(err, errlen, "%s: %s", path, strerror(-ret));
		return ret;
	}
	if (fstat(fileno(p.file), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(p.file);
		snprintf(err, errlen, "%s: %s", path, strerror(EISDIR));
		return -EISDIR;
	}
	p.topo = calloc(1, sizeof(*p.topo));
	if (p.topo == NULL) {
		fclose(p.file);
		snprintf(err, errlen, "%s: no memory", path);
		return -ENOMEM;
	}
	p.topo->enumerated = true;
	p.reason = reason;
	p.reason_len = sizeof(reason);
	if (!parse_all(&p, path)) {
		if (p.err_line != 0)
			snprintf(err, errlen, "%s:%u: %s", path, p.err_line, reason);
		else
			snprintf(err, errlen, "%s: %s", path, reason);
		ret = -EINVAL;
	}
	fclose(p.file);
	if (ret < 0)
		null_topo_free(p.topo);
	else
		*topo = p.topo;
	return ret;
}

void
null_topo_free(struct null_topo *topo)
{
	free(topo);
}
