// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of Folding: who holds which stretch of the ring (McCann's thesis, s. 4.4).
//
// With from 2^(k-1) to 2^k jobs, the ring has 2^k rectangles ("cells"). A job with a small
// partition holds one, a job with a large partition two that follow each other. All that Folding
// does happens between neighbours on the ring, so partitions stay rectangles, both of their
// dimensions stay powers of two, and the order of the jobs stays the same.
#pragma once

#include "experiments/mesh/policy/partitioner.hpp"
#include "experiments/mesh/policy/ring.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vmall::policy::mesh {

class FoldWalk {
  public:
    explicit FoldWalk(const Mesh &mesh);

    int jobs() const { return static_cast<int>(stretches_.size()); }
    bool runs(JobId job) const;
    std::vector<Occupancy> holdings() const; // in walking order
    std::string rotation_string() const; // see rotation.hpp; all the same if J is a power of two

    // The first of the two takes the first half of a large partition, `job` the second. Of several
    // large partitions, one across the ring from what was halved last is taken: so, as long as
    // there are only arrivals, the string for an even number of jobs is that for half as many,
    // twice, and repeats when eq. 4.6 says. After rotations and departures it may be another one,
    // which repeats after J rotations at the latest; the share of rotations that jobs take part in
    // is the same.
    std::vector<Reallocation> arrive(JobId job);

    std::vector<Reallocation> rotate();

    // The freed partition stays in the ring while this steps through rotations, until other jobs
    // have taken it: half of a large one goes to a job with a small partition right before it, a
    // small one likewise (s. 4.4.3).
    //
    // Beyond the thesis: when the last two small partitions are joined, all are large, and they
    // must be cells of the next coarser ring, for the next departure. If the job is on the wrong
    // side for that, the freed cell moves on along the ring to it instead.
    std::vector<Reallocation> depart(JobId job);

  private:
    struct Stretch {
        std::optional<JobId> owner; // nobody: freed, while depart() works
        int first = 0;              // cell
        int cells = 1;              // 1 or 2
    };

    int next(int i) const { return (i + 1) % jobs(); }
    int previous(int i) const { return (i + jobs() - 1) % jobs(); }
    int cell_after(int cell) const { return (cell + 1) % static_cast<int>(ring_.size()); }
    bool all_of_size(int cells) const;
    Rectangle rectangle(const Stretch &stretch) const;

    void set_level(int level);
    int choose_to_halve() const;
    void give(int i, int first, int cells, std::vector<Reallocation> &moves);
    void rotate_once(std::vector<Reallocation> &moves);
    bool join_freed(int freed, std::vector<Reallocation> &moves);
    int move_freed_on(int freed, std::vector<Reallocation> &moves);
    bool would_straddle(int freed) const;
    int index_of_freed() const;

    Mesh mesh_;
    int level_ = 0;
    Ring ring_;
    std::vector<Stretch> stretches_; // in walking order
};

} // namespace vmall::policy::mesh
