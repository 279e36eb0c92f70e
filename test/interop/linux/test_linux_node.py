# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""One Linux node alone: its own tsi721 driver probes a null device."""

import unittest

import uml


class OneNode(unittest.TestCase):
    slow = not uml.kernel_cached()
    timeout = 1800

    def test_probe(self):
        """Probe without a warning, link up, master port and its attributes right."""
        uml.kernel()
        with uml.Devices("node", ["a"]) as devices:
            with uml.Node(devices.socket("a"), ["rapidio.hdid=5"]) as node:
                self.assertEqual(node.warnings(), [])
                self.assertIn("/dev/rio_mport0", node.run("ls /dev/rio_mport0"))
                port = "/sys/class/rapidio_port/rapidio0"
                self.assertEqual(node.run("cat %s/sys_size" % port), "0")
                self.assertEqual(node.run("cat %s/port_destid" % port), "0x0005")
                self.assertEqual(node.run("readlink -f %s/device" % port),
                                 "/sys/devices/pci0000:00/0000:00:00.0")
                self.assertEqual(
                    node.run("readlink -f /sys/bus/pci/devices/0000:00:00.0/driver"),
                    "/sys/bus/pci/drivers/tsi721")
                self.check_pci(node)
                self.check_properties(node)
            self.check_log(devices.stop())

    def check_pci(self, node):
        """What lspci would say."""
        pci = "/sys/bus/pci/devices/0000:00:00.0"
        for name, value in {"vendor": "0x111d", "device": "0x80ab", "class": "0x068000",
                            "enable": "1", "dma_mask_bits": "64",
                            "current_link_speed": "5.0 GT/s PCIe", "current_link_width": "4",
                            "max_link_speed": "5.0 GT/s PCIe", "max_link_width": "4"}.items():
            self.assertEqual(node.run("cat %s/%s" % (pci, name)), value)
        # Registers, doorbells and two of outbound windows; 64 bits take two lines.
        lines = [[int(word, 0) for word in line.split()]
                 for line in node.run("head -n 6 %s/resource" % pci).splitlines()]
        self.assertEqual([last + 1 - first if last else 0 for first, last, _ in lines],
                         [512 << 10, 16 << 20, 16 << 20, 0, 16 << 20, 0])
        self.assertEqual(node.run("ls %s/dma" % pci).split(),
                         ["dma0chan%d" % channel for channel in range(7)])
        self.assertIn("MSI", node.run("grep tsi721 /proc/interrupts"))

    def check_properties(self, node):
        words = dict(word.split("=") for word in node.mport("properties").split())
        self.assertEqual(words["hdid"], "5")
        self.assertEqual(words["link_speed"], "4")   # 5 Gbaud, RIO_LINK_500
        self.assertEqual(words["link_width"], "2")   # x4, RIO_LINK_4X
        self.assertEqual(node.mport("local-read", 0x0), "0x80ab0038")
        self.assertEqual(node.mport("local-read", 0x158), "0x00000002")  # PORT_OK, no error

    def check_log(self, log):
        """Nothing odd came from the kernel, and it asked for no register that is not there."""
        self.assertNotIn("unknown_reg", log)
        for line in log.splitlines():
            self.assertRegex(line, "kernel connected|connection ended")


if __name__ == "__main__":
    unittest.main()
