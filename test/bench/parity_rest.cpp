// SPDX-License-Identifier: GPL-2.0-or-later
#include "parity_rest.hpp"

#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <memory>
#include <sched.h>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace {

// Of /proc/net/softnet_stat (softnet_seq_show() in Linux' net/core/net-procfs.c).
constexpr int backlog_column = 11;

// Whether a processor has packets of this machine to itself that it has not delivered yet: on a
// busy one that is left to a thread of the kernel, which waits for its turn.
bool packets_are_under_way() {
    std::ifstream processors("/proc/net/softnet_stat");
    for (std::string line; std::getline(processors, line);) {
        std::istringstream fields(line);
        unsigned backlog = 0;
        for (int column = 0; column <= backlog_column; column++)
            fields >> std::hex >> backlog;
        if (backlog > 0)
            return true;
    }
    return false;
}

std::string tasks_of(pid_t process) {
    return "/proc/" + std::to_string(process) + "/task/";
}

std::vector<std::string> threads(pid_t process) {
    std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(tasks_of(process).c_str()), closedir);
    std::vector<std::string> found;
    while (const dirent *entry = directory ? readdir(directory.get()) : nullptr)
        if (entry->d_name[0] != '.')
            found.push_back(entry->d_name);
    return found;
}

// One that has ended is.
bool is_blocked(const std::string &task) {
    std::ifstream stat(task + "/stat");
    std::string text;
    std::getline(stat, text);
    const size_t name_end = text.rfind(") ");
    const char state = name_end == std::string::npos ? 'X' : text[name_end + 2];
    return state == 'S' || state == 'Z' || state == 'X';
}

void check(int result, const std::string &what) {
    if (result != 0)
        throw std::system_error(errno, std::generic_category(), what);
}

} // namespace

Rest::Rest() : processor_(sched_getcpu()) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor_, &processors);
    check(sched_setaffinity(0, sizeof processors, &processors), "cannot stay on a processor");
}

void Rest::watch(pid_t process) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor_, &processors);
    sched_param priority = {};
    priority.sched_priority = 1;
    for (const std::string &name : threads(process)) {
        const pid_t thread = atoi(name.c_str());
        check(sched_setaffinity(thread, sizeof processors, &processors),
              "cannot have thread " + name + " on our processor");
        check(sched_setscheduler(thread, SCHED_FIFO, &priority),
              "cannot let thread " + name + " go first");
    }
    processes_.push_back(process);
}

bool Rest::reached() const {
    bool blocked = !packets_are_under_way();
    for (pid_t process : processes_)
        for (const std::string &name : threads(process))
            blocked = blocked && is_blocked(tasks_of(process) + name);
    if (!blocked)
        usleep(50);
    return blocked;
}
