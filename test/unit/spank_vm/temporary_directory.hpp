// SPDX-License-Identifier: GPL-2.0-or-later
//
// A directory for one test, removed at its end, and plain reading and writing of files in it.
#pragma once

#include "common/descriptor.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <sys/stat.h>

class TemporaryDirectory {
  public:
    TemporaryDirectory() : path_(std::filesystem::temp_directory_path() / "vmall-test-XXXXXX") {
        if (!mkdtemp(path_.data()) || chmod(path_.c_str(), 0755) != 0)
            throw std::runtime_error("cannot make a temporary directory");
    }
    TemporaryDirectory(const TemporaryDirectory &) = delete;
    TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::string &path() const { return path_; }
    std::string operator/(const std::string &name) const { return path_ + "/" + name; }
    vmall::common::Descriptor open() const {
        return vmall::common::Descriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY));
    }

  private:
    std::string path_;
};

inline std::string content_of(const std::string &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_content(const std::string &path, const std::string &content) {
    std::ofstream(path) << content;
}
