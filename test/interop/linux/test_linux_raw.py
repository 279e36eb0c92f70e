# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Linux nodes and a DPDK program on a raw device: DMA, doorbells, registers, links that fail."""

import contextlib
import subprocess
import unittest

import dpdk
import uml

BUS = "/sys/bus/rapidio/devices"
FABRIC_TOOL = uml.BUILD / "app" / "dpdk-rio-fabric"
MPORT = uml.PROGRAMS / "rio_mport"
HOST, PROGRAM, AGENT = 0, 1, 2  # destination IDs
PROGRAM_WINDOW = 0x20000000
PROGRAM_SIZE = 16 << 20
LINUX_WINDOW = 0x10000000
LINUX_SIZE = 4 << 20  # the largest piece of memory that the kernel's allocator gives
ENDPOINT, SWITCH = "0x80ab0038", "0x03740038"

# What the kernel says of a DMA that failed: the driver at once, rio_mport after its time.
DMA_FAILED = ["tsi721_dma_tasklet: ERROR DMAC[0-6]_STS = 0x[0-9a-f]* did=%d" % PROGRAM,
              "timed out waiting for DMA_(READ|WRITE)", "failed waiting for DMA release"]


class Raw(unittest.TestCase):
    slow = not uml.kernel_cached()
    timeout = 1800

    @contextlib.contextmanager
    def fabric(self, also=()):
        """Linux host, DPDK program, Linux agent around one switch, enumerated."""
        uml.kernel()
        places = {"n0": ["node=n0"], "n2": ["node=n2"]}
        with uml.Devices("raw", ["n0", "n2"], "star8.ini", places) as self.devices, \
                dpdk.DpdkNode("fabric=%s,node=n1" % self.devices.fabric) as program, \
                uml.Node(self.devices.socket("n0"), ["rapidio.hdid=0"], "256M") as host, \
                uml.Node(self.devices.socket("n2"), ["rapidio.hdid=-1"]) as agent:
            uml.scan(host, agent)
            yield host, program, agent
            for node in (host, agent):
                self.assertEqual(node.warnings(also), [])
            log = self.devices.stop()
        self.assertNotIn("unknown_reg", log)
        for line in log.splitlines():
            self.assertRegex(line, "kernel connected|connection ended")

    def tool(self, *words):
        subprocess.run([FABRIC_TOOL, *words], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=60)

    def fault(self, *words):
        self.tool("fault", self.devices.fabric, *words)

    def clear(self):
        self.tool("clear", self.devices.fabric)

    def hold_window(self, node):
        node.background("window", "window-hold", LINUX_WINDOW, LINUX_SIZE)
        node.until("grep -q open /mnt/window", "inbound window")


