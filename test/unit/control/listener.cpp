// SPDX-License-Identifier: GPL-2.0-or-later
//
// The listening socket: ports, stopping, and a process that runs out of descriptors.
#include "control/channel.hpp"

#include "expect.hpp"

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>

using namespace vmall::control;
using namespace std::chrono_literals;
using Clock = Connection::Clock;

namespace {

Connection call(const Listener &listener, const char *host = "127.0.0.1") {
    return Connection::connect(host, listener.port(), Clock::now() + limit);
}

int inheritable_descriptors() {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) {
        const int flags = fcntl(fd, F_GETFD);
        count += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    return count;
}

START_TEST(taken_port_is_named) {
    const Listener first(0);
    expect_part(error_of<ChannelError>([&] { Listener second(first.port()); }),
                "port " + std::to_string(first.port()) + ": Address already in use", "error");
}
END_TEST

START_TEST(port_can_be_used_again_at_once) {
    int port;
    {
        Listener listener(0);
        port = listener.port();
        Connection client = call(listener);
        // Closing our end first leaves the connection in TIME_WAIT.
        Connection server(listener.accept(), Clock::now() + limit);
    }
    ck_assert_int_eq(Listener(port).port(), port);
}
END_TEST

START_TEST(both_families_are_served) {
    Listener listener(0);
    call(listener, "127.0.0.1");
    ck_assert_int_ge(listener.accept(), 0);
    if (std::filesystem::exists("/proc/net/if_inet6")) {
        call(listener, "::1");
        ck_assert_int_ge(listener.accept(), 0);
    }
}
END_TEST

START_TEST(stop_wakes_accept) {
    Listener listener(0);
    std::thread stopper([&] {
        std::this_thread::sleep_for(50ms);
        listener.stop();
    });
    ck_assert_int_eq(listener.accept(), -1);
    stopper.join();
}
END_TEST

START_TEST(stop_holds_whoever_calls) {
    Listener listener(0);
    listener.stop();
    const Connection caller = call(listener);
    ck_assert_int_eq(listener.accept(), -1);
    ck_assert_int_eq(listener.accept(), -1);
}
END_TEST

START_TEST(nothing_is_inherited_by_programs_we_start) {
    const int before = inheritable_descriptors();
    Listener listener(0);
    const Connection client = call(listener);
    const Connection server(listener.accept(), Clock::now() + limit);
    ck_assert_int_eq(inheritable_descriptors(), before);
}
END_TEST

rlimit usual_limit;

START_TEST(connection_waits_for_a_descriptor) {
    Listener listener(0);
    const Connection client = call(listener);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    struct sigaction action = {};
    action.sa_handler = [](int) { setrlimit(RLIMIT_NOFILE, &usual_limit); };
    sigaction(SIGALRM, &action, nullptr);
    const rlim_t next = static_cast<rlim_t>(vmall::common::Descriptor(dup(0)).get());
    const rlimit no_more = {next, usual_limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &no_more), 0);
    const itimerval in_150_ms = {{0, 0}, {0, 150000}};
    setitimer(ITIMER_REAL, &in_150_ms, nullptr);
    const auto start = std::clock();
    ck_assert_int_ge(listener.accept(), 0);
    ck_assert_msg(std::clock() - start < CLOCKS_PER_SEC / 20, "accept() spins");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("listener");
    TCase *tests = tcase_create("listener");
    tcase_add_test(tests, taken_port_is_named);
    tcase_add_test(tests, port_can_be_used_again_at_once);
    tcase_add_test(tests, both_families_are_served);
    tcase_add_test(tests, stop_wakes_accept);
    tcase_add_test(tests, stop_holds_whoever_calls);
    tcase_add_test(tests, nothing_is_inherited_by_programs_we_start);
    tcase_add_test(tests, connection_waits_for_a_descriptor);
    suite_add_tcase(suite, tests);
    return run({suite});
}
