// SPDX-License-Identifier: GPL-2.0-or-later
//
// Those who give up cores are moved before those who get them. Nothing is lost if they are not: to
// Slurm the cores are everybody's.
#include "spank_vm/agent/dealer.hpp"

#include "policy/sharing/space_sharing.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <exception>
#include <memory>

namespace vmall::agent {

namespace {

using policy::sharing::Applications;
using policy::sharing::Cores;
using policy::sharing::Shares;
using policy::sharing::SpaceSharing;
using policy::sharing::Tenant;

// Other disciplines say what a controller does with a queue: nothing to us.
Shares shares_by(const policy::Settings &settings) {
    std::shared_ptr<policy::Discipline> discipline = settings.queue_discipline->make();
    if (!dynamic_cast<SpaceSharing *>(discipline.get()))
        discipline = policy::sharing::make_equip_plus_plus();
    return [sharing = std::dynamic_pointer_cast<SpaceSharing>(discipline),
            by = settings.sharing](int processors, const Applications &applications) {
        policy::sharing::SharedNode node;
        node.processors = processors;
        node.applications = applications;
        return sharing->shares(node, by);
    };
}

wire::Held held_by(const Resident &resident, const wire::RankReport &ranks) {
    const Allotment &allotment = resident.state.allotment;
    return {static_cast<int>(ranks.tasks), static_cast<int>(allotment.cores.size()),
            resident.cores_per_rank, static_cast<int>(allotment.mpl)};
}

bool is_wide(const Resident &resident) {
    return resident.state.ranks.node_count > 1;
}

// Steps of before an update of ours do not.
bool names_first_node(const Resident &resident) {
    return !resident.state.ranks.first_node.empty();
}

Cores as_dealt(const std::vector<std::uint32_t> &cores) {
    return {cores.begin(), cores.end()};
}

} // namespace

Dealer::Dealer(const Settings &settings, Jobs &jobs, Rechecks &rechecks)
    : settings_(settings),
      max_mpl_(std::min(settings.config.policy.max_mpl, settings.config.max_mpl_per_job.general())),
      shares_(policy::sharing::without_rest(shares_by(settings.config.policy))), jobs_(jobs),
      rechecks_(rechecks), list_(settings), agreement_(settings, [this] { look(); }),
      thread_([this] { run(); }) {
    slurm_info("the node agent deals the cores of this node itself (mode=node)");
}

Dealer::~Dealer() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Dealer::look() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_to_look_ = true;
    }
    changed_.notify_all();
}

void Dealer::run() noexcept {
    const std::chrono::seconds interval(settings_.config.schedule_interval);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait_for(lock, interval, [this] { return stopped_ || is_to_look_; });
        if (stopped_)
            return;
        is_to_look_ = false;
        lock.unlock();
        try {
            deal();
        } catch (const std::exception &error) {
            slurm_error("the node agent cannot deal the cores of this node: %s", error.what());
        }
        lock.lock();
    }
}

std::string Dealer::why_fixed(const Resident &resident) const {
    if (!resident.state.takes_part)
        return "did not ask";
    if (is_wide(resident) && !names_first_node(resident))
        return "began before an update of slurm-vmall";
    const auto refused = refused_.find(resident.job_id);
    return refused == refused_.end() || refused->second.until <= Clock::now()
               ? ""
               : "could not be moved: " + refused->second.reason;
}

// What is learned of a width stays until it is measured anew, so the same reports again move
// nobody.
void Dealer::survey(const std::vector<Resident> &residents) {
    const std::chrono::seconds interval(settings_.config.survey_interval);
    const auto now = Clock::now();
    if (interval.count() == 0 || now < surveyed_ + interval)
        return;
    surveyed_ = now;
    ranks_ = jobs_.survey_ranks();
    std::map<std::uint32_t, wire::UsefulShare> here;
    for (const Resident &resident : residents) {
        wire::UsefulShare &useful = here[resident.job_id] = useful_[resident.job_id];
        if (const auto found = ranks_.find(resident.job_id);
            found != ranks_.end() && resident.state.takes_part)
            useful.note(
                found->second,
                std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count(),
                held_by(resident, found->second));
    }
    useful_ = std::move(here);
}

