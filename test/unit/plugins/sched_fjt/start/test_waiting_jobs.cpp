// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Slurm is told of jobs that go on waiting.
#include "plugins/sched_fjt/stage.hpp"
#include "plugins/sched_fjt/start/waiting_jobs.hpp"
#include "policy/reasons.hpp"
#include "run.hpp"

using namespace vmall;
using namespace vmall::sched;

namespace {

policy::Wait wait(JobNumber id, std::optional<policy::Seconds> expected_start) {
    return {{id}, policy::reasons::cores(2), {}, expected_start};
}

START_TEST(slurms_planned_start_stays_where_no_other_is_known) {
    Stage stage(3);
    tell_why(stage.view, {wait(1, noon + 60), wait(2, {})}, no_gate);
    ck_assert(glue.told_starts == (std::map<std::uint32_t, time_t>{{1, noon + 60}}));
    ck_assert(glue.told_reasons == (std::map<std::uint32_t, std::string>{
                                       {1, "waits for 2 cores"}, {2, "waits for 2 cores"}}));
}
END_TEST

START_TEST(slurm_is_told_nothing_of_jobs_that_did_not_ask) {
    Stage stage(1);
    stage.view.queue[0].virtually_malleable = false;
    tell_why(stage.view, {wait(1, noon + 60)}, no_gate);
    ck_assert(glue.told_starts.empty() && glue.told_reasons.empty());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("waiting_jobs");
    tcase_add_test(tests, slurms_planned_start_stays_where_no_other_is_known);
    tcase_add_test(tests, slurm_is_told_nothing_of_jobs_that_did_not_ask);
    return run("waiting_jobs", tests);
}
