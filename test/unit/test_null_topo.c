/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Topology files: what is refused and with which line, what routes come out. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "null_rig.h"

static char err[NULL_ERR_LEN];

static int
load(const char *text, struct null_topo **topo)
{
	char path[RIG_PATH_LEN];
	int ret;

	rig_file(text, path);
	err[0] = '\0';
	ret = null_topo_load(path, topo, err, sizeof(err));
	rig_file_remove(path);
	if (ret < 0) {
		assert_memory_equal(err, path, strlen(path));
		assert_null(strchr(err, '\n'));
		memmove(err, err + strlen(path), strlen(err + strlen(path)) + 1);
	}
	return ret;
}

/* ---- refused ---- */

#define FABRIC	"[fabric]\nname = t\n"				/* lines 1 and 2 */
#define TWO	"[switches]\ns = 18 ports\n[endpoints]\na = 0\nb = 1\n"	/* 3 to 7 */
#define RING	"[switches]\ns0 = 4 ports\ns1 = 4 ports\ns2 = 4 ports\n" \
		"[endpoints]\na = 0\nb = 1\nc = 2\n" \
		"[links]\na = s0.0\nb = s1.0\nc = s2.0\ns0.1 = s1.1\ns1.2 = s2.2\ns2.1 = s0.2\n"

