// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equal_eff++.
#include "policy/sharing/equal_eff_plus_plus.hpp"

#include "policy/sharing/dealing.hpp"
#include "policy/sharing/dowdy.hpp"
#include "policy/sharing/equipartition.hpp"
#include "policy/sharing/space_sharing.hpp"

namespace vmall::policy::sharing {

Allotments equal_eff_plus_plus(int processors, const Applications &applications, OneProcessor rule,
                               double target_efficiency) {
    std::vector<EfficiencyCurve> curves;
    for (const auto &application : applications)
        curves.emplace_back(application, rule);
    Allotments first = equipartition(processors, applications);
    for (std::size_t index = 0; index < applications.size(); index++)
        if (!curves[index].unknown())
            first[index] = applications[index].least;
    // Of no use to deal more to the unknown ones: the others' parts suffice for the others.
    const auto efficiency = [&](std::size_t index, int wanted) {
        return curves[index].unknown() ? -1 : curves[index].at(wanted);
    };
    return deal_to_most_efficient(processors, applications, std::move(first), efficiency,
                                  target_efficiency);
}

namespace {

class EqualEffPlusPlus final : public SpaceSharing {
  public:
    bool goes_by_measurements() const override { return true; }

  private:
    Allotments shares(const SharedNode &machine, const SharingSettings &settings) const override {
        return sharing::equal_eff_plus_plus(machine.processors, machine.applications,
                                            settings.one_processor, settings.target_efficiency);
    }
    bool level_rises() const override { return true; }
};

} // namespace

std::unique_ptr<Discipline> make_equal_eff_plus_plus() {
    return std::make_unique<EqualEffPlusPlus>();
}

} // namespace vmall::policy::sharing
