// SPDX-License-Identifier: GPL-2.0-or-later
//
// One question to the scheduler plugin, and its answer.
#include "tools/vmctl/ask.hpp"

#include "control/channel.hpp"

namespace vmall::vmctl {

namespace {

using control::ChannelError;
using control::Connection;

// The first host that accepts; a backup controller that is not in charge does not listen.
Connection connect(const Controller &controller, std::chrono::milliseconds patience) {
    std::string problems;
    for (const std::string &host : controller.hosts) {
        try {
            return Connection::connect(host, controller.port, Connection::Clock::now() + patience);
        } catch (const ChannelError &error) {
            problems += (problems.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    throw ChannelError(problems);
}

} // namespace

control::Opened ask(const Controller &controller, const control::Query &query,
                    std::chrono::milliseconds patience) {
    const control::Seal seal(controller.munge_socket);
    // Sealed first: who connects and says nothing is the first to be sent away.
    const std::string question = seal.seal(control::encode(query), controller.user);
    Connection connection = connect(controller, patience);
    connection.send(question);
    control::Opened answer = seal.open(connection.receive());
    if (answer.uid != controller.user && answer.uid != 0)
        throw ChannelError("the answer is from user " + std::to_string(answer.uid) +
                           ", not from SlurmUser (" + std::to_string(controller.user) + ")");
    return answer;
}

std::vector<std::string> ask_for_pages(const Controller &controller, control::Ask list,
                                       std::chrono::milliseconds patience) {
    control::Query query{list};
    std::vector<std::string> pages;
    for (;;) {
        pages.push_back(ask(controller, query, patience).payload);
        const auto next = control::decode_next(pages.back());
        if (!next)
            return pages;
        if (!(query.from < *next))
            throw ChannelError("the answer does not come to an end");
        query.from = *next;
    }
}

} // namespace vmall::vmctl
