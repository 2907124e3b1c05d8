// SPDX-License-Identifier: GPL-2.0-or-later
//
// A set of process counts, such as those that a job accepts.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

namespace vmall::common {

// Kept as ranges: "any count up to 65536" is one of them.
class Sizes {
  public:
    struct Range {
        int first, last; // both in it
    };

    Sizes() = default; // none
    // In any order; repeats do no harm.
    Sizes(std::initializer_list<int> sizes);
    explicit Sizes(const std::vector<int> &sizes);
    // In any order; they may overlap. Those that end before they begin are empty.
    explicit Sizes(std::vector<Range> ranges);
    // All of them, from the first to the last.
    static Sizes from_to(int first, int last) { return Sizes(std::vector<Range>{{first, last}}); }

    bool empty() const { return ranges_.empty(); }
    int count() const;
    bool contains(int size) const;

    // There must be one.
    int smallest() const { return ranges_.front().first; }
    int largest() const { return ranges_.back().last; }

    // The largest one that is not above this.
    std::optional<int> largest_up_to(int most) const;

    void add(int size);

    // Takes away those below the first and above the last.
    void keep_within(int first, int last);

    // Ascending, with a gap between any two.
    const std::vector<Range> &ranges() const { return ranges_; }

    // The one with so many below it; there must be one.
    int at(int place) const;

    // Ascending, one by one: as many as there are, so not for what is done often.
    std::vector<int> one_by_one() const;

    friend bool operator==(const Sizes &left, const Sizes &right);
    friend bool operator!=(const Sizes &left, const Sizes &right) { return !(left == right); }

  private:
    std::vector<Range> ranges_;
};

} // namespace vmall::common
