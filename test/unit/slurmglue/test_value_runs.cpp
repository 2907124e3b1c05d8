// SPDX-License-Identifier: GPL-2.0-or-later
//
// Arrays that Slurm keeps as runs of equal values, and what becomes of them when one value changes.
#include "run.hpp"
#include "slurmglue/internal/value_runs.h"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

// libslurm's allocator, whose memory the arrays are.
extern "C" {
void *slurm_xcalloc(size_t, size_t, bool, bool, const char *, int, const char *);
void slurm_xfree(void **);
}

namespace {

using Runs = std::vector<std::pair<std::uint16_t, std::uint32_t>>; // value, repetitions

struct Change {
    const char *what;
    Runs runs;
    std::uint32_t nth;
    int added;
    Runs changed;
};

const std::vector<Change> changes = {
    {"the only value", {{4, 1}}, 0, -3, {{1, 1}}},
    {"the first of several", {{4, 3}}, 0, -2, {{2, 1}, {4, 2}}},
    {"one in the middle", {{4, 3}}, 1, -2, {{4, 1}, {2, 1}, {4, 1}}},
    {"the last", {{4, 3}}, 2, 1, {{4, 2}, {5, 1}}},
    {"one that becomes like its neighbours", {{4, 1}, {2, 1}, {4, 1}}, 1, 2, {{4, 3}}},
    {"one that joins the next run", {{4, 2}, {2, 2}}, 1, -2, {{4, 1}, {2, 3}}},
    {"one of a later run", {{4, 2}, {2, 2}}, 3, 1, {{4, 2}, {2, 1}, {3, 1}}},
    {"none: nothing is added", {{4, 2}}, 1, 0, {{4, 2}}},
    {"none: there are fewer", {{4, 2}}, 2, 1, {{4, 2}}},
    {"none: there are no values", {}, 0, 1, {}},
};

template <typename T>
T *array_of(std::size_t count) {
    return static_cast<T *>(slurm_xcalloc(count + 1, sizeof(T), true, false, "", 0, ""));
}

START_TEST(value_is_changed) {
    const Change &row = changes[_i];
    auto count = static_cast<std::uint32_t>(row.runs.size());
    auto *values = array_of<std::uint16_t>(count);
    auto *repetitions = array_of<std::uint32_t>(count);
    for (std::uint32_t run = 0; run < count; ++run)
        std::tie(values[run], repetitions[run]) = row.runs[run];
    vmall_add_to_value(&values, &repetitions, &count, row.nth, row.added);
    Runs changed;
    for (std::uint32_t run = 0; run < count; ++run)
        changed.emplace_back(values[run], repetitions[run]);
    ck_assert_msg(changed == row.changed, "%s", row.what);
    slurm_xfree(reinterpret_cast<void **>(&values));
    slurm_xfree(reinterpret_cast<void **>(&repetitions));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("value_runs");
    tcase_add_loop_test(tests, value_is_changed, 0, static_cast<int>(changes.size()));
    return run("value_runs", tests);
}
