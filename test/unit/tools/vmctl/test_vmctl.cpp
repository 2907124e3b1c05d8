// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl: addresses, tables, and whom it believes.
#include "layout/runtime_page.h"
#include "wire/expect.hpp"
#include "wire/munged.hpp"
#include "wire/waiting_listener.hpp"

#include "tools/vmctl/address.hpp"
#include "tools/vmctl/ask.hpp"
#include "tools/vmctl/table.hpp"
#include "wire/query_server.hpp"

#include <iterator>
#include <stdexcept>
#include <thread>
#include <unistd.h>

using namespace vmall::wire;
using namespace vmall::vmctl;
using namespace std::chrono_literals;

namespace {

// Of all tests. Every test is a process of its own, which must not stop it at its exit.
Munged *munged;

void start_munged() {
    munged = new Munged();
}
void stop_munged() {
    delete munged;
}

struct AddressCase {
    const char *text;
    const char *host; // nullptr: refused
    int port;         // 0: none
    const char *error;
};

constexpr AddressCase addresses[] = {
    {"head", "head", 0, nullptr},
    {"head:7851", "head", 7851, nullptr},
    {"10.0.0.1:1", "10.0.0.1", 1, nullptr},
    {"head:65535", "head", 65535, nullptr},
    {"2001:db8::1", "2001:db8::1", 0, nullptr},
    {"[2001:db8::1]", "2001:db8::1", 0, nullptr},
    {"[2001:db8::1]:7851", "2001:db8::1", 7851, nullptr},
    {"", nullptr, 0, "names no host"},
    {":7851", nullptr, 0, "names no host"},
    {"[]:7851", nullptr, 0, "names no host"},
    {"head:", nullptr, 0, "not a port"},
    {"head:0", nullptr, 0, "not a port"},
    {"head:65536", nullptr, 0, "not a port"},
    {"head:-1", nullptr, 0, "not a port"},
    {"head:80x", nullptr, 0, "not a port"},
    {"[::1", nullptr, 0, "has no \"]\""},
    {"[::1]x:80", nullptr, 0, "after \"]\""},
    {"[::1]x", nullptr, 0, "after \"]\""},
};

START_TEST(address_is_parsed) {
    const AddressCase &row = addresses[_i];
    if (!row.host) {
        expect_part(error_of<std::invalid_argument>([&] { parse_address(row.text); }), row.error,
                    row.text);
        return;
    }
    const Address address = parse_address(row.text);
    expect_equal(address.host, row.host);
    ck_assert_int_eq(address.port.value_or(0), row.port);
}
END_TEST

std::vector<JobRow> two_jobs() {
    JobRow folded;
    folded.job_id = 42;
    folded.user_id = 0;
    folded.name = "cg\x1b[31m\xc3\xa4";
    folded.job_class = vmall::common::JobClass::long_job;
    folded.processes = 40;
    folded.nodes = {{"n1", 4}, {"n2", 4}, {"n3", 2}};
    folded.full_cores = 40;
    folded.mpl = 4;
    folded.backfilled = true;
    folded.window_end = 1700000000;
    folded.generation_wanted = 3;
    folded.generation_applied = 2;
    folded.resize_pending = true;
    folded.core_seconds = 123456;
    folded.lost_seconds = 600;
    folded.folds = 1;
    folded.unfolds = 0;
    folded.useful_percent = 75;
    folded.ranks = RankReport{40, 38, 3000, 1000, 0, 0, VMALL_ENGINE_UCX | VMALL_ENGINE_GENERIC};
    JobRow plain;
    plain.job_id = 7;
    plain.user_id = 4294967293;
    plain.name = "a-name-that-is-longer-than-the-column";
    plain.processes = plain.full_cores = 1;
    plain.nodes = {{"n4", 1}};
    return {folded, plain};
}

START_TEST(queue_and_config_are_tables) {
    setenv("TZ", "UTC", 1);
    std::vector<WaitingRow> queue = {
        {9, 0, "a\x1b", vmall::common::JobClass::long_job, "batch", {1, 4, 5, 6}, "waits"},
        {10, 0, "b", vmall::common::JobClass::short_job, "debug", {2, 3}, "waits for 2 cores"}};
    queue[1].expected_start = 1700000000;
    expect_equal(queue_table(queue, true),
                 "JOBID NAME USER CLASS PARTITION SIZES START               REASON\n"
                 "    9 a?   root long  batch     1,4-6 N/A                 waits\n"
                 "   10 b    root short debug     2-3   2023-11-14T22:13:20 waits for 2 cores\n");
    expect_equal(queue_table({}, false), "");
    expect_equal(config_table({{"MaxMpl", "2", "vmctl"}, {"MungeSocket", "", "default"}}, true),
                 "KEY         VALUE  FROM\n"
                 "MaxMpl      2      vmctl\n"
                 "MungeSocket (none) default\n");
}
END_TEST

START_TEST(jobs_are_a_table) {
    setenv("TZ", "UTC", 1);
    const std::string titles =
        "JOBID NAME                 USER       CLASS PROCS CORES FULL MPL CORE_SECONDS BACKFILLED "
        "WINDOW_END"
        "          FOLDS UNFOLDS GENERATION RESIZE  ATTACHED ENGINE      USEFUL LOST NODES:CORES\n";
    const std::string rows =
        "   42 cg?[31m?             root       long     40    10   40   4       123456 yes        "
        "2023-11-14T22:13:20     1       0          2 pending    38/40 ucx,generic    75%  600 "
        "n[1-2]:4,n3:2\n"
        "    7 a-name-that-is-longe 4294967293 N/A       1     1    1   1          N/A no         "
        "N/A                   N/A     N/A          0 done         N/A N/A            N/A  N/A "
        "n4:1\n";
    expect_equal(jobs_table(two_jobs(), true), titles + rows);
    std::vector<JobRow> changing = two_jobs();
    for (const auto &[last, shown] : {std::pair(80, " 75% "), std::pair(81, " 75->81% ")}) {
        changing[0].useful_last_percent = last;
        expect_part(jobs_table(changing, true), shown, "the last interval");
    }
    expect_equal(jobs_table({}, true),
                 "JOBID NAME USER CLASS PROCS CORES FULL MPL CORE_SECONDS "
                 "BACKFILLED WINDOW_END FOLDS UNFOLDS "
                 "GENERATION RESIZE ATTACHED ENGINE USEFUL LOST NODES:CORES\n");
    expect_equal(jobs_table({}, false), "");
    const std::string without = jobs_table(two_jobs(), false);
    ck_assert_msg(without.find("JOBID") == std::string::npos, "there are titles");
    expect_part(without, "n[1-2]:4,n3:2\n", "rows");
}
END_TEST

START_TEST(stats_are_a_table) {
    const std::vector<Stat> stats = {{"passes", 1234567, "Scheduling passes."},
                                     {"folds", 3, "Jobs folded."}};
    expect_equal(stats_table(stats, true), "NAME     VALUE MEANING\n"
                                           "passes 1234567 Scheduling passes.\n"
                                           "folds        3 Jobs folded.\n");
    expect_equal(stats_table({}, false), "");
}
END_TEST

std::string no_jobs(const Query &, uid_t) {
    return encode(std::vector<JobRow>{});
}
void no_report(const std::string &) {}

START_TEST(first_host_that_listens_is_asked) {
    const QueryServer server(0, munged->socket(), no_jobs, no_report, no_report);
    const std::string unknown(70, 'h'); // longer than a label can be: no name server is asked
    const Controller controller = {
        {unknown, "127.0.0.1"}, server.port(), getuid(), munged->socket()};
    ck_assert(decode_jobs(ask(controller, {Ask::jobs}, limit).payload).empty());
}
END_TEST

START_TEST(long_lists_are_asked_for_page_by_page) {
    std::vector<JobRow> jobs;
    for (std::uint32_t id = 1; id <= 10000; ++id) {
        jobs.push_back(two_jobs()[0]);
        jobs.back().job_id = id;
    }
    const QueryServer server(
        0, munged->socket(),
        [&](const Query &query, uid_t) { return encode_page(jobs, query.from); }, no_report,
        no_report);
    const Controller controller = {{"127.0.0.1"}, server.port(), getuid(), munged->socket()};
    std::vector<JobRow> told;
    for (const std::string &page : ask_for_pages(controller, Ask::jobs, limit))
        append(told, decode_jobs(page));
    ck_assert_uint_eq(told.size(), jobs.size());
    ck_assert_uint_eq(told.back().job_id, 10000);
}
END_TEST

START_TEST(pages_that_do_not_come_to_an_end_are_given_up) {
    const QueryServer server(
        0, munged->socket(),
        [](const Query &, uid_t) { return "{\"jobs\":[],\"next\":{\"job_id\":7,\"node\":0}}"; },
        no_report, no_report);
    const Controller controller = {{"127.0.0.1"}, server.port(), getuid(), munged->socket()};
    const auto ask = [&] { ask_for_pages(controller, Ask::jobs, limit); };
    expect_part(error_of<ChannelError>(ask), "does not come to an end", "error");
}
END_TEST

START_TEST(every_host_that_does_not_listen_is_named) {
    const int port = Listener(0).port(); // free again
    const std::string unknown(70, 'h');
    const Controller controller = {{unknown, "127.0.0.1"}, port, getuid(), munged->socket()};
    const std::string error = error_of<ChannelError>([&] { ask(controller, {Ask::jobs}, limit); });
    expect_part(error, unknown, "error");
    expect_part(error, "127.0.0.1", "error");
}
END_TEST

START_TEST(only_the_controller_can_read_the_question) {
    // Somebody else listens on the controller's port: with a credential of ours it could pass for
    // us.
    const QueryServer server(0, munged->socket(), no_jobs, no_report, no_report);
    const Controller controller = {{"127.0.0.1"}, server.port(), getuid() + 1, munged->socket()};
    expect_part(error_of<ChannelError>([&] { ask(controller, {Ask::jobs}, limit); }), "hung up",
                "error");
}
END_TEST

START_TEST(answer_of_somebody_else_is_not_believed) {
    const std::string forged = as_another_user(
        [] { return Seal(munged->socket()).seal(encode(std::vector<JobRow>{}), 0); });
    WaitingListener listener(0);
    std::thread impostor([&] {
        Connection connection(listener.accept(), Connection::Clock::now() + limit);
        connection.receive();
        connection.send(forged);
    });
    const Controller controller = {{"127.0.0.1"}, listener.port(), getuid(), munged->socket()};
    expect_part(error_of<ChannelError>([&] { ask(controller, {Ask::jobs}, limit); }),
                "not from SlurmUser", "error");
    impostor.join();
}
END_TEST

START_TEST(controller_that_hangs_is_given_up) {
    const Listener deaf(0); // the kernel accepts, nobody answers
    const Controller controller = {{"127.0.0.1"}, deaf.port(), getuid(), munged->socket()};
    expect_part(error_of<ChannelError>([&] { ask(controller, {Ask::jobs}, 200ms); }),
                "127.0.0.1 port " + std::to_string(deaf.port()) + ": peer is too slow", "error");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("vmctl");
    TCase *tests = tcase_create("vmctl");
    tcase_add_unchecked_fixture(tests, start_munged, stop_munged);
    tcase_add_loop_test(tests, address_is_parsed, 0, std::size(addresses));
    tcase_add_test(tests, jobs_are_a_table);
    tcase_add_test(tests, queue_and_config_are_tables);
    tcase_add_test(tests, stats_are_a_table);
    tcase_add_test(tests, first_host_that_listens_is_asked);
    tcase_add_test(tests, long_lists_are_asked_for_page_by_page);
    tcase_add_test(tests, pages_that_do_not_come_to_an_end_are_given_up);
    tcase_add_test(tests, every_host_that_does_not_listen_is_named);
    tcase_add_test(tests, only_the_controller_can_read_the_question);
    tcase_add_test(tests, controller_that_hangs_is_given_up);
    if (geteuid() == 0) // becoming another user needs root
        tcase_add_test(tests, answer_of_somebody_else_is_not_believed);
    suite_add_tcase(suite, tests);
    return run({suite});
}
