# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""app/replay: reading captures, matching frames, loading plugins. Runs no testpmd."""

import os
import pathlib
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app" / "replay"))

import capture  # noqa: E402 pylint: disable=wrong-import-position
import generate  # noqa: E402 pylint: disable=wrong-import-position
import replay  # noqa: E402 pylint: disable=wrong-import-position
import testpmd  # noqa: E402 pylint: disable=wrong-import-position


def pcapng(order, blocks):
    """A pcapng file of (type, body) blocks behind its section header."""
    section = (0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1))
    data = b""
    for kind, body in (section, *blocks):
        body += bytes(-len(body) % 4)
        length = struct.pack(order + "I", len(body) + 12)
        data += struct.pack(order + "I", kind) + length + body + length
    return data


class Reading(unittest.TestCase):
    """capture.read()."""

    def read(self, data):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            with open(path, "wb") as file:
                file.write(data)
            return capture.read(path)

    def test_what_was_written(self):
        frames = generate.frames(50) + [b"", b"x"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            capture.write(path, frames)
            self.assertEqual(capture.read(path), frames)

    def test_pcap_of_either_order_and_resolution(self):
        for order in "<>":
            for magic in (0xa1b2c3d4, 0xa1b23c4d):
                data = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, 1)
                data += struct.pack(order + "IIII", 0, 0, 3, 60) + b"abc"
                self.assertEqual(self.read(data), [b"abc"])

    def test_pcapng_of_either_order(self):
        for order in "<>":
            interface = (1, struct.pack(order + "HHI", 1, 0, 65535))
            enhanced = (6, struct.pack(order + "IIIII", 0, 0, 0, 5, 5) + b"hello")
            simple = (3, struct.pack(order + "I", 2) + b"yo")
            old = (2, struct.pack(order + "HHIIII", 0, 0, 0, 0, 3, 3) + b"old")
            unknown = (0x99, b"1234")
            self.assertEqual(self.read(pcapng(order, [interface, enhanced, unknown, simple, old])),
                             [b"hello", b"yo", b"old"])

    def test_pcapng_cut_by_the_interface(self):
        """A simple packet's length is the one on the wire; the rest of its block is padding."""
        interface = (1, struct.pack("<HHI", 1, 0, 5))
        simple = (3, struct.pack("<I", 1000) + b"hello")
        self.assertEqual(self.read(pcapng("<", [interface, simple])), [b"hello"])

    def test_refused(self):
        interface = (1, struct.pack("<HHI", 113, 0, 65535))
        ethernet = (1, struct.pack("<HHI", 1, 0, 0))

        def enhanced(number, length):
            return (6, struct.pack("<IIIII", number, 0, 0, length, length) + b"hello")

        for data, words in ((b"", "empty file"),
                            (b"nonsense", "neither"),
                            (pcapng("<", [interface]), "link type 113"),
                            (pcapng("<", [(6, b"")]), "too short"),
                            (pcapng("<", [ethernet, enhanced(0, 5000)]), "frame 1 of 5000 bytes"),
                            (pcapng("<", [ethernet, (3, struct.pack("<I", 9) + b"hi")]),
                             "frame 1 of 9 bytes"),
                            (pcapng("<", [ethernet, enhanced(1, 5)]), "interface 1"),
                            (pcapng("<", [enhanced(0, 5)]), "interface 0"),
                            (pcapng("<", [ethernet]) + pcapng("<", [enhanced(0, 5)]),
                             "interface 0"),
                            (pcapng("<", [])[:-2], "block of 28 bytes"),
                            (pcapng("<", []) + b"\x06\0\0\0\x05\0\0\0....", "block of 5 bytes")):
            with self.assertRaisesRegex(capture.CaptureError, words):
                self.read(data)


