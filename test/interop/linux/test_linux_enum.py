# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Who enumerates: our driver with Linux nodes that discover, and the other way round.

Fabrics begin without destination IDs and routes. Afterwards all sides must know the same.
"""

import contextlib
import pathlib
import re
import sys
import tempfile
import unittest

import dpdk
import uml

sys.path.insert(0, str(uml.ROOT / "app" / "replay"))
import testpmd  # noqa: E402 pylint: disable=wrong-import-position

BUS = "/sys/bus/rapidio/devices"
MPORT = uml.PROGRAMS / "rio_mport"
PING = uml.PROGRAMS / "ping_sizes"
ENDPOINT = "0x80ab0038"
TAG = 0x6c
TOPOLOGIES = {  # and where nodes are, the host first
    "pair": ["n0", "n1"],
    "star8": ["n0", "n1", "n3", "n6"],
    "two-switches-16": ["n0", "n3", "n8", "n15"],
    "ring4": ["n0", "n1", "n4", "n7"],
}


def unenumerated(name, folder):
    """A shipped topology without destination IDs, hosts and routes, as a file in `folder`."""
    lines, section = [], ""
    for line in (uml.ROOT / "config" / "fabrics" / (name + ".ini")).read_text().splitlines():
        if line.startswith("["):
            section = line.split()[0].strip("[]")
        if section == "routes":
            continue
        if section == "endpoints":
            line = re.sub("=.*", "= none", line)
        lines.append(line)
        if line == "[fabric]":
            lines.append("enumerated = 0")
    path = pathlib.Path(folder, name + ".ini")
    path.write_text("\n".join(lines) + "\n")
    return path


def linux_view(node):
    """What a Linux node knows: {tag: destination ID} of endpoints, {tag: routes} of switches."""
    endpoints = {int(node.mport("local-read", TAG), 0):
                 int(node.run("cat /sys/class/rapidio_port/rapidio0/port_destid"), 0)}
    switches = {}
    for name in node.run("ls " + BUS).split():
        kind, tag = name.split(":")[1:]
        if kind == "e":
            endpoints[int(tag, 16)] = int(node.run("cat %s/%s/destid" % (BUS, name)), 0)
        else:
            text = node.run("cat %s/%s/routes" % (BUS, name))
            switches[int(tag, 16)] = dict(tuple(int(word, 16) for word in line.split())
                                          for line in text.splitlines())
    return endpoints, switches


def dpdk_view(program):
    """The same of our driver."""
    endpoints, switches = {}, {}
    for line in program.run("devices"):
        kind, tag, destid, _ = line.split()
        if kind == "e":
            endpoints[int(tag)] = int(destid)
        else:
            switches[int(tag)] = dict(tuple(map(int, line.split()))
                                      for line in program.run("routes", tag))
    return endpoints, switches


class Enum(unittest.TestCase):
    slow = not uml.kernel_cached()
    timeout = 1800

    @contextlib.contextmanager
    def devices(self, topology, linux):
        uml.kernel()
        with tempfile.TemporaryDirectory() as folder:
            with uml.Devices("enum", linux, unenumerated(topology, folder),
                             {place: ["node=" + place] for place in linux}) as devices:
                yield devices
                log = devices.stop()
        self.assertNotIn("unknown_reg", log)
        for line in log.splitlines():
            self.assertRegex(line, "kernel connected|connection ended")

    def node(self, devices, place, hdid=-1):
        return uml.Node(devices.socket(place), ["rapidio.hdid=%d" % hdid], "64M")

    def program(self, devices, place, hdid):
        return dpdk.DpdkNode("fabric=%s,node=%s,hdid=%d" % (devices.fabric, place, hdid))

    def wait_known(self, program, endpoints, timeout=60):
        """Our driver knows so many endpoints, and all that there is to know."""
        def known():
            text = program.run("fabric")[0]
            return "state=complete " in text and " endpoints=%d " % endpoints in text
        self.assertTrue(uml.wait_for(known, timeout), program.run("fabric"))

    def check_views(self, programs, nodes):
        """All sides know the same devices by the same tags and IDs, and the same routes."""
        endpoints, switches = dpdk_view(programs[0])
        self.assertEqual(len(endpoints), len(programs) + len(nodes))
        self.assertEqual(len(set(endpoints.values())), len(endpoints))
        for routes in switches.values():
            self.assertEqual(set(routes), set(endpoints.values()))
        for program in programs[1:]:
            self.assertEqual(dpdk_view(program), (endpoints, switches))
        for node in nodes:
            there, tables = linux_view(node)
            self.assertEqual(there, endpoints)
            # Others may be left from the enumeration: to nobody, or to what is 0xff.
            self.assertEqual({tag: {destid: port for destid, port in routes.items()
                                    if destid in endpoints.values()}
                              for tag, routes in tables.items()}, switches)
            drivers = node.run("for d in %s/*:s:*; do [ ! -e $d ] || readlink $d/driver; done"
                               % BUS).split()
            self.assertEqual(len(drivers), len(switches))
            self.assertTrue(all(driver.endswith("/idt_gen2") for driver in drivers))

    def check_reads(self, programs, nodes):
        """Everyone reads everyone's identity by its ID: routes lead there and back."""
        for tag, destid in dpdk_view(programs[0])[0].items():
            for node in nodes:
                if int(node.mport("local-read", TAG), 0) != tag:
                    self.assertEqual(node.mport("read", destid, 255, 0), ENDPOINT)
                    self.assertEqual(int(node.mport("read", destid, 255, TAG), 0), tag)
            for program in programs:
                if int(program.run("attr", "destid")[0], 0) != destid:
                    self.assertEqual(program.run("read", destid, 255, TAG), ["0x%08x" % tag])

    def check_rionet(self, nodes):
        """Frames go between all Linux nodes."""
        for number, node in enumerate(nodes, 1):
            node.run("ip addr add 10.7.21.%d/24 dev eth0; ip link set eth0 up" % number)
        nodes[0].until("ping -c 1 -W 2 10.7.21.%d" % len(nodes), "ping", 30)
        for number, node in enumerate(nodes, 1):
            for to in range(1, len(nodes) + 1):
                if to != number:
                    text = node.run("%s 10.7.21.%d 1 4054 811" % (PING, to), 60)
                    self.assertIn("5 sent, 0 lost, 0 wrong", text)


