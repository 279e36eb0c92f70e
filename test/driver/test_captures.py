# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Captures cross from one rionet port to another byte for byte, in order, none lost."""

import os
import subprocess
import sys
import tempfile
import unittest

import rig
from rig import capture, generate, replay


class Captures(unittest.TestCase):
    """Each has a test of its own: made-up traffic here, real captures below."""

    MODE = {}

    def check(self, frames, **options):
        with tempfile.TemporaryDirectory() as folder:
            result, received = replay.replay(frames, folder, **{**self.MODE, **options})
        self.assertTrue(result.held(), "\n" + result.text())
        self.assertEqual(result.received, sum(replay.passes(f, result.limit) for f in frames))
        return result, received

    def test_generated_1514(self):
        self.check(generate.frames(20000, seed=1, longest=1514))

    def test_generated_4096(self):
        result, _ = self.check(generate.frames(10000, seed=2, longest=rig.FRAME_MAX))
        self.assertEqual(result.limit, rig.FRAME_MAX)

    def test_every_size(self):
        header = bytes.fromhex("000100010001" "020000000001" "88b5")
        self.check([header + bytes((i + size) & 0xff for i in range(size - 14))
                    for size in range(14, rig.FRAME_MAX + 1)])

    def test_oversize_is_counted_and_the_rest_passes(self):
        header = bytes.fromhex("ffffffffffff" "020000000001" "88b5")
        sizes = [64, rig.FRAME_MAX, rig.FRAME_MAX + 1, 128, 9000, 65535, 60, 4200] * 50
        result, _ = self.check([header + bytes(size - 14) for size in sizes])
        self.assertEqual(result.oversize_counted, 200)

    def test_empty_capture(self):
        result, received = self.check([])
        self.assertEqual((result.sent, received), (0, []))

    def test_default_mtu(self):
        # Without --max-pkt-len the MTU is Ethernet's: 1500 bytes behind the header.
        result, _ = self.check(generate.frames(2000, seed=3, longest=3000),
                               options=["--max-pkt-len=1514"])
        self.assertEqual(result.limit, 1514)
        self.assertGreater(result.oversize_counted, 0)

    def test_tags_do_not_count_against_the_mtu(self):
        addresses = bytes.fromhex("ffffffffffff" "020000000001")
        vlan, qinq = bytes.fromhex("81000005"), bytes.fromhex("88a80006")
        frames = [addresses + tags + bytes.fromhex("88b5") + bytes(size - 14 - len(tags))
                  for tags, size in ((b"", 1514), (b"", 1515), (vlan, 1518), (vlan, 1519),
                                     (qinq + vlan, 1522), (qinq + vlan, 1523), (b"", 60))]
        result, _ = self.check(frames, options=["--max-pkt-len=1514"])
        self.assertEqual((result.received, result.oversize_counted), (4, 3))

    def test_two_runs_at_once(self):
        """Runs do not see each other: each has the same names and arguments."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "frames.pcap")
            capture.write(path, generate.frames(5000, seed=5))
            runs = [subprocess.Popen([sys.executable, "-B", replay.__file__, path],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True) for _ in range(2)]
            for run in runs:
                output, _ = run.communicate(timeout=100)
                self.assertEqual(run.returncode, 0, output)


class Messages(unittest.TestCase):
    """The same captures as messages."""

    MODE = {"rionet_args": (",mode=msg", ",mode=msg")}
    check = Captures.check

    def test_generated(self):
        result, _ = self.check(generate.frames(10000, seed=6, longest=rig.FRAME_MAX))
        self.assertEqual(result.counters["tx_messages"], result.received)


class Dma(unittest.TestCase):
    """The same captures by DMA, with the longest MTU, and frames that long."""

    MODE = {"rionet_args": (",mode=dma", ",mode=dma"),
            "options": ["--max-pkt-len=%d" % replay.DMA_FRAME_MAX]}
    check = Captures.check

    def test_generated(self):
        frames = generate.frames(2000, seed=7, longest=9014)
        result, received = self.check(frames)
        self.assertEqual(result.limit, replay.DMA_FRAME_MAX)
        # Not a byte of padding either.
        self.assertEqual([len(f) for f in received], [len(f) for f in frames])

    def test_oversize_is_counted_and_the_rest_passes(self):
        header = bytes.fromhex("ffffffffffff" "020000000001" "88b5")
        sizes = [64, 9014, 9015, 1514, 16000, 60] * 20
        result, _ = self.check([header + bytes(size - 14) for size in sizes],
                               options=["--max-pkt-len=9014"])
        self.assertEqual(result.oversize_counted, 40)


def add_shared(case, path):
    def test(self):
        self.check(capture.read(path))
    setattr(case, "test_file_" + path.stem.replace("-", "_"), test)


def add_skip(case):
    def test(self):
        self.skipTest("no captures in %s (RIO_SHARED_DATA)" % rig.SHARED_DATA)
    case.test_files = test


for kind in Captures, Messages, Dma:
    for shared in rig.shared_captures():
        add_shared(kind, shared)
    if not rig.shared_captures():
        add_skip(kind)


if __name__ == "__main__":
    unittest.main()
