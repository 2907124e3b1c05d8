// SPDX-License-Identifier: GPL-2.0-or-later
//
// Twice the processors, twice the speed.
#include "sim/model/speedup.hpp"

namespace vmall::sim {

namespace {

struct Linear : Speedup {
    double at(double processors) const override { return processors; }
};

} // namespace

SpeedupPointer linear_speedup() {
    return std::make_shared<Linear>();
}

} // namespace vmall::sim
