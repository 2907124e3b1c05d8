// SPDX-License-Identifier: GPL-2.0-or-later
//
// Amdahl's law.
#include "sim/model/speedup.hpp"

#include <stdexcept>

namespace vmall::sim {

namespace {

class Amdahl : public Speedup {
  public:
    explicit Amdahl(double serial_fraction) : serial_(serial_fraction) {}

    double at(double processors) const override {
        return processors / (serial_ * (processors - 1) + 1);
    }

  private:
    double serial_;
};

} // namespace

SpeedupPointer amdahl_speedup(double serial_fraction) {
    if (!(serial_fraction >= 0 && serial_fraction <= 1)) {
        throw std::invalid_argument("Amdahl's serial fraction is from 0 to 1, not " +
                                    std::to_string(serial_fraction));
    }
    return std::make_shared<Amdahl>(serial_fraction);
}

} // namespace vmall::sim
