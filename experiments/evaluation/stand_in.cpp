// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stands for a process of one of the papers' applications, or of a recorded job: started by srun
// like an MPI program, it sleeps for as long as that would compute on the cores and at the MPL that
// it has. If it is told what part of its time it would not wait, the node's agent measures that.
// While Slurm has it suspended it gets nowhere.
#include "allotment.hpp"
#include "libvmrt/shared_word.hpp"
#include "modelled_run.hpp"
#include "pretended_rank.hpp"
#include "suspension.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>

using namespace vmall;
using namespace vmall::evaluation;

namespace {

struct Options {
    std::string application;
    double seconds = 0; // of a recorded job
    int processes = 0;
    std::optional<int> useful_percent;
    std::string folding_cost;
    double clock = 1;
};

Nanoseconds monotonic() {
    return static_cast<Nanoseconds>(runtime::monotonic_ns());
}

// What happened when, in Unix seconds; only the first process of a job on a node says so, which
// knows nothing of other nodes.
class Record {
  public:
    Record() {
        is_on_ = environment("SLURM_LOCALID", "0") == "0";
        node_ = environment("SLURMD_NODENAME", "localhost");
        timespec now{};
        clock_gettime(CLOCK_REALTIME, &now);
        unix_offset_ = Nanoseconds{now.tv_sec} * second + now.tv_nsec - monotonic();
    }

    void begins(Nanoseconds time, int processes) const {
        say("begins", time, " processes=" + std::to_string(processes));
    }
    void has(Nanoseconds time, const Share &share) const {
        say("has", time,
            " cores=" + std::to_string(share.cores) + " mpl=" + std::to_string(share.mpl));
    }
    void is_suspended(Nanoseconds time) const { say("suspended", time, ""); }
    void is_resumed(Nanoseconds time) const { say("resumed", time, ""); }
    void ends(Nanoseconds time, Nanoseconds due) const { say("ends", time, " due=" + text(due)); }

  private:
    static constexpr Nanoseconds second = 1'000'000'000;

    static std::string environment(const char *name, const char *otherwise) {
        const char *value = std::getenv(name);
        return value == nullptr ? otherwise : value;
    }
    std::string text(Nanoseconds time) const {
        const Nanoseconds then = time + unix_offset_;
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%lld.%06lld", static_cast<long long>(then / second),
                      static_cast<long long>(then % second / 1000));
        return buffer;
    }
    void say(const char *what, Nanoseconds time, const std::string &rest) const {
        if (is_on_) {
            std::cout << "stand-in: " << what << ' ' << text(time) << " node=" << node_ << rest
                      << std::endl;
        }
    }

    bool is_on_;
    std::string node_;
    Nanoseconds unix_offset_;
};

void follow_suspensions(Nanoseconds now, ModelledRun &run, const Record &record) {
    const bool suspended = suspended_by_slurm();
    if (suspended == run.is_suspended())
        return;
    if (suspended) {
        run.suspend(now);
        record.is_suspended(now);
    } else {
        run.resume(now);
        record.is_resumed(now);
    }
}

sim::Application application(const Options &options) {
    if (!options.application.empty())
        return sim::find_application(sim::paper_applications(), options.application);
    sim::Application recorded;
    recorded.times = {{options.processes, options.seconds}};
    recorded.speedup = sim::table_speedup(recorded.times);
    return recorded;
}

PretendedRank *pretended_rank(const Options &options, const AllotmentWatch &allotment) {
    const auto key = allotment.runtime_key();
    if (!options.useful_percent || !key)
        return nullptr;
    static PretendedRank rank(*key, *options.useful_percent / 100.0);
    return &rank;
}

void run(const Options &options) {
    const sim::FoldingCost cost = sim::parse_folding_cost(options.folding_cost);
    AllotmentWatch allotment;
    const Record record;
    watch_suspensions();
    Nanoseconds now = monotonic();
    ModelledRun run(application(options), options.processes, cost, options.clock, now,
                    options.useful_percent);
    PretendedRank *const rank = pretended_rank(options, allotment);
    record.begins(now, options.processes);
    for (; now < run.end(); now = monotonic()) {
        follow_suspensions(now, run, record);
        if (const auto share = allotment.news()) {
            run.fold(static_cast<int>(share->mpl), now);
            record.has(now, *share);
        }
        if (rank)
            rank->be_awake_for(*options.useful_percent / 100.0 * run.rate());
        if (now < run.end())
            allotment.wait(static_cast<std::uint64_t>(run.end() - now));
    }
    record.ends(now, run.end());
}

int complain(const std::string &problem, int exit_status) {
    std::cerr << "stand-in: error: " << problem << "\n";
    return exit_status;
}

void add_options(CLI::App &app, Options &options) {
    constexpr int usual_limit = 65535;
    CLI::Option_group *what = app.add_option_group("what runs");
    what->require_option(1);
    what->add_option("--application", options.application,
                     "One of those that the papers' evaluations run");
    what->add_option("--seconds", options.seconds, "A job that took so long with its processes")
        ->check(CLI::Range(0.001, 1e9));
    app.add_option("--processes", options.processes,
                   "Of the job, however many of these programs there are")
        ->required()
        ->check(CLI::Range(1, usual_limit));
    app.add_option("--useful", options.useful_percent,
                   "Percent of its time that a process does not wait, on a core of its own")
        ->check(CLI::Range(1, 100));
    app.add_option("--folding-cost", options.folding_cost,
                   "By MPL from 2 on, as vmsim run takes it")
        ->required();
    app.add_option("--clock", options.clock, "So many times as fast as real time it runs")
        ->required()
        ->check(CLI::Range(0.001, 1000.0));
}

} // namespace

int main(int argc, char **argv) {
    constexpr int exit_usage = 2;
    CLI::App app("Sleeps for as long as a measured application would run.", "stand-in");
    Options options;
    add_options(app, options);
    try {
        app.parse(argc, argv);
        run(options);
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &error) {
        return complain(error.what(), exit_usage);
    } catch (const std::invalid_argument &error) {
        return complain(error.what(), exit_usage);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
    return std::cout ? EXIT_SUCCESS : complain("cannot write the record", EXIT_FAILURE);
}
