// SPDX-License-Identifier: GPL-2.0-or-later
//
// --vm-runtime: what lists mean, how they change a node's settings, and what is refused.
#include "config/runtime_settings.hpp"
#include "run.hpp"

#include <iterator>
#include <stdexcept>
#include <vector>

using namespace vmall::config;

namespace {

// Other than the defaults in every field.
constexpr RuntimeSettings node = {VMALL_COSCHEDULING_NONE, VMALL_WAITING_SPIN, 7,
                                  VMALL_NEXT_MESSAGES, VMALL_QUEUES_KERNEL};

struct List {
    const char *text;
    RuntimeSettings means; // on the node above
};

const std::vector<List> lists = {
    {"coscheduling=self",
     {VMALL_COSCHEDULING_SELF, VMALL_WAITING_SPIN, 7, VMALL_NEXT_MESSAGES, VMALL_QUEUES_KERNEL}},
    {"Waiting=BLOCK",
     {VMALL_COSCHEDULING_NONE, VMALL_WAITING_BLOCK, 7, VMALL_NEXT_MESSAGES, VMALL_QUEUES_KERNEL}},
    {"waiting=spin",
     {VMALL_COSCHEDULING_NONE, VMALL_WAITING_SPIN, 7, VMALL_NEXT_MESSAGES, VMALL_QUEUES_KERNEL}},
    {"waiting=spin:1000000",
     {VMALL_COSCHEDULING_NONE, VMALL_WAITING_SPIN, 1000000, VMALL_NEXT_MESSAGES,
      VMALL_QUEUES_KERNEL}},
    {"next=round-robin",
     {VMALL_COSCHEDULING_NONE, VMALL_WAITING_SPIN, 7, VMALL_NEXT_ROUND_ROBIN, VMALL_QUEUES_KERNEL}},
    {"queues=detect",
     {VMALL_COSCHEDULING_NONE, VMALL_WAITING_SPIN, 7, VMALL_NEXT_MESSAGES, VMALL_QUEUES_DETECTED}},
    {"waiting=spin:50,next=sender,queues=global,coscheduling=self",
     {VMALL_COSCHEDULING_SELF, VMALL_WAITING_SPIN, 50, VMALL_NEXT_SENDER, VMALL_QUEUES_GLOBAL}},
};

START_TEST(a_list_takes_the_place_of_the_nodes_settings) {
    const List &row = lists[static_cast<std::size_t>(_i)];
    const RuntimeSettings merged = merge(node, parse_runtime_request(row.text));
    ck_assert_int_eq(merged.coscheduling, row.means.coscheduling);
    ck_assert_int_eq(merged.waiting, row.means.waiting);
    ck_assert_uint_eq(merged.spin_us, row.means.spin_us);
    ck_assert_int_eq(merged.next_rank, row.means.next_rank);
    ck_assert_int_eq(merged.run_queues, row.means.run_queues);
}
END_TEST

constexpr const char *texts[] = {
    "coscheduling=none",
    "waiting=block",
    "waiting=spin",
    "waiting=spin:1000000",
    "next=messages",
    "queues=detect",
    "queues=kernel",
    "signal=winch",
    "coscheduling=none,waiting=spin:50,next=round-robin,queues=global,signal=usr1",
};

START_TEST(what_was_asked_is_the_same_in_words) {
    ck_assert_text(in_words(parse_runtime_request(texts[_i])), texts[_i]);
    ck_assert(!(parse_runtime_request(texts[_i]) == RuntimeRequest{}));
}
END_TEST

START_TEST(nothing_asked_is_no_words) {
    ck_assert_text(in_words(RuntimeRequest{}), "");
}
END_TEST

START_TEST(any_case_asks_the_same) {
    ck_assert(parse_runtime_request("next=sender,WAITING=Spin") ==
              parse_runtime_request("waiting=spin,next=SENDER"));
    ck_assert(!(parse_runtime_request("waiting=spin") == parse_runtime_request("waiting=spin:50")));
}
END_TEST

struct Bad {
    std::string text;
    const char *reason;
};

const std::vector<Bad> bad = {
    {"", "\"\" is not one of coscheduling=, waiting=, next=, queues=, signal= with a value"},
    {",", "\"\" is not one of coscheduling="},
    {"waiting=spin,", "\"\" is not one of coscheduling="},
    {"waiting", "\"waiting\" is not one of coscheduling="},
    {"wait=spin", "\"wait=spin\" is not one of coscheduling="},
    {" waiting=spin", "\" waiting=spin\" is not one of coscheduling="},
    {"waiting=", "waiting: \"\" is not one of block, spin"},
    {"waiting=spinning", "waiting: \"spinning\" is not one of block, spin"},
    {"waiting=spin:", "waiting: \"\" is not a whole number of microseconds from 1 to 1000000"},
    {"waiting=spin:0", "waiting: \"0\" is not a whole number"},
    {"waiting=spin:1000001", "waiting: \"1000001\" is not a whole number"},
    {"waiting=spin:5us", "waiting: \"5us\" is not a whole number"},
    {"waiting=spin:1:2", "waiting: \"1:2\" is not a whole number"},
    {"waiting=block:5", "waiting: only spin has a time, as in spin:50"},
    {"waiting=spin,waiting=spin", "waiting: is given twice"},
    {"next=random", "next: \"random\" is not one of round-robin, messages, sender, affinity"},
    {"next=sender,NEXT=sender", "next: is given twice"},
    {"queues=lbd", "queues: \"lbd\" is not one of local, global, kernel, detect"},
    {"queues=local,queues=global", "queues: is given twice"},
    {"signal=", "signal: \"\" is not one of usr1, usr2, hup, cont, urg, winch"},
    {"signal=kill", "signal: \"kill\" is not one of usr1"},
    {"signal=usr1,signal=usr2", "signal: is given twice"},
    {"coscheduling=gang", "coscheduling: \"gang\" is not one of self, none"},
    {"coscheduling=self,coscheduling=self", "coscheduling: is given twice"},
    {"next=\033[31m", "next: \"?[31m\" is not one of"},
    {std::string("next=sender\0", 12), "next: \"sender?\" is not one of"},
    {std::string(257, 'x'), "the list is longer than 256 characters"},
};

START_TEST(a_bad_list_is_refused_with_a_reason) {
    const Bad &row = bad[static_cast<std::size_t>(_i)];
    const std::string said = refusal<std::runtime_error>([&] { parse_runtime_request(row.text); });
    ck_assert_contains(said, row.reason);
    ck_assert_int_lt(static_cast<int>(said.size()), 300);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("runtime settings");
    tcase_add_loop_test(tests, a_list_takes_the_place_of_the_nodes_settings, 0,
                        static_cast<int>(lists.size()));
    tcase_add_loop_test(tests, what_was_asked_is_the_same_in_words, 0,
                        static_cast<int>(std::size(texts)));
    tcase_add_test(tests, nothing_asked_is_no_words);
    tcase_add_test(tests, any_case_asks_the_same);
    tcase_add_loop_test(tests, a_bad_list_is_refused_with_a_reason, 0,
                        static_cast<int>(bad.size()));
    return run("runtime settings", tests);
}
