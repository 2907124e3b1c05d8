// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program vmsim from outside: what it writes, and what it says of what it cannot do.
#include "run.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

fs::path folder; // of one test

struct Ran {
    int status = 0;
    std::string output; // both streams
};

Ran vmsim(const std::string &arguments) {
    const std::string command =
        "cd '" + folder.string() + "' && " VMSIM " " + arguments + " 2>&1 </dev/null";
    FILE *pipe = popen(command.c_str(), "r");
    ck_assert_ptr_nonnull(pipe);
    Ran ran;
    std::array<char, 4096> buffer;
    while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
        ran.output.append(buffer.data(), got);
    }
    const int status = pclose(pipe);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

std::string content(const fs::path &file) {
    std::ifstream in(folder / file, std::ios::binary);
    ck_assert_msg(in.good(), "%s is not there", file.c_str());
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// job submit wait run processors ... requested-processors requested-time ... status user ...
constexpr const char *small_log = "; MaxProcs: 4\n"
                                  "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n"
                                  "2 10 90 50 4 -1 -1 4 50 -1 1 1 1 -1 1 -1 -1 -1\n"
                                  "3 20 130 30 1 -1 -1 1 1000 -1 1 2 1 -1 1 -1 -1 -1\n"
                                  "4 30 120 10 1 -1 -1 1 20 -1 1 2 1 -1 1 -1 -1 -1\n";

void set_up() {
    std::string name = (fs::temp_directory_path() / "vmsim.XXXXXX").string();
    ck_assert_ptr_nonnull(mkdtemp(name.data()));
    folder = name;
    std::ofstream(folder / "small.swf") << small_log;
}

void tear_down() {
    fs::remove_all(folder);
}

START_TEST(runs_a_log_under_two_policies) {
    const Ran ran = vmsim("run -w small.swf -p fcfs,recorded -o out --timelines");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_contains(ran.output, "\nfcfs ");
    ck_assert_contains(content("out/fcfs/jobs.csv"), "\n2,1,,short,10,100,150,completed,90,140,");
    ck_assert_contains(content("out/fcfs/allotments.csv"), "\n2,100,150,4,1\n");
    ck_assert_contains(content("out/recorded/usage.csv"), "\n100,4,1,2\n");
    const auto summary = nlohmann::json::parse(content("out/summary.json"));
    ck_assert(summary.at("finished") == true);
    ck_assert_uint_eq(summary.at("results").size(), 2);
    const auto &fcfs = summary.at("results").at(0);
    ck_assert(fcfs.at("directory") == "fcfs");
    ck_assert_double_eq(fcfs.at("selected").at("wait_seconds").at("mean"),
                        (0 + 90 + 130 + 120) / 4.0);
    ck_assert_double_eq(fcfs.at("makespan_seconds"), 180);
}
END_TEST

START_TEST(writes_the_same_bytes_with_one_thread_and_two) {
    ck_assert_int_eq(vmsim("generate --jobs 300 --load 0.9 --seed 7 -o log.swf").status, 0);
    for (const char *threads : {"1", "2"}) {
        const Ran ran = vmsim("run -w log.swf --cores 60 -p easy,fjt4,bfm -o out" +
                              std::string(threads) + " --timelines --threads " + threads);
        ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    }
    for (const char *file : {"summary.json", "easy/jobs.csv", "fjt4/allotments.csv",
                             "bfm/summary.json", "bfm/jobs.csv", "bfm/usage.csv"}) {
        ck_assert_msg(content(fs::path("out1") / file) == content(fs::path("out2") / file), "%s",
                      file);
    }
}
END_TEST

START_TEST(several_workloads_give_intervals_of_confidence) {
    for (const char *seed : {"1", "2", "3"}) {
        const std::string number = seed;
        ck_assert_int_eq(
            vmsim("generate --jobs 100 --seed " + number + " -o " + number + ".swf").status, 0);
    }
    const Ran ran = vmsim("run -w 1.swf 2.swf 3.swf --cores 60 -p fcfs,fjt4 -o out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert(fs::exists(folder / "out/fjt4/3/jobs.csv"));
    const Ran compared = vmsim("compare out");
    ck_assert_msg(compared.status == 0, "%s", compared.output.c_str());
    ck_assert_contains(compared.output, "\nfcfs            3  ");
    ck_assert_contains(compared.output, "  1.000 +-0.000  ");
}
END_TEST

START_TEST(the_date_of_the_log_is_kept_for_the_pictures) {
    std::ofstream(folder / "dated.swf") << "; UnixStartTime: 1788213600\n" << small_log;
    ck_assert_int_eq(vmsim("run -w small.swf dated.swf -p fcfs -o out").status, 0);
    const auto results = nlohmann::json::parse(content("out/summary.json")).at("results");
    ck_assert(results.at(0).at("unix_start_time").is_null());
    ck_assert(results.at(1).at("unix_start_time") == 1788213600);
}
END_TEST

START_TEST(results_are_compared_in_the_units_of_run) {
    ck_assert_int_eq(vmsim("run -w small.swf -p fcfs,recorded -o out").status, 0);
    const Ran ran = vmsim("compare out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_text(ran.output,
                   "POLICY    WORKLOADS  WAIT(s)  RATIO  RESPONSE(s)  RATIO  BSLOWDOWN  RATIO  "
                   "LONG RESPONSE(s)  RATIO  SHORT RESPONSE(s)  RATIO  UTIL%\n"
                   "fcfs              1     85.0  1.000        132.5  1.000       5.53  1.000  "
                   "           160.0  1.000              123.3  1.000   88.9\n"
                   "recorded          1     85.0  1.000        132.5  1.000       5.53  1.000  "
                   "           160.0  1.000              123.3  1.000   88.9\n");
}
END_TEST

START_TEST(policies_for_meshes_run_beside_the_others) {
    ck_assert_int_eq(vmsim("generate -p 16 --jobs 50 -o 16.swf").status, 0);
    const Ran ran = vmsim("run -w 16.swf --mesh 4x4 -p fcfs,equi,equi+,fold-inf,fold-20 -o out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    const auto summary = nlohmann::json::parse(content("out/summary.json"));
    ck_assert_uint_eq(summary.at("results").size(), 5);
    for (const auto &result : summary.at("results")) {
        ck_assert_int_eq(result.at("cores"), 16);
        ck_assert_int_eq(result.at("completed"), 50);
    }
}
END_TEST

START_TEST(policies_can_be_changed_and_read_from_a_file) {
    std::ofstream(folder / "vmall.conf") << "Sizing=rigid\nQueueDiscipline=fcfs\n";
    const Ran ran =
        vmsim("run -w small.swf -p easy:QueueDiscipline=fcfs --policy-file vmall.conf -o out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_text(content("out/easy_QueueDiscipline=fcfs/jobs.csv"),
                   content("out/vmall.conf/jobs.csv"));
}
END_TEST

// Finishes fcfs, then is interrupted in the midst of a much longer run of the other: thousands of
// jobs wait, and each has a promise.
START_TEST(an_interrupted_run_keeps_what_was_finished) {
    ck_assert_int_eq(vmsim("generate --jobs 10000 --load 2 -o long.swf").status, 0);
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder.c_str()) == 0 && freopen("output", "w", stdout) != nullptr &&
            freopen("output", "w", stderr) != nullptr) {
            execl(VMSIM, VMSIM, "run", "-w", "long.swf", "--cores", "60", "-p", "fcfs,conservative",
                  "-o", "out", "--threads", "1", nullptr);
        }
        _exit(127);
    }
    while (!fs::exists(folder / "out/fcfs/summary.json") && waitpid(child, nullptr, WNOHANG) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ck_assert_int_eq(kill(child, SIGINT), 0);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGINT);
    ck_assert_contains(content("output"), "interrupted; what was finished is in out");
    const auto summary = nlohmann::json::parse(content("out/summary.json"));
    ck_assert(summary.at("finished") == false);
    ck_assert_uint_eq(summary.at("results").size(), 1);
    ck_assert(!fs::exists(folder / "out/conservative"));
}
END_TEST

