// SPDX-License-Identifier: GPL-2.0-or-later
//
// Speed-up models: known values, what holds for all of them, what is refused.
#include "run.hpp"
#include "sim/model/speedup.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace {

using namespace vmall::sim;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Known {
    const char *name;
    SpeedupPointer model;
    double processors;
    double speedup;
};

// Seconds of a job that is superlinear from 8 to 16 and slower on 32 than on 16.
const std::vector<std::pair<int, double>> measured = {{1, 160}, {8, 40}, {16, 8}, {32, 10}};

const Known known[] = {
    {"Amdahl, nothing serial", amdahl_speedup(0), 37.5, 37.5},
    {"Amdahl, everything serial", amdahl_speedup(1), 64, 1},
    {"Amdahl, a tenth serial", amdahl_speedup(0.1), 9, 5},
    {"Dowdy, C2 0 is linear", dowdy_speedup(3, 0), 64, 64},
    {"Dowdy, efficiency (1 + beta) / (p + beta) with beta 27", dowdy_speedup(27, 1), 4,
     4 * 28.0 / 31},
    {"Dowdy, only the ratio counts", dowdy_speedup(270, 10), 4, 4 * 28.0 / 31},
    {"Downey, no variance: linear up to the average", downey_speedup(16, 0), 16, 16},
    {"Downey, no variance: the average beyond", downey_speedup(16, 0), 17, 16},
    {"Downey, low variance, below the average", downey_speedup(16, 0.5), 9, 8},
    {"Downey, low variance, above the average", downey_speedup(16, 0.5), 21, 16 * 21 / 23.5},
    {"Downey, low variance, at 2A - 1", downey_speedup(16, 0.5), 31, 16},
    {"Downey, sigma 1, below the average", downey_speedup(16, 1), 13, 13 * 32.0 / 44},
    {"Downey, high variance", downey_speedup(16, 2), 11, 11 * 48.0 / 68},
    {"Downey, high variance, at A + A sigma - sigma", downey_speedup(16, 2), 46, 16},
    {"Downey, high variance, beyond", downey_speedup(16, 2), 1000, 16},
    {"Downey, serial", downey_speedup(1, 0.7), 8, 1},
    {"table, at a point", table_speedup(measured), 8, 4},
    {"table, between two points", table_speedup(measured), 12, 12},
    {"table, where more processors do not help", table_speedup(measured), 24, 18},
    {"table, beyond the last", table_speedup(measured), 64, 16},
    {"table, below the first", table_speedup({{4, 100}, {8, 60}}), 2, 2},
    {"table, at the first", table_speedup({{4, 100}, {8, 60}}), 4, 4},
    {"table, after a first other than 1", table_speedup({{4, 100}, {8, 60}}), 8, 4 * 100.0 / 60},
    {"table, one point only", table_speedup({{4, 100}}), 9, 4},
};

START_TEST(known_value) {
    const Known &row = known[_i];
    const double got = row.model->at(row.processors);
    ck_assert_msg(std::abs(got - row.speedup) <= 1e-12 * row.speedup, "%s: %.17g, expected %.17g",
                  row.name, got, row.speedup);
}
END_TEST

START_TEST(one_processor_is_the_unit) {
    ck_assert_msg(known[_i].model->at(1) == 1, "%s: %.17g", known[_i].name, known[_i].model->at(1));
}
END_TEST

std::vector<SpeedupPointer> concave_models() {
    std::vector<SpeedupPointer> models;
    for (const double part : {0.0, 0.01, 0.1, 0.25, 0.5, 0.9, 1.0}) {
        models.push_back(amdahl_speedup(part));
        models.push_back(dowdy_speedup(1, part));
    }
    for (const double average : {1.0, 1.2, 2.0, 16.0, 100.5})
        for (const double sigma : {0.0, 0.3, 0.999, 1.0, 1.001, 2.0, 50.0})
            models.push_back(downey_speedup(average, sigma));
    return models;
}

