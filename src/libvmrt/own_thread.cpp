// SPDX-License-Identifier: GPL-2.0-or-later
//
// A detached thread, and sched_setattr, which the C library has no function for.
#include "libvmrt/own_thread.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

constexpr std::size_t stack_bytes = 256 * 1024;
constexpr std::uint64_t shortest_slice_ns = 100'000;

// struct sched_attr: the kernel's header cannot be used beside the C library's.
struct SchedulingAttributes {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
};
static_assert(sizeof(SchedulingAttributes) == 48, "the first version of the structure");

void take_short_slices() {
    SchedulingAttributes attributes{};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0)
        return;
    attributes.runtime = shortest_slice_ns;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void *run(void *own_thread) {
    const auto &thread = *static_cast<const OwnThread *>(own_thread);
    prctl(PR_SET_NAME, thread.name);
    take_short_slices();
    thread.body(thread.argument);
    return nullptr;
}

} // namespace

bool start(const OwnThread &thread) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    std::size_t default_bytes = 0;
    pthread_attr_getstacksize(&attributes, &default_bytes);
    bool started = false;
    // Thread-local variables come out of the stack, and some programs have many.
    for (const std::size_t bytes : {stack_bytes, default_bytes}) {
        pthread_t ignored;
        started = started || (pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                              pthread_create(&ignored, &attributes, run,
                                             const_cast<OwnThread *>(&thread)) == 0);
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

} // namespace vmall::runtime