struct Bad {
    const char *arguments;
    int status;
    const char *message;
};

const Bad bad[] = {
    {"", 2, "A subcommand is required"},
    {"run -w small.swf -o out", 2, "give a --policy or a --policy-file"},
    {"run -w small.swf -p nix -o out", 2, "--policy nix: \"nix\" is not one of the policies fcfs,"},
    {"run -w small.swf -p easy,easy -o out", 2, "policy easy is given twice"},
    {"run -w small.swf -p easy:Max=1 -o out", 2,
     "--policy easy:Max=1: \"Max\" is not one of the keys QueueDiscipline,"},
    {"run -w small.swf -p easy:MaxMpl=9 -o out", 2,
     "MaxMpl: \"9\" is not a whole number from 1 to 4"},
    {"run -w small.swf -p easy:MaxMpl -o out", 2, "\"MaxMpl\" is not Key=value"},
    {"run -w small.swf -p easy -o out --warm-up x", 2, "\"x\" is neither a number of jobs nor"},
    {"run -w small.swf -p easy -o out --folding-cost 0.5", 2,
     "folding cost \"0.5\" is not a number from 1 to 1000"},
    {"run -w small.swf -p easy -o out --nodes 2", 2, "--nodes requires --cores-per-node"},
    {"run -w none.swf -p easy -o out", 1, "none.swf: "},
    {"run -w small.swf -p easy -o .", 1, ".: is not empty"},
    {"run -w small.swf --policy-file none.conf -o out", 1, "none.conf: No such file"},
    {"run -w bad.swf -p easy -o out", 1, "bad.swf:2: "},
    {"run -w nomachine.swf -p easy -o out", 2, "give --cores"},
    {"run -w small.swf -p equi -o out", 2, "policy equi is for a mesh; give --mesh"},
    {"run -w small.swf -p equi --mesh 3x4 -o out", 2, "\"3x4\" is no mesh"},
    {"generate --jobs 1 -o /dev/full", 1, "/dev/full: cannot be written: No space left"},
    {"generate --jobs 10000 -o /dev/full", 1, "/dev/full: cannot be written"},
    {"compare none", 1, "none: No such file"},
    {"compare small.swf", 1, "small.swf: "},
};

