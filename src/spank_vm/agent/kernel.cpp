// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cgroups first: the kernel makes no autogroups of what is in one with the cpu controller.
#include "spank_vm/agent/kernel.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/utsname.h>

namespace vmall::agent {

namespace {

using wire::Groups;

bool names_cpu(std::istream &controllers) {
    const std::istream_iterator<std::string> begin(controllers), end;
    return std::find(begin, end, "cpu") != end;
}

// A line of /proc/self/cgroup: of cgroup v1 "4:cpu,cpuacct:/path", of v2 "0::/path".
bool is_in_cpu_cgroup(const std::string &line, const std::string &cgroup_mount) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
        return false;
    const std::string path = line.substr(second + 1);
    if (path == "/")
        return false;
    std::string listed = line.substr(first + 1, second - first - 1);
    if (listed.empty()) {
        std::ifstream of_v2(cgroup_mount + path + "/cgroup.controllers");
        return names_cpu(of_v2);
    }
    std::replace(listed.begin(), listed.end(), ',', ' ');
    std::istringstream of_v1(listed);
    return names_cpu(of_v1);
}

Groups groups_in(const std::string &proc, const std::string &cgroup_mount) {
    std::ifstream memberships(proc + "/self/cgroup");
    for (std::string line; std::getline(memberships, line);)
        if (is_in_cpu_cgroup(line, cgroup_mount))
            return Groups::cpu_cgroups;
    int enabled = 0; // also if the kernel has none
    std::ifstream(proc + "/sys/kernel/sched_autogroup_enabled") >> enabled;
    return enabled ? Groups::autogroups : Groups::none;
}

} // namespace

wire::Kernel kernel_of(const std::string &proc, const std::string &cgroup_mount) {
    utsname name;
    uname(&name);
    return {name.release, groups_in(proc, cgroup_mount)};
}

} // namespace vmall::agent
