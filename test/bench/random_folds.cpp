// SPDX-License-Identifier: GPL-2.0-or-later
//
// The distribution's programs through random folds: while they run, the allotment changes at random
// times to a random number of CPUs, and every result has to be right. Root.
#include "fold_row.hpp"
#include "fold_side.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <stdexcept>
#include <thread>

using namespace vmall::bench;
using vmall::test::Cpus;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    int changes = 100;
    int mpl = 2;
    int shortest_ms = 20, longest_ms = 400;
    std::uint64_t seed = 1;
    double minutes = 4;
    std::string csv;
};

// The same draws on every machine.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : random_(seed) {}
    std::size_t up_to(std::size_t limit) { return random_() % limit; }

  private:
    std::mt19937_64 random_;
};

struct Tally {
    int changes = 0, runs = 0, right = 0;
};

// Some of the CPUs, at least one.
Cpus random_allotment(const Cpus &cpus, Draws &draws) {
    Cpus left = cpus, chosen;
    for (std::size_t count = 1 + draws.up_to(cpus.size()); count > 0; --count) {
        const auto one = left.begin() + static_cast<std::ptrdiff_t>(draws.up_to(left.size()));
        chosen.push_back(*one);
        left.erase(one);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

int fold_until_it_ends(Run &run, const Cpus &cpus, const Options &options, Draws &draws) {
    const auto range = static_cast<std::size_t>(options.longest_ms - options.shortest_ms + 1);
    int changes = 0;
    for (Cpus now = cpus; !run.has_ended();) {
        const auto next = Clock::now() + std::chrono::milliseconds(options.shortest_ms) +
                          std::chrono::milliseconds(draws.up_to(range));
        while (!run.has_ended() && Clock::now() < next)
            std::this_thread::sleep_for(1ms);
        Cpus other = random_allotment(cpus, draws);
        if (run.has_ended() || other == now)
            continue;
        run.stage().allot(other);
        now = std::move(other);
        ++changes;
    }
    return changes;
}

void run_once(const Application &application, const Cpus &cpus, const Options &options,
              Draws &draws, Tally &tally) {
    ++tally.runs;
    try {
        Run run(application, side_named("ours"), cpus, options.mpl);
        const int changes = fold_until_it_ends(run, cpus, options, draws);
        tally.changes += changes;
        const Reading reading = run.finish();
        ++tally.right;
        std::cerr << application.name << ": right after " << changes << " changes ("
                  << reading.result << ")\n";
    } catch (const std::exception &error) {
        std::cerr << application.name << ": WRONG: " << error.what() << '\n';
    }
}

void add_options(CLI::App &app, Options &options) {
    app.add_option("--changes", options.changes, "of the allotment, in total")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--mpl", options.mpl, "ranks per CPU with all CPUs")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--seed", options.seed, "of the draws")->capture_default_str();
    app.add_option("--minutes", options.minutes, "after which no program is started any more")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--csv", options.csv, "of fold: a row for each program is appended");
}

Row row_for(const Application &application, const Options &options, const Cpus &cpus,
            const Tally &tally) {
    Row row;
    row.table = "random folds";
    row.program = application.name;
    row.mpl = options.mpl;
    row.side = "ours";
    row.cpus = static_cast<int>(cpus.size());
    row.ranks = row.cpus * options.mpl;
    row.values = {static_cast<double>(tally.changes), static_cast<double>(tally.runs),
                  static_cast<double>(tally.right)};
    row.state = tally.right == tally.runs ? State::measured : State::failed;
    row.note = "changes; runs; right; seed " + std::to_string(options.seed);
    return row;
}

// Whether all went well.
bool run_all(const Options &options) {
    const Cpus cpus = vmall::test::usable_cpus();
    const auto deadline = Clock::now() + std::chrono::duration<double>(60 * options.minutes);
    Applications programs = distribution_programs();
    programs.erase(std::remove_if(programs.begin(), programs.end(),
                                  [](const auto &one) {
                                      const std::string reason = one->missing(Mpi::mpich);
                                      std::cerr << (reason.empty() ? "" : reason + '\n');
                                      return !reason.empty();
                                  }),
                   programs.end());
    if (programs.empty())
        throw std::runtime_error("none of the distribution's programs is installed");
    std::cout << "seed " << options.seed << std::endl;
    Draws draws(options.seed);
    std::vector<Tally> tallies(programs.size());
    Tally sum;
    // Each of them at least once.
    for (std::size_t i = 0;
         Clock::now() < deadline && (i < programs.size() || sum.changes < options.changes); ++i) {
        Tally &tally = tallies[i % programs.size()];
        const int before = tally.changes;
        run_once(*programs[i % programs.size()], cpus, options, draws, tally);
        sum.changes += tally.changes - before;
    }
    Record record(options.csv);
    for (std::size_t i = 0; i < programs.size(); ++i) {
        record.add(row_for(*programs[i], options, cpus, tallies[i]));
        sum.runs += tallies[i].runs;
        sum.right += tallies[i].right;
    }
    std::cout << sum.right << " of " << sum.runs << " results right after " << sum.changes
              << " changes of the allotment (of " << options.changes << " wanted)" << std::endl;
    return sum.right == sum.runs && sum.changes >= options.changes;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"Runs the distribution's programs while their allotment changes at random"};
    Options options;
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        return run_all(options) ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << "random-folds: " << error.what() << '\n';
        return 1;
    }
}
