// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packets of the agent's UNIX socket, both ways.
#include "spank_vm/node/local_messages.hpp"

#include "control/messages.hpp"
#include "target.hpp"

namespace vmall::fuzz {

void decode(const std::string &input) {
    try {
        expect_round_trip(input, spank_vm::decode_local_request, spank_vm::encode);
    } catch (const control::MessageError &) {
    }
    try {
        spank_vm::expect_done(input);
    } catch (const control::MessageError &) {
    }
}

} // namespace vmall::fuzz
