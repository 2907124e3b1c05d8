// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl doctor: what it makes of answers and files, how it asks, and how it tells.
#include "wire/expect.hpp"
#include "wire/munged.hpp"
#include "wire/waiting_listener.hpp"

#include "tools/vmctl/local_files.hpp"
#include "tools/vmctl/slurm_nodes.hpp"
#include "tools/vmctl/verdict.hpp"
#include "vmall_config.h"

#include <fstream>
#include <iterator>
#include <slurm/slurm.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace vmall::wire;
using namespace vmall::vmctl;
using namespace std::chrono_literals;

namespace {

// Of all tests. Every test is a process of its own, which must not stop it at its exit.
Munged *munged;

void start_munged() {
    munged = new Munged();
}
void stop_munged() {
    delete munged;
}

const std::string ours = slurm_release(SLURM_VERSION_NUMBER);
const SlurmFacts slurm = {ours, "select/cons_tres_vmall", "sched/backfill"};
const Settings settings = {{"MaxMpl", "2", "vmall.conf"},
                           {"NextRank", "round-robin", "default"},
                           {"MungeSocket", "", "default"},
                           {"AgentTimeout", "2", "default"},
                           {"VmrtLibrary", "/lib/libvmrt.so", "vmall.conf"}};

Introduction met(const Settings &theirs = settings) {
    return {Installation{PACKAGE_VERSION, ours, theirs,
                         NodeInstallation{"n1", Confinement::cgroup_v1, true}},
            ""};
}

Settings with(const std::string &key, const std::string &value, const std::string &from = "") {
    Settings changed = settings;
    for (SettingRow &row : changed)
        if (row.key == key)
            row = {key, value, from};
    return changed;
}

// Fails unless exactly `check` is wrong; an empty one: nothing is.
Diagnosis only_wrong(const Diagnoses &diagnoses, const std::string &check) {
    Diagnosis found;
    for (const Diagnosis &diagnosis : diagnoses)
        if (!diagnosis.ok()) {
            expect_equal(diagnosis.check, check);
            found = diagnosis;
        }
    expect_equal(found.check, check);
    return found;
}

struct SlurmCase {
    SlurmFacts facts;
    const char *wrong; // check; "": none
    const char *what;
    const char *fix;
};
const SlurmCase slurm_cases[] = {
    {slurm, "", "", ""},
    {{ours, "select/cons_tres_vmall", "sched/fjt"}, "", "", ""},
    {{ours, "select/vmall", "sched/fjt"}, "", "", ""},
    {{"1.02.3", "select/cons_tres_vmall", "sched/backfill"}, "Slurm", "1.02.3", "for Slurm 1.02.3"},
    {{ours, "select/cons_tres", "sched/backfill"},
     "slurm.conf",
     "SelectType=select/cons_tres",
     "Put SelectType=select/cons_tres_vmall into slurm.conf"},
    {{ours, "select/cons_tres_vmall", "sched/builtin"},
     "slurm.conf",
     "SchedulerType=sched/builtin",
     "Put SchedulerType=sched/fjt into slurm.conf"},
};

START_TEST(slurm_is_judged) {
    const SlurmCase &row = slurm_cases[_i];
    const Diagnosis diagnosis = only_wrong(judge_slurm(row.facts), row.wrong);
    expect_part(diagnosis.what, row.what, "what");
    expect_part(diagnosis.fix, row.fix, "fix");
}
END_TEST

const SlurmCase node_mode_cases[] = {
    {{ours, "select/cons_tres", "sched/backfill"}, "", "", ""},
    {{"1.02.3", "select/cons_tres", "sched/builtin"}, "", "", ""}, // agents are for any release
    {{ours, "select/cons_tres_vmall", "sched/fjt"},
     "slurm.conf",
     "mode=node",
     "take mode=node out of plugstack.conf"},
    {{ours, "select/linear", "sched/backfill"}, "slurm.conf", "select/linear", "select/cons_tres"},
    {{ours, "select/cons_tres", "sched/backfill", true}, "slurm.conf", "GANG", "Take GANG out"},
};

START_TEST(slurm_without_ours_is_judged) {
    const SlurmCase &row = node_mode_cases[_i];
    const Diagnosis diagnosis = only_wrong({judge_slurm_without_ours(row.facts)}, row.wrong);
    expect_part(diagnosis.what, row.what, "what");
    expect_part(diagnosis.fix, row.fix, "fix");
}
END_TEST

struct NodeCase {
    const char *name;
    void (*change)(Introduction &);
    const char *wrong; // check; "": none
    const char *what;
    const char *fix;
};
const NodeCase node_cases[] = {
    {"sound", [](Introduction &) {}, "", "", ""},
    {"silent",
     [](Introduction &i) {
         i = {std::nullopt, "Connection refused"};
     },
     "agent", "Connection refused", "Start slurmd there"},
    {"other node", [](Introduction &i) { i.installation->node->name = "n2"; }, "agent",
     "the agent of n2", "AgentPort=+N"},
    {"controller", [](Introduction &i) { i.installation->node.reset(); }, "agent", "a controller",
     "AgentPort=+N"},
    {"other release", [](Introduction &i) { i.installation->version = "0.0.1"; }, "agent",
     "slurm-vmall 0.0.1 for Slurm", "Install the same release everywhere and restart slurmd"},
    {"other Slurm", [](Introduction &i) { i.installation->slurm = "1.02.3"; }, "agent",
     "for Slurm 1.02.3, and slurmd is ", "Build slurm-vmall again"},
    {"clock a little behind", [](Introduction &i) { i.clock_ahead = -highest_clock_difference; },
     "", "", ""},
    {"clock behind", [](Introduction &i) { i.clock_ahead = -11; }, "clock", "11 s behind", "NTP"},
    {"clock ahead", [](Introduction &i) { i.clock_ahead = 42; }, "clock", "42 s ahead of", "NTP"},
    {"affinity", [](Introduction &i) { i.installation->node->confinement = Confinement::affinity; },
     "", "", ""},
    {"no cpusets",
     [](Introduction &i) { i.installation->node->confinement = Confinement::missing; },
     "confinement", "no cpusets below CgroupMountpoint", "Mount the cpuset controller"},
    {"setting", [](Introduction &i) { i.installation->settings = with("NextRank", "sender"); },
     "vmall.conf", "NextRank=sender instead of round-robin", "restart slurmd"},
    {"setting beside none",
     [](Introduction &i) { i.installation->settings = with("MungeSocket", "/s"); }, "vmall.conf",
     "MungeSocket=/s instead of none", "restart slurmd"},
    {"setting that is not read at the start",
     [](Introduction &i) { i.installation->settings = with("MaxMpl", "4"); }, "", "", ""},
    {"setting that slurmd reads when it starts and slurmctld at any time",
     [](Introduction &i) { i.installation->settings = with("AgentTimeout", "9"); }, "vmall.conf",
     "AgentTimeout=9 instead of 2", "restart slurmd"},
    {"no libvmrt", [](Introduction &i) { i.installation->node->has_vmrt = false; }, "libvmrt",
     "/lib/libvmrt.so is not there", "Install slurm-vmall there"},
    {"setting of another release", [](Introduction &i) { i.installation->settings = {}; }, "", "",
     ""},
};

START_TEST(node_is_judged) {
    const NodeCase &row = node_cases[_i];
    Introduction agent = met();
    row.change(agent);
    const Diagnosis diagnosis = only_wrong(judge_node(agent, {"n1", ours, settings}), row.wrong);
    expect_part(diagnosis.what, row.what, row.name);
    expect_part(diagnosis.fix, row.fix, row.name);
}
END_TEST

START_TEST(kernel_of_a_node_is_told) {
    const auto told = [](const Introduction &agent) {
        std::string text;
        for (const Diagnosis &diagnosis : judge_node(agent, {"n1", ours, settings}))
            if (diagnosis.check == "kernel")
                text += diagnosis.what;
        return text;
    };
    Introduction agent = met();
    expect_equal(told(agent), ""); // it does not say
    agent.installation->node->kernel = Kernel{"6.18.44", Groups::autogroups};
    expect_part(told(agent), "sched_autogroup_enabled=0", "fault");
}
END_TEST

START_TEST(hand_over_of_a_node_is_told) {
    const auto told = [](const Introduction &agent) {
        std::string text;
        for (const Diagnosis &diagnosis : judge_node(agent, {"n1", ours, settings}))
            if (diagnosis.check == "hand-over")
                text += diagnosis.what;
        return text;
    };
    Introduction agent = met();
    expect_equal(told(agent), "not measured yet: no CPU has had time for it");
    agent.installation->node->hand_over = HandOver{1700, std::time(nullptr)};
    expect_equal(told(agent), "1 to 2 us, measured in the last 24 h");
}
END_TEST

START_TEST(what_vmctl_has_set_is_in_no_file_of_a_node) {
    only_wrong(judge_node(met(), {"n1", ours, with("AgentTimeout", "9", "vmctl")}), "");
    only_wrong(judge_node(met(), {"n1", ours, with("AgentTimeout", "9", "vmall.conf")}),
               "vmall.conf");
}
END_TEST

struct StateCase {
    std::uint32_t state;
    bool is_running;
};
constexpr StateCase states[] = {
    {NODE_STATE_IDLE, true},
    {NODE_STATE_DOWN, true}, // slurmd may be there
    {NODE_STATE_UNKNOWN | NODE_STATE_DRAIN, true},
    {NODE_STATE_ALLOCATED | NODE_STATE_POWER_DOWN, true}, // when its job has ended
    {NODE_STATE_IDLE | NODE_STATE_POWERED_DOWN, false},
    {NODE_STATE_IDLE | NODE_STATE_POWERING_DOWN, false},
    {NODE_STATE_ALLOCATED | NODE_STATE_POWERING_UP, false},
    {NODE_STATE_FUTURE, false},
};

START_TEST(record_of_a_node_is_read) {
    std::string name = "n1", address = "10.0.0.1", version = "22.05.8";
    node_info_t record = {};
    record.name = name.data();
    record.port = 6818;
    record.node_state = states[_i].state;
    ck_assert(node_of(record).is_running == states[_i].is_running);
    expect_equal(node_of(record).address, "n1");
    expect_equal(node_of(record).version, "");
    record.node_addr = address.data();
    record.version = version.data();
    expect_equal(node_of(record).name, "n1");
    expect_equal(node_of(record).address, "10.0.0.1");
    expect_equal(node_of(record).version, "22.05.8");
    ck_assert_int_eq(node_of(record).port, 6818);
}
END_TEST

START_TEST(node_whose_slurmd_is_not_known_is_judged_without) {
    only_wrong(judge_node(met(), {"n1", "", settings}), "");
}
END_TEST

START_TEST(controller_is_judged) {
    const auto judge = [](const Introduction &controller) {
        return judge_controller(controller, slurm, settings);
    };
    only_wrong(judge(met()), "");
    only_wrong(judge(met(with("MaxMpl", "4", "vmctl"))), ""); // vmctl set: no file is wrong
    const Diagnosis differs =
        only_wrong(judge(met(with("MaxMpl", "4", "vmall.conf"))), "vmall.conf");
    expect_equal(differs.what, "MaxMpl=2 instead of 4");
    expect_equal(differs.where.at(0), "here");
    const Diagnosis silent = only_wrong(judge({std::nullopt, "timed out"}), "sched/fjt");
    expect_equal(silent.what, "timed out");
    expect_part(silent.fix, "slurmctld's log", "fix");
    Introduction old = met();
    old.installation->version = "0.0.1";
    expect_part(only_wrong(judge(old), "sched/fjt").fix, "restart slurmctld", "fix");
}
END_TEST

START_TEST(findings_of_nodes_are_put_together) {
    const Diagnoses diagnoses = merged({{"agent", {"n1"}, "0.1.0", ""},
                                        {"clock", {"n1"}, "right", ""},
                                        {"agent", {"n2"}, "no\x1b answer", "Start it."},
                                        {"agent", {"n3"}, "0.1.0", ""},
                                        {"clock", {"n3"}, "right", ""},
                                        {"agent", {"n4"}, "0.2.0", ""}});
    expect_equal(diagnoses_table(diagnoses, true), "CHECK WHERE  RESULT WHAT\n"
                                                   "agent n[1,3] ok     0.1.0\n"
                                                   "agent n2     WRONG  no? answer. Start it.\n"
                                                   "agent n4     ok     0.2.0\n"
                                                   "clock n[1,3] ok     right\n");
    expect_equal(diagnoses_table({}, false), "");
    expect_equal(encode({diagnoses[1]}),
                 "{\"checks\":[{\"check\":\"agent\",\"where\":[\"n2\"],\"ok\":false,"
                 "\"what\":\"no\\u001b answer\",\"fix\":\"Start it.\"}]}");
}
END_TEST

void write_file(const std::string &path, const std::string &content) {
    std::ofstream(path) << content;
}

START_TEST(plugins_are_looked_for) {
    const TemporaryDirectory first, second;
    write_file(first.path() + "/a.so", "");
    write_file(second.path() + "/b.so", "");
    const std::string both = first.path() + ":" + second.path();
    ck_assert(judge_plugins(both, {"a.so", "b.so"}).ok());
    const Diagnosis missing = judge_plugins(both, {"a.so", "c.so", "d.so"});
    expect_equal(missing.what, "c.so, d.so: not in PluginDir=" + both);
    expect_part(missing.fix, "make install", "fix");
}
END_TEST

struct PlugstackCase {
    const char *text;
    const char *what; // nullptr: all is well
};
constexpr PlugstackCase plugstacks[] = {
    {"required spank_vm.so\n", nullptr},
    {"# ours\n\toptional  spank_vm.so config=/etc/vmall.conf # why\n", nullptr},
    {"optional other.so\ninclude more*\n", nullptr},
    {"include plugstack.conf\n", "does not name spank_vm.so"},
    {"", "does not name spank_vm.so"},
    {"#required spank_vm.so\n", "does not name spank_vm.so"},
    {"required spank_vm.so# ours\n", nullptr},
    {"required spank_vm.so.old\n", "does not name spank_vm.so"},
    {"required /nonexistent/spank_vm.so\n", "/nonexistent/spank_vm.so of "},
};

START_TEST(plugstack_conf_is_read) {
    const PlugstackCase &row = plugstacks[_i];
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/plugstack.conf";
    write_file(path, row.text);
    write_file(directory.path() + "/more.conf", "required spank_vm.so\n");
    write_file(directory.path() + "/spank_vm.so", "");
    const Diagnosis diagnosis = judge_plugstack(path, directory.path());
    ck_assert_msg(diagnosis.ok() == !row.what, "%s: %s", row.text, diagnosis.what.c_str());
    if (row.what)
        expect_part(diagnosis.what, row.what, row.text);
}
END_TEST

START_TEST(what_stands_behind_the_plugin_is_read) {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/plugstack.conf";
    ck_assert(!spank_arguments(path));
    write_file(path, "required /a/spank_vm.so mode=node  AgentPort=+9 # why\n");
    ck_assert(spank_arguments(path) == std::vector<std::string>({"mode=node", "AgentPort=+9"}));
    write_file(path, "required spank_vm.so\n");
    ck_assert(spank_arguments(path)->empty());
}
END_TEST

START_TEST(missing_plugstack_conf_or_plugin_is_told) {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/plugstack.conf";
    expect_part(judge_plugstack(path, "/nonexistent").what, path + " is not there", "file");
    write_file(path, "required spank_vm.so\n");
    const Diagnosis diagnosis = judge_plugstack(path, "/nonexistent");
    expect_part(diagnosis.what, "spank_vm.so of " + path + " is not there", "plugin");
    expect_part(diagnosis.fix, "make install", "fix");
}
END_TEST

// Answers one question with this, sealed by the clock of `by`.
class Agent {
  public:
    explicit Agent(std::string answer, const Munged &by = *munged)
        : thread_([this, answer, socket = by.socket()] {
              Connection connection(listener_.accept(), Connection::Clock::now() + limit);
              const Opened question = Seal(munged->socket()).open(connection.receive());
              connection.send(Seal(socket).seal(answer, question.uid));
          }) {}
    ~Agent() { answered(); }
    void answered() {
        if (thread_.joinable())
            thread_.join();
    }
    AgentAddress address() const { return {"127.0.0.1", listener_.port()}; }

