#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Runs a benchmark of the build folder. See usage.
set -eu

usage() {
	cat <<'END'
usage: ./rio bench [NAME] [OPTION...]

Runs one benchmark, prints its tables, and leaves them in the folder bench/ of the
build folder as NAME.json and NAME.csv (unless OPTIONs name other files).

  compare   rionet beside net_ring, net_memif and the 10GbE line (default)
  null      the null device: time of a block DMA descriptor and of a doorbell, within a
            process and between two, beside that of a word between two cores, and
            instructions of each where valgrind is installed; prints a table only. OPTIONs: one|two|all [ROUNDS [OPERATIONS]]
  net       rionet ports between two testpmd processes, one processor each, beside
            net_memif's: one way and round trip, 64 to 9000 bytes

  raw       the raw device's calls: block DMA writes and messages beside rte_memcpy on the
            same buffers, doorbells between two processes on a processor each; prints a
            table only. OPTIONs: [EAL options --] [ROUNDS]
  scale     2, 8, 30 and 64 rionet ports in DMA mode on one fabric, 16 in a process: frames of
            64 bytes from all to all, the cost of a poll that finds nothing and of each idle
            peer in it, memory of EAL's heap a port (its region of 16 MiB in it) and a
            peer (beside it); prints a table only. OPTIONs: [SECONDS [STATIONS...]]
  wake      sleeping for a doorbell or a message beside polling for it, and beside
            eventfds alone: round trips between two threads on a processor each; prints a
            table only. OPTIONs: [EAL options --] [ROUND TRIPS]

OPTIONs are those of the benchmark's tool (./rio bench compare --help), EAL options
and -- may stand in front of them: ./rio bench compare -m 512 --in-memory -- --rounds 5
The exit code is the tool's.
END
}

root=$(cd "$(dirname "$0")/.." && pwd)
build=${RIO_BUILD:-$root/build}

# Whether an option is among the arguments, with its value behind it or attached.
given() {
	option=$1
	shift
	for arg in "$@"; do
		case $arg in "$option" | "$option"=*) return 0 ;; esac
	done
	return 1
}

case ${1:-} in
-h | --help | help)
	usage
	exit 0
	;;
'' | -*) name=compare ;;
*)
	name=$1
	shift
	;;
esac

# Instructions that a function of the benchmark takes for each of its operations.
instructions() {
	ops=32000
	total=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--toggle-collect="$1*" "$bench" brief 1 "$ops" 2>&1 |
		sed -n 's/.*Collected : *//p')
	[ -z "$total" ] || printf '%-44s %7d instructions\n' "$2" $((total / (ops * $3)))
}

if [ "$name" = null ]; then
	bench=$build/test/bench/null_bench
	if [ ! -x "$bench" ]; then
		echo "bench: $bench is not built: run ./rio build" >&2
		exit 1
	fi
	"$bench" "$@"
	if command -v valgrind >/dev/null; then
		# The first round is not measured.
		instructions dma_bursts "NWRITE descriptor, 64 bytes, bursts of 32" 2
		instructions doorbell_bursts "doorbell" 1
	fi
	exit 0
fi
if [ "$name" = scale ]; then
	bench=$build/test/bench/scale_bench
	if [ ! -x "$bench" ]; then
		echo "bench: $bench is not built: run ./rio build" >&2
		exit 1
	fi
	if given -h "$@" || given --help "$@"; then
		usage
		exit 0
	fi
	exec "$bench" "$@"
fi
if [ "$name" = raw ] || [ "$name" = wake ]; then
	bench=$build/test/bench/${name}_bench
	if [ ! -x "$bench" ]; then
		echo "bench: $bench is not built: run ./rio build" >&2
		exit 1
	fi
	if given -h "$@" || given --help "$@"; then
		usage
		exit 0
	fi
	given -- "$@" || set -- -- "$@"
	exec "$bench" "$@"
fi
if [ "$name" = net ]; then
	if given -h "$@" || given --help "$@" || given --json "$@"; then
		exec "${RIO_PYTHON:-python3}" -B "$root/app/netbench/netbench.py" "$@"
	fi
	mkdir -p "$build/bench"
	"${RIO_PYTHON:-python3}" -B "$root/app/netbench/netbench.py" --json "$build/bench/net.json" "$@"
	echo "results: $build/bench/net.json"
	exit 0
fi
case $name in
compare) tool=$build/app/dpdk-rio-compare ;;
*)
	echo "bench: unknown benchmark '$name'" >&2
	usage >&2
	exit 1
	;;
esac
if [ ! -x "$tool" ]; then
	echo "bench: $tool is not built: run ./rio build" >&2
	exit 1
fi
if given -h "$@" || given --help "$@"; then
	exec "$tool" -- --help
fi

mkdir -p "$build/bench"
given -- "$@" || set -- -- "$@"
files=
for kind in json csv; do
	given --$kind "$@" && continue
	set -- "$@" --$kind "$build/bench/$name.$kind"
	files="$files $build/bench/$name.$kind"
done
code=0
# Ctrl-C is the tool's: it prints what it has measured, then this script goes on.
trap : INT
"$tool" "$@" || code=$?
[ "$code" = 1 ] || [ -z "$files" ] || echo "results:$files"
exit "$code"
