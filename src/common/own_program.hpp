// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs of ours that run each other.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace vmall::common {

// What to run: the program of that name beside this one, or else the name alone, which is looked
// for on the PATH.
inline std::string own_program(const char *name) {
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = own.parent_path() / name;
    return !error && access(beside.c_str(), X_OK) == 0 ? beside.string() : name;
}

} // namespace vmall::common
