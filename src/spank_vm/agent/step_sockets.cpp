// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm names them; whether somebody listens is seen by connecting.
#include "spank_vm/agent/step_sockets.hpp"

#include "common/descriptor.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace vmall::agent {

namespace {

bool is_running(const std::vector<StepSocket> &sockets) {
    return std::any_of(sockets.begin(), sockets.end(), is_listening);
}

} // namespace

bool is_listening(const StepSocket &socket) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (socket.path.size() >= sizeof address.sun_path)
        return true; // Slurm cannot have made it: nothing is known
    socket.path.copy(address.sun_path, socket.path.size());
    const common::Descriptor client(
        ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    return !client ||
           connect(client.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) ==
               0 ||
           (errno != ECONNREFUSED && errno != ENOENT);
}

pid_t session_of_step(pid_t stepd) {
    const pid_t session = getsid(stepd);
    return session > 0 && session != getsid(0) ? session : 0;
}

// They are called NODE_JOB.STEP or, in a heterogeneous job, NODE_JOB.STEP.COMPONENT.
std::vector<StepSocket> step_sockets(const std::string &directory, const std::string &node,
                                     std::uint32_t job_id) {
    const std::string prefix = node + "_" + std::to_string(job_id) + ".";
    std::vector<StepSocket> sockets;
    for (const auto &entry : std::filesystem::directory_iterator(directory)) {
        const std::string name = entry.path().filename();
        std::error_code gone;
        if (name.compare(0, prefix.size(), prefix) != 0 || !entry.is_socket(gone))
            continue;
        std::uint32_t step = 0;
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step);
        if (step != SLURM_EXTERN_CONT)
            sockets.push_back({step, entry.path()});
    }
    return sockets;
}

std::set<std::uint32_t> running_jobs(const std::string &directory, const std::string &node) {
    const std::string prefix = node + "_";
    std::set<std::uint32_t> jobs;
    for (const auto &entry : std::filesystem::directory_iterator(directory)) {
        const std::string name = entry.path().filename();
        const char *const end = name.data() + name.size();
        if (name.compare(0, prefix.size(), prefix) != 0)
            continue;
        std::uint32_t job_id = 0;
        const auto read = std::from_chars(name.data() + prefix.size(), end, job_id);
        if (read.ec == std::errc() && read.ptr != end && *read.ptr == '.' &&
            is_running(step_sockets(directory, node, job_id)))
            jobs.insert(job_id);
    }
    return jobs;
}

} // namespace vmall::agent
