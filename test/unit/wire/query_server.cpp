// SPDX-License-Identifier: GPL-2.0-or-later
//
// The query server with a real munged, and clients that it must survive.
#include "wire/query_server.hpp"

#include "expect.hpp"
#include "munged.hpp"

#include <csignal>
#include <future>
#include <mutex>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace vmall::wire;
using namespace std::chrono_literals;
using Clock = Connection::Clock;

namespace {

// Of all tests. Every test is a process of its own, which must not stop it at its exit.
Munged *munged;

void start_munged() {
    munged = new Munged();
}
void stop_munged() {
    delete munged;
}

// A server whose reports are collected.
class Server {
  public:
    explicit Server(QueryServer::Handler handler)
        : server_(
              0, munged->socket(), std::move(handler),
              [this](const std::string &report) {
                  const std::lock_guard lock(mutex_);
                  reports_ += report + "\n";
              },
              [this](const std::string &why) { failure_.set_value(why); }, limit) {}
    Connection connect(Clock::duration patience = limit) const {
        return Connection::connect("127.0.0.1", server_.port(), Clock::now() + patience);
    }
    // Sends this and returns the answer's payload.
    std::string ask(const std::string &payload) const {
        const Seal seal(munged->socket());
        Connection connection = connect();
        connection.send(seal.seal(payload, getuid()));
        const Opened answer = seal.open(connection.receive());
        ck_assert_uint_eq(answer.uid, getuid());
        return answer.payload;
    }
    void stop() { server_.stop(); }
    int port() const { return server_.port(); }
    std::string reports() {
        stop();
        return reports_;
    }
    // Why it answers no more.
    std::string failure() {
        std::future<std::string> why = failure_.get_future();
        ck_assert(why.wait_for(limit) == std::future_status::ready);
        return why.get();
    }

  private:
    std::mutex mutex_;
    std::string reports_;
    std::promise<std::string> failure_;
    QueryServer server_;
};

std::string one_stat(const Query &, uid_t) {
    return encode(std::vector<Stat>{{"passes", 7, "Scheduling passes."}});
}

void expect_that_it_answers(const Server &server) {
    ck_assert_uint_eq(decode_stats(server.ask(encode(Query{Ask::stats}))).at(0).value, 7);
}

START_TEST(handler_answers) {
    const Server server([](const Query &query, uid_t asker) {
        ck_assert(query.ask == Ask::jobs);
        ck_assert_uint_eq(asker, getuid());
        JobRow job;
        job.job_id = 42;
        job.processes = job.full_cores = 4;
        job.nodes = {{"n1", 1}};
        return encode(std::vector<JobRow>{job});
    });
    ck_assert_uint_eq(decode_jobs(server.ask(encode(Query{Ask::jobs}))).at(0).job_id, 42);
}
END_TEST

START_TEST(exception_of_the_handler_is_told) {
    const Server server(
        [](const Query &, uid_t) -> std::string { throw std::runtime_error("not ready"); });
    expect_part(error_of<QueryRefused>([&] { decode_jobs(server.ask(encode(Query{}))); }),
                "not ready", "error");
}
END_TEST

START_TEST(unknown_query_is_told) {
    const Server server(one_stat);
    const auto ask = [&] { decode_jobs(server.ask("{\"query\":{\"ask\":\"secrets\"}}")); };
    expect_part(error_of<QueryRefused>(ask), "\"ask\" is unknown", "error");
}
END_TEST

START_TEST(answer_that_is_too_long_is_told) {
    const Server server(
        [](const Query &, uid_t) { return std::string(highest_payload_bytes + 1, ' '); });
    expect_part(error_of<QueryRefused>([&] { decode_jobs(server.ask(encode(Query{}))); }),
                "too long", "error");
}
END_TEST

START_TEST(silent_clients_do_not_block_others) {
    const Server server(one_stat);
    std::vector<Connection> silent;
    for (int i = 0; i < 300; ++i)
        silent.push_back(server.connect());
    expect_that_it_answers(server);
}
END_TEST

START_TEST(client_that_is_not_sealed_is_cut_off) {
    Server server(one_stat);
    Connection client = server.connect();
    client.send(encode(Query{Ask::stats}));
    expect_part(error_of<ChannelError>([&] { client.receive(); }), "hung up", "error");
    expect_that_it_answers(server);
    expect_part(server.reports(), "munge: cannot open", "reports");
}
END_TEST

START_TEST(client_that_hangs_up_is_survived) {
    Server server(one_stat);
    server.connect();
    expect_that_it_answers(server);
    expect_part(server.reports(), "hung up", "reports");
}
END_TEST

START_TEST(replayed_query_is_not_answered) {
    Server server(one_stat);
    const std::string credential = Seal(munged->socket()).seal(encode(Query{Ask::stats}), getuid());
    Connection first = server.connect();
    first.send(credential);
    first.receive();
    Connection second = server.connect();
    second.send(credential);
    expect_part(error_of<ChannelError>([&] { second.receive(); }), "hung up", "error");
    expect_part(server.reports(), "Replayed", "reports");
}
END_TEST

START_TEST(only_the_asker_can_read_the_answer) {
    const Server server([](const Query &, uid_t asker) {
        ck_assert_uint_eq(asker, another_uid);
        return encode(std::vector<Stat>{});
    });
    const std::string query =
        as_another_user([] { return Seal(munged->socket()).seal(encode(Query{Ask::stats}), 0); });
    Connection connection = server.connect();
    connection.send(query);
    const std::string answer = connection.receive();
    expect_part(error_of<ChannelError>([&] { Seal(munged->socket()).open(answer); }),
                "Unauthorized", "root");
    const std::string read_by_asker =
        as_another_user([&] { return Seal(munged->socket()).open(answer).payload; });
    ck_assert(decode_stats(read_by_asker).empty());
}
END_TEST

START_TEST(stop_waits_for_nobody) {
    Server server(one_stat);
    const Connection silent = server.connect();
    server.stop();
    server.stop(); // again does no harm
    expect_part(error_of<ChannelError>([&] {
                    Connection late = server.connect(1s);
                    late.receive();
                }),
                "peer is too slow", "after stop");
}
END_TEST

// Of this process.
void break_listener(int port) {
    for (int fd = 0; fd < 256; ++fd) {
        int listens = 0;
        socklen_t size = sizeof listens;
        sockaddr_in6 address = {};
        socklen_t length = sizeof address;
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens &&
            getsockname(fd, reinterpret_cast<sockaddr *>(&address), &length) == 0 &&
            ntohs(address.sin6_port) == port)
            shutdown(fd, SHUT_RDWR);
    }
}

