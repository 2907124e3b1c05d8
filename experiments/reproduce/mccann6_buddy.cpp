// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 6.3, 6.4, 6.6 and 6.7: BUDDY.
#include "experiments/buddy/buddy.hpp"
#include "experiments/buddy/equi_epoch.hpp"
#include "experiments/buddy/optimum.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann6_mixes.hpp"
#include "experiments/reproduce/text.hpp"

#include <algorithm>
#include <numeric>

namespace vmall::sim::reproduce {

namespace {

namespace buddy = policy::buddy;

const MixSize searched[] = {{4, 4}, {4, 8}, {8, 4}, {8, 8}, {8, 16}, {16, 4}, {16, 8}, {16, 16}};
const MixSize drawn[] = {{16, 8}, {64, 8}, {64, 16}, {64, 32}, {256, 16}, {256, 64}};
constexpr int mixes_per_seed = 400;

int by_buddy(int processors, const Mix &mix) {
    return buddy::reallocated_processors(buddy::buddy_schedule(processors, mix));
}

int by_epochs(int processors, const Mix &mix) {
    return buddy::reallocated_processors(buddy::equi_epoch_schedule(processors, mix));
}

std::vector<int> all_widths(int processors) {
    std::vector<int> widths(processors);
    std::iota(widths.begin(), widths.end(), 1);
    return widths;
}

std::string where(const MixSize &size, std::size_t mixes) {
    return to_text(size) + ", " + std::to_string(mixes) + " mixes";
}

// One measurement for each size: the highest of all mixes of powers of two.
template <typename Measure>
std::vector<Measurement> worst_of_all(Measure measure) {
    std::vector<Measurement> measurements;
    for (const MixSize &size : searched) {
        const auto mixes = all_power_mixes(size);
        const auto measure_mix = measure(size);
        measurements.push_back(exactly(where(size, mixes.size()), highest(mixes, measure_mix)));
    }
    return measurements;
}

Finding optimal() {
    const auto beyond_the_best = [](const MixSize &size) {
        const auto possible =
            buddy::possible_widths(size.processors, size.jobs, powers_of_two(size.processors));
        return [size, possible](const Mix &mix) -> double {
            return by_buddy(size.processors, mix) -
                   buddy::fewest_reallocated(size.processors, mix, possible);
        };
    };
    return {{"no schedule in which each job has a power of two of processors reallocates fewer",
             "McCann's thesis, theorem 6.4",
             "reallocated processors beyond the fewest possible, worst mix", between(0, 0),
             "every mix of powers of two, against the best of all divisions of the interval", true},
            worst_of_all(beyond_the_best),
            {},
            ""};
}

Finding forced_width() {
    const auto schedule = buddy::buddy_schedule(16, {2, 2, 4, 8, 8, 8, 8, 16});
    const auto wide = std::count_if(schedule.jobs.begin(), schedule.jobs.end(),
                                    [](const auto &job) { return job.processors == 16; });
    return {{"one job that needs all 16 processors forces another one to take them too",
             "McCann's thesis, s. 6.3, figure 6.2", "jobs on 16 processors", between(2, 2), ""},
            {exactly("", static_cast<double>(wide))},
            {},
            ""};
}

Finding example_with_fewer() {
    const Mix mix = {2, 2, 4, 4, 4, 8, 8, 8};
    const double ours = by_buddy(16, mix);
    const double theirs = by_epochs(16, mix);
    return {{"BUDDY can reallocate fewer processors than EQUI-EPOCH",
             "McCann's thesis, s. 6.6, figure 6.10", "reallocated processors, BUDDY / EQUI-EPOCH",
             at_most(0.99), "\"fewer\": by 1 % and more"},
            {exactly("", ours / theirs)},
            {},
            number(ours) + " processors under BUDDY, " + number(theirs) + " under EQUI-EPOCH."};
}

Finding never_more() {
    const auto beyond_epochs = [](const MixSize &size) {
        return [size](const Mix &mix) -> double {
            return by_buddy(size.processors, mix) - by_epochs(size.processors, mix);
        };
    };
    return {{"BUDDY never reallocates more processors than EQUI-EPOCH, whose schedules also "
             "consist of powers of two",
             "McCann's thesis, follows from theorem 6.4 and s. 6.6",
             "reallocated processors beyond those of EQUI-EPOCH, worst mix", at_most(0), ""},
            worst_of_all(beyond_epochs),
            {},
            ""};
}

// Allocations that do not begin where exactly one that is at least as wide ended.
int without_a_base(int processors, const Mix &mix) {
    const auto schedule = buddy::buddy_schedule(processors, mix);
    int count = 0;
    for (const auto &job : schedule.jobs) {
        const auto below = std::count_if(
            schedule.jobs.begin(), schedule.jobs.end(), [&](const buddy::Rectangle &other) {
                return other.first_slot + other.slots == job.first_slot &&
                       other.first_processor <= job.first_processor &&
                       job.first_processor + job.processors <=
                           other.first_processor + other.processors;
            });
        count += job.first_slot > 0 && below != 1;
    }
    return count;
}

Finding local_changes() {
    const auto bad = [](const MixSize &size) {
        return [size](const Mix &mix) -> double { return without_a_base(size.processors, mix); };
    };
    return {{"every allocation rests on only one before it, so a reallocation divides the "
             "processors of one job",
             "McCann's thesis, s. 6.7", "allocations that rest on none or several, worst mix",
             between(0, 0), ""},
            worst_of_all(bad),
            {},
            ""};
}

// Means over the random mixes of a seed.
struct Means {
    double buddy = 0;
    double epochs = 0;
};

Means means_of(const MixSize &size, Minima minima, int mixes, std::uint64_t seed) {
    const auto drawn_mixes = random_mixes(size, minima, mixes, seed);
    const auto mean_of = [&](int (*reallocated)(int, const Mix &)) {
        return mean(drawn_mixes,
                    [&](const Mix &mix) -> double { return reallocated(size.processors, mix); });
    };
    return {mean_of(by_buddy), mean_of(by_epochs)};
}

using Drawn = std::vector<std::vector<Means>>; // by size, then seed

Drawn draw(const Context &context, Minima minima) {
    const int mixes = std::max(1, static_cast<int>(mixes_per_seed * context.length));
    Drawn means;
    for (const MixSize &size : drawn) {
        means.push_back(for_each_seed(
            context, [&](std::uint64_t seed) { return means_of(size, minima, mixes, seed); }));
    }
    return means;
}

template <typename Measure>
std::vector<double> by_seed(const std::vector<Means> &seeds, Measure measure) {
    std::vector<double> values;
    std::transform(seeds.begin(), seeds.end(), std::back_inserter(values), measure);
    return values;
}

double ratio(const Means &means) {
    return means.epochs > 0 ? means.buddy / means.epochs : 1;
}

std::vector<Measurement> ratios(const Drawn &means) {
    std::vector<Measurement> measurements;
    for (std::size_t i = 0; i < means.size(); i++)
        measurements.push_back({to_text(drawn[i]), by_seed(means[i], ratio)});
    return measurements;
}

Finding fewer_on_average(const Drawn &powers, const Drawn &numbers) {
    return {{"BUDDY can reallocate fewer processors than EQUI-EPOCH", "McCann's thesis, s. 6.6",
             "mean reallocated processors of random mixes, BUDDY / EQUI-EPOCH", at_most(0.99),
             "more than a chosen example: by 1 % and more on the average of random mixes"},
            ratios(powers),
            {{"every minimum from 1 to the machine's size is as likely", ratios(numbers)}},
            ""};
}

Panel panel(std::string title, const Drawn &means) {
    std::vector<std::string> x;
    Series by_policy[2] = {{"BUDDY", {}}, {"EQUI-EPOCH", {}}};
    for (std::size_t i = 0; i < means.size(); i++) {
        const double uniprogramming = drawn[i].processors * drawn[i].jobs;
        x.push_back(std::to_string(drawn[i].processors) + "/" + std::to_string(drawn[i].jobs));
        by_policy[0].points.push_back(summarise(by_seed(
            means[i], [&](const Means &mean) { return 100 * mean.buddy / uniprogramming; })));
        by_policy[1].points.push_back(summarise(by_seed(
            means[i], [&](const Means &mean) { return 100 * mean.epochs / uniprogramming; })));
    }
    return {std::move(title),
            "processors/jobs",
            "reallocated processors (% of uniprogramming)",
            std::move(x),
            {by_policy[0], by_policy[1]}};
}

// What BUDDY's powers of two cost against schedules that may have any widths.
Table price_of_powers() {
    Table table = {"Mean reallocated processors over all mixes of minima (every number): what "
                   "giving each job a power of two costs",
                   {"processors", "jobs", "mixes", "BUDDY", "fewest with any widths", "ratio"},
                   {}};
    for (const MixSize &size : {MixSize{8, 2}, MixSize{8, 4}, MixSize{8, 8}}) {
        const auto widths = all_widths(size.processors);
        const auto possible = buddy::possible_widths(size.processors, size.jobs, widths);
        const auto mixes = buddy::all_mixes(widths, size.jobs);
        const double ours = mean(
            mixes, [&](const Mix &mix) -> double { return by_buddy(size.processors, mix); });
        const double best = mean(mixes, [&](const Mix &mix) -> double {
            return buddy::fewest_reallocated(size.processors, mix, possible);
        });
        table.rows.push_back({std::to_string(size.processors), std::to_string(size.jobs),
                              std::to_string(mixes.size()), number(ours), number(best),
                              number(ours / best)});
    }
    return table;
}

Results run(Context &context) {
    const Drawn powers = draw(context, Minima::even_in_powers);
    const Drawn numbers = draw(context, Minima::even_in_numbers);
    return {{optimal(), forced_width(), example_with_fewer(), never_more(),
             fewer_on_average(powers, numbers), local_changes()},
            {price_of_powers()},
            {{"mccann-6-buddy",
              "Processors that change hands in every interval",
              {panel("minima even in powers of two", powers),
               panel("minima even in numbers", numbers)}}}};
}

} // namespace

Experiment mccann6_buddy() {
    return {"mccann-6-buddy",
            "McCann's thesis, s. 6.3 to 6.7, figures 6.2 and 6.10",
            "BUDDY with the best of all schedules on small machines, and with EQUI-EPOCH on random "
            "mixes of jobs that need a minimum of processors.",
            {"The thesis gives no mix of minima. Ours: every power of two is as likely, and all "
             "numbers between two of them."},
            run};
}

} // namespace vmall::sim::reproduce
