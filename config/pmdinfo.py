#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Writes a C file with one PMD_INFO_STRING for each driver registered in the given
# object files, in the form that dpdk-pmdinfo.py looks for in a plugin. What
# it says is read from the symbols that RTE_PMD_REGISTER_* and
# RTE_PMD_REGISTER_PARAM_STRING, _KMOD_DEP and _PCI_TABLE leave behind, so
# nothing has to be written twice.
#
# usage: pmdinfo.py OUTPUT.c OBJECT...

import json
import re
import struct
import sys

from elftools.elf.elffile import ELFFile

PCI_ID = "IHHHH"  # struct rte_pci_id: class, vendor, device, subsystem vendor and device


class ObjectFile:
    """Values of the named constants in one relocatable object file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            elf = ELFFile(file)
            self.byte_order = "<" if elf.little_endian else ">"
            sections = [section.data() for section in elf.iter_sections()]
            self.values = {}
            for symbol in elf.get_section_by_name(".symtab").iter_symbols():
                index = symbol["st_shndx"]
                if isinstance(index, int) and symbol["st_size"]:
                    start = symbol["st_value"]
                    data = sections[index][start : start + symbol["st_size"]]
                    self.values[symbol.name] = data

    def text(self, name):
        value = self.values.get(name)
        return None if value is None else value.split(b"\0")[0].decode()

    def pci_ids(self, table):
        entry = struct.Struct(self.byte_order + PCI_ID)
        data = self.values[table]
        ids = []
        # Ends with an entry of zeroes; what a sanitizer pads the table with is behind it.
        for offset in range(0, len(data) - entry.size + 1, entry.size):
            ident = entry.unpack_from(data, offset)[1:]
            if ident[1] == 0:
                break
            ids.append(ident)
        return ids

    def drivers(self):
        for symbol in self.values:
            if not re.fullmatch(r"this_pmd_name\d+", symbol):
                continue
            name = self.text(symbol)
            info = {"name": name}
            for key, suffix in (("params", "param_string"), ("kmod", "kmod_dep")):
                value = self.text("__%s_%s_export" % (name, suffix))
                if value is not None:
                    info[key] = value
            table = self.text("__%s_pci_tbl_export" % name)
            info["pci_ids"] = self.pci_ids(table) if table else []
            yield info


def main():
    output, *objects = sys.argv[1:]
    lines = []
    for path in objects:
        for info in ObjectFile(path).drivers():
            text = json.dumps("PMD_INFO_STRING= " + json.dumps(info))
            lines.append("extern const char %s_pmd_info[];" % info["name"])
            lines.append("const char %s_pmd_info[] __attribute__((used)) = %s;"
                         % (info["name"], text))
    if not lines:
        sys.exit("pmdinfo: no driver is registered in " + " ".join(objects))
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
