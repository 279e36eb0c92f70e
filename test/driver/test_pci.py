# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Boards, as far as they can be had without one: PCI devices whose BARs are files."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import fakepci
import rig  # noqa: F401 pylint: disable=unused-import
import test_memory
from fakepci import COMMAND, DEVCTL, DEVCTL2, EPCTL
from rig import testpmd

MASTER, MEMORY = 0x4, 0x2
RELAXED, NO_SNOOP, READ_REQUEST = 0x0010, 0x0800, 0x7000
SENTINEL = 0xa5a5a5a5

# Registers that bring-up must leave so, whatever was in them.
DEV_INTE, DEV_CHAN_INTE, DEV_INT = 0x29840, 0x2984c, 0x29844
SR2PC_CH, CHANNELS = 0x200, 0x2a20
UP = {
    0x29800: 0, 0x41310: 0, 0x6a000: 0, 0x5f000: 0, 0x49120: 0,     # causes of all blocks
    0x6a014: 0, 0x6a100: 0, 0x6a104: 0, 0x60010: 1000, 0x60020: 0xffff,
    DEV_INTE: CHANNELS, DEV_CHAN_INTE: 0x01f00f7f,
    0x2001c: 5, 0x20008: 0, 0x20000: 1, 0x2000c: 0, 0x20044: 0x15,  # doorbell queue 0
    0x58034: 1, 0x58018: 0, 0x5800c: 0x1f, 0x58008: 1,              # DMA channel 7
}
UP.update({0x40000 + window * 0x20: 0 for window in range(8)})
UP.update({0x29000 + window * 0x20: 0 for window in range(8)})
UP.update({0x51018 + channel * 0x1000: 0 for channel in range(8)})
UP.update({0x61018 + channel * 0x1000: 0 for channel in range(8)})
UP.update({0x61250 + channel * 0x1000: 0 for channel in range(8)})
UP.update({0x20044 + queue * 0x1000: 0 for queue in range(1, 8)})
# And removal: nothing interrupts, nothing is written to memory any more.
DOWN = {DEV_INTE: 0, DEV_CHAN_INTE: 0, 0x20044: 0, 0x20008: 0xffffffff, 0x20000: 2,
        0x20014: 0, 0x20018: 0, 0x58008: 1}
DOWN.update({address: 0 for address in UP if 0x29000 <= address < 0x29100})


class Boards(unittest.TestCase):
    """A folder with boards, and testpmd that sees them."""

    def setUp(self):
        reason = fakepci.unshare_error()
        if reason is not None:
            self.skipTest(reason)
        test_memory.Memory.reserve(self, 256)
        self.folder = tempfile.mkdtemp(prefix="rio-pci-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.boards = []

    def board(self, **args):
        board = fakepci.Board(self.folder, len(self.boards), **args)
        self.addCleanup(board.close)
        self.boards.append(board)
        return board

    def arguments(self, eal):
        pages = pathlib.Path(self.folder, "pages")
        return {"preset": "board", "env": fakepci.environment(self.folder),
                "wrapper": fakepci.wrapper(self.folder, pages), "options": ["--mbuf-size=2176"],
                "eal": ["--huge-dir", str(pages), "-m", "192", "--iova-mode=pa", *eal]}

    def pmd(self, *eal, vdevs=("net_null0",)):
        return testpmd.Testpmd(list(vdevs), **self.arguments(eal))

    def check(self, board, registers):
        wrong = ["0x%05x: 0x%08x, expected 0x%08x" % (address, board.read(address), value)
                 for address, value in registers.items() if board.read(address) != value]
        self.assertEqual(wrong, [])

    def until(self, done, what):
        end = time.monotonic() + 30
        while not done():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)


