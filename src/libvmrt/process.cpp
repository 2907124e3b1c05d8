// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads /proc/PID/stat and the launcher's environment.
#include "libvmrt/process.hpp"

#include "layout/runtime_page.h"
#include "libvmrt/threads.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

struct Stat {
    char state;
    std::uint32_t start_time; // low 32 bits
};

// Fields are counted from the closing parenthesis of the command name, which may contain anything.
bool parse_stat(const char *text, Stat &stat) {
    constexpr int fields_from_state_to_start_time = 19;
    const char *field = std::strrchr(text, ')');
    if (field == nullptr || field[1] != ' ' || field[2] == '\0')
        return false;
    field += 2;
    stat.state = *field;
    for (int i = 0; i < fields_from_state_to_start_time; ++i) {
        field = std::strchr(field, ' ');
        if (field == nullptr)
            return false;
        ++field;
    }
    stat.start_time = static_cast<std::uint32_t>(std::strtoull(field, nullptr, 10));
    return true;
}

enum class Look {
    seen,
    nobody,
    impossible, // now: for want of descriptors or memory
};

Look look_without_result() {
    return errno == ENOENT || errno == ESRCH ? Look::nobody : Look::impossible;
}

Look read_stat(const char *path, Stat &stat) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return look_without_result();
    char text[1024];
    const ssize_t length = read(fd, text, sizeof text - 1);
    const Look failed = look_without_result();
    close(fd);
    if (length < 0)
        return failed;
    text[length] = '\0';
    return parse_stat(text, stat) ? Look::seen : Look::impossible;
}

Look read_stat(std::uint32_t pid, Stat &stat) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/%u/stat", pid);
    return read_stat(path, stat);
}

std::uint32_t pid_of(Owner owner) {
    return static_cast<std::uint32_t>(owner >> 32);
}

bool is(Owner owner, const Stat &stat) {
    return stat.start_time == static_cast<std::uint32_t>(owner) && stat.state != 'Z' &&
           stat.state != 'X';
}

bool runs_a_thread(std::uint32_t pid) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%u/task", pid);
    Threads threads(path);
    Stat stat{};
    while (const pid_t thread = threads.next()) {
        std::snprintf(path, sizeof path, "/proc/%u/task/%d/stat", pid, thread);
        if (read_stat(path, stat) == Look::seen && stat.state == 'R')
            return true;
    }
    return false;
}

bool number_from(const char *name, std::uint32_t &value) {
    const char *text = std::getenv(name);
    if (text == nullptr || *text < '0' || *text > '9')
        return false;
    char *end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    if (*end != '\0' || number > VMALL_RUNTIME_SLOTS)
        return false;
    value = static_cast<std::uint32_t>(number);
    return true;
}

bool hydra_rank(LocalRank &local) {
    return number_from("MPI_LOCALRANKID", local.rank) && number_from("MPI_LOCALNRANKS", local.size);
}

bool open_mpi_rank(LocalRank &local) {
    return number_from("OMPI_COMM_WORLD_LOCAL_RANK", local.rank) &&
           number_from("OMPI_COMM_WORLD_LOCAL_SIZE", local.size);
}

bool slurm_rank(LocalRank &local) {
    std::uint32_t node = 0;
    const char *tasks = std::getenv("SLURM_STEP_TASKS_PER_NODE");
    if (tasks == nullptr || !number_from("SLURM_LOCALID", local.rank) ||
        !number_from("SLURM_NODEID", node))
        return false;
    local.size = tasks_of_node(tasks, node);
    return true;
}

} // namespace

Owner this_process() {
    const auto pid = static_cast<std::uint32_t>(getpid());
    Stat stat{};
    return read_stat(pid, stat) == Look::seen ? Owner{pid} << 32 | stat.start_time : 0;
}

std::uint32_t pid_namespace() {
    struct stat status {};
    return stat("/proc/self/ns/pid", &status) == 0 ? static_cast<std::uint32_t>(status.st_ino) : 0;
}

bool is_gone(Owner owner) {
    Stat stat{};
    const Look look = read_stat(pid_of(owner), stat);
    return look == Look::nobody || (look == Look::seen && !is(owner, stat));
}

// Programs may enter MPI with any thread while the first one sleeps.
Activity activity_of(Owner owner) {
    Stat stat{};
    const Look look = read_stat(pid_of(owner), stat);
    if (look == Look::impossible)
        return Activity::runnable; // nobody shall lose a turn for our troubles
    if (look == Look::nobody || !is(owner, stat))
        return Activity::gone;
    return stat.state == 'R' || runs_a_thread(pid_of(owner)) ? Activity::runnable
                                                             : Activity::asleep;
}

std::uint32_t tasks_of_node(const char *tasks_per_node, std::uint32_t node) {
    std::uint64_t first = 0;
    for (const char *item = tasks_per_node; *item >= '0' && *item <= '9';) {
        char *end = nullptr;
        const unsigned long tasks = std::strtoul(item, &end, 10);
        unsigned long nodes = 1;
        if (end[0] == '(' && end[1] == 'x')
            nodes = std::strtoul(end + 2, &end, 10), end += *end == ')';
        if (node < first + nodes)
            return tasks <= VMALL_RUNTIME_SLOTS ? static_cast<std::uint32_t>(tasks) : 0;
        first += nodes;
        item = *end == ',' ? end + 1 : "";
    }
    return 0;
}

LocalRank local_rank() {
    LocalRank local{0, 0};
    if ((hydra_rank(local) || open_mpi_rank(local) || slurm_rank(local)) && local.rank < local.size)
        return local;
    return {0, 1};
}

} // namespace vmall::runtime
