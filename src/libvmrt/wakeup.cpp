// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread in epoll_wait(). The descriptor is watched only from arm() to disarm(), once: messages
// that come while the rank is awake wake nobody.
#include "libvmrt/wakeup.hpp"

#include "libvmrt/control_view.hpp"
#include "libvmrt/shared_word.hpp"

#include <cerrno>
#include <cstdlib>
#include <sys/epoll.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

constexpr int look_period_ms = 1000;
constexpr int tries_to_read = 100; // the agent is done writing after a few microseconds

bool job_has_several_nodes() {
    const char *path = std::getenv(VMALL_ENV_CONTROL);
    ControlView control;
    if (path == nullptr || !control.open(path))
        return false;
    ControlContent allotment;
    std::uint32_t sequence = 0;
    for (int i = 0; i < tries_to_read; ++i)
        if (const Reading reading = control.read(allotment, sequence); reading != Reading::torn)
            return reading == Reading::done && allotment.node_count > 1;
    return false;
}

} // namespace

Wakeup wakeup;

bool Wakeup::is_needed() {
    if (need_ == Need::unknown)
        need_ = job_has_several_nodes() ? Need::needed : Need::none;
    return need_ == Need::needed;
}

void Wakeup::use(const EventSource &source) {
    events_ = events_ == Events::none ? Events::offered : Events::impossible;
    source_ = source;
}

void Wakeup::forget(const void *engine) {
    if (source_.engine == engine)
        events_ = events_ == Events::offered ? Events::none : Events::impossible;
}

void Wakeup::stop() {
    store(stopped_, true);
}

std::uint64_t Wakeup::limit(std::uint64_t nanoseconds) {
    return nanoseconds > nap_ns && is_needed() && !has_events() ? nap_ns : nanoseconds;
}

bool Wakeup::arm(std::uint32_t &word) {
    if (!is_needed() || !has_events())
        return true;
    word_ = &word;
    store(armed_, 1u);
    if (source_.arm(source_.engine) && watch_next(EPOLLIN))
        return true;
    store(armed_, 0u);
    return false;
}

bool Wakeup::disarm() {
    if (events_ != Events::watched)
        return false;
    if (!replace(armed_, 1u, 0u))
        return true;
    watch_next(0);
    return false;
}

bool Wakeup::has_events() {
    if (events_ == Events::offered)
        events_ = start() ? Events::watched : Events::impossible;
    return events_ == Events::watched;
}

bool Wakeup::start() {
    if (!source_.get_descriptor(source_.engine, descriptor_))
        return false;
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    epoll_event nothing{};
    thread_ = {"vmrt-wakeup", wake_sleeper, this};
    return epoll_ >= 0 && epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor_, &nothing) == 0 &&
           runtime::start(thread_);
}

bool Wakeup::watch_next(std::uint32_t events) const {
    epoll_event event{};
    event.events = events | EPOLLONESHOT;
    return epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor_, &event) == 0;
}

void Wakeup::wake_sleeper(void *this_wakeup) {
    Wakeup &self = *static_cast<Wakeup *>(this_wakeup);
    for (epoll_event event; !load(self.stopped_);) {
        const int ready = epoll_wait(self.epoll_, &event, 1, look_period_ms);
        if (ready < 0 && errno != EINTR)
            return;
        if (ready == 1 && replace(self.armed_, 1u, 0u)) {
            increment(*self.word_);
            futex_wake_one(*self.word_);
        }
    }
}

} // namespace vmall::runtime
