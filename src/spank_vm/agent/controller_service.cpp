// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread for each message, as a node may take its time over a target.
#include "spank_vm/agent/controller_service.hpp"

#include "common/workers.hpp"
#include "spank_vm/agent/introduction.hpp"
#include "spank_vm/agent/succession.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <exception>
#include <memory>
#include <utility>

namespace vmall::agent {

namespace {

constexpr std::size_t highest_thread_count = 64;

} // namespace

ControllerService::ControllerService(const Settings &settings, Jobs &jobs, Rechecks &rechecks,
                                     const HandOverPrice &price, AnswerWish answer_wish,
                                     AnswerJobs answer_jobs)
    : settings_(settings), jobs_(jobs), rechecks_(rechecks), price_(price),
      answer_wish_(std::move(answer_wish)), answer_jobs_(std::move(answer_jobs)),
      seal_(settings_.config.munge_socket), thread_([this] { run(); }) {}

ControllerService::~ControllerService() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
        if (reception_)
            reception_->stop();
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

std::string ControllerService::advice_on_port() const {
    if (settings_.port_conflict.empty())
        return "";
    return ": " + settings_.port_conflict + ": give it another port in vmall.conf";
}

// Of a slurmd that has just ended the kernel may still have it. False: stopped meanwhile.
bool ControllerService::open_port() {
    std::unique_lock<std::mutex> lock(mutex_);
    return take_over(lock, stopping_, stopped_, [this]() -> std::string {
        try {
            reception_.emplace(settings_.agent_port,
                               std::chrono::milliseconds(settings_.config.agent_timeout_ms),
                               [this](const std::string &problem) {
                                   mention("got no message: " + problem); // somebody tries ports
                               });
        } catch (const wire::ChannelError &error) {
            return std::string(error.what()) + advice_on_port();
        }
        if (!settings_.port_conflict.empty())
            slurm_error("the node agent takes a port of Slurm's%s", advice_on_port().c_str());
        const wire::NodeInstallation node = installation_of(settings_, {}).node.value();
        slurm_info("the node agent listens on port %d, confinement %s", settings_.agent_port,
                   name_of(node.confinement));
        slurm_info("the node agent runs on %s", describe(node.kernel.value()).c_str());
        return "";
    });
}

void ControllerService::serve() {
    common::Workers workers(highest_thread_count);
    reception_->serve([&](const std::string &credential, wire::Visitor visitor) {
        const auto shared = std::make_shared<wire::Visitor>(std::move(visitor));
        const auto work = [this, credential, shared] { answer(credential, std::move(*shared)); };
        if (!workers.begin(work))
            work(); // others wait meanwhile
    });
}

void ControllerService::answer(const std::string &credential, wire::Visitor visitor) noexcept {
    try {
        const std::optional<wire::Answer> answer = handle(credential, std::move(visitor));
        if (answer && answer->outcome == wire::Outcome::applied)
            rechecks_.later(answer->job_id);
    } catch (const std::exception &error) {
        complain(std::string("gives up a connection: ") + error.what());
    }
}

// Nothing if no target was answered.
std::optional<wire::Answer> ControllerService::handle(const std::string &credential,
                                                      wire::Visitor visitor) {
    const wire::Opened opened = seal_.open(credential);
    // Anybody reaches this line: before anything is parsed, it has to be no longer than they may
    // send.
    const bool entitled = opened.uid == 0 || opened.uid == settings_.slurm_user;
    const bool short_enough = entitled || opened.payload.size() <= wire::highest_query_bytes;
    if (short_enough && wire::is_query(opened.payload)) {
        tell(std::move(visitor), opened);
        return std::nullopt;
    }
    if (!entitled) {
        complain("takes no target from user " + std::to_string(opened.uid));
        return std::nullopt;
    }
    if (answer_wish_) {
        answer_agent(std::move(visitor), opened);
        return std::nullopt;
    }
    if (const auto call = wire::decode_roll_call(opened.payload)) {
        if (call->node == settings_.node_name)
            reply(std::move(visitor), seal_.seal(wire::encode(jobs_.call_roll()), opened.uid));
        return std::nullopt;
    }
    wire::Answer answer = jobs_.handle(wire::decode_target(opened.payload));
    if (const auto price = price_.known())
        answer.hand_over_ns = price->ns;
    reply(std::move(visitor), seal_.seal(wire::encode(answer), opened.uid));
    return answer;
}

void ControllerService::answer_agent(wire::Visitor visitor, const wire::Opened &opened) {
    if (const auto wish = wire::decode_wish(opened.payload))
        reply(std::move(visitor), seal_.seal(wire::encode(answer_wish_(*wish)), opened.uid));
    else
        complain("takes no target from a controller, as it deals cores itself (mode=node)");
}

// Who asked has his time to take the answer from now on: what we needed for it is not his.
void ControllerService::reply(wire::Visitor visitor, const std::string &content) {
    const auto now = wire::Connection::Clock::now();
    const auto patience = std::chrono::milliseconds(settings_.config.agent_timeout_ms);
    if (now >= visitor.deadline)
        mention("has an answer only after AgentTimeout: this node is busy");
    wire::Connection(visitor.socket.release(), now + patience).send(content);
}

// Anybody may ask, so what goes wrong is no error.
void ControllerService::tell(wire::Visitor visitor, const wire::Opened &query) noexcept {
    TellJobs tell_jobs;
    if (answer_jobs_)
        tell_jobs = [&](const wire::Query &asked) { return answer_jobs_(asked, query.uid); };
    try {
        reply(std::move(visitor),
              seal_.seal(answer_to_query(query.payload, settings_, price_.known(), tell_jobs),
                         query.uid));
    } catch (const std::exception &error) {
        mention("does not answer user " + std::to_string(query.uid) + ": " + error.what());
    }
}

void ControllerService::complain(const std::string &problem) {
    if (const auto line = complaints_.admit(problem))
        slurm_error("the node agent %s", line->c_str());
}

void ControllerService::mention(const std::string &problem) {
    if (const auto line = mentions_.admit(problem))
        slurm_verbose("the node agent %s", line->c_str());
}

} // namespace vmall::agent
