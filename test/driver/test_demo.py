# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The demo, up to the comparison of frames."""

import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from rig import ROOT, capture, generate

import record  # beside the modules that rig names

DEMO = ROOT / "app" / "replay" / "demo.py"


def demo(*args, **env):
    return subprocess.run([sys.executable, "-B", str(DEMO), "--no-compare", *args],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150,
                          env={**os.environ, **env}, check=False)


def number(name, text):
    """The number behind a name in the demo's summary."""
    return int(next(line for line in text.splitlines() if name in line).split(name)[1].split()[0])


class Demo(unittest.TestCase):
    """./rio demo."""

    def test_default(self):
        done = demo()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(number("frames sent", done.stdout), 1000)
        for name in ("different", "lost", "not sent by us"):
            self.assertEqual(number(name, done.stdout), 0, done.stdout)

    def test_given_capture(self):
        frames = generate.frames(100) + [bytes(5000)] * 3
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a, b.pcap")
            capture.write(path, frames)
            done = demo(path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(number("frames sent", done.stdout), 103)
        self.assertEqual(number("frames received", done.stdout), 100)
        self.assertEqual(number("oversize", done.stdout), 3)

    def test_missing_capture(self):
        done = demo("/nonexistent.pcap")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "demo: /nonexistent.pcap: No such file or directory\n")

    def test_without_the_tools_to_record(self):
        """Traffic is made up then, and the reason given."""
        with tempfile.TemporaryDirectory() as folder:
            for tool in ("dpdk-testpmd", "cc"):
                os.symlink("/usr/bin/" + tool, os.path.join(folder, tool))
            done = demo(PATH=folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("making up traffic", done.stdout)
        self.assertIn("no unshare, nsenter, ip", done.stdout)


class Record(unittest.TestCase):
    """app/replay/record.py."""

    def setUp(self):
        reason = record.not_possible()
        if reason is not None:
            self.skipTest("recording is not possible: " + reason)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "recorded.pcap")
        self.errors = open(pathlib.Path(folder.name, "errors"), "w+", encoding="utf-8")
        self.addCleanup(self.errors.close)

    def start(self):
        return subprocess.Popen([sys.executable, "-B", record.__file__, str(self.path)],
                                stdin=subprocess.DEVNULL, stderr=self.errors,
                                start_new_session=True)

    def test_protocols(self):
        self.assertEqual(self.start().wait(100), 0)
        frames = capture.read(self.path)
        kinds = {struct.unpack_from(">H", frame, 12)[0] for frame in frames}
        self.assertLessEqual({generate.ETH_ARP, generate.ETH_IPV4}, kinds)
        ipv4 = [f for f in frames if struct.unpack_from(">H", f, 12)[0] == generate.ETH_IPV4]
        self.assertLessEqual({1, 6, 17}, {frame[23] for frame in ipv4})
        self.assertTrue(any(frame[0] & 1 and frame[:6] != generate.BROADCAST for frame in frames))
        self.assertLessEqual(max(map(len, frames)), 1518)
        self.assertGreater(len(frames), 1000)

    def test_ended_in_the_middle(self):
        """No process outlives it; the runner of the tests looks for that."""
        process = self.start()
        end = time.monotonic() + 30
        while not self.path.exists() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(self.path.exists())
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(process.wait(30), 143)


if __name__ == "__main__":
    unittest.main()
