// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far BUDDY has filled the interval on each processor (s. 6.3).
#pragma once

#include "experiments/buddy/schedule.hpp"

#include <vector>

namespace vmall::policy::buddy {

// Neighbouring processors that are filled to the same slot.
struct Segment {
    int first_processor = 0;
    int processors = 0;
    int height = 0; // slots
};

// The largest number of slots, a power of two, that can be placed on the segment without making a
// smaller piece necessary later (lemma 6.1). In an interval of 2^n slots a height of C / 2^x, with
// C odd, forces slots of at most 1 / 2^x of the interval.
int forced_slots(const Segment &segment, int slots);

// Of an interval with `slots` slots, a power of two. A staircase that falls from left to right
// (lemma 6.2), and every segment forces another number of slots (lemma 6.3).
class Frontier {
  public:
    Frontier(int processors, int slots);

    // Where BUDDY goes on: the segment that forces the fewest slots. Not when all is filled.
    const Segment &lowest_forced() const;

    // Places a rectangle of that size at the left of that segment, and answers where that is. It
    // must fit.
    Rectangle place(int processors, int slots);

    const std::vector<Segment> &segments() const { return segments_; }

  private:
    void append(const Segment &segment);

    int slots_;
    std::vector<Segment> segments_; // left to right, without those filled to the top
};

} // namespace vmall::policy::buddy
