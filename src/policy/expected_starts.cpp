// SPDX-License-Identifier: GPL-2.0-or-later
//
// Conservative backfilling, on a coarse clock.
#include "policy/expected_starts.hpp"

#include "policy/scheduler.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

// What takes time is to look at each node for each job.
constexpr std::size_t most_jobs = 100, most_looks = 100'000;

// The fewer times at which somebody ends, the less there is to look at.
Seconds rounded_up(Seconds time, Seconds now) {
    constexpr Seconds minute = 60, parts = 30;
    if (time == never)
        return never;
    Seconds step = minute;
    while (time - now > parts * step)
        step *= 2;
    return (time + step - 1) / step * step;
}

void keep_first(std::vector<WaitingJob> &waiting, std::size_t nodes) {
    const std::size_t most = std::min(most_jobs, most_looks / std::max<std::size_t>(nodes, 1));
    if (waiting.size() > most)
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(most), waiting.end());
}

} // namespace

std::map<JobId, Seconds> expected_starts(Snapshot snapshot, Settings settings) {
    sort_as_dealt(settings, snapshot);
    keep_first(snapshot.waiting, snapshot.nodes.size());
    for (WaitingJob &job : snapshot.waiting)
        job.sizes = {job.sizes.largest()};
    for (RunningJob &job : snapshot.running)
        job.expected_end = rounded_up(job.expected_end, snapshot.now);
    settings.queue_discipline = "conservative";
    std::map<JobId, Seconds> starts;
    for (const Action &action : decide(snapshot, settings))
        if (const auto *start = std::get_if<Start>(&action))
            starts[start->id] = snapshot.now;
        else if (const auto *wait = std::get_if<Wait>(&action); wait && wait->promise)
            starts[wait->id] = wait->promise->start;
    return starts;
}

} // namespace vmall::policy
