// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equal_efficiency.
#include "policy/sharing/equal_efficiency.hpp"

#include "policy/sharing/equal_eff_plus_plus.hpp"
#include "policy/sharing/space_sharing.hpp"

namespace vmall::policy::sharing {

Allotments equal_efficiency(int processors, const Applications &applications, OneProcessor rule) {
    return equal_eff_plus_plus(processors, applications, rule, 0);
}

namespace {

class EqualEfficiency final : public SpaceSharing {
  public:
    bool goes_by_measurements() const override { return true; }

  private:
    Allotments shares(const SharedNode &machine, const SharingSettings &settings) const override {
        return sharing::equal_efficiency(machine.processors, machine.applications,
                                         settings.one_processor);
    }
};

} // namespace

std::unique_ptr<Discipline> make_equal_efficiency() {
    return std::make_unique<EqualEfficiency>();
}

} // namespace vmall::policy::sharing
