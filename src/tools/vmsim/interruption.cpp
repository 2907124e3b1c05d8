// SPDX-License-Identifier: GPL-2.0-or-later
//
// SIGINT and SIGTERM stop simulations instead of the program.
#include "tools/vmsim/interruption.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace vmall::vmsim {

namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

std::atomic<sim::Progress *> interrupted_progress{nullptr};
std::atomic<int> signal_received{0};

extern "C" void on_signal(int number) {
    signal_received = number;
    if (sim::Progress *progress = interrupted_progress)
        progress->stop = true;
}

// The second signal ends the program as usual: SA_RESETHAND.
void handle(int number, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, nullptr) != 0)
        throw std::system_error(errno, std::generic_category(), "sigaction");
}

} // namespace

Interruption::Interruption(sim::Progress &progress) {
    interrupted_progress = &progress;
    handle(SIGINT, on_signal);
    handle(SIGTERM, on_signal);
}

Interruption::~Interruption() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    interrupted_progress = nullptr;
}

int Interruption::signal() const {
    return signal_received;
}

} // namespace vmall::vmsim
