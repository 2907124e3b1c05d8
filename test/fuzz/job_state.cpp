// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an agent before this one left on disk.
#include "spank_vm/agent/job_state.hpp"

#include "target.hpp"

namespace vmall::fuzz {

void decode(const std::string &input) {
    try {
        expect_round_trip(
            input, agent::decode_job_state,
            [](const agent::JobState &state) { return encode(state); });
    } catch (const wire::MessageError &) {
    }
}

} // namespace vmall::fuzz