static const struct bad {
	const char *text;
	unsigned int line;
	const char *reason;
} bads[] = {
	/* The file as such. */
	{ "", 1, "two endpoints or more, not 0" },
	{ "x = 1\n", 1, "'x' is in no section" },
	{ "\n\nnonsense\n", 3, "neither '[section]' nor 'key = value'" },
	{ "[links]\n", 1, "the first section has to be [fabric]" },
	{ FABRIC "[Switches]\n", 3, "section [Switches] is none of fabric, switches" },
	{ FABRIC "[routes]\n", 3, "section [routes] is none of" },
	{ FABRIC "[routes a b]\n", 3, "section [routes a] is none of" },
	{ FABRIC "[links\nx = down\n", 3, "section without ']'" },
	{ FABRIC "nonsense\ncolour = red\n", 3, "neither '[section]' nor 'key = value'" },
	{ FABRIC "[]\n", 3, "section [] is none of" },
	{ FABRIC "[switches] s = 1\n", 3, "text after the section's ']'" },
	{ FABRIC "[fabric]\n", 3, "[fabric] is given twice" },
	{ FABRIC "; 3456789012345678901234567890123456789012345678901234567890123456789012345678"
	  "9012345678901234567890123456789012345678901234567890123456789012345678901234567890"
	  "1234567890123456789012345678901234567890\n", 3, "line is longer than 198" },

	/* [fabric] */
	{ "[fabric]\ncolour = red\n", 2, "key 'colour' of [fabric] is none of name, id_bits" },
	{ FABRIC "id_bits = 12\n", 3, "id_bits = 12 is not 8 or 16" },
	{ FABRIC "enumerated = yes\n", 3, "enumerated = yes is not 0 or 1" },
	{ FABRIC "lanes = 3\n", 3, "lanes = 3 is not 1, 2 or 4" },
	{ FABRIC "gbaud = 10\n", 3, "gbaud = 10 is not 1.25, 2.5, 3.125, 5 or 6.25" },
	{ FABRIC "name = u\n", 3, "name is given twice" },
	{ "[fabric]\nname = a/b\n", 2, "name 'a/b' is not a letter and up to 30" },

	/* [switches] */
	{ FABRIC "[switches]\ns = 18\n", 4, "switch s is not 'N ports'" },
	{ FABRIC "[switches]\ns = 18 ports domain\n", 4, "switch s is not 'N ports'" },
	{ FABRIC "[switches]\ns = 1 ports\n", 4, "switch s has '1' ports, not 2 to 64" },
	{ FABRIC "[switches]\ns = 65 ports\n", 4, "switch s has '65' ports, not 2 to 64" },
	{ FABRIC "[switches]\ns = -3 ports\n", 4, "switch s has '-3' ports" },
	{ FABRIC "[switches]\ns = 4 ports domain 1\n", 4, "only for id_bits = 16" },
	{ FABRIC "id_bits = 16\n[switches]\ns = 4 ports domain 256\n", 5, "it is 0 to 255" },
	{ FABRIC "[switches]\n0s = 4 ports\n", 4, "node name '0s' is not a letter" },
	{ FABRIC "[switches]\ns.1 = 4 ports\n", 4, "node name 's.1' is not" },
	{ FABRIC "[switches]\ns = 4 ports\ns = 4 ports\n", 5, "node s is already defined in line 4" },

	/* [endpoints] */
	{ FABRIC "[endpoints]\na = 255\n", 4, "destination ID 255 of a is not 0 to 0xfe" },
	{ FABRIC "[endpoints]\na = 0x1fffffffff\n", 4, "destination ID 0x1fffffffff of a is not" },
	{ FABRIC "[endpoints]\na = -1\n", 4, "destination ID -1 of a is not 0 to 0xfe" },
	{ FABRIC "id_bits = 16\n[endpoints]\na = 0xffff\n", 5, "of a is not 0 to 0xfffe" },
	{ FABRIC "[endpoints]\na = 7\nb = 0x7\n", 5, "destination ID 0x7 of b is that of a in line 4" },
	{ FABRIC "[endpoints]\na = none\n", 4, "a has no destination ID, which only enumerated = 0" },
	{ FABRIC "[endpoints]\na = 1 master\n", 4, "endpoint a is not 'ID' or 'ID host'" },
	{ FABRIC "[endpoints]\na =\n", 4, "endpoint a is not 'ID' or 'ID host'" },
	{ FABRIC "[endpoints]\na = 1 host\nb = 2 host\n", 5, "b is a second host, after line 4" },
	{ FABRIC "[endpoints]\na = 1\na = 2\n", 5, "node a is already defined in line 4" },
	{ FABRIC "[switches]\na = 4 ports\n[endpoints]\na = 1\n", 6, "already defined in line 4" },
	{ FABRIC TWO, 6, "endpoint a has no link" },
	{ FABRIC TWO "[links]\na = s.0\n", 7, "endpoint b has no link" },
	{ FABRIC "[endpoints]\na = 1\n", 1, "two endpoints or more, not 1" },

	/* [links] */
	{ FABRIC TWO "[links]\nc = s.0\n", 9, "node 'c' is not defined above" },
	{ FABRIC TWO "[links]\na = x.0\n", 9, "node 'x' is not defined above" },
	{ FABRIC TWO "[links]\na = s\n", 9, "'s' is not s.0 to s.17" },
	{ FABRIC TWO "[links]\na = s.18\n", 9, "'s.18' is not s.0 to s.17" },
	{ FABRIC TWO "[links]\na.0 = s.1\n", 9, "endpoint a has one port" },
	{ FABRIC TWO "[links]\na =\n", 9, "link of a leads nowhere" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.0\n", 10, "s.0 is used twice, first in line 9" },
	{ FABRIC TWO "[links]\na = s.0\na = s.1\n", 10, "a is used twice, first in line 9" },
	{ FABRIC TWO "[links]\ns.1 = s.2\n", 9, "s.1 = s.2 links a node with itself" },
	{ FABRIC TWO "[links]\na = s.0 x3\n", 9, "lanes 'x3' are not x1, x2 or x4" },
	{ FABRIC TWO "[links]\na = s.0 x4 4\n", 9, "'4' is neither lanes" },
	{ FABRIC TWO "[links]\na = s.0 5 x4 5\n", 9, "'5' is one word too many" },
	{ FABRIC TWO "[links]\na = s.0 x4 6.25\n", 9, "6.25 Gbaud is for links of two switches" },
	{ FABRIC TWO "[links]\na = b\n", 9, "a and b are joined with each other alone, not with s" },
	{ FABRIC "[endpoints]\na = 0\nb = 1\nc = 2\nd = 3\n[links]\na = b\nc = d\n", 9,
	  "4 endpoints without a switch" },
	{ FABRIC "[switches]\ns = 4 ports\n[endpoints]\na = 0\nb = 1\nc = 2\nd = 3\n"
	  "[links]\na = s.0\nb = s.1\nc = d\n", 13, "c and d are joined with each other alone" },
	{ FABRIC "[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 0\nb = 1\n"
	  "[links]\na = s.0\nb = t.0\n", 5, "switch t is not joined to s" },

	/* [routes SWITCH] */
	{ FABRIC "enumerated = 0\n[switches]\ns = 4 ports\n[routes s]\n", 6,
	  "[routes s] is for enumerated = 1" },
	{ FABRIC TWO "[routes x]\n", 8, "switch 'x' of [routes x] is not defined above" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\na = 18\n", 12,
	  "port '18' of s is not 0 to 17" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\na = 2\n", 12,
	  "port 2 of s has no link above" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\nc = 0\n", 12,
	  "endpoint 'c' is not defined above" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\n9 = 0\n", 12,
	  "no endpoint has a destination ID of 9" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\n0x100 = 0\n", 12,
	  "destination ID 0x100 is not 0 to 0xfe" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\n1-0 = 0\n", 12,
	  "destination IDs 1-0 are not a range in 0 to 0xfe" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\na = 0\n0-1 = 1\n", 13,
	  "route of a in s is given twice, first in line 12" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[routes s]\na = 1\n", 12,
	  "route of a from s ends at b" },

	/* Loops. */
	{ FABRIC RING, 17, "this link closes a loop, and no route in s1 to a is given" },
	{ FABRIC RING "[routes s0]\nb = 1\nc = 2\n[routes s1]\na = 1\nc = 2\n[routes s2]\na = 1\n", 17,
	  "closes a loop, and no route in s2 to b is given" },
	{ FABRIC RING "[routes s0]\nb = 2\nc = 2\n[routes s1]\na = 1\nc = 2\n"
	  "[routes s2]\na = 1\nb = 1\n", 26, "route of b from s0 goes in a circle through" },
	/* Two links between the same switches are a loop too. */
	{ FABRIC "[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 0\nb = 1\n[links]\n"
	  "a = s.0\nb = t.0\ns.1 = t.1\ns.2 = t.2\n", 13,
	  "closes a loop, and no route in t to a is given" },

	/* 16-bit IDs that a switch's tables cannot hold apart. */
	{ FABRIC "id_bits = 16\n[switches]\ns = 4 ports domain 1\n[endpoints]\n"
	  "a = 0x0005\nb = 0x0105\n[links]\na = s.0\nb = s.1\n", 8,
	  "switch s cannot tell 0x105 of b from 0x5 of a: it looks up 0x05 for both" },

	/* [faults] */
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[faults]\nx = down\n", 12, "node 'x' is not defined" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[faults]\ns.5 = down\n", 12, "s.5 has no link" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[faults]\na = melt\n", 12,
	  "fault 'melt' is none of down, lanes, drop" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[faults]\ns.0 = stuck bdma0\n", 12,
	  "'stuck' is for endpoints" },
	{ FABRIC TWO "[links]\na = s.0 x2\nb = s.1\n[faults]\na = lanes 2\n", 12,
	  "lanes of a x2 link are 0 to 1" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[faults]\na = drop 1/2\na = down\ns.0 = drop 1/3\n",
	  14, "'drop' is given twice for the link of s.0, first in line 12" },
	{ FABRIC TWO "[links]\na = s.0\nb = s.1\n[faults]\na = stuck odb\na = stuck bdma0\n", 13,
	  "'stuck' is given twice" },
};

