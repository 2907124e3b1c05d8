// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sentences, from what is now to what was before.
#include "tools/vmctl/why.hpp"

#include "tools/vmctl/history_table.hpp"
#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/why_dealt.hpp"
#include "tools/vmctl/words.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

namespace vmall::vmctl {

namespace {

using wire::Event;
using wire::HistoryRow;
using wire::JobRow;
using wire::LeftOutRow;
using wire::WaitingRow;
using Sentences = std::vector<std::string>;

// Of the latest that are told.
constexpr std::size_t most_resizes = 6;

template <typename Row>
const Row *find(const std::vector<Row> &rows, std::uint32_t job) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Row &row) { return row.job_id == job; });
    return found == rows.end() ? nullptr : &*found;
}

template <typename Row>
std::string introduced(const Row &job) {
    return "Job " + std::to_string(job.job_id) + " (" + short_name(job.name) + ") of " +
           user_name(job.user_id);
}

bool is_resize(const HistoryRow &row) {
    return row.event == Event::folded || row.event == Event::unfolded;
}

// The rows of its last run, the oldest first.
std::vector<HistoryRow> last_run(std::uint32_t job, const std::vector<HistoryRow> &history) {
    std::vector<HistoryRow> run;
    for (const HistoryRow &row : history) {
        if (row.job_id != job)
            continue;
        if (row.event == Event::started || row.event == Event::seen)
            run.clear();
        run.push_back(row);
    }
    return run;
}

std::string at(const HistoryRow &row) {
    return " at " + local_time(row.time);
}

std::string sentence_of(const HistoryRow &row, const std::string &subject) {
    const std::string reason = reason_of(row).empty() ? "" : " " + reason_of(row);
    const std::string from_to = " from " + std::to_string(row.cores_before) + " to " +
                                count_of(row.cores_after, "core") + at(row);
    switch (row.event) {
    case Event::started:
        return subject + " was started on " + count_of(row.cores_after, "core") + at(row) + reason +
               ".";
    case Event::seen:
        return subject + " ran already when the history began" + at(row) + ".";
    case Event::folded:
        return subject + " was folded" + from_to + reason + ".";
    case Event::unfolded:
        return subject + " was unfolded" + from_to + reason + ".";
    case Event::requeued:
        return subject + " was put back into the queue" + at(row) + reason + ".";
    case Event::ended:
        break;
    }
    return subject + " ended" + at(row) + ".";
}

void tell_run(Sentences &sentences, const std::vector<HistoryRow> &run) {
    std::size_t resizes =
        static_cast<std::size_t>(std::count_if(run.begin(), run.end(), is_resize));
    if (resizes > most_resizes)
        sentences.push_back("Of its " + std::to_string(resizes) + " resizes these are the latest:");
    for (const HistoryRow &row : run) {
        if (is_resize(row) && resizes-- > most_resizes)
            continue;
        sentences.push_back(sentence_of(row, "It"));
        if (row.balance)
            sentences.push_back("It " + told(*row.balance) + ".");
    }
}

// Since it ran last, if it did.
void tell_who_made_room(Sentences &sentences, std::uint32_t job,
                        const std::vector<HistoryRow> &history, bool waits) {
    Sentences told;
    for (const HistoryRow &row : history) {
        if (row.job_id == job && row.event == Event::started && waits)
            told.clear();
        if (row.for_job != job)
            continue;
        HistoryRow for_it = row;
        for_it.for_job.reset();
        for_it.cause.reset();
        std::string sentence = sentence_of(for_it, "Job " + std::to_string(row.job_id));
        sentence.back() = ' ';
        told.push_back(sentence + "to make room for it.");
    }
    const std::size_t left_out = told.size() - std::min(told.size(), most_resizes);
    sentences.insert(sentences.end(), told.begin() + static_cast<std::ptrdiff_t>(left_out),
                     told.end());
}

std::string why_not_now(const JobRow &job, const std::string &subject) {
    return subject + " is not folded any deeper until " + local_time(*job.folds_again_at) +
           ": resizes have cost it as much as MaxResizeLoss allows.";
}

