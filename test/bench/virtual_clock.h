/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A clock that stands still until somebody moves it, for a daemon that is not changed for it: the
 * page that virtual_clock.c, preloaded into the daemon, shares with the process that moves the
 * clock. Threads of the daemon that sleep, or wait with a time limit, stand in the page with the
 * time at which they go on. The other process lets one of them go on when the daemon is at rest,
 * and so decides in which order things happen.
 */
#ifndef TEST_BENCH_VIRTUAL_CLOCK_H
#define TEST_BENCH_VIRTUAL_CLOCK_H

#include <stdint.h>

#define VIRTUAL_CLOCK_SLEEPERS 512

/* Names the file that holds the page. */
#define VIRTUAL_CLOCK_VARIABLE "VIRTUAL_CLOCK"

struct virtual_sleeper {
    uint64_t ticket; /* 0: nobody; else counts up in the order in which they went to sleep */
    int64_t until;   /* µs since the epoch */
};

struct virtual_clock {
    int64_t now;      /* µs since the epoch */
    uint64_t tickets; /* how many have gone to sleep so far */
    uint64_t stirs;   /* how often a thread has woken or made another since the daemon began */
    uint32_t wake;    /* 1 + index of the sleeper that is to go on; the daemon makes it 0 again */
    uint32_t naps;    /* of its threads, those in a sleep that is too short for this clock */
    struct virtual_sleeper sleepers[VIRTUAL_CLOCK_SLEEPERS];
};

#endif
