// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of policies: names and help that people are to read.
#include "suites.hpp"

#include "policy/policies.hpp"
#include "policy/queue/discipline.hpp"
#include "policy/scheduler.hpp"
#include "run.hpp"

#include <cstring>
#include <set>

using namespace vmall::policy;

namespace {

constexpr std::size_t longest_line = 128;

template <typename Rows>
void check_rows(const Rows &rows) {
    std::set<std::string> names;
    for (const auto &row : rows) {
        const std::string name = row.name;
        ck_assert_msg(names.insert(name).second, "%s is there twice", row.name);
        ck_assert_msg(name.find_first_of(" ,:=ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos,
                      "%s", row.name);
        ck_assert_msg(*row.help && name.size() + std::strlen(row.help) <= longest_line, "%s",
                      row.name);
    }
}

START_TEST(names_are_distinct_and_help_fits_a_line) {
    check_rows(rows<Discipline>());
    check_rows(rows<SizingPolicy>());
    check_rows(rows<ExpiryPolicy>());
    check_rows(policies());
}
END_TEST

// What they have in common besides names is tested elsewhere; here, that each can be put together.
START_TEST(every_policy_decides) {
    for (const auto &policy : policies()) {
        ck_assert(decide({}, policy.settings).empty());
        ck_assert(&find_policy(policy.name) == &policy);
    }
}
END_TEST

START_TEST(a_name_that_is_not_there_is_refused) {
    ck_assert_contains(refusal<std::invalid_argument>([] { Sizing("big"); }), "\"big\"");
    ck_assert_contains(refusal<std::invalid_argument>([] { find_policy("big"); }),
                       "\"big\" is not one of the policies fcfs, easy,");
}
END_TEST

} // namespace

Suite *table_suite() {
    Suite *suite = suite_create("table of policies");
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, names_are_distinct_and_help_fits_a_line);
    tcase_add_test(tests, every_policy_decides);
    tcase_add_test(tests, a_name_that_is_not_there_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
