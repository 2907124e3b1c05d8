// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers targets as the agents of any number of nodes would.
#include "agents.hpp"

#include "wire/roll_call.hpp"

#include <chrono>
#include <unistd.h>
#include <utility>

using namespace vmall::wire;

Answer applied(const Target &target) {
    return {target.node, target.job_id, Outcome::applied, target.generation, ""};
}

Agents::Agents(const std::string &munge_socket, int port, Respond respond)
    : seal_(munge_socket), respond_(std::move(respond)), listener_(port) {
    for (int i = 0; i < thread_count; ++i)
        threads_.emplace_back([this] { serve(); });
}

Agents::Agents(const std::string &munge_socket, int port)
    : Agents(munge_socket, port, [seal = Seal(munge_socket)](const Target &target) {
          return seal.seal(encode(applied(target)), getuid());
      }) {}

Agents::~Agents() {
    listener_.stop();
    for (std::thread &thread : threads_)
        thread.join();
}

void Agents::serve() {
    for (int fd; (fd = listener_.accept()) >= 0;) {
        try {
            Connection connection(fd, Connection::Clock::now() + std::chrono::seconds(60));
            const Opened question = seal_.open(connection.receive());
            if (const auto call = decode_roll_call(question.payload))
                connection.send(seal_.seal(encode(Roll{call->node, {}}), question.uid));
            else
                connection.send(respond_(decode_target(question.payload)));
        } catch (const std::exception &) {
            // Whoever asked has gone, or does not speak our protocol.
        }
    }
}
