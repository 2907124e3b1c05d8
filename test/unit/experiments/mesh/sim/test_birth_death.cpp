// SPDX-License-Identifier: GPL-2.0-or-later
//
// The birth-death model against queues whose mean response times are known.
#include "experiments/mesh/sim/birth_death.hpp"
#include "near.hpp"
#include "suites.hpp"

namespace {

using vmall::sim::mesh::mean_blow_up;

} // namespace

START_TEST(one_server_is_m_m_1) {
    for (const double load : {0.1, 0.5, 0.9, 0.99}) {
        ck_assert_near(mean_blow_up({1}, load), 1 / (1 - load));
        ck_assert_near(mean_blow_up(std::vector<double>(256, 1.0), load), 1 / (1 - load), 1e-6);
    }
}
END_TEST

// M/M/2 with one arrival per service time: 4/3.
START_TEST(two_servers_are_m_m_2) {
    ck_assert_near(mean_blow_up({1, 2}, 1), 4 / 3.0);
}
END_TEST

// Relative to the empty state's, probabilities are 1, 2, 2, 1, and halves of it from then on: 8 in
// all. Jobs: 1 + 4 + 6 + 4 + (5 / 2 + 6 / 4 + 7 / 8 ...) = 21.
START_TEST(states_up_to_the_limit_have_their_own_rates) {
    ck_assert_near(mean_blow_up({0.5, 0.25, 0.5, 1}, 0.5), 21 / 8.0 / 0.5);
}
END_TEST

START_TEST(overload_never_ends) {
    ck_assert(std::isinf(mean_blow_up({1, 0.9}, 0.9)));
    ck_assert(std::isinf(mean_blow_up({1, 0.8}, 0.9)));
    ck_assert(!std::isinf(mean_blow_up({0.5, 1}, 0.9)));
    ck_assert(std::isinf(mean_blow_up({1, 0, 1}, 0.1)));
}
END_TEST

TCase *birth_death_tests() {
    TCase *tests = tcase_create("birth-death");
    tcase_add_test(tests, one_server_is_m_m_1);
    tcase_add_test(tests, two_servers_are_m_m_2);
    tcase_add_test(tests, states_up_to_the_limit_have_their_own_rates);
    tcase_add_test(tests, overload_never_ends);
    return tests;
}
