// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread for each connection, so that a peer that says nothing keeps nobody else waiting.
#include "spank_vm/agent/controller_service.hpp"

#include "spank_vm/agent/introduction.hpp"
#include "spank_vm/agent/succession.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <exception>
#include <future>
#include <vector>

namespace vmall::agent {

namespace {

constexpr std::chrono::milliseconds recheck_delay(200); // longer than a fork takes
constexpr std::size_t highest_connection_count = 64;    // one controller needs one

void forget_finished(std::vector<std::future<void>> &connections) {
    const auto finished = [](const std::future<void> &connection) {
        return connection.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    connections.erase(std::remove_if(connections.begin(), connections.end(), finished),
                      connections.end());
}

} // namespace

ControllerService::ControllerService(const Settings &settings, Jobs &jobs)
    : settings_(settings), jobs_(jobs), seal_(settings_.config.munge_socket),
      thread_([this] { run(); }) {}

ControllerService::~ControllerService() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
        if (listener_)
            listener_->stop();
    }
    stopping_.notify_all();
    thread_.join();
}

void ControllerService::run() noexcept {
    try {
        if (open_port())
            serve();
    } catch (const std::exception &error) {
        slurm_error("the node agent cannot serve the controller any more: %s", error.what());
    }
}

// Of a slurmd that has just ended the kernel may still have it. False: stopped meanwhile.
bool ControllerService::open_port() {
    std::unique_lock<std::mutex> lock(mutex_);
    return take_over(lock, stopping_, stopped_, [this]() -> std::string {
        try {
            listener_.emplace(settings_.agent_port);
        } catch (const control::ChannelError &error) {
            return error.what();
        }
        const control::NodeInstallation node = installation_of(settings_).node.value();
        slurm_info("the node agent listens on port %d, confinement %s", settings_.agent_port,
                   name_of(node.confinement));
        slurm_info("the node agent runs on %s", describe(node.kernel.value()).c_str());
        return "";
    });
}

void ControllerService::serve() {
    std::vector<std::future<void>> connections;
    for (int fd = listener_->accept(); fd >= 0; fd = listener_->accept()) {
        common::Descriptor connection(fd);
        forget_finished(connections);
        if (connections.size() >= highest_connection_count)
            continue; // hang up; the controller tries again
        connections.push_back(
            std::async(std::launch::async, [this, fd = connection.release()] { answer(fd); }));
    }
}

void ControllerService::answer(int fd) noexcept {
    try {
        std::optional<control::Answer> answer;
        {
            control::Connection connection(
                fd, control::Connection::Clock::now() +
                        std::chrono::milliseconds(settings_.config.agent_timeout_ms));
            answer = handle(connection);
        }
        if (answer && answer->outcome == control::Outcome::applied)
            recheck_later(answer->job_id);
    } catch (const std::exception &error) {
        slurm_error("the node agent gives up a connection: %s", error.what());
    }
}

// Nothing if no target was answered.
std::optional<control::Answer> ControllerService::handle(control::Connection &connection) {
    std::string credential;
    try {
        credential = connection.receive();
    } catch (const control::ChannelError &error) {
        slurm_verbose("the node agent got no message: %s", error.what()); // somebody tries ports
        return std::nullopt;
    }
    const control::Opened opened = seal_.open(credential);
    // Anybody reaches this line: before anything is parsed, it has to be no longer than they may
    // send.
    const bool entitled = opened.uid == 0 || opened.uid == settings_.slurm_user;
    const bool short_enough = entitled || opened.payload.size() <= control::highest_query_bytes;
    if (short_enough && control::is_query(opened.payload)) {
        tell(connection, opened);
        return std::nullopt;
    }
    if (!entitled) {
        slurm_error("the node agent takes no target from user %u", opened.uid);
        return std::nullopt;
    }
    if (const auto call = control::decode_roll_call(opened.payload)) {
        if (call->node == settings_.node_name)
            connection.send(seal_.seal(control::encode(jobs_.call_roll()), opened.uid));
        return std::nullopt;
    }
    const control::Answer answer = jobs_.handle(control::decode_target(opened.payload));
    connection.send(seal_.seal(control::encode(answer), opened.uid));
    return answer;
}

// Anybody may ask, so what goes wrong is no error.
void ControllerService::tell(control::Connection &connection,
                             const control::Opened &query) const noexcept {
    try {
        connection.send(seal_.seal(answer_to_query(query.payload, settings_), query.uid));
    } catch (const std::exception &error) {
        slurm_verbose("the node agent does not answer user %u: %s", query.uid, error.what());
    }
}

void ControllerService::recheck_later(std::uint32_t job_id) {
    std::unique_lock<std::mutex> lock(mutex_);
    stopping_.wait_for(lock, recheck_delay, [this] { return stopped_; });
    lock.unlock();
    jobs_.recheck(job_id);
}

} // namespace vmall::agent
