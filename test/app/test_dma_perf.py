# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""dpdk-rio-dma-perf: every way of moving memory, looked at, in one process and in two."""

import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD", ROOT / "build"))
TOOL = BUILD / "app" / "dpdk-rio-dma-perf"
PATIENCE = 120
TWO = ["--vdev", "raw_tsi7210", "--vdev", "raw_tsi7211"]


def command(name, eal, options, lcores=1):
    cpus = sorted(os.sched_getaffinity(0))
    places = ",".join("%d@%d" % (i, cpus[i % len(cpus)]) for i in range(lcores))
    return [TOOL, "--no-huge", "-m", "128", "--no-pci", "--no-telemetry", "--log-level=error",
            "--file-prefix", "dmaperf-%d-%s" % (os.getpid(), name), "--lcores", places,
            *eal, "--", *options]


def run(name, eal, *options, lcores=1):
    return subprocess.run(command(name, eal, options, lcores), capture_output=True, text=True,
                          timeout=PATIENCE, check=False)


class DmaPerf(unittest.TestCase):
    def results(self, eal, *options, lcores=1, name="m"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.json")
            done = run(name, eal, "--json", path, *options, lcores=lcores)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            with open(path, encoding="utf-8") as file:
                root = json.load(file)
        for cell in root["results"]:
            self.assertGreater(cell["ops"], 0, cell)
            self.assertEqual(cell["errors"], 0, cell)
            self.assertEqual(cell["bytes"], cell["ops"] * cell["size"])
            self.assertAlmostEqual(cell["mbytes_per_s"],
                                   cell["bytes"] / cell["seconds"] / 1e6, delta=0.01)
            times = cell["latency_ns"]
            self.assertTrue(times["min"] <= times["p50"] <= times["p99"] <= times["max"], cell)
        return root["results"]

    def verified(self, *args, **more):
        cells = self.results(*args, "--verify", **more)
        for cell in cells:
            self.assertEqual(cell["wrong_bytes"], 0, cell)
        return cells

    def test_operations(self):
        """Each operation and mode moves what it says, from even and odd places."""
        cells = self.verified(TWO, "--op", "read,write,write-r,write-last", "--sizes", "1,64,4097",
                              "--duration", "0.02", "--align", "3", "--total", "64K")
        self.assertEqual([(c["op"], c["size"]) for c in cells],
                         [(op, size) for op in ("read", "write", "write-r", "write-last")
                          for size in (1, 64, 4097)])
        for mode in ("blocking", "faf"):
            self.verified(TWO, "--mode", mode, "--sizes", "64", "--duration", "0.05",
                          "--total", "64K")

    def test_queues_and_threads(self):
        for options in (["--queues", "7"], ["--queues", "3", "--threads", "2"],
                        ["--queues", "2", "--threads", "3", "--share"]):
            with self.subTest(options=options):
                self.verified(TWO, "--sizes", "4K", "--duration", "0.1", "--total", "64K",
                              *options, lcores=3)

    def test_other_ways(self):
        self.verified(TWO, "--via", "window", "--op", "read,write,write-r", "--total", "32K",
                      "--duration", "0.02")
        self.results(TWO, "--via", "message", "--duration", "0.05")

    def test_occupancy(self):
        """Of a packet of 256 bytes 13.5 more are on the link; a byte takes 14.5."""
        for cell in self.results(TWO, "--op", "write", "--sizes", "1,256,1M", "--duration", "0.05"):
            whole = cell["size"] + -(-cell["size"] // 256) * 13.5
            self.assertAlmostEqual(cell["link_gbits_per_s"] / cell["gbits_per_s"],
                                   whole / cell["size"], delta=1e-6)

    def test_two_processes(self):
        fabric = "dmaperf-%d" % os.getpid()
        device = "raw_tsi7210,fabric=%s,destid=%%d" % fabric
        with subprocess.Popen(command("r", ["--vdev", device % 1],
                                      ["--receive", "--total", "1M"]),
                              stdout=subprocess.PIPE, text=True) as target:
            self.addCleanup(target.kill)
            self.assertRegex(target.stdout.readline(), "^# destination ID 1: 1048576 bytes at")
            one = ["--vdev", device % 0]
            self.verified(one, "--peer", "1", "--total", "1M", "--duration", "0.1",
                          "--sizes", "64,64K")
            self.results(one, "--via", "message", "--peer", "1", "--duration", "0.1")
            target.send_signal(signal.SIGINT)
            rest = target.stdout.read()
            self.assertEqual(target.wait(PATIENCE), 0)
        self.assertRegex(rest, r"^# [1-9]\d* messages came")

    def test_files(self):
        if shutil.which("gnuplot") is None:
            self.skipTest("gnuplot is not installed")
        with tempfile.TemporaryDirectory() as folder:
            path, plots = os.path.join(folder, "r.csv"), os.path.join(folder, "plots")
            done = run("f", TWO, "--sizes", "64,4K", "--duration", "0.02", "--csv", path,
                       "--plot", plots)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(path, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([(r["op"], r["size"]) for r in rows],
                             [("write", "64"), ("write", "4096"), ("read", "64"),
                              ("read", "4096")])
            for name in ("throughput", "latency"):
                self.assertIn("</svg>", pathlib.Path(plots, name + ".svg").read_text())
                self.assertEqual(pathlib.Path(plots, name + ".png").read_bytes()[:4],
                                 b"\x89PNG")

    def test_refused(self):
        for text, eal, *options in (
                ("no Tsi721", []),
                ("no target", TWO[:2]),
                ("'1X' is not a number of bytes", TWO, "--sizes", "1X"),
                ("'0' is not a number of bytes", TWO, "--sizes", "0"),
                ("is more than --total", TWO, "--sizes", "8M"),
                ("5000 is not a power of two", TWO, "--total", "5000"),
                ("48 is not a power of two", TWO, "--descs", "48"),
                ("is not a multiple of --total", TWO, "--raddr", "4096"),
                ("'x' is not an address", TWO, "--raddr", "x"),
                ("3 are more than 2 queues", TWO, "--threads", "3", "--queues", "2"),
                ("need as many lcores", TWO, "--threads", "2", "--queues", "2"),
                ("a message has 8 to 4096", TWO, "--via", "message", "--sizes", "12"),
                ("read is not possible", TWO, "--via", "message", "--op", "read"),
                ("leave no memory", TWO, "--via", "message", "--verify"),
                ("one thread and no queues", TWO, "--via", "window", "--queues", "2"),
                ("'64' is not a number from 0 to 63", TWO, "--align", "64"),
                ("no memory for 1073741824 bytes", TWO, "--total", "1G", "--raddr", "0x40000000"),
                ("cannot make /nowhere/x", TWO, "--plot", "/nowhere/x"),
                ("/nowhere/x", TWO, "--json", "/nowhere/x")):
            with self.subTest(options=options):
                done = run("b", eal, *options)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(text, done.stderr)

    def test_absent_peer(self):
        done = run("a", TWO[:2], "--peer", "9")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("destination 9", done.stderr)


if __name__ == "__main__":
    unittest.main()
