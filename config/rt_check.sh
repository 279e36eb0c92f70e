#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
#
# Holds this machine against doc/guides/realtime.rst and says what to change. Changes nothing.
#
# usage: rt_check.sh [CPULIST]     CPULIST: the CPUs meant for real-time work, as in 2-3
#                                  (default: those the kernel has isolated)
# exit code: 0 nothing to change; 1 something to change; 2 a bad argument
set -eu

ROOT=${RT_CHECK_ROOT:-}	# another root folder, for tests
bad=0

ok() { echo "ok      $*"; }
change() { echo "CHANGE  $*"; bad=$((bad + 1)); }
note() { echo "note    $*"; }
# First line of a file; nothing when there is none.
line() { head -n 1 "$ROOT$1" 2>/dev/null | tr -d '\n' || true; }

# "0-2,5" to "0 1 2 5".
expand() {
	for part in $(echo "$1" | tr ',' ' '); do
		case $part in
		*-*) seq "${part%-*}" "${part#*-}" ;;
		*) echo "$part" ;;
		esac
	done | tr '\n' ' '
}
# Whether all CPUs of list $1 are in list $2.
within() {
	for cpu in $(expand "$1"); do
		case " $(expand "$2") " in *" $cpu "*) ;; *) return 1 ;; esac
	done
}

case "$#:${1:-}" in
0:) cpus=$(line /sys/devices/system/cpu/isolated) ;;
1:-h | 1:--help)
	sed -n '5,9s/^# \{0,1\}//p' "$0"
	exit 0
	;;
1:*)
	cpus=$1
	if ! echo "$cpus" | grep -Eq '^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$'; then
		echo "rt_check: '$cpus' is no list of CPUs, as in 2-3,5" >&2
		exit 2
	fi
	;;
*)
	echo "rt_check: one list of CPUs at most" >&2
	exit 2
	;;
esac

# isolation
isolated=$(line /sys/devices/system/cpu/isolated)
nohz=$(line /sys/devices/system/cpu/nohz_full)
case $nohz in *null*) nohz= ;; esac
cmdline=$(line /proc/cmdline)
nocbs=$(echo "$cmdline" | tr ' ' '\n' | sed -n 's/^rcu_nocbs=//p' | tail -n 1)
want=${cpus:-LIST}
if [ -z "$cpus" ]; then
	change "no CPU is isolated: boot with isolcpus=managed_irq,domain,LIST nohz_full=LIST rcu_nocbs=LIST"
else
	if within "$cpus" "$isolated"; then ok "CPUs $cpus are isolated"
	else change "CPUs $cpus are not all isolated ($isolated): boot with isolcpus=managed_irq,domain,$cpus"; fi
	if [ -n "$nohz" ] && within "$cpus" "$nohz"; then ok "no tick on CPUs $cpus while one thread runs"
	else change "the tick runs on CPUs $cpus: boot with nohz_full=$cpus"; fi
	if [ -n "$nocbs" ] && within "$cpus" "$nocbs"; then ok "RCU callbacks run elsewhere"
	else change "RCU callbacks run on CPUs $cpus: boot with rcu_nocbs=$cpus"; fi
fi

# interrupts
if [ -n "$cpus" ]; then
	here=
	for list in "$ROOT"/proc/irq/[0-9]*/effective_affinity_list; do
		[ -s "$list" ] || continue
		for cpu in $(expand "$(cat "$list")"); do
			case " $(expand "$cpus") " in *" $cpu "*) here="$here $(basename "$(dirname "$list")")" ;; esac
		done
	done
	here=$(echo "$here" | tr ' ' '\n' | sort -nu | tr '\n' ' ' | sed 's/^ *//; s/ *$//')
	if [ -z "$here" ]; then ok "no interrupt goes to CPUs $cpus"
	else change "interrupts $here go to CPUs $cpus: echo a list of other CPUs to /proc/irq/N/smp_affinity_list"; fi
fi

# scheduler
runtime=$(line /proc/sys/kernel/sched_rt_runtime_us)
if [ "$runtime" = -1 ]; then ok "real-time threads are not throttled"
else change "real-time threads stop ${runtime:+$((1000000 - runtime)) us of each second}: echo -1 > /proc/sys/kernel/sched_rt_runtime_us"; fi
case $(line /sys/kernel/realtime) in
1) ok "the kernel is PREEMPT_RT" ;;
*) note "the kernel is not PREEMPT_RT: polling lcores do without, sleeping ones wake later" ;;
esac

# power
governor=$(line /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)
case $governor in
performance) ok "frequency governor performance" ;;
'') note "no frequency governor (a virtual machine, or fixed)" ;;
*) change "frequency governor $governor: cpupower frequency-set -g performance" ;;
esac
deepest=
for state in "$ROOT"/sys/devices/system/cpu/cpu0/cpuidle/state[0-9]*; do
	[ -r "$state/latency" ] || continue
	[ "$(cat "$state/disable" 2>/dev/null)" = 1 ] && continue
	latency=$(cat "$state/latency")
	[ "$latency" -le 10 ] || deepest="$deepest $(cat "$state/name")($latency us)"
done
if [ -z "$deepest" ]; then ok "no idle state that takes over 10 us to leave"
else change "idle states$deepest: cpupower idle-set -D 10, or boot with intel_idle.max_cstate=1"; fi

# memory
huge=$(sed -n 's/^HugePages_Total: *//p' "$ROOT/proc/meminfo" 2>/dev/null || true)
if [ "${huge:-0}" -gt 0 ]; then ok "$huge hugepages"
else change "no hugepages: dpdk-hugepages.py --setup 1G"; fi
case $(line /sys/kernel/mm/transparent_hugepage/enabled) in
*'[always]'*) change "transparent hugepages move memory: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled" ;;
*) ok "transparent hugepages on request only" ;;
esac
balancing=$(line /proc/sys/kernel/numa_balancing)
if [ "${balancing:-0}" = 0 ]; then ok "no NUMA balancing"
else change "NUMA balancing moves pages: echo 0 > /proc/sys/kernel/numa_balancing"; fi
swaps=$(sed 1d "$ROOT/proc/swaps" 2>/dev/null | wc -l)
if [ "$swaps" = 0 ]; then ok "no swap"
else note "there is swap: run with --mlockall, or swapoff -a"; fi

# the clock
case $(line /sys/devices/system/clocksource/clocksource0/current_clocksource) in
tsc | arch_sys_counter | kvm-clock) ok "clock source is read without a system call" ;;
'') note "the clock source is not known" ;;
*) change "slow clock source: boot with tsc=reliable clocksource=tsc" ;;
esac

[ "$bad" = 0 ] || { echo "$bad to change, for CPUs $want"; exit 1; }