START_TEST(end_of_all_answers_is_told_apart) {
    Server server(one_stat);
    expect_that_it_answers(server);
    break_listener(server.port());
    expect_part(server.failure(), "cannot accept a connection", "failure");
    expect_equal(server.reports(), "");
}
END_TEST

START_TEST(signals_are_left_to_other_threads) {
    const Server server([](const Query &, uid_t) {
        sigset_t blocked;
        pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
        for (const int signal : {SIGTERM, SIGHUP, SIGCHLD, SIGUSR1})
            ck_assert(sigismember(&blocked, signal));
        return one_stat({}, 0);
    });
    expect_that_it_answers(server);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    ck_assert_msg(!sigismember(&blocked, SIGTERM), "the caller's mask was changed");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("query_server");
    TCase *tests = tcase_create("query_server");
    tcase_add_unchecked_fixture(tests, start_munged, stop_munged);
    tcase_add_test(tests, handler_answers);
    tcase_add_test(tests, exception_of_the_handler_is_told);
    tcase_add_test(tests, unknown_query_is_told);
    tcase_add_test(tests, answer_that_is_too_long_is_told);
    tcase_add_test(tests, silent_clients_do_not_block_others);
    tcase_add_test(tests, client_that_is_not_sealed_is_cut_off);
    tcase_add_test(tests, client_that_hangs_up_is_survived);
    tcase_add_test(tests, replayed_query_is_not_answered);
    tcase_add_test(tests, end_of_all_answers_is_told_apart);
    tcase_add_test(tests, stop_waits_for_nobody);
    tcase_add_test(tests, signals_are_left_to_other_threads);
    if (geteuid() == 0) // becoming another user needs root
        tcase_add_test(tests, only_the_asker_can_read_the_answer);
    suite_add_tcase(suite, tests);
    return run({suite});
}
