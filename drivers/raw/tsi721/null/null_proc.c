/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The agent of a process on a shared fabric. It sleeps on a pipe that others
 * write to and on a pidfd of each other process. What may take long or depend on
 * what others do (running engines) is for a second thread, so that deaths are
 * noticed whatever the engines do.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "null_peer.h"
#include "null_proc.h"
#include "null_shm.h"

#define STACK_SIZE	(512u * 1024)
#define EVENTS		16
#define EVENT_WAKE	UINT32_MAX
#define LOOK_MS		20	/* where no pidfd tells of the end, or a burial was put off */

/* Another process as the agent watches it. */
struct watch {
	uint32_t gen;
	int pidfd;		/* -1: none */
};

/* Another process's pipe. */
struct bell {
	uint32_t gen;
	int fd;			/* -1: cannot be opened */
};

struct null_agent {
	struct null_fabric *fab;
	pthread_t thread;
	int epfd, pipe[2];
	_Atomic bool stop;
	uint32_t procs_seen;
	struct watch watch[NULL_PROC_MAX];
	bool look;			/* again soon */

	pthread_mutex_t bell_lock;
	struct bell bell[NULL_PROC_MAX];

	pthread_t runner;		/* started when it is first needed */
	bool running;
	sem_t work;
	struct null_epset retry;	/* for the runner */
};

static _Thread_local bool defers;

bool
null_proc_defers(void)
{
	return defers;
}

/* ---- kicks ---- */

static int
bell_open(uint32_t pid, uint32_t number, uint64_t ino)
{
	struct stat st;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/fd/%u", pid, number);
	/* For reading as well: no SIGPIPE when its owner is gone. */
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode) || st.st_ino != ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void
bell_ring(struct null_fabric *fab, uint32_t proc)
{
	struct null_proc *p = &fab->sh->procs[proc];
	struct null_agent *a = fab->agent;
	struct bell *bell = &a->bell[proc];
	uint32_t pid = atomic_load(&p->pid), gen = atomic_load(&p->gen);
	ssize_t ret;

	if (pid == 0)
		return;
	pthread_mutex_lock(&a->bell_lock);
	if (bell->fd < 0 || bell->gen != gen) {
		if (bell->fd >= 0)
			close(bell->fd);
		bell->fd = bell_open(pid, atomic_load(&p->wake_fd), atomic_load(&p->wake_ino));
		bell->gen = gen;
	}
	/* A full pipe wakes it as well. */
	ret = bell->fd >= 0 ? write(bell->fd, "", 1) : 0;
	(void)ret;
	pthread_mutex_unlock(&a->bell_lock);
}

/*
 * Everyone who finds the agent asleep wakes it, not just the first: the first may
 * be stopped before it does.
 */
void
null_proc_kick(struct null_fabric *fab, uint32_t proc, uint32_t bits)
{
	struct null_proc *p = &fab->sh->procs[proc];

	atomic_fetch_or(&p->kicks, bits);
	if (atomic_load(&p->asleep) != 0)
		bell_ring(fab, proc);
}

void
null_proc_kick_ep(struct null_fabric *fab, uint32_t ep, uint32_t bit)
{
	uint32_t proc = atomic_load(&fab->sh->ep[ep].proc);
	struct null_proc *p = &fab->sh->procs[proc];

	if (atomic_load(&fab->sh->ep[ep].attached) == 0)
		return;
	null_epset_add(bit == NULL_KICK_RETRY ? &p->retry : &p->intr, ep);
	null_proc_kick(fab, proc, bit);
}

void
null_proc_kick_all(struct null_fabric *fab, uint32_t bits)
{
	uint32_t i;

	for (i = 0; i < NULL_PROC_MAX; i++)
		if (i != fab->proc && atomic_load(&fab->sh->procs[i].pid) != 0)
			null_proc_kick(fab, i, bits);
}

/* ---- the dead ---- */

static void
lock_free_dead(struct null_lock *l, uint32_t proc)
{
	uint32_t word = atomic_load(&l->word);

	if ((word & NULL_LOCK_OWNER) == proc + 1)
		atomic_compare_exchange_strong(&l->word, &word,
					       (word & ~NULL_LOCK_OWNER) + NULL_LOCK_COUNT_ONE);
}

