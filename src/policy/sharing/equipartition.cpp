// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equipartition.
#include "policy/sharing/equipartition.hpp"

#include "policy/sharing/dealing.hpp"
#include "policy/sharing/space_sharing.hpp"

namespace vmall::policy::sharing {

Allotments equipartition(int processors, const Applications &applications) {
    return deal_evenly(
        processors, applications, [](std::size_t, int) { return true; });
}

namespace {

class Equipartition final : public SpaceSharing {
    Allotments shares(const SharedNode &machine, const SharingSettings &) const override {
        return sharing::equipartition(machine.processors, machine.applications);
    }
};

} // namespace

std::unique_ptr<Discipline> make_equipartition() {
    return std::make_unique<Equipartition>();
}

} // namespace vmall::policy::sharing
