// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's UNIX socket and what is said over it.
#include "limit.hpp"
#include "run.hpp"
#include "spank_vm/node/index_list.hpp"
#include "spank_vm/node/local_messages.hpp"
#include "spank_vm/node/local_socket.hpp"
#include "temporary_directory.hpp"
#include "wire/messages.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <future>
#include <memory>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace vmall::spank_vm;
using vmall::common::Descriptor;

namespace {

// A server that echoes, with the peer's process, until the end of the test.
class Server {
  public:
    explicit Server(const std::string &path)
        : server_(path), thread_([this] {
              server_.serve([](const std::string &request, pid_t peer) {
                  return request + " from " + std::to_string(peer);
              });
          }) {}
    ~Server() {
        server_.stop();
        thread_.join();
    }

  private:
    LocalServer server_;
    std::thread thread_;
};

START_TEST(the_server_knows_who_asks) {
    const TemporaryDirectory directory;
    const Server server(directory / "s");
    ck_assert_text(ask(directory / "s", "hello"), "hello from " + std::to_string(getpid()));
}
END_TEST

START_TEST(only_root_can_connect) {
    const TemporaryDirectory directory;
    const Server server(directory / "s");
    struct stat status;
    ck_assert_int_eq(stat((directory / "s").c_str(), &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
}
END_TEST

// Even if somebody opened the socket's mode to them.
START_TEST(another_user_is_refused) {
    if (geteuid() != 0)
        return;
    constexpr uid_t somebody = 65534;
    const TemporaryDirectory directory;
    const Server server(directory / "s");
    ck_assert_int_eq(chmod((directory / "s").c_str(), 0666), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (setuid(somebody) != 0)
            _exit(2);
        const std::string answer = ask(directory / "s", encode(Forget{5}));
        _exit(answer == encode_error("only root may ask the agent") ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_peer_that_says_nothing_does_not_stop_the_server) {
    const TemporaryDirectory directory;
    const Server server(directory / "s");
    for (int i = 0; i < 3; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            ask(directory / "s", "");
            _exit(0);
        }
        waitpid(child, nullptr, 0);
    }
    ck_assert_contains(ask(directory / "s", "hello"), "hello");
}
END_TEST

// Such as a step of a job that is being moved.
START_TEST(one_that_takes_long_holds_up_nobody_else) {
    const TemporaryDirectory directory;
    std::promise<void> long_came, short_was_answered;
    LocalServer server(directory / "s");
    std::thread serving([&] {
        server.serve([&](const std::string &request, pid_t) {
            if (request == "long") {
                long_came.set_value();
                short_was_answered.get_future().wait_for(vmall::test::limit);
            }
            return request;
        });
    });
    std::thread slow([&] { ask(directory / "s", "long"); });
    long_came.get_future().wait();
    ck_assert_text(ask(directory / "s", "short"), "short");
    short_was_answered.set_value();
    slow.join();
    server.stop();
    serving.join();
}
END_TEST

rlimit usual_limit;

START_TEST(a_server_without_descriptors_waits_for_one) {
    const TemporaryDirectory directory;
    const Server server(directory / "s");
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual_limit), 0);
    struct sigaction action = {};
    action.sa_handler = [](int) { setrlimit(RLIMIT_NOFILE, &usual_limit); };
    sigaction(SIGALRM, &action, nullptr);
    const auto next = static_cast<rlim_t>(vmall::common::Descriptor(dup(0)).get());
    const rlimit no_more = {next, usual_limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &no_more), 0);
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_NOFILE, &usual_limit);
        ask(directory / "s", "hello");
        _exit(0);
    }
    const itimerval in_150_ms = {{0, 0}, {0, 150000}};
    setitimer(ITIMER_REAL, &in_150_ms, nullptr);
    const auto start = std::clock();
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        ck_assert_int_eq(errno, EINTR);
    ck_assert_int_eq(status, 0);
    ck_assert_msg(std::clock() - start < CLOCKS_PER_SEC / 20, "serve() spins");
}
END_TEST

START_TEST(a_new_server_takes_the_place_of_an_old_one) {
    const TemporaryDirectory directory;
    auto old = std::make_unique<LocalServer>(directory / "s");
    const Server server(directory / "s");
    old.reset(); // must not remove the other's socket
    ck_assert_contains(ask(directory / "s", "hello"), "hello");
}
END_TEST

