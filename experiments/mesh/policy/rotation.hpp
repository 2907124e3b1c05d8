// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rotation strings of Folding and how long they take to repeat (McCann's thesis, s. 4.4.2).
//
// A rotation string has one symbol for each partition, in the order of the closed walk: 's' small,
// 'b' large; large ones have twice the processors of small ones. Its first symbol follows its last.
#pragma once

#include <string>

namespace vmall::policy::mesh {

// Small and large partitions for this many jobs, 1 or more.
struct PartitionCounts {
    int small = 0; // S
    int large = 0; // B
};
PartitionCounts partition_counts(int jobs);

// One rotation: every "sb" becomes "bs", that is, a job with a large partition gives half of it to
// the job before it if that one's is small.
std::string rotated(const std::string &string);

// N(J): rotations after which every job has had the same (eq. 4.6).
int cycle_length(int jobs);

// f(J): rotations of a cycle that a job takes part in (eq. 4.7).
int rotations_per_cycle(int jobs);

} // namespace vmall::policy::mesh
