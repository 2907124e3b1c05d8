// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents and the controller are asked, after it was unsealed: by SlurmUser, by other agents
// and by anybody.
#include "target.hpp"
#include "wire/agreement.hpp"
#include "wire/messages.hpp"
#include "wire/query.hpp"
#include "wire/roll_call.hpp"

namespace vmall::fuzz {

void decode(const std::string &input) {
    try {
        expect_round_trip(
            input, wire::decode_target, [](const wire::Target &target) { return encode(target); });
    } catch (const wire::MessageError &) {
    }
    try {
        wire::decode_roll_call(input);
    } catch (const wire::MessageError &) {
    }
    try {
        if (wire::decode_wish(input))
            expect_round_trip(
                input, [](const std::string &json) { return wire::decode_wish(json).value(); },
                [](const wire::Wish &wish) { return encode(wish); });
    } catch (const wire::MessageError &) {
    }
    try {
        wire::is_query(input);
        expect_round_trip(input, wire::decode_query,
                          [](const wire::Query &query) { return encode(query); });
    } catch (const wire::MessageError &) {
    }
}

} // namespace vmall::fuzz
