// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a controller before this one left on disk.
#include "plugins/sched_fjt/account/ledger.hpp"

#include "target.hpp"

#include <exception>

namespace vmall::fuzz {

namespace {

sched::Ledger restored(const std::string &json) {
    sched::Ledger ledger(1);
    ledger.restore(json);
    return ledger;
}

} // namespace

void decode(const std::string &input) {
    try {
        expect_round_trip(
            input, restored, [](const sched::Ledger &ledger) { return ledger.saved(); });
    } catch (const std::exception &) {
    }
}

} // namespace vmall::fuzz
