// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files and folders for one test, and workloads as text that rows can be compared with.
#pragma once

#include "sim/model/job.hpp"

#include <string>

// A folder that is removed with what is in it.
class Scratch {
  public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;

    // Each returns the path.
    std::string file(const std::string &name, const std::string &content) const;
    std::string gzip(const std::string &name, const std::string &content) const;
    std::string xz(const std::string &name, const std::string &content) const;
    std::string zstd(const std::string &name, const std::string &content) const;

    // The text without the folder, for error messages that name a path in it.
    std::string without_folder(std::string text) const;

    const std::string &folder() const { return folder_; }

  private:
    std::string folder_;
};

std::string read_file(const std::string &path);

// "3: at 60 long vm 1,2,4, 90 s with 4, estimate 120, limit 150, started 65, runs LU.A, of anna"
std::string to_text(const vmall::sim::Job &job);
std::string to_text(const vmall::sim::Workload &workload);
