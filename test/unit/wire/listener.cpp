// SPDX-License-Identifier: GPL-2.0-or-later
//
// The listening socket: ports, and a process that runs out of descriptors.
#include "wire/listener.hpp"

#include "expect.hpp"
#include "wire/channel.hpp"

#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>

using namespace vmall::wire;
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
        ck_assert(listener.accept().socket);
    }
    ck_assert_int_eq(Listener(port).port(), port);
}
END_TEST

START_TEST(both_families_are_served) {
    Listener listener(0);
    call(listener, "127.0.0.1");
    ck_assert(listener.accept().socket);
    if (std::filesystem::exists("/proc/net/if_inet6")) {
        call(listener, "::1");
        ck_assert(listener.accept().socket);
    }
}
END_TEST

START_TEST(nobody_is_waited_for) {
    Listener listener(0);
    const Accepted accepted = listener.accept();
    ck_assert(!accepted.socket && !accepted.lacks_resources);
}
END_TEST

START_TEST(nothing_is_inherited_by_programs_we_start) {
    const int before = inheritable_descriptors();
    Listener listener(0);
    const Connection client = call(listener);
    const Accepted accepted = listener.accept();
    ck_assert_int_eq(inheritable_descriptors(), before);
}
END_TEST

START_TEST(connection_waits_for_a_descriptor) {
    Listener listener(0);
    const Connection client = call(listener);
    rlimit usual_limit;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    const rlimit no_more = {0, usual_limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &no_more), 0);
    const Accepted nothing = listener.accept();
    ck_assert(!nothing.socket && nothing.lacks_resources);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    ck_assert(listener.accept().socket);
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("listener");
    TCase *tests = tcase_create("listener");
    tcase_add_test(tests, taken_port_is_named);
    tcase_add_test(tests, port_can_be_used_again_at_once);
    tcase_add_test(tests, both_families_are_served);
    tcase_add_test(tests, nobody_is_waited_for);
    tcase_add_test(tests, nothing_is_inherited_by_programs_we_start);
    tcase_add_test(tests, connection_waits_for_a_descriptor);
    suite_add_tcase(suite, tests);
    return run({suite});
}
