// SPDX-License-Identifier: GPL-2.0-or-later
//
// Outcomes as comma-separated values.
#include "sim/report/csv.hpp"

#include "sim/report/measures.hpp"
#include "sim/trace/text.hpp"

#include <cmath>
#include <map>
#include <string>

namespace vmall::sim {

std::string csv_field(const std::string &text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        quoted += c == '"' ? "\"" : "";
    }
    return quoted + '"';
}

std::string csv_number(double value) {
    return shortest_text(std::round(value * 1e6) / 1e6);
}

namespace {

const char *word(bool yes) {
    return yes ? "yes" : "no";
}

const char *word(End end) {
    switch (end) {
    case End::completed:
        return "completed";
    case End::killed:
        return "killed";
    case End::never_started:
        break;
    }
    return "never_started";
}

void write_job(std::ostream &out, const JobOutcome &outcome, bool selected,
               Milliseconds slowdown_bound) {
    const Job &job = *outcome.job;
    out << job.id << ',' << csv_field(job.user) << ',' << csv_field(job.application) << ','
        << name_of(job.job_class) << ',' << seconds_text(job.submit) << ',';
    if (outcome.end == End::never_started) {
        out << ",," << word(outcome.end) << ",,,,,,,," << outcome.starts << ','
            << word(outcome.backfilled);
    } else {
        const Measures it = measure(outcome, slowdown_bound);
        out << seconds_text(outcome.started) << ',' << seconds_text(outcome.ended) << ','
            << word(outcome.end) << ',' << csv_number(it.wait) << ',' << csv_number(it.response)
            << ',' << csv_number(it.run_time) << ',' << csv_number(it.slowdown) << ','
            << csv_number(it.bounded_slowdown) << ',' << outcome.processes << ','
            << csv_number(it.average_allotment) << ',' << outcome.starts << ','
            << word(outcome.backfilled);
    }
    out << ',' << outcome.folds << ',' << outcome.unfolds << ',' << outcome.expiries << ','
        << seconds_text(outcome.core_milliseconds) << ',' << seconds_text(outcome.wasted) << ','
        << word(selected) << '\n';
}

struct Usage {
    std::int64_t cores = 0;
    std::int64_t running = 0;
    std::int64_t waiting = 0;
};

// What one job changes, by time.
void add_changes(const JobOutcome &job, std::map<Milliseconds, Usage> &changes) {
    changes[job.job->submit].waiting++;
    int cores = 0;
    const auto hold = [&](Milliseconds time, int now) {
        Usage &change = changes[time];
        change.cores += now - cores;
        change.running += (now > 0) - (cores > 0);
        cores = now;
    };
    for (const auto &allotment : job.allotments) {
        changes[allotment.begin].waiting -= (allotment.cores > 0) - (cores > 0);
        hold(allotment.begin, allotment.cores);
    }
    hold(job.ended, 0);
}

} // namespace

void write_jobs(std::ostream &out, const Outcome &outcome, const std::vector<bool> &selected,
                Milliseconds slowdown_bound) {
    out << "job,user,application,class,submit,start,end,state,wait,response,run_time,slowdown,"
           "bounded_slowdown,processes,average_allotment,starts,backfilled,folds,unfolds,expiries,"
           "core_seconds,wasted_core_seconds,selected\n";
    for (std::size_t i = 0; i < outcome.jobs.size(); i++)
        write_job(out, outcome.jobs[i], selected[i], slowdown_bound);
}

void write_allotments(std::ostream &out, const Outcome &outcome) {
    out << "job,begin,end,cores,mpl\n";
    for (const auto &job : outcome.jobs) {
        for (std::size_t i = 0; i < job.allotments.size(); i++) {
            const auto &it = job.allotments[i];
            const bool last = i + 1 == job.allotments.size();
            const Milliseconds end = last ? job.ended : job.allotments[i + 1].begin;
            if (it.cores > 0 && end > it.begin) {
                out << job.job->id << ',' << seconds_text(it.begin) << ',' << seconds_text(end)
                    << ',' << it.cores << ',' << it.mpl << '\n';
            }
        }
    }
}

void write_usage(std::ostream &out, const Outcome &outcome) {
    std::map<Milliseconds, Usage> changes;
    for (const auto &job : outcome.jobs)
        if (job.end != End::never_started)
            add_changes(job, changes);
    out << "time,cores_used,jobs_running,jobs_waiting\n";
    Usage now;
    for (const auto &[time, change] : changes) {
        now.cores += change.cores;
        now.running += change.running;
        now.waiting += change.waiting;
        if (change.cores != 0 || change.running != 0 || change.waiting != 0) {
            out << seconds_text(time) << ',' << now.cores << ',' << now.running << ','
                << now.waiting << '\n';
        }
    }
}

} // namespace vmall::sim