class Matching(unittest.TestCase):
    """replay.compare()."""

    def setUp(self):
        self.frames = generate.frames(300, longest=200)

    def counts(self, received, sent=None, limit=200):
        result = replay.compare(self.frames if sent is None else sent, received, limit)
        return result.lost, result.different, result.extra

    def test_same(self):
        self.assertEqual(self.counts(self.frames), (0, 0, 0))

    def test_padding(self):
        self.assertEqual(self.counts([f + bytes(7) for f in self.frames]), (0, 0, 0))

    def test_too_much_padding(self):
        self.assertEqual(self.counts([f + bytes(8) for f in self.frames])[1], 300)

    def test_padding_is_zero(self):
        self.assertEqual(self.counts([f + b"\0\1" for f in self.frames])[1], 300)

    def test_one_bit(self):
        bad = bytearray(self.frames[7])
        bad[-1] ^= 1
        self.assertEqual(self.counts([*self.frames[:7], bytes(bad), *self.frames[8:]]), (0, 1, 0))

    def test_cut_short(self):
        self.assertEqual(self.counts([f[:-1] for f in self.frames])[1], 300)

    def test_lost(self):
        self.assertEqual(self.counts(self.frames[:9] + self.frames[11:]), (2, 0, 0))

    def test_lost_at_the_end(self):
        self.assertEqual(self.counts(self.frames[:-1]), (1, 0, 0))

    def test_twice(self):
        self.assertEqual(self.counts(self.frames[:9] + self.frames[8:]), (0, 0, 1))

    def test_order(self):
        swapped = [self.frames[0], self.frames[2], self.frames[1], *self.frames[3:]]
        self.assertNotEqual(self.counts(swapped), (0, 0, 0))

    def test_oversize_is_not_expected(self):
        sent = [bytes(60), bytes(61), bytes(62)]
        result = replay.compare(sent, [bytes(60), bytes(61)], 61)
        self.assertEqual((result.lost, result.different, result.extra, result.oversize),
                         (0, 0, 0, 1))
        self.assertFalse(result.held())
        result.counters = {"tx_oversize": 1}
        self.assertTrue(result.held())

    def test_runts_are_not_expected(self):
        result = replay.compare([bytes(13), bytes(60), b""], [bytes(60)], 100)
        self.assertEqual((result.lost, result.runts, result.oversize), (0, 2, 0))
        self.assertFalse(result.held())
        result.counters = {"tx_runt": 2}
        self.assertTrue(result.held())

    def test_tags_add_to_the_limit(self):
        for tags, more in ((b"", 0), (b"\x81\0\0\1", 4), (b"\x88\xa8\0\1\x81\0\0\1", 8),
                           (b"\x81\0\0\1" * 3, 8)):
            frame = bytes(12) + tags + b"\x08\0"
            self.assertEqual(replay.longest(frame, 100), 100 + more)


class Generating(unittest.TestCase):
    """generate.frames()."""

    def test_same_seed_same_frames(self):
        self.assertEqual(generate.frames(100, 5), generate.frames(100, 5))
        self.assertNotEqual(generate.frames(100, 5), generate.frames(100, 6))

    def test_sizes(self):
        sizes = list(map(len, generate.frames(5000, 1, 4096)))
        self.assertEqual(max(sizes), 4096)
        self.assertLess(min(sizes), 60)


class Plugins(unittest.TestCase):
    """testpmd.plugin_options()."""

    def options(self, mode):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, mode)
            for name in testpmd.PLUGINS:
                pathlib.Path(folder, name).touch()
            return folder, *testpmd.plugin_options(folder)

    def test_world_writable(self):
        folder, args, env = self.options(0o777)
        self.assertNotIn(folder, args)
        self.assertEqual(env["LD_LIBRARY_PATH"].split(":")[0], folder)
        for name in testpmd.PLUGINS:
            self.assertIn(name, args)

    def test_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(testpmd.TestpmdError, "run ./rio build"):
                testpmd.plugin_options(folder)


if __name__ == "__main__":
    unittest.main()
