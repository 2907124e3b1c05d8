// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames between us and peers that are slow, broken or hostile.
#include "wire/channel.hpp"

#include "expect.hpp"
#include "loopback.hpp"
#include "waiting_listener.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <vector>

using namespace vmall::wire;
using namespace std::chrono_literals;
using Clock = Connection::Clock;

namespace {

// A connection and its raw other end.
struct Pair {
    explicit Pair(Clock::duration patience) : Pair(patience, make()) {}
    void raw_send(const std::string &bytes) {
        ck_assert_int_eq(::send(peer.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
                         static_cast<ssize_t>(bytes.size()));
    }
    void hang_up() { peer = vmall::common::Descriptor(); }

    vmall::common::Descriptor peer;
    Connection connection;

  private:
    struct Ends {
        int fd[2];
    };
    static Ends make() {
        Ends ends;
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.fd), 0);
        return ends;
    }
    Pair(Clock::duration patience, Ends ends)
        : peer(ends.fd[0]), connection(ends.fd[1], Clock::now() + patience) {}
};

std::string header(const char *magic, std::uint32_t size) {
    const std::uint32_t length = htonl(size);
    return magic + std::string(reinterpret_cast<const char *>(&length), sizeof length);
}

// Fails unless `action` throws an error with `part` when `patience` is over.
template <typename Action>
void expect_deadline(Clock::duration patience, const char *part, Action action) {
    const auto start = Clock::now();
    expect_part(error_of<ChannelError>(action), part, "error");
    const auto took = Clock::now() - start;
    ck_assert_msg(took >= patience / 2, "gave up too early");
    ck_assert_msg(took < limit, "waited too long");
}

void expect_receive_error(Pair &pair, const char *part) {
    expect_part(error_of<ChannelError>([&] { pair.connection.receive(); }), part, "error");
}

constexpr std::uint32_t sizes[] = {0, 1, 1000, 300000, highest_frame_bytes};

START_TEST(frame_survives_the_way) {
    WaitingListener listener(0);
    const std::string sent(sizes[_i], 'f');
    std::thread client([&] {
        auto connection = Connection::connect("localhost", listener.port(), Clock::now() + limit);
        connection.send(sent);
        connection.send("and another");
        ck_assert(connection.receive() == "thanks");
    });
    Connection connection(listener.accept(), Clock::now() + limit);
    ck_assert(connection.receive() == sent);
    ck_assert(connection.receive() == "and another");
    connection.send("thanks");
    client.join();
}
END_TEST

START_TEST(frame_is_as_specified) {
    Pair pair(limit);
    pair.connection.send("abc");
    char bytes[16];
    ck_assert_int_eq(recv(pair.peer.get(), bytes, sizeof bytes, 0), 11);
    ck_assert_mem_eq(bytes, "VMAL\0\0\0\3abc", 11);
}
END_TEST

START_TEST(oversized_frame_is_not_sent) {
    Pair pair(limit);
    const std::string content(highest_frame_bytes + 1, 'x');
    expect_part(error_of<ChannelError>([&] { pair.connection.send(content); }), "too long",
                "error");
}
END_TEST

START_TEST(oversized_frame_is_refused) {
    for (const std::uint32_t size : {highest_frame_bytes + 1, 0xffffffffu}) {
        Pair pair(limit);
        pair.raw_send(header("VMAL", size));
        expect_receive_error(pair, "too long");
    }
}
END_TEST

START_TEST(wrong_magic_is_refused) {
    for (const char *magic : {"GET ", "vmal", "LAMV"}) {
        Pair pair(limit);
        pair.raw_send(header(magic, 3) + "abc");
        expect_receive_error(pair, "does not speak our protocol");
    }
}
END_TEST

START_TEST(truncated_frame_is_refused) {
    const std::string frame = header("VMAL", 3) + "abc";
    for (std::size_t size = 0; size < frame.size(); ++size) {
        Pair pair(limit);
        pair.raw_send(frame.substr(0, size));
        pair.hang_up();
        expect_receive_error(pair, "hung up");
    }
}
END_TEST

START_TEST(silent_peer_hits_the_deadline) {
    Pair pair(200ms);
    expect_deadline(200ms, "too slow", [&] { pair.connection.receive(); });
}
END_TEST

START_TEST(dripping_peer_hits_the_deadline) {
    Pair pair(200ms);
    pair.raw_send(header("VMAL", highest_frame_bytes));
    std::thread drip([fd = pair.peer.get()] {
        while (::send(fd, "x", 1, MSG_NOSIGNAL) == 1)
            std::this_thread::sleep_for(5ms);
    });
    expect_deadline(200ms, "too slow", [&] { pair.connection.receive(); });
    shutdown(pair.peer.get(), SHUT_RDWR);
    drip.join();
}
END_TEST

