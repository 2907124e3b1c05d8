// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files that subcommands write.
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

namespace vmall::vmsim {

// And those above it, unless it is there. Throws std::system_error that names it.
void make_directory(const std::filesystem::path &directory);

class OutputFile {
  public:
    // An empty path is the standard output. Throws std::system_error if it cannot be opened.
    explicit OutputFile(const std::string &path);

    std::ostream &stream();

    // Throws std::runtime_error if not everything could be written.
    void close();

  private:
    std::string path_;
    std::ofstream file_;
};

} // namespace vmall::vmsim
