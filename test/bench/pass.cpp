// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long policies decide at a centre's size: one pass with thousands of jobs that wait and wide
// ones that run, and a whole simulation of wide jobs on thousands of nodes.
#include "policy/expected_starts.hpp"
#include "policy/policies.hpp"
#include "policy/scheduler.hpp"
#include "sim/engine/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <time.h>
#include <vector>

using namespace vmall;

namespace {

constexpr const char *policies[] = {"easy", "least-work"};
constexpr int passes = 11;
constexpr int simulations = 3;

struct Machine {
    int nodes, cores_per_node;
    int cores() const { return nodes * cores_per_node; }
};
constexpr Machine machines[] = {{1, 100'000}, {1'000, 100}, {4'360, 8}, {10'000, 10}};
constexpr Machine simulated_machines[] = {{4'360, 8}, {10'000, 10}};
constexpr int waiting_counts[] = {1'000, 10'000};
constexpr int running_jobs = 1'000;
constexpr int simulated_jobs = 1'200;

// Processor time, so that others on the machine count less.
double milliseconds_used() {
    timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return 1e3 * static_cast<double>(used.tv_sec) + 1e-6 * static_cast<double>(used.tv_nsec);
}

template <class Work>
std::vector<double> times_of(int repetitions, Work work) {
    std::vector<double> times;
    for (int i = 0; i < repetitions; i++) {
        const double before = milliseconds_used();
        work();
        times.push_back(milliseconds_used() - before);
    }
    std::sort(times.begin(), times.end());
    return times;
}

// The same on every machine, which the distributions of the library are not.
class Random {
  public:
    int up_to(int most) { return 1 + static_cast<int>(part() * most); }
    // As many of one order of magnitude as of another.
    int of_any_magnitude(int least, int most) {
        return static_cast<int>(least * std::pow(double{1} * most / least, part()));
    }

