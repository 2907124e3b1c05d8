// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to many peers at once, some of which are slow, broken or not there.
#include "wire/exchanges.hpp"

#include "expect.hpp"
#include "loopback.hpp"
#include "waiting_listener.hpp"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <functional>
#include <future>
#include <netdb.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

using namespace vmall::wire;
using namespace std::chrono_literals;
using Clock = Exchanges::Clock;

namespace {

constexpr const char *host_with_two_addresses = "two.test";

} // namespace

// Instead of glibc's, for libwire.
extern "C" int getaddrinfo(const char *host, const char *service, const addrinfo *hints,
                           addrinfo **found) {
    static const auto next =
        reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
    if (std::string(host) != host_with_two_addresses)
        return next(host, service, hints, found);
    const int error = next("127.0.0.2", service, hints, found);
    return error ? error : next("127.0.0.1", service, hints, &(*found)->ai_next);
}

namespace {

// Serves one connection after the other.
class Peer {
  public:
    explicit Peer(std::function<void(Connection &)> serve)
        : thread_([this, serve = std::move(serve)] {
              for (int fd; (fd = listener_.accept()) >= 0;) {
                  try {
                      Connection connection(fd, Clock::now() + limit);
                      serve(connection);
                  } catch (const ChannelError &) {
                      // Who asked has not waited.
                  }
              }
          }) {}
    ~Peer() {
        listener_.stop();
        thread_.join();
    }
    int port() const { return listener_.port(); }

