// SPDX-License-Identifier: GPL-2.0-or-later
//
// The node agent: takes registrations from slurmstepds and, through ControllerService, targets.
#pragma once

#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/settings.hpp"
#include "spank_vm/node/local_socket.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>

namespace vmall::agent {

class Agent {
  public:
    // Starts a thread and returns at once. The thread does nothing as long as another process's
    // agent has the runtime directory, and logs what goes wrong. It takes no signals.
    explicit Agent(Settings settings);
    Agent(const Agent &) = delete;
    Agent &operator=(const Agent &) = delete;
    ~Agent(); // stops; the jobs keep what they have

  private:
    void run() noexcept;
    bool claim(spank_vm::RuntimeDir &directory);
    bool open_socket();
    static std::string answer(Jobs &jobs, const std::string &request, pid_t peer);

    Settings settings_;
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false;
    std::optional<spank_vm::LocalServer> socket_;
    std::thread thread_;
};

} // namespace vmall::agent
