#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# usage: tsan.sh PROGRAM [ARGUMENT...]
#
# Runs a program built with ThreadSanitizer. The first data race ends it, with exit code 66.
# Its memory begins at fixed addresses where the kernel lets us say so, since ThreadSanitizer
# wants some ranges for itself.
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 ${TSAN_OPTIONS:-}"
if setarch -R true 2>/dev/null; then
	exec setarch -R "$@"
fi
exec "$@"
