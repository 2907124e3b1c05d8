// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent tells of its node, and whom it answers what.
#include "run.hpp"
#include "spank_vm/agent/introduction.hpp"
#include "spank_vm/agent/kernel.hpp"
#include "temporary_directory.hpp"

using namespace vmall;
using wire::Confinement;
using wire::Installation;

namespace {

struct ConfinementCase {
    const char *name;
    bool slurm_makes_cpusets;
    const char *file; // in the mount; ends with '/' if it is a directory
    const char *content;
    Confinement expected;
};
constexpr ConfinementCase rows[] = {
    {"no task/cgroup", false, "cpuset/cpuset.cpus", "0-3\n", Confinement::affinity},
    {"v1", true, "cpuset/cpuset.cpus", "0-3\n", Confinement::cgroup_v1},
    {"v1 that is not mounted", true, "cpuset/", nullptr, Confinement::missing},
    {"v2", true, "cgroup.controllers", "cpu cpuset io memory\n", Confinement::cgroup_v2},
    {"v2, the last of the list", true, "cgroup.controllers", "cpuset\n", Confinement::cgroup_v2},
    {"v2 without cpusets", true, "cgroup.controllers", "cpu cpuset2\n", Confinement::missing},
    {"nothing is mounted", true, "/", nullptr, Confinement::missing},
};

agent::Settings settings_of(const std::string &mount, bool slurm_makes_cpusets) {
    agent::Settings settings;
    settings.config = config::parse("NextRank=sender\n", "vmall.conf");
    settings.node_name = "n1";
    settings.cgroup_mount = mount;
    settings.slurm_makes_cpusets = slurm_makes_cpusets;
    return settings;
}

Installation of_node(const std::string &mount, bool slurm_makes_cpusets) {
    return agent::installation_of(settings_of(mount, slurm_makes_cpusets), {});
}

START_TEST(confinement_is_told) {
    const ConfinementCase &row = rows[_i];
    const TemporaryDirectory mount;
    const std::filesystem::path file = mount / row.file;
    std::filesystem::create_directories(file.parent_path());
    if (row.content)
        write_content(file, row.content);
    const Installation found = of_node(mount.path(), row.slurm_makes_cpusets);
    ck_assert_msg(found.node.value().confinement == row.expected, "%s", row.name);
}
END_TEST

struct GroupsCase {
    const char *memberships; // /proc/self/cgroup
    const char *controllers; // of slurmd's group in cgroup v2
    const char *autogroups;
    wire::Groups expected;
};
constexpr GroupsCase groups_rows[] = {
    {"3:cpu,cpuacct:/\n1:name=systemd:/slurmd\n", "", "0\n", wire::Groups::none},
    {"3:cpu,cpuacct:/\n1:name=systemd:/slurmd\n", "", "1\n", wire::Groups::autogroups},
    {"4:cpuset:/a\n3:cpuacct,cpu:/slurmd\n", "", "1\n", wire::Groups::cpu_cgroups},
    {"4:cpuset,cpuacct:/a\n", "", "1\n", wire::Groups::autogroups},
    {"0::/slurmd\n", "cpuset cpu io\n", "1\n", wire::Groups::cpu_cgroups},
    {"0::/slurmd\n", "cpuset io\n", "1\n", wire::Groups::autogroups},
    {"0::/\n", "cpuset cpu io\n", "1\n", wire::Groups::autogroups},
    {"nonsense\n", "", "", wire::Groups::none},
    {"", "", "", wire::Groups::none}, // a kernel without cgroups and autogroups
};

START_TEST(groups_are_those_that_slurmd_is_in) {
    const GroupsCase &row = groups_rows[_i];
    const TemporaryDirectory proc, mount;
    for (const auto &directory : {proc / "self", proc / "sys/kernel", mount / "slurmd"})
        std::filesystem::create_directories(directory);
    write_content(proc / "self/cgroup", row.memberships);
    write_content(proc / "sys/kernel/sched_autogroup_enabled", row.autogroups);
    for (const char *group : {"cgroup.controllers", "slurmd/cgroup.controllers"})
        write_content(mount / group, row.controllers);
    const wire::Kernel kernel = agent::kernel_of(proc.path(), mount.path());
    ck_assert_msg(kernel.groups == row.expected, "%s", row.memberships);
    ck_assert(!kernel.release.empty());
}
END_TEST

START_TEST(settings_are_those_that_hold) {
    std::string next, queues;
    for (const wire::SettingRow &row : of_node("/nonexistent", false).settings) {
        if (row.key == "NextRank")
            next = row.value + " from " + row.from;
        if (row.key == "RunQueues")
            queues = row.value + " from " + row.from;
    }
    ck_assert_text(next, "sender from vmall.conf");
    ck_assert_text(queues, "detect from default");
}
END_TEST

START_TEST(library_is_looked_for_whenever_somebody_asks) {
    const TemporaryDirectory directory;
    agent::Settings settings = settings_of("/nonexistent", false);
    settings.config.vmrt_library = directory / "libvmrt.so";
    const auto has_vmrt = [&] {
        const std::string query = wire::encode(wire::Query{wire::Ask::installation});
        return wire::decode_installation(agent::answer_to_query(query, settings, {}))
            .node.value()
            .has_vmrt;
    };
    ck_assert(!has_vmrt());
    write_content(settings.config.vmrt_library, "");
    ck_assert(has_vmrt());
    settings.config.vmrt_library = directory.path();
    ck_assert(!has_vmrt());
}
END_TEST

START_TEST(of_its_jobs_tells_who_deals_their_cores) {
    const agent::Settings settings = settings_of("/nonexistent", false);
    const auto answer = [&](wire::Ask ask) {
        return agent::answer_to_query(wire::encode(wire::Query{ask}), settings, {},
                                      [](const wire::Query &query) {
                                          return query.ask == wire::Ask::jobs ? "jobs" : "left out";
                                      });
    };
    ck_assert_text(answer(wire::Ask::jobs), "jobs");
    ck_assert_text(answer(wire::Ask::left_out), "left out");
    ck_assert_contains(answer(wire::Ask::queue), "only tells");
    ck_assert_contains(answer(wire::Ask::installation), "\"name\":\"n1\"");
}
END_TEST

START_TEST(only_one_question_is_answered) {
    const agent::Settings settings = settings_of("/nonexistent", false);
    const auto ask = [&](const std::string &query) {
        return wire::decode_installation(agent::answer_to_query(query, settings, {}));
    };
    ck_assert_text(ask(wire::encode(wire::Query{wire::Ask::installation})).node->name, "n1");
    const auto refused = [&](const std::string &query) {
        return refusal<wire::QueryRefused>([&] { ask(query); });
    };
    ck_assert_contains(refused(wire::encode(wire::Query{wire::Ask::jobs})),
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
    tcase_add_loop_test(tests, groups_are_those_that_slurmd_is_in, 0, std::size(groups_rows));
    tcase_add_test(tests, settings_are_those_that_hold);
    tcase_add_test(tests, library_is_looked_for_whenever_somebody_asks);
    tcase_add_test(tests, of_its_jobs_tells_who_deals_their_cores);
    tcase_add_test(tests, only_one_question_is_answered);
    return run("introduction", tests);
}
