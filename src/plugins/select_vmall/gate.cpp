// SPDX-License-Identifier: GPL-2.0-or-later
//
// The hooks behind select_decorator.h.
#include "plugins/select_vmall/gate.hpp"

#include "plugins/cores/build.hpp"
#include "slurmglue/select_decorator.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace vmall::select {

namespace {

// The scheduler replaces them while slurmctld's threads go by them.
std::mutex replacing;
std::shared_ptr<const cores::Rules> present_rules = std::make_shared<cores::Rules>();

std::shared_ptr<const cores::Rules> rules() noexcept {
    const std::lock_guard<std::mutex> guard(replacing);
    return present_rules;
}

thread_local bool open_for_this_thread = false;
thread_local std::optional<vmall_company> lent_to;
thread_local std::vector<vmall_core_limit> limits_of_start;

std::optional<std::string> last_read;

std::vector<std::uint32_t> jobs_without_machine;  // ascending
std::optional<std::vector<std::uint32_t>> closed; // nothing: all

// A backup controller that stands by again unloads the listener: nobody may be in it then.
std::mutex telling;
const Listener *listener = nullptr;

void attach(const Listener *scheduler) noexcept {
    const std::lock_guard<std::mutex> guard(telling);
    listener = scheduler;
}

void open(bool is_open) noexcept {
    open_for_this_thread = is_open;
}

void go_by(const cores::Rules &rules) {
    auto copied = std::make_shared<const cores::Rules>(rules);
    const std::lock_guard<std::mutex> guard(replacing);
    present_rules.swap(copied);
}

void without_machine(std::vector<std::uint32_t> jobs) noexcept {
    jobs_without_machine = std::move(jobs);
}

bool has_no_machine(std::uint32_t job_id) noexcept {
    return std::binary_search(jobs_without_machine.begin(), jobs_without_machine.end(), job_id);
}

void close_nodes(std::vector<std::uint32_t> nodes) noexcept {
    closed = std::move(nodes);
}

bool closes_all_nodes() noexcept {
    return !closed.has_value();
}

const std::uint32_t *closed_nodes(std::uint32_t *count) noexcept {
    *count = static_cast<std::uint32_t>(closed->size());
    return closed->data();
}

void lend_to(std::optional<vmall_company> company) noexcept {
    lent_to = company;
}

bool lends_whole_nodes(vmall_company *company) noexcept {
    *company = lent_to.value_or(VMALL_NO_COMPANY);
    return lent_to.has_value();
}

void limit_cores(std::vector<vmall_core_limit> limits) noexcept {
    limits_of_start = std::move(limits);
}

const vmall_core_limit *core_limits(std::uint32_t *count) noexcept {
    *count = static_cast<std::uint32_t>(limits_of_start.size());
    return limits_of_start.data();
}

vmall_starter who_starts(const vmall_applicant *applicant) noexcept {
    if (open_for_this_thread)
        return VMALL_WE_START;
    return cores::is_malleable(*applicant, *rules()) ? VMALL_NOBODY_STARTS : VMALL_SLURM_STARTS;
}

// Of what the scheduler starts it tells itself: while it does, a job's record does not say what was
// asked for.
char *refusal(const vmall_applicant *applicant) noexcept {
    if (open_for_this_thread)
        return nullptr;
    try {
        const std::string text = cores::malleability_of(*applicant, *rules()).refusal;
        return text.empty() ? nullptr : strdup(text.c_str());
    } catch (const std::exception &) {
        return nullptr;
    }
}

// The scheduler knows what it does itself; even a start that Slurm refuses comes by here.
void changed() noexcept {
    if (open_for_this_thread)
        return;
    const std::lock_guard<std::mutex> guard(telling);
    if (listener)
        listener->changed();
}

void reconfigured() noexcept {
    const std::lock_guard<std::mutex> guard(telling);
    if (listener)
        listener->reconfigured();
}

void configured() noexcept {
    const std::lock_guard<std::mutex> guard(telling);
    if (listener)
        listener->configured();
}

} // namespace

const Gate gate = {cores::build, attach,  open,        go_by,     without_machine,
                   close_nodes,  lend_to, limit_cores, &last_read};

} // namespace vmall::select

extern "C" {
const struct vmall_select_hooks vmall_select_hooks = {
    VMALL_SCHEDULER_TYPE,          vmall::select::who_starts,
    vmall::select::has_no_machine, vmall::select::closes_all_nodes,
    vmall::select::closed_nodes,   vmall::select::lends_whole_nodes,
    vmall::select::core_limits,    vmall::select::refusal,
    vmall::select::changed,        vmall::select::reconfigured,
    vmall::select::configured};
const void *const vmall_select_answer = &vmall::select::gate;
}
