// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the bench measures, and the file that keeps it: comma-separated values with a line for each
// row, written as soon as the row is there. A bench that was ended goes on where it stopped.
#pragma once

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace vmall::bench {

enum class State {
    measured,
    over,    // ended because it took more than `values[0]` times the ideal
    skipped, // `note` says what is missing
    failed,  // `note` says why
};

// A program on one side.
struct Row {
    std::string table;
    std::string program;
    long grain_us = 0; // of a rank, in the table "grain"
    int mpl = 1;       // ranks per CPU
    std::string side;
    int ranks = 0, cpus = 0;
    std::vector<double> values = {}; // of the repetitions, in order; ratios unless the table says
                                     // something else
    State state = State::measured;
    std::string note = {};
};

// Of one or more values.
double median(std::vector<double> values);

// One line for people.
void print(const Row &row, std::ostream &out);

// The rows of a file, so that none is measured twice. Rows that failed do not count as measured.
class Record {
  public:
    // None: nothing is kept. Throws std::runtime_error if the file is not one of ours.
    explicit Record(std::string path = {});

    bool has(const Row &row) const;
    // Appends; throws std::runtime_error if it cannot.
    void add(const Row &row);

  private:
    std::string path_;
    std::set<std::string> keys_;
};

} // namespace vmall::bench
