// SPDX-License-Identifier: GPL-2.0-or-later
//
// RUNTIMEDIR, where the agent keeps what it tells the jobs: root's alone, reached without following
// any symbolic link.
#pragma once

#include "common/descriptor.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::spank_vm {

class RuntimeDir {
  public:
    // Opens the directory, making what is missing of it (mode 0755). Every directory on the way
    // must belong to root (or to us) and be writable by nobody else, unless it is sticky like /tmp.
    // Throws std::runtime_error otherwise. `path` is absolute.
    explicit RuntimeDir(std::string path);

    const std::string &path() const { return path_; }
    // Makes the directory this process's, until it ends or closes it; children do not inherit
    // that. False: another process has it. Throws std::system_error.
    bool claim();
    // The job's directory; made if it is not there. Throws std::runtime_error.
    common::Descriptor job(std::uint32_t job_id) const;
    std::vector<std::uint32_t> job_ids() const; // of directories that are there
    // Removes the job's directory, all files in it and its runtime page, if it is there. Throws
    // std::system_error.
    void remove_job(std::uint32_t job_id) const;

  private:
    std::string path_;
    common::Descriptor directory_;
    common::Descriptor lock_;
};

} // namespace vmall::spank_vm
