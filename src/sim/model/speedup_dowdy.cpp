// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dowdy's execution signature: a serial and a parallel part of the execution time.
#include "sim/model/speedup.hpp"

#include <cmath>
#include <stdexcept>

namespace vmall::sim {

namespace {

class Dowdy : public Speedup {
  public:
    Dowdy(double c1, double c2) : c1_(c1), c2_(c2) {}

    double at(double processors) const override {
        return processors * (c1_ + c2_) / (c1_ + c2_ * processors);
    }

  private:
    double c1_;
    double c2_;
};

} // namespace

SpeedupPointer dowdy_speedup(double c1, double c2) {
    if (!(c1 > 0 && std::isfinite(c1)))
        throw std::invalid_argument("Dowdy's C1 is greater than 0, not " + std::to_string(c1));
    if (!(c2 >= 0 && std::isfinite(c2)))
        throw std::invalid_argument("Dowdy's C2 is 0 or more, not " + std::to_string(c2));
    return std::make_shared<Dowdy>(c1, c2);
}

} // namespace vmall::sim
