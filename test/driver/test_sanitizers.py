# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The plugins with AddressSanitizer and UndefinedBehaviorSanitizer inside an unmodified testpmd.

Leaks are looked for too; those of DPDK's own libraries and its start-up do not
count, those whose stack has a frame of a plugin do.
"""

import re
import subprocess
import tempfile
import unittest

import rig
from rig import generate, replay, testpmd

PLUGINS = rig.BUILD_ASAN / "drivers"


def preloaded():
    """The sanitizers' libraries that the plugins need to be loaded before all others."""
    needed = subprocess.run(["ldd", str(PLUGINS / testpmd.PLUGINS[0])], capture_output=True,
                            text=True, check=True).stdout
    return re.findall(r"=> (\S*/lib(?:asan|clang_rt\.asan)\S*)", needed)


class Sanitized(unittest.TestCase):
    """Good and bad input."""

    def setUp(self):
        libraries = preloaded()
        self.assertTrue(libraries, "%s is not built with AddressSanitizer" % PLUGINS)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.env = {
            "LD_PRELOAD": ":".join(libraries),
            "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
            "LSAN_OPTIONS": "exitcode=0",
        }

    def clean(self, output):
        self.assertNotIn("runtime error:", output)
        self.assertNotRegex(output, r"ERROR: AddressSanitizer")
        for leak in re.split(r"\n\n", output):
            if re.search(r"(Direct|Indirect) leak", leak):
                self.assertNotRegex(leak, r"librte_(raw_tsi721|net_rionet)\.so")

    def test_frames(self):
        frames = generate.frames(3000, seed=9, longest=4096) + [bytes(9000)] * 10
        outputs = []
        result, _ = replay.replay(frames, self.folder.name, plugins=PLUGINS, env=self.env,
                                  watch=outputs.append)
        self.assertTrue(result.held(), result.text())
        self.clean(outputs[0])

    def test_bad_devices(self):
        for vdev in ("raw_tsi7210,colour=red", "raw_tsi7210,destid=65536", "net_rionet0,mode=x",
                     "net_rionet0,raw=raw_tsi7219", "net_rionet0,destid=7,link=1.0x9"):
            with self.subTest(vdev=vdev):
                code, output = testpmd.run_once(["raw_tsi7215,destid=7", vdev], plugins=PLUGINS,
                                                env=self.env)
                self.assertEqual(code, 0, output)
                self.clean(output)

    def test_two_on_one_raw_device(self):
        """A second port on the same raw device is refused without a trace."""
        code, output = testpmd.run_once(
            ["raw_tsi7210", "net_rionet0,raw=raw_tsi7210", "net_rionet1,raw=raw_tsi7210"],
            plugins=PLUGINS, env=self.env)
        self.assertEqual(code, 0, output)
        self.assertEqual(len(rig.driver_lines(output)), 1, output)
        self.clean(output)


if __name__ == "__main__":
    unittest.main()
