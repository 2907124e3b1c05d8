// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's port with a real munged: whom it listens to, and what it must survive.
#include "agent_node.hpp"
#include "spank_vm/agent/controller_service.hpp"
#include "wire/installation.hpp"
#include "wire/listener.hpp"

#include "../wire/munged.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <thread>

using namespace vmall;
using namespace std::chrono_literals;
using vmall::test::limit;
using wire::Connection;

namespace {

// What the agent logs at each level.
std::mutex log_mutex;
std::string log_text;

void log(const char *level, const char *format, va_list arguments) {
    char line[512];
    std::vsnprintf(line, sizeof line, format, arguments);
    const std::lock_guard<std::mutex> lock(log_mutex);
    log_text += std::string(level) + ": " + line + "\n";
}

std::string logged() {
    const std::lock_guard<std::mutex> lock(log_mutex);
    return log_text;
}

} // namespace

// Instead of libslurm's.
#define LOG_FUNCTION(level)                                                                        \
    extern "C" void slurm_##level(const char *format, ...) {                                       \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        log(#level, format, arguments);                                                            \
        va_end(arguments);                                                                         \
    }
LOG_FUNCTION(error)
LOG_FUNCTION(info)
LOG_FUNCTION(verbose)

namespace {
std::atomic<bool> no_threads_left;
}

// Instead of the C library's.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*begin)(void *), void *argument) {
    static const auto original =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return no_threads_left ? EAGAIN : original(thread, attributes, begin, argument);
}

namespace {

// Of all tests. Every test is a process of its own, which must not stop it at its exit.
Munged *munged;

void start_munged() {
    munged = new Munged();
}
void stop_munged() {
    delete munged;
}

int free_port() {
    return wire::Listener(0).port();
}

class Service {
  public:
    explicit Service(std::chrono::milliseconds patience = limit,
                     const agent::ControllerService::AnswerWish &answer_wish = {})
        : service_(settings(patience), node_.jobs(), rechecks_, price_, answer_wish) {
        while (logged().find("listens on port") == std::string::npos)
            std::this_thread::sleep_for(5ms);
    }
    Connection connect() const {
        return Connection::connect("127.0.0.1", port_, Connection::Clock::now() + limit);
    }
    static std::string sealed(const std::string &payload) {
        return wire::Seal(munged->socket()).seal(payload, 0);
    }
    // What somebody gets who sends that; empty if the agent hangs up.
    std::string answer_to(const std::string &sealed) const {
        Connection connection = connect();
        connection.send(sealed);
        try {
            return connection.receive();
        } catch (const wire::ChannelError &error) {
            ck_assert_contains(std::string(error.what()), "hung up");
            return "";
        }
    }
    // Whether a target is answered, as ever.
    void expect_that_it_serves() const {
        const wire::Answer answer = wire::decode_answer(
            wire::Seal(munged->socket())
                .open(answer_to(sealed(wire::encode(agent::target(++generation_, {0})))))
                .payload);
        agent::expect(answer, wire::Outcome::unknown_job, 0);
    }

