// SPDX-License-Identifier: GPL-2.0-or-later
//
// Peers that say nothing, too little or too late, and who is heard beside them.
#include "wire/reception.hpp"

#include "expect.hpp"

#include <csignal>
#include <ctime>
#include <deque>
#include <future>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>

using namespace vmall::wire;
using namespace std::chrono_literals;
using Clock = Connection::Clock;

namespace {

void keep_few_bytes(const vmall::common::Descriptor &socket, int direction) {
    const int few = 4096;
    ck_assert_int_eq(setsockopt(socket.get(), SOL_SOCKET, direction, &few, sizeof few), 0);
}

// A peer that is not in the test's way: it says what it is told to.
class Peer {
  public:
    explicit Peer(int port) : Peer(Family{AF_INET}) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<in_port_t>(port));
        ck_assert(connects_to(address));
    }
    // Nothing on a host without IPv6.
    static std::optional<Peer> of_ipv6(int port) {
        Peer peer(Family{AF_INET6});
        sockaddr_in6 address = {};
        address.sin6_family = AF_INET6;
        address.sin6_addr = in6addr_loopback;
        address.sin6_port = htons(static_cast<in_port_t>(port));
        return peer.socket_ && peer.connects_to(address) ? std::optional<Peer>(std::move(peer))
                                                         : std::nullopt;
    }
    void say(const std::string &bytes) const {
        ck_assert_int_eq(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
                         static_cast<ssize_t>(bytes.size()));
    }
    // Whether the other end has hung up by now.
    bool is_sent_away() const {
        char byte;
        return recv(socket_.get(), &byte, 1, MSG_DONTWAIT) == 0;
    }
    void wait_until_sent_away() const {
        char byte;
        ck_assert_int_eq(recv(socket_.get(), &byte, 1, 0), 0);
    }
    std::string answer() {
        IncomingFrame frame;
        while (!frame.receive(socket_.get())) {
            pollfd waiting = {socket_.get(), POLLIN, 0};
            poll(&waiting, 1, -1);
        }
        return frame.content();
    }

  private:
    struct Family {
        int number;
    };
    explicit Peer(Family family) : socket_(::socket(family.number, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (socket_)
            keep_few_bytes(socket_, SO_RCVBUF);
    }
    template <typename Address>
    bool connects_to(const Address &address) const {
        return connect(socket_.get(), reinterpret_cast<const sockaddr *>(&address),
                       sizeof address) == 0;
    }
    vmall::common::Descriptor socket_;
};

std::string framed(const std::string &content) {
    std::string header("VMAL\0\0\0\0", 8);
    header[6] = static_cast<char>(content.size() >> 8);
    header[7] = static_cast<char>(content.size());
    return header + content;
}

// Answers what it hears with the same, in a thread of its own.
class Echo {
  public:
    explicit Echo(std::chrono::milliseconds patience = limit)
        : reception_(0, patience, [this](const std::string &problem) {
              const std::lock_guard lock(mutex_);
              problems_ += problem + "\n";
          }) {}
    ~Echo() { stop(); }
    void start() { begin_.set_value(); }
    void stop() {
        reception_.stop();
        if (!thread_.joinable())
            return;
        if (begun_.wait_for(0s) != std::future_status::ready)
            start();
        thread_.join();
    }
    int port() const { return reception_.port(); }
    std::string problems() {
        const std::lock_guard lock(mutex_);
        return problems_;
    }
    static std::string much() { return std::string(highest_frame_bytes, 'x'); }

  private:
    std::mutex mutex_;
    std::string problems_;
    Reception reception_;
    std::promise<void> begin_;
    std::shared_future<void> begun_ = begin_.get_future().share();
    // Made before a test takes the descriptors away: sanitizers want some for that.
    std::thread thread_{[this] {
        begun_.wait();
        reception_.serve([this](const std::string &content, Visitor visitor) {
            if (content == "fail")
                throw std::runtime_error("as you like");
            keep_few_bytes(visitor.socket, SO_SNDBUF);
            reception_.answer(std::move(visitor), content == "much" ? much() : content);
        });
    }};
};

std::deque<Peer> silent_peers(const Echo &echo, std::size_t count) {
    std::deque<Peer> peers;
    for (std::size_t i = 0; i < count; ++i)
        peers.emplace_back(echo.port());
    return peers;
}

void expect_to_be_heard(const Echo &echo) {
    Peer peer(echo.port());
    peer.say(framed("hello"));
    expect_equal(peer.answer(), "hello");
}

START_TEST(peers_that_say_nothing_keep_nobody_waiting) {
    Echo echo;
    echo.start();
    const auto silent = silent_peers(echo, 5 * Reception::highest_peer_count);
    expect_to_be_heard(echo);
}
END_TEST

START_TEST(who_is_silent_longest_makes_room) {
    Echo echo;
    echo.start();
    const auto silent = silent_peers(echo, Reception::highest_peer_count);
    expect_to_be_heard(echo);
    silent[0].wait_until_sent_away();
    for (std::size_t i = 1; i < silent.size(); ++i)
        ck_assert(!silent[i].is_sent_away());
    expect_part(echo.problems(), "make room", "problems");
}
END_TEST

START_TEST(who_has_begun_to_speak_may_go_on) {
    Echo echo;
    echo.start();
    Peer slow(echo.port());
    const std::string frame = framed("slow");
    slow.say(frame.substr(0, 3));
    const auto silent = silent_peers(echo, 2 * Reception::highest_peer_count);
    expect_to_be_heard(echo);
    slow.say(frame.substr(3));
    expect_equal(slow.answer(), "slow");
}
END_TEST

