// SPDX-License-Identifier: GPL-2.0-or-later
//
// The input as a file, for what reads one by its path.
#pragma once

#include "common/descriptor.hpp"
#include "target.hpp"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace vmall::fuzz {

class InputFile {
  public:
    InputFile() : file_(memfd_create("input", MFD_CLOEXEC)) {
        expect(static_cast<bool>(file_), "there is a file for the input");
    }

    // The path of a file with that content.
    std::string holding(const std::string &content) {
        const ssize_t size = static_cast<ssize_t>(content.size());
        expect(ftruncate(file_.get(), 0) == 0 &&
                   pwrite(file_.get(), content.data(), content.size(), 0) == size,
               "the input is in its file");
        return "/proc/self/fd/" + std::to_string(file_.get());
    }

  private:
    common::Descriptor file_;
};

} // namespace vmall::fuzz