class Probe(Boards):
    """What probe writes into configuration space and registers, and what removal does."""

    def test_probe_and_remove(self):
        board = self.board()
        board.fill(SENTINEL)
        board.write(0x48004, 0x10)
        board.write(0x60, 0x00170000)
        with self.pmd("-a", board.name) as pmd:
            self.assertEqual(rig.driver_lines(pmd.output), [])
            self.check(board, UP)
            # The boot bit is set beside what was there, the straps' ID is kept.
            self.check(board, {0x48004: 0x14, 0x60: 0x00170000, 0x13c: SENTINEL})
            # The base of the doorbell queue and of DMA channel 7's descriptors: real addresses.
            for low, high, align in ((0x20014, 0x20018, 64), (0x58024, 0x58028, 32)):
                base = board.read(high) << 32 | board.read(low)
                self.assertNotEqual(base, SENTINEL << 32 | SENTINEL)
                self.assertTrue(base != 0 and base % align == 0, hex(base))
            self.assertEqual(board.config(COMMAND) & (MASTER | MEMORY), MASTER | MEMORY)
            self.assertEqual(board.config(DEVCTL), 0x2810 & ~(RELAXED | NO_SNOOP))
            self.assertEqual(board.config(DEVCTL2) & 0xf, 2)
            self.assertEqual(board.config(fakepci.CAP_MSIX + 4, "<I"), 0x2c000)
            self.assertEqual(board.config(fakepci.CAP_MSIX + 8, "<I"), 0x2a000)
            self.assertEqual(board.config(EPCTL, "<I"), 0)
            pmd.command("device detach " + board.name)
            self.check(board, DOWN)
            self.assertEqual(board.config(COMMAND) & MASTER, 0)
            # And again, with arguments.
            board.fill(0)
            pmd.command("port attach %s,mrrs=5,hdid=9" % board.name)
            self.check(board, UP)
            self.check(board, {0x48004: 4})
            self.assertEqual(board.config(DEVCTL) & READ_REQUEST, 5 << 12)
            self.assertEqual(board.config(COMMAND) & MASTER, MASTER)
            self.assertEqual(pmd.quit(), 0)
        self.check(board, DOWN)
        self.assertEqual(board.config(COMMAND) & MASTER, 0)

    def test_arguments(self):
        board = self.board()
        with self.pmd("-a", board.name + ",mrrs=4,hdid=0x123,destid_bits=16,intr=off") as pmd:
            self.assertEqual(rig.driver_lines(pmd.output), [])
            self.assertEqual(board.config(DEVCTL) & READ_REQUEST, 4 << 12)
            self.check(board, {DEV_INTE: 0, DEV_CHAN_INTE: 0})
            self.assertEqual(pmd.quit(), 0)

    def test_several(self):
        """Each its own; one that is not asked for is left alone."""
        boards = [self.board() for _ in range(3)]
        for board in boards:
            board.fill(SENTINEL)
        with self.pmd("-a", boards[0].name, "-a", boards[1].name + ",mrrs=1") as pmd:
            self.assertEqual(rig.driver_lines(pmd.output), [])
            self.check(boards[0], UP)
            self.check(boards[1], UP)
            self.check(boards[2], {address: SENTINEL for address in UP})
            self.assertEqual([board.config(DEVCTL) & READ_REQUEST for board in boards],
                             [2 << 12, 1 << 12, 2 << 12])
            self.assertNotEqual(boards[0].read(0x20014), boards[1].read(0x20014))
            pmd.command("device detach " + boards[0].name)
            self.check(boards[0], DOWN)
            self.check(boards[1], UP)
            self.assertEqual(pmd.quit(), 0)

    def test_interrupt(self):
        """A doorbell's interrupt: its cause is cleared, and interrupts are on again."""
        board = self.board()
        with self.pmd("-a", board.name) as pmd:
            board.write(DEV_INT, SR2PC_CH)
            board.write(0x29850, 1 << 24)
            board.write(DEV_INTE, 0)
            # As the causes that have been are written back, so is this one.
            board.write(0x20040, 0x10)
            board.write(0x20044, 0)
            board.interrupt()
            self.until(lambda: board.read(DEV_INTE) == CHANNELS, "interrupts stay off")
            self.check(board, {0x20044: 0x15})
            self.assertEqual(pmd.quit(), 0)

    def test_port_holds_it(self):
        """A board is not removed under a port; at the end both go in any order."""
        board = self.board()
        vdevs = ["net_rionet0,raw=" + board.name]
        with self.pmd("-a", board.name, vdevs=vdevs) as pmd:
            self.assertEqual(rig.driver_lines(pmd.output), [])
            answer = pmd.command("device detach " + board.name)
            self.assertIn("remove that first", answer)
            self.check(board, {DEV_INTE: CHANNELS})
            self.assertEqual(pmd.quit(), 0)
        self.check(board, DOWN)
        self.assertEqual(board.config(COMMAND) & MASTER, 0)