// They have all come before it begins, so that nothing depends on who is faster.
START_TEST(who_has_just_come_is_heard_beside_a_flood_of_single_bytes) {
    Echo echo;
    constexpr std::size_t later = 5;
    std::deque<Peer> flood;
    const auto send_one = [&] {
        flood.emplace_back(echo.port());
        flood.back().say("V");
    };
    for (std::size_t i = 0; i < Reception::highest_peer_count; ++i)
        send_one();
    Peer peer(echo.port());
    for (std::size_t i = 0; i < later; ++i)
        send_one();
    echo.start();
    flood[later].wait_until_sent_away();
    peer.say(framed("hello"));
    expect_equal(peer.answer(), "hello");
}
END_TEST

START_TEST(who_calls_from_elsewhere_is_not_sent_away) {
    Echo echo;
    auto peer = Peer::of_ipv6(echo.port());
    if (!peer)
        return;
    const auto silent = silent_peers(echo, 2 * Reception::highest_peer_count);
    echo.start();
    silent[Reception::highest_peer_count].wait_until_sent_away();
    peer->say(framed("hello"));
    expect_equal(peer->answer(), "hello");
}
END_TEST

START_TEST(who_does_not_take_the_answer_keeps_nobody_waiting) {
    Echo echo;
    echo.start();
    auto deaf = silent_peers(echo, 20);
    for (const Peer &peer : deaf)
        peer.say(framed("much"));
    expect_to_be_heard(echo);
    expect_equal(deaf.back().answer(), Echo::much());
}
END_TEST

START_TEST(who_is_too_slow_is_sent_away) {
    Echo echo(50ms);
    echo.start();
    const Peer silent(echo.port());
    silent.wait_until_sent_away();
    expect_part(echo.problems(), "too slow", "problems");
}
END_TEST

START_TEST(nonsense_and_failures_are_reported) {
    Echo echo;
    echo.start();
    Peer nonsense(echo.port()), failing(echo.port());
    nonsense.say("GET / HTTP/1.0\r\n");
    failing.say(framed("fail"));
    expect_to_be_heard(echo);
    failing.wait_until_sent_away();
    expect_part(echo.problems(), "does not speak our protocol", "problems");
    expect_part(echo.problems(), "as you like", "problems");
}
END_TEST

START_TEST(stop_waits_for_nobody) {
    Echo echo;
    echo.start();
    const Peer silent(echo.port());
    expect_to_be_heard(echo);
    echo.stop();
    silent.wait_until_sent_away();
}
END_TEST

START_TEST(stop_holds_whoever_calls) {
    Echo echo;
    const Peer caller(echo.port());
    caller.say(framed("hello"));
    echo.stop();
    ck_assert(!caller.is_sent_away()); // still in the backlog
}
END_TEST

rlimit usual_limit;

// So many descriptors can still be opened.
void leave_descriptors(rlim_t count) {
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    const auto next = static_cast<rlim_t>(vmall::common::Descriptor(dup(0)).get());
    const rlimit few = {next + count, usual_limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
}

START_TEST(without_descriptors_who_is_silent_makes_room) {
    Echo echo;
    const Peer silent(echo.port());
    Peer peer(echo.port());
    peer.say(framed("hello"));
    leave_descriptors(1);
    echo.start();
    expect_equal(peer.answer(), "hello");
    silent.wait_until_sent_away();
}
END_TEST

START_TEST(without_descriptors_nobody_makes_room_for_nobody) {
    Echo echo;
    Peer peer(echo.port());
    leave_descriptors(1);
    echo.start();
    const std::string frame = framed("hello");
    peer.say(frame.substr(0, 3));
    peer.say(frame.substr(3));
    expect_equal(peer.answer(), "hello");
    expect_equal(echo.problems(), "");
}
END_TEST

START_TEST(without_any_descriptor_it_waits_for_one) {
    Echo echo;
    Peer peer(echo.port());
    peer.say(framed("hello"));
    leave_descriptors(0);
    struct sigaction action = {};
    action.sa_handler = [](int) { setrlimit(RLIMIT_NOFILE, &usual_limit); };
    sigaction(SIGALRM, &action, nullptr);
    const itimerval in_150_ms = {{0, 0}, {0, 150000}};
    setitimer(ITIMER_REAL, &in_150_ms, nullptr);
    const auto start = std::clock();
    echo.start();
    expect_equal(peer.answer(), "hello");
    ck_assert_msg(std::clock() - start < CLOCKS_PER_SEC / 20, "serve() spins");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("reception");
    TCase *tests = tcase_create("reception");
    tcase_add_test(tests, peers_that_say_nothing_keep_nobody_waiting);
    tcase_add_test(tests, who_is_silent_longest_makes_room);
    tcase_add_test(tests, who_has_begun_to_speak_may_go_on);
    tcase_add_test(tests, who_has_just_come_is_heard_beside_a_flood_of_single_bytes);
    tcase_add_test(tests, who_calls_from_elsewhere_is_not_sent_away);
    tcase_add_test(tests, who_does_not_take_the_answer_keeps_nobody_waiting);
    tcase_add_test(tests, who_is_too_slow_is_sent_away);
    tcase_add_test(tests, nonsense_and_failures_are_reported);
    tcase_add_test(tests, stop_waits_for_nobody);
    tcase_add_test(tests, stop_holds_whoever_calls);
    tcase_add_test(tests, without_descriptors_who_is_silent_makes_room);
    tcase_add_test(tests, without_descriptors_nobody_makes_room_for_nobody);
    tcase_add_test(tests, without_any_descriptor_it_waits_for_one);
    suite_add_tcase(suite, tests);
    return run({suite});
}
