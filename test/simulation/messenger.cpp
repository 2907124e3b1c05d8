// SPDX-License-Identifier: GPL-2.0-or-later
//
// sched/fjt's messenger over the simulated network: no thread, no connection, no seal. Linked in
// place of the real one.
#include "plugins/sched_fjt/resize/messenger.hpp"

#include "network.hpp"
#include "trace.hpp"

#include <exception>
#include <utility>

namespace vmall::simulation {

Network *network = nullptr;

} // namespace vmall::simulation

namespace vmall::sched {

namespace {

simulation::NodeIndex node_at(const std::string &address) {
    return static_cast<simulation::NodeIndex>(std::stoul(address.substr(1)));
}

} // namespace

struct Messenger::Round {
    Confirmation confirmation;
    std::size_t expected;
    std::vector<Confirmation> &done; // where it goes then
};

Messenger::Messenger(std::string munge_socket, std::function<void()> arrived)
    : seal_(std::move(munge_socket)), arrived_(std::move(arrived)) {}

Messenger::~Messenger() {
    simulation::network->hang_up();
}

void Messenger::send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout) {
    send(messages, timeout, done_);
}

void Messenger::survey(const std::vector<NodeMessage> &messages,
                       std::chrono::milliseconds timeout) {
    send(messages, timeout, surveys_);
}

void Messenger::send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout,
                     std::vector<Confirmation> &done) {
    const control::Target &first = messages.front().target;
    const auto round =
        std::make_shared<Round>(Round{{first.job_id, first.generation, {}}, messages.size(), done});
    const simulation::Job *job = simulation::slurm->find(round->confirmation.job);
    for (const NodeMessage &message : messages)
        simulation::network->ask(
            node_at(message.address), control::encode(message.target),
            job ? *job : simulation::Job(), timeout,
            [this, round, node = message.target.node](const std::string &text,
                                                      const std::string &error) {
                NodeReply reply{node, false, control::Outcome::refused, 0, error};
                if (error.empty()) {
                    const control::Answer answer = control::decode_answer(text);
                    reply = {node,          true,         answer.outcome,   answer.generation,
                             answer.reason, answer.ranks, answer.unattached};
                }
                finish(*round, std::move(reply));
            });
}

void Messenger::call_roll(const std::vector<AgentAddress> &nodes,
                          std::chrono::milliseconds timeout) {
    for (const AgentAddress &at : nodes)
        simulation::network->ask(
            node_at(at.address), control::encode(control::RollCall{at.node}), {}, timeout,
            [this, node = at.node](const std::string &text, const std::string &error) {
                RollReply reply{node, std::nullopt, error, error == "connection refused"};
                if (error.empty())
                    reply.roll = control::decode_roll(text);
                finish(std::move(reply));
            });
}

std::vector<Confirmation> Messenger::take() {
    return std::exchange(done_, {});
}

std::vector<Confirmation> Messenger::take_surveys() {
    return std::exchange(surveys_, {});
}

std::vector<RollReply> Messenger::take_rolls() {
    return std::exchange(rolls_, {});
}

void Messenger::finish(Round &round, NodeReply reply) {
    round.confirmation.replies.push_back(std::move(reply));
    if (round.confirmation.replies.size() == round.expected)
        round.done.push_back(std::move(round.confirmation));
}

void Messenger::finish(RollReply reply) {
    rolls_.push_back(std::move(reply));
}

} // namespace vmall::sched
