// SPDX-License-Identifier: GPL-2.0-or-later
//
// Targets to agents and their answers, some of which are missing or wrong. Root: agents are.
#include "plugins/sched_fjt/resize/messenger.hpp"

#include "post.hpp"
#include "run.hpp"
#include "wire/agents.hpp"
#include "wire/munged.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace vmall;
using namespace vmall::sched;
using namespace std::chrono_literals;

namespace {

std::atomic<int> threads_allowed{1000};

} // namespace

// Instead of glibc's, for std::thread.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*start)(void *), void *argument) noexcept {
    static const auto next =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return threads_allowed-- > 0 ? next(thread, attributes, start, argument) : EAGAIN;
}

namespace {

void send(Post &post, JobNumber job, int port, int nodes, std::chrono::milliseconds timeout) {
    std::vector<NodeMessage> messages;
    for (int i = 0; i < nodes; ++i) {
        wire::Target target;
        target.node = "n" + std::to_string(i);
        target.job_id = job;
        target.cores = {0, 1};
        target.generation = 7;
        messages.push_back({"127.0.0.1", port, target});
    }
    post.send(std::move(messages), timeout);
}

std::vector<NodeReply> replies_from(const std::string &munge_socket, int port, int nodes,
                                    std::chrono::milliseconds timeout = 1h) {
    Post post(munge_socket);
    send(post, 42, port, nodes, timeout);
    const std::vector<Confirmation> confirmations = post.wait();
    ck_assert_uint_eq(confirmations.size(), 1);
    ck_assert_uint_eq(confirmations[0].job, 42);
    ck_assert_uint_eq(confirmations[0].generation, 7);
    ck_assert_uint_eq(confirmations[0].replies.size(), static_cast<std::size_t>(nodes));
    return confirmations[0].replies;
}

START_TEST(all_nodes_confirm) {
    const Munged munged;
    const Agents agents(munged.socket());
    for (const NodeReply &reply : replies_from(munged.socket(), agents.port(), 600)) {
        ck_assert_msg(reply.answered, "%s: %s", reply.node.c_str(), reply.reason.c_str());
        ck_assert(reply.outcome == wire::Outcome::applied);
        ck_assert_uint_eq(reply.generation, 7);
    }
}
END_TEST

START_TEST(nodes_that_do_not_answer_hold_up_nobody_else) {
    const Munged munged;
    const Agents agents(munged.socket());
    const wire::Listener silent(0);
    Post post(munged.socket());
    send(post, 1, silent.port(), 100, 1h);
    send(post, 2, agents.port(), 10, 1h);
    const std::vector<Confirmation> confirmations = post.wait();
    ck_assert_uint_eq(confirmations.size(), 1);
    ck_assert_uint_eq(confirmations[0].job, 2);
}
END_TEST

START_TEST(node_that_does_not_answer_is_named) {
    const Munged munged;
    const wire::Listener silent(0);
    const NodeReply reply = replies_from(munged.socket(), silent.port(), 1, 1s)[0];
    ck_assert(!reply.answered);
    ck_assert_text(reply.node, "n0");
    ck_assert_text(reply.reason, "peer is too slow");
}
END_TEST

START_TEST(node_that_refuses_connections_has_not_answered) {
    const Munged munged;
    const int port = wire::Listener(0).port(); // free again
    const NodeReply reply = replies_from(munged.socket(), port, 1)[0];
    ck_assert(!reply.answered);
    ck_assert_contains(reply.reason, "Connection refused");
}
END_TEST

struct WrongAnswer {
    const char *name;
    std::string (*respond)(const std::string &munge_socket, const wire::Target &target);
    const char *reason;
};

std::string sealed(const std::string &munge_socket, const wire::Answer &answer) {
    return wire::Seal(munge_socket).seal(wire::encode(answer), getuid());
}

const WrongAnswer wrong_answers[] = {
    {"of another node",
     [](const std::string &munge_socket, const wire::Target &target) {
         wire::Answer answer = applied(target);
         answer.node = "elsewhere";
         return sealed(munge_socket, answer);
     },
     "the answer is for another node or job"},
    {"of another job",
     [](const std::string &munge_socket, const wire::Target &target) {
         wire::Answer answer = applied(target);
         ++answer.job_id;
         return sealed(munge_socket, answer);
     },
     "the answer is for another node or job"},
    {"of another user",
     [](const std::string &munge_socket, const wire::Target &target) {
         return as_another_user(
             [&] { return wire::Seal(munge_socket).seal(wire::encode(applied(target)), 0); });
     },
     "the answer was sealed by uid 65534"},
    {"for another user",
     [](const std::string &munge_socket, const wire::Target &target) {
         return wire::Seal(munge_socket).seal(wire::encode(applied(target)), another_uid);
     },
     "munge: cannot open"},
    {"without a seal",
     [](const std::string &, const wire::Target &target) { return wire::encode(applied(target)); },
     "munge: cannot open"},
    {"of no sense",
     [](const std::string &munge_socket, const wire::Target &) {
         return wire::Seal(munge_socket).seal("{}", getuid());
     },
     "message has no \"answer\""},
};

START_TEST(wrong_answer_counts_as_none) {
    const WrongAnswer &wrong = wrong_answers[_i];
    const Munged munged;
    const Agents agents(munged.socket(), 0, [&](const wire::Target &target) {
        return wrong.respond(munged.socket(), target);
    });
    const NodeReply reply = replies_from(munged.socket(), agents.port(), 1)[0];
    ck_assert_msg(!reply.answered, "answer %s was accepted", wrong.name);
    ck_assert_contains(reply.reason, wrong.reason);
}
END_TEST

START_TEST(replayed_answer_counts_as_none) {
    const Munged munged;
    std::string first;
    const Agents agents(munged.socket(), 0, [&](const wire::Target &target) {
        if (first.empty())
            first = sealed(munged.socket(), applied(target));
        return first;
    });
    ck_assert(replies_from(munged.socket(), agents.port(), 1)[0].answered);
    const NodeReply reply = replies_from(munged.socket(), agents.port(), 1)[0];
    ck_assert(!reply.answered);
    ck_assert_contains(reply.reason, "munge: cannot open");
}
END_TEST

START_TEST(rolls_of_all_nodes_come_and_who_does_not_answer_is_named) {
    const Munged munged;
    const Agents agents(munged.socket());
    const int nobody = wire::Listener(0).port(); // free again
    Post post(munged.socket());
    post.call_roll({{"n1", "127.0.0.1", agents.port()}, {"n2", "127.0.0.1", nobody}});
    for (const RollReply &reply : post.wait_rolls(2)) {
        ck_assert_msg(reply.roll.has_value() == (reply.node == "n1"), "%s: %s", reply.node.c_str(),
                      reply.reason.c_str());
        ck_assert(reply.roll || reply.reason.find("Connection refused") != std::string::npos);
        ck_assert(reply.nobody_listens == !reply.roll);
    }
}
END_TEST

START_TEST(where_a_call_fails_otherwise_somebody_may_listen) {
    Post post("/nonexistent");
    post.call_roll({{"n1", "127.0.0.1", wire::Listener(0).port()}});
    const RollReply reply = post.wait_rolls(1)[0];
    ck_assert(!reply.roll && !reply.nobody_listens);
}
END_TEST

START_TEST(without_munge_nobody_answers) {
    const Munged munged;
    const Agents agents(munged.socket());
    const NodeReply reply = replies_from("/nonexistent", agents.port(), 1)[0];
    ck_assert(!reply.answered);
    ck_assert_contains(reply.reason, "munge: cannot seal");
}
END_TEST

START_TEST(threads_that_have_started_end_where_another_cannot_start) {
    for (int allowed = 0; allowed < 4; ++allowed) {
        threads_allowed = allowed;
        ck_assert_contains(refusal<std::system_error>([] { Post("/nonexistent"); }),
                           "Resource temporarily unavailable");
    }
}
END_TEST

} // namespace

int main() {
    if (geteuid() != 0)
        return 77; // skipped
    TCase *tests = tcase_create("messenger");
    tcase_add_test(tests, all_nodes_confirm);
    tcase_add_test(tests, nodes_that_do_not_answer_hold_up_nobody_else);
    tcase_add_test(tests, node_that_does_not_answer_is_named);
    tcase_add_test(tests, node_that_refuses_connections_has_not_answered);
    tcase_add_loop_test(tests, wrong_answer_counts_as_none, 0, std::size(wrong_answers));
    tcase_add_test(tests, replayed_answer_counts_as_none);
    tcase_add_test(tests, rolls_of_all_nodes_come_and_who_does_not_answer_is_named);
    tcase_add_test(tests, where_a_call_fails_otherwise_somebody_may_listen);
    tcase_add_test(tests, without_munge_nobody_answers);
    tcase_add_test(tests, threads_that_have_started_end_where_another_cannot_start);
    return run("messenger", tests);
}
