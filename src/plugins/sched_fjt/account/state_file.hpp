// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small file in StateSaveLocation that survives a crash at any moment: either the old or the new
// content.
#pragma once

#include <optional>
#include <string>

namespace vmall::sched {

// The file's content, or nothing if there is none yet. Throws std::system_error.
std::optional<std::string> read_state(const std::string &path);

// Replaces the file. Throws std::system_error; the old content stays then.
void write_state(const std::string &path, const std::string &content);

} // namespace vmall::sched
