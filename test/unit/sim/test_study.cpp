// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim study from outside.
#include "run.hpp"
#include "vmsim_program.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace vmsim_test;

namespace {

// Every other job asks for all 8 cores and 100 minutes, the others for one core and 2 minutes; more
// arrive than run.
void write_log() {
    std::ofstream out(folder / "log.swf");
    out << "; MaxProcs: 8\n";
    for (int job = 1; job <= 60; job++) {
        const bool large = job % 2 != 0;
        const std::string cores = large ? "8" : "1";
        out << job << ' ' << job * 60 << " 0 " << (large ? 300 : 60) << ' ' << cores << " -1 -1 "
            << cores << (large ? " 6000" : " 120") << " -1 1 " << job % 3 << " 1 -1 1 -1 -1 -1\n";
    }
}

nlohmann::json row(const nlohmann::json &study, const std::string &variant) {
    for (const auto &row : study.at("rows"))
        if (row.at("variant") == variant)
            return row;
    ck_abort_msg("no row %s", variant.c_str());
    return {};
}

START_TEST(the_default_is_put_beside_easy) {
    write_log();
    const Ran ran = vmsim("study log.swf --out out --nodes 2x4 --no-picture");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_contains(ran.output, "\ndefault, one node of 8 cores ");
    const auto study = nlohmann::json::parse(content("out/summary.json"));
    ck_assert(study.at("finished") == true);
    const auto one_node = row(study, "default, one node of 8 cores");
    ck_assert_int_eq(one_node.at("jobs"), 60);
    ck_assert_double_lt(one_node.at("response_short"), 1);
    ck_assert_double_gt(one_node.at("resizes_per_job"), 0);
    ck_assert_uint_eq(one_node.at("response_ratios").size(), 199);
    ck_assert_int_eq(row(study, "default, 2 nodes of 4 cores").at("jobs"), 60);
    const std::string nodes = "default, 2 nodes of 4 cores";
    ck_assert_int_eq(row(study, nodes + ": 1 core").at("jobs"), 30);
    ck_assert_int_eq(row(study, nodes + ": 3 to 4 cores").at("jobs"), 0);
    ck_assert_int_eq(row(study, nodes + ": 5 to 8 cores").at("jobs"), 30);
    ck_assert_int_eq(row(study, nodes + ": up to 10 minutes").at("jobs"), 60);
    ck_assert_double_gt(row(study, nodes).at("response_of_worst_user"), 0);
    ck_assert_double_gt(row(study, nodes).at("longest_wait"), 0);
    const auto itself = row(study, "EASY, 2 nodes of 4 cores, run times a second off");
    ck_assert_double_gt(itself.at("response"), 0.9);
    ck_assert_double_lt(itself.at("response"), 1.1);
    ck_assert_double_ne(itself.at("response"), 1);
    for (const char *variant : {"MaxMpl=1", "MaxMpl=2", "MaxMpl=3", "exact estimates",
                                "predicted estimates", "no estimates", "EASY, exact estimates"})
        ck_assert_int_eq(row(study, variant).at("jobs"), 60);
}
END_TEST

START_TEST(those_who_take_part_stand_apart) {
    write_log();
    ck_assert_int_eq(vmsim("study log.swf -o out --nodes 2x4 --no-picture").status, 0);
    const auto study = nlohmann::json::parse(content("out/summary.json"));
    for (const std::string share :
         {"50 % take part", "10 % take part", "50 % take part, 2 nodes of 4 cores",
          "10 % take part, 2 nodes of 4 cores"}) {
        const int who_do = row(study, share + ": those who do").at("jobs");
        const int who_do_not = row(study, share + ": those who do not").at("jobs");
        ck_assert_int_gt(who_do, 0);
        ck_assert_int_gt(who_do_not, 0);
        ck_assert_int_eq(who_do + who_do_not, row(study, share).at("jobs"));
        ck_assert_double_eq(row(study, share + ": those who do not").at("resizes_per_job"), 0);
    }
    ck_assert_double_ne(row(study, "50 % take part").at("response"),
                        row(study, "50 % take part, 2 nodes of 4 cores").at("response"));
}
END_TEST

START_TEST(of_a_log_that_says_who_takes_part_no_share_is_drawn) {
    ck_assert_int_eq(vmsim("generate --jobs 30 -o log.swf").status, 0);
    ck_assert_int_eq(vmsim("study log.swf -o out --no-picture").status, 0);
    const std::string page = content("out/study.md");
    ck_assert_contains(page, "those jobs taking part of which the log says it");
    ck_assert_contains(page, "| exact estimates | 30 |");
    ck_assert(page.find("% take part") == std::string::npos);
}
END_TEST

START_TEST(the_same_bytes_are_written_with_one_thread_and_two) {
    write_log();
    for (const char *threads : {"1", "2"}) {
        const std::string number = threads;
        const Ran ran =
            vmsim("study log.swf -o out" + number + " --no-picture --threads " + number);
        ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    }
    for (const char *file : {"/summary.json", "/study.csv", "/study.md"})
        ck_assert_text(content(std::string("out1") + file), content(std::string("out2") + file));
}
END_TEST

START_TEST(tables_have_what_no_jobs_have_blank) {
    std::ofstream(folder / "one.swf") << "; MaxProcs: 4\n"
                                         "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n";
    ck_assert_int_eq(vmsim("study one.swf -o out --no-picture").status, 0);
    ck_assert_contains(content("out/study.csv"),
                       "\n\"default, one node of 4 cores\",1,1.000000,,1.000000,1.000000,,1.000000,"
                       "1.000000,1.000000,1.000000,,,0.000000\n");
    ck_assert_contains(content("out/study.md"),
                       "\n| default, one node of 4 cores | 1 | 1.00 | | 1.00 | 1.00 | | 1.00 | ");
    const auto study = nlohmann::json::parse(content("out/summary.json"));
    ck_assert(row(study, "default, one node of 4 cores").at("response_long").is_null());
}
END_TEST

// A program for the picture that gets the signal of the terminal together with vmsim.
START_TEST(the_picture_can_be_interrupted) {
    fs::copy_file(VMSIM, folder / "vmsim");
    std::ofstream(folder / "vmsim-pictures") << "#!/bin/sh\nkill -INT $PPID $$\n";
    fs::permissions(folder / "vmsim-pictures", fs::perms::owner_all);
    const Ran ran = command("./vmsim study small.swf -o out");
    ck_assert_int_eq(ran.status, 128 + SIGINT);
    ck_assert_contains(ran.output, "interrupted; the results are in out");
    ck_assert(nlohmann::json::parse(content("out/summary.json")).at("finished") == true);
}
END_TEST

struct Bad {
    const char *arguments;
    int status;
    const char *said;
};

const Bad bad[] = {
    {"study small.swf", 2, "--out"},
    {"study -o out", 2, "log"},
    {"study nix.swf -o out", 1, "nix.swf"},
    {"study small.swf -o out --nodes 4", 2, "\"4\" is not NODESxCORES"},
    {"study small.swf -o out --nodes 0x4", 2, "\"0x4\" is not NODESxCORES"},
    {"study small.swf -o out --folding-cost 0.5", 2, "--folding-cost"},
    {"study unknown.swf -o out", 2, "give --cores"},
    {"study small.swf -o .", 1, "is not empty"},
};

START_TEST(what_is_wrong_is_said) {
    std::ofstream(folder / "unknown.swf") << "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n";
    const Ran ran = vmsim(bad[_i].arguments);
    ck_assert_msg(ran.status == bad[_i].status, "%s: %d: %s", bad[_i].arguments, ran.status,
                  ran.output.c_str());
    ck_assert_contains(ran.output, bad[_i].said);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("study");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_default_is_put_beside_easy);
    tcase_add_test(tests, those_who_take_part_stand_apart);
    tcase_add_test(tests, of_a_log_that_says_who_takes_part_no_share_is_drawn);
    tcase_add_test(tests, the_same_bytes_are_written_with_one_thread_and_two);
    tcase_add_test(tests, tables_have_what_no_jobs_have_blank);
    tcase_add_test(tests, the_picture_can_be_interrupted);
    tcase_add_loop_test(tests, what_is_wrong_is_said, 0, std::size(bad));
    return run("study", tests);
}
