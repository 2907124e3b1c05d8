// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small files, read and replaced whole. What fails throws std::system_error that names the file.
#pragma once

#include "common/descriptor.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace vmall::common {

// What there still is of an open file; its name is for errors. Throws with
// std::errc::file_too_large if that is more than so many bytes.
std::string read_whole(const Descriptor &file, const std::string &name, std::size_t highest_size);

// The content of a file, or nothing if it is not there. Does not wait for the writer of a FIFO.
std::optional<std::string> read_file(const std::string &path, std::size_t highest_size);

// The content of a regular file in a directory that only root and we can write. Also throws, as
// std::runtime_error, if it is something else.
std::string read_own_file(const Descriptor &directory, const std::string &name,
                          std::size_t highest_size);

enum class Survives {
    crash_of_ours, // who reads it sees the old content or the new
    loss_of_power  // also after the machine has been switched off: it is on the disk on return
};

// Makes NAME.new beside it, with this mode whatever the umask is, and renames it. If that fails,
// the old content stays.
void replace_file(const Descriptor &directory, const std::string &name, std::string_view content,
                  mode_t mode = 0600, Survives survives = Survives::crash_of_ours);
void replace_file(const std::string &path, std::string_view content, mode_t mode,
                  Survives survives);

// Adds lines to the end of a file, which is made if need be and has this mode then. What somebody
// left there is no line of theirs: a torn one is ended first.
void append_lines(const std::string &path, std::string_view lines, mode_t mode);

} // namespace vmall::common
