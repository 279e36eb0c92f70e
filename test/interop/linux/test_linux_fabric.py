# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Linux nodes on larger fabrics: enumeration through switches, nodes and links that go away."""

import contextlib
import json
import subprocess
import unittest

import uml

BUS = "/sys/bus/rapidio/devices"
FABRIC_TOOL = uml.BUILD / "app" / "dpdk-rio-fabric"
PING = uml.PROGRAMS / "ping_sizes"


class Fabric(unittest.TestCase):
    slow = not uml.kernel_cached()
    timeout = 1800

    @contextlib.contextmanager
    def fabric(self, topology, places, also=()):
        """Nodes at the places of a topology, the first being the host, enumerated."""
        uml.kernel()
        with contextlib.ExitStack() as stack:
            self.devices = stack.enter_context(uml.Devices(
                "linux", places, topology, {place: ["node=" + place] for place in places}))
            nodes = [stack.enter_context(self.node(place, -1 if i else 0))
                     for i, place in enumerate(places)]
            uml.scan(*nodes)
            yield nodes
            for node in nodes:
                if node.running():
                    self.assertEqual(node.warnings(also), [])
            for switch in self.show()["switches"]:
                self.assertEqual((switch["unknown_reads"], switch["unknown_writes"]), (0, 0))
            log = self.devices.stop()
        self.assertNotIn("unknown_reg", log)
        for line in log.splitlines():
            self.assertRegex(line, "kernel connected|connection ended")

    def node(self, place, hdid):
        return uml.Node(self.devices.socket(place), ["rapidio.hdid=%d" % hdid], "64M")

    def tool(self, *words):
        subprocess.run([FABRIC_TOOL, *words], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=20)

    def show(self):
        """What the fabric has counted."""
        done = subprocess.run([FABRIC_TOOL, "show", self.devices.fabric, "--json"], check=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=20)
        return json.loads(done.stdout)

    def destids(self, node):
        """Destination IDs of the endpoints that a node knows, its own included."""
        own = int(node.run("cat /sys/class/rapidio_port/rapidio0/port_destid"), 0)
        others = node.run("cat %s/*:e:*/destid" % BUS).split()
        return sorted([own, *(int(other, 0) for other in others)])

    def check_all_to_all(self, nodes):
        """Every node reads every other's identity by its ID, through the routes that were set."""
        everyone = self.destids(nodes[0])
        self.assertEqual(len(everyone), len(nodes))
        for node in nodes:
            self.assertEqual(self.destids(node), everyone)
            for other in node.run("cat %s/*:e:*/destid" % BUS).split():
                self.assertEqual(node.mport("read", other, 255, 0), "0x80ab0038")

    def up(self, nodes):
        for number, node in enumerate(nodes, 1):
            node.run("ip addr add 10.7.21.%d/24 dev eth0; ip link set eth0 up" % number)
        for number in range(2, len(nodes) + 1):
            nodes[0].until("ping -c 1 -W 2 10.7.21.%d" % number, "ping", 30)


class Enumeration(Fabric):
    def test_cable(self):
        """Two nodes and no switch."""
        with self.fabric("pair.ini", ["n0", "n1"]) as nodes:
            self.check_all_to_all(nodes)
            self.assertEqual(nodes[0].run("ls %s | wc -l" % BUS), "1")
            self.up(nodes)
            text = nodes[1].run("%s 10.7.21.1 1 4054 401" % PING)
            self.assertIn("11 sent, 0 lost, 0 wrong", text)

    def test_star_of_8(self):
        """Eight nodes around one switch find each other."""
        with self.fabric("star8.ini", ["n%d" % i for i in range(8)]) as nodes:
            self.check_all_to_all(nodes)
            for node in nodes:
                self.assertEqual(node.run("ls -d %s/*:s:*" % BUS), BUS + "/00:s:0002")
                self.assertRegex(node.run("readlink %s/*:s:*/driver" % BUS), "/idt_gen2$")
                routes = node.run("cat %s/*:s:*/routes" % BUS).splitlines()
                # An agent sees one for 0xff too.
                self.assertEqual(routes[:8], ["%04x %02x" % (i, i) for i in range(8)])

    def test_two_switches(self):
        """Nodes behind two switches, which their own driver takes."""
        with self.fabric("two-switches-16.ini", ["n0", "n7", "n8", "n15"]) as nodes:
            self.check_all_to_all(nodes)
            for node in nodes:
                drivers = node.run("for d in %s/*:s:*; do readlink $d/driver; done" % BUS).split()
                self.assertEqual(len(drivers), 2)
                self.assertTrue(all(driver.endswith("/idt_gen2") for driver in drivers))
            ways = [self.tags_on_the_way(nodes[0], nodes[3]),
                    self.tags_on_the_way(nodes[3], nodes[0])]
            self.assertEqual(ways[0], ways[1][::-1])
            self.assertNotEqual(*ways[0])
            self.up(nodes)
            text = nodes[1].run("%s 10.7.21.4 1 4054 401" % PING)
            self.assertIn("11 sent, 0 lost, 0 wrong", text)

    def tags_on_the_way(self, node, to):
        """Component tags of the two switches between nodes, by maintenance with hop counts."""
        destid = to.run("cat /sys/class/rapidio_port/rapidio0/port_destid")
        for hop in (0, 1):
            self.assertEqual(node.mport("read", destid, hop, 0), "0x03740038")
        return [node.mport("read", destid, hop, 0x6c) for hop in (0, 1)]

    def test_ring_of_4(self):
        """A redundant path confuses nobody."""
        with self.fabric("ring4.ini", ["n0", "n3", "n5"]) as nodes:
            self.check_all_to_all(nodes)


