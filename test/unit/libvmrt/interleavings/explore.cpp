// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explores one scenario, as large as one likes.
#include "explorer.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

using namespace vmall::interleavings;

namespace {

void print(const Result &result) {
    std::cout << result.states << " states, " << result.moves << " moves, " << result.ends
              << " ends";
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{
        "Explores every order in which ranks can hand over their turn. Exit status: 0 no "
        "order is wrong, 1 one is (it is printed), 3 there are more states than --states."};
    Scenario scenario;
    std::uint64_t most_states = 50'000'000;
    std::string program = scenario.program;
    app.add_option("--ranks", scenario.ranks, "Ranks of the job on the node")
        ->check(CLI::Range(1u, most_ranks))
        ->capture_default_str();
    app.add_option("--program", program,
                   "What each does: p polls in vain, l leaves the run queue and comes back")
        ->check([](const std::string &text) {
            return text.find_first_not_of("pl") == std::string::npos ? "" : "only p and l";
        })
        ->capture_default_str();
    app.add_option("--preemptions", scenario.preemptions,
                   "How often at most one goes on though the one before could have; default: any "
                   "number");
    app.add_option("--deaths", scenario.deaths, "How many may be killed, at any moment");
    app.add_option("--stops", scenario.stops, "How many may be stopped and resumed");
    app.add_option("--late-wakeups", scenario.late_wakeups,
                   "How often patience may end while others still run");
    app.add_option("--states", most_states, "Give up after so many")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    scenario.program = program.c_str();
    const Result result = explore(scenario, most_states, [](const Result &so_far) {
        print(so_far);
        std::cout << " so far" << std::endl;
    });
    for (const std::string &line : result.path)
        std::cout << line << '\n';
    print(result);
    std::cout << (result.fault.empty() ? "" : ": " + result.fault)
              << (result.complete ? "" : ": not all") << '\n';
    return !result.fault.empty() ? EXIT_FAILURE : result.complete ? EXIT_SUCCESS : 3;
}
