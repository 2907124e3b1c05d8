// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of Folding: who holds which stretch of the ring.
#include "experiments/mesh/policy/fold_walk.hpp"

#include "experiments/mesh/policy/rotation.hpp"

#include <algorithm>

namespace vmall::policy::mesh {

namespace {

constexpr char freed_small = 'f'; // unlike 's' it takes nothing from a large one after it

int bits_reversed(int value, int bits) {
    int result = 0;
    for (int bit = 0; bit < bits; bit++)
        result |= (value >> bit & 1) << (bits - 1 - bit);
    return result;
}

} // namespace

FoldWalk::FoldWalk(const Mesh &mesh) : mesh_(mesh), ring_(ring(mesh, 0)) {}

bool FoldWalk::runs(JobId job) const {
    return std::any_of(
        stretches_.begin(), stretches_.end(),
        [job](const Stretch &stretch) { return stretch.owner == job; });
}

bool FoldWalk::all_of_size(int cells) const {
    return std::all_of(
        stretches_.begin(), stretches_.end(),
        [cells](const Stretch &stretch) { return stretch.cells == cells; });
}

Rectangle FoldWalk::rectangle(const Stretch &stretch) const {
    const Rectangle &first = ring_[stretch.first];
    return stretch.cells == 1 ? first : around(first, ring_[cell_after(stretch.first)]);
}

std::vector<Occupancy> FoldWalk::holdings() const {
    std::vector<Occupancy> result;
    for (const auto &stretch : stretches_)
        result.push_back({*stretch.owner, rectangle(stretch)});
    return result;
}

std::string FoldWalk::rotation_string() const {
    std::string result;
    for (const auto &stretch : stretches_)
        result += stretch.cells == 2 ? 'b' : stretch.owner ? 's' : freed_small;
    return result;
}

// Nothing moves, but the walk may go another way round. All partitions are small when the level
// rises, and cells of the coarser ring when it falls.
void FoldWalk::set_level(int level) {
    const Ring to = ring(mesh_, level);
    for (auto &stretch : stretches_) {
        const Rectangle held = rectangle(stretch);
        const auto first = std::find_if(
            to.begin(), to.end(), [&held](const Rectangle &cell) { return overlap(held, cell); });
        stretch.first = static_cast<int>(first - to.begin());
        stretch.cells = level > level_ ? 2 : 1;
    }
    level_ = level;
    ring_ = to;
    std::sort(stretches_.begin(), stretches_.end(),
              [](const Stretch &a, const Stretch &b) { return a.first < b.first; });
}

int FoldWalk::choose_to_halve() const {
    int chosen = -1;
    int chosen_rank = 0;
    for (int i = 0; i < jobs(); i++) {
        const int rank = bits_reversed(stretches_[i].first / 2, level_ - 1);
        if (stretches_[i].cells == 2 && (chosen < 0 || rank < chosen_rank)) {
            chosen = i;
            chosen_rank = rank;
        }
    }
    return chosen;
}

void FoldWalk::give(int i, int first, int cells, std::vector<Reallocation> &moves) {
    Stretch &stretch = stretches_[i];
    const Rectangle before = rectangle(stretch);
    stretch.first = first;
    stretch.cells = cells;
    if (stretch.owner)
        moves.push_back({*stretch.owner, before, rectangle(stretch)});
}

std::vector<Reallocation> FoldWalk::arrive(JobId job) {
    if (stretches_.empty()) {
        stretches_.push_back({job, 0, 1});
        return {{job, {}, rectangle(stretches_.front())}};
    }
    if (all_of_size(1))
        set_level(level_ + 1);
    std::vector<Reallocation> moves;
    const int halved = choose_to_halve();
    const int first = stretches_[halved].first;
    give(halved, first, 1, moves);
    const auto added =
        stretches_.insert(stretches_.begin() + halved + 1, {job, cell_after(first), 1});
    moves.push_back({job, {}, rectangle(*added)});
    return moves;
}

// Every large partition gives before its neighbour takes.
void FoldWalk::rotate_once(std::vector<Reallocation> &moves) {
    const std::string before = rotation_string();
    const std::string after = rotated(before);
    for (int i = 0; i < jobs(); i++) {
        if (before[i] == 's' && after[i] == 'b') {
            const int giver = next(i);
            give(giver, cell_after(stretches_[giver].first), 1, moves);
            give(i, stretches_[i].first, 2, moves);
        }
    }
}

std::vector<Reallocation> FoldWalk::rotate() {
    std::vector<Reallocation> moves;
    rotate_once(moves);
    return moves;
}

int FoldWalk::index_of_freed() const {
    const auto freed = std::find_if(stretches_.begin(), stretches_.end(),
                                    [](const Stretch &stretch) { return !stretch.owner; });
    return static_cast<int>(freed - stretches_.begin());
}

// Joining the freed cell to the only other small partition, before it, would give a large one that
// is no cell of the next coarser ring.
bool FoldWalk::would_straddle(int freed) const {
    int others = 0;
    bool straddles = false;
    for (int i = 0; i < jobs(); i++) {
        if (i != freed && stretches_[i].cells == 1) {
            others++;
            straddles = stretches_[i].first % 2 != 0;
        }
    }
    return others == 1 && straddles;
}

bool FoldWalk::join_freed(int freed, std::vector<Reallocation> &moves) {
    const bool backwards = !would_straddle(freed);
    const int taker = backwards ? previous(freed) : next(freed);
    if (stretches_[freed].cells == 2 || stretches_[taker].cells == 2)
        return false;
    give(taker, stretches_[backwards ? taker : freed].first, 2, moves);
    stretches_.erase(stretches_.begin() + freed);
    return true;
}

// The job after the freed cell takes it and leaves its own last one.
int FoldWalk::move_freed_on(int freed, std::vector<Reallocation> &moves) {
    const int mover = next(freed);
    const int cell = stretches_[freed].first;
    stretches_[freed].first = cell_after(cell_after(cell));
    give(mover, cell, 2, moves);
    std::swap(stretches_[freed], stretches_[mover]);
    return mover;
}

std::vector<Reallocation> FoldWalk::depart(JobId job) {
    if (jobs() == 1) {
        stretches_.clear();
        level_ = 0;
        ring_ = ring(mesh_, 0);
        return {};
    }
    if (all_of_size(2))
        set_level(level_ - 1);
    for (auto &stretch : stretches_)
        if (stretch.owner == job)
            stretch.owner.reset();
    std::vector<Reallocation> moves;
    int freed = index_of_freed();
    while (!join_freed(freed, moves))
        if (stretches_[freed].cells == 1 && would_straddle(freed))
            freed = move_freed_on(freed, moves);
        else
            rotate_once(moves);
    return moves;
}

} // namespace vmall::policy::mesh