class Dma(Raw):
    def test_from_linux(self):
        """Linux writes to the program's window and reads it, in each mode, up to 8 MB."""
        sizes = [1, 2, 3, 7, 8, 63, 64, 255, 256, 257, 4095, 4097, 65536, 1000003,
                 (4 << 20) + 1, 8 << 20]
        with self.fabric() as (host, program, _):
            program.run("window", PROGRAM_WINDOW, PROGRAM_SIZE)
            for seed, size in enumerate(sizes, 1):
                for mode in ("sync", "async", "faf"):
                    offset = seed % 9
                    there = (PROGRAM, PROGRAM_WINDOW + offset, size, seed, mode, seed % 5)
                    host.mport("dma-write", *there)
                    if mode == "faf":  # nobody is told when it is done
                        program.until("check", offset, size, seed, 0)
                    else:
                        program.run("check", offset, size, seed, 0)
                        host.mport("dma-read", *there)
                    program.run("set", 0)

    def test_to_linux(self):
        """The program writes to a Linux node's window and reads what Linux wrote there."""
        sizes = [1, 2, 7, 8, 255, 256, 257, 4097, 1000003, LINUX_SIZE - 16]
        with self.fabric() as (host, program, _):
            self.hold_window(host)
            window = (LINUX_WINDOW, LINUX_SIZE)
            for seed, size in enumerate(sizes, 1):
                offset = seed % 9
                program.run("dma-write", HOST, LINUX_WINDOW + offset, size, seed, seed % 5)
                host.mport("window-check", *window, offset, size, seed, 0)
                host.mport("window-fill", *window, offset, size, seed + 100)
                program.run("dma-read", HOST, LINUX_WINDOW + offset, size, seed + 100, seed % 5)
                host.mport("window-set", *window, 0)

    def test_both_ways(self):
        """Both write to each other at once, and the second Linux node to both."""
        with self.fabric() as (host, program, agent):
            program.run("window", PROGRAM_WINDOW, PROGRAM_SIZE)
            self.hold_window(host)
            loop = "for i in 1 2 3 4 5 6 7 8 9 10; do %s; done"
            write = "%s dma-write %%d %%d 300000 $i sync 0 || exit" % MPORT
            host.send(loop % (write % (PROGRAM, PROGRAM_WINDOW)))
            agent.send(loop % (write % (PROGRAM, PROGRAM_WINDOW + (1 << 20)) + "; " +
                               write % (HOST, LINUX_WINDOW + (1 << 20))))
            for seed in range(1, 101):
                program.run("dma-write", HOST, LINUX_WINDOW, 300000, seed, 0)
            for node in (host, agent):
                self.assertEqual(node.wait(timeout=120), (0, ""))
            for start in (0, 1 << 20):
                program.run("dma-read", HOST, LINUX_WINDOW + start, 300000,
                            10 if start else 100, 3)
                host.mport("dma-read", PROGRAM, PROGRAM_WINDOW + start, 300000, 10, "sync", 3)

    def test_error_in_the_middle(self):
        """An error response, or none, after half of a transfer: its channel goes on with others."""
        size = 8 << 20
        # A read has an answer to each packet of 256 bytes, a write one to each piece of memory,
        # of which there are two at least.
        with self.fabric(DMA_FAILED) as (host, program, _):
            program.run("window", PROGRAM_WINDOW, PROGRAM_SIZE)
            for seed, (way, *fault) in enumerate((("write", "error", "1/2"),
                                                  ("read", "error", "1/20000"),
                                                  ("read", "timeout", "1/20000")), 1):
                host.run("dmesg -c >/dev/null")
                self.fault("n1", *fault)
                host.background("dma", "dma-retry", 5, PROGRAM, PROGRAM_WINDOW, size, seed, way)
                host.until("dmesg | grep -q 'tsi721_dma_tasklet: ERROR'", "error of a " + way)
                if way == "read":
                    program.run("set", 0)
                    program.run("fill", 0, size, seed)
                self.clear()
                lines = host.background_end("dma").splitlines()
                self.assertRegex(lines[-1], r"^[1-4] failed$")
                self.assertEqual(set(lines[:-1]), {"transfer: Connection timed out"})
                program.run("check", 0, size, seed, 0)


class Doorbells(Raw):
    INFOS = [0x2000, 0x3000, 0x2001, 0x1fff, 0x20ff, 0x2100, 0x2000]
    TAKEN = [info for info in INFOS if 0x2000 <= info <= 0x20ff]

    def test_ranges(self):
        """Those in a range arrive in order with their source, others do not; both ways."""
        with self.fabric() as (host, program, agent):
            program.run("range", 0x2000, 0x20ff)
            for node, destid in ((host, HOST), (agent, AGENT)):
                node.mport("doorbell", PROGRAM, *self.INFOS)
                self.assertEqual(program.run("bells", len(self.TAKEN), 30),
                                 ["%d %#06x" % (destid, info) for info in self.TAKEN])
                node.background("bells", "doorbell-wait", 0x2000, 0x20ff, len(self.TAKEN), 30000)
                node.until("grep -q listening /mnt/bells", "receiver of doorbells")
                program.run("bell", destid, *self.INFOS)
                self.assertEqual(node.background_end("bells").splitlines()[1:],
                                 ["%d %#06x" % (PROGRAM, info) for info in self.TAKEN])
            # Two ranges, then one of them alone.
            program.run("range", 0x3000, 0x3000)
            host.mport("doorbell", PROGRAM, *self.INFOS)
            taken = [info for info in self.INFOS if info == 0x3000 or info in self.TAKEN]
            self.assertEqual(program.run("bells", len(taken), 30),
                             ["%d %#06x" % (HOST, info) for info in taken])
            program.run("range-end", 0x2000, 0x20ff)
            host.mport("doorbell", PROGRAM, *self.INFOS, 0x3000)
            self.assertEqual(program.run("bells", 2, 30), ["%d 0x3000" % HOST] * 2)

    def test_many(self):
        """More than a queue holds, one after the other: none is lost, none overtakes."""
        with self.fabric() as (host, program, _):
            program.run("range", 0x4000, 0x4fff)
            for first in range(0x4000, 0x4800, 0x100):
                host.mport("doorbell", PROGRAM, *range(first, first + 0x100))
            self.assertEqual(program.run("bells", 0x800, 60),
                             ["%d 0x%04x" % (HOST, info) for info in range(0x4000, 0x4800)])

    def test_full_queue(self):
        """A kernel that stands still gets more than its queue holds, then goes on as before."""
        with self.fabric(["event fifo overflow", "spurious DB"]) as (host, program, _):
            host.background("bells", "doorbell-wait", 0x2000, 0x2fff, 8, 30000)
            host.until("grep -q listening /mnt/bells", "receiver of doorbells")
            with host.stopped():
                for first in range(0x2000, 0x2400, 0x20):
                    program.run("bell", HOST, *range(first, first + 0x20))
            # Programs are given the first ten at most: no more are kept for one.
            self.assertEqual(host.background_end("bells").splitlines()[1:],
                             ["%d 0x%04x" % (PROGRAM, info) for info in range(0x2000, 0x2008)])
            host.background("bells", "doorbell-wait", 0x3000, 0x3000, 1, 30000)
            host.until("grep -q listening /mnt/bells", "receiver of doorbells")
            program.run("bell", HOST, 0x3000)
            self.assertEqual(host.background_end("bells").splitlines()[1:],
                             ["%d 0x3000" % PROGRAM])
            program.run("range", 0x2000, 0x2000)
            host.mport("doorbell", PROGRAM, 0x2000)
            self.assertEqual(program.run("bells", 1, 30), ["%d 0x2000" % HOST])


