// SPDX-License-Identifier: GPL-2.0-or-later
//
// When jobs that wait are expected to start.
#include "policy/expected_starts.hpp"

#include "situation.hpp"
#include "suites.hpp"

#include <iterator>
#include <string>

namespace {

using namespace situation;
using policy::Snapshot;

// One node of four cores, all of which a job holds until 2760, which is a whole minute.
Snapshot full() {
    Snapshot snapshot;
    snapshot.now = now;
    snapshot.nodes = {{4, 0}};
    snapshot.running = {running(1, {4}, 1760)};
    return snapshot;
}

Snapshot queue_of(std::vector<policy::WaitingJob> jobs) {
    Snapshot snapshot = full();
    snapshot.waiting = std::move(jobs);
    for (policy::WaitingJob &job : snapshot.waiting)
        job.likely_work = job.estimate;
    return snapshot;
}

policy::WaitingJob refused(policy::WaitingJob job) {
    job.refused = true;
    return job;
}

Snapshot half_free() {
    Snapshot snapshot = queue_of({rigid(2, 4, 600), rigid(3, 2, 600)});
    snapshot.nodes.front().free = 2;
    snapshot.running = {running(1, {2}, 1760)};
    return snapshot;
}

Snapshot of_a_long_job(policy::Seconds ends_in) {
    Snapshot snapshot = queue_of({rigid(2, 4, 600)});
    snapshot.running.front().expected_end = now + ends_in;
    return snapshot;
}

struct Row {
    const char *what;
    Snapshot snapshot;
    const char *discipline;
    const char *expected; // job:start
};

const Row rows[] = {
    {"nobody waits", full(), "least-work", ""},
    {"when the running job ends", queue_of({rigid(2, 4, 600)}), "least-work", "2:2760"},
    {"one after the other", queue_of({rigid(2, 4, 600), rigid(3, 4, 600)}), "easy",
     "2:2760 3:3360"},
    {"beside each other", queue_of({rigid(2, 2, 600), rigid(3, 2, 600)}), "easy", "2:2760 3:2760"},
    {"who has less work comes first", queue_of({rigid(2, 4, 6000), rigid(3, 4, 600)}), "least-work",
     "2:3360 3:2760"},
    {"not under EASY", queue_of({rigid(2, 4, 6000), rigid(3, 4, 600)}), "easy", "2:2760 3:8760"},
    {"not before a higher tier",
     [] {
         Snapshot snapshot = queue_of({rigid(2, 4, 6000), rigid(3, 4, 600)});
         snapshot.waiting.front().tier = 1;
         return snapshot;
     }(),
     "least-work", "2:2760 3:8760"},
    {"with its largest size", queue_of({long_job(2, {1, 4}, 600)}), "least-work", "2:2760"},
    {"who is refused", queue_of({refused(rigid(2, 4, 600))}), "least-work", ""},
    {"who would start now", half_free(), "easy", "2:2760 3:1000"},
    {"to the minute", of_a_long_job(1761), "easy", "2:2820"},
    {"by a thirtieth", of_a_long_job(3541), "easy", "2:4560"},
    {"that never ends", of_a_long_job(policy::never - now), "easy", ""},
};

START_TEST(starts_are_expected) {
    const Row &row = rows[_i];
    policy::Settings settings = policy::default_settings();
    settings.queue_discipline = row.discipline;
    std::string text;
    for (const auto &[job, start] : policy::expected_starts(row.snapshot, settings))
        text += (text.empty() ? "" : " ") + std::to_string(job.value) + ':' + std::to_string(start);
    ck_assert_msg(text == row.expected, "%s: %s", row.what, text.c_str());
}
END_TEST

START_TEST(of_many_jobs_the_first_are_told) {
    Snapshot snapshot = full();
    for (std::uint32_t id = 2; id < 202; id++)
        snapshot.waiting.push_back(rigid(id, 4));
    ck_assert_uint_eq(policy::expected_starts(snapshot, {}).size(), 100);
}
END_TEST

} // namespace

Suite *expected_starts_suite() {
    Suite *suite = suite_create("expected starts");
    TCase *tests = tcase_create("expected starts");
    tcase_add_loop_test(tests, starts_are_expected, 0, std::size(rows));
    tcase_add_test(tests, of_many_jobs_the_first_are_told);
    suite_add_tcase(suite, tests);
    return suite;
}
