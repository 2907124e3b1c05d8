// SPDX-License-Identifier: GPL-2.0-or-later
//
// An event that stays.
#include "spank_vm/agent/stopping.hpp"

#include "wire/patience.hpp"

#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>

namespace vmall::agent {

Stopping::Stopping() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_)
        throw std::system_error(errno, std::generic_category(), "cannot make an eventfd");
}

// Fails only if the counter is full, and then it has begun as well.
void Stopping::begin() noexcept {
    (void)eventfd_write(event_.get(), 1);
}

bool Stopping::wait_for(std::chrono::milliseconds time) const noexcept {
    const auto deadline = std::chrono::steady_clock::now() + time;
    for (;;) {
        pollfd one = {event_.get(), POLLIN, 0};
        const int ready = poll(&one, 1, wire::milliseconds_until(deadline));
        if (ready >= 0 || errno != EINTR)
            return ready > 0;
    }
}

} // namespace vmall::agent
