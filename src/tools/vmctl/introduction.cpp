// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the controller's plugin and the node agents say that they are installed.
#include "tools/vmctl/introduction.hpp"

#include <exception>

namespace vmall::vmctl {

namespace {

const wire::Query question = {wire::Ask::installation};

// How far the clock that sealed an answer is ahead of ours. On its way the answer was between
// `asked` and now: within that nobody can tell.
std::time_t ahead(std::time_t sealed_at, std::time_t asked) {
    const std::time_t now = std::time(nullptr);
    if (sealed_at < asked)
        return sealed_at - asked;
    return sealed_at > now ? sealed_at - now : 0;
}

Introduction understood(const wire::Opened &answer, std::time_t asked) {
    return {wire::decode_installation(answer.payload), "", ahead(answer.sealed_at, asked)};
}

Introduction nobody(const std::string &problem) {
    return {std::nullopt, problem};
}

} // namespace

Introduction meet(const Controller &controller, std::chrono::milliseconds patience) {
    try {
        const std::time_t asked = std::time(nullptr);
        return understood(ask(controller, question, patience), asked);
    } catch (const std::exception &error) {
        return nobody(error.what());
    }
}

std::vector<Introduction> meet(const std::vector<AgentAddress> &agents,
                               const std::string &munge_socket,
                               std::chrono::milliseconds patience) {
    std::vector<AgentQuestion> questions;
    for (const AgentAddress &agent : agents)
        questions.push_back({agent, question});
    std::vector<Introduction> met;
    for (const AgentAnswer &answer : ask_agents(questions, munge_socket, patience))
        try {
            met.push_back(answer.opened ? understood(*answer.opened, answer.asked)
                                        : nobody(answer.problem));
        } catch (const std::exception &error) {
            met.push_back(nobody(error.what()));
        }
    return met;
}

} // namespace vmall::vmctl
