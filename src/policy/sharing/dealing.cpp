// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dealing processors out one by one.
#include "policy/sharing/dealing.hpp"

#include <numeric>
#include <queue>
#include <vector>

namespace vmall::policy::sharing {

namespace {

struct Bid {
    double efficiency;
    std::size_t index;
};

struct LowerBid {
    bool operator()(const Bid &left, const Bid &right) const {
        return left.efficiency != right.efficiency ? left.efficiency < right.efficiency
                                                   : left.index > right.index;
    }
};

int left_over(int processors, const Allotments &allotments) {
    return std::accumulate(allotments.begin(), allotments.end(), processors, std::minus<>());
}

} // namespace

Allotments deal_evenly(int processors, const Applications &applications, const MayHave &may_have) {
    Allotments result;
    for (const auto &application : applications)
        result.push_back(application.least);
    int left = left_over(processors, result);
    std::vector<bool> has_enough(applications.size(), false);
    std::size_t want_more = applications.size();
    for (int turn = 1; left > 0 && want_more > 0; turn++) {
        for (std::size_t index = 0; index < applications.size() && left > 0; index++) {
            if (has_enough[index] || result[index] >= turn)
                continue;
            if (turn <= applications[index].requested && may_have(index, turn)) {
                result[index] = turn;
                left--;
            } else {
                has_enough[index] = true;
                want_more--;
            }
        }
    }
    return result;
}

Allotments deal_to_most_efficient(int processors, const Applications &applications,
                                  Allotments allotments, const Efficiency &efficiency,
                                  double least_efficiency) {
    std::priority_queue<Bid, std::vector<Bid>, LowerBid> bids;
    const auto bid = [&](std::size_t index) {
        if (allotments[index] < applications[index].requested)
            bids.push({efficiency(index, allotments[index] + 1), index});
    };
    for (std::size_t index = 0; index < applications.size(); index++)
        bid(index);
    int left = left_over(processors, allotments);
    while (left > 0 && !bids.empty() && bids.top().efficiency >= least_efficiency) {
        const std::size_t best = bids.top().index;
        bids.pop();
        allotments[best]++;
        left--;
        bid(best);
    }
    return allotments;
}

} // namespace vmall::policy::sharing
