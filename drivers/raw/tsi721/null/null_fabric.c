/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Fabrics: joining one by name or by its topology file, generations. What is on
 * one: null_build.c; who is on it: null_attach.c; how packets go: null_route.c.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "null_peer.h"
#include "null_proc.h"
#include "null_shm.h"

static pthread_mutex_t join_lock = PTHREAD_MUTEX_INITIALIZER;
static struct null_fabric *fabrics;	/* that this process has joined */

/* ---- joining ---- */

static struct null_shared *
shared_new(const char *name, const struct null_topo *topo)
{
	struct null_shared *sh;

	/* Fresh pages are zero and only those that are used become memory. */
	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sh == MAP_FAILED)
		return NULL;
	sh->magic = NULL_SHARED_MAGIC;
	sh->version = NULL_SHARED_VERSION;
	sh->size = sizeof(*sh);
	snprintf(sh->name, sizeof(sh->name), "%s", name);
	if (topo != NULL)
		null_topo_build(sh, topo);
	else
		null_star_build(sh);
	return sh;
}

/* A fabric of this process alone: no file, no agent. */
static int
private_join(struct null_fabric *fab, const char *name, const struct null_topo *topo, char *err,
	     size_t errlen)
{
	fab->sh = shared_new(name, topo);
	if (fab->sh == NULL) {
		null_say(err, errlen, "no memory for fabric '%s'", name);
		return -ENOMEM;
	}
	fab->proc = 0;
	atomic_store(&fab->sh->procs[0].pid, (uint32_t)getpid());
	return 0;
}

static bool
joined(const char *name)
{
	const struct null_fabric *fab;

	for (fab = fabrics; fab != NULL; fab = fab->next)
		if (strcmp(fab->sh->name, name) == 0)
			return true;
	return false;
}

static int
shared_join(struct null_fabric *fab, const char *name, const struct null_topo *topo, char *err,
	    size_t errlen)
{
	int ret;

	null_shm_sweep(joined);
	ret = null_shm_join(fab, name, topo, err, errlen);
	if (ret < 0)
		return ret;
	ret = null_proc_start(fab);
	if (ret < 0) {
		null_say(err, errlen, "fabric '%s': no agent: %s", name, strerror(-ret));
		null_shm_leave(fab);
	}
	return ret;
}

static void
fabric_free(struct null_fabric *fab)
{
	if (fab->shared) {
		null_proc_stop(fab);
		null_peer_fini(fab);
		null_shm_leave(fab);
	} else if (fab->sh != NULL) {
		munmap(fab->sh, sizeof(*fab->sh));
	}
	pthread_mutex_destroy(&fab->map_lock);
	pthread_mutex_destroy(&fab->peer_lock);
	pthread_rwlock_destroy(&fab->dev_lock);
	free(fab);
}

static int
fabric_new(const char *name, const struct null_topo *topo, struct null_fabric **out, char *err,
	   size_t errlen)
{
	struct null_fabric *fab = calloc(1, sizeof(*fab));
	int ret;

	if (fab == NULL) {
		null_say(err, errlen, "no memory for fabric '%s'", name);
		return -ENOMEM;
	}
	pthread_mutex_init(&fab->map_lock, NULL);
	pthread_mutex_init(&fab->peer_lock, NULL);
	pthread_rwlock_init(&fab->dev_lock, NULL);
	if (strcmp(name, NULL_FABRIC_DEFAULT) == 0)
		ret = private_join(fab, name, topo, err, errlen);
	else
		ret = shared_join(fab, name, topo, err, errlen);
	if (ret < 0) {
		fab->sh = NULL;
		fab->shared = false;
		fabric_free(fab);
		return ret;
	}
	*out = fab;
	return 0;
}

static bool
name_ok(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len < NULL_NAME_LEN &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_.-") == len && name[0] != '.';
}

