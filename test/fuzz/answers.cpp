// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents and the controller answer, after it was unsealed. The first byte says to what.
#include "target.hpp"
#include "wire/agreement.hpp"
#include "wire/installation.hpp"
#include "wire/messages.hpp"
#include "wire/metrics.hpp"
#include "wire/query.hpp"
#include "wire/roll_call.hpp"

namespace vmall::fuzz {

namespace {

// `encode` has an overload for each.
constexpr auto encoded = [](const auto &value) { return encode(value); };

void decode_answer_to(char what, const std::string &answer) {
    switch (what) {
    case 't':
        return expect_round_trip(answer, wire::decode_answer, encoded);
    case 'j':
        return expect_round_trip(answer, wire::decode_jobs, encoded);
    case 'q':
        return expect_round_trip(answer, wire::decode_queue, encoded);
    case 'l':
        return expect_round_trip(answer, wire::decode_left_out, encoded);
    case 'h':
        return expect_round_trip(answer, wire::decode_history, encoded);
    case 'e': // of the history, as a file has it
        return expect_round_trip(answer, wire::decode_row, wire::encode_row);
    case 'c':
        return expect_round_trip(answer, wire::decode_config, encoded);
    case 's':
        return expect_round_trip(answer, wire::decode_stats, encoded);
    case 'm':
        return expect_round_trip(answer, wire::decode_metrics, encoded);
    case 'r':
        return expect_round_trip(answer, wire::decode_roll, encoded);
    case 'a':
        return expect_round_trip(answer, wire::decode_agreed, encoded);
    case 'i':
        return expect_round_trip(answer, wire::decode_installation, encoded);
    }
}

} // namespace

void decode(const std::string &input) {
    if (input.empty())
        return;
    try {
        decode_answer_to(input[0], input.substr(1));
    } catch (const wire::MessageError &) {
    } catch (const wire::QueryRefused &) {
    }
}

} // namespace vmall::fuzz
