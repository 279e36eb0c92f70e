# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The plugins with AddressSanitizer and UndefinedBehaviorSanitizer inside an unmodified testpmd.

Leaks are looked for too; those of DPDK's own do not count, those whose stack has a
frame of a plugin do.
"""

import os
import pathlib
import platform
import re
import subprocess
import tempfile
import unittest

import rig
from rig import generate, replay, testpmd

# How a frame of a plugin looks in a stack.
OURS = r"/drivers/(raw/tsi721|net/rionet_pmd)/|librte_(raw_tsi721|net_rionet)\.so"
CANARIES = {
    "leak": "volatile char *p = malloc(9); *p = 1; p = NULL;",
    "overflow": "volatile char *p = malloc(9); p[n] = 1;",
    "undefined": "volatile int i = 0x7fffffff; i += n;",
}
PLUGINS = rig.BUILD_ASAN / "drivers"


def tell(*argv):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=True).stdout


def preloaded():
    """The compiler of the plugins, and its sanitizers' library to load before all others."""
    linked = re.search(r"=> (\S*/libasan\S*)", tell("ldd", PLUGINS / testpmd.PLUGINS[0]))
    if linked:
        return "gcc", linked[1]
    # clang links it to programs only.
    path = tell("clang", "-print-file-name=libclang_rt.asan-%s.so" % platform.machine()).strip()
    return "clang", path if os.path.isabs(path) else None


class Sanitized(unittest.TestCase):
    """Good and bad input."""

    def setUp(self):
        if not (PLUGINS / testpmd.PLUGINS[0]).is_file():
            self.skipTest("no plugins in %s: run ./rio build --asan" % PLUGINS)
        self.compiler, library = preloaded()
        if library is None:
            self.skipTest("the compiler has no shared AddressSanitizer")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.env = {
            "LD_PRELOAD": library,
            "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
            "LSAN_OPTIONS": "exitcode=0",
        }

    def clean(self, output):
        self.assertNotIn("runtime error:", output)
        self.assertNotRegex(output, r"ERROR: AddressSanitizer")
        for leak in re.split(r"\n\n", output):
            if re.search(r"(Direct|Indirect) leak", leak):
                self.assertNotRegex(leak, OURS)

    def test_errors_are_seen(self):
        """A plugin with an error in it, one of each kind, does not pass for a clean one."""
        source = pathlib.Path(self.folder.name, "drivers/net/rionet_pmd/canary.c")
        source.parent.mkdir(parents=True)
        for name, body in CANARIES.items():
            with self.subTest(error=name):
                source.write_text("#include <stdlib.h>\nvolatile int n = 9;\n"
                                  "static void __attribute__((constructor)) f(void)\n"
                                  "{ %s }\n" % body)
                canary = pathlib.Path(self.folder.name, "canary.so")
                subprocess.run([self.compiler, "-g", "-shared", "-fPIC",
                                "-fsanitize=address,undefined", "-o", canary, source], check=True)
                _, output = testpmd.run_once(
                    [], plugins=(), eal=["-d", canary.name],
                    env={**self.env, "LD_LIBRARY_PATH": self.folder.name})
                with self.assertRaises(AssertionError, msg=output):
                    self.clean(output)

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