  private:
    WaitingListener listener_{0};
    std::thread thread_;
};

START_TEST(all_agents_are_asked_and_none_holds_up_the_others) {
    const Munged early('k', 30), late('k', -30);
    Agent first(encode(*met().installation)), broken("{}"),
        ahead(encode(*met().installation), early), behind(encode(*met().installation), late);
    WaitingListener deaf(0);
    std::thread hangs_up_last([&] {
        Connection connection(deaf.accept(), Connection::Clock::now() + limit);
        connection.receive();
        for (Agent *agent : {&first, &broken, &ahead, &behind})
            agent->answered();
    });
    const int nobody = Listener(0).port();
    const auto found = meet({{"127.0.0.1", deaf.port()},
                             first.address(),
                             {"127.0.0.1", nobody},
                             broken.address(),
                             ahead.address(),
                             {std::string(70, 'h'), 1},
                             behind.address()},
                            munged->socket(), limit);
    hangs_up_last.join();
    ck_assert_uint_eq(found.size(), 7);
    expect_part(found[0].problem, "hung up", "deaf");
    expect_equal(found[1].problem, "");
    expect_equal(found[1].installation.value().node.value().name, "n1");
    ck_assert_int_eq(found[1].clock_ahead, 0);
    expect_part(found[2].problem, "Connection refused", "nobody");
    expect_part(found[3].problem, "no \"installation\"", "broken");
    ck_assert_int_gt(found[4].clock_ahead, 0); // less what passed since then
    ck_assert_int_le(found[4].clock_ahead, 30);
    expect_part(found[5].problem, "hhh", "unknown host");
    ck_assert_int_le(found[6].clock_ahead, -29);
    ck_assert_int_ge(found[6].clock_ahead, -60);
}
END_TEST

START_TEST(agent_that_does_not_answer_is_told) {
    const Listener deaf(0); // the kernel accepts
    const auto found = meet({{"127.0.0.1", deaf.port()}}, munged->socket(), 1s);
    expect_part(found.at(0).problem, "too slow", "deaf");
}
END_TEST

START_TEST(agent_that_is_not_root_is_not_believed) {
    const std::string forged =
        as_another_user([] { return Seal(munged->socket()).seal(encode(*met().installation), 0); });
    WaitingListener listener(0);
    std::thread impostor([&] {
        Connection connection(listener.accept(), Connection::Clock::now() + limit);
        connection.receive();
        connection.send(forged);
    });
    const auto found = meet({{"127.0.0.1", listener.port()}}, munged->socket(), limit);
    impostor.join();
    expect_part(found.at(0).problem, "not root", "problem");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("doctor");
    TCase *tests = tcase_create("doctor");
    tcase_add_unchecked_fixture(tests, start_munged, stop_munged);
    tcase_add_loop_test(tests, slurm_is_judged, 0, std::size(slurm_cases));
    tcase_add_loop_test(tests, slurm_without_ours_is_judged, 0, std::size(node_mode_cases));
    tcase_add_loop_test(tests, node_is_judged, 0, std::size(node_cases));
    tcase_add_test(tests, kernel_of_a_node_is_told);
    tcase_add_test(tests, hand_over_of_a_node_is_told);
    tcase_add_test(tests, what_vmctl_has_set_is_in_no_file_of_a_node);
    tcase_add_loop_test(tests, record_of_a_node_is_read, 0, std::size(states));
    tcase_add_test(tests, node_whose_slurmd_is_not_known_is_judged_without);
    tcase_add_test(tests, controller_is_judged);
    tcase_add_test(tests, findings_of_nodes_are_put_together);
    tcase_add_test(tests, plugins_are_looked_for);
    tcase_add_loop_test(tests, plugstack_conf_is_read, 0, std::size(plugstacks));
    tcase_add_test(tests, what_stands_behind_the_plugin_is_read);
    tcase_add_test(tests, missing_plugstack_conf_or_plugin_is_told);
    if (geteuid() == 0) { // agents are root, and becoming another user needs it
        tcase_add_test(tests, all_agents_are_asked_and_none_holds_up_the_others);
        tcase_add_test(tests, agent_that_does_not_answer_is_told);
        tcase_add_test(tests, agent_that_is_not_root_is_not_believed);
    }
    suite_add_tcase(suite, tests);
    return run({suite});
}
