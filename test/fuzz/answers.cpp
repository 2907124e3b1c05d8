// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents and the controller answer, after it was unsealed. The first byte says to what.
#include "control/installation.hpp"
#include "control/messages.hpp"
#include "control/metrics.hpp"
#include "control/query.hpp"
#include "control/roll_call.hpp"
#include "target.hpp"

namespace vmall::fuzz {

namespace {

// `encode` has an overload for each.
constexpr auto encoded = [](const auto &value) { return encode(value); };

void decode_answer_to(char what, const std::string &answer) {
    switch (what) {
    case 't':
        return expect_round_trip(answer, control::decode_answer, encoded);
    case 'j':
        return expect_round_trip(answer, control::decode_jobs, encoded);
    case 'q':
        return expect_round_trip(answer, control::decode_queue, encoded);
    case 'l':
        return expect_round_trip(answer, control::decode_left_out, encoded);
    case 'h':
        return expect_round_trip(answer, control::decode_history, encoded);
    case 'e': // of the history, as a file has it
        return expect_round_trip(answer, control::decode_row, control::encode_row);
    case 'c':
        return expect_round_trip(answer, control::decode_config, encoded);
    case 's':
        return expect_round_trip(answer, control::decode_stats, encoded);
    case 'm':
        return expect_round_trip(answer, control::decode_metrics, encoded);
    case 'r':
        return expect_round_trip(answer, control::decode_roll, encoded);
    case 'i':
        return expect_round_trip(answer, control::decode_installation, encoded);
    }
}

} // namespace

void decode(const std::string &input) {
    if (input.empty())
        return;
    try {
        decode_answer_to(input[0], input.substr(1));
    } catch (const control::MessageError &) {
    } catch (const control::QueryRefused &) {
    }
}

} // namespace vmall::fuzz
