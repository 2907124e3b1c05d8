// SPDX-License-Identifier: GPL-2.0-or-later
//
// One question to the scheduler plugin, and its answer.
#include "tools/vmctl/ask.hpp"

#include "wire/channel.hpp"

#include <string>
#include <utility>

namespace vmall::vmctl {

namespace {

using wire::ChannelError;
using wire::Connection;

// Names the host, unless it is named there.
std::string problem_at(const std::string &host, int port, const ChannelError &error) {
    const std::string problem = error.what();
    if (problem.find(host) != std::string::npos)
        return problem;
    return host + " port " + std::to_string(port) + ": " + problem;
}

struct Connected {
    std::string host;
    Connection connection;
};

// The first host that accepts; a backup controller that is not in charge does not listen.
Connected connect(const Controller &controller, std::chrono::milliseconds patience) {
    std::string problems;
    for (const std::string &host : controller.hosts) {
        try {
            return {host, Connection::connect(host, controller.port,
                                              Connection::Clock::now() + patience)};
        } catch (const ChannelError &error) {
            problems += (problems.empty() ? "" : "; ") + problem_at(host, controller.port, error);
        }
    }
    throw ChannelError(problems);
}

std::string exchange(const Controller &controller, const std::string &question,
                     std::chrono::milliseconds patience) {
    Connected to = connect(controller, patience);
    try {
        to.connection.send(question);
        return to.connection.receive();
    } catch (const ChannelError &error) {
        throw ChannelError(problem_at(to.host, controller.port, error));
    }
}

} // namespace

std::string name_of(const Controller &controller) {
    std::string hosts;
    for (const std::string &host : controller.hosts)
        hosts += (hosts.empty() ? "" : ",") + host;
    return hosts + ":" + std::to_string(controller.port);
}

wire::Opened ask(const Controller &controller, const wire::Query &query,
                 std::chrono::milliseconds patience) {
    const wire::Seal seal(controller.munge_socket);
    // Sealed first: who connects and says nothing is the first to be sent away.
    const std::string question = seal.seal(wire::encode(query), controller.user);
    wire::Opened answer = seal.open(exchange(controller, question, patience));
    if (answer.uid != controller.user && answer.uid != 0)
        throw ChannelError("the answer is from user " + std::to_string(answer.uid) +
                           ", not from SlurmUser (" + std::to_string(controller.user) + ")");
    return answer;
}

std::vector<std::string> ask_for_pages(const Controller &controller, wire::Ask list,
                                       std::chrono::milliseconds patience) {
    wire::Query query{list};
    std::vector<std::string> pages;
    for (;;) {
        pages.push_back(ask(controller, query, patience).payload);
        const auto next = wire::decode_next(pages.back());
        if (!next)
            return pages;
        if (!(query.from < *next))
            throw ChannelError("the answer does not come to an end");
        query.from = *next;
    }
}

std::vector<wire::HistoryRow> ask_for_history(const Controller &controller, wire::Query query,
                                              std::chrono::milliseconds patience) {
    std::vector<wire::HistoryRow> history;
    for (;;) {
        const std::string page = ask(controller, query, patience).payload;
        for (wire::HistoryRow &row : wire::decode_history(page))
            history.push_back(std::move(row));
        const auto rest = wire::decode_rest(page);
        if (!rest)
            return history;
        if (*rest <= query.after)
            throw ChannelError("the answer does not come to an end");
        query.after = *rest;
    }
}

} // namespace vmall::vmctl
