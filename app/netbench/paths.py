# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""The paths that the benchmark of ports puts side by side: who has which port."""

import dataclasses
import os


@dataclasses.dataclass
class Path:
    """
    A way from one process to another. Each end has one port.

    name: in tables. text: what it is. first, second: --vdev values; the end that must be
    there for the other comes first. sender: "first" or "second", who sends in one-way
    traffic. eal: EAL options of both. limit: the longest frame in bytes, without FCS.
    sized: whether a port must be told the longest frame (net_memif refuses to be, and takes
    any).
    """

    name: str
    text: str
    first: str
    second: str
    sender: str
    eal: tuple = ()
    limit: int = 65000
    sized: bool = False


def _memif(folder, tag):
    socket = os.path.join(folder, tag + ".sock")
    common = "socket=%s,socket-abstract=no,rsize=10" % socket
    return "net_memif0,role=server," + common, "net_memif0,role=client," + common


def memif_copy(folder, tag):
    server, client = _memif(folder, tag)
    return Path("memif-copy", "net_memif, copied by both ends", server, client, "second")


def memif_zero_copy(folder, tag):
    server, client = _memif(folder, tag)
    return Path("memif-zc", "net_memif, the client's buffers shown to the server",
                server, client + ",zero-copy=yes", "second", ("--single-file-segments",))


def _rionet(name, text, tag, mode, extra="", limit=65000):
    device = "net_rionet0,fabric=%s,destid=%%d,mode=%s%s" % (tag, mode, extra)
    return Path(name, text, device % 1, device % 0, "second", (), limit, True)


def rionet_msg(_, tag):
    return _rionet("rionet-msg", "net_rionet, messages", tag, "msg", limit=4096)


def rionet_dma(_, tag):
    return _rionet("rionet-dma", "net_rionet, block DMA", tag, "dma")


def rionet_dma_copy(_, tag):
    return _rionet("rionet-dma-copy", "net_rionet, block DMA, rx=copy", tag, "dma", ",rx=copy")


def rionet_dma_zc(_, tag):
    return _rionet("rionet-dma-zc", "net_rionet, block DMA, rx=zc", tag, "dma", ",rx=zc")


def rionet_pio(_, tag):
    return _rionet("rionet-pio", "net_rionet, written by the processor", tag, "pio")


ALL = {
    "rionet-dma": rionet_dma,
    "rionet-dma-copy": rionet_dma_copy,
    "rionet-dma-zc": rionet_dma_zc,
    "rionet-msg": rionet_msg,
    "rionet-pio": rionet_pio,
    "memif-copy": memif_copy,
    "memif-zc": memif_zero_copy,
}
DEFAULT = ("rionet-dma", "rionet-msg", "memif-copy", "memif-zc")
REFERENCE = ("memif-copy", "memif-zc")
