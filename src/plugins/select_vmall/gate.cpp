// SPDX-License-Identifier: GPL-2.0-or-later
//
// The hooks behind select_decorator.h.
#include "plugins/select_vmall/gate.hpp"

#include "config/job_request.hpp"
#include "slurmglue/select_decorator.h"

#include "vmall_config.h"

#include <atomic>
#include <exception>

namespace vmall::select {

namespace {

std::atomic<void (*)()> listener{nullptr};
thread_local bool open_for_this_thread = false;

void attach(void (*changed)()) noexcept {
    listener = changed;
}

void open(bool is_open) noexcept {
    open_for_this_thread = is_open;
}

// A request that does not parse is not one: the job is scheduled as any other, and sched/fjt says
// so.
bool asked(const char *const *environment, std::uint32_t count) noexcept {
    try {
        return config::parse_environment({environment, environment + count}).asked;
    } catch (const std::exception &) {
        return false;
    }
}

bool may_start(std::uint32_t, const char *const *environment, std::uint32_t count) noexcept {
    return open_for_this_thread || !listener.load() || !asked(environment, count);
}

// The scheduler knows what it does itself; even a start that Slurm refuses comes by here.
void changed() noexcept {
    void (*const tell)() = listener.load();
    if (tell && !open_for_this_thread)
        tell();
}

} // namespace

const Gate gate = {PACKAGE_VERSION, attach, open};

} // namespace vmall::select

extern "C" {
const struct vmall_select_hooks vmall_select_hooks = {vmall::select::may_start,
                                                      vmall::select::changed};
const void *const vmall_select_answer = &vmall::select::gate;
}
