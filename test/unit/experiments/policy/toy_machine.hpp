// SPDX-License-Identifier: GPL-2.0-or-later
//
// A machine of one node that carries decisions out in discrete time, for golden timelines. What is
// decided in one second is confirmed in the next; a job does one unit of work on each core in each
// second, and a tenth less while it is folded.
#pragma once

#include "policy/scheduler.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct ToyJob {
    std::uint32_t id = 0;
    vmall::policy::JobClass job_class = vmall::policy::JobClass::short_job;
    vmall::policy::Sizes sizes;
    int work = 0;                        // core seconds
    vmall::policy::Seconds estimate = 0; // may be wrong
    vmall::policy::Seconds time_limit = 1000;
};

class ToyMachine {
  public:
    ToyMachine(int cores, const vmall::policy::Settings &settings);

    // All jobs are there from the first second on, in this order. Returns what happened until the
    // last one has ended, a line for each change of a job: "second job cores mpl", or "ended" or
    // "requeued" instead of the cores and MPL. Gives up after an hour.
    std::string run(const std::vector<ToyJob> &jobs);

  private:
    struct Progress {
        const ToyJob *job = nullptr;
        int tenths_of_work_left = 0;
    };

    void confirm();
    void end_finished_jobs();
    bool decide();
    void carry_out(const vmall::policy::Start &start);
    void carry_out(const vmall::policy::Resize &resize);
    void carry_out(const vmall::policy::Requeue &requeue);
    void carry_out(const vmall::policy::Wait &) {}
    template <class Action>
    void carry_out(const Action &) {
        throw std::logic_error("kill and suspend are not for this machine");
    }
    void work();

    vmall::policy::WaitingJob submission(const ToyJob &job) const;
    vmall::policy::RunningJob &running(vmall::policy::JobId id);
    void report(std::uint32_t job, const std::string &what);
    void report_cores(const vmall::policy::RunningJob &job);

    vmall::policy::Settings settings;
    vmall::policy::Snapshot state;
    std::map<std::uint32_t, Progress> progress;
    std::string timeline;
};
