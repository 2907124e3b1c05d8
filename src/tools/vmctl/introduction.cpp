// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the controller's plugin and the node agents say that they are installed.
#include "tools/vmctl/introduction.hpp"

#include "control/exchanges.hpp"

#include <exception>

namespace vmall::vmctl {

namespace {

using control::Exchanges;

constexpr uid_t agent_user = 0; // slurmd, and so the agent, is root
constexpr std::size_t highest_under_way = 128;
const control::Query question = {control::Ask::installation};

// How far the clock that sealed an answer is ahead of ours. On its way the answer was between
// `asked` and now: within that nobody can tell.
std::time_t ahead(std::time_t sealed_at, std::time_t asked) {
    const std::time_t now = std::time(nullptr);
    if (sealed_at < asked)
        return sealed_at - asked;
    return sealed_at > now ? sealed_at - now : 0;
}

Introduction understood(const control::Opened &answer, std::time_t asked) {
    return {control::decode_installation(answer.payload), "", ahead(answer.sealed_at, asked)};
}

Introduction nobody(const std::string &problem) {
    return {std::nullopt, problem};
}

Introduction agent_in(const control::Reply &reply, std::time_t asked, const control::Seal &seal) {
    if (!reply.error.empty())
        return nobody(reply.error);
    try {
        const control::Opened answer = seal.open(reply.content);
        if (answer.uid != agent_user)
            return nobody("the answer is from user " + std::to_string(answer.uid) + ", not root");
        return understood(answer, asked);
    } catch (const std::exception &error) {
        return nobody(error.what());
    }
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
    const control::Seal seal(munge_socket);
    std::vector<Introduction> met(agents.size());
    Exchanges exchanges;
    for (std::size_t next = 0; next < agents.size() || exchanges.under_way() > 0;) {
        if (next == agents.size() || exchanges.under_way() == highest_under_way) {
            exchanges.proceed(true);
            continue;
        }
        Introduction &introduction = met[next];
        const AgentAddress &agent = agents[next++];
        try {
            exchanges.ask(
                agent.host, agent.port, seal.seal(control::encode(question), agent_user),
                Exchanges::Clock::now() + patience,
                [&, asked = std::time(nullptr)](const control::Reply &reply) {
                    introduction = agent_in(reply, asked, seal);
                });
        } catch (const control::ChannelError &error) {
            introduction = nobody(error.what());
        }
    }
    return met;
}

} // namespace vmall::vmctl
