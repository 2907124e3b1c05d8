// SPDX-License-Identifier: GPL-2.0-or-later
//
// Exhaustive search for the best schedule.
#include "experiments/buddy/optimum.hpp"

#include "experiments/buddy/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

namespace vmall::policy::buddy {

namespace {

using Height = std::int64_t;
using Skyline = std::vector<Height>; // by processor

// Places parts bottom-left first. In a division without gaps the lowest free place, the leftmost of
// equals, is the lower left corner of some part, so trying every width there finds all divisions.
class Search {
  public:
    Search(int processors, int jobs, const std::vector<int> &allowed) : allowed_(allowed) {
        // Time in units in which every part has a whole height.
        Height unit = 1;
        for (const int width : allowed)
            unit = std::lcm(unit, Height{width});
        area_ = unit * processors;
        top_ = unit * jobs;
    }

    // The widths, descending, of all ways to fill what is above.
    const std::set<Widths> &above(const Skyline &skyline) {
        const auto known = known_.find(skyline);
        return known != known_.end() ? known->second
                                     : known_.emplace(skyline, try_all(skyline)).first->second;
    }

  private:
    std::set<Widths> try_all(const Skyline &skyline) {
        const auto corner = std::min_element(skyline.begin(), skyline.end());
        if (*corner == top_)
            return {{}};
        const auto end =
            std::find_if(corner, skyline.end(), [&](Height height) { return height != *corner; });
        std::set<Widths> found;
        for (const int width : allowed_) {
            if (width > end - corner || *corner + area_ / width > top_)
                continue;
            Skyline raised = skyline;
            std::fill_n(raised.begin() + (corner - skyline.begin()), width,
                        *corner + area_ / width);
            for (Widths widths : above(raised)) {
                widths.insert(
                    std::upper_bound(widths.begin(), widths.end(), width, std::greater<>()), width);
                found.insert(std::move(widths));
            }
        }
        return found;
    }

    const std::vector<int> &allowed_;
    Height area_ = 0; // of every part
    Height top_ = 0;  // of the interval
    std::map<Skyline, std::set<Widths>> known_;
};

// By falling minimum, so that the widest part goes to the most demanding job.
std::vector<int> descending(std::vector<int> minima) {
    std::sort(minima.begin(), minima.end(), std::greater<>());
    return minima;
}

int reallocated(int processors, const Widths &widths) {
    const auto has_a_part_of_the_time = [&](int width) {
        return width * static_cast<int>(widths.size()) > processors;
    };
    int sum = 0;
    for (const int width : widths)
        sum += has_a_part_of_the_time(width) ? width : 0;
    return sum;
}

void extend(std::vector<int> &mix, const std::vector<int> &values, std::size_t from, int left,
            std::vector<std::vector<int>> &mixes) {
    if (left == 0) {
        mixes.push_back(mix);
        return;
    }
    for (std::size_t i = from; i < values.size(); i++) {
        mix.push_back(values[i]);
        extend(mix, values, i, left - 1, mixes);
        mix.pop_back();
    }
}

} // namespace

std::vector<std::vector<int>> all_mixes(const std::vector<int> &values, int count) {
    std::vector<std::vector<int>> mixes;
    std::vector<int> mix;
    extend(mix, values, 0, count, mixes);
    return mixes;
}

std::set<Widths> possible_widths(int processors, int jobs, const std::vector<int> &allowed) {
    return Search(processors, jobs, allowed).above(Skyline(processors, 0));
}

int fewest_reallocated(int processors, const std::vector<int> &minima,
                       const std::set<Widths> &possible) {
    check_jobs(processors, minima);
    const auto needed = descending(minima);
    int fewest = std::numeric_limits<int>::max();
    for (const auto &widths : possible)
        if (widths.size() == needed.size() &&
            std::equal(widths.begin(), widths.end(), needed.begin(), std::greater_equal<>()))
            fewest = std::min(fewest, reallocated(processors, widths));
    if (fewest == std::numeric_limits<int>::max())
        throw std::invalid_argument("no choice of widths meets these minima");
    return fewest;
}

int fewest_epochs(int processors, const std::vector<int> &minima) {
    check_jobs(processors, minima);
    auto sorted = minima;
    std::sort(sorted.begin(), sorted.end());
    const int jobs = static_cast<int>(sorted.size());
    std::vector<int> fewest(jobs + 1, 0); // for the jobs from this one on
    for (int first = jobs - 1; first >= 0; first--) {
        fewest[first] = jobs;
        for (int count = 1; count <= std::min(jobs - first, processors); count++)
            if (processors % count == 0 && sorted[first + count - 1] <= processors / count)
                fewest[first] = std::min(fewest[first], 1 + fewest[first + count]);
    }
    return fewest[0];
}

} // namespace vmall::policy::buddy
