// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is wrong with a file that was read.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace vmall::sim {

// what() names file, line and field, what was found there and what is accepted.
class TraceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The whole file was read, and nothing of it is a job to simulate; the log of the reader says why.
class NoJobs : public TraceError {
  public:
    using TraceError::TraceError;
};

// A reason without a place, thrown where a line is taken apart; the reader adds file and line.
struct BadLine {
    std::string reason;
};

inline std::string at_line(const std::string &file, std::size_t line, const std::string &reason) {
    return file + ":" + std::to_string(line) + ": " + reason;
}

} // namespace vmall::sim
