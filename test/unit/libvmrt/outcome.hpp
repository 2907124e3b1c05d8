// SPDX-License-Identifier: GPL-2.0-or-later
//
// Judges how programs ended and what they printed last (test/mpi/arguments.h).
#pragma once

#include "run.hpp"
#include "stage.hpp"

namespace vmall::test {

inline void assert_succeeded(const Outcome &outcome) {
    ck_assert_msg(outcome.succeeded(), "hung %d status %d output: %s", outcome.hung, outcome.status,
                  outcome.output.c_str());
}

// "checksum=" and the number.
inline std::string checksum(const Outcome &outcome) {
    assert_succeeded(outcome);
    const std::size_t start = outcome.output.find("checksum="),
                      end = outcome.output.find(" seconds");
    ck_assert_msg(start < end && end != std::string::npos, "no checksum: %s",
                  outcome.output.c_str());
    return outcome.output.substr(start, end - start);
}

} // namespace vmall::test
