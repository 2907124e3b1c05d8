// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much faster a job is on several processors than on one.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vmall::sim {

class Speedup {
  public:
    virtual ~Speedup() = default;

    // With this many processors (1 or more; fractions lie between whole numbers): positive, and 1
    // with one processor.
    virtual double at(double processors) const = 0;
};

using SpeedupPointer = std::shared_ptr<const Speedup>;

// Amdahl's law; the serial fraction is from 0 to 1.
SpeedupPointer amdahl_speedup(double serial_fraction);

// Downey, A model for speedup of parallel programs (1997): average parallelism of at least 1,
// coefficient of variation `sigma` of at least 0.
SpeedupPointer downey_speedup(double average_parallelism, double sigma);

// Dowdy's execution signature, S(p) = p (C1 + C2) / (C1 + C2 p) with positive C1 and C2 of 0 or
// more (Corbalan's thesis, s. 6.3).
SpeedupPointer dowdy_speedup(double c1, double c2);

// Measured execution times in seconds by number of processors, ascending, at least one. Between two
// points by straight lines of speed-up over processors; beyond the last as at the last; below the
// first in proportion to the processors.
SpeedupPointer table_speedup(std::vector<std::pair<int, double>> times);

} // namespace vmall::sim