START_TEST(nobody_there_is_an_error) {
    const TemporaryDirectory directory;
    ck_assert_contains(refusal<std::exception>([&] { ask(directory / "s", "hello"); }),
                       "cannot connect");
    ck_assert_contains(
        refusal<std::exception>([&] { ask(directory / std::string(200, 's'), "hello"); }),
        "too long");
}
END_TEST

enum class Death { before_it_accepts, before_it_reads, before_it_answers };

// Once somebody has asked it.
void die(const Descriptor &listener, Death death) {
    pollfd asked = {listener.get(), POLLIN, 0};
    ck_assert_int_eq(poll(&asked, 1, -1), 1);
    if (death == Death::before_it_accepts)
        return;
    const Descriptor peer(accept(listener.get(), nullptr, nullptr));
    char request[16];
    ck_assert_int_gt(
        recv(peer.get(), request, sizeof request, death == Death::before_it_reads ? MSG_PEEK : 0),
        0);
}

Descriptor listen_on(const std::string &path) {
    Descriptor listener(socket(AF_UNIX, SOCK_SEQPACKET, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ck_assert_int_eq(
        bind(listener.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    ck_assert_int_eq(listen(listener.get(), 8), 0);
    return listener;
}

START_TEST(a_server_that_dies_is_asked_again) {
    const auto death = static_cast<Death>(_i);
    const TemporaryDirectory directory;
    const std::string path = directory / "s";
    std::optional<Descriptor> listener(listen_on(path));
    std::optional<Server> next;
    std::thread life([&] {
        die(*listener, death);
        listener.reset();
        next.emplace(path);
    });
    const std::string answer = ask_patiently(path, "hello", vmall::test::limit);
    life.join();
    ck_assert_text(answer, "hello from " + std::to_string(getpid()));
}
END_TEST

START_TEST(a_server_that_dies_is_an_error) {
    const auto death = static_cast<Death>(_i);
    const TemporaryDirectory directory;
    std::optional<Descriptor> listener(listen_on(directory / "s"));
    std::thread life([&] {
        die(*listener, death);
        listener.reset();
    });
    const std::string error = refusal<std::system_error>([&] { ask(directory / "s", "hello"); });
    life.join();
    ck_assert(error != "(accepted)");
}
END_TEST

START_TEST(a_server_that_is_too_slow_is_an_error) {
    const TemporaryDirectory directory;
    const LocalServer server(directory / "s"); // nobody serves
    ck_assert_contains(refusal<std::exception>([&] { ask(directory / "s", "hello"); }),
                       "timed out");
}
END_TEST

START_TEST(requests_survive_the_way) {
    const Registration sent = {
        7,
        0xfffffffb,
        1234,
        {0, 1, 2, 9},
        Ranks{vmall::config::parse_runtime_request("queues=local,next=sender"), 2, 12},
        3};
    const auto received = std::get<Registration>(decode_local_request(encode(sent)));
    ck_assert_uint_eq(received.job_id, sent.job_id);
    ck_assert_uint_eq(received.step_id, sent.step_id);
    ck_assert_uint_eq(received.user, sent.user);
    ck_assert(received.cores == sent.cores);
    ck_assert(received.ranks && *received.ranks == *sent.ranks);
    ck_assert(received.run == sent.run);
    const Registration outsider = {7, 0, 1234, {0}};
    const auto of_outsider = std::get<Registration>(decode_local_request(encode(outsider)));
    ck_assert(!of_outsider.ranks && !of_outsider.run);
    const auto launched = std::get<Launched>(decode_local_request(encode(Launched{7, 2})));
    ck_assert_uint_eq(launched.job_id, 7);
    ck_assert_uint_eq(launched.step_id, 2);
    ck_assert_uint_eq(std::get<Forget>(decode_local_request(encode(Forget{8}))).job_id, 8);
}
END_TEST

#define BAD_RANKS(ranks)                                                                           \
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"0\",\"ranks\":{" ranks "}}}"

const char *bad_requests[] = {
    "",
    "[]",
    "{}",
    "{\"forget\":7}",
    "{\"forget\":{}}",
    "{\"forget\":{\"job\":0}}",
    "{\"forget\":{\"job\":-1}}",
    "{\"forget\":{\"job\":\"7\"}}",
    "{\"forget\":{\"job\":4294967296}}",
    "{\"forget\":{\"job\":7},\"register\":{}}",
    "{\"launched\":{\"job\":7}}",
    "{\"launched\":{\"job\":0,\"step\":1}}",
    "{\"launched\":{\"job\":7,\"step\":-1}}",
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0}}",
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"\"}}",
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"0-\"}}",
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"999999999\"}}",
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"0\",\"ranks\":7}}",
    BAD_RANKS("\"cpus_per_rank\":1,\"nodes\":1"),
    BAD_RANKS("\"runtime\":7,\"cpus_per_rank\":1,\"nodes\":1"),
    BAD_RANKS("\"runtime\":\"queues=never\",\"cpus_per_rank\":1,\"nodes\":1"),
    BAD_RANKS("\"runtime\":\"\",\"cpus_per_rank\":0,\"nodes\":1"),
    BAD_RANKS("\"runtime\":\"\",\"cpus_per_rank\":1025,\"nodes\":1"),
    BAD_RANKS("\"runtime\":\"\",\"cpus_per_rank\":1,\"nodes\":0"),
    BAD_RANKS("\"runtime\":\"\",\"cpus_per_rank\":1,\"nodes\":65537"),
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"0\",\"run\":-1}}",
    "{\"register\":{\"job\":7,\"step\":1,\"user\":0,\"cores\":\"0\",\"run\":\"1\"}}",
    "{\"register\":{\"job\":7,\"step\":1.5,\"user\":0,\"cores\":\"0\"}}",
};

START_TEST(a_bad_request_is_refused) {
    const std::string answer =
        refusal<vmall::wire::MessageError>([&] { decode_local_request(bad_requests[_i]); });
    ck_assert_msg(answer != "(accepted)", "accepted: %s", bad_requests[_i]);
}
END_TEST

START_TEST(the_agents_reason_arrives) {
    expect_done(encode_done());
    ck_assert_text(refusal<vmall::wire::MessageError>([] { expect_done(encode_error("no room")); }),
                   "no room");
    ck_assert(refusal<vmall::wire::MessageError>([] { expect_done("{\"done\":false}"); }) !=
              "(accepted)");
}
END_TEST

struct List {
    const char *text;
    std::vector<std::uint32_t> indices;
};

const std::vector<List> lists = {
    {"", {}}, {"0", {0}}, {"0-3,8", {0, 1, 2, 3, 8}}, {"65535", {65535}}, {"5,1", {1, 5}}};

START_TEST(lists_of_indices_are_understood) {
    const List &row = lists[static_cast<std::size_t>(_i)];
    ck_assert(parse_index_list(row.text) == row.indices);
    ck_assert(parse_index_list(format_index_list(row.indices)) == row.indices);
}
END_TEST

const char *bad_lists[] = {"x", "0-", "-3", "1,,2", "1-2-3", "0x3", "65536", "1 2", "3-1", ","};

START_TEST(bad_lists_of_indices_are_refused) {
    const std::string answer =
        refusal<std::invalid_argument>([&] { parse_index_list(bad_lists[_i]); });
    ck_assert_msg(answer != "(accepted)", "accepted: %s", bad_lists[_i]);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("local");
    tcase_add_test(tests, the_server_knows_who_asks);
    tcase_add_test(tests, only_root_can_connect);
    tcase_add_test(tests, another_user_is_refused);
    tcase_add_test(tests, a_peer_that_says_nothing_does_not_stop_the_server);
    tcase_add_test(tests, one_that_takes_long_holds_up_nobody_else);
    tcase_add_test(tests, a_server_without_descriptors_waits_for_one);
    tcase_add_test(tests, a_new_server_takes_the_place_of_an_old_one);
    tcase_add_test(tests, nobody_there_is_an_error);
    tcase_add_loop_test(tests, a_server_that_dies_is_asked_again, 0, 3);
    tcase_add_loop_test(tests, a_server_that_dies_is_an_error, 0, 3);
    tcase_add_test(tests, a_server_that_is_too_slow_is_an_error);
    tcase_add_test(tests, requests_survive_the_way);
    tcase_add_loop_test(tests, a_bad_request_is_refused, 0,
                        static_cast<int>(std::size(bad_requests)));
    tcase_add_test(tests, the_agents_reason_arrives);
    tcase_add_loop_test(tests, lists_of_indices_are_understood, 0, static_cast<int>(lists.size()));
    tcase_add_loop_test(tests, bad_lists_of_indices_are_refused, 0,
                        static_cast<int>(std::size(bad_lists)));
    return run("local", tests);
}
