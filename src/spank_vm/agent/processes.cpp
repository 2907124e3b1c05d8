// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads /proc. Whatever vanishes while it is read was not there.
#include "spank_vm/agent/processes.hpp"

#include "common/descriptor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>

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
    std::string_view name;
    pid_t parent;
    pid_t session;
    std::uint64_t start_time;
};

// Fields 3 to 21 need less than this, whatever their values; the name has at most 64 bytes.
using StatusText = std::array<char, 1024>;

// Empty once the process is gone; whoever cannot be looked at for another reason is still there.
std::string_view read_stat(const std::string &path, StatusText &buffer) {
    const common::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const ssize_t size = file ? read(file.get(), buffer.data(), buffer.size()) : -1;
    if (size < 0 && errno != ENOENT && errno != ESRCH)
        throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

// Cuts off what is before the next space, and the space.
std::string_view next_field(std::string_view &fields) {
    const std::size_t end = fields.find(' ');
    const std::string_view field = fields.substr(0, end);
    fields.remove_prefix(end == std::string_view::npos ? fields.size() : end + 1);
    return field;
}

template <typename Number>
bool parse(std::string_view field, Number &number) {
    const char *end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, number);
    return error == std::errc() && stop == end;
}

// Fields 4, 6 and 22 of /proc/PID/stat (proc(5)), counted from the last parenthesis: the process
// chooses the name between them.
std::optional<Status> parse_status(std::string_view text) {
    const std::size_t name_begin = text.find('(');
    const std::size_t name_end = text.rfind(')');
    if (name_begin == std::string_view::npos || name_end == std::string_view::npos)
        return std::nullopt;
    Status status = {};
    status.name = text.substr(name_begin + 1, name_end - name_begin - 1);
    std::string_view fields = text.substr(name_end + 1);
    next_field(fields);
    next_field(fields);
    if (!parse(next_field(fields), status.parent))
        return std::nullopt;
    next_field(fields);
    if (!parse(next_field(fields), status.session))
        return std::nullopt;
    constexpr int between_session_and_start_time = 22 - 6 - 1;
    for (int i = 0; i < between_session_and_start_time; ++i)
        next_field(fields);
    if (!parse(next_field(fields), status.start_time))
        return std::nullopt;
    return status;
}

std::string directory_of(pid_t pid) {
    return "/proc/" + std::to_string(pid);
}

// What /proc/PID/status has under this name, a number first.
std::optional<unsigned long> status_field(pid_t pid, std::string_view name) {
    std::ifstream file(directory_of(pid) + "/status");
    for (std::string line; std::getline(file, line);)
        if (line.compare(0, name.size(), name) == 0)
            return std::stoul(line.substr(name.size()));
    return std::nullopt;
}

std::optional<Process> find_in(const std::string &directory, pid_t number) {
    StatusText buffer;
    const auto status = parse_status(read_stat(directory + "/stat", buffer));
    if (!status)
        return std::nullopt;
    return Process{number, status->start_time};
}

} // namespace

std::optional<Process> find_process(pid_t pid) {
    return find_in(directory_of(pid), pid);
}

// What was read before was the process's if it has its number still.
std::optional<Process> find_thread(const Process &process, pid_t thread) {
    const auto found =
        find_in(directory_of(process.pid) + "/task/" + std::to_string(thread), thread);
    return is_alive(process) ? found : std::nullopt;
}

std::optional<pid_t> model_of(pid_t thread) {
    const auto process = status_field(thread, "Tgid:");
    const auto parent = status_field(thread, "PPid:");
    if (!process || !parent)
        return std::nullopt;
    return static_cast<pid_t>(*process == static_cast<unsigned long>(thread) ? *parent : *process);
}

bool is_alive(const Process &process) {
    return find_process(process.pid) == process;
}

std::uint64_t age_ns(const Process &process) {
    constexpr std::uint64_t second = 1'000'000'000;
    static const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const std::uint64_t now_ns =
        static_cast<std::uint64_t>(now.tv_sec) * second + static_cast<std::uint64_t>(now.tv_nsec);
    const std::uint64_t started_ns =
        process.start_time / ticks * second + process.start_time % ticks * (second / ticks);
    return now_ns - std::min(started_ns, now_ns);
}

ProcessTable ProcessTable::look() {
    ProcessTable table;
    StatusText buffer;
    for (const pid_t pid : numbers_in("/proc"))
        if (const auto status = parse_status(read_stat(directory_of(pid) + "/stat", buffer))) {
            table.start_times_.emplace(pid, status->start_time);
            table.children_.emplace(status->parent, FamilyMember{{pid, status->start_time},
                                                                 status->parent,
                                                                 status->session,
                                                                 std::string(status->name)});
        }
    return table;
}

std::optional<uid_t> real_user(pid_t pid) {
    const auto user = status_field(pid, "Uid:");
    return user ? std::optional<uid_t>(static_cast<uid_t>(*user)) : std::nullopt;
}

// What the kernel has told the program: it cannot change that, nor make whoever reads it wait.
bool is_static(pid_t pid) {
    std::ifstream file(directory_of(pid) + "/auxv", std::ios::binary);
    for (Elf64_auxv_t entry; file.read(reinterpret_cast<char *>(&entry), sizeof entry);)
        if (entry.a_type == AT_BASE) // where the dynamic linker is
            return entry.a_un.a_val == 0;
    return false;
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
