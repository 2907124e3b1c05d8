// SPDX-License-Identifier: GPL-2.0-or-later
#include "parity_rest.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace {

// What runs beside us can act between our looks at its threads. If nothing has changed from one
// look to the next, there was a moment when all were blocked; once more, because a packet may be in
// nobody's hands for a moment.
constexpr int quiet_looks = 2;

// "" if there is no such file (any more).
std::string text(const std::string &path) {
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return "";
    char buffer[4096];
    ssize_t length = read(file, buffer, sizeof buffer);
    close(file);
    return std::string(buffer, length > 0 ? length : 0);
}

uint64_t number_after(const std::string &status, const char *key) {
    size_t at = status.find(key);
    return at == std::string::npos ? 0 : strtoull(status.c_str() + at + strlen(key), nullptr, 10);
}

} // namespace

std::vector<Rest::Thread> Rest::threads(pid_t process) {
    std::string tasks = "/proc/" + std::to_string(process) + "/task/";
    std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(tasks.c_str()), closedir);
    std::vector<Thread> found;
    while (const dirent *entry = directory ? readdir(directory.get()) : nullptr) {
        if (entry->d_name[0] == '.')
            continue;
        std::string status = text(tasks + entry->d_name + "/status");
        size_t state = status.find("\nState:\t");
        found.push_back({atoi(entry->d_name), state == std::string::npos ? 'X' : status[state + 8],
                         number_after(status, "\nvoluntary_ctxt_switches:\t") +
                             number_after(status, "\nnonvoluntary_ctxt_switches:\t")});
    }
    return found;
}

bool Rest::give_way_to(pid_t thread, int processor) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    sched_param priority = {};
    priority.sched_priority = 1;
    return sched_setaffinity(thread, sizeof processors, &processors) == 0 &&
           sched_setscheduler(thread, SCHED_FIFO, &priority) == 0;
}

Rest::Rest() : processor_(sched_getcpu()) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor_, &processors);
    priority_ = sched_setaffinity(0, sizeof processors, &processors) == 0;
}

void Rest::watch(pid_t process) {
    processes_.push_back(process);
    for (const Thread &thread : threads(process))
        priority_ = give_way_to(thread.id, processor_) && priority_;
}

bool Rest::reached() {
    std::vector<Thread> all;
    for (pid_t process : processes_)
        for (const Thread &thread : threads(process))
            all.push_back(thread);
    bool blocked = std::all_of(all.begin(), all.end(), [](const Thread &thread) {
        return thread.state == 'S' || thread.state == 'Z';
    });
    unchanged_ = blocked && all == before_ ? unchanged_ + 1 : 0;
    before_ = std::move(all);
    if (blocked && (priority_ || unchanged_ == quiet_looks)) {
        unchanged_ = 0;
        return true;
    }
    usleep(50);
    return false;
}
