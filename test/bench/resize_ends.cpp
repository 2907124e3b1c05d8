// SPDX-License-Identifier: GPL-2.0-or-later
//
// The two ends of a resize for the bench.
#include "resize_ends.hpp"

#include "unit/wire/agents.hpp"

#include <csignal>
#include <ctime>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vmall::bench {

namespace {

constexpr std::uint32_t cores_of_a_node = 32; // that the job is to have there

double microseconds_of(pid_t process) {
    clockid_t clock;
    timespec time = {};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        throw std::runtime_error("cannot tell a process's time");
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

sched::NodeMessage message_to(int node, int port, sched::JobNumber job,
                              wire::Generation generation) {
    sched::NodeMessage message{"127.0.0.1", port, {}};
    message.target.node = "node" + std::to_string(node);
    message.target.job_id = job;
    message.target.user_id = 1000;
    for (std::uint32_t core = 0; core < cores_of_a_node; ++core)
        message.target.cores.push_back(core);
    message.target.mpl = 4;
    message.target.generation = generation;
    return message;
}

} // namespace

Cpu Cpu::operator-(const Cpu &other) const {
    return {controller - other.controller, its_munged - other.its_munged, agents - other.agents,
            their_munged - other.their_munged};
}

Cpu Cpu::operator/(double parts) const {
    return {controller / parts, its_munged / parts, agents / parts, their_munged / parts};
}

AgentsProcess::AgentsProcess(const std::string &munge_socket) {
    int ends[2];
    if (pipe(ends) != 0 || (pid_ = fork()) < 0)
        throw std::runtime_error("cannot start the agents");
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const Agents agents(munge_socket);
        const int port = agents.port();
        const bool told = write(ends[1], &port, sizeof port) == sizeof port;
        while (told)
            pause();
        _exit(1);
    }
    close(ends[1]);
    const bool told = read(ends[0], &port_, sizeof port_) == sizeof port_;
    close(ends[0]);
    if (!told)
        throw std::runtime_error("the agents do not start");
}

AgentsProcess::~AgentsProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

Ends::Ends(std::chrono::milliseconds agent_timeout)
    : timeout_(agent_timeout), agents_(their_munged_.socket()), post_(our_munged_.socket()) {}

void Ends::resize(sched::JobNumber job, int nodes, int silent) {
    ++generation_;
    std::vector<sched::NodeMessage> messages;
    for (int node = 0; node < nodes; ++node)
        messages.push_back(
            message_to(node, node < silent ? silent_.port() : agents_.port(), job, generation_));
    post_.send(std::move(messages), timeout_);
}

sched::Confirmation Ends::wait() {
    if (confirmations_.empty())
        for (sched::Confirmation &confirmation : post_.wait())
            confirmations_.push_back(std::move(confirmation));
    sched::Confirmation first = std::move(confirmations_.front());
    confirmations_.pop_front();
    return first;
}

Cpu Ends::cpu() const {
    return {microseconds_of(getpid()), microseconds_of(our_munged_.pid()),
            microseconds_of(agents_.pid()), microseconds_of(their_munged_.pid())};
}

} // namespace vmall::bench
