// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that look like what sacct printed, but in a way that no reader of ours takes.
#include "sim/trace/unusable_dump.hpp"

#include "config/number.hpp"
#include "sim/trace/lines.hpp"
#include "sim/trace/sacct.hpp"
#include "sim/trace/trace_error.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace vmall::sim {

namespace {

constexpr std::size_t looked_at = 10; // lines

// Whatever is between them.
std::vector<std::string> words_of(std::string_view line) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::vector<std::string> words;
    for (std::size_t begin = line.find_first_of(letters); begin != std::string_view::npos;
         begin = line.find_first_of(letters, begin)) {
        const std::size_t end = std::min(line.find_first_not_of(letters, begin), line.size());
        words.push_back(config::lower_case(line.substr(begin, end - begin)));
        begin = end;
    }
    return words;
}

bool has_any(const std::vector<std::string> &words, std::initializer_list<const char *> wanted) {
    return std::any_of(
        words.begin(), words.end(),
        [&](const std::string &word) {
            return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
        });
}

// Of the first line that is no comment of SWF. Null: it does not look like sacct's.
const char *fault_of(std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    if (line.substr(0, line.find(' ')) == "sacct:")
        return "a message of sacct";
    if (line.front() == '{')
        return "JSON, as of sacct --json";
    if (has_any(words, {"jobid", "jobidraw"}))
        return "sacct's line of column names without | between them";
    const bool has_id = line.find_first_not_of("0123456789_+.") == line.find('|') &&
                        line.find('|') != std::string_view::npos;
    if (has_id || has_any(words, {"completed", "failed", "cancelled", "timeout"}))
        return "a job of sacct, whose line of column names is missing in front";
    return nullptr;
}

} // namespace

std::optional<std::string> unusable_dump(const LogFile &file) {
    const std::string how = std::string("; write the file with: ") + sacct_command;
    std::optional<std::string> fault;
    bool jobs = false; // the comments of SWF are over
    Lines lines(file);
    std::string_view line;
    while (lines.number() < looked_at && lines.next(line)) {
        const auto said = [&](const std::string &what) {
            return at_line(lines.path(), lines.number(),
                           "this is no SWF, but looks like " + what + how);
        };
        if (is_sacct_header(line))
            return said("sacct's line of column names, which has to be the first line");
        if (jobs || line.empty() || line.front() == ';')
            continue;
        jobs = true;
        if (const char *what = fault_of(line))
            fault = said(what);
    }
    return fault;
}

} // namespace vmall::sim
