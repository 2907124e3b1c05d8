// SPDX-License-Identifier: GPL-2.0-or-later
//
// A table of situations, each with what is to be decided there.
#pragma once

#include "situation.hpp"
#include "suites.hpp"

#include <string>

struct Row {
    const char *name;
    vmall::policy::Settings settings;
    vmall::policy::Snapshot snapshot;
    std::string expected; // see situation::to_text()
};

inline void check_row(const Row &row) {
    const std::string decided =
        situation::to_text(vmall::policy::decide(row.snapshot, row.settings));
    ck_assert_msg(decided == row.expected, "%s\ndecided:\n%sexpected:\n%s", row.name,
                  decided.c_str(), row.expected.c_str());
}

template <std::size_t size>
Suite *suite_of(const char *name, const Row (&)[size], const TTest *test) {
    Suite *suite = suite_create(name);
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, test, 0, static_cast<int>(size));
    suite_add_tcase(suite, rows);
    return suite;
}
