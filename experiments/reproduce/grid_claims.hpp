// SPDX-License-Identifier: GPL-2.0-or-later
//
// Claims about a grid, and an experiment made of them.
#pragma once

#include "experiments/reproduce/grid.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

// Which number of a seed's means.
struct Quantity {
    std::string name; // "mean response of long jobs (s)"
    ClassMeans Means::*of;
    double ClassMeans::*value;
};

namespace quantities {
extern const Quantity long_response, long_wait, long_execution, long_wait_deviation,
    long_processors, short_response, short_wait, short_execution, short_wait_deviation,
    short_processors, long_slowdown, short_slowdown, all_response;
} // namespace quantities

using Names = std::vector<std::string>;

std::vector<double> values(const Grid &grid, const std::string &situation,
                           const std::string &contender, const Quantity &quantity);

// As it is.
std::vector<Measurement> plain(const Grid &grid, const Names &situations,
                               const std::string &contender, const Quantity &quantity);

// Of `one` in relation to `other`, or to each of the others, in each of the situations.
std::vector<Measurement> ratio(const Grid &grid, const Names &situations, const std::string &one,
                               const Names &others, const Quantity &quantity);
std::vector<Measurement> difference(const Grid &grid, const Names &situations,
                                    const std::string &one, const Names &others,
                                    const Quantity &quantity);
// Of `one` less so many times that of each of the others; unlike a ratio, it may be nothing.
std::vector<Measurement> excess(const Grid &grid, const Names &situations, const std::string &one,
                                double times, const Names &others, const Quantity &quantity);

// Of each contender in one situation in relation to another.
std::vector<Measurement> ratio_of_situations(const Grid &grid, const std::string &situation,
                                             const std::string &other, const Names &contenders,
                                             const Quantity &quantity);
std::vector<Measurement> difference_of_situations(const Grid &grid, const std::string &situation,
                                                  const std::string &other, const Names &contenders,
                                                  const Quantity &quantity);

// Of one quantity in relation to another of the same jobs.
std::vector<Measurement> share(const Grid &grid, const Names &situations, const Names &contenders,
                               const Quantity &quantity, const Quantity &of);

// "A" and "B" together: what is said of long and of short jobs, say.
std::vector<Measurement> both(std::vector<Measurement> one, const std::string &name_of_one,
                              std::vector<Measurement> other, const std::string &name_of_other);

// Everybody in the grid but these.
Names all_but(const Grid &grid, const Names &names);

struct GridClaim {
    Claim claim;
    std::function<std::vector<Measurement>(const Grid &)> measure;
    std::function<std::string(const Grid &)> why; // may be empty
};

// Measures every claim on the base grid and on the grid of each variation of it.
std::vector<Finding>
measure(const Context &context, const std::vector<GridClaim> &claims,
        const std::vector<Variation> &variations,
        const std::function<Grid(const Context &, const Assumptions &)> &make_grid,
        const std::function<void(const Grid &)> &with_base, const Assumptions &base = {});

// "12.3 requeues and 3.1 % of the core time thrown away with A; …"
std::string what_expiry_did(const Grid &grid, const std::string &situation,
                            const Names &contenders);

// Every policy in every situation: response, wait and execution of both classes.
Table means_table(const Grid &grid, const std::string &caption);

// A curve for each policy over the situations, long and short jobs side by side.
Chart curves(const Grid &grid, const std::string &name, const std::string &title,
             const std::string &x_label, const Quantity &of_long, const Quantity &of_short);

// The same as bars.
Chart bars(const Grid &grid, const std::string &name, const std::string &title,
           const std::string &x_label, const Quantity &of_long, const Quantity &of_short);

} // namespace vmall::sim::reproduce
