// SPDX-License-Identifier: GPL-2.0-or-later
//
// Paths are those of Slurm's cgroup/v1 and cgroup/v2 plugins.
#include "spank_vm/agent/cpusets.hpp"

#include "control/descriptor.hpp"
#include "spank_vm/index_list.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace vmall::agent {

namespace {

namespace fs = std::filesystem;
using Indices = std::vector<std::uint32_t>; // ascending

Indices united(const Indices &a, const Indices &b) {
    Indices both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

std::vector<fs::path> directories_in(const fs::path &parent) {
    std::vector<fs::path> found;
    std::error_code gone; // a step that ends meanwhile takes its directory with it
    for (fs::directory_iterator entry(parent, gone), end; entry != end; entry.increment(gone))
        if (entry->is_directory(gone) && !entry->is_symlink(gone))
            found.push_back(entry->path());
    return found;
}

// Nothing if there is no such cpuset or it is not in use.
std::optional<Indices> read_cpus(const fs::path &directory) {
    std::ifstream file(directory / "cpuset.cpus");
    std::string text;
    if (!std::getline(file, text) || text.empty())
        return std::nullopt;
    return spank_vm::parse_index_list(text);
}

void write_cpus(const fs::path &directory, const Indices &cpus) {
    const std::string text = spank_vm::format_index_list(cpus);
    const fs::path path = directory / "cpuset.cpus";
    const control::Descriptor file(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
        return;
    if (errno != ENOENT && errno != ENODEV) // it went away with its step
        throw std::system_error(errno, std::generic_category(),
                                "cannot write " + text + " to " + path.string());
}

// Wide enough for the old and the new first, then everything inside, then exactly the new. Whether
// it is in use itself.
bool resize_tree(const fs::path &directory, const Indices &cpus) {
    const auto before = read_cpus(directory);
    const Indices wide = before ? united(*before, cpus) : Indices();
    if (before && *before != wide)
        write_cpus(directory, wide);
    for (const fs::path &inside : directories_in(directory))
        resize_tree(inside, cpus);
    if (before && wide != cpus)
        write_cpus(directory, cpus);
    return before.has_value();
}

void add_members(const fs::path &directory, std::vector<pid_t> &members) {
    std::ifstream file(directory / "cgroup.procs");
    std::copy(std::istream_iterator<pid_t>(file), std::istream_iterator<pid_t>(),
              std::back_inserter(members));
    for (const fs::path &inside : directories_in(directory))
        add_members(inside, members);
}

} // namespace

Confinement cpusets_below(const std::string &mount) {
    std::ifstream controllers(mount + "/cgroup.controllers");
    const std::istream_iterator<std::string> begin(controllers), end;
    if (std::find(begin, end, "cpuset") != end)
        return Confinement::cgroup_v2;
    if (fs::exists(mount + "/cpuset/cpuset.cpus")) // not just somewhere to mount it
        return Confinement::cgroup_v1;
    return Confinement::missing;
}

struct Cpusets::Group {
    Confinement kind; // if it is a cpuset
    fs::path directory;
};

Cpusets::Cpusets(std::string mount, std::string node_name)
    : mount_(std::move(mount)), node_name_(std::move(node_name)) {}

std::vector<Cpusets::Group> Cpusets::job_groups(uid_t user, std::uint32_t job_id) const {
    const std::string job = "/job_" + std::to_string(job_id);
    const std::string in_v1 = "/uid_" + std::to_string(user) + job;
    const std::string in_v2 = mount_ + "/system.slice/";
    std::vector<Group> found = {
        {Confinement::cgroup_v2, in_v2 + node_name_ + "_slurmstepd.scope" + job},
        {Confinement::cgroup_v2, in_v2 + "slurmstepd.scope" + job},
    };
    for (const char *controller : {"/cpuset", "/freezer"}) {
        const std::string slurm = mount_ + controller + "/slurm";
        found.push_back({Confinement::cgroup_v1, slurm + "_" + node_name_ + in_v1});
        found.push_back({Confinement::cgroup_v1, slurm + in_v1});
    }
    found.erase(
        std::remove_if(found.begin(), found.end(),
                       [](const Group &group) { return !fs::is_directory(group.directory); }),
        found.end());
    return found;
}

Confinement Cpusets::resize(uid_t user, std::uint32_t job_id,
                            const std::vector<std::uint16_t> &cpus) const {
    Indices ascending(cpus.begin(), cpus.end());
    std::sort(ascending.begin(), ascending.end());
    Confinement kept_by = Confinement::affinity;
    for (const auto &[kind, job] : job_groups(user, job_id)) {
        // All jobs of the user share the cpuset around them: it may only grow.
        const auto around = read_cpus(job.parent_path());
        if (around && united(*around, ascending) != *around)
            write_cpus(job.parent_path(), united(*around, ascending));
        if (resize_tree(job, ascending))
            kept_by = kind;
    }
    return kept_by;
}

std::vector<pid_t> Cpusets::processes(uid_t user, std::uint32_t job_id) const {
    std::vector<pid_t> members;
    for (const Group &job : job_groups(user, job_id))
        add_members(job.directory, members);
    return members;
}

} // namespace vmall::agent