/* Locks of a chip that need nothing to be put right; those of queues do: sweeps. */
static void
chip_free_locks(struct null_chip *chip, uint32_t proc)
{
	uint32_t i;

	for (i = 0; i < TSI721_DMAC_NUM; i++)
		lock_free_dead(&chip->bdma[i].lock, proc);
	for (i = 0; i < TSI721_OMSG_NUM; i++)
		lock_free_dead(&chip->omsg[i].lock, proc);
	lock_free_dead(&chip->odb.lock, proc);
	lock_free_dead(&chip->obwin_lock, proc);
	lock_free_dead(&chip->pw_lock, proc);
}

/* Of a chip that nobody has, queues need no putting right either: a reset comes first. */
static void
chip_free_queues(struct null_chip *chip, uint32_t proc)
{
	uint32_t i;

	for (i = 0; i < TSI721_IDQ_NUM; i++)
		lock_free_dead(&chip->idq[i].lock, proc);
	for (i = 0; i < TSI721_IMSG_NUM; i++)
		lock_free_dead(&chip->imsg[i].lock, proc);
}

static void
ep_bury(struct null_fabric *fab, uint32_t ep, uint32_t proc)
{
	struct null_chip *chip = &fab->sh->ep[ep];

	chip_free_locks(chip, proc);
	if (atomic_load(&chip->attached) != 0) {
		null_idb_sweep(fab, ep);
		null_imsg_sweep(fab, ep);
		null_portwrite_sweep(fab, ep);
		return;
	}
	chip_free_queues(chip, proc);
}

static bool
proc_dead(struct null_fabric *fab, uint32_t proc)
{
	return proc != fab->proc && atomic_load(&fab->sh->procs[proc].pid) != 0 &&
	       !null_shm_held(fab, proc, NULL);
}

/*
 * Under sh->lock. Whoever dies in here leaves it to the next one, who does all of
 * it again; that the slot is free comes last.
 */
static void
proc_bury(struct null_fabric *fab, uint32_t proc)
{
	struct null_shared *sh = fab->sh;
	uint32_t ep, i, nb = atomic_load(&sh->nb_ep);

	for (ep = 0; ep < nb; ep++)
		if (atomic_load(&sh->ep[ep].attached) != 0 && atomic_load(&sh->ep[ep].proc) == proc)
			null_fabric_detach_dead(fab, ep);
	null_fabric_tidy(fab);
	null_fabric_changed(fab);
	/* It may have died between a change of a link and the report of it. */
	for (i = 0; i < NULL_LINK_MAX; i++) {
		if (sh->links[i].end[0].kind == NULL_END_NONE)
			continue;
		lock_free_dead(&sh->links[i].lock, proc);
		null_link_judge(fab, i);
	}
	for (ep = 0; ep < nb; ep++)
		ep_bury(fab, ep, proc);
	/*
	 * What waits for room at its endpoints waits in vain; and whoever the dead one had
	 * taken out of a set of waiters to wake it is in no set any more.
	 */
	null_all_wake(fab);
	atomic_store(&sh->procs[proc].pid, 0);
	atomic_fetch_add(&sh->procs_gen, 1);
}

bool
null_proc_bury(struct null_fabric *fab)
{
	bool stolen, before = defers;
	uint32_t i;

	for (i = 0; i < NULL_PROC_MAX && !proc_dead(fab, i); i++)
		;
	if (i == NULL_PROC_MAX)
		return true;
	if (!null_lock_wait(fab, &fab->sh->lock, &stolen))
		return false;
	/* No engine is run with this lock held. */
	defers = true;
	for (; i < NULL_PROC_MAX; i++)
		if (proc_dead(fab, i))
			proc_bury(fab, i);
	defers = before;
	null_lock_release(fab, &fab->sh->lock);
	return true;
}

/* ---- watching the others ---- */

static void
watch_end(struct watch *w)
{
	if (w->pidfd >= 0)
		close(w->pidfd);
	w->pidfd = -1;
}

/* False: a look at the record lock now and then must do. */
static bool
watch_begin(struct null_agent *a, uint32_t proc, uint32_t pid)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = proc };
	struct watch *w = &a->watch[proc];
	struct pollfd p;
	uint32_t holder;

	w->pidfd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	p = (struct pollfd){ .fd = w->pidfd, .events = POLLIN };
	/* It is that process if it holds the slot under this number, and is alive after that. */
	if (w->pidfd >= 0 && null_shm_held(a->fab, proc, &holder) && holder == pid &&
	    poll(&p, 1, 0) == 0 && epoll_ctl(a->epfd, EPOLL_CTL_ADD, w->pidfd, &ev) == 0)
		return true;
	watch_end(w);
	return false;
}