static void
refused(void **state)
{
	struct null_topo *topo = NULL;
	char want[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		if (load(bads[i].text, &topo) != -EINVAL)
			fail_msg("taken: %s", bads[i].text);
		snprintf(want, sizeof(want), ":%u: ", bads[i].line);
		if (strncmp(err, want, strlen(want)) != 0 || strstr(err, bads[i].reason) == NULL)
			fail_msg("'%s' for line %u, '%s'", err, bads[i].line, bads[i].reason);
		assert_null(topo);
	}
}

static void
cannot_be_read(void **state)
{
	struct null_topo *topo = NULL;

	(void)state;
	assert_int_equal(null_topo_load("/nowhere/x.ini", &topo, err, sizeof(err)), -ENOENT);
	assert_string_equal(err, "/nowhere/x.ini: No such file or directory");
	assert_int_equal(null_topo_load("/tmp", &topo, err, sizeof(err)), -EISDIR);
	assert_string_equal(err, "/tmp: Is a directory");
	/* Its first page is no memory. */
	assert_int_equal(null_topo_load("/proc/self/mem", &topo, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "/proc/self/mem: cannot be read");
	/* A short buffer, or none, is no reason to write beyond it. */
	assert_int_equal(null_topo_load("/nowhere/x.ini", &topo, NULL, 0), -ENOENT);
	assert_null(topo);
}

/* One more of everything than there may be. */
static void
too_many(void **state)
{
	static char text[64 * 1024];
	struct null_topo *topo = NULL;
	unsigned int i;
	size_t n;

	(void)state;
	n = (size_t)sprintf(text, FABRIC "[switches]\n");
	for (i = 0; i <= NULL_SW_MAX; i++)
		n += (size_t)sprintf(text + n, "s%u = 18 ports\n", i);
	assert_int_equal(load(text, &topo), -EINVAL);
	assert_string_equal(err, ":36: more than 32 switches");

	n = (size_t)sprintf(text, FABRIC "id_bits = 16\n[endpoints]\n");
	for (i = 0; i <= NULL_EP_MAX; i++)
		n += (size_t)sprintf(text + n, "n%u = %u\n", i, i);
	assert_int_equal(load(text, &topo), -EINVAL);
	assert_string_equal(err, ":261: more than 256 endpoints");

	n = (size_t)sprintf(text, FABRIC "[switches]\ns = 64 ports\n[endpoints]\n");
	for (i = 0; i < 52; i++)
		n += (size_t)sprintf(text + n, "n%u = %u\n", i, i);
	n += (size_t)sprintf(text + n, "[links]\n");
	for (i = 0; i < 52; i++)
		n += (size_t)sprintf(text + n, "n%u = s.%u\n", i, i);
	n += (size_t)sprintf(text + n, "[faults]\n");
	for (i = 0; i <= NULL_TOPO_FAULT_MAX; i++)
		n += (size_t)sprintf(text + n, "n%u = %s\n", i / 5, null_fault_name(2 + i % 5));
	assert_int_equal(load(text, &topo), -EINVAL);
	assert_string_equal(err, ":368: more than 256 faults");

	n = (size_t)sprintf(text, FABRIC "[switches]\n");
	for (i = 0; i < 16; i++)
		n += (size_t)sprintf(text + n, "s%u = 64 ports\n", i);
	n += (size_t)sprintf(text + n, "[links]\n");
	for (i = 0; i < NULL_LINK_MAX; i++)
		n += (size_t)sprintf(text + n, "s%u.%u = s%u.%u\n", i / 64 * 2, i % 64,
				     i / 64 * 2 + 1, i % 64);
	sprintf(text + n, "s0.0 = s1.0\n");
	assert_int_equal(load(text, &topo), -EINVAL);
	assert_string_equal(err, ":533: more than 512 links");

	strcpy(strstr(text, "[links]"), "s16 = 2 ports\n");
	assert_int_equal(load(text, &topo), -EINVAL);
	assert_string_equal(err, ":20: with s16 the switches have 1026 ports, which are more than "
			    "1024");
	assert_null(topo);
}

/* Whatever happens to a file: it is taken, or refused with a line that it has. */
static void
mutations(void **state)
{
	static const char bits[] = "=.[];#\n\t -0123456789abcnrswx%/,";
	char *text = rig_topo_text(FABRICS "/ring4.ini"), *copy = strdup(text);
	size_t len = strlen(text), at, n;
	uint32_t seed = 1, i, taken = 0;
	struct null_topo *topo;
	unsigned long line;
	char *end;

	(void)state;
	assert_non_null(copy);
	for (i = 0; i < 3000; i++) {
		strcpy(copy, text);
		for (n = 0; n <= i % 4; n++) {
			seed = seed * 1664525 + 1013904223;
			at = (seed >> 8) % len;
			copy[at] = bits[(seed >> 3) % (sizeof(bits) - 1)];
		}
		if (load(copy, &topo) == 0) {
			taken++;
			null_topo_free(topo);
			continue;
		}
		assert_int_equal(err[0], ':');
		line = strtoul(err + 1, &end, 10);
		assert_memory_equal(end, ": ", 2);
		assert_in_range(line, 1, 80);
	}
	assert_in_range(taken, 100, 2900);
	free(copy);
	free(text);
}

/* ---- taken ---- */

static void
shipped(void **state)
{
	static const struct {
		const char *name;
		unsigned int eps, sws, links;
	} files[] = {
		{ "pair", 2, 0, 1 }, { "star8", 8, 1, 8 }, { "two-switches-16", 16, 2, 17 },
		{ "ring4", 8, 4, 12 },
	};
	uint64_t hash[4];
	struct null_topo *t;
	char path[256];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s.ini", FABRICS, files[i].name);
		if (null_topo_load(path, &t, err, sizeof(err)) != 0)
			fail_msg("%s", err);
		assert_string_equal(t->name, files[i].name);
		assert_int_equal(t->nb_ep, files[i].eps);
		assert_int_equal(t->nb_sw, files[i].sws);
		assert_int_equal(t->nb_link, files[i].links);
		assert_true(t->enumerated);
		assert_true(t->ep[0].host);
		for (j = 0; j < t->nb_ep; j++)
			assert_int_equal(t->ep[j].destid, j);
		hash[i] = null_topo_hash(t);
		for (j = 0; j < i; j++)
			assert_true(hash[i] != hash[j]);
		null_topo_free(t);
	}
}