Tenant Dealer::tenant(const Resident &resident) const {
    const JobState &state = resident.state;
    Tenant tenant{as_dealt(state.given.empty() ? state.allotment.cores : state.given),
                  as_dealt(state.allotment.cores), why_fixed(resident).empty(),
                  resident.cores_per_rank};
    if (const auto useful = useful_.find(resident.job_id); useful != useful_.end())
        for (const wire::Speedup &one : useful->second.speedups())
            tenant.measured.push_back({one.processors, one.speedup});
    return tenant;
}

// Of jobs on several nodes it is told how deep each would be folded here, whatever is agreed: so
// nobody's wish depends on another's. As deep as all nodes agree it is folded then, no more and no
// less; where they do not, it keeps what it has.
void Dealer::agree(const std::vector<Resident> &residents, std::vector<Tenant> &tenants) {
    std::vector<Agreement::Part> parts;
    wishes_.clear();
    if (std::any_of(residents.begin(), residents.end(), is_wide)) {
        const std::vector<Cores> alone = deal_cores(tenants, max_mpl_, shares_);
        for (std::size_t i = 0; i < tenants.size(); ++i)
            if (is_wide(residents[i]) && residents[i].state.takes_part &&
                names_first_node(residents[i])) {
                const spank_vm::Ranks &ranks = residents[i].state.ranks;
                const int mpl = mpl_on(tenants[i], static_cast<int>(alone[i].size()));
                wishes_[residents[i].job_id] = static_cast<std::uint32_t>(mpl);
                parts.push_back({residents[i].job_id, ranks.first_node, ranks.node_count,
                                 static_cast<std::uint32_t>(mpl), !tenants[i].moves});
            }
    }
    depths_ = agreement_.agree(parts);
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        if (!is_wide(residents[i]))
            continue;
        const auto depth = depths_.find(residents[i].job_id);
        if (depth == depths_.end())
            tenants[i].moves = false;
        else
            tenants[i].agreed_mpl = static_cast<int>(depth->second);
    }
}

void Dealer::deal() {
    const std::vector<Resident> residents = jobs_.residents();
    survey(residents);
    std::vector<Tenant> tenants;
    for (const Resident &resident : residents)
        tenants.push_back(tenant(resident));
    agree(residents, tenants);
    const std::vector<Cores> dealt = deal_cores(tenants, max_mpl_, shares_);
    for (const bool shrinks : {true, false})
        for (std::size_t i = 0; i < tenants.size(); ++i)
            if (dealt[i] != tenants[i].now && (dealt[i].size() <= tenants[i].now.size()) == shrinks)
                give(residents[i], tenants[i], dealt[i]);
    show();
}

void Dealer::show() {
    std::vector<JobList::Seen> all;
    for (const Resident &resident : jobs_.residents()) {
        JobList::Seen seen{resident, {}, {}, resident.state.allotment.mpl, why_fixed(resident)};
        if (const auto useful = useful_.find(resident.job_id); useful != useful_.end())
            seen.useful = useful->second;
        if (const auto ranks = ranks_.find(resident.job_id); ranks != ranks_.end())
            seen.ranks = ranks->second;
        if (const auto wish = wishes_.find(resident.job_id); wish != wishes_.end())
            seen.wish = wish->second;
        if (seen.fixed.empty() && is_wide(resident) && depths_.count(resident.job_id) == 0)
            seen.fixed = "keeps what it has until the agents of all its nodes know it";
        all.push_back(std::move(seen));
    }
    list_.show(all);
}

void Dealer::give(const Resident &resident, const Tenant &tenant, const Cores &cores) {
    const Allotment &now = resident.state.allotment;
    wire::Target target;
    target.node = settings_.node_name;
    target.job_id = resident.job_id;
    target.user_id = resident.state.user;
    target.cores.assign(cores.begin(), cores.end());
    target.mpl = static_cast<std::uint32_t>(mpl_on(tenant, static_cast<int>(cores.size())));
    target.generation = now.generation + 1;
    target.run = now.run;
    const wire::Answer answer = jobs_.handle(target);
    if (answer.outcome == wire::Outcome::applied) {
        refused_.erase(resident.job_id);
        useful_[resident.job_id].begin_anew();
        rechecks_.later(resident.job_id);
    } else if (answer.outcome == wire::Outcome::refused) { // the others share what it leaves
        refused_[resident.job_id] = {
            Clock::now() + std::chrono::seconds(settings_.config.resize_retry_interval),
            answer.reason};
        look();
    }
}

} // namespace vmall::agent
