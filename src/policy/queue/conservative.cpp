// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue discipline conservative: every waiting job has a reserved start (Mu'alem and Feitelson,
// IEEE TPDS 12(6), 2001).
//
// What was reserved by the last decision comes back with the snapshot. It is put into the profile
// first, so that whoever is then moved to an earlier start, in queue order, cannot delay another.
// A reservation that cannot be kept, because a job outlasts its estimate or a node is down, is made
// anew. A job that was refused, and nobody knows until when, holds nobody up.
#include "policy/queue/discipline.hpp"

#include "policy/folding/folding.hpp"
#include "policy/queue/profile.hpp"
#include "policy/reasons.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace vmall::policy {

namespace {

// What is free from now on if only the running jobs hold cores, until they end as expected.
Profile without_queue(const Pass &pass) {
    std::vector<const Running *> by_end;
    for (const auto &running : pass.running)
        by_end.push_back(&running);
    std::sort(by_end.begin(), by_end.end(), [&](const auto *left, const auto *right) {
        return expected_end(pass, *left) < expected_end(pass, *right);
    });
    Profile profile(pass.now, pass.free);
    for (const auto *running : by_end) {
        const CoreCounts &held = allotment_to_come(*running);
        if (running->target)
            profile.give(released(running->job->allotment, held), {}, pass.now + 1);
        if (expected_end(pass, *running) != never)
            profile.give(held, memory_of(*running->job), expected_end(pass, *running));
    }
    return profile;
}

class Planning {
  public:
    explicit Planning(Pass &pass) : pass_(pass), profile_(without_queue(pass)) {}

    void run() {
        std::vector<std::optional<Promise>> promises;
        for (const auto *job : pass_.queue)
            promises.push_back(kept_promise(*job));
        std::size_t position = 0;
        for (auto &promise : promises)
            if (!start_or_plan(position, std::move(promise)))
                position++;
    }

  private:
    // Empty: nobody knows. That it was refused now is no reason to refuse it again later.
    std::optional<Seconds> earliest_start(const WaitingJob &job) const {
        if (!job.refused)
            return pass_.now;
        if (!job.earliest_start)
            return std::nullopt;
        return std::max(*job.earliest_start, pass_.now + 1);
    }

    // As it stands in the profile then.
    std::optional<Promise> kept_promise(const WaitingJob &job) {
        const auto earliest = earliest_start(job);
        if (!job.promise || !earliest)
            return std::nullopt;
        Promise promise = *job.promise;
        promise.start = std::max(promise.start, *earliest);
        const Seconds end = later(promise.start, job.estimate);
        const MemoryCounts memory = memory_of(job, promise.unfolded);
        if (!profile_.has(promise.allotment, memory, promise.start, end))
            return std::nullopt;
        profile_.take(promise.allotment, memory, promise.start, end);
        return promise;
    }

    // The earliest start, and the largest size that has it.
    std::optional<Profile::Slot> best_slot(const WaitingJob &job, Seconds earliest) const {
        std::optional<Profile::Slot> best;
        for (auto size = std::optional(job.sizes.largest()); size;
             size = job.sizes.largest_up_to(*size - 1)) {
            auto slot = profile_.first_slot(job, *size, pass_.nodes, earliest);
            if (slot && (!best || slot->begin < best->begin))
                best = std::move(slot);
        }
        return best;
    }

    // Answers whether the job at this position of the queue was started.
    bool start_or_plan(std::size_t position, std::optional<Promise> promise) {
        const WaitingJob &job = *pass_.queue[position];
        const auto earliest = earliest_start(job);
        if (!earliest) {
            pass_.wait(job, reasons::refused).promise = job.promise;
            return false;
        }
        if (promise) {
            profile_.give_back(promise->allotment, memory_of(job, promise->unfolded),
                               promise->start, later(promise->start, job.estimate));
        }
        const auto slot = best_slot(job, *earliest);
        if (!slot) {
            pass_.wait(job, reasons::cores(job));
            return false;
        }
        const auto &[begin, placement] = *slot;
        profile_.take(placement.allotment, memory_of(job, placement.unfolded), begin,
                      later(begin, job.estimate));
        if (begin > pass_.now) {
            pass_.wait(job, why_later(job)).promise =
                Promise{begin, placement.processes, placement.allotment, placement.unfolded};
            return false;
        }
        if (position == 0)
            pass_.start(position, placement, nodes_of(placement.allotment));
        else
            pass_.backfill(position, placement, std::nullopt, nodes_of(placement.allotment));
        return true;
    }

    Reason why_later(const WaitingJob &job) const {
        if (job.refused)
            return reasons::refused;
        const Usable own = usable(job, pass_.nodes, pass_.free);
        return policy::place(job, job.sizes.smallest(), 1, pass_.nodes, own) ? reasons::reserved
                                                                             : reasons::cores(job);
    }

    Pass &pass_;
    Profile profile_;
};

class Conservative final : public Discipline {
  public:
    void run(Pass &pass, const SizingPolicy &, const ExpiryPolicy &) const override {
        Planning(pass).run();
    }
    bool reserves_for_all() const override { return true; }
};

} // namespace

std::unique_ptr<Discipline> make_conservative() {
    return std::make_unique<Conservative>();
}

} // namespace vmall::policy
