// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines of sacct: what is refused and how it is said, what becomes of several records of one job.
#include "scratch.hpp"
#include "sim/trace/sacct.hpp"
#include "suites.hpp"

namespace {

using namespace vmall;

const std::string columns = "JobIDRaw|State|Submit|Start|ElapsedRaw|AllocCPUS|TimelimitRaw\n";

const std::string noted = "JobIDRaw|State|Submit|Start|ElapsedRaw|AllocCPUS|AdminComment\n";

const std::string memory = "JobIDRaw|State|Submit|ElapsedRaw|NCPUS|NNodes|ReqMem|MaxRSS|NTasks\n";

struct Row {
    const char *name;
    std::string dump;
    std::string expected; // jobs and what was left out, or the error
};

const std::string how = std::string("; write the file with: ") + sim::sacct_command;
const std::string no_header = " is not the line of column names of sacct --parsable2" + how;

const std::string night =
    "jobs that seem to start before they were submitted or to end before they started: it was the "
    "night in which clocks are set back, and times have no zone";

const Row rows[] = {
    {"a job", columns + "12|COMPLETED|1000|1010|60|4|2\n",
     "12: at 0 short rigid 4, 60 s with 4, estimate 120, started 10\n"},
    {"columns in any order and case, unknown ones ignored",
     "alloccpus|Planned|SUBMIT|state|elapsed|JobIdRaw\n4|x|1000|FAILED|00:01:00|12\n",
     "12: at 0 long rigid 4, 60 s with 4\n"},
    {"--parsable instead of --parsable2: a separator at the end of each line",
     "JobIDRaw|State|Submit|ElapsedRaw|NCPUS|\n12|TIMEOUT|1000|60|4|\n",
     "12: at 0 long rigid 4, 60 s with 4\n"},
    {"no elapsed time, but start and end",
     "JobIDRaw|State|Submit|Start|End|NCPUS\n12|COMPLETED|1000|1005|1065|4\n",
     "12: at 0 long rigid 4, 60 s with 4, started 5\n"},
    {"requested CPUs if none were allocated",
     "JobIDRaw|State|Submit|ElapsedRaw|AllocCPUS|ReqCPUS\n12|COMPLETED|1000|60|0|8\n",
     "12: at 0 long rigid 8, 60 s with 8\n"},
    {"CR LF and no end of the last line",
     "JobIDRaw|State|Submit|ElapsedRaw|NCPUS\r\n12|COMPLETED|1000|60|4",
     "12: at 0 long rigid 4, 60 s with 4\n"},
    {"a byte-order mark in front",
     "\xEF\xBB\xBFJobIDRaw|State|Submit|ElapsedRaw|NCPUS\n12|COMPLETED|1000|60|4\n",
     "12: at 0 long rigid 4, 60 s with 4\n"},
    {"time limits without a number are none",
     columns + "1|COMPLETED|1000|1000|60|4|UNLIMITED\n2|COMPLETED|1000|1000|60|4|Partition_Limit\n"
               "3|COMPLETED|1000|1000|60|4|\n",
     "1: at 0 long rigid 4, 60 s with 4, started 0\n2: at 0 long rigid 4, 60 s with 4, started 0\n"
     "3: at 0 long rigid 4, 60 s with 4, started 0\n"},
    {"without raw ids jobs are numbered by arrival",
     "JobID|State|Submit|ElapsedRaw|NCPUS\n9+0|COMPLETED|1002|60|4\n7_1|COMPLETED|1000|60|2\n",
     "1: at 0 long rigid 2, 60 s with 2\n2: at 2 long rigid 4, 60 s with 4\n"},
    {"one column of free text may have separators",
     "JobIDRaw|JobName|State|Submit|ElapsedRaw|NCPUS\n12|a|b||c|COMPLETED|1000|60|4\n",
     "12: at 0 long rigid 4, 60 s with 4\n"},
    {"times with different zones",
     "JobIDRaw|State|Submit|ElapsedRaw|NCPUS\n1|COMPLETED|2025-03-30T01:59:59+0100|60|4\n"
     "2|COMPLETED|2025-03-30T03:00:00+0200|60|4\n",
     "1: at 0 long rigid 4, 60 s with 4\n2: at 1 long rigid 4, 60 s with 4\n"},
    {"a requeued job arrives once and runs as in the end",
     columns + "5|NODE_FAIL|1000|1010|100|8|\n5|COMPLETED|1110|1200|60|8|\n",
     "5: at 0 long rigid 8, 60 s with 8, started 200\n1 earlier runs of jobs that were requeued\n"},
    {"a requeued job whose records are printed the other way round",
     columns + "5|COMPLETED|1110|1200|60|8|\n5|REQUEUED|1000|1010|100|8|\n",
     "5: at 0 long rigid 8, 60 s with 8, started 200\n1 earlier runs of jobs that were requeued\n"},
    {"a resized job does all its work",
     columns + "5|RESIZING|1000|1010|100|8|\n5|RESIZING|1110|1110|200|2|\n"
               "5|COMPLETED|1310|1310|50|4|\n",
     "5: at 0 long rigid 8, 175 s with 8, started 10\n"}, // (800 + 400 + 200) / 8
    {"a resized job that was requeued and resized again",
     columns + "5|RESIZING|1000|1010|100|8|\n5|NODE_FAIL|1110|1110|200|2|\n"
               "5|RESIZING|1400|1410|10|4|\n5|COMPLETED|1420|1420|21|2|\n",
     "5: at 0 long rigid 4, 21 s with 4, started 410\n" // (40 + 42) / 4, rounded up
     "1 earlier runs of jobs that were requeued\n"},
    {"a job that was folded while it waited for half of its time did all its work meanwhile",
     noted + "5|RESIZING|1000|1010|100|8|vmall: class=long mpl=1 folds=0 useful=50%\n"
             "5|RESIZING|1110|1110|200|4|vmall: class=long mpl=2 folds=1 useful=50%\n"
             "5|COMPLETED|1310|1310|100|2|vmall: class=long mpl=4 folds=2 useful=50%\n",
     "5: at 0 long rigid 8, 350 s with 8, started 10\n"}, // 100 + 200 + 100 / 2
    {"a job that was folded from its start to its end had more processes than CPUs",
     noted + "5|COMPLETED|1000|1010|100|4|vmall: class=long mpl=2 folds=0\n"
             "6|COMPLETED|1000|1010|100|4|vmall: class=long mpl=2 folds=0 useful=25%\n",
     "5: at 0 long rigid 8, 50 s with 8, started 10\n"
     "6: at 0 long rigid 8, 100 s with 8, started 10\n"},
    {"a job that started folded had as many processes as it has CPUs unfolded",
     noted + "5|RESIZING|1000|1010|70|3|vmall: class=long mpl=3 folds=0\n"
             "5|COMPLETED|1080|1080|30|7|vmall: class=long mpl=1 folds=0\n",
     "5: at 0 long rigid 7, 60 s with 7, started 10\n"}, // 70 * 3/7 + 30
    {"a job that gave a node back had fewer CPUs than before",
     noted + "5|RESIZING|1000|1010|60|8|vmall: class=long mpl=1 folds=0 useful=50%\n"
             "5|COMPLETED|1070|1070|60|4|vmall: class=long mpl=1 folds=0 useful=50%\n",
     "5: at 0 long rigid 8, 90 s with 8, started 10\n"},
    {"notes of nothing that can be",
     noted + "5|COMPLETED|1000|1010|60|2000000000|vmall: class=long mpl=999999999 folds=0\n"
             "6|COMPLETED|1000|1010|60|4|vmall: class=long mpl=-1 folds=0 useful=50%\n",
     "5: at 0 long rigid 2000000000, 60 s with 2000000000, started 10\n"
     "6: at 0 long rigid 4, 60 s with 4, started 10\n"},
    {"two dumps one behind the other: a job in both is one",
     columns + "5|COMPLETED|1000|1010|60|8|\n6|RUNNING|1100|1110|10|8|\n" + columns +
         "5|COMPLETED|1000|1010|60|8|\n6|COMPLETED|1100|1110|70|8|\n",
     "5: at 0 long rigid 8, 60 s with 8, started 10\n"
     "6: at 100 long rigid 8, 70 s with 8, started 110\n2 records that are there twice\n"},
    {"the later dump first, of a job that was requeued and resized",
     columns +
         "5|REQUEUED|1000|1010|60|8|\n5|RESIZING|1100|1110|10|8|\n"
         "5|COMPLETED|1120|1120|10|4|\n" +
         columns + "5|REQUEUED|1000|1010|60|8|\n5|RUNNING|1100|1110|5|8|\n",
     "5: at 0 long rigid 8, 15 s with 8, started 110\n"
     "1 earlier runs of jobs that were requeued\n2 records that are there twice\n"},
    {"two dumps with other columns",
     columns + "12|COMPLETED|1000|1010|60|4|2\nJobID|Submit|State\n",
     "D:3: other column names than in line 1; only dumps with the same columns may stand one "
     "behind "
     "the other"},
    {"two dumps with the columns in another order",
     columns + "Submit|State|JobIDRaw" +
         columns.substr(std::string("JobIDRaw|State|Submit").size()),
     "D:2: other column names than in line 1; only dumps with the same columns may stand one "
     "behind "
     "the other"},
    {"a message among the jobs", columns + "sacct: error: slurm_persist_conn_open\n",
     "D:2: a message of sacct instead of a job"},
    {"what is no job is counted",
     columns + "1|COMPLETED|1000|1000|60|4|\n2|PENDING|1000|Unknown|0|0|\n"
               "3|RUNNING|1000|1005|500|4|\n4|CANCELLED by 7|1000|None|0|0|\n"
               "6|CANCELLED|1000|1001|0|0|\n7|REVOKED|1000|Unknown|0|0|\n"
               "8|RESIZING|1000|1001|9|4|\n9|DEADLINE|1000|Unknown|0|0|\n",
     "1: at 0 long rigid 4, 60 s with 4, started 0\n"
     "2 jobs cancelled before they started\n1 jobs of a federation that ran elsewhere\n"
     "1 jobs that ended before they started\n2 jobs that had not ended\n"
     "1 jobs that had not started\n"},
    {"second 0 is the first arrival of a job that ran",
     columns + "1|PENDING|900|Unknown|0|0|\n2|COMPLETED|1000|1000|60|4|\n",
     "2: at 0 long rigid 4, 60 s with 4, started 0\n1 jobs that had not started\n"},
    {"the night in which clocks are set back",
     columns + "1|COMPLETED|2025-10-26T01:10:00|2025-10-26T01:10:00|9000|4|\n"
               "2|COMPLETED|2025-10-26T02:50:00|2025-10-26T02:05:00|2100|4|\n"
               "3|COMPLETED|2025-10-26T02:50:00|2025-10-26T02:50:00|60|4|\n",
     "1: at 0 long rigid 4, 9000 s with 4, started 0\n"
     "3: at 6000 long rigid 4, 60 s with 4, started 6000\n1 " +
         night + "\n"},
    {"the night in which clocks are set back, by Start and End",
     "JobIDRaw|State|Submit|Start|End|NCPUS\n"
     "1|COMPLETED|2025-10-26T01:10:00|2025-10-26T01:10:00|2025-10-26T02:10:00|4\n"
     "2|COMPLETED|2025-10-26T02:40:00|2025-10-26T02:50:00|2025-10-26T02:05:00|4\n",
     "1: at 0 long rigid 4, 3600 s with 4, started 0\n1 " + night + "\n"},
    {"more than an hour too early, by whatever clocks",
     columns + "2|COMPLETED|2025-10-26T02:50:01|2025-10-26T01:50:00|2100|4|\n",
     "D:2: Start is \"2025-10-26T01:50:00\" instead of a time from Submit on"},
    {"arrival when eligible, if that lies between submission and start",
     "JobIDRaw|State|Submit|Eligible|Start|ElapsedRaw|NCPUS\n1|COMPLETED|1000|1000|1000|60|4\n"
     "2|COMPLETED|1000|1050|1060|60|4\n3|COMPLETED|1000|Unknown|1060|60|4\n"
     "4|COMPLETED|1000|1070|1060|60|4\n5|COMPLETED|1000|999|1060|60|4\n",
     "1: at 0 long rigid 4, 60 s with 4, started 0\n3: at 0 long rigid 4, 60 s with 4, started 60\n"
     "4: at 0 long rigid 4, 60 s with 4, started 60\n"
     "5: at 0 long rigid 4, 60 s with 4, started 60\n"
     "2: at 50 long rigid 4, 60 s with 4, started 60\n"},

    {"memory of the job, and of its steps as if all tasks had used what one did",
     memory + "1|COMPLETED|1000|60|4|2|10G||\n1.batch|COMPLETED|1000|60|4|1||1.50M|1\n"
              "1.0|COMPLETED|1000|60|4|2||1001K|3\n",
     "1: at 0 long rigid 4, 60 s with 4, asked 2621440K, used 751K\n"},
    {"memory by CPU or node, as until Slurm 21.08",
     memory + "1|COMPLETED|1000|60|4|2|100Mc||\n2|COMPLETED|1000|60|4|2|100Mn||\n",
     "1: at 0 long rigid 4, 60 s with 4, asked 102400K\n"
     "2: at 0 long rigid 4, 60 s with 4, asked 51200K\n"},
    {"memory that is not known, or all of the nodes",
     memory + "1|COMPLETED|1000|60|4|2|||\n2|COMPLETED|1000|60|4|2|0||\n2.0|FAILED|1|1|4|2|||\n"
              "9.0|FAILED|1|1|4|2||1G|1\n",
     "1: at 0 long rigid 4, 60 s with 4\n2: at 0 long rigid 4, 60 s with 4\n"},
    {"a resized job used what its largest step did, on the CPUs of its first size",
     memory + "5|RESIZING|1000|60|8|1|||\n5.0|RESIZING|1000|60|8|1||80K|8\n"
              "5|COMPLETED|1060|60|4|1|||\n5.1|COMPLETED|1000|60|4|1||100K|8\n",
     "5: at 0 long rigid 8, 90 s with 8, used 100K\n"},
    {"more memory than there is",
     memory + "1|COMPLETED|1000|60|4|2|99999999999999999P|99999999999G|2000000000\n",
     "1: at 0 long rigid 4, 60 s with 4, asked 281474976710656K\n"},
    {"a bad amount of memory", memory + "1|COMPLETED|1000|60|4|2|4X||\n",
     "D:2: ReqMem is \"4X\" instead of an amount of memory like 16G, 4000Mc or 16Gn"},
    {"a bad amount of used memory", memory + "1.0|COMPLETED|1000|60|4|2||K|1\n",
     "D:2: MaxRSS is \"K\" instead of an amount of memory like 1200K or 1.50G"},
    {"a bad number of tasks", memory + "1.0|COMPLETED|1000|60|4|2||1K|x\n",
     "D:2: NTasks is \"x\" instead of a number"},

    {"empty", "", std::string("D: is empty; write it with: ") + sim::sacct_command},
    {"no header", "12|COMPLETED|1000|1010|60|4|2\n",
     "D:1: \"12|COMPLETED|1000|1010|60|4|2\"" + no_header},
    {"columns aligned with blanks instead of --parsable2", "JobIDRaw    State\n-------- --------\n",
     "D:1: \"JobIDRaw    State\"" + no_header},
    {"another separator", "JobIDRaw,State,Submit\n", "D:1: \"JobIDRaw,State,Submit\"" + no_header},
    {"no ids", "State|Submit|ElapsedRaw|NCPUS\n",
     "D:1: there is no column JobIDRaw or JobID" + how},
    {"no submission", "JobID|State|ElapsedRaw|NCPUS\n", "D:1: there is no column Submit" + how},
    {"no state", "JobID|Submit|ElapsedRaw|NCPUS\n", "D:1: there is no column State" + how},
    {"no elapsed time", "JobID|Submit|State|End|NCPUS\n",
     "D:1: there is no column ElapsedRaw, Elapsed, or Start and End" + how},
    {"no CPUs", "JobID|Submit|State|Elapsed\n",
     "D:1: there is no column AllocCPUS, NCPUS or ReqCPUS" + how},
    {"a column twice", "JobID|Submit|State|Elapsed|NCPUS|submit\n",
     "D:1: there are two columns Submit"},
    {"no job ran", columns + "2|PENDING|1000|Unknown|0|0|\n", "D: there is no job in it that ran"},
    {"too few fields", columns + "2|PENDING|1000\n12|COMPLETED|1000|1010|60|4|2\n",
     "D:2: 3 fields instead of the 7 of the header"},
    {"the file is cut off", columns + "12|COMPLETED|1000|1010|60|4|2\n13|COMPL",
     "D:3: 2 fields instead of the 7 of the header (the file ends in this line)"},
    {"a separator in one of two columns of free text",
     "JobIDRaw|JobName|Comment|State|Submit|ElapsedRaw|NCPUS\n12|a|b|c|COMPLETED|1000|60|4\n",
     "D:2: 8 fields instead of the 7 of the header; leave out columns that may have a | in them "
     "(JobName, Comment)"},
    {"a separator without a column of free text", columns + "12|COMPLETED|1000|1010|60|4|2|\n",
     "D:2: 8 fields instead of the 7 of the header"},
    {"a bad id", columns + "job7|COMPLETED|1000|1010|60|4|2\n",
     "D:2: JobIDRaw is \"job7\" instead of a job like 123, 123_4 or 123+0, or a step like "
     "123.batch"},
    {"an id that is not raw", columns + "7_1|COMPLETED|1000|1010|60|4|2\n",
     "D:2: JobIDRaw is \"7_1\" instead of a number from 1 to 4294967295"},
    {"a bad state", columns + "7|DONE|1000|1010|60|4|2\n",
     "D:2: State is \"DONE\" instead of a state of Slurm's accounting like COMPLETED"},
    {"never submitted", columns + "7|COMPLETED|Unknown|1010|60|4|2\n",
     "D:2: Submit is \"Unknown\" instead of the time of submission"},
    {"a bad time", columns + "7|COMPLETED|1000|12:30|60|4|2\n",
     "D:2: Start is \"12:30\" instead of seconds since 1970, YYYY-MM-DDTHH:MM:SS or Unknown"},
    {"started before it was submitted", columns + "7|COMPLETED|1000|999|60|4|2\n",
     "D:2: Start is \"999\" instead of a time from Submit on"},
    {"times with and without zone", columns + "7|COMPLETED|1000|2025-03-03T08:00:00|60|4|2\n",
     "D:2: Start is \"2025-03-03T08:00:00\" instead of a time with a time zone, as in the lines "
     "before"},
    {"bad seconds", columns + "7|COMPLETED|1000|1010|00:01:00|4|2\n",
     "D:2: ElapsedRaw is \"00:01:00\" instead of a number of seconds"},
    {"a bad duration", "JobIDRaw|State|Submit|Elapsed|NCPUS\n7|COMPLETED|1000|60|4\n",
     "D:2: Elapsed is \"60\" instead of a time like 1-02:03:04 or 02:03:04"},
    {"two users' jobs of one number",
     "JobIDRaw|User|State|Submit|ElapsedRaw|NCPUS\n7|anna|COMPLETED|1000|60|4\n"
     "7|bert|COMPLETED|5000|60|4\n",
     "D:3: User is \"bert\" instead of \"anna\" as in line 2 for the same job; if jobs were "
     "numbered anew, dump what was before and after apart"},
    {"ended before it started",
     "JobIDRaw|State|Submit|Start|End|NCPUS\n12|COMPLETED|1000|1005|1004|4\n",
     "D:2: End is \"1004\" instead of a time after Start"},
    {"bad CPUs", columns + "7|COMPLETED|1000|1010|60|4K|2\n",
     "D:2: AllocCPUS is \"4K\" instead of a number of CPUs"},
    {"a bad time limit", columns + "7|COMPLETED|1000|1010|60|4|02:00\n",
     "D:2: TimelimitRaw is \"02:00\" instead of a number of minutes, UNLIMITED or Partition_Limit"},
};

START_TEST(reads) {
    const Row &row = rows[_i];
    const Scratch scratch;
    const std::string path = scratch.file("D", row.dump);
    sim::ReadLog log;
    std::string got;
    try {
        got = to_text(sim::read_sacct(path, {}, log));
        for (const auto &[what, count] : log.left_out)
            got += std::to_string(count) + " " + what + "\n";
    } catch (const sim::TraceError &error) {
        got = scratch.without_folder(error.what());
    }
    ck_assert_msg(got == row.expected, "%s\ngot:\n%s\nexpected:\n%s", row.name, got.c_str(),
                  row.expected.c_str());
}
END_TEST

START_TEST(missing_columns_that_change_the_meaning_are_noted) {
    const Scratch scratch;
    const std::string path =
        scratch.file("D", "JobIDRaw|State|Submit|ElapsedRaw|NCPUS\n1|COMPLETED|1000|60|4\n");
    sim::ReadLog log;
    sim::read_sacct(path, {}, log);
    ck_assert_uint_eq(log.notes.size(), 2);
    ck_assert_contains(log.notes[0], "there is no column Eligible");
    ck_assert_contains(log.notes[1], "there is no column TimelimitRaw");
    sim::Treatment treatment;
    treatment.arrival = sim::Arrival::submitted;
    sim::ReadLog wanted;
    sim::read_sacct(path, treatment, wanted);
    ck_assert_uint_eq(wanted.notes.size(), 1);
}
END_TEST

START_TEST(leniently_bad_lines_are_skipped_and_counted) {
    const Scratch scratch;
    sim::ReadLog log;
    log.lenient = true;
    const std::string path =
        scratch.file("D", columns + "x\n7|COMPLETED|1000|1010|60|4|2\n8|DONE|1|1|1|1|1\n9|COMP");
    ck_assert_uint_eq(sim::read_sacct(path, {}, log).jobs.size(), 1);
    ck_assert_uint_eq(log.bad_lines, 3);
    ck_assert_contains(log.examples[0], "/D:2: 1 fields instead");
}
END_TEST

START_TEST(leniently_a_missing_column_is_still_an_error) {
    const Scratch scratch;
    sim::ReadLog log;
    log.lenient = true;
    const std::string path = scratch.file("D", "JobID|State\n");
    ck_assert_contains(refusal<sim::TraceError>([&] { sim::read_sacct(path, {}, log); }),
                       "/D:1: there is no column Submit");
}
END_TEST

} // namespace

TCase *sacct_tests() {
    TCase *tests = tcase_create("sacct");
    tcase_add_loop_test(tests, reads, 0, std::size(rows));
    tcase_add_test(tests, missing_columns_that_change_the_meaning_are_noted);
    tcase_add_test(tests, leniently_bad_lines_are_skipped_and_counted);
    tcase_add_test(tests, leniently_a_missing_column_is_still_an_error);
    return tests;
}
