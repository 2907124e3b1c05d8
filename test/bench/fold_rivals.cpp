// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two jobs on the same CPUs: each folded onto its own half, or both on all of them.
#include "fold_measure.hpp"

#include <iostream>
#include <stdexcept>
#include <thread>

namespace vmall::bench {
namespace {

struct Way {
    const char *side;
    bool apart;
};

constexpr Way ways[]{{"self", true}, {"two jobs", false}};

class Rivals {
  public:
    Rivals(const Application &first, const Application &second, int mpl,
           const Conditions &conditions)
        : first_(first), second_(second), mpl_(mpl), cpus_(conditions.cpus),
          agreement_(first.tolerance()) {}

    // Of the first, alone, with a rank for each CPU.
    double ideal_seconds() {
        const Side alone = ideal(Mpi::mpich, Length::full);
        return checked(Run(first_, alone, cpus_, mpl_).finish());
    }

    double seconds(const Way &way) {
        Run measured = start(first_, way, half(true));
        while (!measured.has_ended()) {
            Run rival = start(second_, way, half(false));
            while (!rival.has_ended() && !measured.has_ended())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (rival.has_ended())
                rival.finish();
        }
        return checked(measured.finish());
    }

  private:
    test::Cpus half(bool first) const {
        const auto middle = cpus_.begin() + static_cast<std::ptrdiff_t>(cpus_.size() / 2);
        return first ? test::Cpus(cpus_.begin(), middle) : test::Cpus(middle, cpus_.end());
    }

    // With mpl ranks for each CPU of its half, wherever they run.
    Run start(const Application &application, const Way &way, const test::Cpus &its_half) const {
        return {
            application, side_named("ours"),           its_half,
            mpl_,        way.apart ? its_half : cpus_, way.apart ? 0 : VMALL_CONTROL_OVERCLAIMED};
    }

    double checked(const Reading &reading) {
        agreement_.check("all", reading.result);
        return reading.seconds;
    }

    const Application &first_, &second_;
    int mpl_;
    const test::Cpus &cpus_;
    Agreement agreement_;
};

} // namespace

std::vector<Row> measure_rivals(const Application &first, const Application &second, int mpl,
                                const Conditions &conditions) {
    const int cpus = static_cast<int>(conditions.cpus.size());
    std::vector<Row> rows;
    for (const Way &way : ways) {
        Row row;
        row.table = "rivals";
        row.program = first.name + " beside " + second.name;
        row.mpl = mpl;
        row.side = way.side;
        row.cpus = cpus;
        row.ranks = cpus / 2 * mpl;
        row.note = cpus < 2 ? "needs two CPUs" : "";
        row.state = cpus < 2 ? State::skipped : State::measured;
        rows.push_back(row);
    }
    if (cpus < 2)
        return rows;
    try {
        Rivals rivals(first, second, mpl, conditions);
        for (int i = 0; i < conditions.repetitions; ++i) {
            const double alone = rivals.ideal_seconds();
            std::cerr << rows[0].program << ", repetition " << i + 1 << " of "
                      << conditions.repetitions << ": alone " << alone << " s";
            for (std::size_t way = 0; way < rows.size(); ++way) {
                const double seconds = rivals.seconds(ways[way]);
                std::cerr << "  " << ways[way].side << ' ' << seconds << " s" << std::flush;
                rows[way].values.push_back(seconds / alone);
            }
            std::cerr << '\n';
        }
    } catch (const std::exception &error) {
        std::cerr << " FAILED: " << error.what() << '\n';
        for (Row &row : rows) {
            row.state = State::failed;
            row.note = error.what();
        }
    }
    return rows;
}

} // namespace vmall::bench