class Rionet(Fabric):
    def test_among_four(self):
        """Unicast goes to one, multicast to all that joined."""
        with self.fabric("star8.ini", ["n0", "n2", "n4", "n6"]) as nodes:
            self.up(nodes)
            for number in (2, 3, 4):
                before = [self.echoes(node) for node in nodes]
                text = nodes[0].run("%s 10.7.21.%d 1 4054 401" % (PING, number))
                self.assertIn("11 sent, 0 lost, 0 wrong", text)
                for other, node in enumerate(nodes, 1):
                    if other != number:
                        self.assertEqual(self.echoes(node), before[other - 1])
            for number in (3, 4):
                nodes[1].until("ping -c 1 -W 2 10.7.21.%d" % number, "ping", 30)
            others = [nodes[0], nodes[2], nodes[3]]
            wanted = [self.echoes(node) + 1 for node in others]
            nodes[1].try_run("ping -c 1 -W 1 10.7.21.255")  # heard by all, answered by none
            self.assertTrue(uml.wait_for(
                lambda: [self.echoes(node) for node in others] == wanted, 30))

    def echoes(self, node):
        """Echo requests that came: other traffic does not count."""
        names, values = node.run("grep ^Icmp: /proc/net/snmp").splitlines()
        return int(dict(zip(names.split(), values.split()))["InEchos"])


class Channels(Fabric):
    def test_echo(self):
        """Channelised messages of several sizes go there and back unchanged."""
        with self.fabric("star8.ini", ["n0", "n1"]) as (host, agent):
            for size in (24, 1000, 4096):
                agent.run(": >/mnt/cm; %s serve %d 50 >>/mnt/cm 2>&1 &"
                          % (uml.PROGRAMS / "rio_cm", size))
                agent.until("grep -q listening /mnt/cm", "listening channel")
                text = host.run("%s talk 1 %d 50 %d" % (uml.PROGRAMS / "rio_cm", size, size))
                self.assertEqual(text, "50 came back")
                agent.until("grep -q '50 served' /mnt/cm", "end of the other side")


