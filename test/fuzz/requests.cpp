// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents and the controller are asked, after it was unsealed: by SlurmUser and by anybody.
#include "control/messages.hpp"
#include "control/query.hpp"
#include "control/roll_call.hpp"
#include "target.hpp"

namespace vmall::fuzz {

void decode(const std::string &input) {
    try {
        expect_round_trip(
            input, control::decode_target,
            [](const control::Target &target) { return encode(target); });
    } catch (const control::MessageError &) {
    }
    try {
        control::decode_roll_call(input);
    } catch (const control::MessageError &) {
    }
    try {
        control::is_query(input);
        expect_round_trip(input, control::decode_query,
                          [](const control::Query &query) { return encode(query); });
    } catch (const control::MessageError &) {
    }
}

} // namespace vmall::fuzz
