// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sentences, from what is now to what was before.
#include "tools/vmctl/why.hpp"

#include "tools/vmctl/history_table.hpp"
#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/words.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace vmall::vmctl {

namespace {

using control::Event;
using control::HistoryRow;
using control::JobRow;
using control::WaitingRow;
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

void tell_who_is_spared(Sentences &sentences, const std::vector<JobRow> &jobs) {
    for (const JobRow &job : jobs)
        if (job.folds_again_at)
            sentences.push_back(why_not_now(job, "Job " + std::to_string(job.job_id)));
}

Sentences about_waiting(const WaitingRow &job, const Known &known) {
    const bool says_waits = job.reason.rfind("waits", 0) == 0;
    Sentences sentences = {introduced(job) + (says_waits ? " " : " waits, because it ") +
                           printable(job.reason) + "."};
    sentences.push_back(job.position == 0 ? "It is the first virtually malleable job of the queue."
                                          : count_of(job.position, "virtually malleable job") +
                                                (job.position == 1 ? " is" : " are") +
                                                " before it in the queue.");
    if (job.reason.find("refused") != std::string::npos)
        sentences.push_back("scontrol show job " + std::to_string(job.job_id) +
                            " shows why Slurm does not start it.");
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
        [](std::uint32_t sum, const control::NodeCores &node) { return sum + node.cores; });
    const std::string full = count_of(job.full_cores, "core");
    if (job.mpl == 1)
        return "all of its " + full;
    return std::to_string(cores) + " of its " + full + ", folded: up to " +
           std::to_string(job.mpl) + " processes take turns (MPL " + std::to_string(job.mpl) + ")";
}

std::string why_not_folded(const JobRow &job) {
    if (job.ranks && job.ranks->tasks > 0 && job.ranks->attached == 0)
        return "It has not been folded: libvmrt serves none of its processes, which then stay as "
               "they are unless vmall.conf says FoldUnserved=yes.";
    return "It has not been folded in this run: nobody needed its cores, or its settings, its time "
           "limit or its nodes did not allow it (slurmctld's log, vmctl config).";
}

Sentences about_running(const JobRow &job, const Known &known) {
    Sentences sentences = {introduced(job) + " runs with " + std::to_string(job.processes) +
                           (job.processes == 1 ? " process" : " processes") + " on " +
                           cores_of(job) + "."};
    if (job.resize_pending)
        sentences.push_back("A resize of it is under way, which not all of its nodes have "
                            "confirmed.");
    if (job.folds_again_at)
        sentences.push_back(why_not_now(job, "It"));
    tell_who_made_room(sentences, job.job_id, known.history, false);
    tell_run(sentences, last_run(job.job_id, known.history));
    if (job.mpl > 1)
        sentences.push_back("It gets cores back when some are free that no other job has more "
                            "right to.");
    else if (job.folds == 0)
        sentences.push_back(why_not_folded(job));
    return sentences;
}

Sentences about_ended(const HistoryRow &last, const Known &known) {
    Sentences sentences = {introduced(last) + " neither runs nor waits for cores now."};
    tell_who_made_room(sentences, last.job_id, known.history, false);
    tell_run(sentences, last_run(last.job_id, known.history));
    return sentences;
}

} // namespace

std::vector<std::string> explain(std::uint32_t job, const Known &known) {
    if (const JobRow *running = find(known.jobs, job))
        return about_running(*running, known);
    if (const WaitingRow *waiting = find(known.queue, job))
        return about_waiting(*waiting, known);
    const auto run = last_run(job, known.history);
    return run.empty() ? Sentences{} : about_ended(run.back(), known);
}

std::string not_known(std::uint32_t job) {
    const std::string id = std::to_string(job);
    return "nothing is known of job " + id +
           ": it is not virtually malleable, waits for something else than cores, ended before the "
           "history begins, or is not yours to see. Try squeue -j " +
           id + " or scontrol show job " + id;
}

std::string encode_why(std::uint32_t job, const std::vector<std::string> &sentences) {
    return nlohmann::ordered_json{{"job_id", job}, {"why", sentences}}.dump() + "\n";
}

} // namespace vmall::vmctl
