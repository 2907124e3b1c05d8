// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by the symbols that only one of the two runtimes has.
#include "libvmrt/idle_threads.hpp"

#include "libvmrt/debug.hpp"
#include "libvmrt/process.hpp"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <strings.h>

namespace vmall::runtime {
namespace {

bool has(const char *function) {
    return dlsym(RTLD_DEFAULT, function) != nullptr;
}

bool is_zero(const char *number) {
    return *number == '0' && std::strtoull(number, nullptr, 10) == 0;
}

bool sleep_in_llvm() {
    const char *time = std::getenv("KMP_BLOCKTIME"); // with a unit, perhaps; 0.2 seconds by default
    return time != nullptr && is_zero(time);
}

bool sleep_in_gcc() {
    if (const char *spins = std::getenv("GOMP_SPINCOUNT"))
        return is_zero(spins);
    const char *policy = std::getenv("OMP_WAIT_POLICY");
    return policy != nullptr && strcasecmp(policy, "passive") == 0;
}

// Of the program, on the first of its nodes.
bool is_first_rank() {
    const char *node = std::getenv("SLURM_NODEID");
    return local_rank().rank == 0 && (node == nullptr || std::strcmp(node, "0") == 0);
}

} // namespace

void tell_of_idle_threads() {
    const bool llvm = has("kmp_get_blocktime");
    const bool openmp = llvm || has("omp_get_num_threads");
    if (!openmp || !is_first_rank())
        return;
    if (!(llvm ? sleep_in_llvm() : sleep_in_gcc()))
        say("ranks of this job take turns on CPUs, where threads that have nothing to do spin "
            "meanwhile: it will be slow. Unset OMP_WAIT_POLICY, GOMP_SPINCOUNT and KMP_BLOCKTIME.");
    else if (std::getenv("VMALL_DEBUG") != nullptr)
        say("threads that have nothing to do sleep, as OMP_WAIT_POLICY, GOMP_SPINCOUNT or "
            "KMP_BLOCKTIME say");
}

} // namespace vmall::runtime
