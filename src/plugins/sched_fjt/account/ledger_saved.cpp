// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ledger's saved form: an object of jobs by id. A key that is not there was not known to the
// release that wrote it.
#include "plugins/sched_fjt/account/ledger.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace vmall::sched {

namespace {

using Json = nlohmann::json;

// JSON's own conversion takes any number, whatever becomes of it.
template <typename Number>
Number number(const Json &json) {
    using Limits = std::numeric_limits<Number>;
    constexpr auto lowest = static_cast<std::int64_t>(Limits::min());
    constexpr auto highest = static_cast<std::uint64_t>(Limits::max());
    // Parsed ones are unsigned, or else negative.
    if (json.is_number_unsigned() ? json.get<std::uint64_t>() <= highest
                                  : json.is_number_integer() && json.get<std::int64_t>() >= lowest)
        return json.get<Number>();
    throw std::runtime_error("the state has a number that cannot be");
}

template <typename Number>
Number number_or(const Json &object, const char *name, Number otherwise) {
    return object.contains(name) ? number<Number>(object.at(name)) : otherwise;
}

std::uint32_t id_of(const std::string &key) {
    std::uint32_t id = 0;
    const char *end = key.data() + key.size();
    const auto [stop, error] = std::from_chars(key.data(), end, id);
    if (error != std::errc() || stop != end)
        throw std::runtime_error("the state has an id that is no number");
    return id;
}

} // namespace

struct SavedForm {

    static Json of(const LostTime &lost) {
        return {{"milliseconds", lost.before_},
                {"since", lost.since_},
                {"mpl", lost.mpl_},
                {"folded", lost.folded_}};
    }
    static LostTime lost_time(const Json &json) {
        return LostTime(number<Milliseconds>(json.at("milliseconds")),
                        number<policy::Seconds>(json.at("since")), number<int>(json.at("mpl")),
                        number_or(json, "folded", policy::Seconds{0}));
    }

    static Json of(const WorkLimit &limit) {
        return {{"asked", limit.asked_},
                {"granted", limit.granted_},
                {"mpl", limit.mpl_},
                {"work_milliseconds", limit.work_}};
    }
    static WorkLimit work_limit(const Json &json) {
        WorkLimit limit;
        limit.asked_ = number<Minutes>(json.at("asked"));
        limit.granted_ = number<Minutes>(json.at("granted"));
        limit.mpl_ = number<int>(json.at("mpl"));
        limit.work_ = number<Milliseconds>(json.at("work_milliseconds"));
        limit.restored_ = true;
        return limit;
    }

    static Json of(const LedgerEntry &entry);
    static LedgerEntry entry(const Json &json);
};

Json SavedForm::of(const LedgerEntry &entry) {
    Json job = {{"started", entry.started},
                {"backfilled", entry.backfilled},
                {"folds", entry.folds},
                {"unfolds", entry.unfolds},
                {"cores", entry.holding.cores},
                {"cores_since", entry.holding.since},
                {"core_seconds_before", entry.holding.before},
                {"lost", of(entry.lost)}};
    if (entry.limit.is_known())
        job["limit"] = of(entry.limit);
    for (const auto &[id, step] : entry.steps)
        job["steps"][std::to_string(id)] = {{"limit", of(step.limit)},
                                            {"lost_before_milliseconds", step.lost_before}};
    if (const auto percent = entry.useful.unfolded_percent())
        job["useful"] = {{"percent", *percent}, {"cost_percent", entry.useful.cost_percent()}};
    if (entry.resize_loss.owed > 0)
        job["resize_loss"] = {{"milliseconds", entry.resize_loss.owed},
                              {"since_milliseconds", entry.resize_loss.since}};
    if (entry.nodes_booting)
        job["nodes_booting"] = true;
    if (entry.left_alone)
        job["left_alone"] = true;
    if (entry.resized_at)
        job["resized_at"] = *entry.resized_at;
    if (entry.window_end)
        job["window_end"] = *entry.window_end;
    return job;
}

