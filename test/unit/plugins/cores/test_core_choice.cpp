// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cores stay and which come back.
#include "plugins/cores/core_choice.hpp"
#include "run.hpp"

using vmall::cores::Cores;
using vmall::cores::extend;
using vmall::cores::keep;

namespace {

constexpr std::uint32_t per_socket = 4;

struct Keep {
    const char *what;
    Cores held;
    std::size_t count;
    Cores kept;
};

const std::vector<Keep> keeps = {
    {"the lowest of equals", {0, 1, 2, 3}, 1, {0}},
    {"neighbours rather than the first", {0, 2, 3}, 2, {2, 3}},
    {"one socket rather than two", {3, 4, 6}, 2, {4, 6}},
    {"all that there are", {1, 5}, 2, {1, 5}},
    {"no more than there are", {1, 5}, 3, {1, 5}},
    {"never none", {1, 5}, 0, {1, 5}},
    {"the socket that holds enough", {0, 1, 4, 5, 6}, 3, {4, 5, 6}},
};

START_TEST(shrinking_keeps) {
    const Keep &row = keeps[_i];
    ck_assert_msg(keep(row.held, per_socket, row.count) == row.kept, "%s", row.what);
}
END_TEST

struct Extend {
    const char *what;
    Cores held;
    Cores free;
    std::size_t count;
    Cores grown;
};

const std::vector<Extend> extends = {
    {"near what it holds", {2}, {0, 1, 3, 6}, 2, {1, 2}},
    {"its own socket before nearness", {3}, {0, 4}, 2, {0, 3}},
    {"another socket if it must", {3}, {0, 4}, 3, {0, 3, 4}},
    {"no more than asked", {0, 1}, {2, 3}, 3, {0, 1, 2}},
    {"no more than there is", {0, 1}, {2}, 4, {0, 1, 2}},
    {"nothing if it has enough", {0, 1}, {2}, 2, {0, 1}},
};

START_TEST(growing_takes) {
    const Extend &row = extends[_i];
    ck_assert_msg(extend(row.held, row.free, per_socket, row.count) == row.grown, "%s", row.what);
}
END_TEST

START_TEST(unfolding_gives_back_what_folding_took) {
    const Cores before = {4, 5, 6, 7};
    const Cores folded = keep(before, per_socket, 1);
    Cores free = {0, 1, 2, 3, 5, 6, 7};
    ck_assert(extend(folded, free, per_socket, 4) == before);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("core choice");
    tcase_add_loop_test(tests, shrinking_keeps, 0, static_cast<int>(keeps.size()));
    tcase_add_loop_test(tests, growing_takes, 0, static_cast<int>(extends.size()));
    tcase_add_test(tests, unfolding_gives_back_what_folding_took);
    return run("core choice", tests);
}