static struct null_topo *
good(const char *text)
{
	struct null_topo *t = NULL;

	if (load(text, &t) != 0)
		fail_msg("%s", err);
	return t;
}

/* Byte order mark, defaults, comments, indents, both bases, the last line without an end. */
static void
words(void **state)
{
	struct null_topo *t;

	(void)state;
	t = good("\xef\xbb\xbf# one\n[fabric] ; two\n  name = t_1\n\tlanes=2\n gbaud : 2.5 ; three\n"
		 "[switches]\ns = 0x12 ports\n[endpoints]\n  a = 0x10 host\n  b = 7\n[links]\n"
		 "a = s.0\n\n\n  b = s.17 3.125 x1");
	assert_string_equal(t->name, "t_1");
	assert_false(t->sys16);
	assert_int_equal(t->sw[0].nb_ports, 18);
	assert_int_equal(t->ep[0].destid, 16);
	assert_true(t->ep[0].host);
	assert_false(t->ep[1].host);
	assert_int_equal(t->link[0].lanes, 2);
	assert_int_equal(t->link[0].mbaud, 2500);
	assert_int_equal(t->link[1].lanes, 1);
	assert_int_equal(t->link[1].mbaud, 3125);
	assert_int_equal(t->link[1].line, 15);
	assert_int_equal(t->sw[0].dev[16], 0);
	assert_int_equal(t->sw[0].dev[7], 17);
	assert_int_equal(t->sw[0].dev[8], IDT_RTE_NO_ROUTE);
	null_topo_free(t);

	/* Engines of both ends of a cable may be stuck. */
	t = good("[fabric]\n[endpoints]\na = 3\nb = 4\n[links]\na = b\n[faults]\n"
		 "a = stuck odb\nb = stuck odb\nb = drop\na = down\n");
	assert_int_equal(t->nb_fault, 4);
	null_topo_free(t);

	/* Without a host the first endpoint is it; the name is the file's. */
	t = good("[fabric]\n[endpoints]\na = 3\nb = 4\n[links]\na = b\n");
	assert_true(t->ep[0].host);
	assert_int_equal(t->link[0].lanes, 4);
	assert_int_equal(t->link[0].mbaud, 5000);
	assert_memory_equal(t->name, "rig-", 4);
	null_topo_free(t);

	t = good("[fabric]\nenumerated = 0\n[endpoints]\na = none host\nb = none host\n[links]\n"
		 "a = b\n");
	assert_false(t->enumerated);
	assert_int_equal(t->ep[0].destid, NULL_TOPO_NO_ID);
	assert_true(t->ep[0].host && t->ep[1].host);
	null_topo_free(t);
}

