// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pure parts of the in-job runtime: who shares which CPU and how, and what a launcher says.
#include "../../bench/baselines.hpp"
#include "libvmrt/affinity.hpp"
#include "libvmrt/pause.hpp"
#include "libvmrt/placement.hpp"
#include "libvmrt/share.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/way.hpp"
#include "run.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <dlfcn.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace vmall::runtime;

namespace {

int waits_for_several = 0;

} // namespace

// As on Linux before 5.16.
extern "C" long syscall(long number, ...) noexcept {
#ifdef SYS_futex_waitv
    if (number == SYS_futex_waitv) {
        ++waits_for_several;
        errno = ENOSYS;
        return -1;
    }
#endif
    using Call = long (*)(long, ...);
    static const auto next = reinterpret_cast<Call>(dlsym(RTLD_NEXT, "syscall"));
    long values[6];
    va_list rest;
    va_start(rest, number);
    for (long &value : values)
        value = va_arg(rest, long);
    va_end(rest);
    return next(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

namespace {

struct TasksCase {
    const char *text;
    std::uint32_t node, tasks;
};

const TasksCase tasks_cases[] = {
    {"8", 0, 8},         {"8", 1, 0},       {"4(x2)", 1, 4},
    {"4(x2)", 2, 0},     {"4(x2),3", 2, 3}, {"1,2(x3),7", 3, 2},
    {"1,2(x3),7", 4, 7}, {"", 0, 0},        {"x", 0, 0},
    {"4(x", 1, 0},       {"4(x2", 1, 4},    {"5000", 0, 0},
    {"4(x2),", 2, 0},    {"-1", 0, 0},      {"4(x18446744073709551615)", 9, 4},
};

// Valgrind 3.19 warns at each try.
START_TEST(a_kernel_that_cannot_wait_for_two_words_is_asked_once) {
    const std::uint32_t first = 0, second = 0;
    for (int times = 0; times < 3; ++times)
        futex_sleep_on_two(first, 1, second, 0, 1'000'000);
#ifdef SYS_futex_waitv
    ck_assert_int_eq(waits_for_several, 1);
#endif
}
END_TEST

START_TEST(tasks_of_a_node_in_slurms_notation) {
    const TasksCase &row = tasks_cases[_i];
    ck_assert_msg(tasks_of_node(row.text, row.node) == row.tasks, "\"%s\" node %u", row.text,
                  row.node);
}
END_TEST

struct LauncherCase {
    std::vector<std::pair<const char *, const char *>> environment;
    LocalRank expected;
};

const std::vector<LauncherCase> launcher_cases = {
    {{}, {0, 1}},
    {{{"MPI_LOCALRANKID", "3"}, {"MPI_LOCALNRANKS", "4"}}, {3, 4}},
    {{{"SLURM_LOCALID", "1"}, {"SLURM_NODEID", "1"}, {"SLURM_STEP_TASKS_PER_NODE", "4,2"}}, {1, 2}},
    // Hydra's proxy is a Slurm task.
    {{{"MPI_LOCALRANKID", "3"},
      {"MPI_LOCALNRANKS", "4"},
      {"SLURM_LOCALID", "0"},
      {"SLURM_NODEID", "0"},
      {"SLURM_STEP_TASKS_PER_NODE", "1(x2)"}},
     {3, 4}},
    // A program that a batch script starts without a launcher.
    {{{"SLURM_LOCALID", "0"}, {"SLURM_NODEID", "0"}, {"SLURM_TASKS_PER_NODE", "8"}}, {0, 1}},
    {{{"MPI_LOCALRANKID", "4"}, {"MPI_LOCALNRANKS", "4"}}, {0, 1}},
    {{{"MPI_LOCALRANKID", "-1"}, {"MPI_LOCALNRANKS", "4"}}, {0, 1}},
    {{{"MPI_LOCALRANKID", "1x"}, {"MPI_LOCALNRANKS", "99999"}}, {0, 1}},
};

START_TEST(rank_on_the_node_as_the_launcher_says) {
    for (const char *name : {"MPI_LOCALRANKID", "MPI_LOCALNRANKS", "SLURM_LOCALID", "SLURM_NODEID",
                             "SLURM_STEP_TASKS_PER_NODE"})
        unsetenv(name);
    const LauncherCase &row = launcher_cases[static_cast<std::size_t>(_i)];
    for (const auto &[name, value] : row.environment)
        setenv(name, value, 1);
    const LocalRank local = local_rank();
    ck_assert_msg(local.rank == row.expected.rank && local.size == row.expected.size,
                  "row %d: %u of %u", _i, local.rank, local.size);
}
END_TEST

START_TEST(a_process_is_told_from_another_with_its_id) {
    const Owner self = this_process();
    ck_assert(self >> 32 == static_cast<std::uint32_t>(getpid()));
    ck_assert(activity_of(self) == Activity::runnable);
    ck_assert(activity_of(self + 1) == Activity::gone); // started at another time
    ck_assert(activity_of(0) == Activity::gone);
    ck_assert(activity_of(~Owner{0}) == Activity::gone);
}
END_TEST

START_TEST(a_process_sleeps_when_all_its_threads_do) {
    const Owner self = this_process();
    Activity activity = Activity::gone;
    std::thread([&] { activity = activity_of(self); }).join(); // while the first one sleeps
    ck_assert(activity == Activity::runnable);

    int ends[2];
    ck_assert(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const Owner owner = this_process();
        if (write(ends[1], &owner, sizeof owner) == static_cast<ssize_t>(sizeof owner))
            pause();
        _exit(1);
    }
    Owner owner = 0;
    ck_assert(read(ends[0], &owner, sizeof owner) == static_cast<ssize_t>(sizeof owner));
    for (int i = 0; i < 1000 && activity_of(owner) == Activity::runnable; ++i)
        usleep(1000);
    ck_assert(activity_of(owner) == Activity::asleep);
    ck_assert(kill(child, SIGKILL) == 0);
    siginfo_t info;
    ck_assert(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
    ck_assert(is_gone(owner)); // a zombie
    ck_assert(waitpid(child, nullptr, 0) == child);
    ck_assert(is_gone(owner));
}
END_TEST

// By a process that has no descriptor left.
START_TEST(a_process_that_cannot_be_looked_at_is_not_gone) {
    const Owner self = this_process();
    rlimit before;
    ck_assert(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit none{0, before.rlim_max};
    ck_assert(setrlimit(RLIMIT_NOFILE, &none) == 0);
    const bool gone = is_gone(self), another_is_gone = is_gone(self + 1);
    const Activity activity = activity_of(self);
    ck_assert(setrlimit(RLIMIT_NOFILE, &before) == 0);
    ck_assert(!gone && !another_is_gone && activity == Activity::runnable);
    ck_assert(!is_gone(self) && is_gone(self + 1));
}
END_TEST

std::vector<Member> program(std::uint32_t size, std::uint32_t first_slot = 0) {
    std::vector<Member> members;
    for (std::uint32_t rank = 0; rank < size; ++rank)
        members.push_back({first_slot + rank, {rank, size}});
    return members;
}

std::vector<std::uint32_t> cpus_of(const std::vector<Member> &members, std::uint32_t cpu_count,
                                   std::uint32_t cpus_per_rank = 1) {
    std::vector<std::uint32_t> cpus;
    Place where;
    for (const Member &member : members) {
        ck_assert(place(members.data(), static_cast<std::uint32_t>(members.size()), member.slot,
                        {cpu_count, cpus_per_rank}, where));
        ck_assert(where.width >= 1 && where.first_cpu + where.width <= cpu_count);
        cpus.push_back(where.first_cpu);
    }
    return cpus;
}

struct BlockCase {
    std::uint32_t ranks, cpus;
    std::vector<std::uint32_t> expected; // first CPU of every rank
    std::uint32_t cpus_per_rank = 1;
};

const std::vector<BlockCase> block_cases = {
    {4, 1, {0, 0, 0, 0}},
    {4, 2, {0, 0, 1, 1}},
    {3, 2, {0, 0, 1}},
    {5, 2, {0, 0, 0, 1, 1}},
    {8, 3, {0, 0, 0, 1, 1, 1, 2, 2}},
    {2, 4, {0, 2}},
    {4, 4, {0, 0, 2, 2}, 2},
    {4, 8, {0, 2, 4, 6}, 2},
    {4, 7, {0, 0, 2, 4}, 2},
    {3, 2, {0, 0, 0}, 4},
    {2, 4, {0, 0}, 3},
};

START_TEST(ranks_share_cpus_in_blocks_of_neighbours) {
    const BlockCase &row = block_cases[static_cast<std::size_t>(_i)];
    ck_assert(cpus_of(program(row.ranks), row.cpus, row.cpus_per_rank) == row.expected);
}
END_TEST

START_TEST(folded_means_that_ranks_want_more_cpus_than_there_are) {
    const std::vector<Member> four = program(4);
    Place where;
    for (std::uint32_t cpu_count = 1; cpu_count <= 20; ++cpu_count)
        for (std::uint32_t cpus_per_rank = 1; cpus_per_rank <= 5; ++cpus_per_rank) {
            ck_assert(place(four.data(), 4, 0, {cpu_count, cpus_per_rank}, where));
            ck_assert(where.folded == (cpu_count < 4 * cpus_per_rank));
        }
}
END_TEST

START_TEST(places_cover_the_allotment_and_are_wide_enough) {
    for (std::uint32_t cpu_count = 1; cpu_count <= 40; ++cpu_count)
        for (std::uint32_t cpus_per_rank = 1; cpus_per_rank <= 12; ++cpus_per_rank) {
            const Room room{cpu_count, cpus_per_rank};
            const std::uint32_t places = place_count(room);
            ck_assert(first_cpu_of_place(room, 0) == 0);
            ck_assert(first_cpu_of_place(room, places) == cpu_count);
            for (std::uint32_t i = 0; i < places; ++i)
                ck_assert(first_cpu_of_place(room, i + 1) - first_cpu_of_place(room, i) >=
                          std::min(cpus_per_rank, cpu_count));
        }
}
END_TEST

START_TEST(turns_go_round_from_the_next_peer) {
    const std::vector<Member> six = program(6, 10);
    Place where;
    ck_assert(place(six.data(), 6, 14, {2, 1}, where));
    ck_assert(where.first_cpu == 1 && where.width == 1 && where.peer_count == 2);
    ck_assert(where.peers[0] == 15 && where.peers[1] == 13);
}
END_TEST

START_TEST(programs_of_a_job_stand_in_one_line) {
    std::vector<Member> members = program(2, 0);
    for (const Member &member : program(2, 2))
        members.push_back(member);
    ck_assert((cpus_of(members, 2) == std::vector<std::uint32_t>{0, 0, 1, 1}));
    for (const Member &member : program(1, 4))
        members.push_back(member);
    ck_assert((cpus_of(members, 5) == std::vector<std::uint32_t>{1, 2, 3, 4, 0}));
}
END_TEST

START_TEST(ranks_still_to_come_have_their_place) {
    const std::vector<Member> first_and_last = {{0, {0, 8}}, {1, {7, 8}}};
    ck_assert((cpus_of(first_and_last, 2) == std::vector<std::uint32_t>{0, 1}));
}
END_TEST

START_TEST(somebody_without_a_slot_has_no_place) {
    const std::vector<Member> two = program(2);
    Place where;
    ck_assert(!place(two.data(), 2, 5, {1, 1}, where));
    ck_assert(!place(two.data(), 0, 0, {1, 1}, where));
}
END_TEST

START_TEST(a_full_page_of_lies_stays_in_bounds) {
    std::vector<Member> members;
    for (std::uint32_t slot = 0; slot < VMALL_RUNTIME_SLOTS; ++slot)
        members.push_back({slot, {0, VMALL_RUNTIME_SLOTS}});
    Place where;
    ck_assert(place(members.data(), VMALL_RUNTIME_SLOTS, 1023, {3, 1}, where));
    ck_assert(where.first_cpu < 3 && where.peer_count < VMALL_RUNTIME_SLOTS);
}
END_TEST

struct ShareCase {
    vmall_coscheduling coscheduling;
    bool placed, takes_turns, yields;
};

const ShareCase share_cases[] = {
    {VMALL_COSCHEDULING_SELF, true, true, true},
    {VMALL_COSCHEDULING_NONE, false, false, false},
};

START_TEST(what_a_rank_shares_is_as_the_rules_say) {
    const ShareCase &row = share_cases[_i];
    Share share{};
    ck_assert(!share.placed() && !share.takes_turns() && !share.yields());
    share.way = way_of(row.coscheduling);
    ck_assert(!share.placed() && !share.takes_turns() && !share.yields());
    share.folded = share.overclaimed = true;
    ck_assert(share.placed() == row.placed);
    ck_assert(share.takes_turns() == row.takes_turns);
    ck_assert(share.yields() == row.yields);
}
END_TEST

START_TEST(no_job_can_have_what_is_only_measured) {
    ck_assert(way_of(VMALL_COSCHEDULING_NONE + 1) == nullptr);
    for (const std::uint32_t way :
         {vmall::bench::coscheduling_busy, vmall::bench::coscheduling_spin,
          vmall::bench::coscheduling_periodic_boost})
        ck_assert(way_of(way) == nullptr);
}
END_TEST

START_TEST(pauses_are_the_same_for_all_and_short) {
    const std::uint64_t start = 1'790'000'000 * std::uint64_t{1'000'000'000}; // any second
    ck_assert_uint_eq(left_of_pause(start), 1'000'000);
    ck_assert_uint_eq(left_of_pause(start + 400'000), 600'000);
    ck_assert_uint_eq(left_of_pause(start + 1'000'000), 0);
    ck_assert_uint_eq(left_of_pause(start + 49'999'999), 0);
    ck_assert_uint_eq(left_of_pause(start + 50'000'000), 1'000'000);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("parts");
    tcase_add_test(tests, a_kernel_that_cannot_wait_for_two_words_is_asked_once);
    tcase_add_loop_test(tests, tasks_of_a_node_in_slurms_notation, 0,
                        sizeof tasks_cases / sizeof *tasks_cases);
    tcase_add_loop_test(tests, ranks_share_cpus_in_blocks_of_neighbours, 0,
                        static_cast<int>(block_cases.size()));
    tcase_add_loop_test(tests, rank_on_the_node_as_the_launcher_says, 0,
                        static_cast<int>(launcher_cases.size()));
    tcase_add_test(tests, a_process_is_told_from_another_with_its_id);
    tcase_add_test(tests, a_process_that_cannot_be_looked_at_is_not_gone);
    tcase_add_test(tests, a_process_sleeps_when_all_its_threads_do);
    tcase_add_test(tests, folded_means_that_ranks_want_more_cpus_than_there_are);
    tcase_add_test(tests, places_cover_the_allotment_and_are_wide_enough);
    tcase_add_test(tests, turns_go_round_from_the_next_peer);
    tcase_add_test(tests, programs_of_a_job_stand_in_one_line);
    tcase_add_test(tests, ranks_still_to_come_have_their_place);
    tcase_add_test(tests, somebody_without_a_slot_has_no_place);
    tcase_add_test(tests, a_full_page_of_lies_stays_in_bounds);
    tcase_add_test(tests, pauses_are_the_same_for_all_and_short);
    tcase_add_test(tests, no_job_can_have_what_is_only_measured);
    tcase_add_loop_test(tests, what_a_rank_shares_is_as_the_rules_say, 0,
                        static_cast<int>(std::size(share_cases)));
    return run("libvmrt parts", tests);
}