static void
leave_locked(struct null_fabric *fab)
{
	struct null_fabric **p;

	if (--fab->refcnt > 0)
		return;
	for (p = &fabrics; *p != fab; p = &(*p)->next)
		;
	*p = fab->next;
	fabric_free(fab);
}

/* The fabric of this name, made when it is not there. The caller holds join_lock. */
static int
join_locked(const char *name, const struct null_topo *topo, struct null_fabric **out, char *err,
	    size_t errlen)
{
	struct null_fabric *fab;
	int ret;

	for (fab = fabrics; fab != NULL; fab = fab->next)
		if (strcmp(fab->sh->name, name) == 0)
			break;
	if (fab == NULL) {
		ret = fabric_new(name, topo, &fab, err, errlen);
		if (ret < 0)
			return ret;
		fab->next = fabrics;
		fabrics = fab;
	}
	fab->refcnt++;
	if (topo != NULL && fab->sh->topo_hash != null_topo_hash(topo)) {
		null_say(err, errlen, "fabric '%s' is there already, with another topology", name);
		leave_locked(fab);
		return -EEXIST;
	}
	*out = fab;
	return 0;
}

int
null_fabric_join(const char *name, const char *file, struct null_fabric **out, char *err,
		 size_t errlen)
{
	struct null_topo *topo = NULL;
	int ret;

	if (name != NULL && !name_ok(name)) {
		null_say(err, errlen, "fabric name '%.80s' is not 1 to %u letters, digits, '_', '-', '.'",
			 name, NULL_NAME_LEN - 1);
		return -EINVAL;
	}
	if (file != NULL) {
		ret = null_topo_load(file, &topo, err, errlen);
		if (ret < 0)
			return ret;
	}
	if (name == NULL)
		name = topo != NULL ? topo->name : NULL_FABRIC_DEFAULT;
	pthread_mutex_lock(&join_lock);
	ret = join_locked(name, topo, out, err, errlen);
	pthread_mutex_unlock(&join_lock);
	null_topo_free(topo);
	return ret;
}

void
null_fabric_leave(struct null_fabric *fab)
{
	pthread_mutex_lock(&join_lock);
	leave_locked(fab);
	pthread_mutex_unlock(&join_lock);
}

/* Processes often end with their devices open: no file is left behind for that. */
__attribute__((destructor)) static void
fabrics_exit(void)
{
	struct null_fabric *fab;

	for (fab = fabrics; fab != NULL; fab = fab->next)
		if (fab->shared)
			null_shm_exit(fab);
}

bool
null_fabric_proc_alive(struct null_fabric *fab, uint32_t proc)
{
	return proc == fab->proc || (fab->shared && null_shm_held(fab, proc, NULL));
}

/* ---- generations ---- */

void
null_fabric_changed(struct null_fabric *fab)
{
	atomic_fetch_add(&fab->sh->gen, 1);
}

static void
chip_quiesce(struct null_fabric *fab, struct null_chip *chip, uint64_t *until)
{
	uint32_t i;

	for (i = 0; i < TSI721_DMAC_NUM; i++)
		null_lock_passed(fab, &chip->bdma[i].lock, until);
	for (i = 0; i < TSI721_OMSG_NUM; i++)
		null_lock_passed(fab, &chip->omsg[i].lock, until);
	null_lock_passed(fab, &chip->odb.lock, until);
	null_lock_passed(fab, &chip->obwin_lock, until);
}

void
null_fabric_quiesce(struct null_fabric *fab)
{
	uint32_t i, nb = atomic_load(&fab->sh->nb_ep);
	uint64_t until = 0;

	for (i = 0; i < nb; i++)
		chip_quiesce(fab, &fab->sh->ep[i], &until);
}

void
null_fabric_quiesce_own(struct null_fabric *fab)
{
	uint32_t i, nb = atomic_load(&fab->sh->nb_ep);
	uint64_t until = 0;

	for (i = 0; i < nb; i++)
		if (atomic_load(&fab->own[i]))
			chip_quiesce(fab, &fab->sh->ep[i], &until);
}
