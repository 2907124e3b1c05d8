// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue disciplines sjf and ljf: the shortest or the longest job first (thesis s. 2.3.2.2).
#include "policy/queue/discipline.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

class ByEstimate final : public Discipline {
  public:
    explicit ByEstimate(bool longest_first) : longest_first_(longest_first) {}

    void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &) const override {
        std::stable_sort(pass.queue.begin(), pass.queue.end(),
                         [this](const auto *left, const auto *right) {
                             return longest_first_ ? right->estimate < left->estimate
                                                   : left->estimate < right->estimate;
                         });
        if (const auto delay = start_in_order(pass, sizing))
            pass.wait(pass.head(), delay->why);
    }

  private:
    const bool longest_first_;
};

} // namespace

std::unique_ptr<Discipline> make_sjf() {
    return std::make_unique<ByEstimate>(false);
}

std::unique_ptr<Discipline> make_ljf() {
    return std::make_unique<ByEstimate>(true);
}

} // namespace vmall::policy
