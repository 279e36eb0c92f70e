#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Get the driver headers of the installed DPDK. Distributions' -dev packages
# lack them; the source package of exactly the same version has them. They are
# kept in the user's cache folder. Prints the folder on success.
#
# usage: sdk_headers.sh [--print]     --print: only say where they are or would be
set -eu

HEADERS="
drivers/bus/pci/bus_pci_driver.h
drivers/bus/vdev/bus_vdev_driver.h
lib/dmadev/rte_dmadev_pmd.h
lib/eal/include/bus_driver.h
lib/eal/include/dev_driver.h
lib/ethdev/ethdev_driver.h
lib/ethdev/ethdev_pci.h
lib/ethdev/ethdev_vdev.h
"

say() { echo "sdk_headers: $*" >&2; }
die() { say "$*"; exit 1; }

command -v dpkg-query >/dev/null 2>&1 ||
	die "no dpkg here: build DPDK with -Denable_driver_sdk=true and point PKG_CONFIG_PATH at it"
version=$(dpkg-query -W -f '${source:Version}' libdpdk-dev 2>/dev/null) || version=
[ -n "$version" ] || die "package libdpdk-dev is not installed"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/dpdk-rio
dest=$cache/dpdk-sdk-$version

all_there() {
	for h in $HEADERS; do
		[ -f "$dest/${h##*/}" ] || return 1
	done
}

if [ "${1:-}" = --print ]; then
	echo "$dest"
	exit 0
fi
if all_there; then
	echo "$dest"
	exit 0
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/sdk.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

# deb-src lines made from the machine's own apt sources, used for this run only.
sources=$work/src.list
: >"$sources"
for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
	[ -f "$f" ] && sed -n 's/^deb /deb-src /p' "$f" >>"$sources"
done
parts=$work/parts
mkdir "$parts" "$work/lists"
cp "$sources" "$parts/one-line.list"
for f in /etc/apt/sources.list.d/*.sources; do
	[ -f "$f" ] && grep -q '^URIs:.*debian' "$f" &&
		sed 's/^Types:.*/Types: deb-src/' "$f" >"$parts/$(basename "$f")"
done

apt_opts="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$parts
	-o Dir::State::lists=$work/lists -o APT::Sandbox::User=root"
say "fetching the headers of dpdk $version from its source package"
# shellcheck disable=SC2086
apt-get -qq $apt_opts update >"$work/log" 2>&1 || {
	tail -n 3 "$work/log" >&2
	die "cannot read the source package lists: is there a network?"
}
# shellcheck disable=SC2086
(cd "$work" && apt-get -qq $apt_opts source --download-only "dpdk=$version" >>"$work/log" 2>&1) || {
	tail -n 3 "$work/log" >&2
	say "without it: build DPDK with -Denable_driver_sdk=true and set PKG_CONFIG_PATH to it"
	die "cannot fetch source package dpdk $version: is there a network?"
}

tarball=
for f in "$work"/dpdk_*.orig.tar.*; do
	case $f in *.asc) ;; *) tarball=$f ;; esac
done
[ -f "$tarball" ] || die "source package dpdk $version has no orig tarball"
mkdir "$work/x" "$work/out"
patterns=
for h in $HEADERS; do
	patterns="$patterns */$h"
done
# shellcheck disable=SC2086
tar -C "$work/x" -xf "$tarball" --wildcards --no-anchored --strip-components=1 $patterns ||
	die "cannot unpack $tarball"
for h in $HEADERS; do
	mv "$work/x/$h" "$work/out/" || die "source package lacks $h"
done
rm -rf "$dest"
mv "$work/out" "$dest"
all_there || die "incomplete: $dest"
echo "$dest"
