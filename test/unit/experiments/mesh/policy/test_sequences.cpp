// SPDX-License-Identifier: GPL-2.0-or-later
//
// What must hold after every step of thousands of random sequences of arrivals, departures and
// rotations, under all mesh policies.
#include "experiments/mesh/policy/partitioner.hpp"
#include "suites.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace vmall::policy;
using namespace vmall::policy::mesh;

enum class Kind { equi, equi_plus, folding };

constexpr int sequences = 1000;
constexpr int steps = 40;

std::unique_ptr<Partitioner> make(Kind kind, const Mesh &mesh) {
    switch (kind) {
    case Kind::equi:
        return make_equipartition(mesh, Mapping::contraction);
    case Kind::equi_plus:
        return make_equipartition(mesh, Mapping::snake);
    case Kind::folding:
        return make_folding(mesh);
    }
    return nullptr;
}

// ck_assert() tells the parent process of every call, which is too slow for millions.
void require(bool holds, const char *what) {
    if (!holds)
        ck_abort_msg("%s", what);
}

// Follows the reallocations that a policy reports, next to what it says it holds.
struct Follower {
    Mesh mesh;
    Kind kind;
    std::map<std::uint32_t, Rectangle> rectangles = {};

    void apply(const std::vector<Reallocation> &moves) {
        for (const auto &move : moves) {
            require(move.from != move.to, "a job moves");
            require(move.from == rectangles[move.job.value], "a job moves from where it is");
            rectangles[move.job.value] = move.to;
        }
    }

    void check_partition(const std::vector<Occupancy> &holdings) const {
        int processors = 0;
        require(holdings.size() == rectangles.size(), "every job has a rectangle");
        for (std::size_t i = 0; i < holdings.size(); i++) {
            const Rectangle &r = holdings[i].rectangle;
            require(r == rectangles.at(holdings[i].job.value), "moves are reported");
            require(common_processors(r, whole(mesh)) == r.processors(), "rectangles are inside");
            for (std::size_t j = 0; j < i; j++)
                require(!overlap(r, holdings[j].rectangle), "rectangles are disjoint");
            processors += r.processors();
        }
        require(holdings.empty() || processors == mesh.processors(), "the mesh is covered");
    }

    // Folding: equally many on each processor. EQUI+: at most one more than on another. EQUI: rows
    // and columns differ by at most one each.
    void check_threads(const Rectangle &r, Mapping mapping) const {
        const auto threads = threads_by_processor(mesh, r.rows, r.columns, mapping);
        const auto [least, most] = std::minmax_element(threads.begin(), threads.end());
        switch (kind) {
        case Kind::folding:
            require(*least == *most, "Folding loads all processors equally");
            break;
        case Kind::equi_plus:
            require(*most - *least <= 1, "EQUI+ loads differ by one thread");
            break;
        case Kind::equi:
            require(*least == (mesh.rows() / r.rows) * (mesh.columns() / r.columns) &&
                        *most == most_threads(mesh, r.rows, r.columns, mapping),
                    "EQUI loads differ by one thread in each dimension");
            break;
        }
    }

    void check_sizes() const {
        int least = mesh.processors();
        int most = 0;
        for (const auto &entry : rectangles) {
            const Rectangle &r = entry.second;
            least = std::min(least, r.processors());
            most = std::max(most, r.processors());
            const bool rows = is_power_of_two(r.rows);
            const bool columns = is_power_of_two(r.columns);
            require(kind == Kind::folding ? rows && columns : rows || columns,
                    "dimensions are powers of two");
        }
        if (kind == Kind::folding && !rectangles.empty()) {
            const int jobs = static_cast<int>(rectangles.size());
            require(most == mesh.processors() >> floor_log2(jobs), "a large partition is large");
            require(least == (is_power_of_two(jobs) ? most : most / 2),
                    "a small one is half of it");
        }
    }
};

std::uint32_t any_job(std::mt19937_64 &random, const Follower &follower) {
    auto chosen = follower.rectangles.begin();
    std::advance(chosen, random() % follower.rectangles.size());
    return chosen->first;
}

// Arrivals prevail in some sequences, departures in others.
void play(std::uint64_t seed, Kind kind) {
    std::mt19937_64 random(seed);
    const int log_rows = 1 + static_cast<int>(random() % 3);
    const Mesh mesh(log_rows, 1 + static_cast<int>(random() % 3));
    const auto policy = make(kind, mesh);
    Follower follower{mesh, kind};
    const std::uint64_t arrivals = 3 + random() % 5; // of ten
    for (std::uint32_t step = 1; step <= steps; step++) {
        const std::size_t jobs = follower.rectangles.size();
        const bool full = jobs == static_cast<std::size_t>(mesh.processors());
        if (!full && (jobs == 0 || random() % 10 < arrivals)) {
            follower.apply(policy->arrive({step}));
        } else if (random() % 2 == 0) {
            follower.apply(policy->rotate());
        } else {
            const std::uint32_t leaving = any_job(random, follower);
            const auto moves = policy->depart({leaving});
            follower.rectangles.erase(leaving);
            follower.apply(moves);
        }
        follower.check_partition(policy->holdings());
        follower.check_sizes();
        for (const auto &entry : follower.rectangles)
            follower.check_threads(entry.second, policy->mapping());
    }
}

// However the jobs came and went, J rotations from equilibrium on give all the same.
void rotate_fairly(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto policy = make_folding(Mesh(3, 3));
    std::vector<std::uint32_t> running;
    for (std::uint32_t step = 1; step <= steps; step++) {
        if (running.size() < 2 || (running.size() < 64 && random() % 5 < 3)) {
            policy->arrive({step});
            running.push_back(step);
        } else {
            std::swap(running[random() % running.size()], running.back());
            policy->depart({running.back()});
            running.pop_back();
        }
        policy->rotate();
    }
    for (std::size_t i = 0; i < running.size(); i++)
        policy->rotate();
    std::map<std::uint32_t, int> processors;
    for (std::size_t i = 0; i < running.size(); i++) {
        for (const auto &holding : policy->holdings())
            processors[holding.job.value] += holding.rectangle.processors();
        policy->rotate();
    }
    for (const std::uint32_t job : running)
        require(processors[job] == 64, "J rotations give every job the same");
}

} // namespace

START_TEST(rectangles_and_threads_stay_in_order) {
    const auto kind = static_cast<Kind>(_i);
    for (int seed = 1; seed <= sequences; seed++)
        play(seed, kind);
}
END_TEST

START_TEST(rotations_equalise_after_any_history) {
    for (int seed = 1; seed <= sequences / 2; seed++)
        rotate_fairly(seed);
}
END_TEST

TCase *sequence_tests() {
    TCase *tests = tcase_create("sequences");
    tcase_add_loop_test(tests, rectangles_and_threads_stay_in_order, 0, 3);
    tcase_add_test(tests, rotations_equalise_after_any_history);
    return tests;
}
