// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order of the runs, and what becomes of their times.
#include "fold_measure.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

namespace vmall::bench {
namespace {

struct Measurement {
    Side side;
    Row row;
    bool is_reference;
    bool ran = false; // in this repetition:
    double seconds = 0, wall = 0;
    int chose_kernel = 0;               // runs at whose end turns were left to the kernel
    std::vector<double> stretches = {}; // microseconds, of each run
};

// What ranks computed between two hand-overs of a CPU, on average over the whole run; 0 if there
// was none.
double stretch_us(const vmall_runtime_page &page) {
    double useful_ns = 0, hand_overs = 0;
    for (const vmall_runtime_slot &slot : page.slots) {
        useful_ns += static_cast<double>(slot.useful_ns);
        hand_overs += static_cast<double>(slot.switches);
    }
    return hand_overs == 0 ? 0 : useful_ns / hand_overs / 1000;
}

std::string why_missing(const Application &application, const Side &side) {
    const std::string reason = missing(side);
    return reason.empty() ? application.missing(side.mpi) : reason;
}

Row empty_row(const Comparison &comparison, const Side &side, std::size_t cpus) {
    Row row;
    row.table = comparison.table;
    row.program = comparison.application.name;
    row.grain_us = comparison.table == "grain" ? grain_of(comparison.application) : 0;
    row.mpl = comparison.mpl;
    row.side = side.name;
    row.cpus = static_cast<int>(cpus);
    row.ranks =
        Shape{row.cpus, comparison.mpl, side.folded, side.length, comparison.application.threads()}
            .ranks();
    row.note = why_missing(comparison.application, side);
    row.state = row.note.empty() ? State::measured : State::skipped;
    return row;
}

class Repetitions {
  public:
    Repetitions(const Comparison &comparison, const Conditions &conditions, Agreement &agreement);
    void run_all();
    std::vector<Row> rows();

  private:
    Measurement *find_reference(const Side &side);
    void run_or_fail(Measurement &one);
    void run(Measurement &one);
    void know_result(const Side &side);
    void take_ratios();
    Shape shape_of(const Side &side) const {
        return {static_cast<int>(conditions_.cpus.size()), comparison_.mpl, side.folded,
                side.length, comparison_.application.threads()};
    }

    const Comparison &comparison_;
    const Conditions &conditions_;
    Agreement &agreement_;
    std::vector<Measurement> all_;
};

Repetitions::Repetitions(const Comparison &comparison, const Conditions &conditions,
                         Agreement &agreement)
    : comparison_(comparison), conditions_(conditions), agreement_(agreement) {
    for (const Side &side : comparison.sides) {
        if (find_reference(side) == nullptr) {
            Side other = comparison.over.empty() ? ideal(side.mpi, side.length)
                                                 : side_named(comparison.over);
            other.length = side.length;
            all_.push_back({other, empty_row(comparison, other, conditions.cpus.size()), true});
        }
        all_.push_back({side, empty_row(comparison, side, conditions.cpus.size()), false});
    }
}

Measurement *Repetitions::find_reference(const Side &side) {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Measurement &other) {
        return other.is_reference && other.side.mpi == side.mpi && other.side.length == side.length;
    });
    return found == all_.end() ? nullptr : &*found;
}

// What the result is to be, from a run without the runtime: of the ideal, or, where it depends on
// the number of ranks, of as many.
void Repetitions::know_result(const Side &side) {
    const Application &application = comparison_.application;
    const std::string key = application.result_key(shape_of(side));
    const bool has_runtime = side.preload == Preload::runtime || side.preload == Preload::baselines;
    if (!has_runtime || agreement_.knows(key))
        return;
    Side expected = ideal(Mpi::mpich, side.length);
    if (application.result_key(shape_of(expected)) != key) {
        expected = side_named("yield");
        expected.folded = side.folded;
        expected.length = side.length;
    }
    Run run(application, expected, conditions_.cpus, comparison_.mpl);
    agreement_.check(key, run.finish().result);
}

