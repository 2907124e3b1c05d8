// SPDX-License-Identifier: GPL-2.0-or-later
//
// Simulates schedules of events, one for each seed. Of one that shows a violation it prints the
// events that are needed for it, what they did, and how to see that again.
#include "cluster.hpp"
#include "trace.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

using namespace vmall::simulation;

namespace {

struct Happening {
    int number = 0;
    Event event = Event::pass;
    std::uint64_t seed = 0;
};

struct Schedule {
    bool makes_cpusets = false;
    bool holders_respond = false;
    std::vector<Happening> steps;
};

Event some_event(Random &chances, const std::vector<Event> &events) {
    int sum = 0;
    for (const Event event : events)
        sum += weight_of(event);
    int left = chances.between(1, sum);
    for (const Event event : events)
        if ((left -= weight_of(event)) <= 0)
            return event;
    return events.back();
}

// In each schedule only some kinds of faults happen, so that each of them is seen without others.
Schedule schedule_of(std::uint64_t seed) {
    Random chances(seed);
    Schedule schedule;
    schedule.makes_cpusets = chances.one_in(2);
    schedule.holders_respond = chances.one_in(2);
    std::vector<Event> events;
    for (int event = 0; event < event_count; ++event)
        if (!is_fault(static_cast<Event>(event)) || chances.one_in(2))
            events.push_back(static_cast<Event>(event));
    const int count = chances.between(100, 500);
    for (int number = 0; number < count; ++number)
        schedule.steps.push_back({number, some_event(chances, events), chances.next()});
    return schedule;
}

// What is violated; nothing: all is well.
std::optional<std::string> play(const Schedule &schedule) {
    try {
        Cluster cluster(schedule.makes_cpusets, schedule.holders_respond);
        for (const Happening &step : schedule.steps) {
            tell([&] { return std::to_string(step.number) + " " + name_of(step.event); });
            cluster.happen(step.event, Random(step.seed));
        }
        tell([] { return std::string("no more faults"); });
        cluster.come_to_rest();
        return std::nullopt;
    } catch (const Violation &violation) {
        return violation.what;
    } catch (const std::exception &error) {
        return std::string("exception: ") + error.what();
    }
}

// Without what is not needed for a violation, whichever it is.
Schedule shrunk(Schedule schedule) {
    for (std::size_t length = schedule.steps.size() / 2; length > 0;) {
        bool smaller = false;
        for (std::size_t begin = 0; begin < schedule.steps.size();) {
            Schedule rest = schedule;
            const auto first = rest.steps.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto end = std::min(begin + length, rest.steps.size());
            rest.steps.erase(first, rest.steps.begin() + static_cast<std::ptrdiff_t>(end));
            if (play(rest)) {
                schedule = std::move(rest);
                smaller = true;
            } else {
                begin += length;
            }
        }
        if (!smaller || length > 1)
            length /= 2;
    }
    return schedule;
}

void show(const Schedule &schedule) {
    trace.is_on = true;
    const auto violation = play(schedule);
    trace.is_on = false;
    for (const std::string &line : std::exchange(trace.lines, {}))
        std::cout << line << "\n";
    std::cout << "violation: " << violation.value_or("none") << "\n";
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t seed = 1, count = 1;
    std::vector<int> only;
    CLI::App app("Simulates resizes under faults, schedule by schedule.");
    app.add_option("--seed", seed, "of the first schedule");
    app.add_option("--schedules", count, "how many, each with the next seed");
    app.add_option("--only", only, "shows a schedule with these of its steps only")->delimiter(',');
    CLI11_PARSE(app, argc, argv);
    if (!only.empty()) {
        Schedule schedule = schedule_of(seed);
        auto &steps = schedule.steps;
        steps.erase(std::remove_if(steps.begin(), steps.end(),
                                   [&](const Happening &step) {
                                       return std::find(only.begin(), only.end(), step.number) ==
                                              only.end();
                                   }),
                    steps.end());
        show(schedule);
        return EXIT_SUCCESS;
    }
    for (const std::uint64_t end = seed + count; seed < end; ++seed) {
        const Schedule schedule = schedule_of(seed);
        if (!play(schedule))
            continue;
        const Schedule needed = shrunk(schedule);
        show(needed);
        std::cout << "again: " << argv[0] << " --seed " << seed << " --only ";
        for (const Happening &step : needed.steps)
            std::cout << (step.number == needed.steps.front().number ? "" : ",") << step.number;
        std::cout << "\n";
        return EXIT_FAILURE;
    }
    std::cout << count << " schedules without a violation\n";
    return EXIT_SUCCESS;
}
