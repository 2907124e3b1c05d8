// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranks that live and do not wait compute, or do what nobody can do for them.
#include "wire/useful_share.hpp"

#include <algorithm>
#include <cmath>

namespace vmall::wire {

namespace {

// What each new interval counts, against all those before.
constexpr double weight = 0.5;

// Of who does nothing but wait: 0 is not known, and the cores of such a job would be everybody's.
constexpr double least_share = 0.01;

constexpr std::size_t most_speedups = 8;

// Beyond that it is another program by now.
constexpr double highest_folding = 5;

// Of who does hardly anything but send messages.
constexpr double highest_expected = 1000;

// In a second, by a rank: their number says nothing.
constexpr double few_messages = 1;

constexpr double nanoseconds = 1e9;

double difference(std::uint64_t now, std::uint64_t before) {
    return static_cast<double>(now - before);
}

// Counters of the same ranks grow, and their lives by as much time as has passed.
bool are_same_ranks(const RankReport &before, const RankReport &now, std::int64_t seconds) {
    if (now.attached == 0 || now.attached != before.attached || now.tasks != before.tasks ||
        now.attached < now.tasks || now.useful_ns < before.useful_ns ||
        now.waiting_ns < before.waiting_ns || now.messages < before.messages)
        return false;
    const double lived =
        difference(now.useful_ns, before.useful_ns) + difference(now.waiting_ns, before.waiting_ns);
    const double expected = nanoseconds * static_cast<double>(seconds) * now.attached;
    const double doubt = 0.1 * expected + nanoseconds * now.attached; // times are whole seconds
    return lived > 0 && std::abs(lived - expected) <= doubt;
}

bool are_same(const Held &one, const Held &other) {
    return one.tasks == other.tasks && one.cores == other.cores && one.mpl == other.mpl &&
           one.suspended == other.suspended;
}

void smooth(double &value, double measured) {
    value = value == 0 ? measured : value + weight * (measured - value);
}

int percent_of(double share) {
    return std::clamp(static_cast<int>(std::lround(100 * share)), 1, 100);
}

std::optional<int> known_percent_of(double share) {
    return share > 0 ? std::optional<int>(percent_of(share)) : std::nullopt;
}

} // namespace

UsefulShare::UsefulShare(int unfolded_percent, int cost_percent)
    : unfolded_(std::clamp(unfolded_percent, 1, 100) / 100.0),
      cost_(std::clamp(cost_percent, 100, 10000) / 100.0), has_shown_cost_(cost_ > 1) {}

void UsefulShare::note(const RankReport &ranks, std::int64_t now, const Held &held) {
    const std::optional<Report> before = last_;
    last_ = {ranks, now, held};
    if (!before || now <= before->at || !are_same(before->held, held) ||
        !are_same_ranks(before->ranks, ranks, now - before->at))
        return;
    const double useful = difference(ranks.useful_ns, before->ranks.useful_ns);
    const double waited = difference(ranks.waiting_ns, before->ranks.waiting_ns);
    const double messages = difference(ranks.messages, before->ranks.messages);
    learn(std::max(useful / (useful + waited), least_share),
          messages / static_cast<double>(now - before->at) / ranks.attached, held);
}

void UsefulShare::learn_unfolded(double share, double messages, const Held &held) {
    smooth(unfolded_, share);
    last_unfolded_ = share;
    smooth(unfolded_messages_, messages);
    const double hand_overs = unfolded_messages_ * held.hand_over_ns / nanoseconds;
    expected_ = std::min(1 + hand_overs / unfolded_, highest_expected);
    if (!has_shown_cost_)
        cost_ = expected_;
}

// Folded, the same work takes its ranks longer as their share is smaller; and a job that computes
// more than before sends fewer messages.
void UsefulShare::learn_folded(double share, double messages, const Held &held) {
    double slowdown = unfolded_ / share;
    const double promised = std::max(1.0, held.mpl * unfolded_);
    if (unfolded_messages_ > few_messages) {
        slowdown = std::max(slowdown, unfolded_messages_ / std::max(messages, few_messages));
        smooth(folding_, std::clamp(slowdown / promised, 1.0, highest_folding));
    }
    const double highest = held.mpl / promised; // nobody is slower for taking turns
    smooth(cost_, std::clamp(slowdown / promised, 1.0, std::max(highest, 1.0)));
    has_shown_cost_ = true;
}

void UsefulShare::learn(double share, double messages, const Held &held) {
    if (held.mpl == 1)
        learn_unfolded(share, messages, held);
    else if (unfolded_ > 0)
        learn_folded(share, messages, held);
    const auto on_as_many = [&](const auto &one) { return one.processors == held.cores; };
    speedups_.erase(std::remove_if(speedups_.begin(), speedups_.end(), on_as_many),
                    speedups_.end());
    if (speedups_.size() == most_speedups)
        speedups_.erase(speedups_.begin());
    speedups_.push_back({held.cores, share * held.tasks * held.cores_per_task});
}

std::optional<int> UsefulShare::unfolded_percent() const {
    return known_percent_of(unfolded_);
}

std::optional<int> UsefulShare::last_unfolded_percent() const {
    return known_percent_of(last_unfolded_);
}

int UsefulShare::cost_percent() const {
    return static_cast<int>(std::lround(100 * cost_));
}

int UsefulShare::expected_percent() const {
    if (unfolded_ == 0)
        return 100;
    const double shown = folding_ > 0 ? folding_ : highest_expected;
    return static_cast<int>(std::lround(100 * unfolded_ * std::min(expected_, shown)));
}

std::optional<int> UsefulShare::folding_percent() const {
    return folding_ > 0 ? std::optional<int>(static_cast<int>(std::lround(100 * folding_)))
                        : std::nullopt;
}

int UsefulShare::reckoned_percent() const {
    return unfolded_ > 0 ? percent_of(unfolded_ * cost_) : 100;
}

} // namespace vmall::wire
