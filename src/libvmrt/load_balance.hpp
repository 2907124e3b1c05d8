// SPDX-License-Identifier: GPL-2.0-or-later
//
// The load-balance detector: whether a folded job does better with local run queues or a global one
// (thesis, s. 4.3.3, 4.4.3 and 4.4.4). Pure arithmetic on counters that somebody else reads.
//
// The work that IP compares is that of places, not of ranks: ranks that share a CPU even out among
// themselves what differs between them, so that only what one CPU's ranks have more to do than
// another's costs time with local queues. With a rank for each place it is the thesis' IP; so it is
// where ranks are dealt out to CPUs in turn and every second one has more work, as in the thesis.
//
// When the coefficient of variation of the ranks' context switches (CVCS, equation 4.1) has become
// steady, the job is past its initialization, and its idleness percentage (IP, figure 4.3) from
// then on decides: up to ip_border local queues, else global. Until then the queues are local, in
// the thesis global: most programs do better with local ones, and so do those that never become
// steady.
//
// The thesis has no number for "steady" and leaves programs that change to future work. Ours:
//
// * Steady are three windows in a row whose mean CVCS differ by less than steady_change. A window
//   has first_window samples; each disagreement doubles that, so that noise averages out.
// * IP counts only once the busiest rank has ended least_turns useful stretches: useful time is
//   counted when a stretch ends, so that fewer would make a balanced program look imbalanced.
//   Closer than ip_close to the border it takes turns_if_close.
// * After the decision IP is watched on. When it was on the other side of the border, by more than
//   ip_margin, for some windows in a row, detection begins again. Every time that happened takes
//   twice as many windows as the time before: whatever the program does, it cannot flap.
//
// IP can be watched with either queue, because useful time is counted by rank, wherever it runs,
// and added up by the places that local queues would have: ranks that wait for each other advance
// together, whoever shares a CPU with whom, so the relation of their useful times is that of their
// work. Ranks that never wait for each other get, with local
// queues, what their CPU has for them; IP then says how unevenly the CPUs are filled, which is as
// good a reason for the global queue.
#pragma once

#include "layout/control_block.h"
#include "layout/runtime_page.h"

#include <cstdint>

namespace vmall::runtime {

// Of one rank, since it attached.
struct Counters {
    std::uint64_t switches;
    std::uint64_t useful_ns;
    std::uint32_t place; // its own, that it has with local queues; 0 to the number of ranks - 1
};

// Standard deviation over mean of `switches`; 0 if their mean is 0.
double variation_of_switches(const double *switches, std::uint32_t count);

// 1 - sum / (greatest * count), between 0 and 1; 0 if nobody did anything.
double idleness(double sum, double greatest, std::uint32_t count);

class LoadBalance {
  public:
    static constexpr std::uint64_t sample_period_ns = 10'000'000;
    static constexpr double ip_border = 0.10;
    static constexpr double ip_margin = 0.025;
    static constexpr double ip_close = 0.05;
    static constexpr double steady_change = 0.25;   // of the greater mean
    static constexpr double steady_distance = 0.10; // or absolute, for means near 0
    static constexpr std::uint32_t first_window = 10, longest_window = 160;
    static constexpr std::uint32_t agreements_needed = 2;
    static constexpr std::uint32_t least_turns = 50, turns_if_close = 200;
    static constexpr std::uint32_t watch_window = 200;
    static constexpr std::uint32_t first_watch_patience = 3, longest_watch_patience = 48;

    // One sample of all ranks on the node (at most VMALL_RUNTIME_SLOTS), a sample_period_ns or more
    // after the last, in the same order as the last: after a change of who they are, restart()
    // comes first. Places without a rank are none. Takes any numbers but for places; where a
    // counter went back, detection begins again.
    vmall_run_queues sample(const Counters *ranks, std::uint32_t count);

    // Detection begins again, as for a program that was just started.
    void restart();

  private:
    enum class Phase { empty, detecting, watching };
    struct OfPlace {
        double useful;
        bool exists;
    };

    void begin_detection(const Counters *ranks, std::uint32_t count);
    void begin_idleness(const Counters *ranks, std::uint32_t count);
    bool accumulate(const Counters *ranks, std::uint32_t count);
    void detect(const Counters *ranks, std::uint32_t count);
    void watch(const Counters *ranks, std::uint32_t count);
    std::uint32_t measure_idleness(const Counters *ranks, std::uint32_t count, double &result);

    Phase phase_ = Phase::empty;
    vmall_run_queues queues_ = VMALL_QUEUES_LOCAL;
    std::uint32_t count_ = 0;
    Counters last_[VMALL_RUNTIME_SLOTS] = {};

    // Of the window for CVCS.
    std::uint32_t window_ = 0;           // samples until it ends
    std::uint32_t samples_ = 0;          // so far
    std::uint32_t samples_switched_ = 0; // those in which anybody switched
    double variation_sum_ = 0;
    double last_variation_ = 0; // mean of the window before
    bool has_last_variation_ = false;
    std::uint32_t agreements_ = 0;

    // Of the stretch of time that IP is measured over.
    std::uint64_t useful_at_start_[VMALL_RUNTIME_SLOTS] = {};
    std::uint32_t turns_[VMALL_RUNTIME_SLOTS] = {}; // samples in which useful time grew

    std::uint32_t contradictions_ = 0; // windows in a row
    std::uint32_t watch_patience_ = 0;

    // Of one sample; here because the stack is the program's.
    double switches_[VMALL_RUNTIME_SLOTS] = {};
    OfPlace places_[VMALL_RUNTIME_SLOTS] = {};
};

} // namespace vmall::runtime
