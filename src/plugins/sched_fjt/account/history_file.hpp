// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines on disk that are only added to, and of which the oldest are dropped: two files, NAME and
// NAME.old. When one is full it takes the place of the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vmall::sched {

// What fails throws std::system_error.
class HistoryFile {
  public:
    explicit HistoryFile(std::string path) : path_(std::move(path)) {}

    // All lines, the oldest first. A line that was torn when slurmctld was killed is one of them.
    std::vector<std::string> read() const;

    // Both files together hold no more than so many bytes, or as many as they held under another
    // bound and have not been full since. Readable by their owner only. If it fails, any number of
    // the lines has been added, the last of them perhaps torn.
    void add(const std::vector<std::string> &lines, std::size_t highest_bytes) const;

  private:
    std::string old_path() const { return path_ + ".old"; }
    std::string path_;
};

} // namespace vmall::sched
