// SPDX-License-Identifier: GPL-2.0-or-later
//
// Other estimates than those that the users of a recorded workload gave.
#include "sim/trace/estimates.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace vmall::sim {

namespace {

policy::Seconds in_seconds(Milliseconds time) {
    return std::max<policy::Seconds>((time + 999) / 1000, 1);
}

// The run times of the last two jobs of a user's that have ended; 0: none yet.
class History {
  public:
    void add(Milliseconds runtime) { last_ = {last_[1], runtime}; }

    policy::Seconds prediction() const {
        return last_[1] == 0   ? 0
               : last_[0] == 0 ? in_seconds(last_[1])
                               : in_seconds((last_[0] + last_[1]) / 2);
    }

  private:
    std::array<Milliseconds, 2> last_ = {0, 0};
};

void set_prediction(Job &job, policy::Seconds prediction) {
    if (prediction == 0)
        return;
    const policy::Seconds of_user = job.estimate;
    job.estimate = of_user > 0 ? std::min(of_user, prediction) : prediction;
    if (of_user > 0 && job.time_limit == 0)
        job.time_limit = std::max(of_user, in_seconds(job.runtime));
}

void predict(Workload &workload) {
    using Ended = std::tuple<Milliseconds, std::size_t>; // when, which job
    std::priority_queue<Ended, std::vector<Ended>, std::greater<>> running;
    std::map<std::string, History> users;
    for (std::size_t place = 0; place < workload.jobs.size(); place++) {
        Job &job = workload.jobs[place];
        for (; !running.empty() && std::get<0>(running.top()) <= job.submit; running.pop()) {
            const Job &ended = workload.jobs[std::get<1>(running.top())];
            users[ended.user].add(std::max<Milliseconds>(ended.runtime, 1));
        }
        running.emplace(job.recorded_start.value_or(job.submit) + job.runtime, place);
        if (!job.user.empty())
            set_prediction(job, users[job.user].prediction());
    }
}

// The limit stays, of who has none what he said or the run time: nobody is ended for it.
void say_too_little(Workload &workload) {
    constexpr policy::Seconds minute = 60;
    const std::set<std::string> users = users_who_say_too_little(workload);
    for (Job &job : workload.jobs)
        if (users.count(job.user) != 0)
            set_prediction(job, minute);
}

} // namespace

std::set<std::string> users_who_say_too_little(const Workload &workload) {
    constexpr std::size_t every_tenth = 10;
    std::set<std::string> seen = {""};
    std::set<std::string> result;
    for (const Job &job : workload.jobs)
        if (seen.insert(job.user).second && seen.size() % every_tenth == 0)
            result.insert(job.user);
    return result;
}

void set_estimates(Workload &workload, Estimates estimates) {
    if (estimates == Estimates::predicted)
        predict(workload);
    if (estimates == Estimates::too_short)
        say_too_little(workload);
    for (Job &job : workload.jobs)
        if (estimates == Estimates::exact)
            job.estimate = in_seconds(job.runtime);
        else if (estimates == Estimates::none)
            job.estimate = job.time_limit = 0;
}

} // namespace vmall::sim
