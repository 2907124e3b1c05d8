// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packets of the agent's UNIX socket, both ways.
#include "spank_vm/node/local_messages.hpp"

#include "target.hpp"
#include "wire/messages.hpp"

namespace vmall::fuzz {

void decode(const std::string &input) {
    try {
        expect_round_trip(input, spank_vm::decode_local_request, spank_vm::encode);
    } catch (const wire::MessageError &) {
    }
    try {
        spank_vm::expect_done(input);
    } catch (const wire::MessageError &) {
    }
}

} // namespace vmall::fuzz
