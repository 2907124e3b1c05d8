// SPDX-License-Identifier: GPL-2.0-or-later
//
// Size rules, speed-up curves and tables of applications as people write them.
#include "scratch.hpp"
#include "sim/trace/application.hpp"
#include "sim/trace/speedup_spec.hpp"
#include "sim/trace/trace_error.hpp"
#include "suites.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace {

using namespace vmall;

struct SizesRow {
    const char *rule;
    int asked;
    const char *sizes;
};
const SizesRow sizes_rows[] = {
    {"rigid", 48, "48"},
    {"any", 5, "1 2 3 4 5"},
    {"pow2", 48, "1 2 4 8 16 32"},
    {"POW2", 1, "1"},
    {"square", 48, "1 4 9 16 25 36"},
    {"halves", 48, "3 6 12 24 48"},
    {"halves", 7, "7"},
    {"halves:2", 48, "12 24 48"},
    {"16,8,4", 48, "4 8 16"},
    {"2-4,40-60", 42, "2 3 4 40 41 42"},
    {"8", 4, ""},
};

START_TEST(sizes_of_a_rule) {
    const SizesRow &row = sizes_rows[_i];
    std::string got;
    for (const int size : sim::SizeRule(row.rule).up_to(row.asked).one_by_one())
        got += (got.empty() ? "" : " ") + std::to_string(size);
    ck_assert_text(got, row.sizes);
}
END_TEST

const char *const bad_rules[] = {"",          "every", "halves:", "halves:0",
                                 "halves:31", "pow3",  "1,,2",    "halves:x"};

START_TEST(bad_rules_are_refused) {
    const std::string rule = bad_rules[_i];
    ck_assert_contains(refusal<std::invalid_argument>([&] { sim::SizeRule(std::string(rule)); }),
                       '"' + rule + '"');
}
END_TEST

struct SpeedupRow {
    const char *text;
    double processors;
    double speedup;
};
const SpeedupRow speedup_rows[] = {
    {"amdahl:0.25", 4, 4 / 1.75},
    {"dowdy:3,1", 2, 2 * 4.0 / 5},
    {"downey:8,0", 4, 4},
    {"times:1=100,4=40", 4, 2.5},
};

START_TEST(curves_are_those_of_the_model) {
    const SpeedupRow &row = speedup_rows[_i];
    const auto spec = sim::parse_speedup(row.text);
    ck_assert_text(spec.text, row.text);
    ck_assert_msg(std::abs(spec.curve->at(row.processors) - row.speedup) < 1e-12, "%s: %.17g",
                  row.text, spec.curve->at(row.processors));
}
END_TEST

START_TEST(linear_needs_no_curve) {
    ck_assert_ptr_null(sim::parse_speedup("linear").curve.get());
}
END_TEST

struct Refusal {
    const char *text;
    const char *says;
};
const Refusal bad_speedups[] = {
    {"", R"(speed-up "": linear, amdahl:SERIAL, downey:A,SIGMA, dowdy:C1,C2, times:N=SECONDS,… )"
         "and table:FILE[:APP] are accepted"},
    {"amdhal:1", R"(speed-up "amdhal:1": linear, amdahl:)"},
    {"amdahl", R"(speed-up "amdahl": "" is not a number of 0 or more)"},
    {"amdahl:x", R"(speed-up "amdahl:x": "x" is not a number of 0 or more)"},
    {"amdahl:-1", R"("-1" is not a number of 0 or more)"},
    {"amdahl:2", R"(speed-up "amdahl:2": Amdahl's serial fraction is from 0 to 1, not 2)"},
    {"amdahl:0.1,0.2", "2 numbers instead of 1"},
    {"downey:8", "1 numbers instead of 2"},
    {"downey:0.5,1", R"(speed-up "downey:0.5,1": )"},
    {"dowdy:0,1", R"(speed-up "dowdy:0,1": Dowdy's C1)"},
    {"times:", R"("" is not PROCESSES=SECONDS (processes ascending, seconds above 0))"},
    {"times:4=1,2=3", R"("2=3" is not PROCESSES=SECONDS)"},
    {"times:1=0", R"("1=0" is not PROCESSES=SECONDS)"},
    {"times:1", R"("1" is not PROCESSES=SECONDS)"},
};

START_TEST(bad_speedups_are_refused) {
    const Refusal &row = bad_speedups[_i];
    const std::string said = refusal<std::invalid_argument>([&] { sim::parse_speedup(row.text); });
    ck_assert_contains(said, row.says);
}
END_TEST

