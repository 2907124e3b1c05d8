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
constexpr RuntimeSettings node = {VMALL_COSCHEDULING_NONE, VMALL_NEXT_MESSAGES,
                                  VMALL_QUEUES_KERNEL};

struct List {
    const char *text;
    RuntimeSettings means; // on the node above
};

const std::vector<List> lists = {
    {"coscheduling=self", {VMALL_COSCHEDULING_SELF, VMALL_NEXT_MESSAGES, VMALL_QUEUES_KERNEL}},
    {"Next=ROUND-ROBIN", {VMALL_COSCHEDULING_NONE, VMALL_NEXT_ROUND_ROBIN, VMALL_QUEUES_KERNEL}},
    {"queues=detect", {VMALL_COSCHEDULING_NONE, VMALL_NEXT_MESSAGES, VMALL_QUEUES_DETECTED}},
    {"next=sender,queues=local,coscheduling=self",
     {VMALL_COSCHEDULING_SELF, VMALL_NEXT_SENDER, VMALL_QUEUES_LOCAL}},
};

START_TEST(a_list_takes_the_place_of_the_nodes_settings) {
    const List &row = lists[static_cast<std::size_t>(_i)];
    const RuntimeSettings merged = merge(node, parse_runtime_request(row.text));
    ck_assert_int_eq(merged.coscheduling, row.means.coscheduling);
    ck_assert_int_eq(merged.next_rank, row.means.next_rank);
    ck_assert_int_eq(merged.run_queues, row.means.run_queues);
}
END_TEST

constexpr const char *texts[] = {
    "coscheduling=none", "next=messages",
    "queues=detect",     "queues=kernel",
    "signal=winch",      "coscheduling=none,next=round-robin,queues=local,signal=usr1",
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
    ck_assert(parse_runtime_request("next=sender,QUEUES=Local") ==
              parse_runtime_request("queues=local,next=SENDER"));
    ck_assert(!(parse_runtime_request("next=sender") == parse_runtime_request("next=messages")));
}
END_TEST

struct Bad {
    std::string text;
    const char *reason;
};

const std::vector<Bad> bad = {
    {"", "\"\" is not one of coscheduling=, next=, queues=, signal= with a value"},
    {",", "\"\" is not one of coscheduling="},
    {"queues=local,", "\"\" is not one of coscheduling="},
    {"queues", "\"queues\" is not one of coscheduling="},
    {"waiting=spin", "\"waiting=spin\" is not one of coscheduling="},
    {" queues=local", "\" queues=local\" is not one of coscheduling="},
    {"queues=", "queues: \"\" is not one of local, kernel, detect"},
    {"queues=locally", "queues: \"locally\" is not one of local, kernel, detect"},
    {"next=random", "next: \"random\" is not one of round-robin, messages, sender"},
    {"next=sender,NEXT=sender", "next: is given twice"},
    {"queues=local,queues=kernel", "queues: is given twice"},
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
