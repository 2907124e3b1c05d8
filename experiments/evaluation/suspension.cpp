// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by the signal that came last.
#include "suspension.hpp"

#include <cerrno>
#include <csignal>
#include <system_error>

namespace vmall::evaluation {

namespace {

volatile std::sig_atomic_t suspended = 0;

void note(int signal) {
    suspended = signal == SIGTSTP;
}

} // namespace

void watch_suspensions() {
    struct sigaction action {};
    action.sa_handler = note;
    for (const int signal : {SIGTSTP, SIGCONT})
        if (sigaction(signal, &action, nullptr) != 0)
            throw std::system_error(errno, std::generic_category(), "sigaction");
}

bool suspended_by_slurm() {
    return suspended != 0;
}

} // namespace vmall::evaluation
