// SPDX-License-Identifier: GPL-2.0-or-later
//
// What daemons say of their installation: what is accepted and what is not, field by field.
#include "wire/installation.hpp"
#include "common/group_scheduling.hpp"

#include "expect.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

using namespace vmall::wire;
using nlohmann::json;

namespace {

Installation of_a_node() {
    return {"0.1.0",
            "22.05.8",
            {{"MaxMpl", "2", "vmctl"}, {"MungeSocket", "", "default"}},
            NodeInstallation{"n1", Confinement::cgroup_v2, true,
                             Kernel{"6.18.44", Groups::cpu_cgroups}, HandOver{1700, 99}}};
}

START_TEST(installations_survive_the_way) {
    const Installation node = decode_installation(encode(of_a_node()));
    expect_equal(node.version, "0.1.0");
    expect_equal(node.slurm, "22.05.8");
    ck_assert_uint_eq(node.settings.size(), 2);
    expect_equal(node.settings[0].key, "MaxMpl");
    expect_equal(node.settings[0].value, "2");
    expect_equal(node.settings[0].from, "vmctl");
    expect_equal(node.settings[1].value, "");
    expect_equal(node.node.value().name, "n1");
    ck_assert(node.node->has_vmrt);
    expect_equal(node.node->kernel.value().release, "6.18.44");
    ck_assert(node.node->kernel->groups == Groups::cpu_cgroups);
    ck_assert(node.node->hand_over.value() == (HandOver{1700, 99}));
    Installation without = of_a_node();
    without.node->has_vmrt = false;
    without.node->kernel.reset(); // as agents of the first days
    without.node->hand_over.reset();
    ck_assert(!decode_installation(encode(without)).node.value().has_vmrt);
    ck_assert(!decode_installation(encode(without)).node->kernel);
    ck_assert(!decode_installation(encode(without)).node->hand_over);
    ck_assert(!decode_installation(encode(Installation{"1", "2", {}})).node);
}
END_TEST

constexpr Confinement confinements[] = {Confinement::cgroup_v1, Confinement::cgroup_v2,
                                        Confinement::affinity, Confinement::missing};

START_TEST(confinement_survives_the_way) {
    Installation sent = of_a_node();
    sent.node->confinement = confinements[_i];
    ck_assert(decode_installation(encode(sent)).node.value().confinement == confinements[_i]);
}
END_TEST

struct Change {
    const char *pointer;
    const char *value;
    const char *error; // nullptr: accepted
};

constexpr Change changes[] = {
    {"/installation/colour", "1", nullptr},
    {"/installation", "7", "installation is not a JSON object"},
    {"/installation/version", "7", "installation: \"version\" is not a string"},
    {"/installation/slurm", "null", "\"slurm\" is not a string"},
    {"/installation/settings", "{}", "\"settings\" is not a list"},
    {"/installation/settings/0", "7", "setting is not a JSON object"},
    {"/installation/settings/0/key", "7", "setting: \"key\" is not a string"},
    {"/installation/settings/0/value", "7", "setting: \"value\" is not a string"},
    {"/installation/settings/0/from", "7", "setting: \"from\" is not a string"},
    {"/installation/node", "7", "node of an installation is not a JSON object"},
    {"/installation/node", "{}", "\"name\" is missing"},
    {"/installation/node/name", "\"\"", "\"name\" is not 1 to"},
    {"/installation/node/name", "\"n 1\"", "characters that no node name has"},
    {"/installation/node/has_vmrt", "1", "\"has_vmrt\" is neither true nor false"},
    {"/installation/node/kernel", "7", "kernel of an installation is not a JSON object"},
    {"/installation/node/kernel/release", "7", "\"release\" is not a string"},
    {"/installation/node/kernel/groups", "7", "\"groups\" is not a string"},
    {"/installation/node/kernel/groups", "\"herds\"", "\"groups\" is unknown"},
    {"/installation/node/hand_over", "7", "hand-over is not a JSON object"},
    {"/installation/node/hand_over/ns", "0", "hand-over: \"ns\" is 0"},
    {"/installation/node/hand_over/ns", "10000001", "hand-over: \"ns\" is 10000001"},
    {"/installation/node/hand_over/measured_at", "-1", "hand-over: \"measured_at\" is"},
    {"/installation/node/confinement", "7", "\"confinement\" is not a string"},
    {"/installation/node/confinement", "\"rope\"", "\"confinement\" is unknown"},
};

START_TEST(field_is_checked) {
    const Change &change = changes[_i];
    json message = json::parse(encode(of_a_node()));
    message[json::json_pointer(change.pointer)] = json::parse(change.value);
    const std::string text = message.dump();
    expect_part(error_of<MessageError>([&] { decode_installation(text); }),
                change.error ? change.error : "nothing was thrown", text);
}
END_TEST

START_TEST(missing_field_is_refused) {
    for (const char *field : {"version", "slurm", "settings"}) {
        json message = json::parse(encode(of_a_node()));
        message["installation"].erase(field);
        expect_part(error_of<MessageError>([&] { decode_installation(message.dump()); }),
                    std::string("\"") + field + "\" is missing", field);
    }
    expect_part(error_of<MessageError>([] { decode_installation("{}"); }),
                "message has no \"installation\"", "empty");
}
END_TEST

START_TEST(too_many_settings_are_refused) {
    Installation sent = of_a_node();
    sent.settings.resize(highest_setting_count + 1);
    expect_part(error_of<MessageError>([&] { decode_installation(encode(sent)); }),
                "\"settings\" has too many", "error");
}
END_TEST

START_TEST(error_answer_is_told) {
    expect_part(error_of<QueryRefused>([] { decode_installation(encode_error("not now")); }),
                "not now", "error");
}
END_TEST

struct HandOverCase {
    HandOver hand_over;
    const char *words;
};
constexpr std::int64_t hour = 3600, now = 1000 * 24 * hour;
constexpr HandOverCase hand_overs[] = {
    {{1, now}, "at most 1 us, measured in the last 24 h"},
    {{1000, now - 23 * hour}, "at most 1 us, measured in the last 24 h"},
    {{1001, now - 24 * hour}, "1 to 2 us, measured 1 day ago"},
    {{4600, now - 49 * hour}, "2 to 5 us, measured 2 days ago"},
    {{14000, now + hour}, "10 to 20 us, measured in the last 24 h"}, // the clock was set back
    {{highest_hand_over_ns, 0}, "more than 100 us, measured 1000 days ago"},
};

START_TEST(hand_over_is_told_in_steps) {
    expect_equal(describe(hand_overs[_i].hand_over, now), hand_overs[_i].words);
}
END_TEST

struct KernelCase {
    const char *release;
    vmall::common::GroupScheduling expected;
};
constexpr KernelCase kernels[] = {
    {"5.14.0-570.12.1.el9_6.x86_64", vmall::common::GroupScheduling::right}, // RHEL 9
    {"6.1.0-41-amd64", vmall::common::GroupScheduling::right},               // Debian 12
    {"6.8.0-88-generic", vmall::common::GroupScheduling::right},             // Ubuntu 24.04
    {"6.11.0-29-generic", vmall::common::GroupScheduling::right},
    {"6.12.0", vmall::common::GroupScheduling::right},
    {"6.12.117+deb13-amd64", vmall::common::GroupScheduling::right}, // Debian 13
    {"6.12.95+deb12-amd64", vmall::common::GroupScheduling::right},
    {"6.12.0-55.9.1.el10_0.x86_64", vmall::common::GroupScheduling::unknown}, // RHEL 10
    {"6.12.0-160000.5-default", vmall::common::GroupScheduling::unknown},     // SLES 16
    {"6.13.12", vmall::common::GroupScheduling::wrong},
    {"6.14.0-37-generic", vmall::common::GroupScheduling::wrong}, // Ubuntu
    {"6.17.0-14-generic", vmall::common::GroupScheduling::wrong},
    {"6.18.0-rc1", vmall::common::GroupScheduling::wrong},
    {"6.18.44-fc-v595", vmall::common::GroupScheduling::wrong},
    {"6.18.45", vmall::common::GroupScheduling::right},
    {"6.19.14", vmall::common::GroupScheduling::wrong},
    {"7.0.0-15-generic", vmall::common::GroupScheduling::wrong},
    {"7.1.3+deb14-amd64", vmall::common::GroupScheduling::right},
    {"7.2.13", vmall::common::GroupScheduling::right},
    {"10.0", vmall::common::GroupScheduling::right},
    {"6", vmall::common::GroupScheduling::unknown},
    {"", vmall::common::GroupScheduling::unknown},
    {"GNU/Hurd", vmall::common::GroupScheduling::unknown},
};

START_TEST(kernel_is_judged_by_its_release) {
    const KernelCase &row = kernels[_i];
    ck_assert_msg(vmall::common::group_scheduling(row.release) == row.expected, "%s", row.release);
}
END_TEST

START_TEST(kernel_is_described_with_what_to_do) {
    const auto told = [](const char *release, Groups groups) {
        return describe({release, groups});
    };
    expect_equal(told("6.12.117+deb13-amd64", Groups::autogroups), "Linux 6.12.117+deb13-amd64");
    expect_part(told("6.12.0-55.el10", Groups::cpu_cgroups), "ask the distributor", "unknown");
    expect_part(told("6.18.44", Groups::none), "slurmd is in none", "none");
    const std::string autogroups = told("6.18.44", Groups::autogroups),
                      cgroups = told("6.18.44", Groups::cpu_cgroups);
    expect_part(autogroups, "install a kernel with 101f3498b4bd (6.18.45, 7.1", "kernel");
    expect_part(autogroups, "or set kernel.sched_autogroup_enabled=0.", "autogroups");
    expect_part(cgroups, "install a kernel", "kernel");
    ck_assert(cgroups.find("sched_autogroup") == std::string::npos); // would not help
}
END_TEST

START_TEST(release_is_written_as_by_people) {
    expect_equal(slurm_release(0x160508), "22.05.8");
    expect_equal(slurm_release(0x180b0c), "24.11.12");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("installation");
    TCase *tests = tcase_create("installation");
    tcase_add_test(tests, installations_survive_the_way);
    tcase_add_loop_test(tests, confinement_survives_the_way, 0, std::size(confinements));
    tcase_add_loop_test(tests, field_is_checked, 0, std::size(changes));
    tcase_add_test(tests, missing_field_is_refused);
    tcase_add_test(tests, too_many_settings_are_refused);
    tcase_add_test(tests, error_answer_is_told);
    tcase_add_loop_test(tests, kernel_is_judged_by_its_release, 0, std::size(kernels));
    tcase_add_test(tests, kernel_is_described_with_what_to_do);
    tcase_add_loop_test(tests, hand_over_is_told_in_steps, 0, std::size(hand_overs));
    tcase_add_test(tests, release_is_written_as_by_people);
    suite_add_tcase(suite, tests);
    return run({suite});
}
