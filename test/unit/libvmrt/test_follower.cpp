// SPDX-License-Identifier: GPL-2.0-or-later
//
// The allotment is followed whatever a rank is doing, and whoever changes where it may run.
#include "trial.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sched.h>

using namespace vmall::test;

namespace {

const std::vector<std::string> outside{MPI_PROGRAMS "/outside"};

// Ranks in the order of their numbers.
std::vector<pid_t> ranks_in_order(Stage &stage) {
    std::vector<pid_t> found;
    for (std::uint32_t rank = 0; rank < VMALL_RUNTIME_SLOTS; ++rank)
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            if (slot.owner != 0 && slot.local_rank == rank)
                found.push_back(static_cast<pid_t>(slot.owner >> 32));
    return found;
}

std::vector<pid_t> children(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) +
                       "/children");
    std::vector<pid_t> found;
    for (pid_t child; file >> child;)
        found.push_back(child);
    return found;
}

// The threads of ours that follow the allotment.
std::vector<pid_t> followers(pid_t process) {
    std::vector<pid_t> found;
    for (const auto &entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        std::string name;
        std::ifstream(entry.path() / "comm") >> name;
        if (name == "vmrt")
            found.push_back(std::stoi(entry.path().filename()));
    }
    return found;
}

bool may_use(pid_t thread, std::uint16_t cpu) {
    cpu_set_t set;
    return sched_getaffinity(thread, sizeof set, &set) == 0 && CPU_ISSET(cpu, &set);
}

// Children end when they are told to, and then the ranks come back.
void assert_comes_back(Program &program, const std::vector<pid_t> &ranks) {
    ck_assert(!program.has_ended());
    for (const pid_t rank : ranks)
        for (const pid_t child : children(rank))
            ck_assert(kill(child, SIGKILL) == 0);
    assert_succeeded(program.wait());
}

// The ranks are outside of MPI when each has its child.
std::vector<pid_t> await_outside(Stage &stage, std::size_t count) {
    await_ranks(stage, count);
    const std::vector<pid_t> ranks = ranks_in_order(stage);
    ck_assert_uint_eq(ranks.size(), count);
    const auto all_have_children = [&] {
        for (const pid_t rank : ranks)
            if (children(rank).empty())
                return false;
        return true;
    };
    ck_assert_msg(comes_true(all_have_children), "the ranks did not get out of MPI");
    return ranks;
}

START_TEST(ranks_that_compute_sleep_or_run_threads_outside_of_mpi_are_moved) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    const Cpus few{cpus[0]}, many{cpus[0], cpus[1]};
    Program program = stage.start(6, outside);
    const std::vector<pid_t> ranks = await_outside(stage, 6);
    for (const Cpus &target : {few, many, few, Cpus{cpus[1]}, many}) {
        stage.allot(target);
        // Blocks of neighbours: the first half on the first CPU.
        ck_assert(comes_true([&] {
            for (std::size_t i = 0; i < ranks.size(); ++i)
                if (!may_use(ranks[i], target[i * target.size() / ranks.size()]))
                    return false;
            return all_inside(ranks, target);
        }));
    }
    assert_comes_back(program, ranks);
}
END_TEST

START_TEST(children_start_inside_the_allotment) {
    Stage stage;
    const Cpus few{usable_cpus()[1]};
    stage.allot(few);
    Program program = stage.start(3, outside);
    const std::vector<pid_t> ranks = await_outside(stage, 3);
    for (const pid_t rank : ranks)
        ck_assert(all_inside(children(rank), few));
    assert_comes_back(program, ranks);
}
END_TEST

START_TEST(what_runs_without_mpi_has_no_thread_of_ours) {
    Stage stage;
    Program program = stage.start(3, outside);
    const std::vector<pid_t> ranks = await_outside(stage, 3);
    for (const pid_t rank : ranks) {
        ck_assert_uint_eq(followers(rank).size(), 1);
        for (const pid_t child : children(rank))
            ck_assert(followers(child).empty());
    }
    ck_assert(followers(program.pid()).empty());
    assert_comes_back(program, ranks);
}
END_TEST

// As a cpuset does that shrinks.
void confine(pid_t process, const Cpus &cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const std::uint16_t cpu : cpus)
        CPU_SET(cpu, &set);
    for (const auto &entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"))
        ck_assert(sched_setaffinity(std::stoi(entry.path().filename()), sizeof set, &set) == 0);
}

bool all_follow(const std::vector<pid_t> &ranks, std::uint16_t cpu) {
    for (const pid_t rank : ranks)
        for (const pid_t follower : followers(rank))
            if (!may_use(follower, cpu))
                return false;
    return true;
}

