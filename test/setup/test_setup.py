# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The launcher and the set-up: what they say and leave when something is not as it should be."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MISSING = 3
# A network namespace of its own has no network.
NO_NETWORK = ("unshare", "--net") if os.getuid() == 0 else ("unshare", "--net", "--map-root-user")


def run(*argv, env=None, timeout=120):
    return subprocess.run(list(map(str, argv)), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=timeout, check=False,
                          env={**os.environ, **(env or {})})


class Folder(unittest.TestCase):
    """A test with a temporary folder and a cache of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        self.env = {"XDG_CACHE_HOME": str(self.cache), "RIO_NO_INSTALL": "1"}


class Packages(Folder):
    """config/setup.sh and config/packages."""

    def setup_with(self, packages, *groups):
        config = self.folder / "config"
        shutil.copytree(ROOT / "config", config)
        (config / "packages").write_text(packages)
        return run(config / "setup.sh", *groups, env=self.env)

    def test_all_there(self):
        done = self.setup_with("# comment\n\nbash demo cmd:bash\n"
                               "libdpdk-dev demo pc:libdpdk>=22.11\npython3 demo py:json\n", "demo")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_missing_are_named(self):
        done = self.setup_with("one demo cmd:no-such-program\ntwo demo pc:no-such-library\n"
                               "three test py:no_such_module\nfour demo pc:libdpdk>=99\n"
                               "bash demo cmd:bash\none demo cmd:no-such-either\n", "demo")
        self.assertEqual(done.returncode, MISSING)
        self.assertEqual(done.stderr.splitlines(), [
            "setup: missing: four one two",
            "setup: as root: apt-get install --no-install-recommends four one two"])

    def test_groups_of_the_list(self):
        for line in (ROOT / "config" / "packages").read_text().splitlines():
            if line and not line.startswith("#"):
                self.assertRegex(line, r"^[a-z0-9+.-]+ +(build|test|demo|linux) +(cmd|file|pc|py):\S+$")


class DriverHeaders(Folder):
    """Where the headers that only drivers need come from."""

    def test_dpdk_with_its_own_driver_headers(self):
        """A DPDK with enable_driver_sdk needs no source package, hence no network."""
        include = self.folder / "include"
        include.mkdir()
        (include / "ethdev_driver.h").write_text("")
        (self.folder / "libdpdk.pc").write_text(
            "Name: DPDK\nDescription: test\nVersion: 24.11.0\nCflags: -I%s\n" % include)
        self.env["PKG_CONFIG_PATH"] = str(self.folder)
        done = run(*NO_NETWORK, ROOT / "config/setup.sh", "build", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(self.cache.rglob("*.h")), [])

    def test_kept_headers_are_used(self):
        printed = run(ROOT / "config/sdk_headers.sh", "--print").stdout.strip()
        if not pathlib.Path(printed).is_dir():
            self.skipTest("this DPDK has its own driver headers")
        shutil.copytree(printed, self.cache / "dpdk-rio" / pathlib.Path(printed).name)
        done = run(*NO_NETWORK, ROOT / "config/setup.sh", "build", env=self.env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_without_network_it_says_what_is_missing(self):
        printed = run(ROOT / "config/sdk_headers.sh", "--print").stdout.strip()
        if not pathlib.Path(printed).is_dir():
            self.skipTest("this DPDK has its own driver headers")
        done = run(*NO_NETWORK, ROOT / "config/setup.sh", "build", env=self.env)
        self.assertEqual(done.returncode, MISSING, done.stderr)
        version = pathlib.Path(printed).name.replace("dpdk-sdk-", "")
        self.assertIn("source package dpdk " + version, done.stderr)
        self.assertEqual([p.name for p in (self.cache / "dpdk-rio").iterdir()], ["setup.lock"])


class Launcher(Folder):
    """./rio itself."""

    def rio(self, *args, **env):
        return run(ROOT / "rio", *args, env={"RIO_BUILD": str(self.folder / "b"), **env})

    def test_help(self):
        done = self.rio("--help")
        self.assertEqual(done.returncode, 0)
        for verb in ("build", "test", "demo", "bench", "clean"):
            self.assertIn("  %s " % verb, done.stdout)

    def test_help_of_verbs(self):
        for verb in ("build", "test", "demo", "bench", "clean"):
            done = self.rio(verb, "--help")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("usage: ", done.stdout)
        self.assertFalse((self.folder / "b").exists())

    def test_unknown_verb(self):
        done = self.rio("fly")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("unknown verb 'fly'", done.stderr)

    def test_a_folder_with_other_things_is_left_alone(self):
        (self.folder / "b").mkdir()
        (self.folder / "b" / "letter").write_text("dear")
        for verb in ("build", "clean"):
            done = self.rio(verb)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is not a build folder", done.stderr)
        self.assertEqual([p.name for p in (self.folder / "b").iterdir()], ["letter"])

    def test_ended_in_the_middle(self):
        """Nothing it started outlives it; the runner of the tests looks for that."""
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            with self.subTest(signal=number):
                rio = subprocess.Popen(
                    [ROOT / "rio", "build"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, start_new_session=True,
                    env={**os.environ, "RIO_BUILD": str(self.folder / number.name)})
                log = self.folder / number.name / "rio-configure.log"
                end = time.monotonic() + 60
                while not log.exists() and time.monotonic() < end:
                    time.sleep(0.02)
                self.assertTrue(log.exists())
                rio.send_signal(number)
                self.assertEqual(rio.wait(60), code)

    def test_killed_in_the_middle(self):
        """Nothing outlives it for long even when it has no say in its end."""
        temporary = self.folder / "tmp"
        temporary.mkdir()
        rio = subprocess.Popen(
            [ROOT / "rio", "demo"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True, text=True,
            env={**os.environ, "TMPDIR": str(temporary), "RIO_NO_INSTALL": "1"})
        with rio.stdout:
            self.assertTrue(any(line.startswith("[1/3]") for line in rio.stdout))
            self.assertNotEqual(list(temporary.iterdir()), [])
            rio.kill()
            self.assertEqual(rio.wait(), -signal.SIGKILL)
            # Its end comes when the last process that writes to it is gone.
            rio.stdout.read()
        end = time.monotonic() + 20
        while list(temporary.iterdir()) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
