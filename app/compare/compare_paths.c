/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdio.h>
#include <string.h>

#include "compare_paths.h"

/*
 * 10GBASE-R carries 10^10 bits a second. On the wire a frame has 4 bytes of FCS, 8 of
 * preamble and start delimiter, and 12 of inter-packet gap: 60 bytes of
 * frame make 14.88 million a second.
 */
#define ETHERNET_FCS 4
#define ETHERNET_OVERHEAD 20

static double
line_10gbe(uint32_t frame_bytes)
{
	return 10e9 / 8 / (frame_bytes + ETHERNET_FCS + ETHERNET_OVERHEAD);
}

const struct compare_path compare_paths[] = {
	{
		.name = "rionet-msg",
		.what = "rionet ports of two processes, message mode",
		.copies = "copied twice: by the sender's messaging engine (a null device's, run by the "
			  "sender's core) into a message buffer, by the receiver out of it",
		.driver = "librte_net_rionet.so",
		.origin = "this project's plugin, beside the tool or installed",
		.dev = {{"net_rionet0", "mode=msg,fabric={run}-msg,destid=0"},
			{"net_rionet0", "mode=msg,fabric={run}-msg,destid=1"}},
		.processes = 2,
		.starts_first = SIDE_RECEIVER,
		.ends_first = SIDE_SENDER,
	},
	{
		.name = "rionet-dma",
		.what = "rionet ports of two processes, DMA mode",
		.copies = "copied by the sender's block DMA engine (a null device's, run by the sender's "
			  "core) into the receiver's memory; small frames twice more, into the record "
			  "that is sent and out of it, large ones not again",
		.driver = "librte_net_rionet.so",
		.origin = "this project's plugin, beside the tool or installed",
		.dev = {{"net_rionet0", "mode=dma,fabric={run}-dma,destid=0"},
			{"net_rionet0", "mode=dma,fabric={run}-dma,destid=1"}},
		.processes = 2,
		.starts_first = SIDE_RECEIVER,
		.ends_first = SIDE_SENDER,
	},
	{
		.name = "net_ring",
		.what = "a ring as a port looped back, one process",
		.copies = "not copied: the ring passes pointers to the same buffers",
		.driver = "librte_net_ring.so",
		.origin = "part of DPDK",
		.dev = {{"net_ring0", NULL}, {NULL, NULL}},
		.processes = 1,
	},
	{
		.name = "net_memif",
		.what = "memif between two processes, copy mode",
		.copies = "copied twice: by the sender into shared memory, by the receiver out "
			  "of it",
		.driver = "librte_net_memif.so",
		.origin = "part of DPDK",
		.dev = {{"net_memif0", "role=client,socket=/{run},bsize={room}"},
			{"net_memif0", "role=server,socket=/{run},bsize={room}"}},
		.processes = 2,
		/*
		 * A client does not start without its server; a server whose client goes
		 * unmaps the rings they share.
		 */
		.starts_first = SIDE_RECEIVER,
		.ends_first = SIDE_RECEIVER,
	},
	{
		.name = "10gbe",
		.what = "a 10 Gbit/s Ethernet line, computed, not measured",
		.copies = "10^10 bit/s / 8 / (frame + 4 bytes FCS + 20 bytes preamble and gap); "
			  "above 1514 bytes jumbo frames are assumed",
		.computed_pps = line_10gbe,
	},
	{.name = NULL},
};

int
compare_dev_args(const struct compare_dev *dev, const char *run, uint32_t buffer_room, char *text,
		 size_t room)
{
	size_t used = 0;

	for (const char *c = dev->args == NULL ? "" : dev->args; *c != '\0' && used < room;) {
		if (strncmp(c, "{run}", 5) == 0) {
			used += (size_t)snprintf(text + used, room - used, "%s", run);
			c += 5;
		} else if (strncmp(c, "{room}", 6) == 0) {
			used += (size_t)snprintf(text + used, room - used, "%u", buffer_room);
			c += 6;
		} else {
			text[used++] = *c++;
		}
	}
	if (used >= room)
		return -1;
	text[used] = '\0';
	return 0;
}
