// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/sched_fjt/resize/fake_messenger.hpp"

#include <utility>

Post post;

namespace vmall::sched {

struct Messenger::Round {};

Messenger::Messenger(std::string munge_socket, std::function<void()> arrived)
    : seal_(std::move(munge_socket)), arrived_(std::move(arrived)) {}

Messenger::~Messenger() {}

void Messenger::send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds) {
    post.targets.push_back(messages);
}

void Messenger::survey(const std::vector<NodeMessage> &messages, std::chrono::milliseconds) {
    post.surveys.push_back(messages);
}

std::vector<Confirmation> Messenger::take() {
    return std::exchange(post.confirmations, {});
}

std::vector<Confirmation> Messenger::take_surveys() {
    return std::exchange(post.reports, {});
}

void Messenger::call_roll(const std::vector<AgentAddress> &, std::chrono::milliseconds) {}

std::vector<RollReply> Messenger::take_rolls() {
    return {};
}

} // namespace vmall::sched
