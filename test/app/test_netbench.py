# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""The benchmark of ports between two processes runs, and refuses what it cannot do."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "app" / "netbench" / "netbench.py"


def run(*args):
    return subprocess.run([sys.executable, "-B", SCRIPT, *args], capture_output=True, text=True,
                          timeout=300, env={**os.environ})


class Netbench(unittest.TestCase):
    def test_bad_options(self):
        for option, value, text in (("--sizes", "64,x", "'64,x' is not a list"),
                                    ("--sizes", "59", "59 is not 60 to 65000"),
                                    ("--paths", "memif", "'memif' is none of rionet-dma,"),
                                    ("--traffic", "both", "'both' is none of one-way,"),
                                    ("--rounds", "0", "at least 1")):
            with self.subTest(option=option, value=value):
                done = run(option, value)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(text, done.stderr.splitlines()[-1])

    def test_file_not_writable(self):
        done = run("--json", "/nowhere/x.json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/nowhere/x.json", done.stderr)

    def test_run(self):
        """Both kinds of traffic over rionet and memif; frames arrive on all of them."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.json")
            done = run("--sizes", "64,1514", "--paths", "rionet-msg,memif-zc", "--rounds", "1",
                       "--seconds", "0.2", "--json", path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(path, encoding="utf-8") as file:
                results = json.load(file)["results"]
        self.assertEqual([(r["bytes"], r["traffic"], r["path"]) for r in results],
                         [(size, traffic, name) for size in (64, 1514)
                          for traffic in ("one-way", "round-trip")
                          for name in ("rionet-msg", "memif-zc")])
        for result in results:
            self.assertGreater(result["mpps"], 0, result)
            self.assertAlmostEqual(result["gbps"], result["mpps"] * result["bytes"] * 8 / 1e3)
            if result["path"] == "memif-zc":
                self.assertEqual(result["ratio"], 1)


if __name__ == "__main__":
    unittest.main()
