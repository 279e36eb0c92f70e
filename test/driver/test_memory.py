# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Frames pass whatever memory EAL uses and whatever bus addresses it gives out."""

import os
import pathlib
import tempfile
import unittest

from rig import generate, replay

PAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
MOUNT = ("unshare", "--mount", "sh", "-c", 'mount -t hugetlbfs none "$0" && exec "$@"')


def free_pages():
    """Hugepages of the default size that nobody uses, and that size in MiB."""
    info = dict(line.split(":") for line in pathlib.Path("/proc/meminfo").read_text().splitlines())
    return int(info["HugePages_Free"]), int(info["Hugepagesize"].split()[0]) // 1024


class Memory(unittest.TestCase):
    """Hugepages in either IOVA mode; all other tests run without hugepages."""

    def reserve(self, megabytes):
        """Enough free hugepages, given back afterwards."""
        if os.getuid() != 0:
            self.skipTest("needs root to reserve hugepages")
        before = PAGES.read_text()
        free, size = free_pages()
        lacking = max(0, megabytes // size - free)
        if lacking:
            self.addCleanup(PAGES.write_text, before)
            PAGES.write_text(str(int(before) + lacking))
            if free_pages()[0] * size < megabytes:
                self.skipTest("the kernel has no %d MiB of hugepages to give" % megabytes)

    def check(self, *eal):
        self.reserve(640)
        with tempfile.TemporaryDirectory() as folder:
            pages = os.path.join(folder, "pages")
            os.mkdir(pages)
            # Mounted in a namespace of its own, so nothing stays mounted.
            result, _ = replay.replay(generate.frames(5000, seed=4, longest=4096), folder,
                                      preset="hugepages", eal=["--huge-dir", pages, *eal],
                                      wrapper=[*MOUNT, pages])
        self.assertTrue(result.held(), result.text())

    def test_hugepages_physical_addresses(self):
        self.check("--iova-mode=pa")

    def test_hugepages_virtual_addresses(self):
        self.check("--iova-mode=va")


if __name__ == "__main__":
    unittest.main()
