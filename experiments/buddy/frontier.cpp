// SPDX-License-Identifier: GPL-2.0-or-later
//
// Get_min_frontier_segment() and Update_frontier() of figure 6.3.
#include "experiments/buddy/frontier.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::policy::buddy {

int forced_slots(const Segment &segment, int slots) {
    const int lowest_bit = segment.height & -segment.height;
    return segment.height == 0 ? slots : lowest_bit;
}

Frontier::Frontier(int processors, int slots) : slots_(slots), segments_{{0, processors, 0}} {}

const Segment &Frontier::lowest_forced() const {
    if (segments_.empty())
        throw std::logic_error("the interval is full");
    return *std::min_element(segments_.begin(), segments_.end(),
                             [this](const Segment &left, const Segment &right) {
                                 return forced_slots(left, slots_) < forced_slots(right, slots_);
                             });
}

Rectangle Frontier::place(int processors, int slots) {
    const Segment below = lowest_forced();
    if (processors > below.processors || below.height + slots > slots_)
        throw std::logic_error("the rectangle does not fit on the segment");
    std::vector<Segment> old;
    old.swap(segments_);
    for (const Segment &segment : old) {
        if (segment.first_processor == below.first_processor) {
            append({below.first_processor, processors, below.height + slots});
            append(
                {below.first_processor + processors, below.processors - processors, below.height});
        } else {
            append(segment);
        }
    }
    return {below.first_processor, processors, below.height, slots};
}

void Frontier::append(const Segment &segment) {
    if (segment.processors == 0 || segment.height == slots_)
        return;
    if (!segments_.empty() && segments_.back().height == segment.height)
        segments_.back().processors += segment.processors;
    else
        segments_.push_back(segment);
}

} // namespace vmall::policy::buddy
