// SPDX-License-Identifier: GPL-2.0-or-later
//
// How deep a job on three nodes is folded, by what they say.
#include "run.hpp"
#include "spank_vm/agent/common_depth.hpp"

#include <chrono>
#include <iterator>
#include <vector>

using namespace vmall;
using agent::CommonDepth;

namespace {

const CommonDepth::Time start = {};
constexpr std::chrono::seconds lifetime(10);

struct Row {
    std::vector<wire::Wish> wishes;
    unsigned agreed;
};
const Row rows[] = {
    {{}, 0},
    {{{7, "a", 2}, {7, "b", 4}}, 0},
    {{{7, "a", 2}, {7, "b", 4}, {7, "a", 3}}, 0},
    {{{7, "a", 2}, {7, "b", 4}, {7, "c", 1}}, 4},
    {{{7, "a", 2}, {7, "b", 4}, {7, "c", 1}, {7, "b", 1}}, 2},
    {{{7, "a", 2}, {7, "b", 4}, {7, "c", 1, true}}, 1},
    {{{7, "a", 2, true}, {7, "b", 4}, {7, "c", 1, true}}, 2},
};

START_TEST(least_share_wins_once_all_have_said_theirs) {
    CommonDepth depth;
    for (const wire::Wish &wish : rows[_i].wishes)
        depth.hear(wish, start + lifetime);
    ck_assert_uint_eq(depth.agreed(3, start + lifetime), rows[_i].agreed);
}
END_TEST

START_TEST(who_is_silent_for_long_agrees_to_nothing) {
    CommonDepth depth;
    depth.hear({7, "a", 1}, CommonDepth::Time::max());
    depth.hear({7, "b", 2}, start + lifetime);
    ck_assert_uint_eq(depth.agreed(2, start + lifetime), 2);
    ck_assert_uint_eq(depth.agreed(2, start + 2 * lifetime), 0);
    depth.hear({7, "b", 2}, start + 3 * lifetime);
    ck_assert_uint_eq(depth.agreed(2, start + 2 * lifetime), 2);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("common_depth");
    tcase_add_loop_test(tests, least_share_wins_once_all_have_said_theirs, 0,
                        static_cast<int>(std::size(rows)));
    tcase_add_test(tests, who_is_silent_for_long_agrees_to_nothing);
    return run("common_depth", tests);
}
