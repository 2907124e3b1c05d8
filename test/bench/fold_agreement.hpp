// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether runs that are to compute the same did so.
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

namespace vmall::bench {

class Agreement {
  public:
    // Greatest difference, relative to the first result of the same key.
    explicit Agreement(double tolerance) : tolerance_(tolerance) {}

    // Throws std::runtime_error if it is not the result that was first given for the key.
    void check(const std::string &key, double result) {
        const double expected = first_.emplace(key, result).first->second;
        if (!(std::fabs(result - expected) <= tolerance_ * std::fabs(expected)))
            throw std::runtime_error("computed " + std::to_string(result) + " instead of " +
                                     std::to_string(expected) + " (" + key + ')');
    }
    bool knows(const std::string &key) const { return first_.count(key) != 0; }

  private:
    double tolerance_;
    std::map<std::string, double> first_;
};

} // namespace vmall::bench