class Devices(Raw):
    def test_registers(self):
        """Each side reads and writes registers of all devices; all agree on the IDs."""
        with self.fabric() as (host, program, agent):
            names = host.run("ls %s | grep :e:" % BUS).split()
            ids = host.run("cat %s/*:e:*/destid" % BUS).split()
            self.assertEqual([int(destid, 0) for destid in ids], [PROGRAM, AGENT])
            self.assertEqual(len(names), 2)
            self.assertEqual(program.run("attr", "destid"), ["%#x" % PROGRAM])
            for everyone in (HOST, PROGRAM, AGENT):
                for peer in {HOST, PROGRAM, AGENT} - {everyone}:
                    self.check_registers(host, program, agent, everyone, peer)

    def check_registers(self, host, program, agent, own, peer):
        tag = 0x6c
        if own == PROGRAM:
            read = lambda *words: program.run("read", *words)[0]  # noqa: E731
            write = lambda *words: program.run("write", *words)   # noqa: E731
        else:
            node = host if own == HOST else agent
            read = lambda *words: node.mport("read", *words)      # noqa: E731
            write = lambda *words: node.mport("write", *words)    # noqa: E731
        self.assertEqual(read(peer, 255, 0), ENDPOINT)
        self.assertEqual(read(peer, 0, 0), SWITCH)
        self.assertEqual(read(peer, 255, 0x60), "0x%08x" % (peer << 16))
        before = read(peer, 255, tag)
        write(peer, 255, tag, 0x5a000000 + own)
        self.assertEqual(read(peer, 255, tag), "0x%08x" % (0x5a000000 + own))
        write(peer, 255, tag, before)

    def test_pulled_link(self):
        """The program's cable is pulled: a port-write says so, and all goes on once it is back."""
        with self.fabric() as (host, program, agent):
            program.run("window", PROGRAM_WINDOW, PROGRAM_SIZE)
            for state in ("down", "up"):
                host.background("pw", "portwrite-wait", 30000)
                host.until("grep -q listening /mnt/pw", "receiver of port-writes")
                if state == "down":
                    self.fault("n1", "down")
                else:
                    self.clear()
                words = host.background_end("pw").splitlines()[1].split()
                self.assertEqual(int(words[0], 0) & 0xffff, 2)  # the switch's component tag
                self.assertEqual(int(words[2], 0) & 0xff, PROGRAM)  # the port it is at
                if state == "down":
                    self.assertEqual(host.try_mport("read", PROGRAM, 255, 0)[0], 1)
                    self.assertEqual(agent.try_mport("read", PROGRAM, 255, 0)[0], 1)
                    self.assertFalse(program.try_run("read", HOST, 255, 0)[0])
                    self.assertEqual(agent.mport("read", HOST, 255, 0), ENDPOINT)
            for node in (host, agent):
                node.until("%s read %d 255 0" % (MPORT, PROGRAM), "node behind the link")
            program.until("read", HOST, 255, 0)
            host.mport("dma-write", PROGRAM, PROGRAM_WINDOW, 100000, 1, "sync", 0)
            program.run("check", 0, 100000, 1, 0)


if __name__ == "__main__":
    unittest.main()
