#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Who may know whom: checks the #include lines of every C file against the layers.
# Prints each line that crosses a layer; the exit code is 1 when there is one.
#
# usage: check_includes.py [SOURCE_ROOT]

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include(?:_next)?\s*([<"])([^>"]+)[>"]')
IF_NULL = re.compile(r"\b(if|while|switch)\s*\(.*\bnull\b|\bis_null\b|->null\b|\.null\b")
DPDK = r"rte_.*|.*_(driver|pmd|vdev|pci)\.h|bus_.*|eal_.*"
NULL = r"(.*/)?null(_.*|/.*)"
NOTHING = r"(?!)"
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')

# First rule whose path matches counts: path, what "..." may be, what <...> may not be.
RULES = [
    (r"drivers/raw/tsi721/(tsi721|rio)_regs\.h", r"rio_regs\.h", DPDK + "|" + NULL),
    (r"drivers/raw/tsi721/null/.*",
     r"null_[a-z0-9_]+\.h|(\.\./)?tsi721_regs\.h|(\.\./)?rio_regs\.h", DPDK),
    (r"drivers/raw/tsi721/tsi721_vdev\.c",
     r"(null/)?null_device\.h|tsi721_[a-z0-9_]+\.h|rio_[a-z0-9_]+\.h|rte_pmd_tsi721[a-z_]*\.h", NOTHING),
    (r"drivers/raw/tsi721/rte_pmd_tsi721[a-z_]*\.h", NOTHING, r".*_(driver|pmd)\.h|" + NULL),
    (r"drivers/raw/tsi721/.*",
     r"tsi721_[a-z0-9_]+\.h|rio_[a-z0-9_]+\.h|rte_pmd_tsi721[a-z_]*\.h", NULL),
    (r"drivers/net/rionet_pmd/.*",
     r"rionet_[a-z0-9_]+\.h|tsi721_[a-z0-9_]+\.h|rio_regs\.h|rte_pmd_tsi721\.h", NULL),
    (r"app/nulldev/.*", r"null_vhost\.h", DPDK),
    (r"app/fabric/.*", r"fabric\.h|null_view\.h", DPDK),
    (r"app/.*", r"(?!null_|tsi721_|rionet_|rio_regs).*", r".*_(driver|pmd)\.h|bus_.*|" + NULL),
]


def check_file(root, path):
    """Yield (line number, what is wrong) for one file below root."""
    name = path.relative_to(root).as_posix()
    rule = next((r for r in RULES if re.fullmatch(r[0], name)), None)
    if rule is None:
        yield 0, "no rule says what this file may include"
        return
    _, quoted, refused = rule
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match and match[1] == '"' and not re.fullmatch(quoted, match[2]):
            yield number, 'may not include "%s"' % match[2]
        elif match and match[1] == "<" and re.fullmatch(refused, match[2]):
            yield number, "may not include <%s>" % match[2]
        elif not match and "/null/" not in name and IF_NULL.search(STRING.sub('""', line)):
            yield number, "asks whether the device is a null device: " + line.strip()


def check_tree(root):
    """Yield one line of text for each crossing of a layer below root."""
    root = pathlib.Path(root)
    files = [p for top in ("drivers", "app") for p in sorted((root / top).rglob("*.[ch]"))]
    if not files:
        yield "no C file below %s" % root
    for path in files:
        for number, text in check_file(root, path):
            yield "%s:%d: %s" % (path.relative_to(root), number, text)


def main():
    default = pathlib.Path(__file__).resolve().parents[2]
    crossings = list(check_tree(sys.argv[1] if len(sys.argv) > 1 else default))
    print("\n".join(crossings) or "includes: every layer knows only what it may know")
    return 1 if crossings else 0


if __name__ == "__main__":
    sys.exit(main())
