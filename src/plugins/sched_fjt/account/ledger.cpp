// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ledger and its saved form: an object of jobs by id.
#include "plugins/sched_fjt/account/ledger.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vmall::sched {

namespace {

int missing_cores(const JobView &job) {
    int missing = job.virtually_malleable ? job.tasks : 0;
    for (const policy::NodeCores &here : job.allotment)
        missing -= here.cores;
    return missing;
}

} // namespace

void GivenUp::change(policy::Seconds now, int missing_cores) {
    before_ = core_seconds(now);
    since_ = now;
    missing_cores_ = std::max(missing_cores, 0);
}

policy::Seconds GivenUp::core_seconds(policy::Seconds now) const {
    return before_ + missing_cores_ * std::max<policy::Seconds>(now - since_, 0);
}

LedgerEntry &Ledger::of(const JobView &job) {
    LedgerEntry &entry = entries_[job.id];
    if (entry.started != job.started) {
        LedgerEntry begun;
        begun.started = job.started;
        begun.given_up.change(job.started, missing_cores(job));
        if (entry.nodes_booting) {
            begun.backfilled = entry.backfilled;
            begun.window_end = entry.window_end;
        }
        entry = std::move(begun);
    }
    entry.nodes_booting = job.nodes_booting;
    return entry;
}

LedgerEntry *Ledger::find(JobNumber job) {
    const auto found = entries_.find(job);
    return found == entries_.end() ? nullptr : &found->second;
}

const LedgerEntry *Ledger::find(JobNumber job) const {
    return const_cast<Ledger *>(this)->find(job);
}

std::map<JobNumber, LedgerEntry> Ledger::keep_only(const std::map<JobNumber, JobView> &active) {
    std::map<JobNumber, LedgerEntry> dropped;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const auto next = std::next(entry);
        if (!active.count(entry->first))
            dropped.insert(entries_.extract(entry));
        entry = next;
    }
    return dropped;
}

std::string Ledger::saved() const {
    nlohmann::json jobs = nlohmann::json::object();
    for (const auto &[id, entry] : entries_) {
        nlohmann::json &job = jobs[std::to_string(id)];
        job = {{"started", entry.started},
               {"backfilled", entry.backfilled},
               {"folds", entry.folds},
               {"unfolds", entry.unfolds},
               {"given_up", entry.given_up.before_},
               {"given_up_since", entry.given_up.since_},
               {"missing_cores", entry.given_up.missing_cores_},
               {"cores", entry.holding.cores},
               {"cores_since", entry.holding.since},
               {"core_seconds_before", entry.holding.before}};
        if (entry.nodes_booting)
            job["nodes_booting"] = true;
        if (entry.resized_at)
            job["resized_at"] = *entry.resized_at;
        if (entry.window_end)
            job["window_end"] = *entry.window_end;
    }
    return nlohmann::json{{"version", 1}, {"jobs", jobs}}.dump(1) + "\n";
}

void Ledger::restore(const std::string &json) {
    const nlohmann::json state = nlohmann::json::parse(json);
    if (state.at("version") != 1)
        throw std::runtime_error("unknown version of the state");
    std::map<JobNumber, LedgerEntry> entries;
    for (const auto &[id, job] : state.at("jobs").items()) {
        LedgerEntry &entry = entries[static_cast<JobNumber>(std::stoul(id))];
        entry.started = job.at("started").get<policy::Seconds>();
        entry.nodes_booting = job.value("nodes_booting", false);
        entry.backfilled = job.at("backfilled").get<bool>();
        entry.folds = job.at("folds").get<std::uint64_t>();
        entry.unfolds = job.at("unfolds").get<std::uint64_t>();
        entry.given_up.before_ = job.value("given_up", policy::Seconds{0});
        entry.given_up.since_ = job.value("given_up_since", policy::Seconds{0});
        entry.given_up.missing_cores_ = job.value("missing_cores", 0);
        if (job.contains("resized_at"))
            entry.resized_at = job.at("resized_at").get<policy::Seconds>();
        entry.holding.cores = job.value("cores", std::uint64_t{0});
        entry.holding.since = job.value("cores_since", entry.started);
        entry.holding.before = job.value("core_seconds_before", std::uint64_t{0});
        if (job.contains("window_end"))
            entry.window_end = job.at("window_end").get<policy::Seconds>();
    }
    entries_ = std::move(entries);
}

} // namespace vmall::sched
