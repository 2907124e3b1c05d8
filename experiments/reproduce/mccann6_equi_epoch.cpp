// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 6.5: EQUI-EPOCH.
#include "experiments/buddy/equi_epoch.hpp"
#include "experiments/buddy/optimum.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann6_mixes.hpp"
#include "experiments/reproduce/text.hpp"

#include <algorithm>

namespace vmall::sim::reproduce {

namespace {

namespace buddy = policy::buddy;

const MixSize searched[] = {{4, 8}, {8, 8}, {16, 8}, {16, 16}};
const int powers[] = {64, 128, 256};
const int other_numbers[] = {60, 96, 100, 140, 240};
constexpr int drawn_jobs = 20;
constexpr int mixes_per_seed = 400;

double beyond_the_fewest(int processors, const Mix &mix) {
    return buddy::epochs(buddy::equi_epoch_schedule(processors, mix)) -
           buddy::fewest_epochs(processors, mix);
}

std::vector<Mix> draw(int processors, const Context &context, std::uint64_t seed) {
    const int mixes = std::max(1, static_cast<int>(mixes_per_seed * context.length));
    return random_mixes({processors, drawn_jobs}, Minima::even_in_powers, mixes, seed);
}

Finding optimal_on_powers_of_two(const Context &context) {
    std::vector<Measurement> measurements;
    for (const MixSize &size : searched) {
        const auto mixes = all_power_mixes(size);
        measurements.push_back(exactly(
            to_text(size) + ", all " + std::to_string(mixes.size()) + " mixes of powers of two",
            highest(mixes,
                    [&](const Mix &mix) { return beyond_the_fewest(size.processors, mix); })));
    }
    for (const int processors : powers) {
        const auto worst = for_each_seed(context, [&](std::uint64_t seed) {
            return highest(draw(processors, context, seed),
                           [&](const Mix &mix) { return beyond_the_fewest(processors, mix); });
        });
        measurements.push_back(
            {to_text(MixSize{processors, drawn_jobs}) + ", random mixes", worst});
    }
    return {{"no epoch schedule has fewer epochs if the number of processors is a power of two",
             "McCann's thesis, theorem 6.5", "epochs beyond the fewest possible, worst mix",
             between(0, 0), "", true},
            measurements,
            {},
            ""};
}

Finding not_optimal_on_140() {
    const Mix mix(10, 20);
    const int ours = buddy::epochs(buddy::equi_epoch_schedule(140, mix));
    return {{"ten jobs that need 20 of 140 processors take three epochs, and two would do",
             "McCann's thesis, figure 6.8", "epochs beyond the fewest possible", between(1, 1), ""},
            {exactly("", beyond_the_fewest(140, mix))},
            {},
            std::to_string(ours) + " epochs; " + std::to_string(buddy::fewest_epochs(140, mix)) +
                " are possible."};
}

Finding largest_first_is_worse() {
    const Mix mix = {4, 4, 4, 4, 8};
    const int smallest = buddy::epochs(buddy::equi_epoch_schedule(16, mix));
    const int largest = buddy::epochs(buddy::largest_first_epoch_schedule(16, mix));
    return {{"filling epochs from the largest minimum on takes three instead of two",
             "McCann's thesis, figure 6.9", "epochs, largest first less smallest first",
             between(1, 1), ""},
            {exactly("", largest - smallest)},
            {},
            std::to_string(smallest) + " epochs from the smallest on, " + std::to_string(largest) +
                " from the largest on."};
}

const Mix figure_6_7 = {2, 3, 3, 4, 4, 4, 5, 6};

Finding three_epochs_on_12() {
    return {{"eight jobs on 12 processors take three epochs", "McCann's thesis, figure 6.7",
             "epochs", between(3, 3), ""},
            {exactly("", buddy::epochs(buddy::equi_epoch_schedule(12, figure_6_7)))},
            {},
            ""};
}

Finding eight_processors_each() {
    const auto schedule = buddy::equi_epoch_schedule(12, figure_6_7);
    const int width = schedule.jobs.back().processors;
    return {{"the two jobs of the last epoch get eight of the 12 processors each",
             "McCann's thesis, s. 6.5.1, text on figure 6.7", "processors of the last job",
             between(8, 8), ""},
            {exactly("", width)},
            {},
            "Two jobs with eight each would need 16 processors; 12 for two are " +
                std::to_string(12 / 2) + " each."};
}

// Mixes of a seed, in per cent, that EQUI-EPOCH gives more epochs than needed.
std::vector<double> not_optimal(int processors, const Context &context) {
    return for_each_seed(
        context,
        [&](std::uint64_t seed) {
            return 100 * mean(
                             draw(processors, context, seed),
                             [&](const Mix &mix) -> double {
                                 return beyond_the_fewest(processors, mix) > 0;
                             });
        });
}

Chart how_often(const Context &context) {
    std::vector<std::string> x;
    Series series = {"EQUI-EPOCH", {}};
    const auto add = [&](int processors) {
        x.push_back(std::to_string(processors));
        series.points.push_back(summarise(not_optimal(processors, context)));
    };
    std::for_each(std::begin(powers), std::end(powers), add);
    std::for_each(std::begin(other_numbers), std::end(other_numbers), add);
    return {"mccann-6-equi-epoch",
            "How often EQUI-EPOCH is not the best",
            {{std::to_string(drawn_jobs) + " jobs, random minima",
              "processors",
              "mixes with more epochs than needed (%)",
              x,
              {series}}}};
}

Results run(Context &context) {
    return {{optimal_on_powers_of_two(context), not_optimal_on_140(), largest_first_is_worse(),
             three_epochs_on_12(), eight_processors_each()},
            {},
            {how_often(context)}};
}

} // namespace

Experiment mccann6_equi_epoch() {
    return {"mccann-6-equi-epoch",
            "McCann's thesis, s. 6.5, figures 6.7 to 6.9",
            "EQUI-EPOCH with the epoch schedule that has the fewest epochs.",
            {"The thesis gives no mix of minima. Ours: every power of two is as likely, and all "
             "numbers between two of them."},
            run};
}

} // namespace vmall::sim::reproduce
