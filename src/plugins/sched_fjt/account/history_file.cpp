// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two files that take turns.
#include "plugins/sched_fjt/account/history_file.hpp"

#include "common/files.hpp"
#include "common/split.hpp"

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace vmall::sched {

namespace {

constexpr std::size_t highest_file_bytes = std::size_t{1} << 31;
constexpr mode_t for_its_owner = 0600;

void append_lines_of(const std::string &path, std::vector<std::string> &lines) {
    const auto content = common::read_file(path, highest_file_bytes);
    if (!content)
        return;
    for (const std::string_view line : common::split(*content, '\n'))
        if (!line.empty())
            lines.emplace_back(line);
}

std::uintmax_t size_of(const std::string &path) {
    std::error_code not_there;
    const std::uintmax_t size = std::filesystem::file_size(path, not_there);
    return not_there ? 0 : size;
}

} // namespace

std::vector<std::string> HistoryFile::read() const {
    std::vector<std::string> lines;
    append_lines_of(old_path(), lines);
    append_lines_of(path_, lines);
    return lines;
}

void HistoryFile::add(const std::vector<std::string> &lines, std::size_t highest_bytes) const {
    std::uintmax_t size = size_of(path_);
    std::string text;
    for (const std::string &line : lines) {
        if (size > 0 && size + line.size() + 1 > highest_bytes / 2) {
            common::append_lines(path_, text, for_its_owner);
            std::filesystem::rename(path_, old_path());
            text.clear();
            size = 0;
        }
        text += line + "\n";
        size += line.size() + 1;
    }
    common::append_lines(path_, text, for_its_owner);
}

} // namespace vmall::sched
