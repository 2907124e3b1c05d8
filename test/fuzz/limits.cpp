// SPDX-License-Identifier: GPL-2.0-or-later
//
// CPU time, so that whatever else runs does not count, and the allocations that the address
// sanitizer tells of.
#include "limits.hpp"

#include "target.hpp"

#include <ctime>
#include <sanitizer/allocator_interface.h>

namespace vmall::fuzz {

namespace {

bool counting = false;
std::size_t held = 0;

void on_malloc(const volatile void *, std::size_t size) {
    if (!counting)
        return;
    held += size;
    expect(held <= highest_bytes, "an input takes 64 MiB at most");
}

void on_free(const volatile void *memory) {
    if (!counting || memory == nullptr)
        return;
    const std::size_t size = __sanitizer_get_allocated_size(memory);
    held -= size < held ? size : held; // some were there before the input
}

double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

bool is_fast(void (*decode)(const std::string &), const std::string &input) {
    held = 0;
    counting = true;
    const double start = cpu_seconds();
    decode(input);
    const double took = cpu_seconds() - start;
    counting = false;
    return took <= highest_cpu_seconds;
}

} // namespace

void within_limits(void (*decode)(const std::string &), const std::string &input) {
    static const int hooks = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    expect(hooks != 0, "the sanitizer tells of allocations");
    // The first time may be the first use of something, or hit by what the kernel had to do.
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i)
        if (is_fast(decode, input))
            return;
    expect(false, "an input takes 50 ms of CPU time at most");
}

} // namespace vmall::fuzz
