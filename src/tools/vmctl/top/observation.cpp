// SPDX-License-Identifier: GPL-2.0-or-later
//
// All that vmctl top is told at one moment.
#include "tools/vmctl/top/observation.hpp"

#include <nlohmann/json.hpp>

namespace vmall::vmctl::top {

namespace {

constexpr std::time_t first_look = 600;
constexpr std::time_t overlap = 30; // the controller's clock is another

Observation observe(const Controller &controller, std::chrono::milliseconds patience,
                    std::optional<std::time_t> before) {
    Observation seen;
    seen.since = before ? *before - overlap : std::time(nullptr) - first_look;
    for (const std::string &page : ask_for_pages(controller, control::Ask::jobs, patience))
        control::append(seen.jobs, control::decode_jobs(page));
    for (const std::string &page : ask_for_pages(controller, control::Ask::queue, patience))
        control::append(seen.queue, control::decode_queue(page));
    seen.stats = control::decode_stats(ask(controller, {control::Ask::stats}, patience).payload);
    control::Query query{control::Ask::history};
    query.since = seen.since;
    seen.events = ask_for_history(controller, query, patience);
    seen.at = std::time(nullptr);
    return seen;
}

} // namespace

Source source_of(const Controller &controller, std::chrono::milliseconds patience) {
    return {name_of(controller),
            [controller, patience](std::optional<std::time_t> before) {
                return observe(controller, patience, before);
            }};
}

std::string encode(const Observation &observation) {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for (const std::string &part :
         {control::encode(observation.jobs), control::encode(observation.queue),
          control::encode(observation.stats), control::encode(observation.events)})
        all.update(nlohmann::ordered_json::parse(part));
    if (!observation.silent.empty())
        all["silent"] = observation.silent;
    return all.dump();
}

} // namespace vmall::vmctl::top