class OurHost(Enum):
    def test_topologies(self):
        """Our driver enumerates, Linux nodes discover what it did.

        Not where switches form a loop: Linux's discovery takes routes for those of a tree.
        """
        for topology, places in TOPOLOGIES.items():
            if topology == "ring4":
                continue
            with self.subTest(topology), self.devices(topology, places[1:]) as devices, \
                    contextlib.ExitStack() as stack:
                # One node is there before the host, the others come later.
                nodes = [stack.enter_context(self.node(devices, places[1]))]
                program = stack.enter_context(self.program(devices, places[0], 0))
                nodes += [stack.enter_context(self.node(devices, place)) for place in places[2:]]
                self.wait_known(program, len(places))
                uml.scan(*nodes)
                self.check_views([program], nodes)
                self.check_reads([program], nodes)
                if len(nodes) > 1:
                    self.check_rionet(nodes)
                for node in nodes:
                    self.assertEqual(node.warnings(), [])

    def test_node_returns(self):
        """A node that was killed is gone; it gets its ID again when it is back."""
        with self.devices("star8", ["n1", "n3"]) as devices, \
                self.program(devices, "n0", 0) as program, \
                self.node(devices, "n3") as other:
            with self.node(devices, "n1") as node:
                self.wait_known(program, 3)
                uml.scan(other, node)
                self.check_rionet([other, node])
                own = int(node.run("cat /sys/class/rapidio_port/rapidio0/port_destid"), 0)
                tag = int(node.mport("local-read", TAG), 0)
            self.wait_known(program, 2)
            self.assertEqual(other.try_mport("read", own, 255, 0)[0], 1)
            other.mport("device-delete", own, 255, tag, "00:e:%04x" % tag)
            with self.node(devices, "n1") as node:
                self.wait_known(program, 3)
                uml.scan(node)
                destid = int(node.run("cat /sys/class/rapidio_port/rapidio0/port_destid"), 0)
                self.assertEqual(destid, own)
                # Linux does not look for devices again by itself. It greets the new one, who
                # does not listen yet; the other way round the greeting would not be returned.
                tag = int(node.mport("local-read", TAG), 0)
                other.mport("device-add", own, 255, tag, "00:e:%04x" % tag)
                self.check_views([program], [other, node])
                node.run("ip addr add 10.7.21.2/24 dev eth0; ip link set eth0 up")
                node.until("ping -c 1 -W 2 10.7.21.1", "ping", 30)
                text = other.run("%s 10.7.21.2 1 4054 811" % PING, 60)
                self.assertIn("5 sent, 0 lost, 0 wrong", text)
                self.assertEqual(node.warnings(["spurious DB"]), [])
            self.assertEqual(other.warnings(), [])

    def test_port_is_host(self):
        """A port of ours enumerates and is one of the Ethernet's stations."""
        with self.devices("star8", ["n1", "n3"]) as devices, \
                testpmd.Testpmd(["net_rionet0,fabric=%s,node=n0,hdid=0" % devices.fabric],
                                ["--max-pkt-len=4096", "--mbuf-size=4352",
                                 "--forward-mode=icmpecho"]) as pmd, \
                self.node(devices, "n1") as first, self.node(devices, "n3") as second:
            pmd.command("start")
            for node in (first, second):
                node.until("%s local-read 0x13c | grep -q 0x[67ef]" % MPORT,
                           "discovered by the host", 60)
            uml.scan(first, second)
            for number, node in enumerate((first, second), 1):
                node.run("ip addr add 10.7.21.%d/24 dev eth0; ip link set eth0 up" % number)
            for node in (first, second):
                node.until("ping -c 1 -W 2 10.7.21.77", "ping", 30)
                text = node.run("%s 10.7.21.77 1 4054 811" % PING, 60)
                self.assertIn("5 sent, 0 lost, 0 wrong", text)
                self.assertIn("lladdr 00:01:00:01:00:00", node.run("ip neigh show 10.7.21.77"))
            self.assertEqual(pmd.xstats(0)["peers_joined"], 2)
            for node in (first, second):
                self.assertEqual(node.warnings(), [])


class LinuxHost(Enum):
    def test_topologies(self):
        """Linux enumerates each shipped topology; our driver, an agent, discovers what it did."""
        for topology, places in TOPOLOGIES.items():
            linux, ours = [places[0], *places[2:3]], [places[1], *places[3:4]]
            with self.subTest(topology), self.devices(topology, linux) as devices, \
                    contextlib.ExitStack() as stack:
                programs = [stack.enter_context(self.program(devices, place, -1))
                            for place in ours]
                nodes = [stack.enter_context(self.node(devices, place, -1 if i else 0))
                         for i, place in enumerate(linux)]
                uml.scan(*nodes)
                for program in programs:
                    self.wait_known(program, len(places))
                self.check_views(programs, nodes)
                self.check_reads(programs, nodes)
                if len(nodes) > 1:
                    self.check_rionet(nodes)
                for node in nodes:
                    self.assertEqual(node.warnings(), [])


if __name__ == "__main__":
    unittest.main()
