/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into a daemon, replaces what it knows of time by the page of virtual_clock.h.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "virtual_clock.h"

enum { MICRO = 1000000 };

/* Shorter sleeps only give way to other threads: they stay real, and the daemon is not at rest. */
enum { SHORTEST_SLEEP = 2000 };

struct local_sleeper {
    pthread_cond_t *condition;
    bool woken;
};

static struct virtual_clock *page;
static struct local_sleeper local[VIRTUAL_CLOCK_SLEEPERS];
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

/* A child that the daemon forks has no thread that wakes others: its sleeps are real. */
static bool forked;

static int64_t now(void) {
    return __atomic_load_n(&page->now, __ATOMIC_SEQ_CST);
}

static int64_t micro(const struct timespec *time) {
    return time->tv_sec * (int64_t)MICRO + (time->tv_nsec + 999) / 1000;
}

static struct timespec spec(int64_t time) {
    return (struct timespec){.tv_sec = time / MICRO, .tv_nsec = time % MICRO * 1000};
}

/* The other process looks only while no thread of the daemon runs, so it never meets a slot that is
 * half filled. */
static int enter(pthread_cond_t *condition, int64_t until) {
    int slot = 0;
    pthread_mutex_lock(&table);
    while (page->sleepers[slot].ticket)
        if (++slot == VIRTUAL_CLOCK_SLEEPERS)
            abort();
    local[slot] = (struct local_sleeper){.condition = condition};
    page->sleepers[slot] = (struct virtual_sleeper){.ticket = page->tickets + 1, .until = until};
    page->tickets++;
    pthread_mutex_unlock(&table);
    return slot;
}

static bool leave(int slot) {
    pthread_mutex_lock(&table);
    bool woken = local[slot].woken;
    page->sleepers[slot].ticket = 0;
    pthread_mutex_unlock(&table);
    return woken;
}

/* The function of this name that we stand in front of, in the version that daemons are linked with.
 */
static void *behind(const char *name, const char *version) {
    void *found = dlvsym(RTLD_NEXT, name, version);
    if (!found)
        abort();
    return found;
}

static int broadcast(pthread_cond_t *condition) {
    static int (*next)(pthread_cond_t *);
    if (!next)
        *(void **)&next = behind("pthread_cond_broadcast", "GLIBC_2.3.2");
    return next(condition);
}

static void *waker(void *unused) {
    (void)unused;
    for (;;) {
        uint32_t wake = __atomic_exchange_n(&page->wake, 0, __ATOMIC_SEQ_CST);
        if (wake) {
            pthread_mutex_lock(&table);
            local[wake - 1].woken = true;
            broadcast(local[wake - 1].condition);
            pthread_mutex_unlock(&table);
        } else
            syscall(SYS_futex, &page->wake, FUTEX_WAIT, 0, NULL, NULL, 0);
    }
    return NULL;
}

static void in_child(void) {
    forked = true;
}

static int wait_really(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t duration) {
    static int (*next)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
    if (!next)
        *(void **)&next = behind("pthread_cond_clockwait", "GLIBC_2.30");
    struct timespec real;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &real);
    struct timespec until = spec(micro(&real) + duration);
    return next(condition, mutex, CLOCK_MONOTONIC, &until);
}

static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until) {
    if (forked)
        return wait_really(condition, mutex, until - now());
    if (until <= now())
        return ETIMEDOUT;
    int slot = enter(condition, until);
    pthread_cond_wait(condition, mutex);
    return leave(slot) ? ETIMEDOUT : 0;
}

static void nap(int64_t duration) {
    struct timespec real = spec(duration);
    if (!forked)
        __atomic_add_fetch(&page->naps, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_nanosleep, &real, NULL);
    if (!forked)
        __atomic_sub_fetch(&page->naps, 1, __ATOMIC_SEQ_CST);
}

static void sleep_for(int64_t duration) {
    if (forked || duration < SHORTEST_SLEEP) {
        nap(duration);
        return;
    }
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int64_t until = now() + duration;
    pthread_mutex_lock(&mutex);
    while (wait_until(&condition, &mutex, until) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void attach(void) {
    const char *name = getenv(VIRTUAL_CLOCK_VARIABLE);
    int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        abort();
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED)
        abort();
    close(file);
    unsetenv("LD_PRELOAD"); /* programs that the daemon starts are not part of it */
    pthread_atfork(NULL, NULL, in_child);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, NULL, waker, NULL))
        abort();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sleep_for(MICRO); /* nothing happens before the clock is moved */
}

/* What is replaced */

time_t time(time_t *result) {
    time_t seconds = now() / MICRO;
    if (result)
        *result = seconds;
    return seconds;
}

int gettimeofday(struct timeval *result, void *zone) {
    (void)zone;
    *result = (struct timeval){.tv_sec = now() / MICRO, .tv_usec = now() % MICRO};
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        return syscall(SYS_clock_gettime, clock, result);
    *result = spec(now());
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until) {
    return wait_until(condition, mutex, micro(until));
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
    (void)clock;
    return wait_until(condition, mutex, micro(until));
}

unsigned sleep(unsigned seconds) {
    sleep_for(seconds * (int64_t)MICRO);
    return 0;
}

int usleep(useconds_t duration) {
    sleep_for(duration);
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
    (void)rest;
    sleep_for(micro(duration));
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                    struct timespec *rest) {
    (void)clock;
    (void)rest;
    sleep_for(micro(time) - (flags & TIMER_ABSTIME ? now() : 0));
    return 0;
}

/* What is only noticed */

static void stir(void) {
    __atomic_add_fetch(&page->stirs, 1, __ATOMIC_SEQ_CST);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    stir();
    return broadcast(condition);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    static int (*next)(pthread_cond_t *);
    if (!next)
        *(void **)&next = behind("pthread_cond_signal", "GLIBC_2.3.2");
    stir();
    return next(condition);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *),
                   void *argument) {
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next)
        *(void **)&next = behind("pthread_create", "GLIBC_2.34");
    if (page)
        stir();
    return next(thread, attributes, begin, argument);
}

/* A disk takes real time, and nothing here needs to survive. */

int fsync(int file) {
    (void)file;
    return 0;
}

int fdatasync(int file) {
    (void)file;
    return 0;
}
