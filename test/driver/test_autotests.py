# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""DPDK's own tests of dmadevs and rawdevs, in the distribution's dpdk-test, on our devices."""

import os
import re
import subprocess
import tempfile
import unittest

from rig import ROOT, testpmd
from test_memory import MOUNT, Memory

FABRICS = ROOT / "config" / "fabrics"
CHANNELS = 7


def autotest(name, vdevs, preset="no-huge", eal=(), wrapper=()):
    """Run one test of dpdk-test: (exit code, what it printed). Its output goes to a file."""
    runtime = testpmd.RuntimeFolder()
    try:
        plugin_args, env = testpmd.plugin_options()
        argv = [*wrapper, "dpdk-test", *testpmd.eal_options(preset), *plugin_args, *eal]
        for vdev in vdevs:
            argv += ["--vdev", vdev]
        with tempfile.TemporaryFile("w+", errors="replace") as out:
            code = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, timeout=200,
                                  stderr=subprocess.STDOUT, check=False, env={
                                      **os.environ, **env, **runtime.env,
                                      "DPDK_TEST": name}).returncode
            out.seek(0)
            return code, out.read().replace("\r", "\n")
    finally:
        runtime.remove()


def instances(output):
    """What dmadev_autotest printed about each dmadev, by its name."""
    parts = re.split(r"^### Test dmadev instance \d+ \[(.*)\]$", output, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Dmadev(unittest.TestCase):
    """dmadev_autotest: each channel runs every suite but fill, which the chip cannot do."""

    def check(self, args, *eal, skipped=("No device fill support",), **kwargs):
        code, output = autotest("dmadev_autotest", ["raw_tsi7210,dmadev=0x7f" + args], eal=eal,
                                **kwargs)
        self.assertEqual(code, 0, output)
        self.assertIn("Test OK", output)
        ours = {name: text for name, text in instances(output).items() if "tsi721" in name}
        self.assertEqual(sorted(ours), ["raw_tsi7210_dma%d" % ch for ch in range(CHANNELS)])
        for name, text in ours.items():
            skips = [line for line in text.splitlines() if "skipping" in line]
            self.assertEqual(len(skips), len(skipped), "%s: %s" % (name, skips))
            for why, line in zip(skipped, skips):
                self.assertIn(why, line)
            for suite in ("copy", "burst capacity"):
                self.assertIn("Running %s Tests" % suite, text)
            self.assertEqual("Running error handling Tests" in text, len(skipped) == 1)

    def test_one_switch(self):
        self.check("", "--iova-mode=va")

    def test_thread(self):
        """Engines beside the caller: nothing has ended when a call returns."""
        self.check(",exec=thread", "--iova-mode=va")

    def test_16_bit(self):
        self.check(",topology=%s,fabric=autotest-%d,node=n9"
                   % (FABRICS / "two-switches-16.ini", os.getpid()), "--iova-mode=va")


class DmadevPages(Memory):
    """The same on hugepages, in both IOVA modes. Error suites need virtual addresses."""

    def check(self, *eal):
        self.reserve(640)
        skipped = ["No device fill support"]
        if "--iova-mode=pa" in eal:
            skipped.insert(0, "DPDK not in VA mode")
        with tempfile.TemporaryDirectory() as folder:
            Dmadev.check(self, "", "--huge-dir", folder, *eal, preset="hugepages",
                         wrapper=[*MOUNT, folder], skipped=skipped)


class Rawdev(unittest.TestCase):
    """rawdev_autotest: the self-test of each device, whatever its channels are."""

    def check(self, *vdevs):
        code, output = autotest("rawdev_autotest", vdevs, eal=["--iova-mode=va"])
        self.assertEqual(code, 0, output)
        self.assertIn("Test OK", output)
        for vdev in vdevs:
            self.assertRegex(output, r"Rawdev \d+ \(%s\) selftest: Passed" % vdev.split(",")[0])
        self.assertNotIn("selftest: Failed", output)
        self.assertNotIn("skip", output.lower())

    def test_queues(self):
        self.check("raw_tsi7210")

    def test_dmadevs(self):
        self.check("raw_tsi7210,dmadev=0x7f")

    def test_several(self):
        self.check("raw_tsi7210,dmadev=0x0f", "raw_tsi7211,exec=thread",
                   "raw_tsi7212,topology=%s,fabric=autotest-%d"
                   % (FABRICS / "ring4.ini", os.getpid()))


del Memory

if __name__ == "__main__":
    unittest.main()
