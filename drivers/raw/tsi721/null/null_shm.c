/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "null_shm.h"

#define SHM_DIR		"/dev/shm"
#define SHM_PATH_LEN	(sizeof(SHM_DIR "/dpdk-rio-4294967295-") + NULL_NAME_LEN)
/* Record locks: the same in every version. */
#define LOCK_JOIN	((off_t)1 << 40)
#define LOCK_SLOT(i)	(LOCK_JOIN + 1 + (off_t)(i))
#define JOIN_TRIES	2000u
#define JOIN_NAP_NS	1000000

/* ---- record locks ---- */

/* 0 or -errno; -EAGAIN, -EACCES: another process has it. */
static int
record_lock(int fd, short type, off_t at)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };

	return fcntl(fd, F_SETLK, &l) == 0 ? 0 : -errno;
}

/* Whether another process holds any of these bytes, and which one. */
static bool
record_held(int fd, off_t at, off_t len, uint32_t *pid)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = len };

	if (fcntl(fd, F_GETLK, &l) != 0 || l.l_type == F_UNLCK)
		return false;
	if (pid != NULL)
		*pid = l.l_pid > 0 ? (uint32_t)l.l_pid : 0;
	return true;
}

static bool
others_there(int fd)
{
	return record_held(fd, LOCK_SLOT(0), NULL_PROC_MAX, NULL);
}

bool
null_shm_held(const struct null_fabric *fab, uint32_t proc, uint32_t *pid)
{
	return record_held(fab->fd, LOCK_SLOT(proc), 1, pid);
}

/* Held for microseconds, unless its holder is stopped just then. */
static bool
join_lock(int fd)
{
	const struct timespec nap = { .tv_nsec = JOIN_NAP_NS };
	uint32_t i;

	for (i = 0; i < JOIN_TRIES; i++) {
		if (record_lock(fd, F_WRLCK, LOCK_JOIN) == 0)
			return true;
		nanosleep(&nap, NULL);
	}
	return false;
}

/* ---- the file ---- */

static void
shm_path(const char *name, char path[SHM_PATH_LEN])
{
	snprintf(path, SHM_PATH_LEN, SHM_DIR "/dpdk-rio-%u-%s", (unsigned int)geteuid(), name);
}

/* What lies there under the name may be anybody's. */
static int
shm_open_file(const char *path, char *err, size_t errlen)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat st;
	int ret;

	if (fd < 0) {
		ret = -errno;
		null_say(err, errlen, "%s: %s", path, strerror(-ret));
		return ret;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 077) != 0) {
		null_say(err, errlen, "%s is not a file of this user alone", path);
		close(fd);
		return -EACCES;
	}
	return fd;
}

/* Open and locked, and still what the name leads to. */
static int
shm_open_locked(const char *path, char *err, size_t errlen)
{
	struct stat st;
	int fd;

	for (;;) {
		fd = shm_open_file(path, err, errlen);
		if (fd < 0)
			return fd;
		if (!join_lock(fd)) {
			null_say(err, errlen, "%s: a stopped process is joining or leaving", path);
			close(fd);
			return -EBUSY;
		}
		if (fstat(fd, &st) == 0 && st.st_nlink > 0)
			return fd;
		close(fd);
	}
}

/* Begin a new one. Room is taken at once: later there would be a SIGBUS. */
static int
shm_create(int fd, const char *path, char *err, size_t errlen)
{
	int ret;

	if (ftruncate(fd, 0) != 0)
		ret = errno;
	else
		ret = posix_fallocate(fd, 0, sizeof(struct null_shared));
	if (ret != 0)
		null_say(err, errlen, "%s, of %zu bytes: %s", path, sizeof(struct null_shared),
			 strerror(ret));
	return -ret;
}

static int
shm_check(int fd, const char *path, char *err, size_t errlen)
{
	struct { uint32_t magic, version, size; } head = { 0 };
	struct stat st;

	_Static_assert(offsetof(struct null_shared, size) == 8, "the head of every version");
	if (pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	    head.magic == NULL_SHARED_MAGIC && head.version == NULL_SHARED_VERSION &&
	    head.size == sizeof(struct null_shared)) {
		if (fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof(struct null_shared))
			return 0;
		null_say(err, errlen, "%s was cut short: it has %lld bytes, not %zu", path,
			 (long long)st.st_size, sizeof(struct null_shared));
		return -EPROTO;
	}
	null_say(err, errlen, "%s is in use by another version: %u of %u bytes, not %u of %zu", path,
		 head.version, head.size, NULL_SHARED_VERSION, sizeof(struct null_shared));
	return -EPROTO;
}

static void
shm_build(struct null_shared *sh, const char *name, const struct null_topo *topo)
{
	uint32_t i;

	snprintf(sh->name, sizeof(sh->name), "%s", name);
	for (i = 0; i < NULL_EP_MAX; i++)
		atomic_store(&sh->listing[i].fd, -1);
	if (topo != NULL)
		null_topo_build(sh, topo);
	else
		null_star_build(sh);
	sh->version = NULL_SHARED_VERSION;
	sh->size = sizeof(*sh);
	sh->magic = NULL_SHARED_MAGIC;
}

/* A slot of a process that died is not free before it was buried. */
static int
slot_take(struct null_fabric *fab, char *err, size_t errlen)
{
	uint32_t i;

	for (i = 0; i < NULL_PROC_MAX; i++) {
		if (atomic_load(&fab->sh->procs[i].pid) != 0 ||
		    record_lock(fab->fd, F_WRLCK, LOCK_SLOT(i)) != 0)
			continue;
		fab->proc = i;
		atomic_fetch_add(&fab->sh->procs[i].gen, 1);
		return 0;
	}
	null_say(err, errlen, "fabric '%s' has %u processes already", fab->sh->name,
		 NULL_PROC_MAX);
	return -ENOSPC;
}

