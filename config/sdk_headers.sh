#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Get the driver headers of the installed DPDK, or the sources of those of its
# examples that tests build. Distributions' -dev packages lack both; the source package
# of exactly the same version has them. They are kept in the user's cache folder.
# Prints the folder on success.
#
# usage: sdk_headers.sh [--examples] [--print]
#   --examples: the examples, not the headers
#   --print: only say where they are or would be
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

EXAMPLES="common l2fwd l3fwd l3fwd-power"

say() { echo "sdk_headers: $*" >&2; }
die() { say "$*"; exit 1; }

command -v dpkg-query >/dev/null 2>&1 ||
	die "no dpkg here: build DPDK with -Denable_driver_sdk=true and point PKG_CONFIG_PATH at it"
version=$(dpkg-query -W -f '${source:Version}' libdpdk-dev 2>/dev/null) || version=
[ -n "$version" ] || die "package libdpdk-dev is not installed"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/dpdk-rio
headers=$cache/dpdk-sdk-$version
examples=$cache/dpdk-examples-$version

headers_there() {
	for h in $HEADERS; do
		[ -f "$headers/${h##*/}" ] || return 1
	done
}

examples_there() {
	for e in $EXAMPLES; do
		[ -d "$examples/$e" ] || return 1
	done
}

what=headers print=
for arg; do
	case $arg in
	--examples) what=examples ;;
	--print) print=yes ;;
	*) die "$arg: allowed: --examples, --print" ;;
	esac
done
dest=$headers
[ "$what" = headers ] || dest=$examples
if [ -n "$print" ] || "${what}_there"; then
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
say "fetching the $what of dpdk $version from its source package"
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
mkdir "$work/x" "$work/headers"
patterns=
for h in $HEADERS; do
	patterns="$patterns */$h"
done
for e in $EXAMPLES; do
	patterns="$patterns */examples/$e"
done
# shellcheck disable=SC2086
tar -C "$work/x" -xf "$tarball" --wildcards --no-anchored --strip-components=1 $patterns ||
	die "cannot unpack $tarball"
for h in $HEADERS; do
	mv "$work/x/$h" "$work/headers/" || die "source package lacks $h"
done
mv "$work/x/examples" "$work/examples" || die "source package lacks examples"
# What is there already may be in use.
for kind in headers examples; do
	to=$headers
	[ "$kind" = headers ] || to=$examples
	"${kind}_there" && continue
	rm -rf "$to"
	mv "$work/$kind" "$to"
	"${kind}_there" || die "incomplete: $to"
done
echo "$dest"
