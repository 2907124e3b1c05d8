// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages from other nodes wake a rank that sleeps: with a made-up source of events, and with MPI
// programs on two "nodes" of this machine.
#include "libvmrt/wakeup.hpp"

#include "libvmrt/shared_word.hpp"
#include "trial.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;
using namespace vmall::runtime;
using vmall::test::assert_succeeded;
using vmall::test::can_be_staged;
using vmall::test::checksum;
using vmall::test::comes_true;
using vmall::test::hand_overs;
using vmall::test::Outcome;
using vmall::test::Program;
using vmall::test::skipped;
using vmall::test::Stage;
using vmall::test::usable_cpus;

namespace {

constexpr std::uint64_t patience_ns = 900'000'000;

// An engine whose messages are writes to an eventfd.
struct Engine {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    bool has_descriptor = true;
    bool has_news = false;

    EventSource source() {
        return {this,
                [](void *engine, int &result) {
                    result = static_cast<Engine *>(engine)->descriptor;
                    return static_cast<Engine *>(engine)->has_descriptor;
                },
                [](void *engine) { return !static_cast<Engine *>(engine)->has_news; }};
    }
    void send() const { ck_assert(eventfd_write(descriptor, 1) == 0); }
    void receive() const {
        eventfd_t messages;
        ck_assert(eventfd_read(descriptor, &messages) == 0);
    }
};

// The thread that Wakeup starts never ends, so what it uses never does either; LeakSanitizer finds
// it here.
template <typename Object>
Object &immortal() {
    static auto &all = *new std::vector<Object *>;
    all.push_back(new Object());
    return *all.back();
}

struct Sleeper {
    Stage stage;
    Engine &engine = immortal<Engine>();
    Wakeup &wakeup = immortal<Wakeup>();
    std::uint32_t &word = immortal<std::uint32_t>();

