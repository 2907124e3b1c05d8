// SPDX-License-Identifier: GPL-2.0-or-later
//
// Happenings become rows, rows lines.
#include "plugins/sched_fjt/account/history.hpp"

#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/standing.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

namespace vmall::sched {

namespace {

using wire::Event;
using wire::HistoryRow;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t highest_bytes(const config::Config &config) {
    return static_cast<std::size_t>(config.history_size) * mebibyte;
}

HistoryRow row_about(const JobView &job, const config::Config &config) {
    HistoryRow row;
    row.job_id = job.id;
    row.user_id = job.user_id;
    row.account = job.account;
    row.name = job.name.substr(0, wire::longest_name_in_history);
    row.job_class = class_of(job, config);
    row.processes = static_cast<std::uint32_t>(std::max(job.tasks, 1));
    row.full_cores = row.processes * static_cast<std::uint32_t>(std::max(job.cores_per_task, 1));
    return row;
}

Happening seen(const View &view, const JobView &job) {
    Happening result = happening(Event::seen, view.now, job, core_count(job.cores), job.cores, {});
    result.purpose.reset();
    return result;
}

HistoryRow lost_sight_of(const HistoryRow &last, policy::Seconds now) {
    HistoryRow row = last;
    row.time = now;
    row.event = Event::ended;
    row.cores_before = row.cores_after;
    row.cores_after = 0;
    row.cause.reset();
    row.for_job.reset();
    return row;
}

} // namespace

History::History(std::string path, const config::Config &config)
    : path_(std::move(path)), file_(path_) {
    if (config.history_size == 0)
        return;
    std::size_t unreadable = 0;
    try {
        for (std::string &line : file_.read())
            try {
                const HistoryRow row = wire::decode_row(line);
                note(row);
                events_.add(row, std::move(line));
            } catch (const wire::MessageError &) {
                ++unreadable;
            }
    } catch (const std::exception &error) {
        log_error(std::string(error.what()) + "; the history begins anew");
    }
    if (unreadable > 0)
        log_info("left out " + std::to_string(unreadable) + " lines of " + path_ +
                 " that are no events");
    events_.keep_within(highest_bytes(config));
}

void History::keep(const std::vector<Happening> &happenings, const View &view,
                   const config::Config &config) {
    std::vector<std::string> lines;
    for (const HistoryRow &row : rows_of(happenings, view, config)) {
        if (config.history_size == 0)
            continue;
        lines.push_back(wire::encode_row(row));
        events_.add(row, lines.back());
    }
    events_.keep_within(highest_bytes(config));
    if (!lines.empty())
        write(lines, highest_bytes(config));
}

History::Rows History::rows_of(const std::vector<Happening> &happenings, const View &view,
                               const config::Config &config) {
    Rows rows;
    const auto tell = [&](const std::optional<HistoryRow> &row) {
        if (!row)
            return;
        note(*row);
        rows.push_back(*row);
    };
    std::set<JobNumber> told;
    for (const Happening &happening : happenings) {
        told.insert(happening.job.id);
        tell(happening.event == Event::ended ? end_of(happening) : row_of(happening, config));
    }
    for (const auto &[id, job] : view.active)
        if (job.virtually_malleable && job.state == JobState::running && !open_.count(id) &&
            !told.count(id))
            tell(row_of(seen(view, job), config));
    Rows lost;
    for (const auto &[id, last] : open_)
        if (!view.active.count(id) && !told.count(id))
            lost.push_back(lost_sight_of(last, view.now));
    std::for_each(lost.begin(), lost.end(), tell);
    return rows;
}

std::optional<HistoryRow> History::row_of(const Happening &happening,
                                          const config::Config &config) const {
    if (!happening.job.virtually_malleable)
        return std::nullopt;
    HistoryRow row = row_about(happening.job, config);
    row.time = happening.time;
    row.event = happening.event;
    row.cores_before = static_cast<std::uint32_t>(happening.cores_before);
    row.cores_after = static_cast<std::uint32_t>(happening.cores_after);
    row.mpl = static_cast<std::uint32_t>(happening.mpl);
    if (happening.purpose) {
        row.cause = happening.purpose->cause;
        row.for_job = happening.purpose->for_job;
    }
    // By a time limit that folding has extended it might be another one by now.
    if (const auto known = open_.find(row.job_id);
        known != open_.end() && row.event != Event::started)
        row.job_class = known->second.job_class;
    return row;
}

std::optional<HistoryRow> History::end_of(const Happening &happening) const {
    const auto known = open_.find(happening.job.id);
    if (known == open_.end())
        return std::nullopt;
    HistoryRow row = lost_sight_of(known->second, happening.time);
    row.balance = happening.balance;
    const std::uint64_t unfolded =
        row.full_cores * static_cast<std::uint64_t>(std::max<policy::Seconds>(happening.ran, 0));
    row.balance->core_seconds_lent = unfolded - std::min(unfolded, row.balance->core_seconds);
    return row;
}

void History::note(const HistoryRow &row) {
    if (row.event == Event::ended)
        open_.erase(row.job_id);
    else
        open_[row.job_id] = row;
}

// The disk may be full for long: the log has one line then, and one when it is over.
void History::write(const std::vector<std::string> &lines, std::size_t highest_bytes) {
    std::string problem;
    try {
        file_.add(lines, highest_bytes);
    } catch (const std::exception &error) {
        problem = error.what();
    }
    if (fails_ == !problem.empty())
        return;
    fails_ = !fails_;
    const auto line = complaints_.admit(fails_ ? "cannot write the history: " + problem +
                                                     "; events are left out of the file"
                                               : "the history is written to " + path_ + " again");
    if (line)
        fails_ ? log_error(*line) : log_info(*line);
}

} // namespace vmall::sched
