// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the experiments of McCann's thesis, ch. 5, share: the machine, policies by the names of the
// figures, and exact numbers by number of jobs.
#pragma once

#include "experiments/mesh/sim/choice.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "experiments/reproduce/verdict.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

inline const policy::mesh::Mesh mccann_mesh(4, 4);

// "EQUI", "EQUI+", "FOLD_inf", "FOLD_20", "FOLD_20J".
std::string figure_name(const mesh::Choice &choice);
std::vector<mesh::Choice> mesh_policies(const std::vector<std::string> &names);

// first, first + 1 … last.
std::vector<int> numbers(int first, int last);
// Those of them that are no power of two.
std::vector<int> no_powers_of_two(int first, int last);

std::vector<double> each(const std::vector<int> &numbers,
                         const std::function<double(int)> &measure);
double mean(const std::vector<double> &values);
double highest(const std::vector<double> &values);
double lowest(const std::vector<double> &values);

Measurement without_chance(std::string where, double value);
std::optional<Sample> point(double value); // of a chart; none if it is not finite

// A panel of lines without chance, one for each name: y(name's place, x).
Panel lines(std::string title, std::string x_label, std::string y_label, std::vector<double> x,
            const std::vector<std::string> &names,
            const std::function<double(std::size_t, double)> &y);

} // namespace vmall::sim::reproduce
