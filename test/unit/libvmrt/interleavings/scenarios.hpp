// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is explored: each scenario to its end within seconds.
#pragma once

#include "node.hpp"

#include <array>

namespace vmall::interleavings {

namespace scenarios {

inline Scenario with(const char *name, std::uint32_t ranks, const char *program, int preemptions) {
    Scenario scenario;
    scenario.name = name;
    scenario.ranks = ranks;
    scenario.program = program;
    scenario.preemptions = preemptions;
    return scenario;
}

inline Scenario disturbed(Scenario scenario, int deaths, int stops, int late_wakeups) {
    scenario.deaths = deaths;
    scenario.stops = stops;
    scenario.late_wakeups = late_wakeups;
    return scenario;
}

} // namespace scenarios

inline const std::array explored = {
    scenarios::with("two ranks, every order", 2, "p", INT_MAX),
    scenarios::with("two ranks, three turns", 2, "ppp", 3),
    scenarios::with("three ranks", 3, "p", 2),
    scenarios::with("left and come back", 2, "plp", 2),
    scenarios::disturbed(scenarios::with("one is killed", 2, "ppp", 1), 1, 0, 0),
    scenarios::disturbed(scenarios::with("one of three is killed", 3, "pp", 0), 1, 0, 0),
    scenarios::disturbed(scenarios::with("one is stopped", 2, "pppp", 0), 0, 1, 0),
    scenarios::disturbed(scenarios::with("one of three is stopped", 3, "p", 0), 0, 1, 0),
    scenarios::disturbed(scenarios::with("one wakes up late", 2, "pp", 2), 0, 0, 1),
};

} // namespace vmall::interleavings