LedgerEntry SavedForm::entry(const Json &job) {
    LedgerEntry entry;
    entry.started = number<policy::Seconds>(job.at("started"));
    entry.nodes_booting = job.value("nodes_booting", false);
    entry.left_alone = job.value("left_alone", false);
    entry.backfilled = job.at("backfilled").get<bool>();
    entry.folds = number<std::uint64_t>(job.at("folds"));
    entry.unfolds = number<std::uint64_t>(job.at("unfolds"));
    if (job.contains("lost"))
        entry.lost = lost_time(job.at("lost"));
    if (job.contains("limit"))
        entry.limit = work_limit(job.at("limit"));
    if (job.contains("useful"))
        entry.useful = UsefulShare(number<int>(job.at("useful").at("percent")),
                                   number<int>(job.at("useful").at("cost_percent")));
    if (job.contains("resize_loss"))
        entry.resize_loss = {number<Milliseconds>(job.at("resize_loss").at("milliseconds")),
                             number<Milliseconds>(job.at("resize_loss").at("since_milliseconds"))};
    const Json steps = job.value("steps", Json::object());
    for (const auto &[id, step] : steps.items())
        entry.steps[id_of(id)] = {work_limit(step.at("limit")),
                                  number<Milliseconds>(step.at("lost_before_milliseconds"))};
    if (job.contains("resized_at"))
        entry.resized_at = number<policy::Seconds>(job.at("resized_at"));
    entry.holding.cores = number_or(job, "cores", std::uint64_t{0});
    entry.holding.since = number_or(job, "cores_since", entry.started);
    entry.holding.before = number_or(job, "core_seconds_before", std::uint64_t{0});
    if (job.contains("window_end"))
        entry.window_end = number<policy::Seconds>(job.at("window_end"));
    return entry;
}

std::string Ledger::saved() const {
    nlohmann::json jobs = nlohmann::json::object(), extended = nlohmann::json::object();
    for (const auto &[id, entry] : entries_)
        jobs[std::to_string(id)] = SavedForm::of(entry);
    for (const auto &[id, limit] : extended_)
        extended[std::to_string(id)] = SavedForm::of(limit);
    nlohmann::json costs = nlohmann::json::array();
    for (const auto &one : folding_cost_.shown())
        costs.push_back({{"job", one.job.value}, {"percent", one.percent}, {"seen", one.seen}});
    nlohmann::json overruns = nlohmann::json::array();
    for (const policy::Overrun &one : overruns_.noted())
        overruns.push_back({{"user", one.user},
                            {"job", one.job.value},
                            {"estimate", one.estimate},
                            {"work", one.work},
                            {"seen", one.seen}});
    const nlohmann::json state = {{"version", 1},
                                  {"jobs", jobs},
                                  {"extended", extended},
                                  {"folding_costs", costs},
                                  {"overruns", overruns}};
    return state.dump(1) + "\n";
}

void Ledger::restore(const std::string &json) {
    const nlohmann::json state = nlohmann::json::parse(json);
    if (state.at("version") != 1)
        throw std::runtime_error("unknown version of the state");
    std::map<JobNumber, LedgerEntry> entries;
    for (const auto &[id, job] : state.at("jobs").items())
        entries[id_of(id)] = SavedForm::entry(job);
    std::map<JobNumber, WorkLimit> extended;
    const nlohmann::json of_ended = state.value("extended", nlohmann::json::object());
    for (const auto &[id, limit] : of_ended.items())
        extended[id_of(id)] = SavedForm::work_limit(limit);
    policy::LearnedCost costs;
    for (const auto &cost : state.value("folding_costs", nlohmann::json::array()))
        costs.note({number<JobNumber>(cost.at("job"))}, number<int>(cost.at("percent")),
                   number<policy::Seconds>(cost.at("seen")));
    policy::Overruns overruns;
    for (const auto &one : state.value("overruns", nlohmann::json::array()))
        overruns.note({number<policy::UserId>(one.at("user")),
                       {number<JobNumber>(one.at("job"))},
                       number<policy::Seconds>(one.at("estimate")),
                       number<policy::Seconds>(one.at("work")),
                       number<policy::Seconds>(one.at("seen"))});
    entries_ = std::move(entries);
    extended_ = std::move(extended);
    folding_cost_ = std::move(costs);
    overruns_ = std::move(overruns);
}

} // namespace vmall::sched
