// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizing adaptive, of our own: doc/policy.md. How many processes a job has is decided when it
// starts, how many cores they have is not. So a job gets processes for better times, and the cores
// that there are now.
#include "policy/sizing/sizing.hpp"

#include "policy/folding/folding.hpp"
#include "policy/folding/mpl_steps.hpp"
#include "policy/reasons.hpp"

#include <algorithm>
#include <utility>

namespace vmall::policy {

namespace {

constexpr int deepest_long_start = 2; // MPL
constexpr int parts_of_machine = 4;   // one of them is enough for a short job
// Short jobs take no more from a running one than one part of its time in so many.
constexpr int parts_of_time = 10;

bool is_short(const WaitingJob &job) {
    return job.job_class == JobClass::short_job;
}

bool can_spare_time(const Pass &pass, const RunningJob &job) {
    return job.lost * parts_of_time <= pass.now - job.started;
}

// Nobody for a long job: to run side by side at half their speed, both would end late.
std::vector<Running *> foldable_jobs(Pass &pass) {
    std::vector<Running *> result;
    if (!is_short(pass.head()))
        return result;
    for (auto &running : pass.running)
        if (can_resize(running) && shares_nodes(*running.job, pass.head()) &&
            can_spare_time(pass, *running.job))
            result.push_back(&running);
    return result;
}

// What folding these jobs to this MPL would leave free.
Room room_at(int mpl, const std::vector<Running *> &jobs, const Pass &pass) {
    Room room = pass.free_soon();
    for (const auto *running : jobs) {
        const RunningJob &job = *running->job;
        room += released(job.allotment, folded_to(job, mpl));
    }
    return room;
}

// A part of the machine, or of what is idle if that is more. The less, the more jobs wait.
int share_of_short_job(const Pass &pass, const WaitingJob &job) {
    const auto open = std::count_if(pass.queue.begin(), pass.queue.end(),
                                    [](const auto *waiting) { return size_is_open(*waiting); });
    const int sharers = std::max(1, static_cast<int>(open)); // none: it goes on as it was
    const int machine = cores_of(usable(job, pass.nodes, room_of_all(pass)));
    const int idle = cores_of(usable(job, pass.nodes, pass.free));
    return std::max(machine / std::max(sharers, parts_of_machine), idle / sharers);
}

// A long job has all that it accepts. A short one takes no more than its share, nor than could ever
// be folded for it.
int processes_of_first(const Pass &pass, const Room &reachable, int start_mpl) {
    const WaitingJob &first = pass.head();
    if (!is_short(first))
        return first.sizes.largest();
    const int share = share_of_short_job(pass, first) / parts_of(first);
    const int most =
        most_processes(first, pass.nodes, usable(first, pass.nodes, reachable), start_mpl);
    return largest_size(first, std::min(most_processes(first, share), most));
}

// Folded as little as there is room for.
std::optional<Placement> placed(const Pass &pass, const Room &room, int processes, int max_mpl) {
    const WaitingJob &first = pass.head();
    const Usable own = usable(first, pass.nodes, room);
    for (int mpl = 1; mpl <= max_mpl; mpl++)
        if (auto placement = place(first, processes, mpl, pass.nodes, own))
            return placement;
    return std::nullopt;
}

bool holds_any(const Running *running, const std::vector<NodeIndex> &nodes) {
    const CoreCounts &allotment = running->job->allotment;
    return std::any_of(allotment.begin(), allotment.end(), [&](const NodeCores &part) {
        return std::binary_search(nodes.begin(), nodes.end(), part.node);
    });
}

class Adaptive final : public SizingPolicy {
  public:
    Verdict consider_first(Pass &pass) const override {
        const WaitingJob &first = pass.head();
        if (first.whole_nodes)
            return place_rigidly(pass, first);
        const int max_mpl = pass.settings.max_mpl;
        const int deepest = is_short(first) ? max_mpl : std::min(deepest_long_start, max_mpl);
        const int start_mpl = std::min(deepest, first.max_mpl);
        const auto others = foldable_jobs(pass);
        const int processes = processes_of_first(pass, room_at(max_mpl, others, pass), start_mpl);
        if (auto placement = placed(pass, pass.free, processes, start_mpl))
            return *std::move(placement);
        Delay delay{reasons::cores(least_cores(first, processes, start_mpl)), 0, start_mpl, false,
                    processes};
        if (placed(pass, pass.free_soon(), processes, start_mpl) || fold(pass, others, delay)) {
            delay.why = reasons::being_freed;
            delay.cores_coming = true;
        }
        return delay;
    }

    int processes(const Pass &pass, const WaitingJob &job) const override {
        if (!is_short(job) || job.sizes.smallest() == job.sizes.largest())
            return job.sizes.largest();
        const int share = share_of_short_job(pass, job) / parts_of(job);
        return largest_size(job, most_processes(job, share));
    }

    Growth growth() const override { return Growth::beside_the_head; }

  private:
    // Those on nodes where the first job fits once they are, no deeper than it takes.
    static bool fold(Pass &pass, const std::vector<Running *> &jobs, const Delay &delay) {
        for (int mpl = 2; mpl <= pass.settings.max_mpl; mpl++) {
            const auto goal = placed(pass, room_at(mpl, jobs, pass), delay.processes, delay.mpl);
            if (!goal)
                continue;
            const auto nodes = nodes_of(goal->allotment);
            std::vector<Running *> near;
            std::copy_if(
                jobs.begin(), jobs.end(), std::back_inserter(near),
                [&](const auto *running) { return holds_any(running, nodes); });
            return fold_evenly(pass, near, mpl, [&](const Room &room) {
                return placed(pass, room, delay.processes, delay.mpl).has_value();
            });
        }
        return false;
    }
};

} // namespace

std::unique_ptr<SizingPolicy> make_adaptive() {
    return std::make_unique<Adaptive>();
}

} // namespace vmall::policy