// What follows "It is folded no deeper: ".
const char *in_words(common::Restraint restraint) {
    using common::Restraint;
    switch (restraint) {
    case Restraint::unstarted:
        return "it is of an srun alone, whose step has not started yet";
    case Restraint::unregistered:
        return "its steps do not register with the agents of its nodes, as slurmctld's log says";
    case Restraint::gres:
        return "it has GRES, and vmall.conf does not say FoldGres=yes";
    case Restraint::unsurveyed:
        return "it takes part by TakePart, and whether libvmrt serves its processes is not known "
               "yet (SurveyInterval)";
    case Restraint::unserved:
        return "it takes part by TakePart, and libvmrt does not serve all of its processes "
               "(ATTACHED of vmctl jobs)";
    case Restraint::cost:
        return "resizes have cost it as much as MaxResizeLoss allows";
    case Restraint::folds:
        return "it has been folded as often as MaxFoldsPerJob allows";
    case Restraint::hand_overs:
        return "it sends so many messages that with a hand-over for each it would take more than "
               "twice its core-seconds (vmctl doctor says what one takes)";
    case Restraint::site:
        return "MaxMplPerJob allows no more of this job";
    case Restraint::level:
        return "MaxMpl allows no more";
    case Restraint::nodes:
        return "it is on several nodes, where QueueDiscipline allows no more";
    case Restraint::dear:
        return "jobs have shown that folding costs more than it brings on several nodes "
               "(folding_cost_percent of vmctl stats)";
    case Restraint::memory:
        return "it is on several nodes, and most jobs would find too little memory beside it "
               "on the cores that it would give back";
    case Restraint::time:
        return "its work would end after its limit, a deadline or a reservation's begin "
               "(LimitExtension, HardLimits)";
    case Restraint::record:
        return "slurmdbd is not ready to record it";
    case Restraint::node:
        return "a node did not answer or refused, and is asked again (slurmctld's log)";
    }
    return "";
}

// Of one job, or of several by what keeps them.
void tell_who_is_spared(Sentences &sentences, const std::vector<JobRow> &jobs) {
    std::map<common::Restraint, std::vector<const JobRow *>> spared;
    for (const JobRow &job : jobs)
        if (job.restraint)
            spared[*job.restraint].push_back(&job);
    for (const auto &[restraint, those] : spared) {
        const JobRow &first = *those.front();
        const std::string name = "Job " + std::to_string(first.job_id);
        if (those.size() > 1)
            sentences.push_back(std::to_string(those.size()) +
                                " jobs that run are folded no deeper, " + name +
                                " among them; of each: " + in_words(restraint) + ".");
        else if (first.folds_again_at)
            sentences.push_back(why_not_now(first, name));
        else
            sentences.push_back(name + " is folded no deeper: " + in_words(restraint) + ".");
    }
}

// Where QueueDiscipline has another order than Slurm, a job may wait for one that is behind it.
void tell_who_starts_first(Sentences &sentences, const WaitingRow &job,
                           const std::vector<WaitingRow> &queue) {
    for (const WaitingRow &other : queue) {
        const std::string name = " job " + std::to_string(other.job_id);
        const bool is_named =
            job.reason.size() > name.size() &&
            job.reason.compare(job.reason.size() - name.size(), name.size(), name) == 0;
        if (is_named && other.position > job.position)
            sentences.push_back("By QueueDiscipline" + name + " is to start before it.");
    }
}

// What a fold does not give.
void tell_whose_memory(Sentences &sentences) {
    sentences.push_back(
        "It needs as much as its --mem says, or without that DefMemPerCPU or DefMemPerNode of "
        "slurm.conf, or else all of each node's. A fold frees none, so nobody is folded for it.");
}

Sentences about_waiting(const WaitingRow &job, const Known &known) {
    const bool says_waits = job.reason.rfind("waits", 0) == 0;
    Sentences sentences = {introduced(job) + (says_waits ? " " : " waits, because it ") +
                           printable(job.reason) + "."};
    sentences.push_back("In Slurm's order of the queue " +
                        (job.position == 0
                             ? "it is the first virtually malleable job"
                             : count_of(job.position, "virtually malleable job") +
                                   (job.position == 1 ? " is" : " are") + " before it") +
                        ".");
    tell_who_starts_first(sentences, job, known.queue);
    if (job.expected_start)
        sentences.push_back("It would start by " + local_time(*job.expected_start) +
                            " if nobody were folded for it, nobody else came, and all jobs took as "
                            "long as they say.");
    if (job.reason.find("refused") != std::string::npos)
        sentences.push_back("scontrol show job " + std::to_string(job.job_id) +
                            " shows why Slurm does not start it.");
    if (job.reason == "waits for memory")
        tell_whose_memory(sentences);
    else
        tell_who_is_spared(sentences, known.jobs);
    tell_who_made_room(sentences, job.job_id, known.history, true);
    const auto run = last_run(job.job_id, known.history);
    if (!run.empty()) {
        sentences.push_back("It has run before.");
        tell_run(sentences, run);
    }
    return sentences;
}

