// SPDX-License-Identifier: GPL-2.0-or-later
//
// A star for each job: as many messages as it has nodes, at most 50 a second to one agent.
#include "spank_vm/agent/agreement.hpp"

#include "spank_vm/node/slurmd_identity.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace vmall::agent {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds look_interval(1);

std::chrono::milliseconds interval_of(std::uint32_t node_count) {
    return std::max(std::chrono::milliseconds(5000), std::chrono::milliseconds(20) * node_count);
}

// Two questions may be lost.
std::chrono::milliseconds lifetime_of(std::uint32_t node_count) {
    return 3 * interval_of(node_count);
}

} // namespace

Agreement::Agreement(const Settings &settings, std::function<void()> changed)
    : settings_(settings), changed_(std::move(changed)), seal_(settings.config.munge_socket),
      thread_([this] { run(); }) {}

Agreement::~Agreement() {
    stopping_.begin();
    exchanges_.wake();
    thread_.join();
}

wire::Wish Agreement::wish_of(const Part &part) const {
    return {part.job_id, settings_.node_name, part.mpl, part.is_fixed};
}

Agreement::Depths Agreement::agree(const std::vector<Part> &parts) {
    const auto now = Clock::now();
    const std::lock_guard<std::mutex> lock(mutex_);
    std::map<std::uint32_t, Known> here;
    Depths depths;
    for (const Part &part : parts) {
        Known &known = here[part.job_id] = std::move(known_[part.job_id]);
        if (is_first(part)) {
            known.common.hear(wish_of(part), Time::max());
            known.depth = known.common.agreed(part.node_count, now);
        } else if (part.mpl != known.part.mpl || part.is_fixed != known.part.is_fixed) {
            known.ask_at = now;
        }
        known.part = part;
        if (known.depth > 0 && (is_first(part) || now < known.until))
            depths[part.job_id] = known.depth;
    }
    known_ = std::move(here);
    return depths;
}

wire::Agreed Agreement::answer(const wire::Wish &wish) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto found = known_.find(wish.job_id);
    if (found == known_.end() || !is_first(found->second.part))
        return {wish.job_id, 0};
    Known &known = found->second;
    const auto now = Clock::now();
    const std::uint32_t count = known.part.node_count;
    known.common.hear(wish, now + lifetime_of(count));
    const wire::Agreed agreed = {wish.job_id, known.common.agreed(count, now)};
    const bool is_new = std::exchange(known.depth, agreed.mpl) != agreed.mpl;
    lock.unlock();
    if (is_new)
        changed_();
    return agreed;
}

void Agreement::run() noexcept {
    while (!stopping_.wait_for(look_interval)) {
        ask_who_is_due();
        while (exchanges_.under_way() > 0 && !stopping_.has_begun())
            exchanges_.proceed(true);
    }
}

void Agreement::ask_who_is_due() {
    const auto now = Clock::now();
    std::vector<Part> due;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (auto &[job_id, known] : known_)
            if (!is_first(known.part) && known.ask_at <= now) {
                known.ask_at = now + interval_of(known.part.node_count);
                due.push_back(known.part);
            }
    }
    for (const Part &part : due)
        try {
            ask(part);
        } catch (const std::exception &error) {
            hear(part.job_id, wire::no_reply(error));
        }
}

void Agreement::ask(const Part &part) {
    const auto first = spank_vm::address_of_slurmd(settings_.slurm_conf, part.first_node);
    if (!first)
        throw std::runtime_error("node " + part.first_node + " is not in slurm.conf");
    exchanges_.ask(first->host, settings_.config.agent_port.on_node(first->port),
                   seal_.seal(wire::encode(wish_of(part)), geteuid()),
                   Clock::now() + std::chrono::milliseconds(settings_.config.agent_timeout_ms),
                   [this, job_id = part.job_id](const wire::Reply &reply) { hear(job_id, reply); });
}

void Agreement::hear(std::uint32_t job_id, const wire::Reply &reply) noexcept {
    wire::Agreed agreed;
    std::string problem = reply.error;
    try {
        if (problem.empty()) {
            const wire::Opened answer = seal_.open(reply.content);
            if (answer.uid != geteuid())
                throw std::runtime_error("user " + std::to_string(answer.uid) + " answers");
            agreed = wire::decode_agreed(answer.payload);
        }
    } catch (const std::exception &error) {
        problem = error.what();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    const auto found = known_.find(job_id);
    if (found == known_.end())
        return;
    Known &known = found->second;
    if (!problem.empty()) {
        if (!std::exchange(known.was_told, true))
            slurm_info("job %u: keeps its cores until its first node (%s) answers: %s", job_id,
                       known.part.first_node.c_str(), problem.c_str());
        return;
    }
    known.was_told = false;
    const auto now = Clock::now();
    const bool is_new = known.depth != agreed.mpl || known.until < now;
    known.depth = agreed.mpl;
    known.until = now + lifetime_of(known.part.node_count);
    lock.unlock();
    if (is_new)
        changed_();
}

} // namespace vmall::agent
