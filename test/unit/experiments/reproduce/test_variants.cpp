// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rule by which one description of FJT is preferred to the other.
#include "experiments/reproduce/fjt_variants.hpp"
#include "experiments/reproduce/utrera.hpp"
#include "suites.hpp"

#include "run.hpp"

namespace {

using namespace vmall::sim::reproduce;

const Measurement holds{"", {2}, true}, fails{"", {0}, true}, unclear{"", {2}};

Finding finding(const Measurement &by_default, const Measurement &other) {
    Finding one;
    one.claim.says = "a claim";
    one.claim.accepted = at_least(1);
    one.measurements = {by_default};
    one.alternatives = {{other_variant, {other}}, {"folding costs more", {fails}}};
    return one;
}

std::vector<Finished> an_experiment(const std::vector<Finding> &findings) {
    std::vector<Finished> all(1);
    all.front().experiment.name = "name";
    all.front().results.findings = findings;
    return all;
}

const struct Case {
    const char *name;
    std::vector<Finding> findings;
    bool other_is_better;
} cases[] = {
    {"no difference: the default stays", {finding(holds, holds)}, false},
    {"more claims hold", {finding(fails, holds), finding(holds, holds)}, true},
    {"fewer claims hold", {finding(holds, fails)}, false},
    {"as many hold, fewer do not", {finding(fails, unclear)}, true},
    {"as many hold, more do not", {finding(unclear, fails)}, false},
    {"more hold, though more do not", {finding(unclear, holds), finding(unclear, fails)}, true},
};

START_TEST(more_claims_that_hold_win) {
    const Case &one = cases[_i];
    const auto result = compare_variants(an_experiment(one.findings));
    ck_assert_msg(result.other_is_better == one.other_is_better, "%s", one.name);
}
END_TEST

START_TEST(the_section_names_what_differs) {
    const std::string text = variants_section(an_experiment({finding(fails, holds)}));
    ck_assert_contains(text, "- name, a claim: does not hold, holds");
    ck_assert_contains(text, "| `figure` | 0 | 1 | 0 |");
    ck_assert_contains(text, "| `prose` | 1 | 0 | 0 |");
}
END_TEST

START_TEST(there_is_no_section_without_both) {
    Finding one = finding(holds, holds);
    one.alternatives.erase(one.alternatives.begin());
    ck_assert_text(variants_section(an_experiment({one})), "");
}
END_TEST

} // namespace

Suite *variants_suite() {
    Suite *suite = suite_create("variants of FJT");
    TCase *tests = tcase_create("variants");
    tcase_add_loop_test(tests, more_claims_that_hold_win, 0, static_cast<int>(std::size(cases)));
    tcase_add_test(tests, the_section_names_what_differs);
    tcase_add_test(tests, there_is_no_section_without_both);
    suite_add_tcase(suite, tests);
    return suite;
}