class Links(Fabric):
    def test_port_write(self):
        """The host is told of a link that goes down, and comes up again."""
        with self.fabric("star8.ini", ["n0", "n1"]) as (host, agent):
            for fault in (["fault", self.devices.fabric, "n1", "down"],
                          ["clear", self.devices.fabric]):
                host.background("pw", "portwrite-wait", 30000)
                host.until("grep -q listening /mnt/pw", "receiver of port-writes")
                self.tool(*fault)
                words = host.background_end("pw").splitlines()[1].split()
                self.assertEqual(int(words[0], 0) & 0xffff, 2)  # the switch's component tag
                self.assertEqual(int(words[2], 0) & 0xff, 1)    # its port
            host.until("%s read 1 255 0" % (uml.PROGRAMS / "rio_mport"), "node behind the link")

    def test_messages_time_out(self):
        """Frames to a node whose link is down are lost; the sender goes on when it is up."""
        with self.fabric("star8.ini", ["n0", "n1", "n2"]) as (host, agent, other):
            self.up([host, agent, other])
            self.tool("fault", self.devices.fabric, "n1", "down")
            code, _ = host.try_run("ping -c 3 -W 2 10.7.21.2")
            self.assertNotEqual(code, 0)
            text = host.run("%s 10.7.21.3 1 4054 401" % PING)
            self.assertIn("11 sent, 0 lost, 0 wrong", text)
            self.tool("clear", self.devices.fabric)
            host.until("ping -c 1 -W 2 10.7.21.2", "ping after the link came back")

    def test_messages_fail(self):
        """Messages that are refused, lost, changed or put off; the channel goes on each time."""
        with self.fabric("star8.ini", ["n0", "n1", "n2"]) as nodes:
            host, _, other = nodes
            self.up(nodes)
            for number in (2, 3):
                host.until("ping -c 1 -W 2 10.7.21.%d" % number, "ping")
            # A message whose response is lost has arrived; of a changed one IP notices.
            for fault, lost in ((["error", "1/4"], True), (["timeout", "1/4"], False),
                                (["drop", "1/4"], True), (["corrupt"], True),
                                (["retry", "1/2"], False)):
                self.tool("fault", self.devices.fabric, "n1", *fault)
                _, text = host.try_run("%s 10.7.21.2 1 4054 1351 1000" % PING, 60)
                self.assertIn("4 sent, ", text)
                self.assertIn(" 0 wrong", text)
                if lost:
                    self.assertRegex(text, "second try|is lost")
                else:
                    self.assertIn(" 0 lost", text)
                # Frames to others go over the same channel.
                text = host.run("%s 10.7.21.3 1 4054 401" % PING, 60)
                self.assertIn("11 sent, 0 lost, 0 wrong", text)
                self.tool("clear", self.devices.fabric)
                host.until("ping -c 1 -W 2 10.7.21.2", "ping after '%s'" % " ".join(fault))
            text = other.run("%s 10.7.21.2 1 4054 401" % PING, 60)
            self.assertIn("11 sent, 0 lost, 0 wrong", text)

    def test_doorbells_overflow(self):
        """More doorbells than a queue holds, to a kernel that stands still: neither side minds."""
        with self.fabric("star8.ini", ["n0", "n1"],
                         ["event fifo overflow", "spurious DB"]) as (host, agent):
            agent.background("bells", "doorbell-wait", 0x2000, 0x2fff, 8, 30000)
            agent.until("grep -q listening /mnt/bells", "receiver of doorbells")
            with agent.stopped():
                for first in range(0x2000, 0x2400, 0x100):
                    host.mport("doorbell", 1, *range(first, first + 0x100))
            # Programs are given the first ten at most: no more are kept for one.
            self.assertEqual(agent.background_end("bells").splitlines()[1:],
                             ["0 0x%04x" % info for info in range(0x2000, 0x2008)])
            agent.background("bells", "doorbell-wait", 0x3000, 0x3000, 1, 30000)
            agent.until("grep -q listening /mnt/bells", "receiver of doorbells")
            host.mport("doorbell", 1, 0x3000)
            self.assertEqual(agent.background_end("bells").splitlines()[1:], ["0 0x3000"])

    def test_node_returns(self):
        """A killed node is gone for the others, and one of them again when it is added again.

        Linux's host enumerates once: what it would do for a new node is done by hand.
        """
        tag, control = 0x6c, 0x13c
        with self.fabric("star8.ini", ["n0", "n1", "n2"]) as nodes:
            host, agent, other = nodes
            self.up(nodes)
            other.until("ping -c 1 -W 2 10.7.21.2", "ping", 30)
            agent.close()
            code, _ = host.try_mport("read", 1, 255, 0)
            self.assertEqual(code, 1)
            self.assertEqual(other.mport("read", 0, 255, 0), "0x80ab0038")
            for node in (host, other):
                node.mport("device-delete", 1, 255, 3, "00:e:0003")
                self.assertNotIn("00:e:0003", node.run("ls " + BUS))
            with self.node("n1", -1) as again:
                host.until("%s read 1 255 0" % (uml.PROGRAMS / "rio_mport"), "the node's return")
                host.mport("write", 1, 255, tag, 3)
                host.mport("write", 1, 255, control, 0x60000000)  # discovered, may be master
                for node in (host, other):
                    node.mport("device-add", 1, 255, 3, "00:e:0003")
                    self.assertEqual(node.run("cat %s/00:e:0003/destid" % BUS), "0x0001")
                uml.scan(again)
                self.check_all_to_all([host, again, other])
                again.run("ip addr add 10.7.21.2/24 dev eth0; ip link set eth0 up")
                for number in (1, 3):
                    text = again.run("%s 10.7.21.%d 1 4054 811" % (PING, number), 60)
                    self.assertIn("5 sent, 0 lost, 0 wrong", text)
                # They had greeted it before it was up.
                self.assertEqual(again.warnings(["spurious DB"]), [])


if __name__ == "__main__":
    unittest.main()
