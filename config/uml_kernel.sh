#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Build the user-mode Linux kernel of the interoperability tests from Debian's
# kernel source package and config/uml/rapidio.config. It is kept in the user's cache
# folder, by source version, configuration and what is changed: how it runs on this
# machine, nothing of RapidIO. Prints the kernel's path on success.
#
# usage: uml_kernel.sh [--print]     --print: only say where it is or would be
set -eu

SERIES=6.1
TARBALL=/usr/src/linux-source-$SERIES.tar.xz

# User-mode Linux $SERIES keeps 2696 bytes of a program's floating-point state. A
# processor with AMX has 11008, and ptrace takes all or nothing: programs would not start.
FP_FILE=arch/x86/um/user-offsets.c
FP_EDIT='s/\(HOST_FP_SIZE, \)2696)/\112288)/'

# Its queue holds this many accesses to a PCI device; a write beyond is dropped without a
# word. A driver that takes a full ring of 128 messages writes more in a row.
QUEUE_FILE=arch/um/drivers/virtio_uml.c
QUEUE_EDIT='s/\(define MAX_SUPPORTED_QUEUE_SIZE\).*/\1 1024/'

# Its accesses to PCI devices are not safe from interrupts: see the file.
PCI_HEADER=uml/pci_irqs_off.h

# Large, and not looked at by this build.
UNUSED="drivers/gpu/*.[ch] drivers/media/*.[ch] drivers/staging/*.[ch] sound/*.[ch]
	drivers/net/ethernet/*.[ch] drivers/net/wireless/*.[ch] tools/testing Documentation/*/*"

say() { echo "uml_kernel: $*" >&2; }
die() { say "$*"; exit 1; }

case "$#:${1:-}" in
0:|1:--print) ;;
*) die "usage: uml_kernel.sh [--print]" ;;
esac

[ "$(uname -m)" = x86_64 ] || die "user-mode Linux runs on x86_64, this is $(uname -m)"
version=$(dpkg-query -W -f '${Version}' linux-source-$SERIES 2>/dev/null) || version=
[ -n "$version" ] && [ -f "$TARBALL" ] || die "package linux-source-$SERIES is not installed"

here=$(cd "$(dirname "$0")" && pwd)
config=$here/uml/rapidio.config
hash=$({ cat "$config" "$here/$PCI_HEADER"; echo "$FP_EDIT" "$QUEUE_EDIT"; } |
	sha256sum | cut -c1-12)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dpdk-rio
dest=$cache/uml-$version-$hash

if [ "${1:-}" = --print ] || [ -x "$dest/linux" ]; then
	echo "$dest/linux"
	exit 0
fi

for pair in make:make gcc:gcc flex:flex bison:bison bc:bc xz:xz-utils perl:perl; do
	command -v "${pair%%:*}" >/dev/null 2>&1 || die "package ${pair##*:} is not installed"
done

mkdir -p "$cache"
exec 9>"$cache/uml.lock"
flock 9
# Somebody else built it meanwhile.
if [ -x "$dest/linux" ]; then
	echo "$dest/linux"
	exit 0
fi
# Whoever left these was killed: the lock is ours.
rm -rf "$cache"/uml-build.*
free=$(df -Pk "$cache" | awk 'NR == 2 { print $4 }')
[ "$free" -ge 2000000 ] || die "2 GB are needed to build in $cache, $((free / 1000)) MB are free"

work=$(mktemp -d "$cache/uml-build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

say "building Linux $version for user mode; this takes some minutes, once"
set -f
set --
for pattern in $UNUSED; do
	set -- "$@" "--exclude=*/$pattern"
done
set +f
mkdir "$work/src" "$work/obj" "$work/out"
tar -C "$work/src" --strip-components=1 "$@" -xf "$TARBALL" || die "cannot unpack $TARBALL"

edit() {
	sed -i "$1" "$work/src/$2"
	grep -q "$3" "$work/src/$2" || die "$2 of Linux $version is not as expected"
}
edit "$FP_EDIT" "$FP_FILE" 'HOST_FP_SIZE, 12288)'
edit "$QUEUE_EDIT" "$QUEUE_FILE" 'MAX_SUPPORTED_QUEUE_SIZE 1024$'

run() {
	nice make -C "$work/src" ARCH=um O="$work/obj" \
		"CFLAGS_virt-pci.o=-include $here/$PCI_HEADER" "$@" >>"$work/log" 2>&1 9>&- || {
		tail -n 15 "$work/log" >&2
		die "make $* failed"
	}
}
run allnoconfig KCONFIG_ALLCONFIG="$config"
sed -n '/^CONFIG_/p' "$config" | while read -r line; do
	grep -qxF "$line" "$work/obj/.config" || die "Linux $version does not take $line"
done
run -j"$(nproc)" linux

cp "$work/obj/.config" "$work/out/config"
strip -o "$work/out/linux" "$work/obj/linux"
rm -rf "$dest"
mv "$work/out" "$dest"
echo "$dest/linux"
