// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tenants that have no core in common, not even by way of others, are dealt with apart. How many
// cores each has is the policy's to say; which ones is a matching.
#include "policy/sharing/tenants.hpp"

#include "policy/room/room.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace vmall::policy::sharing {

namespace {

using Group = std::vector<const Tenant *>; // in order of arrival
using CoreSet = std::set<int>;

// Who sits where: up to `capacity` tenants on a core, each on cores that it may have.
class Seats {
  public:
    Seats(std::vector<Cores> candidates, int capacity)
        : candidates_(std::move(candidates)), capacity_(static_cast<std::size_t>(capacity)),
          seated_(candidates_.size()) {
        for (const Cores &cores : candidates_)
            for (const int core : cores)
                ++wanted_by_[core];
    }

    const CoreSet &of(std::size_t who) const { return seated_[who]; }

    // Each up to so many, what it has now first: of that, what others want least.
    void keep(std::size_t who, Cores now, int most) {
        std::stable_sort(now.begin(), now.end(),
                         [&](int one, int other) { return wanted_by_[one] < wanted_by_[other]; });
        for (const int core : now)
            if (static_cast<int>(seated_[who].size()) < most && may_have(who, core) &&
                is_free(core) && seated_[who].count(core) == 0)
                sit(who, core);
    }

    // In turns, until nobody can have another one.
    void fill(const Allotments &most) {
        for (bool any = true; std::exchange(any, false);)
            for (std::size_t who = 0; who < seated_.size(); ++who)
                if (static_cast<int>(seated_[who].size()) < most[who]) {
                    CoreSet tried;
                    any = seat(who, tried) || any;
                }
    }

  private:
    bool may_have(std::size_t who, int core) const {
        const Cores &cores = candidates_[who];
        return std::binary_search(cores.begin(), cores.end(), core);
    }

    bool is_free(int core) const {
        const auto found = sitting_.find(core);
        return found == sitting_.end() || found->second.size() < capacity_;
    }

    void sit(std::size_t who, int core) {
        seated_[who].insert(core);
        sitting_[core].push_back(who);
    }

    void rise(std::size_t who, int core) {
        seated_[who].erase(core);
        auto &there = sitting_[core];
        there.erase(std::find(there.begin(), there.end(), who));
    }

    // On a free core, else on one from which somebody can go elsewhere.
    bool seat(std::size_t who, CoreSet &tried) {
        const auto at = [&](int core) { return seated_[who].count(core) != 0; };
        for (const int core : candidates_[who])
            if (!at(core) && is_free(core)) {
                sit(who, core);
                return true;
            }
        for (const int core : candidates_[who])
            if (!at(core) && tried.insert(core).second && make_room(core, tried)) {
                sit(who, core);
                return true;
            }
        return false;
    }

    bool make_room(int core, CoreSet &tried) {
        const std::vector<std::size_t> there = sitting_[core];
        for (const std::size_t other : there)
            if (seat(other, tried)) {
                rise(other, core);
                return true;
            }
        return false;
    }

