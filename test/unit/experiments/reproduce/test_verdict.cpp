// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rule that makes verdicts of what was measured.
#include "experiments/reproduce/verdict.hpp"
#include "suites.hpp"

#include "run.hpp"

#include <limits>
#include <stdexcept>

namespace {

using namespace vmall::sim::reproduce;

START_TEST(two_values_are_not_exact) {
    Measurement two_exact{"", {1, 2}, true};
    ck_assert_text(refusal<std::invalid_argument>([&] { summarise(two_exact); }),
                   "an exact measurement has one value");
}
END_TEST

const Measurement around_one{"", {0.9, 1.0, 1.1}}; // 0.75 to 1.25
const Measurement around_two{"", {1.9, 2.0, 2.1}}; // 1.75 to 2.25
const Measurement exactly_one{"", {1}, true};
const Measurement single_one{"", {1}};

const struct Rule {
    const char *name;
    std::vector<Measurement> measurements;
    Range accepted;
    Verdict verdict;
} rules[] = {
    {"interval within", {around_one}, between(0.7, 1.3), Verdict::holds},
    {"interval below", {around_one}, at_least(1.3), Verdict::does_not_hold},
    {"interval above", {around_one}, at_most(0.7), Verdict::does_not_hold},
    {"mean within, interval straddles", {around_one}, at_most(1.1), Verdict::cannot_be_told},
    {"mean outside, interval straddles", {around_one}, at_most(0.9), Verdict::cannot_be_told},
    {"interval around the whole range", {around_one}, between(0.9, 1.1), Verdict::cannot_be_told},
    {"exact at the end", {exactly_one}, between(1, 2), Verdict::holds},
    {"exact outside", {exactly_one}, at_least(1.01), Verdict::does_not_hold},
    {"exact at an end that does not belong to it",
     {exactly_one},
     more_than(1),
     Verdict::does_not_hold},
    {"exact at the upper end that does not belong to it",
     {exactly_one},
     less_than(1),
     Verdict::does_not_hold},
    {"interval within an open range", {around_one}, more_than(0.7), Verdict::holds},
    {"one seed tells nothing", {single_one}, between(-100, 100), Verdict::cannot_be_told},
    {"nothing measured", {}, at_least(0), Verdict::cannot_be_told},
    {"all hold", {around_one, around_two}, between(0.7, 2.3), Verdict::holds},
    {"one does not", {around_one, around_two}, at_most(1.5), Verdict::does_not_hold},
    {"one straddles", {around_one, around_two}, at_most(2), Verdict::cannot_be_told},
    {"one straddles, one does not hold",
     {around_one, around_two},
     at_most(1),
     Verdict::does_not_hold},
};

START_TEST(the_rule) {
    const Rule &rule = rules[_i];
    ck_assert_msg(judge(rule.measurements, rule.accepted) == rule.verdict, "%s: %s", rule.name,
                  to_text(judge(rule.measurements, rule.accepted)).c_str());
}
END_TEST

const struct Decides {
    const char *name;
    std::vector<Measurement> measurements;
    Range accepted;
    int place; // of the measurement; -1: none
} decisions[] = {
    {"all hold: the one nearest to an end", {around_one, around_two}, between(0, 2.3), 1},
    {"the other end", {around_one, around_two}, between(0.7, 9), 0},
    {"the only one that does not hold", {around_two, around_one}, at_most(1.5), 0},
    {"the one that is farthest outside", {around_one, around_two}, at_most(0), 1},
    {"of those that cannot be told", {exactly_one, around_two, around_one}, at_most(2), 1},
    {"nothing was measured", {}, at_most(2), -1},
};

START_TEST(one_measurement_decides) {
    const Decides &row = decisions[_i];
    Finding finding;
    finding.claim.accepted = row.accepted;
    finding.measurements = row.measurements;
    const Measurement *expected = row.place < 0 ? nullptr : &finding.measurements[row.place];
    ck_assert_msg(decisive(finding) == expected, "%s", row.name);
}
END_TEST

START_TEST(sensitivity_names_only_other_verdicts) {
    Finding finding;
    finding.claim.accepted = at_most(1.5);
    finding.measurements = {around_one};
    finding.alternatives = {{"half", {exactly_one}}, {"twice", {around_two}}, {"never", {}}};
    const auto other = sensitive_to(finding);
    ck_assert_uint_eq(other.size(), 2);
    ck_assert_text(other[0], "twice: does not hold");
    ck_assert_text(other[1], "never: cannot be told");
}
END_TEST

} // namespace

Suite *verdict_suite() {
    Suite *suite = suite_create("verdict");
    TCase *tests = tcase_create("verdict");
    tcase_add_test(tests, two_values_are_not_exact);
    tcase_add_loop_test(tests, the_rule, 0, static_cast<int>(std::size(rules)));
    tcase_add_loop_test(tests, one_measurement_decides, 0, static_cast<int>(std::size(decisions)));
    tcase_add_test(tests, sensitivity_names_only_other_verdicts);
    suite_add_tcase(suite, tests);
    return suite;
}
