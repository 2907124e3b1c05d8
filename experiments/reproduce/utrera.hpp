// SPDX-License-Identifier: GPL-2.0-or-later
//
// The evaluations of Utrera, Corbalan and Labarta (thesis ch. 5 and 6, ICS'05, the FJT paper):
// their machine, applications and policies, with what they leave open as assumptions to vary.
#pragma once

#include "sim/engine/simulate.hpp"
#include "sim/trace/paper_workload.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

struct Assumptions {
    policy::Sizing fjt = "fjt";    // as its figure has it, or papers::fjt_prose
    FoldingCost folding_cost;      // of coscheduled processes
    FoldingCost time_sharing_cost; // of processes that the operating system takes turns with
    int processors = 60;
    int smallest_long = smallest_long_job;  // processes that a long job accepts
    double estimate_factor = 1;             // users' estimates are up to so many times too long
    std::string short_application = "BT.W"; // where the thesis says bt.W
    bool ep_runs_on_any_number = false;     // of processes; otherwise on powers of two
    policy::WindowRule window_rule = policy::WindowRule::order;
    int long_jobs_of_three = 1; // in a burst
};

struct Variation {
    std::string text; // for the page
    std::function<void(Assumptions &)> apply;
};

// The other variant of FJT first; then what matters wherever these applications run.
std::vector<Variation> common_variations();
std::vector<Variation> backfilling_variations(); // what matters to backfilling
std::vector<Variation> moldability_variations(); // what matters to FJT paper and thesis ch. 5

// What all evaluations have to assume; a seed stands for `workloads`.
std::vector<std::string> utrera_assumptions(const std::string &workloads);

inline constexpr const char *other_variant = "the other variant of FJT";

// One of paper_applications(), accepting what is assumed.
Application utrera_application(const std::string &name, const Assumptions &assumptions);

// Not for bursts.
Workload utrera_workload(const PaperWorkload &workload, const Assumptions &assumptions,
                         std::uint64_t seed);

// `jobs` jobs that arrive together, of which some are long.
Workload utrera_burst(int jobs, const Assumptions &assumptions, std::uint64_t seed);

struct Contender {
    std::string name;
    policy::Settings settings;
    FoldingCost folding_cost;
    bool rigid = false; // every job with the most processes it accepts
};

namespace contenders {

Contender fifo();
Contender fcfs_backfilling_abort(const Assumptions &assumptions);
Contender fjt4(const Assumptions &assumptions);
Contender fjt4_backfilling_abort(const Assumptions &assumptions);
Contender fjt1_backfilling_abort(const Assumptions &assumptions);
Contender fjt1_backfilling_malleability(const Assumptions &assumptions);
Contender psa();
Contender asp60();
Contender folding(const Assumptions &assumptions, int max_mpl);

} // namespace contenders

} // namespace vmall::sim::reproduce