/* A chain of switches: the shortest way, and no choice anywhere. */
static void
chain(void **state)
{
	static char text[4096];
	struct null_topo *t;
	uint32_t i, sw;
	size_t n;

	(void)state;
	n = (size_t)sprintf(text, FABRIC "[switches]\n");
	for (i = 0; i < 16; i++)
		n += (size_t)sprintf(text + n, "s%u = 4 ports\n", i);
	n += (size_t)sprintf(text + n, "[endpoints]\n");
	for (i = 0; i < 16; i++)
		n += (size_t)sprintf(text + n, "n%u = %u\n", i, i);
	n += (size_t)sprintf(text + n, "[links]\n");
	for (i = 0; i < 16; i++)
		n += (size_t)sprintf(text + n, "n%u = s%u.0\n", i, i);
	for (i = 0; i < 15; i++)
		n += (size_t)sprintf(text + n, "s%u.1 = s%u.2\n", i, i + 1);
	t = good(text);
	for (sw = 0; sw < 16; sw++)
		for (i = 0; i < 16; i++)
			assert_int_equal(t->sw[sw].out[i], i == sw ? 0 : i > sw ? 1 : 2);
	null_topo_free(t);

	/* One more is more than a packet may pass. */
	strcpy(strstr(text, "[endpoints]"), "s16 = 4 ports\n[endpoints]\nn0 = 0\nn16 = 16\n[links]\n"
	       "n0 = s0.0\nn16 = s16.0\n");
	n = strlen(text);
	for (i = 0; i < 16; i++)
		n += (size_t)sprintf(text + n, "s%u.1 = s%u.2\n", i, i + 1);
	assert_int_equal(load(text, &t), -EINVAL);
	assert_non_null(strstr(err, "passes more than 16 switches"));
}

