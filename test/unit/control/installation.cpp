// SPDX-License-Identifier: GPL-2.0-or-later
//
// What daemons say of their installation: what is accepted and what is not, field by field.
#include "control/installation.hpp"

#include "expect.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

using namespace vmall::control;
using nlohmann::json;

namespace {

Installation of_a_node() {
    return {"0.1.0",
            "22.05.8",
            {{"MaxMpl", "2", "vmctl"}, {"MungeSocket", "", "default"}},
            NodeInstallation{"n1", Confinement::cgroup_v2, true}};
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
    Installation without = of_a_node();
    without.node->has_vmrt = false;
    ck_assert(!decode_installation(encode(without)).node.value().has_vmrt);
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
    tcase_add_test(tests, release_is_written_as_by_people);
    suite_add_tcase(suite, tests);
    return run(suite);
}
