// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program vmsim from outside: what it writes, and what is left when it is interrupted.
#include "run.hpp"
#include "vmsim_program.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace fs = std::filesystem;
using namespace vmsim_test;

namespace {

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

START_TEST(workloads_of_the_papers_are_varied) {
    ck_assert_int_eq(vmsim("generate -w high-80 -o whole.swf").status, 0);
    ck_assert_int_eq(
        vmsim("generate -w high-80 --duration 1:00 --estimates 3 -o minute.swf").status, 0);
    ck_assert_int_eq(vmsim("run -w whole.swf minute.swf -p fcfs -o out").status, 0);
    const auto results = nlohmann::json::parse(content("out/summary.json")).at("results");
    ck_assert_int_gt(results.at(0).at("completed"), 10 * results.at(1).at("completed").get<int>());
    ck_assert_int_gt(results.at(1).at("completed"), 0);
    ck_assert_contains(content("minute.swf"), "\n1 0 -1 5 60 -1 -1 60 15 ");
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
    const pid_t child = start_vmsim({"run", "-w", "long.swf", "--cores", "60", "-p",
                                     "fcfs,conservative", "-o", "out", "--threads", "1"});
    wait_for_file("out/fcfs/summary.json", child);
    end_with(SIGINT, child);
    ck_assert_contains(content("output"),
                       "interrupted; 1 of 2 results were finished and are in out");
    const auto summary = nlohmann::json::parse(content("out/summary.json"));
    ck_assert(summary.at("finished") == false);
    ck_assert_uint_eq(summary.at("results").size(), 1);
    ck_assert(!fs::exists(folder / "out/conservative"));
}
END_TEST

START_TEST(a_directory_belongs_to_one_run_from_its_beginning) {
    ck_assert_int_eq(vmsim("generate --jobs 10000 --load 2 -o long.swf").status, 0);
    const pid_t child =
        start_vmsim({"run", "-w", "long.swf", "-p", "conservative", "--cores", "60", "-o", "out"});
    wait_for_file("out/summary.json", child);
    const Ran second = vmsim("run -w small.swf -p fcfs -o out");
    end_with(SIGTERM, child);
    ck_assert_contains(content("output"), "nothing was finished; there is no result in out");
    ck_assert_int_eq(second.status, 1);
    ck_assert_contains(second.output, "out: is not empty");
    ck_assert(nlohmann::json::parse(content("out/summary.json")).at("finished") == false);
}
END_TEST

START_TEST(a_log_may_come_from_a_pipe) {
    fs::copy_file(VMSIM, folder / "vmsim");
    const std::string whole = vmsim("import small.swf").output;
    for (const char *way :
         {"cat small.swf | ./vmsim import -", "gzip -c small.swf | ./vmsim import -",
          "cat small.swf | ./vmsim import /dev/stdin", "bash -c './vmsim import <(cat small.swf)'"})
        ck_assert_text(command(way).output, whole);
    ck_assert_contains(command("echo nothing | ./vmsim import -").output, "standard input:1: ");
    const Ran study = command("cat small.swf | ./vmsim study - --cores 60 --no-picture -o out");
    ck_assert_int_eq(study.status, 0);
}
END_TEST

// Its output is a pipe that is full before all jobs are written.
START_TEST(an_interrupted_import_says_how_much_was_written) {
    std::ofstream log(folder / "long.swf");
    for (int job = 1; job <= 10000; ++job)
        log << job << " 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n";
    log.close();
    ck_assert_int_eq(mkfifo((folder / "pipe").c_str(), 0600), 0);
    const pid_t child = start_vmsim({"import", "long.swf", "-o", "pipe"});
    std::ifstream pipe(folder / "pipe");
    ck_assert_int_eq(pipe.get(), ';');
    ck_assert_int_eq(kill(child, SIGINT), 0);
    pipe.ignore(std::numeric_limits<std::streamsize>::max());
    wait_for_end_by(SIGINT, child);
    ck_assert_contains(content("output"), "interrupted; the first ");
    ck_assert_contains(content("output"), " of 10000 jobs were written");
}
END_TEST

// A program for the pictures that gets the signal of the terminal together with vmsim.
START_TEST(pictures_can_be_interrupted) {
    fs::copy_file(VMSIM, folder / "vmsim");
    std::ofstream(folder / "vmsim-pictures") << "#!/bin/sh\nkill -INT $PPID $$\n";
    fs::permissions(folder / "vmsim-pictures", fs::perms::owner_all);
    const Ran ran = command("./vmsim run -w small.swf -p fcfs -o out --pictures");
    ck_assert_int_eq(ran.status, 128 + SIGINT);
    ck_assert_contains(ran.output, "interrupted; 1 of 1 results were finished and are in out");
    ck_assert(nlohmann::json::parse(content("out/summary.json")).at("finished") == true);
}
END_TEST

START_TEST(jobs_that_never_start_are_announced) {
    const Ran ran = vmsim("run -w small.swf -p easy --cores 3 -o out");
    ck_assert_int_eq(ran.status, 0);
    ck_assert_contains(ran.output, "note: jobs that are too large for the machine never start");
    ck_assert(vmsim("run -w small.swf -p easy -o all").output.find("note:") == std::string::npos);
}
END_TEST

START_TEST(results_without_jobs_have_no_means) {
    ck_assert_int_eq(vmsim("run -w small.swf -p easy,fcfs --warm-up 100% -o out").status, 0);
    const Ran ran = vmsim("compare out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_contains(ran.output, "\nfcfs            1                                 ");
}
END_TEST

START_TEST(processors_can_be_those_that_were_requested) {
    std::ofstream(folder / "more.swf") << "; MaxProcs: 4\n"
                                          "1 0 0 100 4 -1 -1 2 100 -1 1 1 1 -1 1 -1 -1 -1\n";
    const Ran ran = vmsim("run -w more.swf -p easy --processors-from requested -o out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_contains(content("out/easy/jobs.csv"), "completed,0,100,100,1,1,2,2,");
}
END_TEST

START_TEST(a_dump_is_not_overwritten) {
    const std::string dump = "JobIDRaw|Submit|Start|ElapsedRaw|AllocCPUS|State\n"
                             "1|1788213600|1788213600|60|4|COMPLETED\n";
    std::ofstream(folder / "dump.txt") << dump;
    const Ran ran = vmsim("import dump.txt -o ./dump.txt");
    ck_assert_int_eq(ran.status, 2);
    ck_assert_contains(ran.output, "--output ./dump.txt is the log itself");
    ck_assert_text(content("dump.txt"), dump);
    ck_assert_int_eq(vmsim("import dump.txt -o log.swf").status, 0);
}
END_TEST

const char *const shares =
    "JobIDRaw|User|Account|Partition|Submit|Start|ElapsedRaw|AllocCPUS|State|AdminComment\n"
    "1|u1|chem|batch|1000|1000|3600|10|COMPLETED|vmall: class=long mpl=1 folds=0 useful=40%\n"
    "2|u2|chem|batch|1001|4600|3600|10|COMPLETED|a|b; vmall: class=long mpl=1 folds=2 useful=80%\n"
    "3|u1|phys|batch|1002|8200|7200|10|RESIZING|vmall: class=long mpl=1 folds=0 useful=90%\n"
    "3|u1|phys|batch|15400|15400|7200|5|COMPLETED|vmall: class=long mpl=2 folds=1\n"
    "4|u1|phys|debug|1003|22600|3600|10|COMPLETED|\n";

START_TEST(advises_by_what_the_jobs_made_use_of) {
    std::ofstream(folder / "shares.txt") << shares;
    const Ran ran = vmsim("advise shares.txt --csv advice.csv");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_contains(ran.output,
                       "PARTITION  ACCOUNT  JOBS  CORE_HOURS  KNOWN  USEFUL  IDLE  FILLED\n"
                       "batch         chem     2        20.0   20.0     60%   8.0     0.0\n"
                       "batch         phys     1        31.1   31.1     90%   3.1     1.1\n"
                       "debug         phys     1        10.0    0.0     N/A   0.0     0.0\n"
                       "all              -     4        61.1   51.1     78%  11.1     1.1\n");
    ck_assert_text(content("advice.csv"),
                   "partition,account,jobs,core_hours,known_jobs,known_core_hours,useful_percent,"
                   "idle_core_hours,filled_core_hours\n"
                   "batch,chem,2,20,2,20,60,8,0\n"
                   "batch,phys,1,31.111111,1,31.111111,90,3.111111,1.111111\n"
                   "debug,phys,1,10,0,0,,0,0\n");
    ck_assert_contains(vmsim("advise shares.txt --by user").output, "\nu1       3        51.1");
}
END_TEST

START_TEST(advice_needs_shares) {
    const Ran ran = vmsim("advise small.swf");
    ck_assert_int_eq(ran.status, 0);
    ck_assert_contains(ran.output, "vmsim: small.swf: no job has a useful share");
    ck_assert_int_ne(vmsim("advise small.swf --by colour").status, 0);
}
END_TEST

// The second job has as many processes as there are cores, and no estimate: an hour of work is
// left, as of the first.
START_TEST(a_job_that_waits_is_folded_for_next_to_nothing) {
    std::ofstream(folder / "pair.txt")
        << "JobIDRaw|Submit|Start|ElapsedRaw|AllocCPUS|State|AdminComment\n"
           "1|1000|1000|1000|4|COMPLETED|vmall: class=long mpl=1 folds=0 useful=50%\n"
           "2|1500|1500|100|2|COMPLETED|\n";
    const Ran ran = vmsim("run -w pair.txt --cores 4 -p least-work --folding-cost 1 -o out");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    ck_assert_contains(content("out/least-work/jobs.csv"), "1,,,long,0,0,1000,completed,");
    ck_assert_contains(content("out/least-work/jobs.csv"), "2,,,long,500,500,600,completed,");
}
END_TEST

// As above: four processes are twice as fast as one.
START_TEST(a_job_may_make_use_of_its_efficiency) {
    std::ofstream(folder / "efficiency.txt") << "JobIDRaw|Submit|Start|ElapsedRaw|AllocCPUS|State\n"
                                                "1|1000|1000|1000|4|COMPLETED\n"
                                                "2|1500|1500|100|2|COMPLETED\n";
    const std::string run = "run -w efficiency.txt --cores 4 -p least-work --folding-cost 1 "
                            "--speedup times:1=100,4=50 --useful-share ";
    const Ran ran = vmsim(run + "efficiency -o by-efficiency");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    const std::string jobs = content("by-efficiency/least-work/jobs.csv");
    ck_assert_contains(jobs, "1,,,long,0,0,1000,completed,");
    ck_assert_contains(jobs, "2,,,long,500,500,600,completed,");
    ck_assert_int_eq(vmsim(run + "recorded -o as-recorded").status, 0);
    ck_assert(content("as-recorded/least-work/jobs.csv").find(",0,0,1000,completed") ==
              std::string::npos);
    ck_assert_int_ne(vmsim(run + "guessed -o guessed").status, 0);
}
END_TEST

// Both jobs have cores at once, and memory by what they used, not by what they asked for.
START_TEST(memory_is_imported_and_counted) {
    std::ofstream(folder / "memory.txt")
        << "JobIDRaw|Submit|Start|ElapsedRaw|AllocCPUS|State|ReqMem|MaxRSS|NTasks\n"
           "1|1000|1000|100|2|COMPLETED|6G||\n1.0|1000|1000|100|2|COMPLETED||1.50G|2\n"
           "2|1000|1000|100|2|COMPLETED|4G||\n";
    ck_assert_int_eq(vmsim("import memory.txt -o memory.swf").status, 0);
    ck_assert_contains(content("memory.swf"), " 1572864 2 -1 3145728 ");
    const std::string run = "run -w memory.swf --cores 4 -p easy --memory-per-core 2G "
                            "--memory-per-process ";
    ck_assert_int_eq(vmsim(run + "requested -o requested").status, 0);
    ck_assert_contains(content("requested/easy/jobs.csv"), "2,,,long,0,100,200,completed,");
    const Ran used = vmsim(run + "used -o used");
    ck_assert_contains(used.output, "memory.swf: note: 1 of 2 jobs do not say how much memory");
    ck_assert_contains(content("used/easy/jobs.csv"), "2,,,long,0,0,100,completed,");
}
END_TEST

START_TEST(the_first_jobs_of_a_log_are_imported) {
    const Ran ran = vmsim("import small.swf --jobs=2 -o first.swf");
    ck_assert_msg(ran.status == 0, "%s", ran.output.c_str());
    const std::string log = content("first.swf");
    ck_assert_contains(log, "\n2 ");
    ck_assert(log.find("\n3 ") == std::string::npos);
    ck_assert_int_eq(vmsim("run -w first.swf --cores 4 -p easy -o out").status, 0);
}
END_TEST

START_TEST(a_log_that_knows_its_programs_is_not_imported) {
    ck_assert_int_eq(vmsim("generate --workload=w1 -o generated.swf").status, 0);
    const Ran ran = vmsim("import generated.swf -o again.swf");
    ck_assert_int_eq(ran.status, 2);
    ck_assert_contains(ran.output, "generated.swf says which programs its jobs run");
}
END_TEST

START_TEST(what_was_left_out_is_said_of_which_file) {
    std::ofstream(folder / "cancelled.swf")
        << small_log << "5 40 -1 -1 1 -1 -1 1 20 -1 5 2 1 -1 1 -1 -1 -1\n";
    const Ran ran = vmsim("run -w small.swf cancelled.swf -p easy -o out");
    ck_assert_contains(ran.output, "vmsim: cancelled.swf: left out: 1 ");
}
END_TEST

START_TEST(every_policy_that_is_taken_is_listed) {
    const Ran ran = vmsim("policies");
    ck_assert_contains(ran.output, "fcfs ");
    ck_assert_contains(ran.output, "\nleast-work ");
    ck_assert_contains(ran.output, "\nrecorded ");
}
END_TEST

START_TEST(one_policy_is_said_to_be_the_default) {
    const Ran ran = command(VMSIM " policies | grep 'the default of vmall.conf'");
    ck_assert_msg(ran.output.rfind("least-work ", 0) == 0, "%s", ran.output.c_str());
    ck_assert_uint_eq(ran.output.find('\n'), ran.output.size() - 1);
}
END_TEST

START_TEST(an_answer_that_cannot_be_written_is_an_error) {
    for (const char *arguments : {"policies", "--help", "run --help"}) {
        const Ran ran = command(VMSIM " " + std::string(arguments) + " >/dev/full");
        ck_assert_int_eq(ran.status, 1);
        ck_assert_contains(ran.output, "vmsim: error: cannot write the answer");
    }
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
    tcase_add_test(tests, workloads_of_the_papers_are_varied);
    tcase_add_test(tests, policies_can_be_changed_and_read_from_a_file);
    tcase_add_test(tests, an_interrupted_run_keeps_what_was_finished);
    tcase_add_test(tests, a_directory_belongs_to_one_run_from_its_beginning);
    tcase_add_test(tests, a_log_may_come_from_a_pipe);
    tcase_add_test(tests, an_interrupted_import_says_how_much_was_written);
    tcase_add_test(tests, pictures_can_be_interrupted);
    tcase_add_test(tests, jobs_that_never_start_are_announced);
    tcase_add_test(tests, results_without_jobs_have_no_means);
    tcase_add_test(tests, processors_can_be_those_that_were_requested);
    tcase_add_test(tests, a_dump_is_not_overwritten);
    tcase_add_test(tests, what_was_left_out_is_said_of_which_file);
    tcase_add_test(tests, advises_by_what_the_jobs_made_use_of);
    tcase_add_test(tests, advice_needs_shares);
    tcase_add_test(tests, a_job_that_waits_is_folded_for_next_to_nothing);
    tcase_add_test(tests, a_job_may_make_use_of_its_efficiency);
    tcase_add_test(tests, memory_is_imported_and_counted);
    tcase_add_test(tests, the_first_jobs_of_a_log_are_imported);
    tcase_add_test(tests, a_log_that_knows_its_programs_is_not_imported);
    tcase_add_test(tests, every_policy_that_is_taken_is_listed);
    tcase_add_test(tests, one_policy_is_said_to_be_the_default);
    tcase_add_test(tests, an_answer_that_cannot_be_written_is_an_error);
    tcase_add_test(tests, a_lenient_run_skips_and_counts_bad_lines);
    return run("vmsim", tests);
}
