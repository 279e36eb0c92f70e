# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Captures in memory: reads pcap and pcapng, writes pcap."""

import struct

ETHERNET = 1  # LINKTYPE_ETHERNET

PCAP_MAGICS = {
    b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<",  # microseconds, nanoseconds
    b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">",
}
PCAPNG_MAGIC = b"\x0a\x0d\x0d\x0a"
PCAPNG_SECTION = 0x0a0d0d0a


class CaptureError(Exception):
    """One line that says what is wrong with a file."""


def _read_pcap(data, order, path):
    if len(data) < 24:
        raise CaptureError("%s: ends inside the file header" % path)
    linktype = struct.unpack_from(order + "I", data, 20)[0] & 0xffff
    frames = []
    offset = 24
    while offset < len(data):
        if offset + 16 > len(data):
            raise CaptureError("%s: ends inside a frame header" % path)
        length = struct.unpack_from(order + "I", data, offset + 8)[0]
        offset += 16
        if offset + length > len(data):
            raise CaptureError("%s: ends inside frame %d" % (path, len(frames) + 1))
        frames.append(data[offset : offset + length])
        offset += length
    return {linktype}, frames


def _pcapng_blocks(data, path):
    """Yield (byte order, type, body) of each block."""
    order = "<"
    offset = 0
    while offset < len(data):
        if data[offset : offset + 4] == PCAPNG_MAGIC:
            order = "<" if data[offset + 8 : offset + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        if offset + 12 > len(data):
            raise CaptureError("%s: ends inside a block header" % path)
        kind, length = struct.unpack_from(order + "II", data, offset)
        if length < 12 or length % 4 or offset + length > len(data):
            raise CaptureError("%s: block of %d bytes at offset %d" % (path, length, offset))
        yield order, kind, data[offset + 8 : offset + length - 4]
        offset += length


def _pcapng_cut(body, offset, length, path, number):
    """The frame at `offset` of a block."""
    if offset + length > len(body):
        raise CaptureError("%s: frame %d of %d bytes is longer than its block"
                           % (path, number, length))
    return body[offset : offset + length]


def _read_pcapng(data, path):
    linktypes, frames, snaplens = set(), [], []
    try:
        for order, kind, body in _pcapng_blocks(data, path):
            if kind == PCAPNG_SECTION:
                snaplens = []  # a section describes its own interfaces
                continue
            if kind == 1:  # interface description
                linktype, _, snaplen = struct.unpack_from(order + "HHI", body)
                linktypes.add(linktype)
                snaplens.append(snaplen or 0xffffffff)
                continue
            if kind == 6:  # enhanced packet
                interface, length = struct.unpack_from(order + "I8xI", body)
                offset = 20
            elif kind == 2:  # packet, which enhanced packets replaced
                interface, length = struct.unpack_from(order + "H10xI", body)
                offset = 20
            elif kind == 3:  # simple packet: of the first interface, cut at its limit
                interface, length = 0, struct.unpack_from(order + "I", body)[0]
                length = min([length, *snaplens[:1]])
                offset = 4
            else:
                continue
            if interface >= len(snaplens):
                raise CaptureError("%s: frame %d is of interface %d, which is not described"
                                   % (path, len(frames) + 1, interface))
            frames.append(_pcapng_cut(body, offset, length, path, len(frames) + 1))
    except struct.error as error:
        raise CaptureError("%s: a block is too short: %s" % (path, error)) from error
    return linktypes, frames


def read(path):
    """The frames of an Ethernet capture, in order. Raises CaptureError."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise CaptureError("%s: %s" % (path, error.strerror)) from error
    if not data:
        raise CaptureError("%s: empty file" % path)
    if data[:4] in PCAP_MAGICS:
        linktypes, frames = _read_pcap(data, PCAP_MAGICS[data[:4]], path)
    elif data[:4] == PCAPNG_MAGIC:
        linktypes, frames = _read_pcapng(data, path)
    else:
        raise CaptureError("%s: neither pcap nor pcapng" % path)
    others = sorted(linktypes - {ETHERNET})
    if others:
        raise CaptureError("%s: link type %d, only Ethernet (%d) can be replayed"
                           % (path, others[0], ETHERNET))
    return frames


def write(path, frames, linktype=ETHERNET, snaplen=262144):
    """Write frames as a pcap file, a microsecond apart."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, snaplen, linktype))
        for index, frame in enumerate(frames):
            file.write(struct.pack("<IIII", index // 1000000, index % 1000000,
                                   len(frame), len(frame)))
            file.write(frame)
