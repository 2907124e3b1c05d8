// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two phases, detecting and watching, over two kinds of windows, for CVCS and for IP.
#include "libvmrt/load_balance.hpp"

namespace vmall::runtime {
namespace {

double difference(std::uint64_t later, std::uint64_t earlier) {
    return static_cast<double>(later - earlier);
}

double distance(double a, double b) {
    return a < b ? b - a : a - b;
}

bool is_steady(double a, double b) {
    const double greater = a < b ? b : a;
    return distance(a, b) <= LoadBalance::steady_distance ||
           distance(a, b) <= LoadBalance::steady_change * greater;
}

} // namespace

double variation_of_switches(const double *switches, std::uint32_t count) {
    double sum = 0, squares = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        sum += switches[i];
    if (sum <= 0)
        return 0;
    const double mean = sum / count;
    for (std::uint32_t i = 0; i < count; ++i)
        squares += (switches[i] - mean) * (switches[i] - mean);
    return __builtin_sqrt(squares / count) / mean;
}

double idleness(double sum, double greatest, std::uint32_t count) {
    return greatest <= 0 ? 0 : 1 - sum / (greatest * count);
}

void LoadBalance::restart() {
    phase_ = Phase::empty;
}

vmall_run_queues LoadBalance::sample(const Counters *ranks, std::uint32_t count) {
    if (phase_ == Phase::empty || count != count_) {
        queues_ = VMALL_QUEUES_LOCAL;
        watch_patience_ = first_watch_patience;
        begin_detection(ranks, count);
    } else if (!accumulate(ranks, count)) {
        begin_detection(ranks, count);
    } else if (phase_ == Phase::detecting) {
        detect(ranks, count);
    } else {
        watch(ranks, count);
    }
    count_ = count;
    for (std::uint32_t i = 0; i < count; ++i)
        last_[i] = ranks[i];
    return queues_;
}

void LoadBalance::begin_detection(const Counters *ranks, std::uint32_t count) {
    phase_ = Phase::detecting;
    window_ = first_window;
    samples_ = samples_switched_ = agreements_ = 0;
    variation_sum_ = 0;
    has_last_variation_ = false;
    begin_idleness(ranks, count);
}

void LoadBalance::begin_idleness(const Counters *ranks, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        useful_at_start_[i] = ranks[i].useful_ns;
        turns_[i] = 0;
    }
}

// False if a counter went back.
bool LoadBalance::accumulate(const Counters *ranks, std::uint32_t count) {
    double sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (ranks[i].switches < last_[i].switches || ranks[i].useful_ns < last_[i].useful_ns)
            return false;
        sum += switches_[i] = difference(ranks[i].switches, last_[i].switches);
        turns_[i] += ranks[i].useful_ns > last_[i].useful_ns;
    }
    ++samples_;
    if (sum > 0) {
        ++samples_switched_;
        variation_sum_ += variation_of_switches(switches_, count);
    }
    return true;
}

void LoadBalance::detect(const Counters *ranks, std::uint32_t count) {
    if (samples_switched_ < window_)
        return;
    const double variation = variation_sum_ / samples_switched_;
    samples_ = samples_switched_ = 0;
    variation_sum_ = 0;
    if (!has_last_variation_ || !is_steady(variation, last_variation_)) {
        if (has_last_variation_ && window_ < longest_window)
            window_ *= 2;
        agreements_ = 0;
        begin_idleness(ranks, count);
    } else {
        ++agreements_;
    }
    last_variation_ = variation;
    has_last_variation_ = true;
    double ip = 0;
    const std::uint32_t turns = measure_idleness(ranks, count, ip);
    const bool is_close = distance(ip, ip_border) <= ip_close;
    if (agreements_ < agreements_needed || turns < (is_close ? turns_if_close : least_turns))
        return;
    queues_ = ip > ip_border ? VMALL_QUEUES_GLOBAL : VMALL_QUEUES_LOCAL;
    phase_ = Phase::watching;
    contradictions_ = 0;
    begin_idleness(ranks, count);
}

void LoadBalance::watch(const Counters *ranks, std::uint32_t count) {
    double ip = 0;
    if (samples_ < watch_window || measure_idleness(ranks, count, ip) < least_turns)
        return;
    samples_ = 0;
    begin_idleness(ranks, count);
    const bool contradicts =
        queues_ == VMALL_QUEUES_LOCAL ? ip > ip_border + ip_margin : ip < ip_border - ip_margin;
    contradictions_ = contradicts ? contradictions_ + 1 : 0;
    if (contradictions_ < watch_patience_)
        return;
    if (watch_patience_ < longest_watch_patience)
        watch_patience_ *= 2;
    begin_detection(ranks, count);
}

// Returns how many useful stretches the busiest rank has ended at least.
std::uint32_t LoadBalance::measure_idleness(const Counters *ranks, std::uint32_t count,
                                            double &result) {
    double sum = 0, greatest = 0, of_busiest = 0;
    std::uint32_t turns_of_busiest = 0, places = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        places_[i] = {};
    for (std::uint32_t i = 0; i < count; ++i) {
        const double useful = difference(ranks[i].useful_ns, useful_at_start_[i]);
        sum += useful;
        OfPlace &place = places_[ranks[i].place];
        place.useful += useful;
        places += !place.exists;
        place.exists = true;
        if (place.useful > greatest)
            greatest = place.useful;
        if (useful > of_busiest) {
            of_busiest = useful;
            turns_of_busiest = turns_[i];
        }
    }
    result = idleness(sum, greatest, places);
    return turns_of_busiest;
}

} // namespace vmall::runtime
