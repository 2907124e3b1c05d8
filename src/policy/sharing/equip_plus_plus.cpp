// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equip++.
#include "policy/sharing/equip_plus_plus.hpp"

#include "policy/sharing/dealing.hpp"
#include "policy/sharing/space_sharing.hpp"

namespace vmall::policy::sharing {

namespace {

bool worth_trying(const Application &application, int processors, double target, int step) {
    if (const auto measured = measured_efficiency(application, processors))
        return *measured >= target;
    for (int above = processors + 1; above < processors + step; above++) {
        const auto measured = measured_efficiency(application, above);
        if (measured && *measured < target)
            return false;
    }
    return true;
}

} // namespace

Allotments equip_plus_plus(int processors, const Applications &applications,
                           double target_efficiency, int step) {
    return deal_evenly(
        processors, applications,
        [&](std::size_t index, int wanted) {
            return worth_trying(applications[index], wanted, target_efficiency, step);
        });
}

namespace {

class EquipPlusPlus final : public SpaceSharing {
  public:
    bool goes_by_measurements() const override { return true; }

  private:
    Allotments shares(const SharedNode &machine, const SharingSettings &settings) const override {
        return sharing::equip_plus_plus(machine.processors, machine.applications,
                                        settings.target_efficiency, settings.step);
    }
    bool level_rises() const override { return true; }
};

} // namespace

std::unique_ptr<Discipline> make_equip_plus_plus() {
    return std::make_unique<EquipPlusPlus>();
}

} // namespace vmall::policy::sharing