START_TEST(a_table_becomes_its_times) {
    const Scratch scratch;
    const std::string one = scratch.file("one.csv", "app,class,sizes,1,8\nA,short,any,10,2.5\n");
    const std::string two =
        scratch.file("two.csv", "app,class,sizes,1,8\nA,short,any,10,2.5\nB,long,any,,2\n");
    ck_assert_text(sim::parse_speedup("table:" + one).text, "times:1=10,8=2.5");
    ck_assert_text(sim::parse_speedup("table:" + two + ":b").text, "times:8=2");
    ck_assert_contains(refusal<std::invalid_argument>([&] { sim::parse_speedup("table:" + two); }),
                       "the table has 2 applications: say which with table:FILE:APP");
    ck_assert_contains(
        refusal<std::invalid_argument>([&] { sim::parse_speedup("table:" + two + ":C"); }),
        "there is no application \"C\"; there are A, B");
    ck_assert_contains(refusal<sim::TraceError>([] { sim::parse_speedup("table:/no/file"); }),
                       "/no/file: cannot be opened");
}
END_TEST

const Refusal bad_tables[] = {
    {"", "T: there is no application in it"},
    {"app,class,sizes\n", "T:1: the first line must name the columns: app,class,sizes and then "
                          "numbers of processes"},
    {"# x\napp,class,sizes,1,1\n", "T:2: column 5 is \"1\" instead of a number of processes, "
                                   "ascending, from 2 to 65536"},
    {"app,class,sizes,one\n", "T:1: column 4 is \"one\""},
    {"app,class,sizes,1\nA,short,any\n", "T:2: 3 fields instead of the 4 of the first line"},
    {"app,class,sizes,1\n,short,any,1\n", "T:2: app: there is no name"},
    {"app,class,sizes,1\nA,medium,any,1\n", "T:2: class: \"medium\""},
    {"app,class,sizes,1\nA,long,some,1\n", "T:2: sizes: \"some\" says no sizes"},
    {"app,class,sizes,1\nA,long,any,0\n", "T:2: time with 1 processes: \"0\" is not a number of "
                                          "seconds above 0"},
    {"app,class,sizes,1,2\nA,long,any,,\n", "T:2: A: no time was measured"},
};

START_TEST(bad_tables_are_refused) {
    const Refusal &row = bad_tables[_i];
    std::istringstream in(row.text);
    ck_assert_contains(refusal<sim::TraceError>([&] { sim::read_applications(in, "T"); }),
                       row.says);
}
END_TEST

START_TEST(tables_may_have_comments_and_lists) {
    std::istringstream in(
        "# ours\n\napp, class, sizes, 1, 8 # seconds\r\nA,LONG,8 4 1,80.5,12\r\n");
    const auto applications = sim::read_applications(in, "T");
    ck_assert_uint_eq(applications.size(), 1);
    ck_assert_int_eq(applications[0].sizes.up_to(8).count(), 3);
    ck_assert(applications[0].times == (std::vector<std::pair<int, double>>{{1, 80.5}, {8, 12}}));
    ck_assert(applications[0].job_class == policy::JobClass::long_job);
}
END_TEST

START_TEST(the_thesis_applications_take_what_was_measured) {
    const auto &applications = sim::thesis_applications();
    ck_assert_uint_eq(applications.size(), 9);
    const auto &bt = sim::find_application(applications, "bt.a");
    for (const auto &[processes, seconds] : bt.times)
        ck_assert_double_eq_tol(bt.seconds(processes), seconds, 1e-9);
    ck_assert_double_eq_tol(sim::find_application(applications, "Sweep3D").seconds(60), 5, 1e-9);
    ck_assert(bt.sizes.up_to(60) == (common::Sizes{1, 4, 9, 16, 25, 36, 49}));
}
END_TEST

} // namespace

TCase *specification_tests() {
    TCase *tests = tcase_create("size rules, speed-ups, applications");
    tcase_add_loop_test(tests, sizes_of_a_rule, 0, std::size(sizes_rows));
    tcase_add_loop_test(tests, bad_rules_are_refused, 0, std::size(bad_rules));
    tcase_add_loop_test(tests, curves_are_those_of_the_model, 0, std::size(speedup_rows));
    tcase_add_test(tests, linear_needs_no_curve);
    tcase_add_loop_test(tests, bad_speedups_are_refused, 0, std::size(bad_speedups));
    tcase_add_test(tests, a_table_becomes_its_times);
    tcase_add_loop_test(tests, bad_tables_are_refused, 0, std::size(bad_tables));
    tcase_add_test(tests, tables_may_have_comments_and_lists);
    tcase_add_test(tests, the_thesis_applications_take_what_was_measured);
    return tests;
}
