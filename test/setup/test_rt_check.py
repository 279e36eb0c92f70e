# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""config/rt_check.sh on machines made of files: what is right and what is to be changed."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "config" / "rt_check.sh"
GOOD = {
    "sys/devices/system/cpu/isolated": "2-3",
    "sys/devices/system/cpu/nohz_full": "2-3",
    "proc/cmdline": "ro isolcpus=2-3 nohz_full=2-3 rcu_nocbs=2-3",
    "proc/irq/9/effective_affinity_list": "0-1",
    "proc/sys/kernel/sched_rt_runtime_us": "-1",
    "sys/kernel/realtime": "1",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance",
    "sys/devices/system/cpu/cpu0/cpuidle/state1/latency": "2",
    "sys/devices/system/cpu/cpu0/cpuidle/state1/name": "C1",
    "sys/devices/system/cpu/cpu0/cpuidle/state2/latency": "133",
    "sys/devices/system/cpu/cpu0/cpuidle/state2/name": "C6",
    "sys/devices/system/cpu/cpu0/cpuidle/state2/disable": "1",
    "proc/meminfo": "HugePages_Total:     512",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never",
    "proc/sys/kernel/numa_balancing": "0",
    "proc/swaps": "Filename",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
}


class Check(unittest.TestCase):
    def run_on(self, changes=None, *args):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**GOOD, **(changes or {})}.items():
                if text is None:
                    continue
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + "\n")
            return subprocess.run([SCRIPT, *args], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "RT_CHECK_ROOT": root}, check=False)

    def test_good(self):
        done = self.run_on()
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertNotIn("CHANGE", done.stdout)

    def test_each_fault(self):
        """One thing is wrong: one line says what, and how to change it."""
        cpu = "sys/devices/system/cpu/"
        for name, text, says in (
                (cpu + "isolated", "2", "are not all isolated (2)"),
                (cpu + "nohz_full", "(null)", "nohz_full=2-3"),
                ("proc/cmdline", "ro", "rcu_nocbs=2-3"),
                ("proc/irq/9/effective_affinity_list", "1-2", "interrupts 9 go to CPUs 2-3"),
                ("proc/sys/kernel/sched_rt_runtime_us", "950000", "stop 50000 us of each second"),
                (cpu + "cpu0/cpufreq/scaling_governor", "powersave", "cpupower frequency-set"),
                (cpu + "cpu0/cpuidle/state2/disable", "0", "C6(133 us)"),
                ("proc/meminfo", "HugePages_Total:     0", "no hugepages"),
                ("sys/kernel/mm/transparent_hugepage/enabled", "[always] never", "madvise"),
                ("proc/sys/kernel/numa_balancing", "1", "numa_balancing"),
                (cpu + "../clocksource/clocksource0/current_clocksource", "hpet", "slow clock")):
            with self.subTest(name=name):
                done = self.run_on({os.path.normpath(name): text}, "2-3")
                changes = [l for l in done.stdout.splitlines() if l.startswith("CHANGE")]
                self.assertEqual((done.returncode, len(changes)), (1, 1), done.stdout)
                self.assertIn(says, changes[0])

    def test_nothing_isolated(self):
        done = self.run_on({"sys/devices/system/cpu/isolated": ""})
        self.assertEqual(done.returncode, 1)
        self.assertIn("no CPU is isolated", done.stdout)

    def test_bad_arguments(self):
        for args in (("x",), ("1-",), ("1", "2"), ("1 2",), ("",)):
            done = self.run_on(None, *args)
            if args == ("",):
                self.assertEqual(done.returncode, 2)
                continue
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
