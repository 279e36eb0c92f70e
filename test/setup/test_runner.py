# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""test/run.py itself: what it calls passed, failed and skipped."""

import pathlib
import re
import subprocess
import sys
import unittest

TEST = pathlib.Path(__file__).resolve().parents[1]

# Runs the methods of Sample as the runner would.
SCRIPT = """
import os, subprocess, sys, time, unittest
sys.path.insert(0, sys.argv[1])
import run

class Sample(unittest.TestCase):
    timeout = 1
    def test_fails(self): self.fail("on purpose")
    def test_leaves_file(self): open(os.environ["TMPDIR"] + "/trace", "w").close()
    def test_leaves_orphan(self): subprocess.run(["sh", "-c", "sleep 99 &"])
    def test_orphan_that_ends(self): subprocess.run(["sh", "-c", "sleep 0.3 &"])
    def test_passes(self): pass
    def test_raises(self): raise KeyError("on purpose")
    def test_skips(self): self.skipTest("on purpose")
    def test_sub_fails(self):
        with self.subTest(n=1): self.fail("on purpose")
    def test_too_long(self): time.sleep(99)

run.prepare()
cases = unittest.defaultTestLoader.loadTestsFromTestCase(Sample)
print(run.run_all([run.PythonTest("sample", case) for case in run.flatten(cases)]))
"""


class Runner(unittest.TestCase):
    """One run of tests with known outcomes."""

    def test_outcomes(self):
        done = subprocess.run([sys.executable, "-B", "-c", SCRIPT, TEST], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, timeout=60, check=False)
        outcomes = {name: word for word, name in
                    re.findall(r"^(ok|FAIL|skip) +sample/\S+\.test_(\w+)", done.stdout, re.M)}
        self.assertEqual(outcomes, {
            "fails": "FAIL", "leaves_file": "FAIL", "leaves_orphan": "FAIL",
            "orphan_that_ends": "ok", "passes": "ok", "raises": "FAIL", "skips": "skip",
            "sub_fails": "FAIL", "too_long": "FAIL"}, done.stdout + done.stderr)
        self.assertIn("{'passed': 2, 'failed': 6, 'skipped': 1}", done.stdout)
        for text in ("file trace", "sleep 99", "run.Timeout: over its time limit", "(0.0 s): on purpose"):
            self.assertIn(text, done.stdout)


if __name__ == "__main__":
    unittest.main()
