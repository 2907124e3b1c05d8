// SPDX-License-Identifier: GPL-2.0-or-later
//
// Many simulations at the same time.
#pragma once

#include "sim/engine/simulate.hpp"

#include <cstddef>
#include <functional>

namespace vmall::sim {

// Calls task(0) … task(count - 1) on so many threads, in any order, and returns when all have
// ended. Throws what the first task (by number) threw, Stopped once Progress::stop is set.
void in_parallel(int threads, const Progress &progress, std::size_t count,
                 const std::function<void(std::size_t)> &task);

} // namespace vmall::sim
