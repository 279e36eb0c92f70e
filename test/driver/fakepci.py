# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""
PCI devices that are files: what a kernel's UIO driver shows of a board in sysfs
and /dev, made in a folder, and seen by one process in a mount namespace of its own.

BARs and configuration space are plain files: what is written stays, nothing
else happens. So a test prepares registers, and afterwards reads what was written.
"""

import mmap
import os
import pathlib
import shlex
import struct
import subprocess

BAR_SIZES = (0x80000, 0x1000000, 0x100000, 0, 0x100000)
CONFIG_SIZE = 4096
# Where capabilities lie; the list goes through them in this order.
CAP_EXP, CAP_PM, CAP_MSI, CAP_MSIX = 0x40, 0x80, 0x90, 0xa0
COMMAND, CAP_PTR = 0x04, 0x34
DEVCTL, DEVCTL2 = CAP_EXP + 0x08, CAP_EXP + 0x28
EPCTL = 0x400
IDENTITY = 0x80ab0038


def unshare_error():
    """Why mount namespaces cannot be had here; None: they can."""
    if os.getuid() != 0:
        return "needs root: mount namespaces, physical addresses"
    done = subprocess.run(["unshare", "--mount", "true"], capture_output=True, text=True,
                          check=False)
    return None if done.returncode == 0 else "no mount namespace: " + done.stderr.strip()


class Board:
    """One device below `folder`: its files, and its registers as this process sees them."""

    def __init__(self, folder, number=0, driver="uio_pci_generic", bars=BAR_SIZES):
        self.name = "0000:%02x:00.0" % (number + 1)
        self.number = number
        self.folder = pathlib.Path(folder, "devices", self.name)
        self.folder.mkdir(parents=True)
        for name, value in (("vendor", 0x111d), ("device", 0x80ab), ("class", 0x068000),
                            ("subsystem_vendor", 0x111d), ("subsystem_device", 0x80ab)):
            self.file(name).write_text("0x%04x\n" % value)
        self.file("numa_node").write_text("0\n")
        lines = []
        for bar, size in enumerate(bars + (0,) * (7 - len(bars))):
            base = 0x80000000 + (number << 28) + (bar << 25)
            lines.append("0x%016x 0x%016x 0x%016x" % (
                (base, base + size - 1, 0x200) if size else (0, 0, 0)))
            if size:
                with open(self.file("resource%d" % bar), "wb") as file:
                    file.truncate(size)
        self.file("resource").write_text("\n".join(lines) + "\n")
        self.file("config").write_bytes(self.config_space())
        self.bind(driver)
        os.mkfifo(pathlib.Path(folder, "uio%d" % number))
        self.fifo = str(pathlib.Path(folder, "uio%d" % number))
        with open(self.file("resource0"), "r+b") as file:
            self.bar0 = mmap.mmap(file.fileno(), 0)
        self.write(0, IDENTITY)

    def file(self, name):
        return self.folder / name

    def bind(self, driver):
        """As if the kernel had bound this driver; None: none."""
        self.file("driver").unlink(missing_ok=True)
        if driver is not None:
            os.symlink("/sys/bus/pci/drivers/" + driver, self.file("driver"))
        if driver is not None and "uio" in driver:
            self.file("uio/uio%d" % self.number).mkdir(parents=True, exist_ok=True)

    @staticmethod
    def config_space():
        """After power-up: nothing enabled, the MSI-X capability names wrong places."""
        data = bytearray(CONFIG_SIZE)
        for offset, text, value in (
                (0x00, "<HH", (0x111d, 0x80ab)), (0x06, "<H", (0x0010,)),
                (CAP_PTR, "<B", (CAP_EXP,)),
                (CAP_EXP, "<BBH", (0x10, CAP_PM, 2)), (DEVCTL, "<H", (0x2810,)),
                (CAP_PM, "<BBH", (0x01, CAP_MSI, 3)), (CAP_MSI, "<BBH", (0x05, CAP_MSIX, 0x80)),
                (CAP_MSIX, "<BBH", (0x11, 0, 69))):
            struct.pack_into(text, data, offset, *value)
        return bytes(data)

    def config(self, offset, text="<H"):
        return struct.unpack_from(text, self.file("config").read_bytes(), offset)[0]

    def read(self, offset):
        return struct.unpack_from("<I", self.bar0, offset)[0]

    def write(self, offset, value):
        struct.pack_into("<I", self.bar0, offset, value)

    def fill(self, value):
        """Every register but the identity."""
        self.bar0[4:] = struct.pack("<I", value) * (len(self.bar0) // 4 - 1)

    def interrupt(self):
        """What a UIO device says when the kernel has seen an interrupt."""
        handle = os.open(self.fifo, os.O_RDWR | os.O_NONBLOCK)
        try:
            os.write(handle, struct.pack("<I", 1))
        finally:
            os.close(handle)

    def close(self):
        self.bar0.close()


def wrapper(folder, pages):
    """
    A command that runs another in a mount namespace where /sys/class/uio and /dev
    are those of the boards in `folder`, and hugepages lie in `pages`.
    """
    dev = pathlib.Path(folder, "dev")
    links = pathlib.Path(folder, "class")
    for path in (dev, links, pages):
        pathlib.Path(path).mkdir()
    script = ["set -e", "mount -t hugetlbfs none %s" % shlex.quote(str(pages)),
              "mount -t tmpfs none %s" % shlex.quote(str(dev))]
    for name in ("null", "zero", "random", "urandom", "tty"):
        script.append("touch {0}/{1}; mount --bind /dev/{1} {0}/{1}".format(
            shlex.quote(str(dev)), name))
    for name in ("shm", "pts"):
        script.append("mkdir {0}/{1}; mount --rbind /dev/{1} {0}/{1}".format(
            shlex.quote(str(dev)), name))
    for board in pathlib.Path(folder, "devices").iterdir():
        number = int(board.name[5:7], 16) - 1
        script.append("touch {0}/uio{2}; mount --bind {1}/uio{2} {0}/uio{2}".format(
            shlex.quote(str(dev)), shlex.quote(str(folder)), number))
        uio = links / "uio" / ("uio%d" % number)
        uio.mkdir(parents=True)
        os.symlink(board, uio / "device")
    script += ["mount --rbind %s /dev" % shlex.quote(str(dev)),
               "mount --bind %s /sys/class" % shlex.quote(str(links)), 'exec "$0" "$@"']
    return ["unshare", "--mount", "sh", "-c", "\n".join(script)]


def environment(folder):
    return {"SYSFS_PCI_DEVICES": str(pathlib.Path(folder, "devices"))}
