// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is granted virtual malleability, and what the log says of those who are not.
#include "plugins/cores/malleability.hpp"
#include "run.hpp"

#include <vector>

using namespace vmall::cores;

namespace {

struct Applicant {
    const char *what;
    std::vector<const char *> environment;
    void (*is_like)(vmall_applicant &applicant);
    const char *reason; // empty: nothing is refused
    bool granted;
    bool granted_with_gres; // where the site lets jobs with GRES be folded
};

void plain(vmall_applicant &) {}
void with_gres(vmall_applicant &applicant) {
    applicant.gres = true;
}
void folded_with_gres(vmall_applicant &applicant) {
    applicant.gres = applicant.folded_with_gres = true;
}
void with_whole_nodes(vmall_applicant &applicant) {
    applicant.whole_nodes = applicant.waits = true;
    applicant.tasks = applicant.min_nodes = applicant.cpus_per_task = 1;
}
void with_memory_for_three_tasks(vmall_applicant &applicant) {
    applicant.waits = true;
    applicant.tasks = 5;
    applicant.min_nodes = 2;
    applicant.tasks_for_memory = 3;
}
void fixed_by_slurm(vmall_applicant &applicant) {
    applicant.fixed = "its nodes are for one user only";
}

const std::vector<Applicant> applicants = {
    {"a job that did not ask", {"VMALL_OF_OTHERS=1"}, plain, "", false, false},
    {"one that opted out, with GRES", {"VMALL_NO_VM=1"}, with_gres, "", false, false},
    {"one that asked", {"VMALL_PROCS=4"}, plain, "", true, true},
    {"GRES", {"VMALL_CLASS=long"}, with_gres, "it has GRES (FoldGres of vmall.conf)", false, true},
    {"GRES, of a folded job", {"VMALL_CLASS=long"}, folded_with_gres, "", true, true},
    {"whole nodes",
     {"VMALL_CLASS=long"},
     with_whole_nodes,
     "it takes whole nodes (LendWholeNodes of vmall.conf)",
     false,
     false},
    {"what Slurm knows",
     {"VMALL_CLASS=long"},
     fixed_by_slurm,
     "its nodes are for one user only",
     false,
     false},
    {"as much memory as its tasks may have",
     {"VMALL_CLASS=long"},
     with_memory_for_three_tasks,
     "",
     true,
     true},
    {"more memory than the tasks of its smallest size may have",
     {"VMALL_PROCS=4,8"},
     with_memory_for_three_tasks,
     "it asks for more memory than its tasks' CPUs may have (MaxMemPerCPU)",
     false,
     false},
    {"a request that our options would not have sent",
     {"VMALL_CLASS=so\nso"},
     plain,
     "VMALL_CLASS: \"so?so\" is not a class: give short or long",
     false,
     false},
};

START_TEST(is_granted_or_refused_with_a_reason) {
    const Applicant &row = applicants[_i];
    vmall_applicant applicant = {};
    applicant.spank_environment = row.environment.data();
    applicant.spank_environment_count = static_cast<std::uint32_t>(row.environment.size());
    row.is_like(applicant);
    const Malleability found = malleability_of(applicant, {});
    const std::string refusal =
        "asked for virtual malleability and is scheduled like the others: " +
        std::string(row.reason);
    ck_assert_text(found.refusal, *row.reason ? refusal : "");
    ck_assert_msg(found.granted() == row.granted, "%s", row.what);
    ck_assert_msg(is_malleable(applicant, {true, vmall::config::Limit(0),
                                           vmall::config::LendWholeNodes::no}) ==
                      row.granted_with_gres,
                  "%s", row.what);
}
END_TEST

struct Unasked {
    const char *what;
    const char *take_part;
    std::vector<const char *> environment;
    void (*is_like)(vmall_applicant &applicant);
    bool granted;
};

void runs(vmall_applicant &applicant) {
    applicant.waits = false;
}
void in_two_partitions(vmall_applicant &applicant) {
    applicant.partitions = "big,small";
}
void uneven(vmall_applicant &applicant) {
    applicant.even = false;
}

const char *const big = "partition/big:yes";
const char *const mark = "VMALL_TAKES_PART=1";

// Of user 7 in partition big, waiting, unless it says otherwise.
const std::vector<Unasked> unasked = {
    {"nobody", "none", {}, plain, false},
    {"all", "yes", {}, plain, true},
    {"its partition", big, {}, plain, true},
    {"another partition", "partition/small:yes", {}, plain, false},
    {"one of its partitions", big, {}, in_two_partitions, false},
    {"both of its partitions",
     "partition/big:yes,partition/small:yes",
     {},
     in_two_partitions,
     true},
    {"its QOS", "qos/high:yes", {}, plain, true},
    {"its account", "account/chem:yes", {}, plain, true},
    {"its user", "user/7:yes", {}, plain, true},
    {"its user, against its partition", "partition/big:yes,user/7:no", {}, plain, false},
    {"another user, against its partition", "partition/big:yes,user/8:no", {}, plain, true},
    {"its partition, against its user", "partition/big:no,user/7:yes", {}, plain, false},
    {"all but its account", "yes,account/chem:no", {}, plain, false},
    {"who opted out", big, {"VMALL_NO_VM=1"}, plain, false},
    {"what others put in its environment", big, {"PYXIS=1"}, plain, true},
    {"a request that cannot be read", big, {"VMALL_CLASS=medium"}, plain, false},
    {"GRES", big, {}, with_gres, false},
    {"whole nodes", big, {}, with_whole_nodes, false},
    {"what Slurm knows", big, {}, fixed_by_slurm, false},
    {"one that would get other cores", big, {}, uneven, false},
    {"one that says itself that it does", "none", {mark}, plain, false},
    {"one that runs and has been started so", "none", {mark}, runs, true},
    {"one that runs and has not", "yes", {}, runs, false},
    {"one that runs and opted out", "yes", {mark, "VMALL_NO_VM=1"}, runs, false},
};

START_TEST(who_has_not_asked_takes_part_where_the_site_says_so) {
    const Unasked &row = unasked[_i];
    vmall_applicant applicant = {};
    applicant.spank_environment = row.environment.data();
    applicant.spank_environment_count = static_cast<std::uint32_t>(row.environment.size());
    applicant.waits = applicant.even = true;
    applicant.partitions = "big";
    applicant.qos = "high";
    applicant.account = "chem";
    applicant.user_id = 7;
    row.is_like(applicant);
    const Rules rules =
        rules_of(vmall::config::parse(std::string("TakePart=") + row.take_part, "f"));
    const Malleability found = malleability_of(applicant, rules);
    ck_assert_msg(found.granted() == row.granted, "%s", row.what);
    ck_assert_msg(found.by_default == row.granted, "%s", row.what);
}
END_TEST

struct WholeNodesRow {
    const char *what;
    std::uint32_t tasks, min_nodes, cpus_per_task;
    const char *sizes; // of --vm-procs; empty: not given
    int nodes;         // 0: it is refused
    int cpus;          // of each task
};

// Nodes of 8 cores and 16 CPUs.
const std::vector<WholeNodesRow> whole_nodes_rows = {
    {"one task", 1, 1, 1, "", 1, 16},
    {"a task for each core", 8, 1, 1, "", 1, 2},
    {"a task for each CPU: two would share a core", 16, 1, 1, "", 0, 0},
    {"tasks that ask for a core", 16, 1, 2, "", 2, 2},
    {"tasks with half a node", 4, 1, 8, "", 2, 8},
    {"few tasks on many nodes", 4, 4, 1, "", 4, 16},
    {"more nodes than it needs", 8, 2, 2, "", 2, 4},
    {"three on eight cores", 3, 1, 1, "", 0, 0},
    {"six on eight cores of each", 12, 1, 2, "", 0, 0},
    {"fewer tasks than nodes", 1, 2, 1, "", 0, 0},
    {"tasks that are wider than a node", 2, 1, 17, "", 0, 0},
    {"what it is told of processes", 1, 1, 1, "VMALL_PROCS=2,8", 1, 2},
};

// Eight tasks that run on a node.
vmall_applicant on_whole_nodes(const char *const (&environment)[1]) {
    vmall_applicant applicant = {};
    applicant.spank_environment = environment;
    applicant.spank_environment_count = 1;
    applicant.whole_nodes = true;
    applicant.node_cores = applicant.tasks = 8;
    applicant.node_cpus = 16;
    applicant.min_nodes = applicant.cpus_per_task = 1;
    return applicant;
}

START_TEST(tasks_fill_whole_nodes_evenly_or_do_not_lend) {
    const WholeNodesRow &row = whole_nodes_rows[_i];
    const char *const environment[] = {*row.sizes ? row.sizes : "VMALL_CLASS=long"};
    vmall_applicant applicant = on_whole_nodes(environment);
    applicant.waits = true;
    applicant.tasks = row.tasks;
    applicant.min_nodes = row.min_nodes;
    applicant.cpus_per_task = row.cpus_per_task;
    const Malleability found =
        malleability_of(applicant, rules_of(vmall::config::parse("LendWholeNodes=user", "f")));
    ck_assert_msg(found.granted() == (row.nodes > 0), "%s: %s", row.what, found.refusal.c_str());
    if (row.nodes == 0)
        return;
    ck_assert_int_eq(found.whole_nodes->nodes, row.nodes);
    ck_assert_int_eq(found.whole_nodes->cpus_per_task, row.cpus);
}
END_TEST

START_TEST(a_job_that_was_started_to_lend_goes_on_whatever_the_site_has_changed) {
    const char *const environment[] = {"VMALL_CLASS=long"};
    vmall_applicant applicant = on_whole_nodes(environment);
    ck_assert(is_malleable(applicant, {}));
    applicant.keeps = "it was started on whole nodes";
    ck_assert(!is_malleable(applicant, rules_of(vmall::config::parse("LendWholeNodes=yes", "f"))));
}
END_TEST

START_TEST(who_asked_does_not_take_part_by_default) {
    const char *const environment[] = {"VMALL_CLASS=long", mark};
    vmall_applicant applicant = {};
    applicant.spank_environment = environment;
    applicant.spank_environment_count = 2;
    const Malleability found = malleability_of(
        applicant, {false, vmall::config::Limit(1), vmall::config::LendWholeNodes::no});
    ck_assert(found.granted() && !found.by_default);
}
END_TEST

START_TEST(those_who_have_not_asked_are_looked_at_only_where_some_take_part) {
    ck_assert(!includes_unasked({}));
    ck_assert(includes_unasked(rules_of(vmall::config::parse("TakePart=none,user/7:yes", "f"))));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("malleability");
    tcase_add_loop_test(tests, is_granted_or_refused_with_a_reason, 0,
                        static_cast<int>(applicants.size()));
    tcase_add_loop_test(tests, who_has_not_asked_takes_part_where_the_site_says_so, 0,
                        static_cast<int>(unasked.size()));
    tcase_add_loop_test(tests, tasks_fill_whole_nodes_evenly_or_do_not_lend, 0,
                        static_cast<int>(whole_nodes_rows.size()));
    tcase_add_test(tests, a_job_that_was_started_to_lend_goes_on_whatever_the_site_has_changed);
    tcase_add_test(tests, who_asked_does_not_take_part_by_default);
    tcase_add_test(tests, those_who_have_not_asked_are_looked_at_only_where_some_take_part);
    return run("malleability", tests);
}
