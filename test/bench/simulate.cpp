// SPDX-License-Identifier: GPL-2.0-or-later
//
// How fast the simulator is: a recorded log under EASY, against pyss (an independent simulator in
// Python) if there is one; and how its time grows with the jobs of a generated workload.
#include "sim/engine/simulate.hpp"
#include "policy/policies.hpp"
#include "sim/trace/generator.hpp"
#include "sim/trace/swf.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace vmall;

namespace {

struct Options {
    std::string log;
    std::string pyss;
    std::string python = "python2";
    int repetitions = 5;
    int growth_repetitions = 3;
    std::int64_t most_jobs = 1'000'000;
};

// Processor time, so that others on the machine count less.
double seconds_used(int who) {
    rusage used;
    getrusage(who, &used);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

template <class Run>
double seconds_for(int who, Run run) {
    const double before = seconds_used(who);
    run();
    return seconds_used(who) - before;
}

struct Times {
    std::vector<double> sorted;
    void add(double time) {
        sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), time), time);
    }
    double median() const { return sorted[sorted.size() / 2]; }
};

void print(const char *what, double jobs, const Times &times) {
    std::printf("%-34s %10.0f jobs/s (%.0f to %.0f), median of %zu\n", what, jobs / times.median(),
                jobs / times.sorted.back(), jobs / times.sorted.front(), times.sorted.size());
    std::fflush(stdout);
}

sim::Outcome simulate(const sim::Workload &workload, int processors, const char *policy) {
    sim::Options options;
    options.policy = policy::find_policy(policy).settings;
    sim::Progress progress;
    return sim::simulate(workload, {{processors}}, options, progress);
}

sim::Workload read_log(const std::string &path) {
    sim::ReadLog read;
    sim::Treatment treatment;
    treatment.overrun = sim::Overrun::kill; // as pyss
    sim::Workload workload = sim::read_swf(path, treatment, read);
    if (workload.processors < 1)
        throw std::runtime_error(path + " does not say how many processors the machine had");
    return workload;
}

void run_pyss(const Options &options, int processors) {
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error("cannot fork");
    if (child == 0) {
        const std::string machine = "--num-processors=" + std::to_string(processors);
        const std::string input = "--input-file=" + options.log;
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        if (chdir((options.pyss + "/src").c_str()) == 0)
            execlp(options.python.c_str(), options.python.c_str(), "-O", "run_simulator.py",
                   machine.c_str(), input.c_str(), "--scheduler=EasyBackfillScheduler", nullptr);
        _exit(127);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
        throw std::runtime_error("pyss failed");
}

void measure_log(const Options &options) {
    const sim::Workload workload = read_log(options.log);
    const auto jobs = static_cast<double>(workload.jobs.size());
    Times simulated, whole, pyss;
    for (int i = 0; i < options.repetitions; ++i) {
        simulated.add(
            seconds_for(RUSAGE_SELF, [&] { simulate(workload, workload.processors, "easy"); }));
        whole.add(seconds_for(RUSAGE_SELF, [&] {
            const sim::Workload again = read_log(options.log);
            simulate(again, again.processors, "easy");
        }));
        if (!options.pyss.empty())
            pyss.add(seconds_for(RUSAGE_CHILDREN, [&] { run_pyss(options, workload.processors); }));
    }
    print("log under EASY", jobs, simulated);
    print("log under EASY, with reading it", jobs, whole);
    if (!options.pyss.empty()) {
        print("pyss, with reading it", jobs, pyss);
        std::printf("ratio %.0f, with reading it %.0f\n", pyss.median() / simulated.median(),
                    pyss.median() / whole.median());
    }
}

sim::Workload generated(std::int64_t jobs, int processors) {
    constexpr double load = 0.9, short_share = 0.25;
    sim::GeneratorSpec spec;
    spec.processors = processors;
    spec.jobs = jobs;
    spec.duration = 0;
    spec.applications =
        sim::equal_shares(sim::thesis_applications(), load * (1 - short_share), load * short_share);
    return sim::generate(spec, 1);
}

Times time_of_generated(std::int64_t jobs, int repetitions) {
    constexpr int processors = 60; // the thesis' machine
    const sim::Workload workload = generated(jobs, processors);
    Times times;
    for (int i = 0; i < repetitions; ++i)
        times.add(seconds_for(RUSAGE_SELF, [&] { simulate(workload, processors, "bfm"); }));
    const std::string what = std::to_string(jobs) + " generated jobs under bfm";
    print(what.c_str(), static_cast<double>(jobs), times);
    return times;
}

void measure_growth(const Options &options) {
    const Times few = time_of_generated(options.most_jobs / 10, options.growth_repetitions);
    const Times many = time_of_generated(options.most_jobs, options.growth_repetitions);
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    std::printf("ten times the jobs take %.1f times the time: exponent %.2f; %.1f s, %ld MiB\n",
                many.median() / few.median(), std::log10(many.median() / few.median()),
                many.median(), used.ru_maxrss / 1024);
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"Simulated jobs per second of processor time: median (lowest to highest)"};
    Options options;
    app.add_option("--log", options.log,
                   "a log in the Standard Workload Format; pyss wants it plain")
        ->check(CLI::ExistingFile);
    app.add_option("--pyss", options.pyss, "a checkout of pyss to compare with")
        ->envname("PYSS")
        ->check(CLI::ExistingDirectory);
    app.add_option("--python", options.python, "for pyss")
        ->envname("PYTHON2")
        ->capture_default_str();
    app.add_option("--repetitions", options.repetitions, "of the log")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--growth-repetitions", options.growth_repetitions, "of generated workloads")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--jobs", options.most_jobs, "of the larger generated workload")
        ->check(CLI::Range(1000, 100'000'000))
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        if (!options.log.empty())
            measure_log(options);
        measure_growth(options);
    } catch (const std::exception &error) {
        std::cerr << "simulate: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
