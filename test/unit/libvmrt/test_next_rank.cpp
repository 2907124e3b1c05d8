// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who gets a turn, by each rule, among ranks that say anything of themselves.
#include "libvmrt/next_rank.hpp"
#include "run.hpp"

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <vector>

using namespace vmall::runtime;

namespace {

constexpr std::uint32_t none = VMALL_RUNTIME_SLOTS;
constexpr std::uint32_t cpu = 5, other_cpu = 9;
constexpr std::uint32_t ordinary_turn = 1; // not one that goes by rotation

std::uint32_t name_of(std::uint32_t slot) {
    return 100 * slot;
}

// Ranks in slots 10 to 15, all waiting on `cpu`.
struct Job {
    static constexpr std::uint32_t first = 10, count = 6;
    std::unique_ptr<vmall_runtime_page> page = std::make_unique<vmall_runtime_page>();

    Job() {
        for (std::uint32_t slot = first; slot < first + count; ++slot) {
            rank(slot).owner = slot;
            rank(slot).state = VMALL_RUNTIME_WAITING;
            rank(slot).speaks_as[1] = name_of(slot);
            rank(slot).cpu_plus_1 = cpu + 1;
        }
    }
    vmall_runtime_slot &rank(std::uint32_t slot) { return page->slots[slot]; }