std::string cores_of(const JobRow &job) {
    const std::uint32_t cores = std::accumulate(
        job.nodes.begin(), job.nodes.end(), std::uint32_t{0},
        [](std::uint32_t sum, const wire::NodeCores &node) { return sum + node.cores; });
    const std::string full = count_of(job.full_cores, "core");
    if (job.mpl == 1)
        return "all of its " + full;
    return std::to_string(cores) + " of its " + full + ", folded: up to " +
           std::to_string(job.mpl) + " processes take turns (MPL " + std::to_string(job.mpl) + ")";
}

void tell_restraint(Sentences &sentences, const JobRow &job) {
    if (job.folds_again_at)
        sentences.push_back(why_not_now(job, "It"));
    else if (job.restraint)
        sentences.push_back((job.mpl > 1 ? "It is folded no deeper: " : "It is not folded: ") +
                            std::string(in_words(*job.restraint)) + ".");
    else if (job.folds.value_or(0) == 0 && job.mpl == 1)
        sentences.push_back("It has not been folded: nobody else was to have its cores.");
}

void tell_if_unserved(Sentences &sentences, const JobRow &job) {
    if (job.ranks && job.ranks->tasks > 0 && job.ranks->attached == 0)
        sentences.push_back(
            "When its nodes were last asked, libvmrt served none of its processes (ATTACHED of "
            "vmctl jobs): as long as that is so, those that wait in MPI poll while it is folded.");
}

Sentences about_running(const JobRow &job, const Known &known) {
    Sentences sentences = {introduced(job) + " runs with " + std::to_string(job.processes) +
                           (job.processes == 1 ? " process" : " processes") + " on " +
                           cores_of(job) + "."};
    if (const Sentences deals = explain_deals(job); !deals.empty()) {
        sentences.insert(sentences.end(), deals.begin(), deals.end());
        return sentences;
    }
    if (job.resize_pending)
        sentences.push_back("A resize of it is under way, which not all of its nodes have "
                            "confirmed.");
    tell_who_made_room(sentences, job.job_id, known.history, false);
    tell_run(sentences, last_run(job.job_id, known.history));
    if (job.mpl > 1)
        sentences.push_back("It gets cores back when some are free that no other job has more "
                            "right to.");
    tell_restraint(sentences, job);
    tell_if_unserved(sentences, job);
    return sentences;
}

Sentences about_ended(const HistoryRow &last, const Known &known) {
    Sentences sentences = {introduced(last) + " neither runs nor waits for cores now."};
    tell_who_made_room(sentences, last.job_id, known.history, false);
    tell_run(sentences, last_run(last.job_id, known.history));
    return sentences;
}

// Of what takes no part there is only whom it had room made by.
Sentences about_another(std::uint32_t job, const std::vector<HistoryRow> &history) {
    Sentences sentences;
    tell_who_made_room(sentences, job, history, false);
    if (!sentences.empty())
        sentences.insert(sentences.begin(),
                         "Job " + std::to_string(job) +
                             " takes no part, and is scheduled like all others.");
    return sentences;
}

} // namespace

std::vector<std::string> explain(std::uint32_t job, const Known &known) {
    if (const JobRow *running = find(known.jobs, job))
        return about_running(*running, known);
    if (const WaitingRow *waiting = find(known.queue, job))
        return about_waiting(*waiting, known);
    if (const LeftOutRow *left_out = find(known.left_out, job))
        return {"Job " + std::to_string(job) + " " + printable(left_out->reason) + "."};
    const auto run = last_run(job, known.history);
    return run.empty() ? about_another(job, known.history) : about_ended(run.back(), known);
}

std::string not_known(std::uint32_t job) {
    const std::string id = std::to_string(job);
    return "nothing is known of job " + id +
           ": it is not virtually malleable, waits for something else than cores, ended before the "
           "history begins, or is not yours to see. Try squeue -j " +
           id + " or scontrol show job " + id;
}

std::string lines_of(const std::vector<std::string> &sentences) {
    return std::accumulate(
        sentences.begin(), sentences.end(), std::string(),
        [](const std::string &text, const std::string &one) { return text + one + "\n"; });
}

std::string encode_why(std::uint32_t job, const std::vector<std::string> &sentences) {
    return nlohmann::ordered_json{{"job_id", job}, {"why", sentences}}.dump() + "\n";
}

} // namespace vmall::vmctl
