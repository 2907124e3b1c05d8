// SPDX-License-Identifier: GPL-2.0-or-later
//
// The only symbols this library shows: two functions of UCX that MPI libraries call.
//
// MPICH (ch4:ucx) calls ucp_worker_progress wherever it waits, whichever MPI call and language that
// is; 0 means that nothing happened. It calls ucp_worker_destroy in MPI_Finalize, when the rank is
// done with the others. No MPI header is needed, so any MPI library over UCX will do.
#include "libvmrt/rank.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using vmall::runtime::this_rank;

namespace {

// Programs that load MPI at run time (Python) keep UCX out of the global scope, where RTLD_NEXT
// looks.
void *next_symbol(const char *name) {
    if (void *symbol = dlsym(RTLD_NEXT, name))
        return symbol;
    void *ucx = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (void *symbol = ucx == nullptr ? nullptr : dlsym(ucx, name))
        return symbol;
    std::fprintf(stderr, "libvmrt: the program calls %s, but no libucp.so.0 is loaded\n", name);
    std::abort();
}

template <typename Function>
Function *next(Function *&cached, const char *name) {
    Function *function = __atomic_load_n(&cached, __ATOMIC_RELAXED);
    if (__builtin_expect(function == nullptr, false)) {
        function = reinterpret_cast<Function *>(next_symbol(name));
        __atomic_store_n(&cached, function, __ATOMIC_RELAXED);
    }
    return function;
}

using Progress = unsigned(void *);
using Destroy = void(void *);
Progress *next_progress = nullptr;
Destroy *next_destroy = nullptr;

__attribute__((destructor)) void leave_at_exit() {
    this_rank.leave();
}

} // namespace

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker) {
    Progress *const progress = next(next_progress, "ucp_worker_progress");
    if (const unsigned events = progress(worker)) {
        this_rank.received();
        return events;
    }
    this_rank.idle(); // MPI polls again at once, after a look at what else it has to do
    return 0;
}

extern "C" __attribute__((visibility("default"))) void ucp_worker_destroy(void *worker) {
    this_rank.leave();
    next(next_destroy, "ucp_worker_destroy")(worker);
}
