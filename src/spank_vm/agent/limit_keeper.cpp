// SPDX-License-Identifier: GPL-2.0-or-later
//
// A command of Slurm's that takes longer than a message may take is of no use any more.
#include "spank_vm/agent/limit_keeper.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <chrono>
#include <ctime>
#include <exception>
#include <utility>

namespace vmall::agent {

namespace {

constexpr std::chrono::seconds interval(10);
constexpr std::chrono::seconds patience(20); // of one command

} // namespace

LimitKeeper::LimitKeeper(const Settings &settings, Jobs &jobs)
    : jobs_(jobs), limits_(settings.runtime_dir, settings.node_name,
                           static_cast<policy::Seconds>(settings.config.limit_extension.general()),
                           [this](const std::string &command, std::vector<std::string> arguments) {
                               return run_slurm(command, std::move(arguments), patience, stopping_);
                           }),
      thread_([this] { run(); }) {}

LimitKeeper::~LimitKeeper() {
    stopping_.begin();
    thread_.join();
}

std::map<std::uint32_t, policy::Seconds> LimitKeeper::lost() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lost_;
}

void LimitKeeper::run() noexcept {
    while (!stopping_.wait_for(interval))
        try {
            limits_.look(jobs_.residents(), std::time(nullptr));
            const std::lock_guard<std::mutex> lock(mutex_);
            lost_ = limits_.lost();
        } catch (const std::exception &error) {
            slurm_error("the node agent cannot keep time limits: %s", error.what());
        }
}

} // namespace vmall::agent
