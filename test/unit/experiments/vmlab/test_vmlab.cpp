// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program vmlab from outside.
#include "run.hpp"
#include "unit/sim/vmsim_program.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace vmsim_test;

namespace {

Ran vmlab(const std::string &arguments) {
    return command(VMLAB " " + arguments);
}

START_TEST(policies_for_meshes_run_beside_the_others) {
    ck_assert_int_eq(vmsim("generate -p 16 --jobs 50 -o 16.swf").status, 0);
    const Ran ran = vmlab("mesh -w 16.swf --mesh 4x4 -p fcfs,equi,equi+,fold-inf,fold-20 -o out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    const auto summary = nlohmann::json::parse(content("out/summary.json"));
    ck_assert_uint_eq(summary.at("results").size(), 5);
    for (const auto &result : summary.at("results")) {
        ck_assert_int_eq(result.at("cores"), 16);
        ck_assert_int_eq(result.at("completed"), 50);
    }
}
END_TEST

START_TEST(the_launchers_workload_becomes_one_that_vmsim_runs) {
    const Ran imported = vmlab("import " LAUNCHER " -p 60 -o launcher.swf");
    ck_assert_msg(imported.status == 0, "%s", imported.output.c_str());
    const std::string log = content("launcher.swf");
    ck_assert_contains(log, "\n; MaxProcs: 60\n");
    ck_assert_contains(log, " sizes=1,4,9,16,25,36,49 speedup=times:1=");
    ck_assert_contains(log, "\n3 36 -1 5 60 -1 -1 60 60 -1 -1 -1 -1 ");
    ck_assert_int_eq(vmsim("run -w launcher.swf -p fjt4 -o out").status, 0);
    ck_assert_contains(content("out/fjt4/jobs.csv"), "\n4,");
}
END_TEST

START_TEST(an_application_has_the_same_sizes_in_all_lines) {
    fs::copy(LAUNCHER, folder / "launcher");
    std::ofstream(folder / "launcher/applications") << "cg.B.N\ncg.B.N\nsweep3d\n";
    std::ofstream(folder / "launcher/trace")
        << "0 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 0 -1 -1 -1 -1\n"
           "1 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1\n";
    const Ran ran = vmlab("import launcher");
    ck_assert_int_eq(ran.status, 1);
    ck_assert_contains(ran.output, "launcher: CG.B accepts 1,2,");
}
END_TEST

struct Bad {
    const char *arguments;
    int status;
    const char *message;
};

const Bad bad[] = {
    {"frob", 2, "\"frob\" is not a subcommand; see vmlab --help"},
    {"mesh -w small.swf -p equi -o out", 2, "--mesh is required"},
    {"mesh -w small.swf -p equi --mesh 3x4 -o out", 2, "\"3x4\" is no mesh"},
    {"mesh -w small.swf -p nix --mesh 2x2 -o out", 2, ", equi, equi+, fold-inf, fold-N, recorded"},
    {"mesh -w small.swf -p equi:MaxMpl=2 --mesh 2x2 -o out", 2, "\"equi\" takes no keys"},
    {"reproduce", 2, "reproduce takes either names of experiments or --all"},
    {"reproduce nix", 2, "no experiment is called nix"},
    {"reproduce --all -o small.swf", 1, "small.swf/reproduction: Not a directory"},
    {"import none", 1, "none/applications: No such file"},
    {"import " LAUNCHER " --application-table none", 1, "none: "},
};

START_TEST(says_what_is_wrong) {
    const Ran ran = vmlab(bad[_i].arguments);
    ck_assert_contains(ran.output, "vmlab: error: ");
    ck_assert_contains(ran.output, bad[_i].message);
    ck_assert_int_eq(ran.status, bad[_i].status);
    ck_assert(!fs::exists(folder / "out"));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("vmlab");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, policies_for_meshes_run_beside_the_others);
    tcase_add_test(tests, the_launchers_workload_becomes_one_that_vmsim_runs);
    tcase_add_test(tests, an_application_has_the_same_sizes_in_all_lines);
    tcase_add_loop_test(tests, says_what_is_wrong, 0, static_cast<int>(std::size(bad)));
    return run("vmlab", tests);
}