/* With the file locked. */
static int
shm_enter(struct null_fabric *fab, const char *path, const char *name,
	  const struct null_topo *topo, char *err, size_t errlen)
{
	bool fresh = !others_there(fab->fd);
	int ret;

	ret = fresh ? shm_create(fab->fd, path, err, errlen) :
		      shm_check(fab->fd, path, err, errlen);
	if (ret < 0)
		return ret;
	fab->sh = mmap(NULL, sizeof(*fab->sh), PROT_READ | PROT_WRITE, MAP_SHARED, fab->fd, 0);
	if (fab->sh == MAP_FAILED) {
		null_say(err, errlen, "%s: %s", path, strerror(errno));
		return -ENOMEM;
	}
	if (fresh)
		shm_build(fab->sh, name, topo);
	ret = slot_take(fab, err, errlen);
	if (ret < 0)
		munmap(fab->sh, sizeof(*fab->sh));
	return ret;
}

/*
 * Remove one that nobody holds. Whoever waits for the lock just now finds that the
 * name leads elsewhere.
 */
static void
stale_remove(const char *path)
{
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    record_lock(fd, F_WRLCK, LOCK_JOIN) == 0 && !others_there(fd))
		unlink(path);
	close(fd);
}

void
null_shm_sweep(bool (*joined)(const char *name))
{
	char path[SHM_PATH_LEN];
	DIR *dir = opendir(SHM_DIR);
	struct dirent *e;
	size_t len;

	if (dir == NULL)
		return;
	shm_path("", path);
	len = strlen(path) - strlen(SHM_DIR "/");
	while ((e = readdir(dir)) != NULL) {
		/* A file of a joined fabric may not even be opened: its locks would go. */
		if (strncmp(e->d_name, path + strlen(SHM_DIR "/"), len) != 0 ||
		    strlen(e->d_name + len) >= NULL_NAME_LEN || joined(e->d_name + len))
			continue;
		shm_path(e->d_name + len, path);
		stale_remove(path);
	}
	closedir(dir);
}

int
null_shm_join(struct null_fabric *fab, const char *name, const struct null_topo *topo, char *err,
	      size_t errlen)
{
	char path[SHM_PATH_LEN];
	int ret;

	shm_path(name, path);
	ret = shm_open_locked(path, err, errlen);
	if (ret < 0)
		return ret;
	fab->fd = ret;
	ret = shm_enter(fab, path, name, topo, err, errlen);
	if (ret < 0) {
		if (!others_there(fab->fd))
			unlink(path);
		close(fab->fd);
		return ret;
	}
	record_lock(fab->fd, F_UNLCK, LOCK_JOIN);
	fab->shared = true;
	return 0;
}

void
null_shm_leave(struct null_fabric *fab)
{
	char path[SHM_PATH_LEN];

	shm_path(fab->sh->name, path);
	/* If it cannot be had, what is left is a stale file at most. */
	if (join_lock(fab->fd) && !others_there(fab->fd))
		unlink(path);
	munmap(fab->sh, sizeof(*fab->sh));
	/* Both locks vanish with it. */
	close(fab->fd);
}

void
null_shm_exit(struct null_fabric *fab)
{
	char path[SHM_PATH_LEN];

	shm_path(fab->sh->name, path);
	if (record_lock(fab->fd, F_WRLCK, LOCK_JOIN) == 0 && !others_there(fab->fd))
		unlink(path);
}

/* ---- looking at it ---- */

/* A file of this name that is somebody's: open for reading. -ENOENT: there is none. */
static int
look_open(const char *name, char path[SHM_PATH_LEN], char *err, size_t errlen)
{
	struct stat st;
	int fd;

	shm_path(name, path);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    others_there(fd))
		return fd;
	if (fd >= 0)
		close(fd);
	null_say(err, errlen, "no fabric '%.*s' is running", (int)NULL_NAME_LEN, name);
	return -ENOENT;
}

int
null_shm_look(const char *name, struct null_shared **sh, char *err, size_t errlen)
{
	char path[SHM_PATH_LEN];
	int fd = look_open(name, path, err, errlen), ret;

	if (fd < 0)
		return fd;
	ret = shm_check(fd, path, err, errlen);
	if (ret == 0) {
		*sh = mmap(NULL, sizeof(**sh), PROT_READ, MAP_SHARED, fd, 0);
		if (*sh == MAP_FAILED) {
			ret = -errno;
			null_say(err, errlen, "%s: %s", path, strerror(-ret));
		}
	}
	close(fd);
	return ret;
}

void
null_shm_each(void (*fn)(void *ctx, const char *name), void *ctx)
{
	char prefix[SHM_PATH_LEN], path[SHM_PATH_LEN];
	DIR *dir = opendir(SHM_DIR);
	struct dirent *e;
	size_t len;
	int fd;

	if (dir == NULL)
		return;
	shm_path("", prefix);
	len = strlen(prefix) - strlen(SHM_DIR "/");
	while ((e = readdir(dir)) != NULL) {
		if (strncmp(e->d_name, prefix + strlen(SHM_DIR "/"), len) != 0 ||
		    strlen(e->d_name + len) >= NULL_NAME_LEN)
			continue;
		fd = look_open(e->d_name + len, path, NULL, 0);
		if (fd < 0)
			continue;
		close(fd);
		fn(ctx, e->d_name + len);
	}
	closedir(dir);
}
