// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rotation strings of Folding and how long they take to repeat.
#include "experiments/mesh/policy/rotation.hpp"

#include "experiments/mesh/policy/mesh.hpp"

#include <algorithm>

namespace vmall::policy::mesh {

namespace {

int odd_part(int jobs) {
    return jobs % 2 == 0 ? odd_part(jobs / 2) : jobs;
}

} // namespace

PartitionCounts partition_counts(int jobs) {
    const int split = jobs - (1 << floor_log2(jobs));
    return {2 * split, jobs - 2 * split};
}

std::string rotated(const std::string &string) {
    std::string result = string;
    for (std::size_t i = 0; i < string.size(); i++) {
        const std::size_t next = (i + 1) % string.size();
        if (string[i] == 's' && string[next] == 'b')
            std::swap(result[i], result[next]);
    }
    return result;
}

int cycle_length(int jobs) {
    const int together = odd_part(jobs);
    return together == 1 ? 0 : together;
}

int rotations_per_cycle(int jobs) {
    const auto counts = partition_counts(odd_part(jobs));
    return 2 * std::min(counts.small, counts.large);
}

} // namespace vmall::policy::mesh