  private:
    double part() { return static_cast<double>(random_()) / 4294967296.0; }
    std::mt19937 random_;
};

constexpr policy::Seconds now = 1'000'000;
constexpr int longest = 48 * 3600; // s

policy::WaitingJob waiting_job(std::uint32_t id, const Machine &machine, Random &random) {
    policy::WaitingJob job;
    job.id = {id};
    job.arrival = now - random.up_to(longest);
    job.virtually_malleable = true;
    job.any_spread = id % 2 == 0;
    const int processes = random.of_any_magnitude(8, machine.cores() / 2);
    job.sizes = id % 3 == 0 ? policy::Sizes::from_to((processes + 1) / 2, processes)
                            : policy::Sizes{processes};
    job.min_nodes = (processes + machine.cores_per_node - 1) / machine.cores_per_node;
    job.max_nodes = 0;
    job.estimate = random.of_any_magnitude(60, longest);
    return job;
}

// Spread over many nodes, with two cores on each: together they fill the machine.
std::vector<policy::RunningJob> jobs_that_run(std::vector<policy::Node> &nodes, Random &random) {
    const int cores_each = std::max(2 * nodes[0].cores / 1'000, 2);
    const auto count = static_cast<int>(nodes.size());
    const int mean_width = std::max(count * (nodes[0].cores / cores_each) / running_jobs, 1);
    std::vector<policy::RunningJob> jobs;
    int next = 0;
    for (std::uint32_t id = 1; id <= running_jobs; id++) {
        policy::RunningJob job;
        job.id = {id};
        job.virtually_malleable = job.resizable = true;
        job.arrival = job.started = now - random.up_to(longest);
        job.estimate = (now - job.started) + random.of_any_magnitude(60, longest);
        job.expected_end = job.started + job.estimate;
        const int width = std::min(random.up_to(2 * mean_width - 1), count);
        for (int i = 0; i < width; i++) {
            policy::Node &node = nodes[static_cast<std::size_t>((next + i) % count)];
            if (node.free < cores_each)
                continue;
            node.free -= cores_each;
            job.allotment.push_back({{static_cast<std::uint32_t>((next + i) % count)}, cores_each});
        }
        next = (next + width) % count;
        std::sort(job.allotment.begin(), job.allotment.end(),
                  [](const auto &left, const auto &right) { return left.node < right.node; });
        job.unfolded = job.allotment;
        job.processes = static_cast<int>(job.allotment.size()) * cores_each;
        if (!job.allotment.empty())
            jobs.push_back(job);
    }
    return jobs;
}

policy::Snapshot situation(const Machine &machine, int waiting) {
    Random random;
    policy::Snapshot snapshot;
    snapshot.now = now;
    snapshot.nodes.resize(static_cast<std::size_t>(machine.nodes));
    for (policy::Node &node : snapshot.nodes)
        node.cores = node.free = machine.cores_per_node;
    snapshot.running = jobs_that_run(snapshot.nodes, random);
    for (int i = 1; i <= waiting; i++)
        snapshot.waiting.push_back(
            waiting_job(static_cast<std::uint32_t>(running_jobs + i), machine, random));
    return snapshot;
}

// More than the machine can do, so that a queue grows.
sim::Workload wide_jobs(int cores) {
    constexpr double load = 1.2;
    Random random;
    sim::Workload workload;
    double work = 0;
    for (int i = 0; i < simulated_jobs; i++) {
        sim::Job job;
        job.id = static_cast<std::uint32_t>(i) + 1;
        job.runtime_processes = random.of_any_magnitude(8, cores / 2);
        job.sizes = {job.runtime_processes};
        const int seconds = random.of_any_magnitude(300, 12 * 3600);
        job.runtime = 1000 * static_cast<sim::Milliseconds>(seconds);
        job.estimate = seconds * random.up_to(5);
        job.virtually_malleable = true;
        work += static_cast<double>(job.sizes.largest()) * static_cast<double>(job.runtime);
        job.submit = static_cast<sim::Milliseconds>(work / cores / load);
        workload.jobs.push_back(job);
    }
    return workload;
}

class Record {
  public:
    explicit Record(const char *path) {
        if (!path)
            return;
        out_.open(path);
        out_ << "table,policy,nodes,cores_per_node,running,waiting,median_ms,min_ms,max_ms\n";
    }

    void add(const char *table, const char *policy, const Machine &machine, std::size_t running,
             std::size_t waiting, const std::vector<double> &times) {
        const double median = times[times.size() / 2];
        std::printf("%-11s %-11s %6d x %6d cores %5zu run %6zu wait %9.1f ms (%.1f to %.1f)\n",
                    table, policy, machine.nodes, machine.cores_per_node, running, waiting, median,
                    times.front(), times.back());
        std::fflush(stdout);
        if (!out_.is_open())
            return;
        out_ << table << ',' << policy << ',' << machine.nodes << ',' << machine.cores_per_node
             << ',' << running << ',' << waiting << ',' << median << ',' << times.front() << ','
             << times.back() << std::endl;
        if (!out_)
            throw std::runtime_error("cannot write all rows");
    }

  private:
    std::ofstream out_;
};

void measure_passes(Record &record) {
    for (const Machine &machine : machines)
        for (const int waiting : waiting_counts) {
            const policy::Snapshot snapshot = situation(machine, waiting);
            for (const char *name : policies) {
                policy::Scheduler scheduler(policy::find_policy(name).settings);
                record.add("pass", name, machine, snapshot.running.size(), snapshot.waiting.size(),
                           times_of(passes, [&] { scheduler.decide(snapshot); }));
            }
            const policy::Settings settings = policy::default_settings();
            record.add("pass", "starts", machine, snapshot.running.size(), snapshot.waiting.size(),
                       times_of(passes, [&] { policy::expected_starts(snapshot, settings); }));
        }
}

void measure_simulations(Record &record) {
    for (const Machine &machine : simulated_machines) {
        const sim::Workload workload = wide_jobs(machine.cores());
        const sim::Machine simulated{
            std::vector<int>(static_cast<std::size_t>(machine.nodes), machine.cores_per_node)};
        for (const char *name : policies) {
            sim::Options options;
            options.policy = policy::find_policy(name).settings;
            sim::Progress progress;
            record.add("simulation", name, machine, 0, workload.jobs.size(),
                       times_of(simulations,
                                [&] { sim::simulate(workload, simulated, options, progress); }));
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc > 2) {
        std::fprintf(stderr, "usage: pass [CSV]\n");
        return 2;
    }
    try {
        Record record(argc > 1 ? argv[1] : nullptr);
        measure_passes(record);
        measure_simulations(record);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "pass: %s\n", error.what());
        return 1;
    }
}
