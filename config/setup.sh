#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Sees to it that what the given groups of config/packages name is there, and
# for the group "build" the driver headers of DPDK. Installs what is missing when it
# runs as root on a Debian system with a network.
#
# usage: setup.sh GROUP...
# exit code: 0 all is there; 3 something is missing (named on stderr)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# The distribution's python3 has the distribution's modules.
python=${RIO_PYTHON:-/usr/bin/python3}
missing_code=3

say() { echo "setup: $*" >&2; }

present() {
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null ;;
	pc:*) pkg-config --exists "$(sed 's/^pc://; s/>=/ >= /' <<<"$1")" 2>/dev/null ;;
	py:*) "$python" -c "import ${1#py:}" 2>/dev/null ;;
	file:*) [ -f "${1#file:}" ] ;;
	*) say "config/packages: unknown check $1"; exit 1 ;;
	esac
}

# Names of the packages of the groups in $@ whose check fails, each once.
missing_packages() {
	local package group check
	while read -r package group check; do
		case $package in '' | '#'*) continue ;; esac
		case " $* " in *" $group "*) ;; *) continue ;; esac
		present "$check" || echo "$package"
	done <"$here/packages" | sort -u
}

apt() {
	DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
		-o Dpkg::Use-Pty=0 "$@" </dev/null >"$cache/apt.log" 2>&1
}

# Without package lists, or with old ones, the first try fails.
apt_install() {
	apt --no-install-recommends install "$@" && return
	apt update && apt --no-install-recommends install "$@" && return
	tail -n 5 "$cache/apt.log" >&2
}

install_missing() {
	local missing
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ -z "${RIO_NO_INSTALL:-}" ]; then
		say "installing ${missing[*]}"
		apt_install "${missing[@]}"
		mapfile -t missing < <(missing_packages "$@")
		[ ${#missing[@]} -gt 0 ] || return 0
		say "could not install; still missing: ${missing[*]}"
	else
		say "missing: ${missing[*]}"
	fi
	say "as root: apt-get install --no-install-recommends ${missing[*]}"
	return $missing_code
}

has_driver_headers() {
	# shellcheck disable=SC2046
	echo '#include <ethdev_driver.h>' |
		cc -E $(pkg-config --cflags libdpdk) - >/dev/null 2>&1
}

[ $# -gt 0 ] || { say "no group given"; exit 1; }

# One at a time: two clones may set up at once.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dpdk-rio
mkdir -p "$cache"
exec 9>"$cache/setup.lock"
flock 9

install_missing "$@"
case " $* " in *" build "*)
	if ! has_driver_headers; then
		"$here/sdk_headers.sh" >/dev/null || exit $missing_code
	fi
	;;
esac
# Without them their tests are skipped and say so.
case " $* " in *" test "*)
	"$here/sdk_headers.sh" --examples >/dev/null || true
	;;
esac
