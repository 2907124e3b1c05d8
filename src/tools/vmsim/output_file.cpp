// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files that subcommands write.
#include "tools/vmsim/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <system_error>

namespace vmall::vmsim {

void make_directory(const std::filesystem::path &directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        throw std::system_error(error, directory.string());
}

OutputFile::OutputFile(const std::string &path) : path_(path) {
    if (path_.empty())
        return;
    file_.open(path_);
    if (!file_)
        throw std::system_error(errno, std::generic_category(), path_);
}

std::ostream &OutputFile::stream() {
    if (path_.empty())
        return std::cout;
    return file_;
}

void OutputFile::close() {
    errno = 0;
    stream().flush();
    if (!stream()) // if an earlier write failed, nobody knows why any more
        throw std::runtime_error((path_.empty() ? "the standard output" : path_) +
                                 ": cannot be written" +
                                 (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

} // namespace vmall::vmsim
