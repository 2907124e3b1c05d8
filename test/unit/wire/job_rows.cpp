// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of jobs that do not fit into a message: what comes in pages is the list.
#include "wire/job_rows.hpp"

#include "expect.hpp"

using namespace vmall::wire;
using vmall::common::Sizes;

namespace {

constexpr std::uint32_t many = 10000;

JobRow job_on(std::uint32_t id, std::size_t nodes) {
    JobRow job;
    job.job_id = id;
    job.name = "a job " + std::to_string(id);
    job.processes = job.full_cores = 2;
    for (std::size_t node = 0; node < nodes; ++node)
        job.nodes.push_back({"node" + std::to_string(node), 1 + id % 7});
    return job;
}

std::vector<JobRow> many_jobs(std::size_t nodes) {
    std::vector<JobRow> jobs;
    for (std::uint32_t id = 1; id <= many; ++id)
        jobs.push_back(job_on(3 * id, nodes));
    return jobs;
}

WaitingRow waiting(std::uint32_t id, std::uint32_t position) {
    WaitingRow job;
    job.job_id = id;
    job.name = "a job " + std::to_string(id);
    job.partition = "main";
    job.sizes = Sizes::from_to(1, 65536);
    job.reason = "waits for 1 core";
    job.position = position;
    return job;
}

struct Pages {
    std::vector<JobRow> jobs;
    int count = 0;
};

// As somebody gets them who asks for one after the other. `change` is done to the list after each.
template <typename Change>
Pages pages_of(std::vector<JobRow> jobs, std::size_t highest_bytes, Change change) {
    Pages pages;
    for (std::optional<PageStart> from = PageStart(); from; ++pages.count) {
        const std::string page = encode_page(jobs, *from, highest_bytes);
        ck_assert_uint_le(page.size(), highest_bytes);
        append(pages.jobs, decode_jobs(page));
        const auto next = decode_next(page);
        ck_assert(!next || *from < *next);
        from = next;
        change(jobs);
    }
    return pages;
}

Pages pages_of(const std::vector<JobRow> &jobs, std::size_t highest_bytes = highest_payload_bytes) {
    return pages_of(
        jobs, highest_bytes, [](std::vector<JobRow> &) {});
}

void expect_same(const std::vector<JobRow> &jobs, const std::vector<JobRow> &expected) {
    ck_assert_uint_eq(jobs.size(), expected.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        ck_assert_uint_eq(jobs[i].job_id, expected[i].job_id);
        ck_assert_uint_eq(jobs[i].nodes.size(), expected[i].nodes.size());
        for (std::size_t node = 0; node < jobs[i].nodes.size(); ++node) {
            ck_assert(jobs[i].nodes[node].node == expected[i].nodes[node].node);
            ck_assert_uint_eq(jobs[i].nodes[node].cores, expected[i].nodes[node].cores);
        }
    }
}

START_TEST(a_short_list_is_one_page) {
    const std::vector<JobRow> jobs = {job_on(1, 1), job_on(2, 2)};
    expect_equal(encode_page(jobs, {}), encode(jobs));
    ck_assert_int_eq(pages_of(jobs).count, 1);
    ck_assert_int_eq(pages_of(std::vector<JobRow>{}).count, 1);
}
END_TEST

START_TEST(ten_thousand_jobs_are_told) {
    const auto jobs = many_jobs(2);
    const Pages pages = pages_of(jobs);
    expect_same(pages.jobs, jobs);
    ck_assert_int_ge(pages.count, 2);
}
END_TEST

START_TEST(jobs_on_very_many_nodes_are_told) {
    const std::vector<JobRow> jobs = {job_on(1, 1), job_on(2, 100000), job_on(3, 1),
                                      job_on(5, 50000), job_on(7, 2)};
    expect_same(pages_of(jobs).jobs, jobs);
}
END_TEST

START_TEST(wherever_a_page_ends_nothing_is_lost) {
    const std::vector<JobRow> jobs = {job_on(1, 1), job_on(2, 3), job_on(3, 2), job_on(4, 5)};
    for (std::size_t bytes = 600; bytes < encode(jobs).size() + 100; ++bytes)
        expect_same(pages_of(jobs, bytes).jobs, jobs);
}
END_TEST

START_TEST(jobs_that_come_and_go_do_not_hide_others) {
    const auto jobs = many_jobs(2);
    const Pages pages = pages_of(jobs, highest_payload_bytes, [](std::vector<JobRow> &changing) {
        changing.erase(changing.begin(), changing.begin() + many / 10);
        changing.push_back(job_on(changing.back().job_id + 1, 1));
    });
    std::vector<std::uint32_t> ids;
    for (const JobRow &job : pages.jobs)
        if (job.job_id % 3 == 0 && job.job_id <= 3 * many)
            ids.push_back(job.job_id);
    ck_assert_uint_eq(ids.size(), many);
    for (std::uint32_t i = 0; i < many; ++i)
        ck_assert_uint_eq(ids[i], 3 * (i + 1));
}
END_TEST

START_TEST(a_job_that_lost_nodes_meanwhile_is_told_once) {
    const std::vector<JobRow> jobs = {job_on(1, 50000), job_on(2, 1)};
    const Pages pages = pages_of(jobs, highest_payload_bytes,
                                 [](std::vector<JobRow> &changing) { changing[0] = job_on(1, 2); });
    ck_assert_uint_eq(pages.jobs.size(), 2);
    ck_assert_uint_eq(pages.jobs[1].job_id, 2);
}
END_TEST

START_TEST(a_long_queue_is_told_in_its_order) {
    std::vector<WaitingRow> queue;
    for (std::uint32_t id = 1; id <= many; ++id)
        queue.push_back(waiting(id, many - id));
    std::vector<WaitingRow> told;
    for (std::optional<PageStart> from = PageStart(); from;) {
        const std::string page = encode_page(queue, *from);
        ck_assert_uint_le(page.size(), highest_payload_bytes);
        append(told, decode_queue(page));
        from = decode_next(page);
    }
    ck_assert_uint_eq(told.size(), many);
    for (std::uint32_t position = 0; position < many; ++position) {
        ck_assert_uint_eq(told[position].job_id, many - position);
        ck_assert(told[position].sizes == Sizes::from_to(1, 65536));
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("job_rows");
    tcase_add_test(tests, a_short_list_is_one_page);
    tcase_add_test(tests, ten_thousand_jobs_are_told);
    tcase_add_test(tests, jobs_on_very_many_nodes_are_told);
    tcase_add_test(tests, wherever_a_page_ends_nothing_is_lost);
    tcase_add_test(tests, jobs_that_come_and_go_do_not_hide_others);
    tcase_add_test(tests, a_job_that_lost_nodes_meanwhile_is_told_once);
    tcase_add_test(tests, a_long_queue_is_told_in_its_order);
    return run("job_rows", tests);
}