  private:
    agent::Settings settings(std::chrono::milliseconds patience) const {
        agent::Settings settings;
        settings.config.munge_socket = munged->socket();
        settings.config.agent_timeout_ms = static_cast<int>(patience.count());
        settings.node_name = "n1";
        settings.slurm_user = slurm_user;
        settings.agent_port = port_;
        return settings;
    }
    static constexpr uid_t slurm_user = 4321;
    const int port_ = free_port();
    mutable wire::Generation generation_ = 0;
    agent::TestNode node_;
    agent::Rechecks rechecks_{[this](std::uint32_t job_id) { node_.jobs().recheck(job_id); }};
    TemporaryDirectory directory_;
    agent::HandOverPrice price_{directory_.path(), "boot", [] { return 1700; }};
    agent::ControllerService service_;
};

START_TEST(a_target_is_answered) {
    const Service service;
    service.expect_that_it_serves();
}
END_TEST

START_TEST(what_a_hand_over_takes_is_told_to_who_asks) {
    const Service service;
    while (logged().find("a hand-over takes 1.7 us") == std::string::npos)
        std::this_thread::sleep_for(5ms);
    const wire::Seal seal(munged->socket());
    const auto told = [&](const std::string &question) {
        return seal.open(service.answer_to(Service::sealed(question))).payload;
    };
    const std::string query = wire::encode(wire::Query{wire::Ask::installation});
    ck_assert_uint_eq(wire::decode_installation(told(query)).node->hand_over.value().ns, 1700);
    const std::string target = wire::encode(agent::target(1, {0}));
    ck_assert_uint_eq(wire::decode_answer(told(target)).hand_over_ns, 1700);
}
END_TEST

// The words tell that nothing of it was parsed.
START_TEST(of_a_stranger_nothing_long_is_parsed) {
    const Service service;
    const std::string sealed = as_another_user(
        [] { return Service::sealed(std::string(wire::highest_query_bytes + 1, '[')); });
    ck_assert_text(service.answer_to(sealed), "");
    service.expect_that_it_serves();
    ck_assert_contains(logged(), "takes no target from user 65534");
}
END_TEST

START_TEST(a_strangers_target_is_not_taken) {
    const Service service;
    const std::string sealed =
        as_another_user([] { return Service::sealed(wire::encode(agent::target(1, {0}))); });
    ck_assert_text(service.answer_to(sealed), "");
    service.expect_that_it_serves();
    ck_assert_contains(logged(), "takes no target from user 65534");
}
END_TEST

wire::Agreed twice_as_deep(const wire::Wish &wish) {
    return {wish.job_id, 2 * wish.mpl};
}

START_TEST(who_deals_cores_answers_other_agents) {
    const Service service(limit, twice_as_deep);
    const std::string sealed = Service::sealed(wire::encode(wire::Wish{7, "n2", 3}));
    const wire::Agreed agreed =
        wire::decode_agreed(wire::Seal(munged->socket()).open(service.answer_to(sealed)).payload);
    ck_assert_uint_eq(agreed.job_id, 7);
    ck_assert_uint_eq(agreed.mpl, 6);
    const std::string strangers = as_another_user([] {
        return Service::sealed(wire::encode(wire::Wish{7, "n2", 3}));
    });
    ck_assert_text(service.answer_to(strangers), "");
}
END_TEST

START_TEST(who_deals_cores_takes_no_target) {
    const Service service(limit, twice_as_deep);
    const std::string target = wire::encode(agent::target(1, {0}));
    ck_assert_text(service.answer_to(Service::sealed(target)), "");
    ck_assert_contains(logged(), "takes no target from a controller");
}
END_TEST

START_TEST(a_stranger_is_told_how_it_is_installed) {
    const Service service;
    const std::string sealed = as_another_user(
        [] { return Service::sealed(wire::encode(wire::Query{wire::Ask::installation})); });
    const std::string answer = service.answer_to(sealed);
    const std::string payload =
        as_another_user([&] { return wire::Seal(munged->socket()).open(answer).payload; });
    ck_assert_text(wire::decode_installation(payload).node.value().name, "n1");
}
END_TEST

START_TEST(what_strangers_send_does_not_fill_the_log) {
    const Service service;
    for (int i = 0; i < 50; ++i)
        ck_assert_text(service.answer_to("no credential"), "");
    service.expect_that_it_serves();
    const std::string log = logged();
    int lines = 0;
    for (std::size_t at = 0; (at = log.find("gives up", at)) != std::string::npos; ++at)
        ++lines;
    ck_assert_int_eq(lines, common::LogLimit::lines_in_a_minute);
}
END_TEST

// Munge is what takes so long here. An agent that had no time to hear the question in time is asked
// again.
START_TEST(an_answer_that_took_long_is_given_and_nobody_is_blamed) {
    static constexpr auto patience = 500ms;
    const Service service(patience);
    const std::string question = Service::sealed(wire::encode(agent::target(1, {0})));
    std::string answer;
    do {
        kill(munged->pid(), SIGSTOP);
        std::thread busy([] {
            std::this_thread::sleep_for(2 * patience);
            kill(munged->pid(), SIGCONT);
        });
        answer = service.answer_to(question);
        busy.join();
    } while (answer.empty() && logged().find("gives up") == std::string::npos);
    ck_assert_contains(logged(), "only after AgentTimeout");
    ck_assert_contains(wire::Seal(munged->socket()).open(answer).payload, "n1");
}
END_TEST

// A fork bomb may have taken them.
START_TEST(without_threads_it_serves_all_the_same) {
    const Service service;
    no_threads_left = true;
    service.expect_that_it_serves();
    service.expect_that_it_serves();
    no_threads_left = false;
    service.expect_that_it_serves();
}
END_TEST

START_TEST(any_number_of_silent_peers_keeps_it_from_nothing) {
    const Service service;
    std::vector<Connection> silent;
    for (int i = 0; i < 300; ++i)
        silent.push_back(service.connect());
    service.expect_that_it_serves();
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (!agent::can_be_tested())
        return skipped;
    TCase *tests = tcase_create("controller service");
    tcase_add_unchecked_fixture(tests, start_munged, stop_munged);
    tcase_add_test(tests, a_target_is_answered);
    tcase_add_test(tests, what_a_hand_over_takes_is_told_to_who_asks);
    tcase_add_test(tests, of_a_stranger_nothing_long_is_parsed);
    tcase_add_test(tests, a_strangers_target_is_not_taken);
    tcase_add_test(tests, who_deals_cores_answers_other_agents);
    tcase_add_test(tests, who_deals_cores_takes_no_target);
    tcase_add_test(tests, a_stranger_is_told_how_it_is_installed);
    tcase_add_test(tests, what_strangers_send_does_not_fill_the_log);
    tcase_add_test(tests, an_answer_that_took_long_is_given_and_nobody_is_blamed);
    tcase_add_test(tests, without_threads_it_serves_all_the_same);
    tcase_add_test(tests, any_number_of_silent_peers_keeps_it_from_nothing);
    return run("controller_service", tests);
}