static void
watch_all(struct null_agent *a)
{
	struct null_shared *sh = a->fab->sh;
	uint32_t i, pid, gen;

	a->procs_seen = atomic_load(&sh->procs_gen);
	for (i = 0; i < NULL_PROC_MAX; i++) {
		pid = atomic_load(&sh->procs[i].pid);
		gen = atomic_load(&sh->procs[i].gen);
		if (i == a->fab->proc)
			continue;
		if (pid == 0 || gen != a->watch[i].gen)
			watch_end(&a->watch[i]);
		if (pid == 0 || a->watch[i].pidfd >= 0)
			continue;
		a->watch[i].gen = gen;
		if (!watch_begin(a, i, pid))
			a->look = true;
	}
}

/* ---- the threads ---- */

static void
eps_run(struct null_fabric *fab, struct null_epset *set)
{
	uint32_t i;
	uint64_t w;

	for (i = 0; i < NULL_EP_MAX / 64; i++)
		for (w = atomic_exchange(&set->w[i], 0); w != 0; w &= w - 1)
			null_ep_wake(fab, i * 64 + (uint32_t)__builtin_ctzll(w));
}

static void *
runner_main(void *arg)
{
	struct null_agent *a = arg;

	while (!atomic_load(&a->stop)) {
		while (sem_wait(&a->work) != 0)
			;
		eps_run(a->fab, &a->retry);
	}
	return NULL;
}

static int
thread_begin(pthread_t *thread, void *(*run)(void *), struct null_agent *a, const char *name)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int ret;

	sigfillset(&all);
	/* It runs engines too: null_guard.h. */
	sigdelset(&all, SIGBUS);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	/* Signals are for the process's own threads. */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(thread, &attr, run, a);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (ret == 0)
		pthread_setname_np(*thread, name);
	return -ret;
}

static void
retry_hand_over(struct null_agent *a)
{
	struct null_proc *me = &a->fab->sh->procs[a->fab->proc];
	uint32_t i;

	for (i = 0; i < NULL_EP_MAX / 64; i++)
		atomic_fetch_or(&a->retry.w[i], atomic_exchange(&me->retry.w[i], 0));
	if (!a->running)
		a->running = thread_begin(&a->runner, runner_main, a, "null-runner") == 0;
	if (a->running)
		sem_post(&a->work);
	else
		eps_run(a->fab, &a->retry);
}

static void
intr_deliver(struct null_agent *a)
{
	struct null_epset *set = &a->fab->sh->procs[a->fab->proc].intr;
	uint32_t i;
	uint64_t w;

	for (i = 0; i < NULL_EP_MAX / 64; i++)
		for (w = atomic_exchange(&set->w[i], 0); w != 0; w &= w - 1)
			null_intr_catch_up(a->fab, i * 64 + (uint32_t)__builtin_ctzll(w));
}

static void
agent_look(struct null_agent *a, bool deaths)
{
	uint32_t kicks = atomic_exchange(&a->fab->sh->procs[a->fab->proc].kicks, 0);

	if ((kicks & NULL_KICK_INTR) != 0)
		intr_deliver(a);
	if ((kicks & NULL_KICK_RETRY) != 0)
		retry_hand_over(a);
	if (a->look || deaths) {
		deaths = true;
		a->look = !null_proc_bury(a->fab);
		watch_all(a);
	} else if ((kicks & NULL_KICK_PROCS) != 0 ||
		   a->procs_seen != atomic_load(&a->fab->sh->procs_gen)) {
		/* Another may have buried one whose end was not noticed here, and is not any more. */
		deaths = true;
		watch_all(a);
	}
	/* After any burial, by whomever: nothing else tells of memory that is gone with it. */
	if (deaths || (kicks & NULL_KICK_MAPS) != 0)
		null_peer_prune(a->fab);
}

