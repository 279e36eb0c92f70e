# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Installed plugins, their information strings, and other DPDK programs with them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import rig
from rig import testpmd


def run(*argv, env=None, **options):
    return subprocess.run(list(map(str, argv)), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=150, check=False,
                          env={**os.environ, **(env or {})}, **options)


class Install(unittest.TestCase):
    """meson install."""

    def installed(self, folder):
        done = run("meson", "install", "-C", rig.BUILD, "--no-rebuild", "--destdir", folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {path.name: path for path in pathlib.Path(folder).rglob("*") if path.is_file()}

    def test_goes_where_dpdk_looks(self):
        """The folder is the one that the installed DPDK searches without -d."""
        macros = run("sh", "-c", "echo '#include <rte_build_config.h>' |"
                     " cc -E -dM $(pkg-config --cflags libdpdk) -").stdout
        wanted = re.search(r'RTE_EAL_PMD_PATH "(.*)"', macros)[1]
        with tempfile.TemporaryDirectory() as folder:
            files = self.installed(folder)
            for name in testpmd.PLUGINS:
                self.assertEqual(str(files[name].parent), folder + wanted)
            self.assertIn("rte_pmd_tsi721.h", files)
            self.assertNotIn("librio_null.a", files)

    def test_loads_from_there(self):
        """Frames pass with the installed files, wherever they were moved to."""
        with tempfile.TemporaryDirectory() as folder:
            files = self.installed(folder)
            plugins = files[testpmd.PLUGINS[0]].parent
            with testpmd.Testpmd(["net_rionet0", "net_rionet1"], plugins=plugins) as pmd:
                maps = pathlib.Path("/proc/%d/maps" % pmd.process.pid).read_text()
                pmd.command("set fwd rxonly")
                pmd.command("start tx_first")
                pmd.command("stop")
                self.assertEqual(pmd.xstats(1)["rx_good_packets"], 32)
                self.assertEqual(pmd.quit(), 0)
            self.assertIn(str(plugins.resolve()), maps)
            self.assertNotIn(str(rig.BUILD / "drivers"), maps)


    def test_needs_no_option_when_installed(self):
        """DPDK's own driver folder, shadowed in a mount namespace of its own, with ours added."""
        if os.getuid() != 0:
            self.skipTest("needs root to mount over DPDK's driver folder")
        with tempfile.TemporaryDirectory() as folder:
            files = self.installed(folder)
            ours = files[testpmd.PLUGINS[0]].parent
            dpdk = pathlib.Path("/", ours.relative_to(folder))
            shutil.copytree(dpdk, ours, symlinks=True, dirs_exist_ok=True)
            runtime = testpmd.RuntimeFolder()
            self.addCleanup(runtime.remove)
            argv, env = testpmd.command_line(["net_rionet0", "net_rionet1"], plugins=())
            done = run("unshare", "--mount", "sh", "-c", 'mount --bind "$0" "$1"; shift; exec "$@"',
                       ours, dpdk, *argv, env={**env, **runtime.env})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(rig.driver_lines(done.stderr), [])
        self.assertIn("Configuring Port 1", done.stdout)


class Information(unittest.TestCase):
    """dpdk-pmdinfo.py."""

    def information(self):
        script = shutil.which("dpdk-pmdinfo.py")
        done = run(sys.executable, script, *(rig.BUILD / "drivers" / n for n in testpmd.PLUGINS))
        self.assertEqual(done.returncode, 0, done.stderr)
        return {entry["name"]: entry for entry in json.loads(done.stdout)}

    def test_drivers_and_parameters(self):
        drivers = self.information()
        for key in ("fabric=", "node=", "destid=", "host=", "exec="):
            self.assertIn(key, drivers["raw_tsi721"]["params"])
        for key in ("raw=", "mode=", "unknown="):
            self.assertIn(key, drivers["net_rionet"]["params"])


class OtherPrograms(unittest.TestCase):
    """DPDK's own test program with the plugins loaded."""

    def test_rawdev_autotest(self):
        """DPDK's rawdev test passes beside our driver, and with one of our devices there."""
        plugins, env = testpmd.plugin_options()
        runtime = testpmd.RuntimeFolder()
        self.addCleanup(runtime.remove)
        for vdevs in ((), ("--vdev", "raw_tsi7210")):
            with self.subTest(vdevs=vdevs):
                done = run("dpdk-test", *testpmd.eal_options(), *plugins, *vdevs,
                           env={**env, **runtime.env, "DPDK_TEST": "rawdev_autotest"})
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("Test OK", done.stdout)


if __name__ == "__main__":
    unittest.main()
