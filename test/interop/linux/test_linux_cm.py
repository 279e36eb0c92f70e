# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Channelised messages between Linux's rio_cm and a DPDK program."""

import itertools
import unittest

import test_linux_raw
import uml

CM = uml.PROGRAMS / "cm_linux"
HOST, PROGRAM, AGENT = test_linux_raw.HOST, test_linux_raw.PROGRAM, test_linux_raw.AGENT
PORT = 40


class Channels(test_linux_raw.Raw):
    def start(self, node, *words):
        """Run cm_linux in the background until it listens."""
        node.run(": >/mnt/cm; %s %s >>/mnt/cm 2>&1 &" % (CM, " ".join(map(str, words))))
        node.until("grep -q listening /mnt/cm", "listening channel")

    def clean(self, program):
        """Nothing was lost, and nothing came that should not."""
        self.assertEqual({line.split()[1] for line in program.run("cm-stats")}, {"0"})

    def test_program_connects(self):
        """To Linux's host and agent: messages of all lengths, and an end by either side."""
        with self.fabric() as (host, program, agent):
            program.run("cm-start")
            for (destid, node), closes in itertools.product(((HOST, host), (AGENT, agent)), (0, 1)):
                self.start(node, "serve", PORT, closes)
                program.run("cm-talk", destid, PORT, closes, timeout=120)
                node.until("grep -q good /mnt/cm", "end of the Linux side", 40)
            self.clean(program)

    def test_linux_connects(self):
        """From host and agent, one after the other, and both at once."""
        with self.fabric() as (host, program, agent):
            program.run("cm-start")
            program.run("cm-listen", PORT)
            for node, closes in itertools.product((host, agent), (0, 1)):
                node.send("%s talk %d %d %d" % (CM, PROGRAM, PORT, closes))
                program.run("cm-serve", PORT, closes, timeout=120)
                code, text = node.wait(timeout=60)
                self.assertEqual((code, text.strip()), (0, "good"))
            for node in (host, agent):
                node.send("%s talk %d %d 1" % (CM, PROGRAM, PORT))
            for _ in range(2):
                program.run("cm-serve", PORT, 1, timeout=120)
            for node in (host, agent):
                code, text = node.wait(timeout=60)
                self.assertEqual((code, text.strip()), (0, "good"))
            self.clean(program)

    def test_nobody_listens(self):
        """The program refuses at once; Linux says nothing, and has no harm."""
        with self.fabric() as (host, program, _):
            program.run("cm-start")
            host.send("%s refused %d %d" % (CM, PROGRAM, PORT))
            program.run("cm-refuse")
            code, text = host.wait()
            self.assertEqual((code, text.strip()), (0, "good"))
            program.run("cm-silence", HOST, PORT)
            self.start(host, "serve", PORT, 0)
            program.run("cm-talk", HOST, PORT, 0, timeout=120)
            host.until("grep -q good /mnt/cm", "end of the Linux side", 40)

    def test_killed(self):
        """A Linux program that is killed ends its connection; a link that fails loses it."""
        with self.fabric() as (host, program, agent):
            program.run("cm-start")
            program.run("cm-listen", PORT)
            self.start(agent, "hold", PORT)
            program.run("cm-connect", AGENT, PORT)
            agent.run("kill -9 $!")
            program.run("cm-lost", "closed", timeout=60)
            self.start(agent, "hold", PORT)
            program.run("cm-connect", AGENT, PORT)
            self.fault("n2", "down")
            program.run("cm-lost", "unreachable", timeout=60)
            # The other node is none the worse, nor is this one once it is there again.
            host.send("%s talk %d %d 1" % (CM, PROGRAM, PORT))
            program.run("cm-serve", PORT, 1, timeout=120)
            self.assertEqual(host.wait(timeout=60)[0], 0)
            self.clear()
            agent.run("kill -9 $!")
            self.start(agent, "serve", PORT, 1)
            program.run("cm-talk", AGENT, PORT, 1, timeout=120)
            agent.until("grep -q good /mnt/cm", "end of the Linux side", 40)


if __name__ == "__main__":
    unittest.main()
