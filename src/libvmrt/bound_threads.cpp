// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads that a program binds before it starts them, as GCC's OpenMP does by GOMP_CPU_AFFINITY.
// Where nodes have cpusets, the kernel starts none that may only run on a CPU that its job does not
// have, and the program ends. The others are put where they belong later.
#include "libvmrt/affinity.hpp"
#include "libvmrt/job_allotment.hpp"
#include "libvmrt/next_symbol.hpp"

#include <pthread.h>

namespace vmall::runtime {
namespace {

Next<int(pthread_attr_t *, size_t, const cpu_set_t *)> next("pthread_attr_setaffinity_np",
                                                            "libc.so.6");

bool has_any(const cpu_set_t *cpus, size_t bytes, const ControlContent &content) {
    for (std::uint32_t i = 0; i < content.cpu_count; ++i)
        if (CPU_ISSET_S(content.cpus[i], bytes, cpus))
            return true;
    return false;
}

} // namespace
} // namespace vmall::runtime

using namespace vmall::runtime;

VMALL_INTERPOSED int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes,
                                                 const cpu_set_t *cpus) noexcept {
    ControlContent content;
    if (bytes == 0 || !read_allotment(content) || content.mpl == 1 || has_any(cpus, bytes, content))
        return next(attributes, bytes, cpus);
    const cpu_set_t allotment = set_of(content.cpus, content.cpu_count);
    return next(attributes, sizeof allotment, &allotment);
}