    std::vector<Cores> candidates_;
    std::size_t capacity_;
    std::vector<CoreSet> seated_;                     // by tenant
    std::map<int, std::vector<std::size_t>> sitting_; // by core
    std::map<int, int> wanted_by_;
};

Cores cores_of(const Tenant &tenant) {
    return tenant.moves ? tenant.given : tenant.now;
}

bool have_common(const Cores &cores, const CoreSet &others) {
    return std::any_of(
        cores.begin(), cores.end(), [&](int core) { return others.count(core) != 0; });
}

// Those that have cores in common with the first of `left`, which they leave.
Group take_group(Group &left) {
    Group group = {left.front()};
    left.erase(left.begin());
    const Cores first = cores_of(*group.front());
    CoreSet cores(first.begin(), first.end());
    const auto is_neighbour = [&](const Tenant *one) { return have_common(cores_of(*one), cores); };
    for (;;) {
        const auto found = std::find_if(left.begin(), left.end(), is_neighbour);
        if (found == left.end())
            break;
        const Cores more = cores_of(**found);
        cores.insert(more.begin(), more.end());
        group.push_back(*found);
        left.erase(found);
    }
    std::sort(group.begin(), group.end()); // they stand in one vector, in order of arrival
    return group;
}

Application application_of(const Tenant &tenant, int max_mpl) {
    Application application;
    application.requested = static_cast<int>(cores_of(tenant).size());
    if (tenant.moves) {
        const bool is_agreed = tenant.agreed_mpl > 0;
        application.least = std::clamp(folded_width(application.requested, tenant.cores_per_process,
                                                    is_agreed ? tenant.agreed_mpl : max_mpl),
                                       1, application.requested);
        if (is_agreed)
            application.requested = application.least;
        application.measured = tenant.measured;
    }
    return application;
}

Applications applications_of(const Group &group, int max_mpl) {
    Applications applications;
    for (const Tenant *tenant : group)
        applications.push_back(application_of(*tenant, max_mpl));
    return applications;
}

int least_of_all(const Applications &applications) {
    return std::accumulate(
        applications.begin(), applications.end(), 0,
        [](int sum, const auto &one) { return sum + one.least; });
}

// Those of the cores that are among the others, or that are not.
Cores among(const Cores &cores, const CoreSet &others, bool is_among) {
    Cores found;
    std::copy_if(cores.begin(), cores.end(), std::back_inserter(found),
                 [&](int core) { return (others.count(core) != 0) == is_among; });
    return found;
}

// What is left for each at first where they want more than there is; else no bound.
int equal_part(const std::vector<Cores> &candidates, const Allotments &most, int capacity) {
    CoreSet all;
    int many = 0, wanted = 0;
    for (std::size_t who = 0; who < candidates.size(); ++who) {
        all.insert(candidates[who].begin(), candidates[who].end());
        many += !candidates[who].empty() && most[who] > 0;
        wanted += std::min(static_cast<int>(candidates[who].size()), most[who]);
    }
    const int there = static_cast<int>(all.size()) * capacity;
    return wanted > there ? there / many : wanted;
}

Seats seat_on(const Group &group, const CoreSet &occupied, bool on_occupied, const Allotments &most,
              int capacity) {
    std::vector<Cores> candidates;
    for (const Tenant *tenant : group)
        candidates.push_back(tenant->moves ? among(tenant->given, occupied, on_occupied) : Cores{});
    const int part = equal_part(candidates, most, capacity);
    Seats seats(std::move(candidates), capacity);
    for (const int bound : {part, std::numeric_limits<int>::max()})
        for (std::size_t who = 0; who < group.size(); ++who)
            seats.keep(who, group[who]->now, std::min(most[who], bound));
    seats.fill(most);
    return seats;
}

// Where up to `capacity` of those that move use a core. False: somebody would have too little.
bool deal(const Group &group, int max_mpl, int capacity, const Shares &shares,
          std::map<const Tenant *, Cores> &dealt) {
    CoreSet all, occupied;
    for (const Tenant *tenant : group) {
        const Cores cores = cores_of(*tenant);
        all.insert(cores.begin(), cores.end());
        if (!tenant->moves)
            occupied.insert(cores.begin(), cores.end());
    }
    const Applications applications = applications_of(group, max_mpl);
    const int processors = static_cast<int>(all.size()) * capacity;
    if (least_of_all(applications) > processors)
        return false;
    const Allotments share = shares(processors, applications);
    Allotments missing;
    const Seats alone = seat_on(group, occupied, false, share, capacity);
    for (std::size_t who = 0; who < group.size(); ++who)
        missing.push_back(2 * (share[who] - static_cast<int>(alone.of(who).size())));
    const Seats beside = seat_on(group, occupied, true, missing, capacity);
    for (std::size_t who = 0; who < group.size(); ++who) {
        CoreSet cores = alone.of(who);
        cores.insert(beside.of(who).begin(), beside.of(who).end());
        if (group[who]->moves && static_cast<int>(cores.size()) < applications[who].least)
            return false;
        dealt[group[who]] = group[who]->moves ? Cores(cores.begin(), cores.end()) : group[who]->now;
    }
    return true;
}

} // namespace

std::vector<Cores> deal_cores(const std::vector<Tenant> &tenants, int max_mpl,
                              const Shares &shares) {
    Group left;
    for (const Tenant &tenant : tenants)
        left.push_back(&tenant);
    std::map<const Tenant *, Cores> dealt;
    while (!left.empty()) {
        const Group group = take_group(left);
        int capacity = 1; // as many as there are tenants is room enough for all
        while (!deal(group, max_mpl, capacity, shares, dealt))
            ++capacity;
    }
    std::vector<Cores> result;
    for (const Tenant &tenant : tenants)
        result.push_back(dealt[&tenant]);
    return result;
}

Shares without_rest(Shares shares) {
    return [by = std::move(shares)](int processors, const Applications &applications) {
        Allotments dealt = by(processors, applications);
        int left = processors - std::accumulate(dealt.begin(), dealt.end(), 0);
        for (bool any = true; std::exchange(any, false);)
            for (std::size_t who = 0; who < dealt.size() && left > 0; ++who)
                if (dealt[who] < applications[who].requested) {
                    ++dealt[who];
                    --left;
                    any = true;
                }
        return dealt;
    };
}

int mpl_on(const Tenant &tenant, int cores) {
    const int processes =
        std::max(static_cast<int>(tenant.given.size()) / tenant.cores_per_process, 1);
    return ceil_div(processes, std::max(cores / tenant.cores_per_process, 1));
}

} // namespace vmall::policy::sharing
