// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the arguments in plugstack.conf make of a node agent's settings.
#include "config/plugin_arguments.hpp"
#include "run.hpp"
#include "temporary_directory.hpp"

#include <vector>

using namespace vmall;
using config::settings_by;

namespace {

class File {
  public:
    explicit File(const std::string &text) {
        std::ofstream(path()) << text;
        setenv("VMALL_CONF", path().c_str(), 1);
    }
    ~File() { unsetenv("VMALL_CONF"); }
    std::string path() const { return directory_ / "vmall.conf"; }

  private:
    TemporaryDirectory directory_;
};

START_TEST(without_any_the_file_holds) {
    const File file("AgentPort=7001\n");
    ck_assert_int_eq(settings_by({}).agent_port.value, 7001);
}
END_TEST

START_TEST(one_names_another_file) {
    const File file("AgentPort=7001\n");
    const std::string path = file.path();
    setenv("VMALL_CONF", "/nowhere/vmall.conf", 1);
    ck_assert_int_eq(settings_by({"config=" + path}).agent_port.value, 7001);
}
END_TEST

START_TEST(others_are_settings_and_no_file_is_read) {
    setenv("VMALL_CONF", "/nowhere/vmall.conf", 1);
    const config::Config config = settings_by({"AgentPort=+9", "nextrank=sender"});
    ck_assert_int_eq(config.agent_port.on_node(7000), 7009);
    ck_assert_uint_eq(config.texts.size(), 2);
}
END_TEST

START_TEST(the_mode_stands_beside_the_others_or_alone) {
    setenv("VMALL_CONF", "/nowhere/vmall.conf", 1);
    const File file("AgentPort=7001\n");
    ck_assert(settings_by({"mode=node"}).texts.empty());
    ck_assert_int_eq(settings_by({"mode=node", "config=" + file.path()}).agent_port.value, 7001);
    ck_assert_int_eq(settings_by({"AgentPort=7002", "mode=node"}).agent_port.value, 7002);
    ck_assert(config::deals_cores_itself({"AgentPort=7002", "mode=node"}));
    ck_assert(!config::deals_cores_itself({"AgentPort=7002"}));
}
END_TEST

struct Bad {
    std::vector<std::string> arguments;
    const char *error;
};

const std::vector<Bad> bad = {
    {{"AgentPort=1", "Colour=red"},
     "plugstack.conf, arguments of spank_vm.so:2: \"Colour\": unknown key"},
    {{"mode=nodes"}, "plugstack.conf, arguments of spank_vm.so:1: \"mode\": unknown key"},
    {{"AgentPort"}, "plugstack.conf, arguments of spank_vm.so:1: \"AgentPort\" is not Key=value"},
    {{"RuntimeDir=/run/a", "RuntimeDir=/run/b"},
     "plugstack.conf, arguments of spank_vm.so:2: RuntimeDir: already set in line 1"},
    {{"config=/etc/vmall.conf", "AgentPort=1"},
     "plugstack.conf: config=/etc/vmall.conf of spank_vm.so must be its only argument: settings "
     "come from a file or from arguments"},
    {{"config=/nowhere/vmall.conf"},
     "/nowhere/vmall.conf: No such file or directory (it may be empty, but must be there)"},
};

START_TEST(a_bad_one_is_an_error_that_names_it) {
    try {
        settings_by(bad[_i].arguments);
        ck_abort_msg("accepted: %s", bad[_i].arguments.front().c_str());
    } catch (const config::ConfigError &error) {
        ck_assert_str_eq(error.what(), bad[_i].error);
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("arguments");
    tcase_add_test(tests, without_any_the_file_holds);
    tcase_add_test(tests, one_names_another_file);
    tcase_add_test(tests, others_are_settings_and_no_file_is_read);
    tcase_add_test(tests, the_mode_stands_beside_the_others_or_alone);
    tcase_add_loop_test(tests, a_bad_one_is_an_error_that_names_it, 0,
                        static_cast<int>(bad.size()));
    return run("arguments", tests);
}
