// SPDX-License-Identifier: GPL-2.0-or-later
//
// A slot, and a thread that spins at the lowest priority until it has been awake for long enough.
#include "pretended_rank.hpp"

#include "libvmrt/mapped_file.hpp"
#include "libvmrt/membership.hpp"
#include "libvmrt/own_thread.hpp"
#include "libvmrt/process.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sched.h>
#include <stdexcept>
#include <thread>

namespace vmall::evaluation {

namespace {

using Seconds = std::chrono::duration<double>;
using namespace std::chrono_literals;

constexpr auto spin = 4ms; // between looks at how long it was awake
// Behind others that compute it may be in line for seconds before it can look.
constexpr Seconds shortest_sleep = 10ms, longest_sleep = 10s;

// On a CPU and in line for one, of the calling thread, as the agent counts (awake_time.hpp).
Seconds awake() {
    timespec on_cpu{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &on_cpu);
    std::uint64_t schedstat_on_cpu = 0, in_line_ns = 0;
    std::ifstream("/proc/thread-self/schedstat") >> schedstat_on_cpu >> in_line_ns;
    return std::chrono::seconds(on_cpu.tv_sec) + std::chrono::nanoseconds(on_cpu.tv_nsec) +
           std::chrono::nanoseconds(in_line_ns);
}

void take_slot(std::uint32_t runtime_key) {
    void *segment = runtime::attach_segment(runtime_key, VMALL_RUNTIME_BYTES);
    if (!segment)
        throw std::runtime_error("there is no runtime page of root's with the control block's key");
    auto &page = *static_cast<vmall_runtime_page *>(segment);
    if (!runtime::prepare(page) || runtime::claim_slot(page, runtime::this_process(),
                                                       runtime::local_rank()) == runtime::no_slot)
        throw std::runtime_error("the runtime page has no slot");
}

} // namespace

PretendedRank::PretendedRank(std::uint32_t runtime_key, double share) : share_(share) {
    take_slot(runtime_key);
    const auto body = [](void *rank) { static_cast<PretendedRank *>(rank)->stay_awake(); };
    static runtime::OwnThread thread{"stand-in-awake", body, this};
    if (!runtime::start(thread))
        throw std::runtime_error("there can be no thread");
}

void PretendedRank::stay_awake() {
    const sched_param none{};
    sched_setscheduler(0, SCHED_IDLE, &none);
    for (;;) {
        const auto [wanted, share] = this->wanted();
        const Seconds too_long = awake() - wanted;
        if (too_long < 0s)
            for (const auto end = Clock::now() + spin; Clock::now() < end;)
                continue;
        else
            std::this_thread::sleep_for(
                share > 0 ? std::clamp(Seconds(too_long / share), shortest_sleep, longest_sleep)
                          : longest_sleep);
    }
}

void PretendedRank::be_awake_for(double share) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto now = Clock::now();
    wanted_ += share_ * (now - since_);
    since_ = now;
    share_ = share;
}

std::pair<Seconds, double> PretendedRank::wanted() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return {wanted_ + share_ * (Clock::now() - since_), share_};
}

} // namespace vmall::evaluation
