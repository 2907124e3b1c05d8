// SPDX-License-Identifier: GPL-2.0-or-later
//
// The workloads that Utrera, Corbalan and Labarta evaluated their policies with, by name.
#pragma once

#include "sim/trace/generator.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace vmall::sim {

struct PaperWorkload {
    std::string name;
    std::vector<std::string> applications; // of paper_applications()
    double long_load = 0, short_load = 0;  // parts of the machine
    policy::Seconds duration = 0;          // jobs are submitted for so long
    int burst = 0; // else: jobs that arrive together, a third of them long, for 60 processors
};

// w1 to w6: table 5.3 of the thesis; high-40 to high-100 and low-40 to low-100: its tables 6.1 to
// 6.3; burst-3, burst-6 and burst-9: s. 6 of the paper that introduces FJT.
const std::vector<PaperWorkload> &paper_workloads();

// Throws std::invalid_argument that lists the names there are.
const PaperWorkload &find_paper_workload(std::string_view name);

// How many processes long jobs accept at least, which no paper says; the pages of the experiments
// that vary it say why.
inline constexpr int smallest_long_job = 8;

// Of its jobs on a machine of so many processors: the same load, or burst for each processor.
GeneratorSpec specification(const PaperWorkload &workload, int processors);

// `spec`: what specification() says, or varies it.
Workload generate(const PaperWorkload &workload, const GeneratorSpec &spec, std::uint64_t seed);

} // namespace vmall::sim
