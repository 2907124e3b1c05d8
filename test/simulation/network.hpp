// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages between sched/fjt and agents that are under way, as text. What is sent may arrive in any
// order, twice, late or never.
#pragma once

#include "clock.hpp"
#include "slurm.hpp"
#include "wire/exchanges.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vmall::simulation {

// One question and its end, which the asker hears of once.
struct Exchange {
    NodeIndex node = 0;
    std::chrono::milliseconds deadline{};
    bool is_opened = false; // the question, which munge opens once
    std::function<void(const wire::Reply &)> done;

    void end(const wire::Reply &reply) {
        if (const auto tell_asker = std::exchange(done, nullptr))
            tell_asker(reply);
    }
};

struct Letter {
    std::shared_ptr<Exchange> exchange;
    std::string text;
    std::chrono::milliseconds sent{};
    bool is_answer = false;
    Job job; // of a target, as slurmctld had it then
};

struct Network {
    std::vector<Letter> letters;
    std::vector<std::shared_ptr<Exchange>> exchanges; // some of which have ended

    void ask(NodeIndex node, std::string question, const Job &job,
             std::chrono::milliseconds timeout, std::function<void(const wire::Reply &)> done) {
        auto exchange = std::make_shared<Exchange>();
        exchange->node = node;
        exchange->deadline = now.steady + timeout;
        exchange->done = std::move(done);
        exchanges.push_back(exchange);
        letters.push_back({exchange, std::move(question), now.steady, false, job});
    }

    // Letters that munge would not open any more are dropped.
    void note_time() {
        for (const auto &exchange : std::vector(exchanges))
            if (now.steady >= exchange->deadline)
                exchange->end({"", "no answer in time"});
        exchanges.erase(std::remove_if(
                            exchanges.begin(), exchanges.end(),
                            [](const auto &exchange) { return !exchange->done; }),
                        exchanges.end());
        letters.erase(std::remove_if(
                          letters.begin(), letters.end(),
                          [](const Letter &letter) { return now.steady > letter.sent + lifetime; }),
                      letters.end());
    }

    // The asker has gone.
    void hang_up() {
        for (const auto &exchange : std::exchange(exchanges, {}))
            exchange->done = nullptr;
    }

    static constexpr std::chrono::seconds lifetime{60};
};

extern Network *network;

} // namespace vmall::simulation
