// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which policy of McCann's thesis, by the names of its figures.
#pragma once

#include "experiments/mesh/policy/partitioner.hpp"

#include <memory>
#include <string>

namespace vmall::sim::mesh {

enum class Family { equi, equi_plus, fold };

struct Choice {
    Family family = Family::equi;
    double interval = 0;         // seconds between rotations of Folding (I); 0: it never rotates
    bool times_the_jobs = false; // I for each job that runs (FOLD_(I*J), s. 5.3.1)

    policy::mesh::Mapping mapping() const;
    // Between rotations while this many jobs run, in seconds; 0: none.
    double interval_with(int jobs) const { return times_the_jobs ? interval * jobs : interval; }
};

// "equi", "equi+", "fold-inf", "fold-20" (seconds between rotations, a whole number of 1 or more),
// "fold-20j" (that many for each job). Throws std::invalid_argument for another name.
Choice parse_choice(const std::string &name);

// "16x16": rows and columns, powers of two. Throws std::invalid_argument for another text.
policy::mesh::Mesh parse_mesh(const std::string &text);

// The reverse of parse_choice(), for reports.
std::string to_text(const Choice &choice);

std::unique_ptr<policy::mesh::Partitioner> make_partitioner(const Choice &choice,
                                                            const policy::mesh::Mesh &mesh);

} // namespace vmall::sim::mesh
