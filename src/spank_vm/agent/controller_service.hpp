// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's TCP port: a sealed target on each connection, answered once it is applied, a query,
// or what another agent says.
#pragma once

#include "common/log_limit.hpp"
#include "spank_vm/agent/hand_over.hpp"
#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/rechecks.hpp"
#include "spank_vm/agent/settings.hpp"
#include "wire/agreement.hpp"
#include "wire/query.hpp"
#include "wire/reception.hpp"
#include "wire/seal.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <sys/types.h>
#include <thread>

namespace vmall::agent {

class ControllerService {
  public:
    // What another agent is answered, in any thread.
    using AnswerWish = std::function<wire::Agreed(const wire::Wish &)>;
    // What vmctl is told of the jobs here, in any thread. Throws std::exception.
    using AnswerJobs = std::function<std::string(const wire::Query &, uid_t asker)>;

    // Starts a thread, which waits for the port if it is taken. `jobs`, `rechecks` and `price`
    // outlive it. The others are there if this agent deals cores itself: no target is taken then.
    ControllerService(const Settings &settings, Jobs &jobs, Rechecks &rechecks,
                      const HandOverPrice &price, AnswerWish answer_wish = {},
                      AnswerJobs answer_jobs = {});
    ControllerService(const ControllerService &) = delete;
    ControllerService &operator=(const ControllerService &) = delete;
    ~ControllerService(); // stops, after the answers that are under way

  private:
    void run() noexcept;
    bool open_port();
    std::string advice_on_port() const;
    void serve();
    void answer(const std::string &credential, wire::Visitor visitor) noexcept;
    std::optional<wire::Answer> handle(const std::string &credential, wire::Visitor visitor);
    void answer_agent(wire::Visitor visitor, const wire::Opened &opened);
    void tell(wire::Visitor visitor, const wire::Opened &query) noexcept;
    void reply(wire::Visitor visitor, const std::string &content);
    // Into the log, a few lines a minute: anybody can cause them.
    void complain(const std::string &problem);
    void mention(const std::string &problem);

    const Settings settings_;
    Jobs &jobs_;
    Rechecks &rechecks_;
    const HandOverPrice &price_;
    const AnswerWish answer_wish_;
    const AnswerJobs answer_jobs_;
    wire::Seal seal_;
    common::LogLimit complaints_;
    common::LogLimit mentions_;
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false;
    std::optional<wire::Reception> reception_;
    std::thread thread_;
};

} // namespace vmall::agent
