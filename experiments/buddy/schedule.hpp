// SPDX-License-Identifier: GPL-2.0-or-later
//
// Time-sharing schedules for jobs that need a minimum number of processors (McCann's thesis,
// ch. 6).
//
// J jobs share P processors over an interval T that repeats. Every job gets the same share of it,
// P T / J, in one piece: a rectangle of processors and time. Time is counted in slots of T / J, of
// which a job on all processors needs one; a job on A processors takes P / A slots, which is a
// whole number in every schedule here. So nothing needs fractions.
#pragma once

#include <vector>

namespace vmall::policy::buddy {

struct Rectangle {
    int first_processor = 0;
    int processors = 0;
    int first_slot = 0;
    int slots = 0;
    friend bool operator==(const Rectangle &left, const Rectangle &right) {
        return left.first_processor == right.first_processor &&
               left.processors == right.processors && left.first_slot == right.first_slot &&
               left.slots == right.slots;
    }
};

struct Schedule {
    int processors = 0;
    std::vector<Rectangle> jobs; // as the jobs were given; the interval has as many slots as jobs
};

// Processors that change hands in every interval (eq. 6.1): those of the jobs that do not hold
// theirs all the time. What the policies keep low.
int reallocated_processors(const Schedule &schedule);

// What all the policies demand: one or more processors and jobs, and minima from 1 to
// `processors`. Throws std::invalid_argument.
void check_jobs(int processors, const std::vector<int> &minima);

// The jobs, by index, from the smallest minimum to the largest; equals in the order given.
std::vector<int> smallest_minimum_first(const std::vector<int> &minima);

} // namespace vmall::policy::buddy
