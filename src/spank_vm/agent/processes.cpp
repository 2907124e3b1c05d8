// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads /proc. Whatever vanishes while it is read was not there.
#include "spank_vm/agent/processes.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace vmall::agent {

namespace {

struct CloseDirectory {
    void operator()(DIR *directory) const { closedir(directory); }
};

std::optional<pid_t> as_number(const char *name) {
    pid_t number = 0;
    const char *end = name + std::strlen(name);
    const auto [stop, error] = std::from_chars(name, end, number);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return number;
}

// The entries of a directory of /proc whose names are numbers.
std::vector<pid_t> numbers_in(const std::string &path) {
    std::vector<pid_t> numbers;
    const std::unique_ptr<DIR, CloseDirectory> directory(opendir(path.c_str()));
    if (!directory && errno != ENOENT && errno != ESRCH)
        throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
    while (directory) {
        const dirent *entry = readdir(directory.get());
        if (!entry)
            break;
        if (const auto number = as_number(entry->d_name))
            numbers.push_back(*number);
    }
    return numbers;
}

struct Status {
    std::string name;
    pid_t parent;
    std::uint64_t start_time;
};

// Fields 4 and 22 of /proc/PID/stat (proc(5)), counted from the last parenthesis: the process
// chooses the name between them.
std::optional<Status> read_status(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::ostringstream content; // not stream iterators: they throw if the process ends now
    content << file.rdbuf();
    const std::string text = content.str();
    const std::size_t name_begin = text.find('(');
    const std::size_t name_end = text.rfind(')');
    if (name_begin == std::string::npos || name_end == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.substr(name_end + 1));
    Status status = {};
    status.name = text.substr(name_begin + 1, name_end - name_begin - 1);
    std::string skipped;
    fields >> skipped >> status.parent;
    constexpr int between_parent_and_start_time = 22 - 4 - 1;
    for (int i = 0; i < between_parent_and_start_time; ++i)
        fields >> skipped;
    fields >> status.start_time;
    if (!fields)
        return std::nullopt;
    return status;
}

} // namespace

std::optional<Process> find_process(pid_t pid) {
    const auto status = read_status(pid);
    if (!status)
        return std::nullopt;
    return Process{pid, status->start_time};
}

bool is_alive(const Process &process) {
    return find_process(process.pid) == process;
}

std::vector<FamilyMember> family(const std::vector<Process> &ancestors) {
    std::unordered_multimap<pid_t, FamilyMember> children;
    for (const pid_t pid : numbers_in("/proc"))
        if (auto status = read_status(pid))
            children.emplace(
                status->parent,
                FamilyMember{{pid, status->start_time}, status->parent, std::move(status->name)});
    std::vector<FamilyMember> found;
    const auto add_children = [&](pid_t parent) {
        const auto [begin, end] = children.equal_range(parent);
        for (auto child = begin; child != end; ++child)
            found.push_back(std::move(child->second));
        children.erase(begin, end); // also ends a cycle that reused numbers make
    };
    for (const Process &ancestor : ancestors)
        if (is_alive(ancestor))
            add_children(ancestor.pid);
    for (std::size_t i = 0; i < found.size(); ++i)
        add_children(found[i].process.pid);
    return found;
}

std::vector<pid_t> descendants(const std::vector<Process> &ancestors) {
    std::vector<pid_t> found;
    for (const FamilyMember &member : family(ancestors))
        found.push_back(member.process.pid);
    return found;
}

std::vector<pid_t> threads(pid_t pid) {
    return numbers_in("/proc/" + std::to_string(pid) + "/task");
}

std::string unified_group(pid_t pid) {
    constexpr std::string_view prefix = "0::"; // cgroups(7)
    std::ifstream file("/proc/" + std::to_string(pid) + "/cgroup");
    for (std::string line; std::getline(file, line);)
        if (line.compare(0, prefix.size(), prefix) == 0)
            return line.substr(prefix.size());
    return "";
}

} // namespace vmall::agent
