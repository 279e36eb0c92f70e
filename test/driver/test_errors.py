# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Bad input: one clear line each, and a clean end."""

import os
import tempfile
import unittest

import rig
from rig import capture, generate, replay, testpmd


class BadDevices(unittest.TestCase):
    """A device that cannot be made is refused; the rest of the process goes on."""

    def refused(self, vdevs, *words):
        """Exactly one line of the plugins, which holds `words`; testpmd ends with 0."""
        code, output = testpmd.run_once(vdevs)
        lines = rig.driver_lines(output)
        self.assertEqual(code, 0, output)
        self.assertIn("failed to initialize", output)
        self.assertEqual(len(lines), 1, output)
        for word in words:
            self.assertIn(word, lines[0])

    def test_raw_unknown_key(self):
        self.refused(["raw_tsi7210,colour=red"], "colour")

    def test_raw_destid_not_a_number(self):
        self.refused(["raw_tsi7210,destid=abc"], "destid", "abc")

    def test_raw_destid_too_large(self):
        self.refused(["raw_tsi7210,destid=65536"], "destid", "65536")

    def test_raw_destid_negative(self):
        self.refused(["raw_tsi7210,destid=-5"], "destid", "-5")

    def test_raw_host(self):
        self.refused(["raw_tsi7210,host=2"], "host", "2")

    def test_raw_exec(self):
        self.refused(["raw_tsi7210,exec=later"], "exec", "later", "inline")

    def test_raw_link(self):
        self.refused(["raw_tsi7210,link=5.0x3"], "link", "5.0x3")

    def test_same_destid_twice(self):
        self.refused(["raw_tsi7210,destid=7", "raw_tsi7211,destid=7"], "7")

    def test_net_same_destid_twice(self):
        self.refused(["net_rionet0,destid=7", "net_rionet1,destid=7"], "7")

    def test_net_raw_is_itself(self):
        self.refused(["net_rionet0,raw=net_rionet0"], "raw=net_rionet0")

    def test_net_unknown_key(self):
        self.refused(["net_rionet0,colour=red"], "colour")

    def test_net_mode(self):
        self.refused(["net_rionet0,mode=pigeon"], "mode", "pigeon", "msg")

    def test_net_unknown(self):
        self.refused(["net_rionet0,unknown=maybe"], "unknown", "maybe", "flood")

    def test_net_raw_missing(self):
        self.refused(["net_rionet0,raw=raw_tsi7219"], "raw_tsi7219")

    def test_others_go_on(self):
        """After a refused device two good ones still forward."""
        vdevs = ["net_rionet9,mode=pigeon", "net_rionet0", "net_rionet1"]
        with testpmd.Testpmd(vdevs, ["--port-topology=loop"]) as pmd:
            pmd.command("set fwd rxonly")
            pmd.command("start tx_first")
            self.assertEqual(pmd.xstats(0)["tx_good_packets"], 32)
            self.assertEqual(pmd.quit(), 0)


class BadCaptures(unittest.TestCase):
    """Files that cannot be replayed."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, data):
        name = os.path.join(self.folder.name, "file.pcap")
        with open(name, "wb") as file:
            file.write(data)
        return name

    def refused(self, path, *words):
        done = rig.replay_program(path)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_missing(self):
        self.refused("/nonexistent.pcap", "/nonexistent.pcap", "No such file")

    def test_zero_length(self):
        self.refused(self.path(b""), "empty file")

    def test_not_a_capture(self):
        self.refused(self.path(b"#!/bin/sh\nexit 0\n" * 10), "neither pcap nor pcapng")

    def test_cut_header(self):
        self.refused(self.path(b"\xd4\xc3\xb2\xa1" + bytes(5)), "file header")

    def test_cut_frame(self):
        path = self.path(b"")
        capture.write(path, generate.frames(3))
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) - 1)
        self.refused(path, "frame 3")

    def test_not_ethernet(self):
        path = self.path(b"")
        capture.write(path, generate.frames(3), linktype=113)
        self.refused(path, "link type 113")

    def test_no_frame(self):
        """A capture without a frame is a good one."""
        path = self.path(b"")
        capture.write(path, [])
        done = rig.replay_program(path)
        self.assertEqual(done.returncode, 0, done.stderr)


class BadCapturesInTestpmd(unittest.TestCase):
    """What net_pcap itself is given: frames that are none leave the port with a count."""

    def test_zero_length(self):
        with tempfile.NamedTemporaryFile(suffix=".pcap") as file:
            code, output = testpmd.run_once(["net_pcap0,rx_pcap=" + file.name, "net_rionet0",
                                             "net_rionet1"])
        self.assertEqual(code, 0, output)
        self.assertEqual(len(rig.driver_lines(output)), 1, output)

    def test_short_frames(self):
        """Frames without a whole Ethernet header are dropped and counted, the rest passes."""
        whole = generate.frames(50)
        short = [bytes(size) for size in range(1, 14)]
        with tempfile.TemporaryDirectory() as folder:
            result, received = replay.replay(whole[:25] + short + whole[25:], folder)
        self.assertTrue(result.held(), result.text())
        self.assertEqual(result.runts, len(short), result.text())
        self.assertEqual(len(received), len(whole))
        self.assertEqual(result.counters["tx_runt"], len(short))


if __name__ == "__main__":
    unittest.main()
