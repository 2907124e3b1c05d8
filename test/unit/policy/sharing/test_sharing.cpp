// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equipartition, Equip++, Equal_efficiency, Equal_eff++ and the multiprogramming level: situations
// of Corbalan's thesis ch. 6, and what holds for any.
#include "applications.hpp"
#include "run.hpp"

#include "policy/sharing/equal_eff_plus_plus.hpp"
#include "policy/sharing/equal_efficiency.hpp"
#include "policy/sharing/equip_plus_plus.hpp"
#include "policy/sharing/equipartition.hpp"
#include "policy/sharing/multiprogramming_level.hpp"

#include <functional>
#include <numeric>
#include <random>

namespace {

using namespace applications;
namespace sharing = vmall::policy::sharing;
using vmall::policy::OneProcessor;

using Policy = std::function<Allotments(int, const Applications &)>;

const Policy equipartition = sharing::equipartition;

Policy equip(int step = 1, double target = 0.7) {
    return [=](int processors, const Applications &applications) {
        return sharing::equip_plus_plus(processors, applications, target, step);
    };
}

Policy equal_efficiency(OneProcessor rule = OneProcessor::zero) {
    return [=](int processors, const Applications &applications) {
        return sharing::equal_efficiency(processors, applications, rule);
    };
}

Policy equal_eff(OneProcessor rule = OneProcessor::zero, double target = 0.7) {
    return [=](int processors, const Applications &applications) {
        return sharing::equal_eff_plus_plus(processors, applications, rule, target);
    };
}

struct Row {
    const char *name;
    Policy policy;
    int processors;
    Applications applications;
    const char *expected;
};

const Row rows[] = {
    {"equipartition: four that request 30 have 15 each (table 6.3)",
     equipartition,
     60,
     {requests(30), requests(30), requests(30), requests(30)},
     "15 15 15 15"},
    {"equipartition: two that request 30 have it (s. 6.5.2)",
     equipartition,
     60,
     {requests(30), requests(30)},
     "30 30"},
    {"equipartition: what small requests leave goes to the others",
     equipartition,
     60,
     {requests(30), requests(2), requests(30), requests(2)},
     "28 2 28 2"},
    {"equipartition: the remainder goes to those who came first",
     equipartition,
     8,
     {requests(9), requests(9), requests(9)},
     "3 3 2"},
    {"equipartition: everybody has the least it can run on, however unequal",
     equipartition,
     12,
     {at_least(8, requests(8)), requests(8), requests(8)},
     "8 2 2"},
    {"equipartition: nobody there", equipartition, 60, {}, ""},

    {"equip++: nothing measured is equipartition",
     equip(),
     60,
     {requests(30), requests(2), requests(30), requests(2)},
     "28 2 28 2"},
    {"equip++: all efficient is equipartition",
     equip(),
     60,
     {requests(30, {{15, 0.85}}), requests(30, {{15, 1.2}}), requests(30), requests(30)},
     "15 15 15 15"},
    {"equip++: gives up the processor that does not pay, the others have it",
     equip(),
     60,
     {requests(30, {{15, 0.6}}), requests(30), requests(30), requests(30)},
     "14 16 15 15"},
    {"equip++: exactly the target is enough",
     equip(),
     60,
     {requests(30, {{15, 0.7}}), requests(30), requests(30), requests(30)},
     "15 15 15 15"},
    {"equip++: inefficient on two has one",
     equip(),
     60,
     {requests(2, {{2, 0.6}}), requests(30), requests(30)},
     "1 30 29"},
    {"equip++: processors that nobody uses well stay free",
     equip(),
     60,
     {requests(2, {{2, 0.6}}), requests(30, {{25, 0.69}})},
     "1 24"},
    {"equip++: more than an inefficient allotment is not tried",
     equip(),
     60,
     {requests(30, {{10, 0.6}}), requests(30)},
     "9 30"},
    {"equip++: the last measurement counts",
     equip(),
     30,
     {requests(30, {{10, 0.6}, {10, 0.8}})},
     "30"},
    {"equip++, step 4: goes down by four", equip(4), 60, {requests(30, {{15, 0.6}})}, "11"},
    {"equip++, step 4: and by four again",
     equip(4),
     60,
     {requests(30, {{15, 0.6}, {11, 0.65}})},
     "7"},
    {"equip++, step 4: stays where it reaches the target",
     equip(4),
     60,
     {requests(30, {{15, 0.6}, {11, 0.75}})},
     "11"},
    {"equip++, step 4: never below one", equip(4), 60, {requests(3, {{3, 0.5}})}, "1"},

    {"equal_efficiency: nothing measured is an equal allocation",
     equal_efficiency(),
     60,
     {requests(30), requests(30), requests(30), requests(30)},
     "15 15 15 15"},
    {"equal_efficiency: equal curves have equal allotments",
     equal_efficiency(),
     60,
     {requests(60, {{15, 0.8}}), requests(60, {{15, 0.8}}), requests(60, {{15, 0.8}})},
     "20 20 20"},
    // beta 3 and 8: 4/(n1 + 3) and 9/(n2 + 8) are equal where n1 - 1 is 4/9 of n2 - 1.
    {"equal_efficiency: allotments at which the extrapolated efficiencies are equal",
     equal_efficiency(),
     28,
     {requests(60, {{2, 0.8}}), requests(60, {{2, 0.9}})},
     "9 19"},
    {"equal_efficiency: imposes no minimum",
     equal_efficiency(),
     60,
     {requests(30, {{4, 0.3}}), requests(30, {{4, 0.3}})},
     "30 30"},
    {"equal_efficiency: not above the request of the efficient one",
     equal_efficiency(),
     60,
     {requests(30, {{4, 0.3}}), requests(10, {{4, 0.99}})},
     "30 10"},
    {"equal_efficiency: a newcomer has its part, the others the rest",
     equal_efficiency(),
     60,
     {requests(30, {{15, 1.1}}), requests(30, {{15, 0.3}}), requests(30)},
     "30 10 20"},
    {"equal_efficiency: what only one processor measured has one as long as others request more",
     equal_efficiency(),
     40,
     {requests(30, {{1, 1.0}}), requests(39, {{15, 0.3}})},
     "1 39"},
    {"equal_efficiency: one processor says nothing if so chosen",
     equal_efficiency(OneProcessor::unknown),
     40,
     {requests(30, {{1, 1.0}}), requests(39, {{15, 0.3}})},
     "20 20"},

    {"equal_eff++: all efficient enough is equal_efficiency",
     equal_eff(),
     28,
     {requests(60, {{8, 0.95}}), requests(60, {{8, 0.95}})},
     "14 14"},
    // 0.8 on 2 is beta 3, 4/(n + 3): 1 on 1, 0.8 on 2, 0.67 on 3.
    {"equal_eff++: deals no more below the target",
     equal_eff(),
     60,
     {requests(30, {{2, 0.8}}), requests(30, {{2, 0.8}})},
     "2 2"},
    // 9/(n + 8) is 0.75 on 4 and 0.69 on 5.
    {"equal_eff++: nobody has more once the best is below the target",
     equal_eff(),
     60,
     {requests(30, {{2, 0.8}}), requests(30, {{2, 0.9}})},
     "2 4"},
    {"equal_eff++: measured points come before the curve",
     equal_eff(),
     60,
     {requests(30, {{3, 0.72}, {4, 0.6}, {2, 0.8}})},
     "3"},
    {"equal_eff++: one processor has one for ever (s. 6.5.6)",
     equal_eff(),
     60,
     {requests(30, {{1, 1.0}})},
     "1"},
    {"equal_eff++: one processor says nothing if so chosen",
     equal_eff(OneProcessor::unknown),
     60,
     {requests(30, {{1, 1.0}})},
     "30"},
};

START_TEST(shares) {
    const Row &row = rows[_i];
    const std::string shared = to_text(row.policy(row.processors, row.applications));
    ck_assert_msg(shared == row.expected, "%s\nshared:   %s\nexpected: %s", row.name,
                  shared.c_str(), row.expected);
}
END_TEST

struct LevelRow {
    const char *name;
    Applications applications;
    Allotments now;
    int free;
    bool admits; // with a default level of 2
};

const LevelRow level_rows[] = {
    {"below the default level, whatever the others do", {requests(30, {{30, 0.1}})}, {30}, 0, true},
    {"stable with free processors",
     {requests(30, {{10, 0.8}}), requests(30, {{20, 0.7}})},
     {10, 20},
     1,
     true},
    {"stable, none free",
     {requests(30, {{10, 0.8}}), requests(30, {{20, 0.7}})},
     {10, 20},
     0,
     false},
    {"one below the target",
     {requests(30, {{10, 0.8}}), requests(30, {{20, 0.69}})},
     {10, 20},
     9,
     false},
    {"one has not measured on what it has now",
     {requests(30, {{10, 0.8}}), requests(30, {{21, 0.9}})},
     {10, 20},
     9,
     false},
    {"one processor needs no measurement",
     {requests(30, {{10, 0.8}}), requests(2)},
     {10, 1},
     9,
     true},
};

START_TEST(admits) {
    const LevelRow &row = level_rows[_i];
    ck_assert_msg(sharing::admits_another(row.applications, row.now, row.free, 2, 0.7) ==
                      row.admits,
                  "%s", row.name);
}
END_TEST

// A random machine: applications with random true curves and random measurements, of any worth.
struct Situation {
    int processors = 0;
    Applications applications;
};

Situation random_situation(std::mt19937_64 &random) {
    const auto up_to = [&](int most) { return 1 + static_cast<int>(random() % most); };
    Situation situation;
    const int count = up_to(12);
    for (int i = 0; i < count; i++) {
        auto application = at_least(up_to(3), requests(0));
        application.requested = application.least + up_to(30) - 1;
        for (int samples = up_to(5) - 1; samples > 0; samples--)
            application.measured.push_back({up_to(application.requested), up_to(400) / 10.0});
        situation.processors += application.least;
        situation.applications.push_back(application);
    }
    situation.processors += up_to(100) - 1;
    return situation;
}

const std::pair<const char *, Policy> all_policies[] = {
    {"equipartition", equipartition},
    {"equip++", equip()},
    {"equip++ step 4", equip(4)},
    {"equal_efficiency", equal_efficiency()},
    {"equal_efficiency unknown", equal_efficiency(OneProcessor::unknown)},
    {"equal_eff++", equal_eff()},
    {"equal_eff++ unknown", equal_eff(OneProcessor::unknown)},
};

int requested_by_all(const Applications &applications) {
    return std::accumulate(
        applications.begin(), applications.end(), 0,
        [](int sum, const auto &application) { return sum + application.requested; });
}

START_TEST(keeps_within_machine_and_requests) {
    const auto &[name, policy] = all_policies[_i];
    std::mt19937_64 random(1);
    for (int run = 0; run < 2000; run++) {
        const auto [processors, applications] = random_situation(random);
        const auto allotments = policy(processors, applications);
        ck_assert_msg(allotments.size() == applications.size(), "%s", name);
        for (std::size_t i = 0; i < allotments.size(); i++) {
            ck_assert_msg(allotments[i] >= applications[i].least &&
                              allotments[i] <= applications[i].requested,
                          "%s: %d", name, allotments[i]);
        }
        const int all = std::accumulate(allotments.begin(), allotments.end(), 0);
        ck_assert_msg(all <= processors, "%s", name);
        ck_assert_msg(allotments == policy(processors, applications), "%s", name);
    }
}
END_TEST

START_TEST(the_originals_leave_nothing_free_that_is_requested) {
    std::mt19937_64 random(2);
    for (const auto &policy : {equipartition, equal_efficiency()}) {
        for (int run = 0; run < 2000; run++) {
            const auto [processors, applications] = random_situation(random);
            const auto allotments = policy(processors, applications);
            ck_assert_int_eq(std::accumulate(allotments.begin(), allotments.end(), 0),
                             std::min(processors, requested_by_all(applications)));
        }
    }
}
END_TEST

START_TEST(equipartition_is_even) {
    std::mt19937_64 random(3);
    for (int run = 0; run < 2000; run++) {
        const auto [processors, applications] = random_situation(random);
        const auto allotments = equipartition(processors, applications);
        for (std::size_t i = 0; i < allotments.size(); i++) {
            for (std::size_t j = 0; j < allotments.size(); j++) {
                ck_assert(allotments[i] == applications[i].requested ||
                          allotments[j] <= std::max(allotments[i] + 1, applications[j].least));
            }
        }
    }
}
END_TEST

// Share, measure on that, share again: with measurements that do not change this comes to rest, and
// then everybody reaches the target (or has the least).
START_TEST(equip_plus_plus_comes_to_rest_at_the_target) {
    std::mt19937_64 random(4);
    for (int run = 0; run < 300; run++) {
        auto [processors, applications] = random_situation(random);
        std::vector<double> serial;
        for (auto &application : applications) {
            application.measured.clear();
            serial.push_back(static_cast<double>(random() % 1000) / 2000);
        }
        const auto policy = equip(1 + _i);
        const auto efficiency = [&](std::size_t i, int on) { // Amdahl
            return 1 / (serial[i] * on + 1 - serial[i]);
        };
        Allotments now;
        int rounds = 0;
        for (Allotments next = policy(processors, applications); next != now;
             next = policy(processors, applications)) {
            now = next;
            ck_assert_int_lt(rounds++, 1000);
            for (std::size_t i = 0; i < now.size(); i++)
                applications[i].measured.push_back({now[i], now[i] * efficiency(i, now[i])});
        }
        for (std::size_t i = 0; i < now.size(); i++)
            ck_assert(now[i] == applications[i].least || efficiency(i, now[i]) >= 0.7);
    }
}
END_TEST

// Where every application follows the formula, one measurement is as good as the true curve.
START_TEST(equal_efficiency_is_right_where_the_formula_is) {
    std::mt19937_64 random(5);
    for (int run = 0; run < 300; run++) {
        const double beta_1 = 1 + static_cast<double>(random() % 1000) / 10;
        const double beta_2 = 1 + static_cast<double>(random() % 1000) / 10;
        const auto at = [](double beta, int on) { return (1 + beta) / (on + beta); };
        const auto allotments = equal_efficiency()(
            60, {requests(60, {{10, at(beta_1, 10)}}), requests(60, {{3, at(beta_2, 3)}})});
        const double first = at(beta_1, allotments[0]);
        const double second = at(beta_2, allotments[1]);
        // Nobody would be more efficient with one more than the other one is.
        ck_assert(at(beta_1, allotments[0] + 1) <= second + 1e-9);
        ck_assert(at(beta_2, allotments[1] + 1) <= first + 1e-9);
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("sharing");
    tcase_add_loop_test(tests, shares, 0, std::size(rows));
    tcase_add_loop_test(tests, admits, 0, std::size(level_rows));
    tcase_add_loop_test(tests, keeps_within_machine_and_requests, 0, std::size(all_policies));
    tcase_add_test(tests, the_originals_leave_nothing_free_that_is_requested);
    tcase_add_test(tests, equipartition_is_even);
    tcase_add_loop_test(tests, equip_plus_plus_comes_to_rest_at_the_target, 0, 5);
    tcase_add_test(tests, equal_efficiency_is_right_where_the_formula_is);
    return run("sharing", tests);
}
