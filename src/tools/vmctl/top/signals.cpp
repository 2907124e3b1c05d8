// SPDX-License-Identifier: GPL-2.0-or-later
//
// Signals as something to wait for.
#include "tools/vmctl/top/signals.hpp"

#include <cerrno>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

namespace vmall::vmctl::top {

Signals::Signals(std::initializer_list<int> numbers) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : numbers)
        sigaddset(&set, number);
    descriptor_ = common::Descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!descriptor_)
        throw std::system_error(errno, std::generic_category(), "signalfd");
    pthread_sigmask(SIG_BLOCK, &set, &before_);
}

Signals::~Signals() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> Signals::take() {
    signalfd_siginfo info = {};
    if (read(descriptor_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info))
        return std::nullopt;
    return static_cast<int>(info.ssi_signo);
}

} // namespace vmall::vmctl::top
