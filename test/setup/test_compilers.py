# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The tree compiles without a warning by each compiler that is here."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Compilers(unittest.TestCase):
    """Warnings are errors in every build."""

    slow = True
    timeout = 600

    def build(self, compiler, *options):
        if shutil.which(compiler) is None:
            self.skipTest("no %s here" % compiler)
        with tempfile.TemporaryDirectory() as folder:
            for argv in (["meson", "setup", *options, folder, str(ROOT)], ["ninja", "-C", folder]):
                done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, check=False,
                                      env={**os.environ, "CC": compiler})
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_clang(self):
        self.build("clang")

    def test_gcc_release(self):
        self.build("gcc", "--buildtype=release")

    def test_gcc_debug(self):
        self.build("gcc", "--buildtype=debug")


if __name__ == "__main__":
    unittest.main()