    std::uint32_t next(vmall_next_rank rule, std::uint32_t giver,
                       std::uint32_t turn = ordinary_turn) const {
        std::vector<std::uint16_t> line;
        for (std::uint32_t step = 1; step < count; ++step)
            line.push_back(static_cast<std::uint16_t>(first + (giver - first + step) % count));
        return choose_next(rule, *page, {line.data(), count - 1, giver - first, cpu}, giver, turn);
    }
};

struct Case {
    const char *name;
    std::function<void(Job &)> given;
    vmall_next_rank rule;
    std::uint32_t expected; // rank 12 gives
};

void have_messages(Job &job, std::uint32_t slot, std::uint64_t count) {
    job.rank(slot).arrived = 1000 + count;
    job.rank(slot).consumed = 1000;
}

// Has polled in vain since its last message.
void have_polled(Job &job, std::uint32_t slot) {
    job.rank(slot).arrived = 2000;
    job.rank(slot).news = job.rank(slot).heard = 1000;
}

// Waits for a message that has not come.
void block(Job &job, std::uint32_t slot, std::uint32_t on) {
    job.rank(slot).waits_for = name_of(on);
}

constexpr auto round_robin = VMALL_NEXT_ROUND_ROBIN;
constexpr auto messages = VMALL_NEXT_MESSAGES;
constexpr auto sender = VMALL_NEXT_SENDER;

const std::vector<Case> cases = {
    {"the one after the giver", [](Job &) {}, round_robin, 13},
    {"not one that has polled and got nothing since", [](Job &job) { have_polled(job, 13); },
     round_robin, 14},
    {"one that has polled and got something since",
     [](Job &job) {
         have_polled(job, 13);
         ++job.rank(13).news;
     },
     round_robin, 13},
    {"not one that has polled and got what it does not wait for",
     [](Job &job) {
         have_polled(job, 13);
         ++job.rank(13).arrived;
     },
     round_robin, 14},
    {"one that computes though it got nothing since it polled",
     [](Job &job) {
         have_polled(job, 13);
         job.rank(13).state = VMALL_RUNTIME_RUNNING;
     },
     round_robin, 13},
    {"the first, where all have polled",
     [](Job &job) {
         for (std::uint32_t slot = 10; slot < 16; ++slot)
             have_polled(job, slot);
     },
     round_robin, 13},
    {"not one that holds a turn", [](Job &job) { job.rank(13).turn_on_plus_1 = 3; }, round_robin,
     14},
    {"not one that is absent", [](Job &job) { job.rank(13).state = VMALL_RUNTIME_ABSENT; },
     round_robin, 14},
    {"one that computes without a turn",
     [](Job &job) { job.rank(13).state = VMALL_RUNTIME_RUNNING; }, round_robin, 13},
    {"not one in a state unheard of", [](Job &job) { job.rank(13).state = 77; }, round_robin, 14},
    {"not one that has gone", [](Job &job) { job.rank(13).owner = 0; }, round_robin, 14},
    {"not one of another CPU", [](Job &job) { job.rank(13).cpu_plus_1 = other_cpu + 1; },
     round_robin, 14},
    {"not one that shares no CPU", [](Job &job) { job.rank(13).cpu_plus_1 = 0; }, round_robin, 14},
    {"nobody",
     [](Job &job) {
         for (std::uint32_t slot = 10; slot < 16; ++slot)
             job.rank(slot).state = VMALL_RUNTIME_ABSENT;
     },
     messages, none},

    {"most messages",
     [](Job &job) {
         have_messages(job, 14, 2);
         have_messages(job, 10, 3);
     },
     messages, 10},
    {"of equals the first",
     [](Job &job) {
         have_messages(job, 10, 2);
         have_messages(job, 15, 2);
     },
     messages, 15},
    {"without messages the first", [](Job &) {}, messages, 13},
    {"messages of one that cannot run",
     [](Job &job) {
         have_messages(job, 15, 2);
         job.rank(15).state = VMALL_RUNTIME_ABSENT;
     },
     messages, 13},
    {"more consumed than arrived", [](Job &job) { job.rank(15).consumed = 5; }, messages, 13},

    {"the sender", [](Job &job) { block(job, 12, 10); }, sender, 10},
    {"a blocked sender: who has messages",
     [](Job &job) {
         block(job, 12, 10);
         block(job, 10, 12);
         have_messages(job, 11, 1);
     },
     sender, 11},
    {"a blocked sender: else the first",
     [](Job &job) {
         block(job, 12, 10);
         block(job, 10, 12);
     },
     sender, 13},
    {"a sender that has got what it waits for",
     [](Job &job) {
         block(job, 12, 10);
         block(job, 10, 12);
         have_messages(job, 10, 1);
     },
     sender, 10},
    {"a sender on another CPU",
     [](Job &job) {
         block(job, 12, 10);
         job.rank(10).cpu_plus_1 = other_cpu + 1;
     },
     sender, 13},
    {"no sender", [](Job &job) { job.rank(12).waits_for = 0; }, sender, 13},
    {"an impossible sender", [](Job &job) { job.rank(12).waits_for = 4000000000u; }, sender, 13},
    {"itself", [](Job &job) { block(job, 12, 12); }, sender, 13},

};

START_TEST(the_turn_goes_to) {
    const Case &row = cases[static_cast<std::size_t>(_i)];
    Job job;
    row.given(job);
    const std::uint32_t next = job.next(row.rule, 12);
    ck_assert_msg(next == row.expected, "%s: %u instead of %u", row.name, next, row.expected);
}
END_TEST

// Whatever the hints say, whoever gives.
START_TEST(everybody_gets_a_turn) {
    for (const vmall_next_rank rule : {round_robin, messages, sender}) {
        Job job;
        block(job, 10, 11);
        block(job, 11, 10);
        have_messages(job, 10, 3);
        have_messages(job, 11, 3);
        std::set<std::uint32_t> ran;
        std::uint32_t giver = 10;
        for (std::uint32_t turn = 0; turn < 2 * rotation_period * Job::count; ++turn)
            ran.insert(giver = job.next(rule, giver, turn));
        ck_assert_msg(ran.size() == Job::count, "rule %d: %zu ranks", rule, ran.size());
    }
}
END_TEST

START_TEST(news_are_those_of_ready_ranks) {
    Job job;
    for (std::uint32_t slot = 10; slot < 16; ++slot)
        have_polled(job, slot);
    const std::uint16_t others[] = {11, 12, 13, 14, 15};
    const Line line{others, 5, 0, cpu};
    ck_assert(!has_news(*job.page, line));
    ++job.rank(14).news;
    ck_assert(has_news(*job.page, line));
    job.rank(14).cpu_plus_1 = other_cpu + 1;
    ck_assert(!has_news(*job.page, line));
    job.rank(13).arrived = 0; // nobody counts
    ck_assert(has_news(*job.page, line));
}
END_TEST

START_TEST(a_rank_alone_is_offered_nobody) {
    const Job job;
    for (const vmall_next_rank rule : {round_robin, messages, sender})
        for (std::uint32_t turn = 0; turn < 20; ++turn)
            ck_assert(choose_next(rule, *job.page, {nullptr, 0, 0, cpu}, 12, turn) == none);
}
END_TEST

START_TEST(a_page_of_garbage_stays_in_bounds) {
    std::mt19937 random(1);
    Job job;
    for (int i = 0; i < 10000; ++i) {
        for (std::uint32_t slot = 10; slot < 16; ++slot) {
            vmall_runtime_slot &rank = job.rank(slot);
            for (std::uint32_t *word :
                 {&rank.state, &rank.turn_on_plus_1, &rank.cpu_plus_1, &rank.waits_for})
                *word = static_cast<std::uint32_t>(random() >> random() % 32);
            rank.arrived = random();
            rank.consumed = random();
        }
        for (const vmall_next_rank rule : {round_robin, messages, sender}) {
            const std::uint32_t next = job.next(rule, 12, static_cast<std::uint32_t>(random()));
            ck_assert(next == none || (next >= 10 && next < 16 && next != 12));
        }
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("next rank");
    tcase_add_loop_test(tests, the_turn_goes_to, 0, static_cast<int>(cases.size()));
    tcase_add_test(tests, everybody_gets_a_turn);
    tcase_add_test(tests, news_are_those_of_ready_ranks);
    tcase_add_test(tests, a_rank_alone_is_offered_nobody);
    tcase_add_test(tests, a_page_of_garbage_stays_in_bounds);
    return run("libvmrt next rank", tests);
}
