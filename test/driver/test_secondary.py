# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Secondary processes look at devices and ports of a primary one, and cannot do more."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import fakepci
import rig  # noqa: F401 pylint: disable=unused-import
import test_memory
from rig import BUILD, capture, testpmd

VDEVS = ("raw_tsi7210,destid=5", "raw_tsi7211,destid=6", "net_rionet0,raw=raw_tsi7210,mode=msg",
         "net_rionet1,raw=raw_tsi7211,mode=msg")
PREFIX = "rio"
# The folder that EAL looks for plugins in, with this project's among them.
INSTALL = ('mount -t hugetlbfs none "$0"/pages && cp -a "$1"/. "$0"/pmds && '
           'cp "$2"/*.so "$0"/pmds && mount --bind "$0"/pmds "$1" && shift 2 && exec "$@"')


def plugin_folder():
    """Where the installed EAL looks for plugins."""
    libdir = subprocess.run(["pkg-config", "--variable=libdir", "libdpdk"], check=True,
                            capture_output=True, text=True).stdout.strip()
    return next(iter(sorted(pathlib.Path(libdir, "dpdk").glob("pmds-*"))), None)


class Secondary(unittest.TestCase):
    """A testpmd with two raw devices and two ports, in a mount namespace with hugepages."""

    def setUp(self):
        reason = fakepci.unshare_error()
        if reason is not None:
            self.skipTest(reason)
        self.plugins = plugin_folder()
        if self.plugins is None:
            self.skipTest("the installed DPDK has no folder of plugins")
        test_memory.Memory.reserve(self, 256)
        self.folder = tempfile.mkdtemp(prefix="rio-secondary-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("pages", "pmds"):
            os.mkdir(os.path.join(self.folder, name))

    def namespace(self):
        """A command that runs another where hugepages are, and the plugins are installed."""
        return ["unshare", "--mount", "sh", "-c", INSTALL, self.folder, str(self.plugins),
                str(BUILD / "drivers")]

    def memory(self):
        return ["--huge-dir", os.path.join(self.folder, "pages"), "-m", "192",
                "--file-prefix", PREFIX]

    def primary(self):
        return testpmd.Testpmd(list(VDEVS), preset="primary", plugins=(),
                               wrapper=self.namespace(), eal=self.memory(),
                               options=["--mbuf-size=2176", "--port-topology=loop"])

    def beside(self, pid, env, *command):
        """A program beside the primary process: (exit code, what it prints)."""
        argv = ["nsenter", "--mount=/proc/%d/ns/mnt" % pid, *map(str, command)]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              env={**os.environ, **env}, timeout=100, check=False)
        return done.returncode, done.stdout

    def secondary(self, pmd, *command):
        return self.beside(pmd.process.pid, pmd.runtime.env, *command)

    def alive(self, pmd):
        """The primary process is as it was, and ends as it should."""
        self.assertIn("peers_joined", pmd.command("show port xstats 0"))
        self.assertEqual(pmd.quit(), 0)

    def test_raw(self):
        with self.primary() as pmd:
            pmd.command("set fwd rxonly")
            pmd.command("start tx_first")
            program = (BUILD / "test" / "driver" / "secondary", "--proc-type=secondary",
                       "--file-prefix", PREFIX, "--log-level=pmd.raw.tsi721,debug", "--")
            code, output = self.secondary(pmd, *program, "raw_tsi7210")
            self.assertEqual(code, 0, output)
            self.assertIn("driver raw_tsi721 destid 5 bits 8 link 1 lanes 4 queues 7", output)
            sent = re.search(r"^xstat null_omsg_sent (\d+)$", output, re.M)
            self.assertEqual(int(sent[1]), 32, output)
            self.assertIn("raw_tsi7210: destination ID 0x5 of 8 bits, link up x4", output)
            self.assertIn("mailbox 0: out in", output)
            # One line for each of what it may not.
            refused = re.findall(r"^raw_tsi7210: belongs to the primary process", output, re.M)
            self.assertEqual(len(refused), 13, output)
            self.assertRegex(output, r"port 0 opackets \d")
            self.assertIn("net_rionet0: belongs to the primary process", output)
            # Two at once.
            with concurrent.futures.ThreadPoolExecutor() as pool:
                names = ("raw_tsi7210", "raw_tsi7211")
                for code, output in pool.map(
                        lambda name: self.secondary(pmd, *program, name), names):
                    self.assertEqual(code, 0, output)
            self.alive(pmd)

    def test_proc_info(self):
        with self.primary() as pmd:
            pmd.command("set fwd rxonly")
            pmd.command("start tx_first")
            for option, expected in (("--stats", "RX-packets"), ("--xstats", "tx_messages: 32"),
                                     ("--show-port", "net_rionet"), ("--show-module-eeprom", "")):
                code, output = self.secondary(
                    pmd, "dpdk-proc-info", "--file-prefix", PREFIX, "--", "-p", "0x3", option)
                self.assertEqual(code, 0, output)
                self.assertIn(expected, output)
            self.assertIn("TX-packets:", self.secondary(
                pmd, "dpdk-proc-info", "--file-prefix", PREFIX, "--", "-p", "0x3", "--stats")[1])
            self.alive(pmd)

    def test_dumpcap(self):
        """Frames that a port receives, captured by DPDK's own tool."""
        target = os.path.join(self.folder, "dump.pcapng")
        runtime = testpmd.RuntimeFolder()
        self.addCleanup(runtime.remove)
        argv = [*self.namespace(), str(BUILD / "test" / "driver" / "primary"), "--no-pci",
                *self.memory(), "-l", "0"]
        for vdev in VDEVS:
            argv += ["--vdev", vdev]
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, **runtime.env}) as primary:
            try:
                self.assertEqual(primary.stdout.readline(), "ready\n")
                tool = ("dpdk-dumpcap", "--file-prefix", PREFIX)
                code, output = self.beside(primary.pid, runtime.env, *tool, "-D")
                self.assertEqual(code, 0, output)
                self.assertIn("net_rionet1", output)
                code, output = self.beside(primary.pid, runtime.env, "timeout", 60, *tool, "-i",
                                           "net_rionet1", "-c", 40, "-w", target)
                self.assertEqual(code, 0, output)
                output, _ = primary.communicate("", timeout=60)
                self.assertEqual((primary.returncode, output), (0, "ended\n"))
            finally:
                primary.kill()
        frames = capture.read(target)
        self.assertGreaterEqual(len(frames), 40)
        self.assertEqual({bytes(frame) for frame in frames},
                         {bytes.fromhex("000100010006" "000100010005" "88b5") + b"\x5a" * 50})

    def test_remove_and_add(self):
        """What the primary removes and adds while a secondary one looks."""
        with self.primary() as pmd:
            program = (BUILD / "test" / "driver" / "secondary", "--proc-type=secondary",
                       "--file-prefix", PREFIX, "--")
            pmd.command("port stop all")
            pmd.command("port close all")
            pmd.command("device detach raw_tsi7211")
            code, output = self.secondary(pmd, *program, "raw_tsi7211")
            self.assertEqual(code, 1, output)
            self.assertIn("no such device", output)
            code, output = self.secondary(pmd, *program, "raw_tsi7210")
            self.assertEqual(code, 0, output)
            pmd.quit()


if __name__ == "__main__":
    unittest.main()
