// SPDX-License-Identifier: GPL-2.0-or-later
//
// A log that is read more than once, though it may come from a pipe.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace vmall::sim {

class LogFile {
  public:
    // A file, or what comes from a pipe, a terminal or, by the name "-", standard input: that is
    // read to its end and kept in a temporary file. Throws TraceError if it cannot be.
    LogFile(const std::string &path); // NOLINT: functions that read a log take a path
    const std::string &name() const { return name_; }   // for messages
    const std::string &place() const { return place_; } // where it can be opened meanwhile

  private:
    std::string name_, place_;
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> copy_; // null: it is a file
};

} // namespace vmall::sim