class Refused(Boards):
    """A board that cannot be had: one line, and it is as it was."""

    def refused(self, board, *words, devargs="", eal=()):
        with self.pmd("-a", board.name + devargs, *eal) as pmd:
            lines = rig.driver_lines(pmd.output)
            self.assertEqual(pmd.quit(), 0)
        self.assertEqual(len(lines), 1, lines)
        for word in (board.name, *words):
            self.assertIn(word, lines[0])
        self.assertEqual(board.config(COMMAND) & MASTER, 0)
        self.assertEqual(board.read(DEV_INTE), 0)

    def test_bar0_too_small(self):
        self.refused(self.board(bars=(0x40000, 0x1000000)), "BAR0", "262144", "524288")

    def test_no_bar1(self):
        self.refused(self.board(bars=(0x80000,)), "BAR1", "0 bytes", "16777216")

    def test_other_identity(self):
        board = self.board()
        board.write(0, 0x05780038)
        self.refused(board, "0x05780038", "0x80ab0038")

    def test_nothing_answers(self):
        board = self.board()
        board.write(0, 0xffffffff)
        self.refused(board, "0xffffffff", "nothing answers")

    def test_configuration_space_cut_off(self):
        """Configuration space that ends before the PCI Express capability."""
        board = self.board()
        board.file("config").write_bytes(board.config_space()[:0x40])
        self.refused(board, "configuration space")

    def test_kernel_driver_bound(self):
        self.refused(self.board(driver="tsi721_mport"), "kernel driver", "vfio-pci")

    def test_no_iommu(self):
        self.refused(self.board(driver="vfio-pci"), "IOMMU")

    def test_no_uio_device(self):
        board = self.board()
        board.file("uio/uio0").rmdir()
        self.refused(board, "UIO")

    def test_bad_argument(self):
        self.refused(self.board(), "mrrs=6", "0 to 5", devargs=",mrrs=6")

    def test_null_device_argument(self):
        self.refused(self.board(), "fabric=x", "destid_bits", devargs=",fabric=x")

    def test_host_id_too_large(self):
        self.refused(self.board(), "hdid=255", "0 to 0xfe", devargs=",hdid=255")

    def test_no_such_interrupt(self):
        self.refused(self.board(), "intr=", devargs=",intr=msix")


class SecondaryProcess(Boards):
    """A secondary process looks at a board of the primary one, and leaves it alone."""

    def test_secondary(self):
        board = self.board()
        args = self.arguments(("-a", board.name))
        args["eal"] = [*args["eal"], "--file-prefix", "rio"]
        with testpmd.Testpmd(["net_null0"], **args) as pmd:
            self.assertEqual(rig.driver_lines(pmd.output), [])
            done = subprocess.run(
                ["nsenter", "--mount=/proc/%d/ns/mnt" % pmd.process.pid,
                 rig.BUILD / "test" / "driver" / "secondary", "--proc-type=secondary",
                 "--file-prefix", "rio", "-a", board.name, "-d", rig.BUILD / "drivers",
                 "--", board.name],
                env={**os.environ, **fakepci.environment(self.folder), **pmd.runtime.env},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, timeout=100, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(board.name + ": destination ID 0x0 of 8 bits, link down", done.stdout)
            self.check(board, UP)
            self.assertEqual(board.config(COMMAND) & MASTER, MASTER)
            self.assertEqual(pmd.quit(), 0)


class Hidden(Boards):
    """What a hypervisor may hide is done without."""

    def test_no_capabilities(self):
        board = self.board()
        space = bytearray(board.config_space())
        space[fakepci.CAP_PTR] = 0
        board.file("config").write_bytes(space)
        with self.pmd("-a", board.name) as pmd:
            lines = rig.driver_lines(pmd.output)
            self.check(board, UP)
            self.assertEqual(pmd.quit(), 0)
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("no PCI Express capability", lines[0])
        self.assertEqual(board.config(DEVCTL), 0x2810)
        self.assertEqual(board.config(EPCTL, "<I"), 0)

    def test_capabilities_in_a_circle(self):
        board = self.board()
        space = bytearray(board.config_space())
        space[fakepci.CAP_EXP] = 0x09
        space[fakepci.CAP_MSIX + 1] = fakepci.CAP_EXP
        board.file("config").write_bytes(space)
        with self.pmd("-a", board.name) as pmd:
            self.check(board, UP)
            self.assertEqual(pmd.quit(), 0)


if __name__ == "__main__":
    unittest.main()