/* A loop whose routes are given, with a branch outside of it that needs none. */
static void
loop(void **state)
{
	struct null_topo *t;

	(void)state;
	t = good("[fabric]\n[switches]\ns0 = 4 ports\ns1 = 4 ports\ns2 = 4 ports\nout = 2 ports\n"
		 "[endpoints]\na = 0\nb = 1\n[links]\na = s0.0\nb = out.0\ns0.1 = s1.1\n"
		 "s1.2 = s2.2\ns2.1 = s0.2\ns1.3 = out.1\n[routes s0]\nb = 1\n[routes s1]\na = 1\n"
		 "[routes s2]\na = 1\nb = 2\n");
	assert_int_equal(t->sw[3].out[0], 1);
	assert_int_equal(t->sw[3].out[1], 0);
	assert_int_equal(t->sw[1].out[1], 3);
	assert_int_equal(t->sw[2].out[1], 2);
	null_topo_free(t);
}

/* 16-bit IDs: local ones by the lower half, others by the upper, mixed ones marked. */
static void
tables16(void **state)
{
	struct null_topo *t;
	const struct null_topo_sw *s, *u;

	(void)state;
	t = good("[fabric]\nid_bits = 16\n[switches]\ns = 8 ports domain 1\nu = 8 ports domain 2\n"
		 "[endpoints]\na = 0x0101\nb = 0x0102\nc = 0x0210\nd = 0x0211\ne = 0x0320\n"
		 "f = 0x0321\ng = 0x0030\n[links]\na = s.0\nb = s.1\ns.7 = u.7\nc = u.0\nd = u.1\n"
		 "e = s.2\nf = u.2\ng = u.3\n");
	s = &t->sw[0];
	u = &t->sw[1];
	assert_int_equal(s->dev[0x01], 0);
	assert_int_equal(s->dev[0x02], 1);
	assert_int_equal(s->dom[0x01], IDT_RTE_NO_ROUTE);
	assert_int_equal(s->dom[0x02], 7);
	assert_int_equal(s->dom[0x03], IDT_RTE_DEVICE_TABLE);
	assert_int_equal(s->dev[0x20], 2);
	assert_int_equal(s->dev[0x21], 7);
	assert_int_equal(s->dev[0x30], 7);
	assert_int_equal(u->dom[0x01], 7);
	assert_int_equal(u->dev[0x10], 0);
	assert_int_equal(u->dev[0x11], 1);
	assert_int_equal(u->dom[0x03], IDT_RTE_DEVICE_TABLE);
	assert_int_equal(u->dev[0x20], 7);
	assert_int_equal(u->dev[0x21], 2);
	assert_int_equal(u->dev[0x30], 3);
	null_topo_free(t);
}

/* ---- faults as text ---- */

