#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Makes a capture of many protocols and sizes. Same seed, same frames.

usage: generate.py OUTPUT.pcap [COUNT [SEED [LONGEST]]]
"""

import random
import struct
import sys

import capture

BROADCAST = b"\xff" * 6
LLDP_MULTICAST = bytes.fromhex("0180c200000e")
ETH_IPV4, ETH_ARP, ETH_VLAN, ETH_IPV6, ETH_LLDP = 0x0800, 0x0806, 0x8100, 0x86dd, 0x88cc


def checksum(data):
    """The Internet checksum (RFC 1071)."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def host(number):
    """Addresses of one of the made-up hosts: MAC, IPv4, IPv6."""
    return (b"\x02\0\0\0\0" + bytes([number]), bytes([192, 0, 2, number]),
            bytes.fromhex("20010db8") + bytes(11) + bytes([number]))


def ethernet(dst, src, kind, payload):
    return dst + src + struct.pack(">H", kind) + payload


def arp(src, dst):
    body = struct.pack(">HHBBH", 1, ETH_IPV4, 6, 4, 1) + src[0] + src[1] + bytes(6) + dst[1]
    return ethernet(BROADCAST, src[0], ETH_ARP, body.ljust(46, b"\0"))


def lldp(src):
    def tlv(kind, value):
        return struct.pack(">H", kind << 9 | len(value)) + value
    body = tlv(1, b"\x04" + src[0]) + tlv(2, b"\x05port0") + tlv(3, b"\0\x78") + tlv(0, b"")
    return ethernet(LLDP_MULTICAST, src[0], ETH_LLDP, body)


def transport(protocol, pseudo, ports, payload, sequence):
    """A UDP or TCP segment with its checksum."""
    if protocol == 17:
        head = struct.pack(">HHHH", *ports, 8 + len(payload), 0)
        at = 6
    else:
        head = struct.pack(">HHIIBBHHH", *ports, sequence, 1, 5 << 4, 0x18, 8192, 0, 0)
        at = 16
    segment = head + payload
    value = checksum(pseudo + struct.pack(">II", len(segment), protocol) + segment) or 0xffff
    return segment[:at] + struct.pack(">H", value) + segment[at + 2 :]


def ipv4(src, dst, protocol, payload, ident):
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), ident, 0, 64, protocol, 0)
    head += src[1] + dst[1]
    head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
    return head + payload


def ipv6(src, dst, protocol, payload):
    return struct.pack(">IHBB", 6 << 28, len(payload), protocol, 64) + src[2] + dst[2] + payload


def icmp_echo(payload, sequence):
    head = struct.pack(">BBHHH", 8, 0, 0, 77, sequence)
    return head[:2] + struct.pack(">H", checksum(head + payload)) + head[4:] + payload


def frame(rng, index, size):
    """One frame of about `size` bytes; its kind follows from its index."""
    src, dst = (host(n) for n in rng.sample(range(1, 9), 2))
    kind = ("udp4", "tcp4", "udp6", "tcp6", "vlan", "icmp", "mcast", "arp", "lldp")[index % 9]
    if kind == "arp":
        return arp(src, dst)
    if kind == "lldp":
        return lldp(src)
    # The longest headers here are 74 bytes: Ethernet, IPv6, TCP.
    data = rng.randbytes(max(size - 74, 0))
    ports = (rng.randrange(1024, 65536), rng.randrange(1, 1024))
    if kind == "icmp":
        return ethernet(dst[0], src[0], ETH_IPV4, ipv4(src, dst, 1, icmp_echo(data, index & 0xffff),
                                                       index & 0xffff))
    if kind in ("udp6", "tcp6"):
        protocol = 17 if kind == "udp6" else 6
        body = transport(protocol, src[2] + dst[2], ports, data, index)
        return ethernet(dst[0], src[0], ETH_IPV6, ipv6(src, dst, protocol, body))
    if kind == "mcast":
        dst = (b"\x01\0\x5e\x01\x02\x03", bytes([239, 1, 2, 3]), None)
    protocol = 6 if kind == "tcp4" else 17
    body = transport(protocol, src[1] + dst[1], ports, data, index)
    packet = ipv4(src, dst, protocol, body, index & 0xffff)
    if kind == "vlan":
        tag = struct.pack(">HH", 5 << 13 | 42, ETH_IPV4)
        return ethernet(dst[0], src[0], ETH_VLAN, tag + packet)
    return ethernet(dst[0], src[0], ETH_IPV4, packet)


def frames(count, seed=1, longest=1514):
    """`count` frames from about 42 to at most `longest` bytes."""
    rng = random.Random(seed)
    made = []
    for index in range(count):
        size = min(longest, rng.choice((64, 128, 256, 512, 1024, longest,
                                        rng.randrange(60, longest + 1))))
        made.append(frame(rng, index, size))
    assert all(len(f) <= longest for f in made)
    return made


def main():
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    count, seed, longest = (list(map(int, sys.argv[2:])) + [2000, 1, 1514][len(sys.argv) - 2 :])
    capture.write(sys.argv[1], frames(count, seed, longest))


if __name__ == "__main__":
    main()
