// SPDX-License-Identifier: GPL-2.0-or-later
//
// Downey's model: a job whose parallelism varies around an average. With little variance (sigma up
// to 1) it is mostly at the average, otherwise it alternates between a serial and a very parallel
// phase.
#include "sim/model/speedup.hpp"

#include <cmath>
#include <stdexcept>

namespace vmall::sim {

namespace {

class Downey : public Speedup {
  public:
    Downey(double average, double sigma) : average_(average), sigma_(sigma) {}

    double at(double processors) const override {
        return sigma_ <= 1 ? low_variance(processors) : high_variance(processors);
    }

  private:
    double low_variance(double processors) const {
        if (processors >= 2 * average_ - 1)
            return average_;
        if (processors >= average_) {
            return average_ * processors /
                   (sigma_ * (average_ - 0.5) + processors * (1 - sigma_ / 2));
        }
        return average_ * processors / (average_ + sigma_ / 2 * (processors - 1));
    }

    double high_variance(double processors) const {
        if (processors >= average_ + average_ * sigma_ - sigma_)
            return average_;
        return processors * average_ * (sigma_ + 1) /
               (sigma_ * (processors + average_ - 1) + average_);
    }

    double average_;
    double sigma_;
};

} // namespace

SpeedupPointer downey_speedup(double average_parallelism, double sigma) {
    if (!(average_parallelism >= 1 && std::isfinite(average_parallelism))) {
        throw std::invalid_argument("Downey's average parallelism is at least 1, not " +
                                    std::to_string(average_parallelism));
    }
    if (!(sigma >= 0 && std::isfinite(sigma)))
        throw std::invalid_argument("Downey's sigma is 0 or more, not " + std::to_string(sigma));
    return std::make_shared<Downey>(average_parallelism, sigma);
}

} // namespace vmall::sim
