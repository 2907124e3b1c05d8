// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by the symbols that only one of the two runtimes has.
#include "libvmrt/idle_threads.hpp"

#include "layout/idle_threads.h"
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

// With this many looks, folded programs took up to twice as long as with none.
constexpr unsigned long long too_many_looks = 30'000;

// 0 may have a unit; of others, k and the like are those that are too many.
bool is_below(const char *number, unsigned long long limit) {
    char *end = nullptr;
    const unsigned long long value = std::strtoull(number, &end, 10);
    return *number >= '0' && *number <= '9' && (value == 0 || (*end == '\0' && value < limit));
}

bool sleep_in_llvm() {
    const char *time =
        std::getenv(VMALL_ENV_LLVM_TIME); // with a unit, perhaps; 0.2 seconds by default
    return time != nullptr && is_below(time, 1);
}

bool sleep_in_gcc() {
    if (const char *spins = std::getenv(VMALL_ENV_GCC_SPINS))
        return is_below(spins, too_many_looks);
    const char *policy = std::getenv(VMALL_ENV_WAIT_POLICY);
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
