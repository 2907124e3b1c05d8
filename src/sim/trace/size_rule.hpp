// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which numbers of processes a program accepts, on whatever machine.
#pragma once

#include "common/sizes.hpp"

#include <string>

namespace vmall::sim {

// Written as one of
//   rigid      only the number that was asked for
//   any        every number up to that
//   pow2       1, 2, 4 … up to that
//   square     1, 4, 9 … up to that
//   halves     that number, its half, a quarter … as long as it can be halved; halves:N at most N
//              times
//   LIST       those of a list, as --vm-procs takes it (16,8,4 or 2-12), up to that
class SizeRule {
  public:
    SizeRule() = default; // rigid
    // Throws std::invalid_argument with a reason for people.
    explicit SizeRule(const std::string &text);

    // As it was written.
    const std::string &text() const { return text_; }

    // May be none (LIST only). `asked` is at least 1.
    common::Sizes up_to(int asked) const;

  private:
    std::string text_ = "rigid";
    int most_halvings_ = 0;
    common::Sizes list_;
};

} // namespace vmall::sim
