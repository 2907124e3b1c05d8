// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl and vmall-exporter are told: a copy that the scheduler's thread publishes after each
// pass.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/account/viewer.hpp"
#include "plugins/sched_fjt/answer/metrics.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/room/memory_per_core.hpp"
#include "wire/query.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vmall::sched {

class Status {
  public:
    void publish(const View &view, const Ledger &ledger, const Counters &counters,
                 const config::Config &config);
    // Why virtually malleable jobs wait.
    void publish_queue(const View &view, const std::vector<policy::Action> &actions,
                       const config::Config &config);
    // That what follows was decided by, for vmctl why.
    void note_memory(const policy::MemoryPerCore &memory) { memory_ = memory; }
    // JSON, a page; from any thread.
    std::string answer(const wire::Query &query, Viewer viewer = {}) const;

  private:
    template <typename Row>
    struct List {
        std::vector<Row> rows;                         // by id
        std::map<std::uint32_t, std::string> accounts; // of the jobs

        void add(Row row, const std::string &account) {
            accounts.emplace(row.job_id, account);
            rows.push_back(std::move(row));
        }
        std::string page(const wire::PageStart &from, Viewer &viewer) const;
    };

    using LeftOut = List<wire::LeftOutRow>;
    static LeftOut left_out(const View &view, const Ledger &ledger);

    mutable std::mutex mutex_;
    // What is published is never changed: it is read without the mutex.
    using Jobs = List<wire::JobRow>;
    using Queue = List<wire::WaitingRow>;
    using Stats = std::vector<wire::Stat>;
    using Metrics = std::vector<wire::MetricFamily>;
    std::shared_ptr<const Jobs> jobs_ = std::make_shared<Jobs>();
    std::shared_ptr<const Queue> queue_ = std::make_shared<Queue>();
    std::shared_ptr<const LeftOut> left_out_ = std::make_shared<LeftOut>();
    std::shared_ptr<const Stats> stats_ = std::make_shared<Stats>();
    std::shared_ptr<const Metrics> metrics_ = std::make_shared<Metrics>();
    // Of the last publish_queue() and note_memory(), in whose thread they stay.
    Waiting waiting_;
    policy::MemoryPerCore memory_;
};

} // namespace vmall::sched
