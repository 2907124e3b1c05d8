// SPDX-License-Identifier: GPL-2.0-or-later
//
// Several policies on several workloads, side by side.
#pragma once

#include "sim/engine/simulate.hpp"
#include "sim/report/summary.hpp"
#include "tools/vmsim/policy_choice.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace vmall::vmsim {

struct Batch {
    std::vector<sim::Workload> workloads;
    std::vector<PolicyChoice> policies;
    sim::Machine machine;
    sim::Options options; // but for the policy
    sim::SummaryOptions summary;
    std::filesystem::path directory; // results.hpp
    int threads = 1;

    std::size_t runs() const { return workloads.size() * policies.size(); }
    std::size_t jobs() const; // of all runs
};

struct Result {
    bool finished = false;
    std::string directory; // below the batch's
    sim::Summary summary;
};

// By policy, then workload; what is finished is also written. Until Progress::stop is set: then
// those that were not finished are not.
std::vector<Result> carry_out(const Batch &batch, sim::Progress &progress);

} // namespace vmall::vmsim