START_TEST(says_what_is_wrong) {
    std::ofstream(folder / "bad.swf") << "; MaxProcs: 4\n1 0 0 ten\n";
    std::ofstream(folder / "nomachine.swf") << std::string(small_log).substr(14);
    const Ran ran = vmsim(bad[_i].arguments);
    ck_assert_contains(ran.output, "vmsim: error: ");
    ck_assert_contains(ran.output, bad[_i].message);
    ck_assert_msg(ran.status == bad[_i].status, "%s: exit status %d", bad[_i].arguments,
                  ran.status);
    ck_assert(!fs::exists(folder / "out"));
}
END_TEST

START_TEST(a_lenient_run_skips_and_counts_bad_lines) {
    std::ofstream(folder / "bad.swf") << small_log << "5 0 0 ten\n";
    const Ran ran = vmsim("run -w bad.swf -p easy -o out --lenient");
    ck_assert_int_eq(ran.status, 0);
    ck_assert_contains(ran.output, "skipped: bad.swf:6: ");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("vmsim");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, runs_a_log_under_two_policies);
    tcase_add_test(tests, writes_the_same_bytes_with_one_thread_and_two);
    tcase_add_test(tests, several_workloads_give_intervals_of_confidence);
    tcase_add_test(tests, the_date_of_the_log_is_kept_for_the_pictures);
    tcase_add_test(tests, results_are_compared_in_the_units_of_run);
    tcase_add_test(tests, policies_for_meshes_run_beside_the_others);
    tcase_add_test(tests, policies_can_be_changed_and_read_from_a_file);
    tcase_add_test(tests, an_interrupted_run_keeps_what_was_finished);
    tcase_add_loop_test(tests, says_what_is_wrong, 0, static_cast<int>(std::size(bad)));
    tcase_add_test(tests, a_lenient_run_skips_and_counts_bad_lines);
    return run("vmsim", tests);
}
