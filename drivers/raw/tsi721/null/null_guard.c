/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

#include "null_guard.h"

#define GUARDS_MAX	4096u

/* The handler reads them while others change: `start` is set last and cleared first. */
struct null_guard {
	_Atomic uintptr_t start;	/* 0: free */
	_Atomic size_t len;
	_Atomic(_Atomic uint32_t *) moved;
	_Atomic bool lost;
};

_Atomic uint32_t null_guard_losses;

static struct null_guard guards[GUARDS_MAX];
static _Atomic uint32_t guards_end;		/* those ever used are below */
static pthread_mutex_t guards_lock = PTHREAD_MUTEX_INITIALIZER;

/* What was there before the handler: the last one of two counts. */
static struct sigaction before[2];
static _Atomic uint32_t befores;
#define HANDED_OVER	0x6e756c6c	/* in si_errno, where the kernel puts 0 */

static struct null_guard *
guard_at(uintptr_t addr)
{
	uint32_t i, end = atomic_load(&guards_end);

	for (i = 0; i < end; i++) {
		struct null_guard *g = &guards[i];
		uintptr_t start = atomic_load(&g->start);

		/* One that is used anew meanwhile has another start. */
		if (start != 0 && addr >= start && addr - start < atomic_load(&g->len) &&
		    atomic_load(&g->start) == start)
			return g;
	}
	return NULL;
}

/* ---- the signal ---- */

/* The access runs again, and to its end; a signal that was sent is sent again. */
static void
give_up(int sig, const siginfo_t *si)
{
	signal(sig, SIG_DFL);
	if (si->si_code <= 0)
		raise(sig);
}

static void
hand_over(int sig, siginfo_t *si, void *uc)
{
	const struct sigaction *b = &before[(atomic_load(&befores) - 1) % 2];

	if (si->si_errno == HANDED_OVER) {
		/* By one who was set after this handler, and has handed over to it. */
		give_up(sig, si);
	} else if ((b->sa_flags & SA_SIGINFO) != 0) {
		si->si_errno = HANDED_OVER;
		b->sa_sigaction(sig, si, uc);
		si->si_errno = 0;
	} else if (b->sa_handler != SIG_DFL && b->sa_handler != SIG_IGN) {
		b->sa_handler(sig);
	} else if (si->si_code > 0 || b->sa_handler == SIG_DFL) {
		give_up(sig, si);
	}
}

static void
on_sigbus(int sig, siginfo_t *si, void *uc)
{
	struct null_guard *g = si->si_code > 0 ? guard_at((uintptr_t)si->si_addr) : NULL;
	_Atomic uint32_t *moved;
	int saved = errno;

	if (g == NULL || mmap((void *)atomic_load(&g->start), atomic_load(&g->len),
			      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
			      MAP_NORESERVE, -1, 0) == MAP_FAILED) {
		hand_over(sig, si, uc);
		errno = saved;
		return;
	}
	moved = atomic_load(&g->moved);
	atomic_store(&g->lost, true);
	if (moved != NULL)
		atomic_fetch_add(moved, 1);
	atomic_fetch_add(&null_guard_losses, 1);
	errno = saved;
}

/* Under guards_lock. */
static bool
handler_set(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	struct sigaction now;

	sigemptyset(&sa.sa_mask);
	if (sigaction(SIGBUS, NULL, &now) != 0)
		return false;
	if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_sigbus)
		return true;
	before[atomic_load(&befores) % 2] = now;
	atomic_fetch_add(&befores, 1);
	return sigaction(SIGBUS, &sa, NULL) == 0;
}

bool
null_guard_ready(void)
{
	bool ready;

	pthread_mutex_lock(&guards_lock);
	ready = handler_set();
	pthread_mutex_unlock(&guards_lock);
	return ready;
}

/* ---- guards ---- */

static struct null_guard *
guard_take(void *va, size_t len, _Atomic uint32_t *moved)
{
	uint32_t i;

	for (i = 0; i < GUARDS_MAX && atomic_load(&guards[i].start) != 0; i++)
		;
	if (i == GUARDS_MAX)
		return NULL;
	atomic_store(&guards[i].len, len);
	atomic_store(&guards[i].moved, moved);
	atomic_store(&guards[i].lost, false);
	atomic_store(&guards[i].start, (uintptr_t)va);
	if (i >= atomic_load(&guards_end))
		atomic_store(&guards_end, i + 1);
	return &guards[i];
}

struct null_guard *
null_guard_add(void *va, size_t len, _Atomic uint32_t *moved)
{
	struct null_guard *g = NULL;

	pthread_mutex_lock(&guards_lock);
	if (handler_set())
		g = guard_take(va, len, moved);
	pthread_mutex_unlock(&guards_lock);
	return g;
}

void
null_guard_remove(struct null_guard *g)
{
	if (g != NULL)
		atomic_store(&g->start, 0);
}

bool
null_guard_lost(const struct null_guard *g)
{
	return atomic_load(&g->lost);
}

bool
null_guard_hit(const void *va)
{
	const struct null_guard *g = guard_at((uintptr_t)va);

	return g != NULL && atomic_load(&g->lost);
}