START_TEST(more_processors_never_slow_down_and_help_at_most_in_proportion) {
    constexpr double step = 1.0 / 16;
    for (const auto &model : concave_models()) {
        double before = model->at(1);
        for (double processors = 1 + step; processors < 300; processors += step) {
            const double now = model->at(processors);
            ck_assert(now >= before * (1 - 1e-12));
            // No jump either: at most `step` more, in proportion.
            ck_assert(now <= before * (1 + step / (processors - step)) * (1 + 1e-12));
            before = now;
        }
    }
}
END_TEST

START_TEST(downeys_two_formulas_meet_at_sigma_1) {
    constexpr double hair = 1e-9;
    for (const double average : {1.0, 3.0, 16.0, 250.0}) {
        for (double processors = 1; processors < 3 * average; processors += 0.37) {
            const double below = downey_speedup(average, 1 - hair)->at(processors);
            const double at = downey_speedup(average, 1)->at(processors);
            const double above = downey_speedup(average, 1 + hair)->at(processors);
            ck_assert(std::abs(below - at) < 1e-6 && std::abs(above - at) < 1e-6);
        }
    }
}
END_TEST

START_TEST(downeys_variance_slows_down) {
    for (double processors = 2; processors < 40; processors++) {
        double before = infinity;
        for (const double sigma : {0.0, 0.5, 1.0, 1.5, 3.0}) {
            const double now = downey_speedup(16, sigma)->at(processors);
            ck_assert(now <= before);
            before = now;
        }
    }
}
END_TEST

struct Refused {
    SpeedupPointer (*make)();
    const char *text;
};

const Refused refused[] = {
    {[] { return amdahl_speedup(-0.1); }, "Amdahl's serial fraction is from 0 to 1, not -0.1"},
    {[] { return amdahl_speedup(1.5); }, "from 0 to 1, not 1.5"},
    {[] { return amdahl_speedup(not_a_number); }, "from 0 to 1, not nan"},
    {[] { return downey_speedup(0.5, 1); }, "average parallelism is at least 1, not 0.5"},
    {[] { return downey_speedup(infinity, 1); }, "average parallelism is at least 1, not inf"},
    {[] { return downey_speedup(4, -1); }, "sigma is 0 or more, not -1"},
    {[] { return downey_speedup(4, not_a_number); }, "sigma is 0 or more, not nan"},
    {[] { return dowdy_speedup(0, 1); }, "C1 is greater than 0, not 0"},
    {[] { return dowdy_speedup(1, -1); }, "C2 is 0 or more, not -1"},
    {[] { return dowdy_speedup(1, infinity); }, "C2 is 0 or more, not inf"},
    {[] { return table_speedup({}); }, "needs at least one"},
    {[] {
         return table_speedup({{0, 5}});
     },
     "ascend from 1 on: 0 after 0"},
    {[] {
         return table_speedup({{4, 5}, {2, 6}});
     },
     "ascend from 1 on: 2 after 4"},
    {[] {
         return table_speedup({{4, 5}, {4, 6}});
     },
     "ascend from 1 on: 4 after 4"},
    {[] {
         return table_speedup({{4, 0}});
     },
     "greater than 0, not 0.000000 (on 4 processors)"},
    {[] {
         return table_speedup({{4, not_a_number}});
     },
     "not nan (on 4 processors)"},
};

START_TEST(refuses) {
    const auto text = refusal<std::invalid_argument>(refused[_i].make);
    ck_assert_contains(text, refused[_i].text);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("speedup");
    tcase_add_loop_test(tests, known_value, 0, std::size(known));
    tcase_add_loop_test(tests, one_processor_is_the_unit, 0, std::size(known));
    tcase_add_test(tests, more_processors_never_slow_down_and_help_at_most_in_proportion);
    tcase_add_test(tests, downeys_two_formulas_meet_at_sigma_1);
    tcase_add_test(tests, downeys_variance_slows_down);
    tcase_add_loop_test(tests, refuses, 0, std::size(refused));
    return run("speedup", tests);
}
