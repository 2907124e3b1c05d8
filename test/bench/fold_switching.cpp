// SPDX-License-Identifier: GPL-2.0-or-later
//
// What it costs to fold and unfold all the time, beside having fewer cores half of the time.
#include "fold_measure.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace vmall::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds half_a_cycle{250};

const Side unfolded{"switching", Mpi::mpich, Preload::runtime, false, Length::tenfold};

test::Cpus half_of(const test::Cpus &cpus) {
    return {cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(cpus.size() / 2)};
}

// With one allotment all the time.
double seconds_on(const test::Cpus &allotment, const Application &application,
                  const Conditions &conditions) {
    Run run(application, unfolded, conditions.cpus, 1);
    run.stage().allot(allotment);
    const double seconds = run.finish().seconds;
    std::cerr << ' ' << seconds << " s on " << allotment.size();
    return seconds;
}

// Time of the measured part of a run that switches, and how much of it was folded. The part ends
// with the program.
struct Shares {
    double seconds, folded;
};

Shares switch_until_it_ends(const Application &application, const Conditions &conditions) {
    Run run(application, unfolded, conditions.cpus, 1);
    const test::Cpus few = half_of(conditions.cpus);
    std::vector<Clock::time_point> changes; // to few, to all, to few, ...
    while (!run.has_ended()) {
        run.stage().allot(changes.size() % 2 == 0 ? few : conditions.cpus);
        changes.push_back(Clock::now());
        while (!run.has_ended() && Clock::now() < changes.back() + half_a_cycle)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const Clock::time_point end = Clock::now();
    const double seconds = run.finish().seconds;
    const Clock::time_point start =
        end - std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
    changes.push_back(end);
    double folded = 0;
    for (std::size_t i = 0; i + 1 < changes.size(); i += 2) {
        const Seconds part = std::max(changes[i + 1], start) - std::max(changes[i], start);
        folded += part.count();
    }
    std::cerr << ' ' << seconds << " s switching (" << folded << " s folded)\n";
    return {seconds, folded};
}

} // namespace

Row measure_switching(const Application &application, const Conditions &conditions) {
    Row row;
    row.table = "switching";
    row.program = application.name;
    row.mpl = 2;
    row.side = "ours";
    row.ranks = row.cpus = static_cast<int>(conditions.cpus.size());
    row.note = row.cpus < 2 ? "needs two CPUs" : application.missing(Mpi::mpich);
    if (!row.note.empty()) {
        row.state = State::skipped;
        return row;
    }
    try {
        for (int i = 0; i < conditions.repetitions; ++i) {
            std::cerr << application.name << ", switching, repetition " << i + 1 << " of "
                      << conditions.repetitions << ':';
            const double on_all = seconds_on(conditions.cpus, application, conditions);
            const double on_few = seconds_on(half_of(conditions.cpus), application, conditions);
            const Shares shares = switch_until_it_ends(application, conditions);
            row.values.push_back((shares.seconds - shares.folded) / on_all +
                                 shares.folded / on_few);
        }
    } catch (const std::exception &error) {
        std::cerr << " FAILED: " << error.what() << '\n';
        row.note = error.what();
        row.state = State::failed;
    }
    return row;
}

} // namespace vmall::bench
