# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Two dpdk-testpmd processes with a port each, one processor each, and their traffic."""

import re
import time

import testpmd

BURST = 32
CRC = 4
TIMEOUT = 60


class PairError(Exception):
    """What was to be measured could not be."""


class End:
    """One process. The first word of a forwarding mode's line names the mode."""

    def __init__(self, vdev, cpu, mbuf_size, options, eal):
        # The main lcore, which waits for commands, and the worker share the processor.
        self.pmd = testpmd.Testpmd(
            [vdev], ["--mbuf-size=%d" % mbuf_size, "--burst=%d" % BURST, *options],
            eal, timeout=TIMEOUT, lcores="0@%d,1@%d" % (cpu, cpu))

    def __enter__(self):
        self.pmd.__enter__()
        if "Link status" not in self.pmd.command("show port info 0"):
            text = self.pmd.output
            self.pmd.close()
            said = re.search(r"^(?:net|raw)_\w+: .*$|^EAL: .*fail.*$", text, re.M)
            raise PairError(said[0] if said else "testpmd has no port")
        self.pmd.command("set record-core-cycles on")
        return self

    def __exit__(self, *_):
        self.pmd.close()

    def begin(self, mode):
        self.pmd.command("set fwd " + mode)
        self.pmd.command("start")

    def end(self):
        """Processor cycles that a packet took in this process, or None."""
        match = re.search(r"CPU cycles/packet=([\d.]+)", self.pmd.command("stop"))
        return float(match[1]) if match else None

    def counters(self):
        """(seconds, received, sent) now."""
        text = self.pmd.command("show port stats 0")
        now = time.monotonic()
        found = {name: int(value) for name, value in
                 re.findall(r"(RX-packets|TX-packets): +(\d+)", text)}
        if len(found) != 2:
            raise PairError("no statistics:\n" + self.pmd.tail())
        return now, found["RX-packets"], found["TX-packets"]

    def link_up(self):
        return re.search(r"^Link status: up", self.pmd.command("show port info 0"), re.M)


class Pair:
    """Both ends of a path, started and joined. Use as a context manager."""

    def __init__(self, path, cpus, size, mbuf_size, ring=1024, eal=()):
        self.path = path
        eal = [*eal, *path.eal]
        options = ["--rxd=%d" % ring, "--txd=%d" % ring]
        if path.sized:
            options.append("--max-pkt-len=%d" % max(1518, size + CRC))
        self.first = End(path.first, cpus[0], mbuf_size, options, eal)
        self.second = None
        self.make_second = lambda: End(path.second, cpus[1], mbuf_size, options, eal)

    def __enter__(self):
        try:
            self.first.__enter__()
            self.second = self.make_second()
            self.second.__enter__()
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # A memif server crashes at times when its client goes first.
        for end in (self.first, self.second):
            if end is not None:
                end.__exit__()

    def _wait(self):
        deadline = time.monotonic() + TIMEOUT
        while not (self.first.link_up() and self.second.link_up()):
            if time.monotonic() > deadline:
                raise PairError("%s: the ends do not find each other" % self.path.name)
            time.sleep(0.1)

    def ends(self):
        """(sender, receiver) of one-way traffic."""
        pair = (self.first, self.second)
        return pair if self.path.sender == "first" else pair[::-1]


def _rate(end, warm, seconds):
    time.sleep(warm)
    then, before, _ = end.counters()
    time.sleep(seconds)
    now, after, _ = end.counters()
    return (after - before) / (now - then)


def one_way(pair, size, warm, seconds):
    """txonly to rxonly: dictionary of packets a second and cycles a packet at both ends."""
    sender, receiver = pair.ends()
    sender.pmd.command("set txpkts %d" % size)
    receiver.begin("rxonly")
    sender.begin("txonly")
    try:
        rate = _rate(receiver, warm, seconds)
    finally:
        tx_cycles = sender.end()
        rx_cycles = receiver.end()
    return {"pps": rate, "tx_cycles": tx_cycles, "rx_cycles": rx_cycles}


def round_trip(pair, size, warm, seconds):
    """flowgen against macswap: packets a second that came back to where they began."""
    sender, receiver = pair.ends()
    sender.pmd.command("set txpkts %d" % size)
    receiver.begin("macswap")
    sender.begin("flowgen")
    try:
        rate = _rate(sender, warm, seconds)
    finally:
        tx_cycles = sender.end()
        rx_cycles = receiver.end()
    return {"pps": rate, "tx_cycles": tx_cycles, "rx_cycles": rx_cycles}


TRAFFIC = {"one-way": one_way, "round-trip": round_trip}
