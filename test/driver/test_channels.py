# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Two processes talk in channelised messages; one of them is killed."""

import os
import re
import signal
import subprocess
import unittest

from rig import BUILD, testpmd

PROGRAM = BUILD / "test" / "driver" / "channels"
PORT = 5
SERVER, TALKER, OTHER = 2, 1, 3  # destination IDs
ENDLESS = 1 << 30


class Channels(unittest.TestCase):
    def start(self, destid, until, *words, args=""):
        """A process on the fabric, once it has said this line."""
        runtime = testpmd.RuntimeFolder()
        self.addCleanup(runtime.remove)
        command = [PROGRAM, *testpmd.eal_options(), "--no-telemetry", "--log-level=error", "--vdev",
                   "raw_tsi7210,fabric=channels-%d,destid=%d%s" % (os.getpid(), destid, args),
                   "--", *map(str, words)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   env={**os.environ, **runtime.env}, text=True,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(testpmd.stop, process)
        while True:
            line = process.stdout.readline()
            self.assertNotEqual(line, "", "it ended")
            if line == until + "\n":
                return process

    def end(self, process, code=0):
        """Messages; connections that the other side closed; those that were lost."""
        output = process.communicate(timeout=100)[0]
        self.assertEqual(process.returncode, code, output)
        return tuple(map(int, re.search(r"(\d+) messages, (\d+) closed, (\d+) lost",
                                        output).groups()))

    def serve(self, how, connections):
        return self.start(SERVER, "listening", "serve", how, PORT, connections)

    def talk(self, connections, messages, destid=TALKER, args=""):
        return self.start(destid, "connected", "talk", SERVER, PORT, connections, messages,
                          args=args)

    def exchange(self, how, args=""):
        server = self.serve(how, 8 + 3)
        first, second = self.talk(8, 400, args=args), self.talk(3, 500, OTHER)
        self.assertEqual(self.end(first), (3200, 0, 0))
        self.assertEqual(self.end(second), (1500, 0, 0))
        self.assertEqual(self.end(server), (4700, 11, 0))

    def test_polled(self):
        """Two processes, with eight and three connections to a third; all is checked."""
        self.exchange("poll")

    def test_sleeping(self):
        """The same, and who serves sleeps when there is nothing."""
        self.exchange("sleep")

    def test_threads(self):
        """Engines of one run in a thread."""
        self.exchange("sleep", ",exec=thread")

    def test_talker_killed(self):
        """In the middle of it; who serves goes on with another process in its place."""
        server = self.serve("sleep", 4 + 2)
        talker = self.talk(4, ENDLESS)
        os.kill(talker.pid, signal.SIGKILL)
        talker.wait()
        self.assertEqual(self.end(self.talk(2, 200)), (400, 0, 0))
        _, closed, lost = self.end(server)
        # Those that were lost may be found out by the new process: it refuses them.
        self.assertEqual(closed + lost, 6)
        self.assertGreaterEqual(closed, 2)

    def test_talker_killed_silent(self):
        """Nobody takes its place: probes tell."""
        server = self.serve("sleep", 4)
        talker = self.talk(4, ENDLESS)
        os.kill(talker.pid, signal.SIGKILL)
        talker.wait()
        self.assertEqual(self.end(server)[1:], (0, 4))

    def test_server_killed(self):
        """All connections to it are lost, and one with its number takes new ones."""
        server = self.serve("poll", 99)
        talker = self.talk(4, ENDLESS)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        self.assertEqual(self.end(talker)[1:], (0, 4))
        server = self.serve("poll", 2)
        self.assertEqual(self.end(self.talk(2, 200)), (400, 0, 0))
        self.assertEqual(self.end(server), (400, 2, 0))


if __name__ == "__main__":
    unittest.main()
