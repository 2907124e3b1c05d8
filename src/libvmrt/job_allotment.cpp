// SPDX-License-Identifier: GPL-2.0-or-later
//
// Mapped once in each process.
#include "libvmrt/job_allotment.hpp"

#include <cstdlib>
#include <pthread.h>

namespace vmall::runtime {
namespace {

pthread_once_t opened = PTHREAD_ONCE_INIT;
ControlView control;
bool is_open = false;

void open() {
    const char *path = std::getenv(VMALL_ENV_CONTROL);
    is_open = path != nullptr && control.open(path);
}

} // namespace

bool read_allotment(ControlContent &content) {
    pthread_once(&opened, open);
    if (!is_open)
        return false;
    std::uint32_t sequence;
    Reading reading = Reading::torn;
    constexpr int highest_try_count = 1000; // the agent writes for less long
    for (int i = 0; i < highest_try_count && reading == Reading::torn; ++i)
        reading = control.read(content, sequence);
    return reading == Reading::done;
}

} // namespace vmall::runtime