START_TEST(deadline_holds_although_data_is_there) {
    Pair pair(0s);
    pair.raw_send(header("VMAL", 3) + "abc");
    expect_receive_error(pair, "too slow");
}
END_TEST

START_TEST(flooding_peer_hits_the_deadline) {
    Pair pair(200ms);
    std::thread flood([fd = pair.peer.get()] {
        const std::string frame = header("VMAL", 1) + "x";
        while (::send(fd, frame.data(), frame.size(), MSG_NOSIGNAL) > 0)
            ;
    });
    expect_deadline(200ms, "too slow", [&] {
        for (;;)
            pair.connection.receive();
    });
    shutdown(pair.peer.get(), SHUT_RDWR);
    flood.join();
}
END_TEST

START_TEST(peer_that_does_not_read_hits_the_deadline) {
    const std::string content(highest_frame_bytes, 'x');
    Pair pair(200ms);
    expect_deadline(200ms, "too slow", [&] {
        for (;;)
            pair.connection.send(content);
    });
}
END_TEST

START_TEST(sending_to_a_peer_that_hung_up_is_an_error) {
    // SIGPIPE would kill this test.
    Pair pair(limit);
    pair.hang_up();
    expect_part(error_of<ChannelError>([&] { pair.connection.send("hello?"); }),
                "cannot send to peer", "error");
}
END_TEST

START_TEST(signals_do_not_disturb) {
    struct sigaction action = {};
    action.sa_handler = [](int) {}; // without SA_RESTART
    sigaction(SIGALRM, &action, nullptr);
    const itimerval every_5_ms = {{0, 5000}, {0, 5000}};
    const itimerval never = {};
    setitimer(ITIMER_REAL, &every_5_ms, nullptr);
    Pair pair(limit);
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    std::thread late([&] {
        pthread_sigmask(SIG_BLOCK, &alarm, nullptr); // all of them hit the receiver
        std::this_thread::sleep_for(100ms);
        pair.raw_send(header("VMAL", 3) + "abc");
    });
    ck_assert(pair.connection.receive() == "abc");
    setitimer(ITIMER_REAL, &never, nullptr);
    late.join();
}
END_TEST

START_TEST(refused_connection_names_the_peer) {
    const int port = Listener(0).port(); // free again
    const auto connect = [&] { Connection::connect("127.0.0.1", port, Clock::now() + limit); };
    expect_part(error_of<ChannelError>(connect),
                "cannot connect to 127.0.0.1 port " + std::to_string(port) + ": Connection refused",
                "error");
}
END_TEST

START_TEST(unknown_host_is_named) {
    const std::string host(70, 'h'); // longer than a label can be: no name server is asked
    const auto connect = [&] { Connection::connect(host, 1, Clock::now() + limit); };
    expect_part(error_of<ChannelError>(connect), "cannot resolve hhh", "error");
}
END_TEST

START_TEST(host_that_does_not_accept_hits_the_deadline) {
    // Once the backlog is full, Linux ignores who wants to connect.
    const Loopback deaf(0);
    std::vector<Connection> waiting;
    const auto start = Clock::now();
    expect_part(error_of<ChannelError>([&] {
                    for (int i = 0; i < 10; ++i)
                        waiting.push_back(
                            Connection::connect("127.0.0.1", deaf.port, Clock::now() + 200ms));
                }),
                "timed out", "error");
    ck_assert(Clock::now() - start < limit);
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("channel");
    TCase *tests = tcase_create("channel");
    tcase_add_loop_test(tests, frame_survives_the_way, 0, std::size(sizes));
    tcase_add_test(tests, frame_is_as_specified);
    tcase_add_test(tests, oversized_frame_is_not_sent);
    tcase_add_test(tests, oversized_frame_is_refused);
    tcase_add_test(tests, wrong_magic_is_refused);
    tcase_add_test(tests, truncated_frame_is_refused);
    tcase_add_test(tests, silent_peer_hits_the_deadline);
    tcase_add_test(tests, dripping_peer_hits_the_deadline);
    tcase_add_test(tests, deadline_holds_although_data_is_there);
    tcase_add_test(tests, flooding_peer_hits_the_deadline);
    tcase_add_test(tests, peer_that_does_not_read_hits_the_deadline);
    tcase_add_test(tests, sending_to_a_peer_that_hung_up_is_an_error);
    tcase_add_test(tests, signals_do_not_disturb);
    tcase_add_test(tests, refused_connection_names_the_peer);
    tcase_add_test(tests, unknown_host_is_named);
    tcase_add_test(tests, host_that_does_not_accept_hits_the_deadline);
    suite_add_tcase(suite, tests);
    return run({suite});
}
