// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt knows of running jobs beyond what Slurm knows: who was backfilled until when, and
// how far each resize has come (doc/protocol.md).
#pragma once

#include "common/job_note.hpp"
#include "plugins/sched_fjt/account/happening.hpp"
#include "plugins/sched_fjt/account/holding.hpp"
#include "plugins/sched_fjt/account/job_target.hpp"
#include "plugins/sched_fjt/account/work_limit.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/cost/learned_cost.hpp"
#include "policy/cost/resize_loss.hpp"
#include "policy/model.hpp"
#include "policy/overruns.hpp"
#include "wire/messages.hpp"
#include "wire/useful_share.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vmall::sched {

using wire::Held;
using wire::UsefulShare;

// Of a step that has a limit of its own.
struct StepEntry {
    WorkLimit limit;
    Milliseconds lost_before = 0; // by the job, until the step began
};

// Its nodes have been asked for a report, with the target that they have.
struct Survey {
    wire::Generation generation = 0;
    Held held; // then
};

struct LedgerEntry {
    // With the job id, names one run of the job: a requeued job starts anew.
    policy::Seconds started = 0;
    bool nodes_booting = false; // then Slurm is going to set the start of this run anew
    bool backfilled = false;
    std::optional<policy::Seconds> window_end;
    std::uint64_t folds = 0;
    std::uint64_t unfolds = 0;
    std::optional<policy::Seconds> resized_at; // the last time
    LostTime lost;
    policy::ResizeLoss resize_loss; // beside that
    WorkLimit limit;
    std::map<StepId, StepEntry> steps; // those that have a limit of their own
    Holding holding;                   // of a virtually malleable job
    UsefulShare useful;
    // Its steps never register: it is not folded any more, and counts as none once it has its cores
    // back.
    bool left_alone = false;

    // Not saved: after a restart every job is told its target again.
    JobTarget target;
    policy::Seconds suspended = 0;         // of the time since it started, when it was seen last
    policy::Seconds ended = 0;             // the run, if it has been seen completing
    std::string left_alone_because;        // in words; empty: that was before the restart
    std::optional<wire::RankReport> ranks; // of all nodes, when they last reported
    std::optional<Survey> survey;          // under way
    policy::Seconds survey_at = 0;         // View::steady of the next one
    std::optional<bool> served;            // libvmrt serves all its ranks; none: not surveyed
    std::optional<common::Note> noted;     // in AdminComment
    bool limit_untold = false;             // slurmdbd may still have the limit of before
    // View::steady since which its nodes have refused all targets for such a step.
    std::optional<policy::Seconds> unattached_since;

    bool counts_as_none() const { return left_alone && lost.mpl() == 1; }
};

class Ledger {
  public:
    explicit Ledger(policy::Seconds controller_started)
        : next_generation_(of_second(static_cast<std::uint64_t>(controller_started))) {}

    // Higher than any before, those before a restart of the controller included.
    wire::Generation next_generation() { return ++next_generation_; }
    // A node knows this one (clocks can go back): the next ones are higher. One that is of no clock
    // is damaged; the counter would end with it.
    void outbid(wire::Generation known) {
        if (known > next_generation_ && known - next_generation_ < of_second(hundred_years))
            next_generation_ = known;
    }

    // The entry of an active job, new if this run of it has none.
    LedgerEntry &of(const JobView &job);
    LedgerEntry *find(JobNumber job);
    const LedgerEntry *find(JobNumber job) const;
    // Drops the entries of other jobs, and returns them.
    std::map<JobNumber, LedgerEntry> keep_only(const std::map<JobNumber, JobView> &active);

    // What the ranks of a job reported, all of them, at View::steady.
    void note_ranks(JobNumber job, const wire::RankReport &ranks, policy::Seconds at,
                    const Held &held);

    // What a node has measured; 0: nothing yet.
    void note_hand_over(const std::string &node, std::uint32_t ns);
    const std::map<std::string, std::uint32_t> &hand_overs_ns() const { return hand_overs_ns_; }

    // Of the programs here, by the jobs that were folded.
    int folding_cost() const { return folding_cost_.percent(); }

    // Of running virtually malleable jobs: how far each ran past what was said of it, which may be
    // less than its time limit, and what folding costs those that are folded.
    void learn(const View &view);
    // By its estimate, and how far others of its user ran past theirs.
    policy::Seconds likely_work(const JobView &job, policy::Seconds now) const;

    // Runs that count as none are not virtually malleable in this view.
    void mark(View &view) const;

    bool anybody_is_folded() const;

    // Jobs whose run has ended with another limit than the one asked for: until they have that
    // back, or have ended.
    std::map<JobNumber, WorkLimit> &extended() { return extended_; }

    // For the history, in the order in which it happened.
    void tell(Happening happening) { happenings_.push_back(std::move(happening)); }
    std::vector<Happening> take_happenings() { return std::exchange(happenings_, {}); }

    // The saved part, as JSON. restore() throws std::exception if it is not what saved() wrote.
    std::string saved() const;
    void restore(const std::string &json);

  private:
    static wire::Generation of_second(std::uint64_t second) { return second << 20; }
    static constexpr std::uint64_t hundred_years = 100ULL * 365 * 24 * 3600;

    void note_extension(JobNumber job, const WorkLimit &limit);

    wire::Generation next_generation_;
    std::map<JobNumber, LedgerEntry> entries_;
    std::map<JobNumber, WorkLimit> extended_;
    policy::LearnedCost folding_cost_;
    policy::Overruns overruns_;
    std::map<std::string, std::uint32_t> hand_overs_ns_; // by node; not saved: nodes tell it again
    std::vector<Happening> happenings_;
};

} // namespace vmall::sched
