// SPDX-License-Identifier: GPL-2.0-or-later
//
// A node in one thread: the ranks of a job as coroutines, their runtime page, futexes, processes
// and clock. All that can change lies in memory that is copied to keep a state and to return to it.
#pragma once

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

namespace vmall::interleavings {

inline constexpr std::uint32_t most_ranks = 4;

// What happens from when the ranks have joined their run queues until they have left them.
struct Scenario {
    const char *name = "";
    std::uint32_t ranks = 2;
    // Of each rank, one letter for each step: 'p' polls in vain, 'l' leaves the run queue and joins
    // it again.
    const char *program = "pp";
    // How often at most, at any moment,
    int preemptions = INT_MAX; // a rank goes on though the one before could have
    int deaths = 0;            // SIGKILL
    int stops = 0;             // SIGSTOP, and at any later moment SIGCONT
    int late_wakeups = 0;      // its patience ends while others still run
    bool futexes_work = true;  // else nobody wakes up by them: to see that it is noticed
};

enum class Happening { step, late_wakeup, patience_ends, death, stop, resumption };

struct Move {
    Happening happening;
    std::uint32_t rank; // none where patience ends: that of all who sleep does
};

class Node {
  public:
    explicit Node(const Scenario &scenario);

    std::vector<Move> possible_moves() const;
    void make(const Move &move);
    std::string describe(const Move &move) const; // before it is made

    // Why this state must not be; empty: it may. Nobody goes on without a turn, or with that of
    // another one that runs; no claim is forgotten; not all sleep, but through one
    // or two patiences after one has died, was stopped, woke up late, or has left.
    const std::string &fault() const;
    // Every rank alive has left.
    bool is_over() const;

    void copy_state(std::string &state) const;
    void restore(const std::string &state);

  private:
    const Scenario scenario_;
};

} // namespace vmall::interleavings