static void
fault_words(void **state)
{
	static const struct {
		const char *text, *again;
		enum null_fault_kind kind;
		uint32_t arg;
	} ok[] = {
		{ "down", "down", NULL_FAULT_DOWN, 1 },
		{ " lanes 0, 2 ", "lanes 0,2", NULL_FAULT_LANES, 5 },
		{ "drop", "drop", NULL_FAULT_DROP, 1 },
		{ "drop 1/1", "drop", NULL_FAULT_DROP, 1 },
		{ "error 1/2147483647", "error 1/2147483647", NULL_FAULT_ERROR, 2147483647 },
		{ "timeout 100%", "timeout 100%", NULL_FAULT_TIMEOUT, 0xffffffff },
		{ "corrupt 50%", "corrupt 50%", NULL_FAULT_CORRUPT, 0xc0000000 },
		{ "retry 0.000001%", "retry 0.000001%", NULL_FAULT_RETRY, 0x80000015 },
		{ "slow 250", "slow 250", NULL_FAULT_SLOW, 250 },
		{ "stuck omsg7,bdma0 odb", "stuck bdma0,omsg7,odb", NULL_FAULT_STUCK, 0x18001 },
	};
	static const char *const no[] = {
		"", "fall", "down now", "lanes", "lanes 4", "lanes x", "drop 0", "drop 1/0",
		"drop 2/3", "drop 1/", "drop 1/-1", "drop 0%", "drop 101%", "drop 1.%", "drop .5%",
		"drop 1.2.3%", "drop 5", "slow", "slow 0", "slow 10000001", "slow 1ms", "stuck",
		"stuck bdma8", "stuck bdma", "stuck dma0", "retry 1/99999999999",
	};
	struct null_fault f;
	char text[NULL_FAULT_TEXT_LEN], name[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ok) / sizeof(ok[0]); i++) {
		if (null_fault_parse(ok[i].text, &f, err, sizeof(err)) != 0)
			fail_msg("%s: %s", ok[i].text, err);
		assert_int_equal(f.kind, ok[i].kind);
		assert_int_equal(f.arg, ok[i].arg);
		null_fault_format(&f, text, sizeof(text));
		assert_string_equal(text, ok[i].again);
		/* Whatever the buffer, nothing beyond it is written. */
		memset(text, '#', sizeof(text));
		null_fault_format(&f, text, 6);
		assert_int_equal(text[6], '#');
	}
	for (i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		if (null_fault_parse(no[i], &f, err, sizeof(err)) != -EINVAL)
			fail_msg("taken: %s", no[i]);
		assert_non_null(strstr(err, "fault '"));
		assert_null(strchr(err, '\n'));
	}
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(null_fault_parse(text, &f, err, sizeof(err)), -EINVAL);
	for (i = 0; i < NULL_FAULT_KINDS; i++)
		assert_non_null(null_fault_name((unsigned int)i));
	assert_null(null_fault_name(NULL_FAULT_KINDS));
	snprintf(name, sizeof(name), "%s", null_fault_name(NULL_FAULT_STUCK));
	assert_string_equal(name, "stuck");
}

/* ---- joining by file ---- */

static int
dev_open(const char *fabric, const char *file, const char *node, int destid,
	 struct null_device **dev)
{
	const struct null_device_params p = {
		.fabric = fabric, .topology = file, .node = node, .destid = destid, .host = -1,
	};

	return null_device_open(&p, dev, err, sizeof(err));
}