START_TEST(cpus_that_somebody_takes_away_are_left) {
    Stage stage;
    const Cpus cpus = usable_cpus(), left{cpus[0]};
    stage.allot(left);
    Program program = stage.start(4, ring(endless, 1));
    await_ranks(stage, 4);
    const std::vector<pid_t> ranks = stage.ranks();
    ck_assert(comes_true([&] { return all_inside(ranks, left); }));
    stage.allot({cpus[0], cpus[1]});
    const auto somebody_avoids_it = [&] {
        for (const pid_t rank : ranks)
            if (!may_use(rank, left[0]))
                return true;
        return false;
    };
    const auto ranks_on = [&](std::uint16_t cpu) {
        std::size_t there = 0;
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            there += slot.owner != 0 && slot.cpu_plus_1 == cpu + 1u;
        return there;
    };
    // A follower that has not gone yet where it is allotted would undo what we do: it goes last.
    ck_assert(comes_true([&] {
        return ranks_on(cpus[0]) == 2 && ranks_on(cpus[1]) == 2 && all_follow(ranks, cpus[1]);
    }));
    for (const pid_t rank : ranks)
        confine(rank, left);
    // Inside, and in one queue: all share the CPU that is left.
    ck_assert(comes_true([&] { return ranks_on(left[0]) == 4 && all_inside(ranks, left); }));
    std::this_thread::sleep_for(1500ms);
    ck_assert_msg(all_inside(ranks, left), "somebody went back");
    stage.allot({cpus[0], cpus[1]});
    ck_assert(comes_true(somebody_avoids_it));
}
END_TEST

START_TEST(a_thread_that_leaves_the_place_is_brought_back) {
    Stage stage;
    const Cpus cpus = usable_cpus(), few{cpus[0]};
    stage.allot(few);
    Program program = stage.start(3, outside);
    const std::vector<pid_t> ranks = await_outside(stage, 3);
    cpu_set_t elsewhere;
    CPU_ZERO(&elsewhere);
    CPU_SET(cpus[1], &elsewhere);
    ck_assert(sched_setaffinity(ranks[0], sizeof elsewhere, &elsewhere) == 0);
    ck_assert(comes_true([&] { return runs_inside(ranks[0], few); }));
    assert_comes_back(program, ranks);
}
END_TEST

START_TEST(ranks_that_start_while_the_agent_writes_learn_their_allotment) {
    Stage stage;
    const Cpus few{usable_cpus()[0]};
    stage.allot(few);
    ++stage.control().sequence;
    Program program = stage.start(3, ring(endless, 1));
    await_ranks(stage, 3);
    std::this_thread::sleep_for(200ms);
    const auto placed = [&] {
        std::size_t count = 0;
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            count += slot.owner != 0 && slot.cpu_plus_1 == few[0] + 1u;
        return count;
    };
    ck_assert_uint_eq(placed(), 0);
    ++stage.control().sequence; // and the agent dies before it wakes anybody
    ck_assert(comes_true([&] { return placed() == 3 && all_inside(stage.ranks(), few); }));
}
END_TEST

START_TEST(ranks_of_two_cpus_share_both) {
    Stage stage;
    const Cpus cpus = usable_cpus(), both{cpus[0], cpus[1]};
    stage.control().cpus_per_rank = 2;
    stage.allot(both);
    Program program = stage.start(3, outside);
    const std::vector<pid_t> ranks = await_outside(stage, 3);
    ck_assert(comes_true([&] {
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            if (slot.owner != 0 && slot.cpu_plus_1 != cpus[0] + 1u)
                return false;
        return true;
    }));
    for (const pid_t rank : ranks)
        ck_assert(may_use(rank, cpus[0]) && may_use(rank, cpus[1]));
    assert_comes_back(program, ranks);
}
END_TEST

START_TEST(ranks_of_two_cpus_compute_what_they_should) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    stage.control().cpus_per_rank = 2;
    stage.allot({cpus[0], cpus[1]});
    run_right(stage, 4, 3000, 1);
    // All took turns on the place's first CPU.
    ck_assert_uint_gt(turns_given_on(stage, cpus[0]), 3000);
    ck_assert_uint_eq(turns_given_on(stage, cpus[1]), 0);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("follower");
    tcase_add_test(tests, ranks_that_compute_sleep_or_run_threads_outside_of_mpi_are_moved);
    tcase_add_test(tests, children_start_inside_the_allotment);
    tcase_add_test(tests, what_runs_without_mpi_has_no_thread_of_ours);
    tcase_add_test(tests, cpus_that_somebody_takes_away_are_left);
    tcase_add_test(tests, a_thread_that_leaves_the_place_is_brought_back);
    tcase_add_test(tests, ranks_that_start_while_the_agent_writes_learn_their_allotment);
    tcase_add_test(tests, ranks_of_two_cpus_share_both);
    tcase_add_test(tests, ranks_of_two_cpus_compute_what_they_should);
    return run("libvmrt follower", tests);
}
