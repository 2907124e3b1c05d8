// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cpu cgroup of version 1: the kernel shares CPUs out among these before it looks at processes.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace vmall::test {

// Where new cpu cgroups can be made beside each other: around this process; empty: nowhere.
inline std::string find_cpu_cgroup() {
    std::string mount, path, line;
    for (std::ifstream mounts("/proc/self/mounts"); std::getline(mounts, line);) {
        std::istringstream fields(line);
        std::string device, where, type, options;
        fields >> device >> where >> type >> options;
        if (type == "cgroup" && ("," + options + ",").find(",cpu,") != std::string::npos)
            mount = where;
    }
    for (std::ifstream groups("/proc/self/cgroup"); std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (("," + line.substr(first + 1, second - first - 1) + ",").find(",cpu,") !=
            std::string::npos)
            path = line.substr(second + 1);
    }
    return mount.empty() || path.empty() ? "" : mount + path;
}

// A cpu cgroup, which goes when its last process has gone.
class CpuGroup {
  public:
    explicit CpuGroup(const std::string &name)
        : around_(find_cpu_cgroup()),
          path_(around_ + "/vmall-" + name + "." + std::to_string(getpid())) {
        made_ = !around_.empty() && mkdir(path_.c_str(), 0755) == 0;
    }
    CpuGroup(const CpuGroup &) = delete;
    CpuGroup &operator=(const CpuGroup &) = delete;
    ~CpuGroup() {
        if (made_)
            remove();
    }
    bool is_made() const { return made_; }
    // The calling process, and those it starts.
    void enter() const { put_into(path_); }
    void leave() const { put_into(around_); }

  private:
    // Those that were killed leave it a little later.
    void remove() const {
        for (int tries = 0; tries < 500 && rmdir(path_.c_str()) != 0; ++tries)
            usleep(10'000);
    }
    static void put_into(const std::string &path) {
        std::ofstream(path + "/cgroup.procs") << getpid() << std::endl;
    }
    std::string around_, path_;
    bool made_ = false;
};

} // namespace vmall::test
