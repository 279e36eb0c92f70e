# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""What README shows works as it is written there."""

import os
import re
import subprocess
import unittest

import rig
from rig import testpmd


def shown(start):
    """The block of code of README that begins so."""
    blocks = re.findall(r"^```\n(.*?)^```$", (rig.ROOT / "README.md").read_text(), re.M | re.S)
    return next(block for block in blocks if block.startswith(start))


class Readme(unittest.TestCase):
    """The examples."""

    def test_own_testpmd(self):
        folder = rig.BUILD / "drivers"
        if testpmd.below_world_writable(folder):
            self.skipTest("EAL refuses -d: %s is below a world-writable folder" % folder)
        block = shown("dpdk-testpmd -d build/drivers")
        command, *typed = re.split(r"^testpmd> ", block, flags=re.M)
        self.assertEqual(len(typed), 2, block)
        runtime = testpmd.RuntimeFolder()
        self.addCleanup(runtime.remove)
        done = subprocess.run(["bash", "-c", command.replace("build/drivers", str(folder))],
                              input="".join(typed) + "quit\n", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=rig.ROOT, check=False,
                              timeout=100, env={**os.environ, **runtime.env})
        self.assertEqual(done.returncode, 0, done.stdout)
        sent = re.findall(r"^tx_good_packets: (\d+)$", done.stdout, re.M)
        self.assertEqual(len(sent), 2, done.stdout)
        self.assertGreaterEqual(min(map(int, sent)), 32)


if __name__ == "__main__":
    unittest.main()
