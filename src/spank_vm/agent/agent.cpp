// SPDX-License-Identifier: GPL-2.0-or-later
//
// Puts the parts of the agent together.
#include "spank_vm/agent/agent.hpp"

#include "common/hand_over.hpp"
#include "spank_vm/agent/controller_service.hpp"
#include "spank_vm/agent/dealer.hpp"
#include "spank_vm/agent/hand_over.hpp"
#include "spank_vm/agent/leftovers.hpp"
#include "spank_vm/agent/limit_keeper.hpp"
#include "spank_vm/agent/succession.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <exception>
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <utility>

namespace vmall::agent {

namespace {

// Signals are slurmd's. A thread made while they are blocked never gets one.
class BlockSignals {
  public:
    BlockSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    BlockSignals(const BlockSignals &) = delete;
    BlockSignals &operator=(const BlockSignals &) = delete;
    ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_;
};

Node describe_node(const Settings &settings) {
    Node node{settings.node_name,
              settings.step_socket_dir,
              spank_vm::RuntimeDir(settings.runtime_dir),
              CoreMap(settings.claimed_cores),
              Cpusets(settings.cgroup_mount, settings.node_name),
              settings.config.runtime};
    node.folds_unserved = settings.config.fold_unserved;
    node.deals_cores = settings.deals_cores;
    return node;
}

void add_step(Jobs &jobs, const spank_vm::Registration &registration, pid_t peer) {
    const auto stepd = find_process(peer);
    if (!stepd)
        throw std::runtime_error("process " + std::to_string(peer) + " has ended");
    jobs.add_step(registration, *stepd);
}

} // namespace

Agent::Agent(Settings settings) : settings_(std::move(settings)) {
    const BlockSignals block;
    thread_ = std::thread([this] { run(); });
}

Agent::~Agent() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
        if (socket_)
            socket_->stop();
    }
    stopping_.notify_all();
    thread_.join();
}

void Agent::run() noexcept {
    try {
        Node node = describe_node(settings_);
        if (!claim(node.runtime_dir))
            return;
        Jobs jobs(std::move(node));
        if (!open_socket())
            return;
        Rechecks rechecks([&](std::uint32_t job_id) { jobs.recheck(job_id); });
        const HandOverPrice price(settings_.runtime_dir, name_of_boot(),
                                  [] { return common::hand_over_ns({}); });
        std::optional<Dealer> dealer;
        std::optional<LimitKeeper> limits;
        ControllerService::AnswerWish answer_wish;
        ControllerService::AnswerJobs answer_jobs;
        if (settings_.deals_cores) {
            dealer.emplace(settings_, jobs, rechecks);
            limits.emplace(settings_, jobs);
            answer_wish = [&](const wire::Wish &wish) { return dealer->answer(wish); };
            answer_jobs = [&](const wire::Query &query, uid_t asker) {
                return dealer->list().answer(query, asker, limits->lost());
            };
        }
        const ControllerService controller(settings_, jobs, rechecks, price, answer_wish,
                                           answer_jobs);
        const Leftovers leftovers(jobs);
        socket_->serve([&](const std::string &request, pid_t peer) {
            const std::string said = answer(jobs, request, peer);
            if (dealer)
                dealer->look();
            return said;
        });
    } catch (const std::exception &error) {
        slurm_error("the node agent cannot run, no job is resized on this node: %s", error.what());
    }
}

// slurmd runs beside the one whose place it takes, which goes on if slurmd fails to start. False:
// stopped meanwhile.
bool Agent::claim(spank_vm::RuntimeDir &directory) {
    std::unique_lock<std::mutex> lock(mutex_);
    return take_over(lock, stopping_, stopped_, [&] {
        return directory.claim() ? "" : "another one has " + directory.path();
    });
}

// False: stopped meanwhile.
bool Agent::open_socket() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!stopped_)
        socket_.emplace(settings_.runtime_dir + "/" + spank_vm::agent_socket_name);
    return !stopped_;
}

std::string Agent::answer(Jobs &jobs, const std::string &request, pid_t peer) {
    try {
        const spank_vm::LocalRequest decoded = spank_vm::decode_local_request(request);
        if (const auto *registration = std::get_if<spank_vm::Registration>(&decoded))
            add_step(jobs, *registration, peer);
        else if (const auto *launched = std::get_if<spank_vm::Launched>(&decoded))
            jobs.launched(*launched);
        else
            jobs.forget(std::get<spank_vm::Forget>(decoded).job_id);
        return spank_vm::encode_done();
    } catch (const std::exception &error) {
        return spank_vm::encode_error(error.what());
    }
}

} // namespace vmall::agent
