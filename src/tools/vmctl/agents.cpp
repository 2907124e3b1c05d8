// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to the agents of many nodes, and their answers.
#include "tools/vmctl/agents.hpp"

#include "wire/exchanges.hpp"

#include <exception>

namespace vmall::vmctl {

namespace {

using wire::Exchanges;

constexpr uid_t agent_user = 0; // slurmd, and so the agent, is root
constexpr std::size_t highest_under_way = 128;

AgentAnswer answer_in(const wire::Reply &reply, std::time_t asked, const wire::Seal &seal) {
    if (!reply.error.empty())
        return {std::nullopt, reply.error, asked};
    try {
        wire::Opened answer = seal.open(reply.content);
        if (answer.uid == agent_user)
            return {std::move(answer), "", asked};
        return {std::nullopt,
                "the answer is from user " + std::to_string(answer.uid) + ", not root", asked};
    } catch (const std::exception &error) {
        return {std::nullopt, error.what(), asked};
    }
}

} // namespace

std::vector<AgentAnswer> ask_agents(const std::vector<AgentQuestion> &questions,
                                    const std::string &munge_socket,
                                    std::chrono::milliseconds patience) {
    const wire::Seal seal(munge_socket);
    std::vector<AgentAnswer> answers(questions.size());
    Exchanges exchanges;
    for (std::size_t next = 0; next < questions.size() || exchanges.under_way() > 0;) {
        if (next == questions.size() || exchanges.under_way() == highest_under_way) {
            exchanges.proceed(true);
            continue;
        }
        AgentAnswer &answer = answers[next];
        const auto &[agent, query] = questions[next++];
        try {
            exchanges.ask(
                agent.host, agent.port, seal.seal(wire::encode(query), agent_user),
                Exchanges::Clock::now() + patience,
                [&, asked = std::time(nullptr)](const wire::Reply &reply) {
                    answer = answer_in(reply, asked, seal);
                });
        } catch (const wire::ChannelError &error) {
            answer.problem = error.what();
        }
    }
    return answers;
}

} // namespace vmall::vmctl
