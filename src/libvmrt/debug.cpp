// SPDX-License-Identifier: GPL-2.0-or-later
//
// One write, no stream: any thread may be inside one.
#include "libvmrt/debug.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace vmall::runtime {

void say(const char *what) {
    char line[256];
    const int length =
        std::snprintf(line, sizeof line, "libvmrt[%d]: %s\n", static_cast<int>(getpid()), what);
    if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0)
        return; // nobody to tell
}

void debug(const char *what) {
    static bool said = false;
    if (std::getenv("VMALL_DEBUG") == nullptr || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        return;
    say(what);
}

} // namespace vmall::runtime
