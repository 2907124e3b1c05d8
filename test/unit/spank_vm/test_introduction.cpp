// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent tells of its node, and whom it answers what.
#include "run.hpp"
#include "spank_vm/agent/introduction.hpp"
#include "temporary_directory.hpp"

using namespace vmall;
using control::Confinement;
using control::Installation;

namespace {

struct ConfinementCase {
    const char *name;
    bool slurm_makes_cpusets;
    const char *directory;   // in the mount; may be empty
    const char *controllers; // cgroup.controllers; nullptr: none
    Confinement expected;
};
constexpr ConfinementCase rows[] = {
    {"no task/cgroup", false, "cpuset", nullptr, Confinement::affinity},
    {"v1", true, "cpuset", nullptr, Confinement::cgroup_v1},
    {"v2", true, "", "cpu cpuset io memory\n", Confinement::cgroup_v2},
    {"v2 without cpusets", true, "", "cpu cpuset2 io\n", Confinement::missing},
    {"nothing is mounted", true, "", nullptr, Confinement::missing},
};

Installation of_node(const std::string &mount, bool slurm_makes_cpusets) {
    spank_vm::Settings settings;
    settings.config = config::parse("RankWaiting=spin\n", "vmall.conf");
    settings.node_name = "n1";
    settings.cgroup_mount = mount;
    settings.slurm_makes_cpusets = slurm_makes_cpusets;
    return agent::installation_of(settings);
}

START_TEST(confinement_is_told) {
    const ConfinementCase &row = rows[_i];
    const TemporaryDirectory mount;
    std::filesystem::create_directories(mount / row.directory);
    if (row.controllers)
        write_content(mount / "cgroup.controllers", row.controllers);
    const Installation found = of_node(mount.path(), row.slurm_makes_cpusets);
    ck_assert_msg(found.node.value().confinement == row.expected, "%s", row.name);
}
END_TEST

START_TEST(settings_are_those_that_hold) {
    std::string waiting, spin;
    for (const control::SettingRow &row : of_node("/nonexistent", false).settings) {
        if (row.key == "RankWaiting")
            waiting = row.value + " from " + row.from;
        if (row.key == "RankSpinTime")
            spin = row.value + " from " + row.from;
    }
    ck_assert_text(waiting, "spin from vmall.conf");
    ck_assert_text(spin, "50 from default");
}
END_TEST

START_TEST(only_one_question_is_answered) {
    const Installation installation = of_node("/nonexistent", false);
    const auto ask = [&](const std::string &query) {
        return control::decode_installation(agent::answer_to_query(query, installation));
    };
    ck_assert_text(ask(control::encode(control::Query{control::Ask::installation})).node->name,
                   "n1");
    const auto refused = [&](const std::string &query) {
        return refusal<control::QueryRefused>([&] { ask(query); });
    };
    ck_assert_contains(refused(control::encode(control::Query{control::Ask::jobs})),
                       "only tells how it is installed");
    ck_assert_contains(refused("{\"query\":{\"ask\":\"secrets\"}}"), "\"ask\" is unknown");
    ck_assert_contains(refused("{\"query\":7}"), "query is not a JSON object");
    ck_assert_contains(refused("nonsense"), "not JSON");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("introduction");
    tcase_add_loop_test(tests, confinement_is_told, 0, std::size(rows));
    tcase_add_test(tests, settings_are_those_that_hold);
    tcase_add_test(tests, only_one_question_is_answered);
    return run("introduction", tests);
}
