// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmsim says of what it cannot do.
#include "run.hpp"
#include "vmsim_program.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;
using namespace vmsim_test;

namespace {

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
    {"run -w small.swf -p nix -o out", 2, ", recorded"},
    {"run -w small.swf -p recorded:MaxMpl=2 -o out", 2, "\"recorded\" takes no keys"},
    {"frob", 2, "\"frob\" is not a subcommand"},
    {"run -w small.swf -p easy -o out --warm-up x", 2,
     "--warm-up: \"x\" is neither a number of jobs nor"},
    {"run -w small.swf -p easy -o out --folding-cost 0.5", 2,
     "--folding-cost: folding cost \"0.5\" is not a number from 1 to 1000"},
    {"run -w small.swf -p easy -o out --memory-per-process 101", 2,
     "--memory-per-process: \"101\" is not a whole number from 0 to 100, nor requested, nor used"},
    {"run -w small.swf -p easy -o out --memory-per-process used", 2,
     "--memory-per-process=used needs --memory-per-core"},
    {"run -w small.swf -p easy -o out --memory-per-core 4G", 2,
     "--memory-per-core needs --memory-per-process=requested or used"},
    {"run -w small.swf -p easy -o out --memory-per-process used --memory-per-core 1K", 2,
     "--memory-per-core: \"1K\" is not an amount of memory from 1M on, like 4000M or 4G"},
    {"run -w small.swf -p easy -o out --memory-per-process used --memory-per-core 4G", 2,
     "small.swf: none of its jobs say how much memory they used"},
    {"run -w small.swf -p easy -o out --slowdown-bound nan", 2,
     "--slowdown-bound: \"nan\" is not a number from 1 to 1000000"},
    {"run -w small.swf -p easy -o out --malleable-seed -1", 2,
     "--malleable-seed: \"-1\" is not a whole number from 0 to"},
    {"run -w small.swf -p easy -o out --sizes many", 2, "--sizes: \"many\" says no sizes"},
    {"run -w small.swf -p easy -o out --cores 0", 2,
     "--cores: \"0\" is not a whole number from 1 to 2147483647"},
    {"run -w small.swf -p easy -o out --nodes 1000000 --cores-per-node 65535", 2,
     "--nodes times --cores-per-node are more cores than 2147483647"},
    {"run -w small.swf -p easy -o ''", 2, "--out: is no directory"},
    {"run -w small.swf -p easy -o small.swf", 1, "vmsim: error: small.swf: Not a directory"},
    {"generate --seed 18446744073709551616", 2, "--seed: \"18446744073709551616\" is not a whole"},
    {"generate --duration never", 2, "--duration: \"never\" is not a time"},
    {"generate --estimates 1-2-3", 2,
     "--estimates is \"1-2-3\" instead of none, exact, a factor, or a range of factors"},
    {"generate --estimates -2", 2, "--estimates is \"-2\" instead of"},
    {"generate --estimates 2-1", 2, "the lowest factor of the estimates is above the highest"},
    {"generate -w burst-4", 2, "--workload: there is no workload \"burst-4\"; there are w1, "},
    {"generate -w w1 --load 0.5", 2, "--workload excludes --load"},
    {"generate -w w1 --processors 1", 2, "BT.A runs on no machine with so few processors: 1"},
    {"generate -w burst-3 --duration never", 2, "--duration: \"never\" is not a time"},
    {"generate -w high-80 -o /dev/full", 1, "/dev/full: cannot be written"},
    {"generate --application-table none", 1, "none: "},
    {"run -w small.swf -p easy -o out --nodes 2", 2, "--nodes requires --cores-per-node"},
    {"run -w none.swf -p easy -o out", 1, "none.swf: "},
    {"run -w small.swf -p easy -o .", 1, ".: is not empty"},
    {"run -w small.swf --policy-file none.conf -o out", 1, "none.conf: No such file"},
    {"run -w bad.swf -p easy -o out", 1, "bad.swf:2: "},
    {"run -w nomachine.swf -p easy -o out", 2, "give --cores"},
    {"run -w small.swf -p equi -o out", 2, "\"equi\" is not one of the policies"},
    {"run -w . -p easy -o out", 1, ".: is a directory"},
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

START_TEST(says_what_was_skipped_if_nothing_is_left) {
    std::ofstream(folder / "wide.swf")
        << "1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1 {1,1} q x\n";
    std::ofstream(folder / "waiting.txt") << "JobIDRaw|State|Submit|ElapsedRaw|NCPUS\n"
                                             "1|PENDING|1000|0|4\n";
    const Ran wide = vmsim("import wide.swf --lenient");
    ck_assert_contains(wide.output, "skipped: wide.swf:1: 21 fields instead of 18");
    ck_assert_contains(wide.output, "error: wide.swf: there is no job in it");
    const Ran waiting = vmsim("run -w waiting.txt -p easy --cores 4 -o out");
    ck_assert_contains(waiting.output, "waiting.txt: left out: 1 jobs that had not started");
    ck_assert_contains(waiting.output, "error: waiting.txt: there is no job in it that ran");
    ck_assert(wide.status == 1 && waiting.status == 1);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("errors");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, says_what_is_wrong, 0, static_cast<int>(std::size(bad)));
    tcase_add_test(tests, says_what_was_skipped_if_nothing_is_left);
    return run("vmsim_errors", tests);
}
