// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the runtime adds to a call of MPI, in nanoseconds.
#include "common/hand_over.hpp"
#include "fold_measure.hpp"
#include "fold_output.hpp"

#include <iostream>
#include <stdexcept>

namespace vmall::bench {
namespace {

constexpr int probes = 2000000, messages = 200000;

struct Way {
    const char *side;
    bool preloaded, attached, folded;
};

// The first three with a CPU for each of the two ranks.
constexpr Way ways[]{{"bare", false, false, false},
                     {"detached", true, false, false},
                     {"attached", true, true, false},
                     {"folded", true, true, true}};

struct Costs {
    double probe, message;
};

Costs measure_once(const Way &way, const test::Cpus &cpus) {
    test::Stage stage;
    stage.allot(way.folded ? test::Cpus{cpus.front()} : cpus);
    std::vector<std::string> environment;
    if (way.preloaded)
        environment.emplace_back("LD_PRELOAD=" LIBVMRT);
    if (way.attached)
        environment.push_back(VMALL_ENV_CONTROL "=" + stage.control_path());
    // Folded, a probe that finds nothing hands over the CPU, so a few thousand are enough.
    const int count = way.folded ? probes / 100 : probes;
    test::Program program({MPIEXEC, "-n", "2", MPI_PROGRAMS "/pingpong", std::to_string(count),
                           std::to_string(messages)},
                          environment);
    const test::Outcome outcome = program.wait();
    if (!outcome.succeeded() ||
        number_after("checksum=", outcome.output) != static_cast<double>(messages))
        throw std::runtime_error("pingpong failed: " + outcome.output);
    return {number_after("probe_ns=", outcome.output), number_after("message_ns=", outcome.output)};
}

Row row_for(const char *program, const Way &way, int cpus) {
    Row row;
    row.table = "calls";
    row.program = program;
    row.mpl = way.folded ? 2 : 1;
    row.side = way.side;
    row.ranks = 2;
    row.cpus = way.folded ? 1 : cpus;
    return row;
}

double hand_over_ns(int cpu, std::uint32_t processes) {
    constexpr std::uint32_t hand_overs = 200000;
    const auto ns =
        common::hand_over_ns({processes, hand_overs / processes, cpu, std::chrono::minutes(1)});
    if (!ns)
        throw std::runtime_error("no CPU time for a ring of processes");
    return *ns;
}

} // namespace

std::vector<Row> measure_calls(const Conditions &conditions) {
    const int cpus = static_cast<int>(conditions.cpus.size());
    std::vector<Row> probing, sending;
    constexpr std::array<std::uint32_t, 2> ring_sizes{2, 4};
    std::array<Row, 2> rings{row_for("hand-over without MPI", ways[3], cpus),
                             row_for("hand-over of 4 without MPI", ways[3], cpus)};
    for (const Way &way : ways) {
        probing.push_back(row_for("empty probe", way, cpus));
        sending.push_back(row_for("message", way, cpus));
    }
    for (int i = 0; i < conditions.repetitions; ++i) {
        std::cerr << "calls, repetition " << i + 1 << " of " << conditions.repetitions << '\n';
        for (std::size_t way = 0; way < probing.size(); ++way) {
            const Costs costs = measure_once(ways[way], conditions.cpus);
            probing[way].values.push_back(costs.probe);
            sending[way].values.push_back(costs.message);
        }
        for (std::size_t ring = 0; ring < rings.size(); ++ring)
            rings[ring].values.push_back(hand_over_ns(conditions.cpus.front(), ring_sizes[ring]));
    }
    probing.pop_back(); // folded, it hands over the CPU
    probing.insert(probing.end(), sending.begin(), sending.end());
    probing.insert(probing.end(), rings.begin(), rings.end());
    return probing;
}

} // namespace vmall::bench