    explicit Sleeper(std::uint32_t nodes) {
        stage.control().node_count = nodes;
        setenv(VMALL_ENV_CONTROL, stage.control_path().c_str(), 1);
    }
    // False if nothing ends it.
    bool sleep() {
        const std::uint32_t before = load(word);
        ck_assert(wakeup.arm(word));
        for (auto slept = 0ns; slept < vmall::test::limit; slept += 1ns * patience_ns)
            if (futex_sleep(word, before, patience_ns))
                return true;
        return false;
    }
};

START_TEST(a_message_ends_the_sleep) {
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    for (int i = 0; i < 3; ++i) {
        std::thread sender([&] {
            std::this_thread::sleep_for(20ms);
            rank.engine.send();
        });
        ck_assert(rank.sleep());
        sender.join();
        ck_assert(rank.wakeup.disarm());
        rank.engine.receive();
    }
}
END_TEST

START_TEST(a_message_that_was_there_before_ends_the_sleep) {
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    rank.engine.send();
    ck_assert(rank.sleep());
    ck_assert(rank.wakeup.disarm());
}
END_TEST

START_TEST(an_engine_with_news_is_polled_first) {
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    rank.engine.has_news = true;
    ck_assert(!rank.wakeup.arm(rank.word));
}
END_TEST

START_TEST(a_rank_that_is_awake_is_not_woken) {
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    ck_assert(rank.wakeup.arm(rank.word));
    ck_assert(!rank.wakeup.disarm());
    rank.engine.send();
    std::this_thread::sleep_for(50ms);
    ck_assert(load(rank.word) == 0);
    ck_assert(rank.sleep()); // and not lost either
    ck_assert(rank.wakeup.disarm());
}
END_TEST

START_TEST(a_hand_over_ends_the_sleep_too) {
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    std::thread peer([&] {
        std::this_thread::sleep_for(20ms);
        increment(rank.word);
        futex_wake_one(rank.word);
    });
    ck_assert(rank.sleep());
    peer.join();
    ck_assert(!rank.wakeup.disarm());
}
END_TEST

START_TEST(on_one_node_nothing_is_watched) {
    for (const std::uint32_t nodes : {0u, 1u}) {
        Sleeper rank(nodes);
        rank.wakeup.use(rank.engine.source());
        rank.engine.has_news = true;
        ck_assert(!rank.wakeup.is_needed());
        ck_assert(rank.wakeup.arm(rank.word)); // did not ask the engine
        ck_assert(!rank.wakeup.disarm());
        ck_assert(rank.wakeup.limit(patience_ns) == patience_ns);
    }
}
END_TEST

START_TEST(without_a_control_block_nothing_is_watched) {
    Sleeper rank(2);
    unsetenv(VMALL_ENV_CONTROL);
    ck_assert(!rank.wakeup.is_needed());
}
END_TEST

START_TEST(without_events_sleeps_are_short) {
    Sleeper none(2), refused(2), two(2);
    ck_assert(none.wakeup.limit(patience_ns) == Wakeup::nap_ns);
    ck_assert(none.wakeup.limit(1000) == 1000);
    refused.engine.has_descriptor = false;
    refused.wakeup.use(refused.engine.source());
    ck_assert(refused.wakeup.limit(patience_ns) == Wakeup::nap_ns);
    ck_assert(refused.wakeup.arm(refused.word));
    ck_assert(!refused.wakeup.disarm());
    two.wakeup.use(two.engine.source());
    two.wakeup.use(none.engine.source());
    ck_assert(two.wakeup.limit(patience_ns) == Wakeup::nap_ns);
}
END_TEST

START_TEST(an_engine_that_ends_is_not_asked_any_more) {
    Sleeper unused(2), used(2);
    unused.wakeup.use(unused.engine.source());
    unused.wakeup.forget(&used.engine); // not the one
    unused.wakeup.forget(&unused.engine);
    ck_assert(unused.wakeup.limit(patience_ns) == Wakeup::nap_ns);
    unused.wakeup.use(used.engine.source()); // the only one now
    ck_assert(unused.wakeup.limit(patience_ns) == patience_ns);
    used.wakeup.use(used.engine.source());
    ck_assert(used.wakeup.limit(patience_ns) == patience_ns);
    used.wakeup.forget(&used.engine);
    used.engine.has_news = true;
    ck_assert(used.wakeup.arm(used.word));
    ck_assert(!used.wakeup.disarm());
    ck_assert(used.wakeup.limit(patience_ns) == Wakeup::nap_ns);
}
END_TEST

std::size_t threads() {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// A process whose first thread has left by pthread_exit() ends with its last thread.
START_TEST(the_thread_ends_when_the_rank_is_done) {
    const std::size_t before = threads();
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    ck_assert(rank.wakeup.arm(rank.word));
    ck_assert(!rank.wakeup.disarm());
    ck_assert_uint_eq(threads(), before + 1);
    rank.wakeup.stop();
    ck_assert(comes_true([&] { return threads() == before; }));
}
END_TEST

START_TEST(with_events_sleeps_are_as_long_as_ever) {
    Sleeper rank(2);
    rank.wakeup.use(rank.engine.source());
    ck_assert(rank.wakeup.limit(patience_ns) == patience_ns);
}
END_TEST

// How often the rank's thread for wake-ups went to sleep: once at its start and once after each.
long sleeps_of_wakeup_thread(pid_t rank) {
    long sleeps = 0;
    std::error_code gone;
    for (std::filesystem::directory_iterator task("/proc/" + std::to_string(rank) + "/task", gone);
         task != std::filesystem::directory_iterator(); task.increment(gone)) {
        std::ifstream status(task->path() / "status");
        bool ours = false;
        for (std::string key; status >> key;) {
            std::string name;
            if (key == "Name:")
                ours = (status >> name) && name == "vmrt-wakeup";
            else if (key == "voluntary_ctxt_switches:" && ours)
                status >> sleeps;
        }
    }
    return sleeps;
}

// While rank 1 computes all the time, rank 0 answers questions that come from another node every
// other millisecond.
long wakeups_by_questions(std::uint32_t node_count, int questions) {
    Stage first, second;
    first.allot({usable_cpus()[0]});
    second.allot({usable_cpus()[1]});
    first.control().node_count = second.control().node_count = node_count;
    Program program = Stage::start_nodes({&first, &second}, 2,
                                         {MPI_PROGRAMS "/remote", std::to_string(questions)});
    std::map<pid_t, long> sleeps;
    for (; !program.has_ended(); std::this_thread::sleep_for(10ms))
        for (const pid_t rank : first.ranks())
            sleeps[rank] = std::max(sleeps[rank], sleeps_of_wakeup_thread(rank));
    assert_succeeded(program.wait());
    long all = 0;
    for (const auto &[rank, count] : sleeps)
        all += count;
    return all;
}

// Where they come faster than the rank falls asleep, as on a busy machine, one wake-up serves
// many; more questions are asked then.
START_TEST(questions_from_another_node_wake_a_rank_whose_neighbour_computes) {
    constexpr int few = 100, many = 100 * few;
    long wakeups = 0;
    for (int questions = few; wakeups <= few / 10 && questions <= many; questions *= 10)
        wakeups = wakeups_by_questions(2, questions);
    ck_assert_msg(wakeups > few / 10, "%ld wake-ups", wakeups);
    ck_assert(wakeups_by_questions(1, few) == 0);
}
END_TEST

START_TEST(a_rank_that_waits_for_another_node_burns_no_core) {
    Stage first, second;
    first.allot({usable_cpus()[0]});
    second.allot({usable_cpus()[1]});
    first.control().node_count = second.control().node_count = 2;
    Program program = Stage::start_nodes({&first, &second}, 2, {MPI_PROGRAMS "/remote", "1000"});
    std::map<std::uint32_t, double> seconds = first.cpu_seconds_of_ranks(program);
    ck_assert(program.wait().succeeded());
    const double waiting = seconds[0], computing = seconds[1];
    ck_assert_msg(waiting < computing / 2, "%.2f s waiting, %.2f computing", waiting, computing);
}
END_TEST

START_TEST(programs_compute_the_same_on_two_nodes) {
    const std::vector<std::string> command{MPI_PROGRAMS "/cg", "100", "200"};
    Stage first, second;
    first.allot({usable_cpus()[0]});
    second.allot({usable_cpus()[1]});
    first.control().node_count = second.control().node_count = 2;
    const Outcome folded = Stage::start_nodes({&first, &second}, 4, command).wait();
    const Outcome on_one = Stage().start(8, command).wait();
    for (Stage *node : {&first, &second})
        ck_assert_uint_gt(hand_overs(*node), 0);
    ck_assert_text(checksum(folded), checksum(on_one));
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *events = tcase_create("events");
    tcase_add_test(events, a_message_ends_the_sleep);
    tcase_add_test(events, a_message_that_was_there_before_ends_the_sleep);
    tcase_add_test(events, an_engine_with_news_is_polled_first);
    tcase_add_test(events, a_rank_that_is_awake_is_not_woken);
    tcase_add_test(events, a_hand_over_ends_the_sleep_too);
    tcase_add_test(events, on_one_node_nothing_is_watched);
    tcase_add_test(events, without_a_control_block_nothing_is_watched);
    tcase_add_test(events, without_events_sleeps_are_short);
    tcase_add_test(events, an_engine_that_ends_is_not_asked_any_more);
    tcase_add_test(events, the_thread_ends_when_the_rank_is_done);
    tcase_add_test(events, with_events_sleeps_are_as_long_as_ever);
    TCase *nodes = tcase_create("nodes");
    tcase_add_test(nodes, questions_from_another_node_wake_a_rank_whose_neighbour_computes);
    tcase_add_test(nodes, a_rank_that_waits_for_another_node_burns_no_core);
    tcase_add_test(nodes, programs_compute_the_same_on_two_nodes);
    return run("libvmrt wakeup", {events, nodes});
}
