// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sockets of slurmstepds in slurmd's spool directory, and their sessions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

// The session that a slurmstepd shares with its tasks and nobody else; 0: none.
pid_t session_of_step(pid_t stepd);

struct StepSocket {
    std::uint32_t step = 0;
    std::string path;
};

// Of the job's steps on this node, but for the extern step, which only holds what is not a task.
// Throws std::runtime_error if the directory cannot be read.
std::vector<StepSocket> step_sockets(const std::string &directory, const std::string &node,
                                     std::uint32_t job_id);

// Whether a slurmstepd listens there. It does not remove its socket if it is killed.
bool is_listening(const StepSocket &socket);

// Jobs of which a slurmstepd listens on this node. Throws likewise.
std::set<std::uint32_t> running_jobs(const std::string &directory, const std::string &node);

} // namespace vmall::agent
