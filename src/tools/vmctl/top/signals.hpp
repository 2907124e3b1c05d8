// SPDX-License-Identifier: GPL-2.0-or-later
//
// Signals as something to wait for.
#pragma once

#include "common/descriptor.hpp"

#include <csignal>
#include <initializer_list>
#include <optional>

namespace vmall::vmctl::top {

// From now on these do nothing but make the descriptor readable, also in threads that are made
// later.
class Signals {
  public:
    explicit Signals(std::initializer_list<int> numbers);
    ~Signals();
    Signals(const Signals &) = delete;
    Signals &operator=(const Signals &) = delete;

    int descriptor() const { return descriptor_.get(); }
    std::optional<int> take(); // the number of one that has come

  private:
    sigset_t before_;
    common::Descriptor descriptor_;
};

} // namespace vmall::vmctl::top
