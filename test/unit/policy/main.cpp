// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the policies.
#include "suites.hpp"

#include "run.hpp"

int main() {
    return run({mpl_suite(),
                fjt_suite(),
                sizing_suite(),
                adaptive_suite(),
                least_work_suite(),
                resize_loss_suite(),
                least_work_properties_suite(),
                queue_suite(),
                disciplines_suite(),
                window_suite(),
                unfolding_suite(),
                limits_suite(),
                memory_suite(),
                overdue_suite(),
                work_suite(),
                nonsense_suite(),
                properties_suite(),
                promises_suite(),
                empty_machine_suite(),
                learned_cost_suite(),
                overruns_suite(),
                expected_starts_suite(),
                releases_suite(),
                tallied_room_suite(),
                started_job_suite(),
                table_suite()});
}
