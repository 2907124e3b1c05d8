// SPDX-License-Identifier: GPL-2.0-or-later
//
// The example schedules of the papers on a toy machine, compared with golden timelines.
//
// The figures show four jobs that arrive at once, 1, 3 and 4 short, 2 long; job 1 cannot use more
// than half of the machine and job 2 cannot run on half of it or less. The numbers are ours. A line
// of a golden file that starts with '#' is a remark.
#include "experiments/policy/sizings.hpp"
#include "suites.hpp"
#include "toy_machine.hpp"

#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace vmall::policy;

constexpr auto is_short = JobClass::short_job;
constexpr auto is_long = JobClass::long_job;

// Jobs 3 and 4 run longer than estimated, as does the third of ICS'05 where it gets only half of
// the machine.
const std::vector<ToyJob> thesis_jobs = {
    {1, is_short, {2, 4}, 120, 30},
    {2, is_long, {5, 6, 7, 8}, 800, 200},
    {3, is_short, {1, 2, 3, 4, 5}, 200, 30},
    {4, is_short, {1, 2, 3}, 105, 30},
};
const std::vector<ToyJob> ics_jobs = {
    {1, is_short, {8}, 160, 20},
    {2, is_long, {10, 12, 14, 16}, 960, 120},
    {3, is_short, {4, 8, 16}, 240, 20},
    {4, is_short, {1, 2, 4}, 80, 20},
};

Settings combination(QueueDiscipline queue, Sizing sizing, int max_mpl, WindowPolicy window) {
    Settings settings;
    settings.queue_discipline = queue;
    settings.sizing = sizing;
    settings.max_mpl = max_mpl;
    settings.window_policy = window;
    return settings;
}

const Sizing fjt = papers::fjt_prose; // the figures show a long job start beside a short one
const auto fcfs = "fcfs";
const auto easy = "easy";

const struct Schedule {
    const char *golden;
    int cores;
    const std::vector<ToyJob> &jobs;
    Settings settings;
} schedules[] = {
    {"thesis-6.2a-fcfs", 8, thesis_jobs, combination(fcfs, "rigid", 1, "keep")},
    {"thesis-6.2b-rigid-backfilling-requeue", 8, thesis_jobs,
     combination(easy, "rigid", 1, "requeue")},
    {"thesis-6.2c-moldable-backfilling-requeue", 8, thesis_jobs,
     combination(easy, fjt, 1, "requeue")},
    {"thesis-6.2d-fjt4", 8, thesis_jobs, combination(fcfs, fjt, 4, "keep")},
    {"thesis-6.2e-fjt1-backfilling-shrink", 8, thesis_jobs, combination(easy, fjt, 1, "shrink")},
    {"ics05-1a-fifo", 16, ics_jobs, combination(fcfs, fjt, 1, "keep")},
    {"ics05-1b-aggressive-backfilling", 16, ics_jobs, combination(easy, fjt, 1, "requeue")},
    {"ics05-1c-fjt4", 16, ics_jobs, combination(fcfs, fjt, 4, "keep")},
    {"ics05-1d-backfilling-with-malleability", 16, ics_jobs, combination(easy, fjt, 1, "shrink")},
};

std::string without_remarks(const std::string &path) {
    std::ifstream file(path);
    ck_assert_msg(file.is_open(), "cannot read %s", path.c_str());
    std::string text;
    for (std::string line; std::getline(file, line);)
        if (line.rfind('#', 0) != 0)
            text += line + '\n';
    return text;
}

START_TEST(schedule_is_golden) {
    const Schedule &schedule = schedules[_i];
    const std::string golden =
        without_remarks(std::string(GOLDEN_DIR "/") + schedule.golden + ".txt");
    const std::string timeline = ToyMachine(schedule.cores, schedule.settings).run(schedule.jobs);
    ck_assert_msg(timeline == golden, "%s\nis:\n%sexpected:\n%s", schedule.golden, timeline.c_str(),
                  golden.c_str());
}
END_TEST

} // namespace

Suite *timelines_suite() {
    Suite *suite = suite_create("timelines");
    TCase *papers = tcase_create("papers");
    constexpr int count = sizeof schedules / sizeof *schedules;
    tcase_add_loop_test(papers, schedule_is_golden, 0, count);
    suite_add_tcase(suite, papers);
    return suite;
}