void Repetitions::run(Measurement &one) {
    const Measurement &reference = *find_reference(one.side);
    const auto limit =
        one.is_reference
            ? std::chrono::seconds(300)
            : std::chrono::seconds(std::lround(std::ceil(conditions_.cap * reference.wall)));
    know_result(one.side);
    Run run(comparison_.application, one.side, conditions_.cpus, comparison_.mpl);
    const Reading reading = run.finish(limit);
    agreement_.check(comparison_.application.result_key(shape_of(one.side)), reading.result);
    one.seconds = reading.seconds;
    one.wall = run.age().count();
    one.ran = true;
    one.stretches.push_back(stretch_us(run.stage().runtime()));
    one.chose_kernel += run.stage().runtime().run_queues == VMALL_QUEUES_KERNEL;
    std::cerr << ' ' << reading.seconds << " s";
}

void Repetitions::run_or_fail(Measurement &one) {
    std::cerr << "  " << one.side.name << std::flush;
    try {
        run(one);
    } catch (const TookTooLong &ended) {
        // Start and end take less than `cap` times as long folded, so the rest took more.
        one.row.state = one.is_reference ? State::failed : State::over;
        one.row.values = {conditions_.cap};
        one.row.note = one.is_reference ? ended.what() : "";
        std::cerr << ' ' << ended.what();
    } catch (const std::exception &error) {
        one.row.note = error.what();
        one.row.state = State::failed;
        std::cerr << " FAILED: " << error.what();
    }
    std::cerr << '\n';
}

void Repetitions::take_ratios() {
    for (Measurement &one : all_) {
        const Measurement &reference = *find_reference(one.side);
        if (one.row.state == State::measured && reference.row.state == State::failed) {
            one.row.state = State::failed;
            one.row.note = "no " + reference.side.name + ": " + reference.row.note;
        }
        if (one.ran && one.row.state == State::measured)
            one.row.values.push_back(one.seconds / reference.seconds);
    }
}

void Repetitions::run_all() {
    for (int i = 0; i < conditions_.repetitions; ++i) {
        std::cerr << comparison_.application.name << ", mpl " << comparison_.mpl << ", repetition "
                  << i + 1 << " of " << conditions_.repetitions << '\n';
        for (Measurement &one : all_) {
            one.ran = false;
            const bool is_slow = !one.row.values.empty() && one.row.values.back() > conditions_.cap;
            if (one.row.state == State::measured && !is_slow)
                run_or_fail(one);
        }
        take_ratios();
        std::reverse(all_.begin(), all_.end());
    }
    if (conditions_.repetitions % 2 != 0)
        std::reverse(all_.begin(), all_.end());
}

std::vector<Row> Repetitions::rows() {
    std::vector<Row> rows;
    for (Measurement &one : all_) {
        if (one.is_reference)
            continue;
        if (one.side.name == "ours" && comparison_.table == "queues" &&
            one.row.state == State::measured)
            one.row.note = "chose kernel in " + std::to_string(one.chose_kernel) + " of " +
                           std::to_string(one.row.values.size());
        if (one.side.name == "ours" && comparison_.table == "programs" &&
            one.row.state == State::measured) {
            Row stretches = one.row;
            stretches.table = "stretches";
            stretches.values = one.stretches;
            rows.push_back(std::move(stretches));
        }
        rows.push_back(std::move(one.row));
    }
    return rows;
}

} // namespace

std::vector<Row> measure(const Comparison &comparison, const Conditions &conditions,
                         Agreements &agreements) {
    const Application &application = comparison.application;
    Agreement &agreement =
        agreements.emplace(application.name, Agreement(application.tolerance())).first->second;
    Repetitions repetitions(comparison, conditions, agreement);
    repetitions.run_all();
    return repetitions.rows();
}

} // namespace vmall::bench
