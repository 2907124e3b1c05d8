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
    for (const std::string &page : ask_for_pages(controller, wire::Ask::jobs, patience))
        wire::append(seen.jobs, wire::decode_jobs(page));
    for (const std::string &page : ask_for_pages(controller, wire::Ask::queue, patience))
        wire::append(seen.queue, wire::decode_queue(page));
    seen.stats = wire::decode_stats(ask(controller, {wire::Ask::stats}, patience).payload);
    wire::Query query{wire::Ask::history};
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
         {wire::encode(observation.jobs), wire::encode(observation.queue),
          wire::encode(observation.stats), wire::encode(observation.events)})
        all.update(nlohmann::ordered_json::parse(part));
    if (!observation.silent.empty())
        all["silent"] = observation.silent;
    return all.dump();
}

} // namespace vmall::vmctl::top
