/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stock MPICH's only missing setting, as a preload to compare with: an empty poll is followed by
 * sched_yield.
 */
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker) {
    static unsigned (*next)(void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned came = next(worker);
    if (came == 0)
        sched_yield();
    return came;
}
