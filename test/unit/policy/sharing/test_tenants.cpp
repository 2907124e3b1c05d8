// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cores of a node jobs use to which Slurm gave the same: situations, and what holds for any.
#include "run.hpp"

#include "policy/sharing/equip_plus_plus.hpp"
#include "policy/sharing/equipartition.hpp"
#include "policy/sharing/tenants.hpp"

#include <algorithm>
#include <random>
#include <string>

namespace {

using namespace vmall::policy::sharing;

constexpr int max_mpl = 4;

Cores range(int first, int last) {
    Cores cores;
    for (int core = first; core <= last; ++core)
        cores.push_back(core);
    return cores;
}

Tenant mover(const Cores &given, const Cores &now) {
    return {given, now};
}

Tenant mover(const Cores &given) {
    return {given, given};
}

Tenant stayer(const Cores &given) {
    return {given, given, false};
}

std::string to_text(const std::vector<Cores> &dealt) {
    std::string text;
    for (const Cores &cores : dealt) {
        text += text.empty() ? "" : " | ";
        for (std::size_t i = 0; i < cores.size(); ++i)
            text += (i ? " " : "") + std::to_string(cores[i]);
    }
    return text;
}

struct Row {
    const char *name;
    std::vector<Tenant> tenants;
    const char *expected;
};

const Row rows[] = {
    {"who is alone has all", {mover(range(0, 3))}, "0 1 2 3"},
    {"two have half each", {mover(range(0, 3)), mover(range(0, 3))}, "0 1 | 2 3"},
    {"who has its half keeps it",
     {mover(range(0, 3), {1, 3}), mover(range(0, 3), {0, 2})},
     "1 3 | 0 2"},
    {"who is left alone gets all back", {mover(range(0, 3), {1, 3})}, "0 1 2 3"},
    {"who shrinks leaves what others want, too",
     {mover(range(0, 3)), mover(range(0, 1))},
     "2 3 | 0 1"},
    {"somebody moves aside for who has no choice", {mover({0, 1}, {0}), mover({0}, {0})}, "1 | 0"},
    {"a neighbour's neighbour makes room",
     {mover({0, 1}, {1}), mover({1, 2}, {2}), mover({2}, {2})},
     "0 | 1 | 2"},
    {"nobody gets what Slurm did not give it", {mover({0, 1}), mover({2, 3})}, "0 1 | 2 3"},
    {"more jobs than cores share them",
     {mover({0, 1}), mover({0, 1}), mover({0, 1}), mover({0, 1})},
     "0 | 0 | 1 | 1"},
    {"two that have only one core, and a third",
     {mover({0}), mover({0}), mover(range(0, 3))},
     "0 | 0 | 1 2 3"},
    {"who did not ask keeps its cores whole where there are others",
     {stayer({0, 1}), mover(range(0, 3))},
     "0 1 | 2 3"},
    {"beside who did not ask nobody has less than its half",
     {stayer(range(0, 3)), mover(range(0, 3))},
     "0 1 2 3 | 0 1 2 3"},
    {"half of a core counts half", {stayer({0, 1, 2}), mover(range(0, 3))}, "0 1 2 | 0 1 3"},
    {"two beside who did not ask",
     {stayer(range(0, 3)), mover(range(0, 3)), mover(range(0, 3))},
     "0 1 2 3 | 0 1 | 2 3"},
    {"and on twice as many cores",
     {stayer(range(0, 7)), mover(range(0, 7)), mover(range(0, 7))},
     "0 1 2 3 4 5 6 7 | 0 1 2 3 | 4 5 6 7"},
    {"those who leave the cores of others alone share the rest",
     {stayer(range(0, 3)), mover(range(0, 7)), mover(range(0, 7))},
     "0 1 2 3 | 0 1 4 5 | 6 7"},
    {"who cannot be moved keeps what it uses",
     {Tenant{range(0, 3), {0}, false}, mover(range(0, 3))},
     "0 | 1 2 3"},
};

START_TEST(situations) {
    const Row &row = rows[_i];
    const std::string dealt = to_text(deal_cores(row.tenants, max_mpl, equipartition));
    ck_assert_msg(dealt == row.expected, "%s: %s, expected %s", row.name, dealt.c_str(),
                  row.expected);
}
END_TEST

START_TEST(who_does_not_use_its_cores_well_has_fewer) {
    std::vector<Tenant> tenants = {mover(range(0, 7)), mover(range(0, 7))};
    for (int cores = 3; cores <= 8; ++cores)
        tenants[0].measured.push_back({cores, cores * 0.5});
    const auto dealt = deal_cores(tenants, max_mpl, [](int processors, const Applications &all) {
        return equip_plus_plus(processors, all, 0.7, 1);
    });
    ck_assert_uint_eq(dealt[0].size(), 2);
    ck_assert_uint_eq(dealt[1].size(), 6);
}
END_TEST

START_TEST(processes_share_places_of_as_many_cores_as_one_wants) {
    ck_assert_int_eq(mpl_on(mover(range(0, 7)), 8), 1);
    ck_assert_int_eq(mpl_on(mover(range(0, 7)), 3), 3);
    Tenant threads = mover(range(0, 7));
    threads.cores_per_process = 4;
    ck_assert_int_eq(mpl_on(threads, 5), 2);
    ck_assert_int_eq(mpl_on(threads, 3), 2);
    ck_assert_uint_eq(deal_cores({threads, mover({0})}, max_mpl, equipartition)[0].size(), 7);
}
END_TEST

Cores random_cores(std::mt19937 &random) {
    Cores cores;
    while (cores.empty())
        for (int core = 0; core < 8; ++core)
            if (random() % 2)
                cores.push_back(core);
    return cores;
}

START_TEST(who_has_agreed_with_other_nodes_has_just_that) {
    std::vector<Tenant> tenants = {mover(range(0, 7)), mover(range(0, 7))};
    tenants[0].agreed_mpl = 4;
    ck_assert_text(to_text(deal_cores(tenants, max_mpl, equipartition)), "0 1 | 2 3 4 5 6 7");
    tenants[0].agreed_mpl = 1; // where another node cannot fold it
    const std::vector<Cores> dealt = deal_cores(tenants, max_mpl, equipartition);
    ck_assert_text(to_text({dealt[0]}), to_text({range(0, 7)}));
    ck_assert_uint_ge(dealt[1].size(), 2);
    tenants = {mover(range(0, 3))};
    tenants[0].agreed_mpl = 2; // alone here, but not there
    ck_assert_text(to_text(deal_cores(tenants, max_mpl, equipartition)), "0 1");
}
END_TEST

START_TEST(cores_that_nobody_uses_well_are_used_all_the_same) {
    const auto shares = without_rest([](int processors, const Applications &applications) {
        return equip_plus_plus(processors, applications, 0.7, 1);
    });
    Tenant alone = mover(range(0, 3));
    alone.measured = {{4, 1.0}, {3, 0.9}, {2, 0.8}};
    ck_assert_text(to_text(deal_cores({alone}, max_mpl, shares)), "0 1 2 3");
    ck_assert_text(to_text(deal_cores({alone, alone}, max_mpl, shares)), "0 1 | 2 3");
    Tenant busy = mover(range(0, 3));
    ck_assert_text(to_text(deal_cores({alone, busy}, max_mpl, shares)), "0 | 1 2 3");
}
END_TEST

std::vector<Tenant> random_tenants(std::mt19937 &random) {
    std::vector<Tenant> tenants(1 + random() % 6);
    for (Tenant &tenant : tenants) {
        tenant.given = tenant.now = random_cores(random);
        tenant.moves = random() % 4 != 0;
    }
    return tenants;
}

void expect_enough(const Tenant &tenant, const Cores &before, const Cores &dealt) {
    ck_assert(std::includes(tenant.given.begin(), tenant.given.end(), dealt.begin(), dealt.end()));
    ck_assert_uint_ge(4 * dealt.size(), tenant.given.size());
    ck_assert(tenant.moves || dealt == before);
}

START_TEST(in_any_situation_all_have_their_quarter_and_it_comes_to_rest) {
    std::mt19937 random(static_cast<unsigned>(_i));
    std::vector<Tenant> tenants = random_tenants(random);
    std::vector<Cores> dealt, before;
    for (int times = 0; times < 4; ++times) {
        before = std::exchange(dealt, deal_cores(tenants, max_mpl, equipartition));
        for (std::size_t i = 0; i < tenants.size(); ++i)
            expect_enough(tenants[i], std::exchange(tenants[i].now, dealt[i]), dealt[i]);
    }
    ck_assert_text(to_text(dealt), to_text(before));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("tenants");
    tcase_add_loop_test(tests, situations, 0, std::size(rows));
    tcase_add_test(tests, who_does_not_use_its_cores_well_has_fewer);
    tcase_add_test(tests, who_has_agreed_with_other_nodes_has_just_that);
    tcase_add_test(tests, cores_that_nobody_uses_well_are_used_all_the_same);
    tcase_add_test(tests, processes_share_places_of_as_many_cores_as_one_wants);
    tcase_add_loop_test(tests, in_any_situation_all_have_their_quarter_and_it_comes_to_rest, 0,
                        1000);
    return run("tenants", tests);
}