  private:
    WaitingListener listener_{0};
    std::thread thread_;
};

void echo(Connection &connection) {
    connection.send(connection.receive() + "!");
}

// Asks, and returns what came of it.
struct Asked {
    Asked(const std::string &host, int port, Clock::duration patience,
          const std::string &question = "?") {
        Exchanges exchanges;
        exchanges.ask(host, port, question, Clock::now() + patience, [this](const Reply &it) {
            reply = it;
            ++replies;
        });
        while (exchanges.under_way() > 0)
            exchanges.proceed(true);
        ck_assert_int_eq(replies, 1);
    }
    Reply reply;
    int replies = 0;
};

constexpr std::size_t sizes[] = {0, 1, 1000, 300000, highest_frame_bytes - 1};

START_TEST(answer_comes_back) {
    const Peer peer(echo);
    const std::string question(sizes[_i], 'q');
    const Asked asked("127.0.0.1", peer.port(), limit, question);
    ck_assert_msg(asked.reply.error.empty(), "%s", asked.reply.error.c_str());
    ck_assert(asked.reply.content == question + "!");
}
END_TEST

START_TEST(each_question_gets_its_own_answer) {
    const Peer peer(echo);
    Exchanges exchanges;
    std::vector<std::string> answers(100);
    for (std::size_t i = 0; i < answers.size(); ++i)
        exchanges.ask("127.0.0.1", peer.port(), std::to_string(i), Clock::now() + limit,
                      [&answer = answers[i]](const Reply &reply) { answer = reply.content; });
    ck_assert_uint_eq(exchanges.under_way(), answers.size());
    while (exchanges.under_way() > 0)
        exchanges.proceed(true);
    for (std::size_t i = 0; i < answers.size(); ++i)
        expect_equal(answers[i], std::to_string(i) + "!");
}
END_TEST

START_TEST(silent_peers_hold_up_nobody) {
    const Listener silent(0);
    const Peer peer(echo);
    Exchanges exchanges;
    for (int i = 0; i < 100; ++i)
        exchanges.ask("127.0.0.1", silent.port(), "?", Clock::now() + 1h, [](const Reply &) {});
    std::string answer;
    exchanges.ask("127.0.0.1", peer.port(), "you", Clock::now() + 1h,
                  [&](const Reply &reply) { answer = reply.content; });
    while (answer.empty())
        exchanges.proceed(true);
    expect_equal(answer, "you!");
    ck_assert_uint_eq(exchanges.under_way(), 100);
}
END_TEST

START_TEST(silent_peer_hits_the_deadline) {
    const Listener silent(0);
    expect_equal(Asked("127.0.0.1", silent.port(), 1s).reply.error, "peer is too slow");
}
END_TEST

// False if this machine is too slow to ask within that time.
bool late_answer_is_taken(Clock::duration patience) {
    std::atomic<bool> asked{false};
    std::promise<void> may_answer, answered;
    Exchanges exchanges;
    const Peer peer([&](Connection &connection) {
        connection.receive();
        asked = true;
        exchanges.wake();
        may_answer.get_future().wait();
        connection.send("!");
        answered.set_value();
    });
    Reply reply;
    const auto deadline = Clock::now() + patience;
    exchanges.ask("127.0.0.1", peer.port(), "?", deadline, [&](const Reply &it) { reply = it; });
    while (!asked && exchanges.under_way() > 0)
        exchanges.proceed(true);
    may_answer.set_value();
    if (exchanges.under_way() == 0)
        return false;
    answered.get_future().wait();
    std::this_thread::sleep_until(deadline + 50ms);
    exchanges.proceed(false);
    expect_equal(reply.error, "");
    expect_equal(reply.content, "!");
    return true;
}

START_TEST(answer_that_is_there_counts_however_late_it_is_taken) {
    for (auto patience = 100ms; !late_answer_is_taken(patience);)
        patience *= 2;
}
END_TEST

START_TEST(host_that_does_not_accept_hits_the_deadline) {
    // Once the backlog is full, Linux ignores who wants to connect.
    const Loopback deaf(0);
    Exchanges exchanges;
    std::string errors;
    for (int i = 0; i < 10; ++i)
        exchanges.ask("127.0.0.1", deaf.port, "?", Clock::now() + 200ms,
                      [&](const Reply &reply) { errors += reply.error + "\n"; });
    while (exchanges.under_way() > 0)
        exchanges.proceed(true);
    expect_part(errors, "cannot connect to 127.0.0.1 port ", "errors");
    expect_part(errors, ": Connection timed out\n", "errors");
}
END_TEST

START_TEST(refused_connection_names_the_peer) {
    const int port = Listener(0).port(); // free again
    const Reply reply = Asked("127.0.0.1", port, limit).reply;
    expect_equal(reply.error, "cannot connect to 127.0.0.1 port " + std::to_string(port) +
                                  ": Connection refused");
    ck_assert(reply.nobody_listens);
}
END_TEST

START_TEST(peer_that_hangs_up_is_an_error) {
    const Peer peer([](Connection &connection) { connection.receive(); });
    const Reply reply = Asked("127.0.0.1", peer.port(), limit).reply;
    expect_equal(reply.error, "peer has hung up");
    ck_assert(!reply.nobody_listens);
}
END_TEST

START_TEST(unknown_host_is_named) {
    Exchanges exchanges;
    const std::string host(70, 'h'); // longer than a label can be: no name server is asked
    const auto ask = [&] {
        exchanges.ask(host, 1, "?", Clock::now() + limit, [](const Reply &) {});
    };
    expect_part(error_of<ChannelError>(ask), "cannot resolve hhh", "error");
    ck_assert_uint_eq(exchanges.under_way(), 0);
}
END_TEST

START_TEST(next_address_is_tried) {
    const Loopback listening(1); // at the second
    std::thread server([&] {
        Connection connection(accept(listening.socket.get(), nullptr, nullptr),
                              Clock::now() + limit);
        echo(connection);
    });
    const Asked asked(host_with_two_addresses, listening.port, limit);
    server.join();
    expect_equal(asked.reply.content, "?!");
}
END_TEST

START_TEST(wake_ends_the_wait) {
    Exchanges exchanges;
    std::thread waker([&] {
        std::this_thread::sleep_for(50ms);
        exchanges.wake();
    });
    exchanges.proceed(true);
    waker.join();
    exchanges.wake(); // before anybody waits
    exchanges.proceed(true);
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("exchanges");
    TCase *tests = tcase_create("exchanges");
    tcase_add_loop_test(tests, answer_comes_back, 0, std::size(sizes));
    tcase_add_test(tests, each_question_gets_its_own_answer);
    tcase_add_test(tests, silent_peers_hold_up_nobody);
    tcase_add_test(tests, silent_peer_hits_the_deadline);
    tcase_add_test(tests, answer_that_is_there_counts_however_late_it_is_taken);
    tcase_add_test(tests, host_that_does_not_accept_hits_the_deadline);
    tcase_add_test(tests, refused_connection_names_the_peer);
    tcase_add_test(tests, peer_that_hangs_up_is_an_error);
    tcase_add_test(tests, unknown_host_is_named);
    tcase_add_test(tests, next_address_is_tried);
    tcase_add_test(tests, wake_ends_the_wait);
    suite_add_tcase(suite, tests);
    return run({suite});
}