static void
join(void **state)
{
	char name[32], text[128], line[128];
	struct null_device *a, *b, *c;
	struct null_device_info info;
	char path[RIG_PATH_LEN], other[RIG_PATH_LEN];

	(void)state;
	/* Other processes may run this test, too. */
	snprintf(name, sizeof(name), "joined-%d", (int)getpid());
	snprintf(text, sizeof(text), "[fabric]\nname = %s\n[endpoints]\na = 9 host\nb = 5\n"
		 "[links]\na = b x2 2.5\n", name);
	rig_file(text, path);
	snprintf(text, sizeof(text), "[fabric]\nname = %s\n[endpoints]\na = 9 host\nb = 6\n"
		 "[links]\na = b\n", name);
	rig_file(text, other);
	assert_int_equal(dev_open(NULL, path, "b", NULL_DESTID_AUTO, &b), 0);
	null_device_info_get(b, &info);
	assert_string_equal(info.fabric, name);
	assert_string_equal(info.node, "b");
	assert_int_equal(info.destid, 5);
	assert_int_equal(info.lanes, 2);
	assert_int_equal(info.mbaud, 2500);
	/* By its name too, or by the same file; not by another one. */
	assert_int_equal(dev_open(name, NULL, "b", NULL_DESTID_AUTO, &a), -EEXIST);
	assert_int_equal(dev_open(name, NULL, "c", NULL_DESTID_AUTO, &a), -ENOENT);
	snprintf(line, sizeof(line), "fabric '%s' has no node 'c' (its first is 'a')", name);
	assert_string_equal(err, line);
	assert_int_equal(dev_open(name, NULL, "a", 5, &a), -EINVAL);
	snprintf(line, sizeof(line), "node 'a' of fabric '%s' has destination ID 9, not 5", name);
	assert_string_equal(err, line);
	assert_int_equal(dev_open(NULL, other, NULL, NULL_DESTID_AUTO, &a), -EEXIST);
	snprintf(line, sizeof(line), "fabric '%s' is there already, with another topology", name);
	assert_string_equal(err, line);
	assert_int_equal(dev_open(name, path, NULL, 9, &a), 0);
	null_device_info_get(a, &info);
	assert_string_equal(info.node, "a");
	assert_int_equal(dev_open(NULL, path, NULL, NULL_DESTID_AUTO, &c), -ENOSPC);
	snprintf(line, sizeof(line), "fabric '%s' is full: it has 2 endpoints", name);
	assert_string_equal(err, line);
	/* The same topology under another name is another fabric. */
	snprintf(line, sizeof(line), "apart-%d", (int)getpid());
	assert_int_equal(dev_open(line, path, NULL, NULL_DESTID_AUTO, &c), 0);
	null_device_info_get(c, &info);
	assert_string_equal(info.fabric, line);
	assert_string_equal(info.node, "a");
	null_device_close(c);
	null_device_close(a);
	null_device_close(b);
	rig_file_remove(path);
	rig_file_remove(other);
	assert_int_equal(dev_open(NULL, path, NULL, NULL_DESTID_AUTO, &c), -ENOENT);
}

static void
join_unnumbered(void **state)
{
	struct null_device *a, *b;
	struct null_device_info info;
	char path[RIG_PATH_LEN], text[256], line[128];

	(void)state;
	snprintf(text, sizeof(text),
		 "[fabric]\nname = raw-%d\nid_bits = 16\nenumerated = 0\n[switches]\ns = 4 ports\n"
		 "[endpoints]\na = none host\nb = none\nc = 0x300\n[links]\na = s.0\nb = s.1\n"
		 "c = s.2\n", (int)getpid());
	rig_file(text, path);
	assert_int_equal(dev_open(NULL, path, "a", 0xffff, &a), -EINVAL);
	assert_string_equal(err, "destination ID 65535 is not 0 to 65534");
	assert_int_equal(dev_open(NULL, path, "a", 0x300, &a), -EEXIST);
	snprintf(line, sizeof(line), "destination ID 768 is that of node 'c' of fabric 'raw-%d'",
		 (int)getpid());
	assert_string_equal(err, line);
	assert_int_equal(dev_open(NULL, path, "a", 0x1234, &a), 0);
	null_device_info_get(a, &info);
	assert_true(info.sys16);
	assert_int_equal(info.destid, 0x1234);
	assert_int_equal(dev_open(NULL, path, "b", 0x1234, &b), -EEXIST);
	assert_int_equal(dev_open(NULL, path, "b", NULL_DESTID_AUTO, &b), 0);
	null_device_info_get(b, &info);
	assert_int_equal(info.destid, 0xffff);
	null_device_close(a);
	null_device_close(b);
	rig_file_remove(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(cannot_be_read),
		cmocka_unit_test(too_many),
		cmocka_unit_test(mutations),
		cmocka_unit_test(shipped),
		cmocka_unit_test(words),
		cmocka_unit_test(chain),
		cmocka_unit_test(loop),
		cmocka_unit_test(tables16),
		cmocka_unit_test(fault_words),
		cmocka_unit_test(join),
		cmocka_unit_test(join_unnumbered),
	};

	return cmocka_run_group_tests_name("null_topo", tests, NULL, NULL);
}
