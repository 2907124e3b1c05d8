// SPDX-License-Identifier: GPL-2.0-or-later
//
// Paths are those of Slurm's cgroup/v1 and cgroup/v2 plugins.
#include "spank_vm/agent/cpusets.hpp"

#include "common/descriptor.hpp"
#include "spank_vm/node/index_list.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
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
    const common::Descriptor file(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
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

// Of "/system.slice/n1_slurmstepd.scope/JOB/step_0/slurm", what is before the step. Nothing: Slurm
// has not moved the slurmstepd there yet, or makes no groups of version 2.
std::optional<std::string> group_around_step(const std::string &stepd_group) {
    const std::size_t step = stepd_group.find("/step_");
    if (step == std::string::npos || step == 0)
        return std::nullopt;
    return stepd_group.substr(0, step);
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

std::vector<Cpusets::Group> Cpusets::groups_of(const JobOnNode &job) const {
    const std::string by_id = "/job_" + std::to_string(job.id);
    const std::string in_v1 = "/uid_" + std::to_string(job.user) + by_id;
    const std::string in_v2 = mount_ + "/system.slice/";
    // Since Slurm 26.05 it is not called by the job's id unless CgroupJobIdPaths is set.
    std::set<std::string> unified = {in_v2 + node_name_ + "_slurmstepd.scope" + by_id,
                                     in_v2 + "slurmstepd.scope" + by_id};
    for (const std::string &stepd_group : job.stepd_groups)
        if (const auto around = group_around_step(stepd_group))
            unified.insert(mount_ + *around);
    std::vector<Group> found;
    for (const std::string &directory : unified)
        found.push_back({Confinement::cgroup_v2, directory});
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

// All jobs of the user share the cpuset around them, each at a time: it may only grow.
void Cpusets::widen_around(const std::filesystem::path &job,
                           const std::vector<std::uint32_t> &cpus) const {
    const std::lock_guard<std::mutex> lock(*sharing_);
    const auto around = read_cpus(job.parent_path());
    if (around && united(*around, cpus) != *around)
        write_cpus(job.parent_path(), united(*around, cpus));
}

Confinement Cpusets::resize(const JobOnNode &job, const std::vector<std::uint16_t> &cpus) const {
    Indices ascending(cpus.begin(), cpus.end());
    std::sort(ascending.begin(), ascending.end());
    Confinement kept_by = Confinement::affinity;
    for (const auto &[kind, directory] : groups_of(job)) {
        widen_around(directory, ascending);
        if (resize_tree(directory, ascending))
            kept_by = kind;
    }
    return kept_by;
}

std::vector<pid_t> Cpusets::processes(const JobOnNode &job) const {
    std::vector<pid_t> members;
    for (const Group &group : groups_of(job))
        add_members(group.directory, members);
    return members;
}

} // namespace vmall::agent
