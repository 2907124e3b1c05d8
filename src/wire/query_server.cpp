// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers queries on a TCP port, in a thread of its own.
#include "wire/query_server.hpp"

#include <csignal>
#include <exception>
#include <utility>

namespace vmall::wire {

namespace {

// Signals of the process are for the threads of Slurm, so a new thread must start with all of them
// blocked.
class SignalsBlocked {
  public:
    SignalsBlocked() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    SignalsBlocked(const SignalsBlocked &) = delete;
    SignalsBlocked &operator=(const SignalsBlocked &) = delete;
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_;
};

} // namespace

QueryServer::QueryServer(int port, const std::string &munge_socket, Handler handler, Report report,
                         Failed failed, std::chrono::milliseconds patience)
    : seal_(munge_socket), handler_(std::move(handler)), failed_(std::move(failed)),
      reception_(port, patience, std::move(report)) {
    const SignalsBlocked blocked;
    thread_ = std::thread(&QueryServer::serve, this);
}

QueryServer::~QueryServer() {
    stop();
}

void QueryServer::stop() noexcept {
    reception_.stop();
    if (thread_.joinable())
        thread_.join();
}

void QueryServer::serve() noexcept {
    try {
        reception_.serve([this](const std::string &credential, Visitor client) {
            answer(credential, std::move(client));
        });
    } catch (const std::exception &error) {
        failed_(error.what());
    }
}

void QueryServer::answer(const std::string &credential, Visitor client) {
    const Opened query = seal_.open(credential);
    reception_.answer(std::move(client), seal_.seal(answer_to(query), query.uid));
}

// Problems of the query and of the handler are the asker's to know: munge said who that is.
std::string QueryServer::answer_to(const Opened &query) {
    try {
        std::string answer = handler_(decode_query(query.payload), query.uid);
        if (answer.size() <= highest_payload_bytes)
            return answer;
        return encode_error("the answer is too long: " + std::to_string(answer.size()) + " bytes");
    } catch (const std::exception &error) {
        return encode_error(error.what());
    }
}

} // namespace vmall::wire
