/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into slurmctld, measures how long its schedulers keep jobs locked for writing, the same
 * way for every scheduler: lock_slurmctld() itself cannot be replaced, but what it calls.
 */
#include "lock_meter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* The order of slurmctld's locks, which are an array. */
enum { CONF_LOCK, JOB_LOCK };

typedef int (*operation)(pthread_rwlock_t *lock);

static operation really_lock, really_read_lock, really_unlock;
static struct lock_meter_row *rows;
static const char *lock_slurmctld, *lock_slurmctld_end;
static pthread_rwlock_t *locks; /* the lowest that was seen: configuration comes first */
static __thread uint64_t locked_at;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

static enum lock_meter_kind kind(void) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    if (!strcmp(name, "sched_agent"))
        return LOCK_METER_MAIN;
    if (!strcmp(name, "bckfl"))
        return LOCK_METER_BACKFILL;
    return strcmp(name, "sched_fjt") ? LOCK_METER_OTHERS : LOCK_METER_FJT;
}

static void map_rows(const char *path) {
    const int file = open(path, O_RDWR | O_CLOEXEC);
    rows =
        mmap(NULL, LOCK_METER_KINDS * sizeof(*rows), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (rows == MAP_FAILED)
        abort();
    close(file);
}

__attribute__((constructor)) static void begin(void) {
    really_lock = (operation)dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
    really_read_lock = (operation)dlsym(RTLD_NEXT, "pthread_rwlock_rdlock");
    really_unlock = (operation)dlsym(RTLD_NEXT, "pthread_rwlock_unlock");
    lock_slurmctld = dlsym(RTLD_DEFAULT, "lock_slurmctld");
    lock_slurmctld_end = dlsym(RTLD_DEFAULT, "unlock_slurmctld");
    if (lock_slurmctld) /* not another program that slurmctld runs */
        map_rows(getenv("LOCK_METER"));
}

/* Learns from slurmctld where its locks are. */
static void see(pthread_rwlock_t *lock, const void *caller) {
    const char *at = caller;
    pthread_rwlock_t *known = __atomic_load_n(&locks, __ATOMIC_RELAXED);
    if (at > lock_slurmctld && at < lock_slurmctld_end && (!known || lock < known))
        __atomic_store_n(&locks, lock, __ATOMIC_RELAXED);
}

static bool is_of_jobs(const pthread_rwlock_t *lock) {
    const pthread_rwlock_t *known = __atomic_load_n(&locks, __ATOMIC_RELAXED);
    return known && lock == known + JOB_LOCK;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    see(lock, __builtin_return_address(0));
    return really_read_lock(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    see(lock, __builtin_return_address(0));
    const int rc = really_lock(lock);
    if (is_of_jobs(lock))
        locked_at = now();
    return rc;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    if (!locked_at || !is_of_jobs(lock))
        return really_unlock(lock);
    const uint64_t held = now() - locked_at;
    locked_at = 0;
    struct lock_meter_row *row = &rows[kind()];
    const int rc = really_unlock(lock);
    __atomic_fetch_add(&row->held, held, __ATOMIC_RELAXED);
    if (held > __atomic_load_n(&row->longest, __ATOMIC_RELAXED))
        __atomic_store_n(&row->longest, held, __ATOMIC_RELAXED);
    return rc;
}
