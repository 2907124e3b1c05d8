// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whole seconds of loss are reckoned from milliseconds, so that short looks lose nothing.
#include "spank_vm/agent/time_lost.hpp"

#include "policy/cost/work.hpp"
#include "wire/fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::agent {

namespace {

constexpr policy::Seconds minute = 60;
constexpr policy::Seconds longest_look = 24 * 3600; // else somebody has set the clock
constexpr long long highest = 1'000'000'000'000;
constexpr std::uint32_t highest_cores = 65536;
constexpr std::uint32_t highest_minutes = 1'000'000'000;

} // namespace

void TimeLost::pass(policy::Seconds now, int mpl, CoreCounts cores) {
    const policy::Seconds passed = since_ ? now - since_ : 0;
    if (passed > 0 && passed < longest_look) {
        lost_ += policy::lost_in_time(passed * 1000, mpl_);
        core_seconds_ += passed * cores_.now;
        core_seconds_given_ += passed * cores_.given;
    }
    since_ = now;
    mpl_ = mpl;
    cores_ = cores;
}

int TimeLost::due(policy::Seconds ahead, policy::Seconds most) const {
    const policy::Seconds lost = lost_ / 1000 + policy::lost_in_time(ahead, mpl_);
    const policy::Seconds wanted = (lost + minute - 1) / minute;
    return static_cast<int>(
        std::max<policy::Seconds>(std::min(wanted, most / minute) - extended_, 0));
}

bool TimeLost::is_bounded(policy::Seconds ahead, policy::Seconds most) const {
    return due(ahead, highest) > due(ahead, most);
}

void TimeLost::ask(int from, int minutes) {
    asked_ = Asked{from, minutes};
    extended_ += minutes;
}

void TimeLost::reconcile(int limit) {
    if (asked_ && limit == asked_->from)
        extended_ -= asked_->minutes;
    asked_.reset();
}

std::string TimeLost::encode() const {
    wire::Json content = {{"lost_ms", lost_},
                          {"extended", extended_},
                          {"since", since_},
                          {"mpl", mpl_},
                          {"cores", cores_.now},
                          {"given", cores_.given},
                          {"core_seconds", core_seconds_},
                          {"core_seconds_given", core_seconds_given_}};
    if (asked_)
        content["asked"] = {{"from", asked_->from}, {"minutes", asked_->minutes}};
    return wire::wrap("time_lost", std::move(content));
}

TimeLost TimeLost::decode(const std::string &json) {
    const wire::Json saved = wire::parse_message(json);
    const wire::Fields fields(wire::unwrap(saved, "time_lost"), "time_lost");
    TimeLost lost;
    lost.lost_ = static_cast<std::int64_t>(fields.number("lost_ms", 0, highest));
    lost.extended_ = static_cast<int>(fields.number32("extended", 0, highest_minutes));
    lost.since_ = static_cast<policy::Seconds>(fields.number("since", 0, highest));
    lost.mpl_ = static_cast<int>(fields.number32("mpl", 1, 1'000'000));
    if (fields.has("core_seconds")) { // agents of before do not know
        lost.cores_ = {static_cast<int>(fields.number32("cores", 0, highest_cores)),
                       static_cast<int>(fields.number32("given", 0, highest_cores))};
        lost.core_seconds_ = static_cast<std::int64_t>(fields.number("core_seconds", 0, highest));
        lost.core_seconds_given_ =
            static_cast<std::int64_t>(fields.number("core_seconds_given", 0, highest));
    }
    if (fields.has("asked")) {
        const wire::Json &content = wire::unwrap(saved["time_lost"], "asked");
        const wire::Fields asked(content, "asked");
        lost.asked_ = Asked{static_cast<int>(asked.number32("from", 0, highest_minutes)),
                            static_cast<int>(asked.number32("minutes", 1, highest_minutes))};
    }
    return lost;
}

std::string file_of_time_lost(const std::string &runtime_dir, std::uint32_t job_id) {
    return runtime_dir + "/" + std::to_string(job_id) + "/time_lost";
}

std::string in_words(const TimeLost &time, const std::string &node_name) {
    if (time.lost() == 0)
        return "";
    std::string text = "on " + node_name + " this job had " + std::to_string(time.core_seconds()) +
                       " of the " + std::to_string(time.core_seconds_given()) +
                       " core-seconds that Slurm gave it, and has lost " +
                       std::to_string(time.lost()) + " s by sharing";
    if (time.extended() > 0)
        text += ", for which its time limit got " + std::to_string(time.extended()) +
                (time.extended() == 1 ? " minute more" : " minutes more");
    return text;
}

} // namespace vmall::agent