static void *
agent_main(void *arg)
{
	struct null_agent *a = arg;
	struct null_proc *me = &a->fab->sh->procs[a->fab->proc];
	struct epoll_event ev[EVENTS];
	bool deaths = true;	/* of before this process came */
	uint8_t bytes[64];
	int i, nb;

	defers = true;
	while (!atomic_load(&a->stop)) {
		agent_look(a, deaths);
		deaths = false;
		atomic_store(&me->asleep, 1);
		nb = epoll_wait(a->epfd, ev, EVENTS, atomic_load(&me->kicks) != 0 ? 0 :
				a->look ? LOOK_MS : -1);
		atomic_store(&me->asleep, 0);
		for (i = 0; i < nb; i++) {
			if (ev[i].data.u32 == EVENT_WAKE) {
				while (read(a->pipe[0], bytes, sizeof(bytes)) > 0)
					;
				continue;
			}
			watch_end(&a->watch[ev[i].data.u32]);
			deaths = true;
		}
	}
	return NULL;
}

/* ---- beginning and end ---- */

static void
agent_free(struct null_agent *a)
{
	uint32_t i;

	for (i = 0; i < NULL_PROC_MAX; i++) {
		watch_end(&a->watch[i]);
		if (a->bell[i].fd >= 0)
			close(a->bell[i].fd);
	}
	if (a->epfd >= 0)
		close(a->epfd);
	if (a->pipe[0] >= 0) {
		close(a->pipe[0]);
		close(a->pipe[1]);
	}
	sem_destroy(&a->work);
	pthread_mutex_destroy(&a->bell_lock);
	free(a);
}

static struct null_agent *
agent_new(struct null_fabric *fab)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = EVENT_WAKE };
	struct null_agent *a = calloc(1, sizeof(*a));
	uint32_t i;

	if (a == NULL)
		return NULL;
	a->fab = fab;
	for (i = 0; i < NULL_PROC_MAX; i++) {
		a->watch[i].pidfd = -1;
		a->bell[i].fd = -1;
	}
	pthread_mutex_init(&a->bell_lock, NULL);
	sem_init(&a->work, 0, 0);
	a->pipe[0] = -1;
	a->epfd = epoll_create1(EPOLL_CLOEXEC);
	if (a->epfd >= 0 && pipe2(a->pipe, O_CLOEXEC | O_NONBLOCK) == 0 &&
	    epoll_ctl(a->epfd, EPOLL_CTL_ADD, a->pipe[0], &ev) == 0)
		return a;
	i = (uint32_t)errno;
	agent_free(a);
	errno = (int)i;
	return NULL;
}

/* The process number comes last: with it, the others may look at the rest. */
static void
announce(struct null_fabric *fab, const struct null_agent *a)
{
	struct null_proc *me = &fab->sh->procs[fab->proc];
	struct stat st;
	uint32_t i;

	fstat(a->pipe[1], &st);
	for (i = 0; i < NULL_EP_MAX / 64; i++) {
		atomic_store(&me->retry.w[i], 0);
		atomic_store(&me->intr.w[i], 0);
	}
	atomic_store(&me->kicks, 0);
	atomic_store(&me->asleep, 0);
	atomic_store(&me->wake_fd, (uint32_t)a->pipe[1]);
	atomic_store(&me->wake_ino, st.st_ino);
	atomic_store(&me->pid, (uint32_t)getpid());
	atomic_fetch_add(&fab->sh->procs_gen, 1);
	null_proc_kick_all(fab, NULL_KICK_PROCS);
}

int
null_proc_start(struct null_fabric *fab)
{
	struct null_agent *a = agent_new(fab);
	int ret;

	if (a == NULL)
		return -errno;
	fab->agent = a;
	announce(fab, a);
	ret = thread_begin(&a->thread, agent_main, a, "null-agent");
	if (ret == 0)
		return 0;
	atomic_store(&fab->sh->procs[fab->proc].pid, 0);
	agent_free(a);
	fab->agent = NULL;
	return ret;
}

void
null_proc_stop(struct null_fabric *fab)
{
	struct null_agent *a = fab->agent;
	ssize_t ret;

	atomic_store(&a->stop, true);
	ret = write(a->pipe[1], "", 1);
	(void)ret;
	pthread_join(a->thread, NULL);
	if (a->running) {
		sem_post(&a->work);
		pthread_join(a->runner, NULL);
	}
	atomic_store(&fab->sh->procs[fab->proc].pid, 0);
	atomic_fetch_add(&fab->sh->procs_gen, 1);
	null_proc_kick_all(fab, NULL_KICK_PROCS);
	agent_free(a);
	fab->agent = NULL;
}
