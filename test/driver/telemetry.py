# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The telemetry socket of a running testpmd."""

import json
import pathlib
import socket

PATIENCE = 60


class Telemetry:
    """prefix: what all commands begin with, as "/rionet/"."""

    def __init__(self, tester, prefix):
        path = next(pathlib.Path(tester.runtime.path).rglob("dpdk_telemetry.v2"))
        self.prefix = prefix
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.socket.recv(1 << 16)

    def ask(self, command, *params):
        self.socket.send(",".join([self.prefix + command, *map(str, params)]).encode())
        return json.loads(self.socket.recv(1 << 18))[self.prefix + command]

    def close(self):
        self.socket.close()
