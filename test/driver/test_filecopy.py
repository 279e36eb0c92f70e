# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The example program: built with the public headers alone, it copies files between two nodes."""

import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

from rig import BUILD, ROOT, testpmd

SOURCE = ROOT / "doc" / "examples" / "filecopy.c"
PUBLIC = sorted((ROOT / "drivers" / "raw" / "tsi721").glob("rte_pmd_*.h"))


def pkg_config(what):
    return subprocess.run(["pkg-config", what, "libdpdk"], check=True, capture_output=True,
                          text=True).stdout.split()


class FileCopy(unittest.TestCase):
    """Two processes, a receiver and a sender, on a fabric of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rio-copy-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        headers = self.folder / "include"
        headers.mkdir()
        for header in PUBLIC:
            shutil.copy(header, headers)
        self.program = self.folder / "filecopy"
        drivers = BUILD / "drivers"
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-D_GNU_SOURCE", "-O2",
                        "-Wall", "-Wextra", "-Werror", "-I", headers, *pkg_config("--cflags"),
                        SOURCE, "-o", self.program, "-L", drivers, "-lrte_raw_tsi721",
                        "-Wl,-rpath," + str(drivers), *pkg_config("--libs")], check=True)

    def command(self, destid, *args):
        return [self.program, *testpmd.eal_options(), "--no-telemetry", "--vdev",
                "raw_tsi7210,fabric=copy-%d,destid=%d" % (os.getpid(), destid), "--",
                *map(str, args)]

    def start(self, destid, *args):
        runtime = testpmd.RuntimeFolder()
        self.addCleanup(runtime.remove)
        process = subprocess.Popen(self.command(destid, *args), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env={**os.environ, **runtime.env}, start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(testpmd.stop, process)
        return process

    def copy(self, size):
        source, target = self.folder / "source", self.folder / "target"
        source.write_bytes(random.Random(size).randbytes(size))
        receiver = self.start(2, "receive", target)
        while True:
            line = receiver.stdout.readline()
            self.assertNotEqual(line, "", "the receiver ended")
            if line == "waiting\n":
                break
        sender = self.start(1, "send", source, 2)
        output = sender.communicate(timeout=60)[0]
        self.assertEqual(sender.returncode, 0, output)
        self.assertIn("%d bytes sent" % size, output)
        self.assertEqual(receiver.wait(timeout=60), 0)
        self.assertEqual(source.read_bytes(), target.read_bytes())

    def test_empty(self):
        self.copy(0)

    def test_a_byte(self):
        self.copy(1)

    def test_large(self):
        self.copy((20 << 20) + 12345)

    def test_nobody_there(self):
        """The sender says what went wrong."""
        source = self.folder / "source"
        source.write_bytes(b"x")
        sender = self.start(1, "send", source, 2)
        output = sender.communicate(timeout=60)[0]
        self.assertEqual(sender.returncode, 1, output)
        self.assertIn("filecopy: sending a message: ", output)

    def test_usage(self):
        sender = self.start(1, "carry")
        output = sender.communicate(timeout=60)[0]
        self.assertEqual(sender.returncode, 1)
        self.assertIn("usage: filecopy", output)


if __name__ == "__main__":
    unittest.main()
