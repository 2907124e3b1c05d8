// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ledger's saved form: an object of jobs by id. A key that is not there was not known to the
// release that wrote it.
#include "plugins/sched_fjt/account/ledger.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

namespace vmall::sched {

struct SavedForm {
    using Json = nlohmann::json;

    static Json of(const LostTime &lost) {
        return {{"milliseconds", lost.before_}, {"since", lost.since_}, {"mpl", lost.mpl_}};
    }
    static LostTime lost_time(const Json &json) {
        return LostTime(json.at("milliseconds").get<Milliseconds>(),
                        json.at("since").get<policy::Seconds>(), json.at("mpl").get<int>());
    }

    static Json of(const WorkLimit &limit) {
        return {{"asked", limit.asked_},
                {"granted", limit.granted_},
                {"mpl", limit.mpl_},
                {"work_milliseconds", limit.work_}};
    }
    static WorkLimit work_limit(const Json &json) {
        WorkLimit limit;
        limit.asked_ = json.at("asked").get<Minutes>();
        limit.granted_ = json.at("granted").get<Minutes>();
        limit.mpl_ = json.at("mpl").get<int>();
        limit.work_ = json.at("work_milliseconds").get<Milliseconds>();
        limit.restored_ = true;
        return limit;
    }

    static Json of(const LedgerEntry &entry);
    static LedgerEntry entry(const Json &json);
};

namespace {

std::uint32_t number_of(const std::string &key) {
    return static_cast<std::uint32_t>(std::stoul(key));
}

// Before time limits counted work.
CoresGivenUp cores_given_up(const nlohmann::json &job) {
    return {job.value("given_up", policy::Seconds{0}),
            job.value("given_up_since", policy::Seconds{0}), job.value("missing_cores", 0)};
}

} // namespace

nlohmann::json SavedForm::of(const LedgerEntry &entry) {
    Json job = {{"started", entry.started},
                {"backfilled", entry.backfilled},
                {"folds", entry.folds},
                {"unfolds", entry.unfolds},
                {"cores", entry.holding.cores},
                {"cores_since", entry.holding.since},
                {"core_seconds_before", entry.holding.before}};
    if (entry.given_up) {
        job["given_up"] = entry.given_up->before;
        job["given_up_since"] = entry.given_up->since;
        job["missing_cores"] = entry.given_up->cores;
    } else {
        job["lost"] = of(entry.lost);
    }
    if (entry.limit.is_known())
        job["limit"] = of(entry.limit);
    for (const auto &[id, step] : entry.steps)
        job["steps"][std::to_string(id)] = {{"limit", of(step.limit)},
                                            {"lost_before_milliseconds", step.lost_before}};
    if (entry.nodes_booting)
        job["nodes_booting"] = true;
    if (entry.resized_at)
        job["resized_at"] = *entry.resized_at;
    if (entry.window_end)
        job["window_end"] = *entry.window_end;
    return job;
}

LedgerEntry SavedForm::entry(const Json &job) {
    LedgerEntry entry;
    entry.started = job.at("started").get<policy::Seconds>();
    entry.nodes_booting = job.value("nodes_booting", false);
    entry.backfilled = job.at("backfilled").get<bool>();
    entry.folds = job.at("folds").get<std::uint64_t>();
    entry.unfolds = job.at("unfolds").get<std::uint64_t>();
    if (job.contains("lost"))
        entry.lost = lost_time(job.at("lost"));
    else
        entry.given_up = cores_given_up(job);
    if (job.contains("limit"))
        entry.limit = work_limit(job.at("limit"));
    const Json steps = job.value("steps", Json::object());
    for (const auto &[id, step] : steps.items())
        entry.steps[number_of(id)] = {work_limit(step.at("limit")),
                                      step.at("lost_before_milliseconds").get<Milliseconds>()};
    if (job.contains("resized_at"))
        entry.resized_at = job.at("resized_at").get<policy::Seconds>();
    entry.holding.cores = job.value("cores", std::uint64_t{0});
    entry.holding.since = job.value("cores_since", entry.started);
    entry.holding.before = job.value("core_seconds_before", std::uint64_t{0});
    if (job.contains("window_end"))
        entry.window_end = job.at("window_end").get<policy::Seconds>();
    return entry;
}

std::string Ledger::saved() const {
    nlohmann::json jobs = nlohmann::json::object(), extended = nlohmann::json::object();
    for (const auto &[id, entry] : entries_)
        jobs[std::to_string(id)] = SavedForm::of(entry);
    for (const auto &[id, limit] : extended_)
        extended[std::to_string(id)] = SavedForm::of(limit);
    return nlohmann::json{{"version", 1}, {"jobs", jobs}, {"extended", extended}}.dump(1) + "\n";
}

void Ledger::restore(const std::string &json) {
    const nlohmann::json state = nlohmann::json::parse(json);
    if (state.at("version") != 1)
        throw std::runtime_error("unknown version of the state");
    std::map<JobNumber, LedgerEntry> entries;
    for (const auto &[id, job] : state.at("jobs").items())
        entries[number_of(id)] = SavedForm::entry(job);
    std::map<JobNumber, WorkLimit> extended;
    const nlohmann::json of_ended = state.value("extended", nlohmann::json::object());
    for (const auto &[id, limit] : of_ended.items())
        extended[number_of(id)] = SavedForm::work_limit(limit);
    entries_ = std::move(entries);
    extended_ = std::move(extended);
}

} // namespace vmall::sched
