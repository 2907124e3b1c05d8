// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pure parts of the in-job runtime: who shares which CPU, and what a launcher says.
#include "libvmrt/placement.hpp"
#include "run.hpp"

#include <unistd.h>
#include <utility>
#include <vector>

using namespace vmall::runtime;

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

std::vector<Member> program(std::uint32_t size, std::uint32_t first_slot = 0) {
    std::vector<Member> members;
    for (std::uint32_t rank = 0; rank < size; ++rank)
        members.push_back({first_slot + rank, {rank, size}});
    return members;
}

std::vector<std::uint32_t> cpus_of(const std::vector<Member> &members, std::uint32_t cpu_count) {
    std::vector<std::uint32_t> cpus;
    Place where;
    for (const Member &member : members) {
        ck_assert(place(members.data(), static_cast<std::uint32_t>(members.size()), member.slot,
                        cpu_count, where));
        cpus.push_back(where.cpu);
    }
    return cpus;
}

struct BlockCase {
    std::uint32_t ranks, cpus;
    std::vector<std::uint32_t> expected;
};

const std::vector<BlockCase> block_cases = {
    {4, 1, {0, 0, 0, 0}},
    {4, 2, {0, 0, 1, 1}},
    {3, 2, {0, 0, 1}},
    {5, 2, {0, 0, 0, 1, 1}},
    {8, 3, {0, 0, 0, 1, 1, 1, 2, 2}},
    {2, 4, {0, 2}},
};

START_TEST(ranks_share_cpus_in_blocks_of_neighbours) {
    const BlockCase &row = block_cases[static_cast<std::size_t>(_i)];
    ck_assert(cpus_of(program(row.ranks), row.cpus) == row.expected);
}
END_TEST

START_TEST(folded_means_more_ranks_than_cpus) {
    const std::vector<Member> four = program(4);
    Place where;
    for (std::uint32_t cpu_count = 1; cpu_count <= 5; ++cpu_count) {
        ck_assert(place(four.data(), 4, 0, cpu_count, where));
        ck_assert(where.folded == (cpu_count < 4));
    }
}
END_TEST

START_TEST(turns_go_round_from_the_next_peer) {
    const std::vector<Member> six = program(6, 10);
    Place where;
    ck_assert(place(six.data(), 6, 14, 2, where));
    ck_assert(where.cpu == 1 && where.peer_count == 2);
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
    ck_assert(!place(two.data(), 2, 5, 1, where));
    ck_assert(!place(two.data(), 0, 0, 1, where));
}
END_TEST

START_TEST(a_full_page_of_lies_stays_in_bounds) {
    std::vector<Member> members;
    for (std::uint32_t slot = 0; slot < VMALL_RUNTIME_SLOTS; ++slot)
        members.push_back({slot, {0, VMALL_RUNTIME_SLOTS}});
    Place where;
    ck_assert(place(members.data(), VMALL_RUNTIME_SLOTS, 1023, 3, where));
    ck_assert(where.cpu < 3 && where.peer_count < VMALL_RUNTIME_SLOTS);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("parts");
    tcase_add_loop_test(tests, tasks_of_a_node_in_slurms_notation, 0,
                        sizeof tasks_cases / sizeof *tasks_cases);
    tcase_add_loop_test(tests, ranks_share_cpus_in_blocks_of_neighbours, 0,
                        static_cast<int>(block_cases.size()));
    tcase_add_loop_test(tests, rank_on_the_node_as_the_launcher_says, 0,
                        static_cast<int>(launcher_cases.size()));
    tcase_add_test(tests, a_process_is_told_from_another_with_its_id);
    tcase_add_test(tests, folded_means_more_ranks_than_cpus);
    tcase_add_test(tests, turns_go_round_from_the_next_peer);
    tcase_add_test(tests, programs_of_a_job_stand_in_one_line);
    tcase_add_test(tests, ranks_still_to_come_have_their_place);
    tcase_add_test(tests, somebody_without_a_slot_has_no_place);
    tcase_add_test(tests, a_full_page_of_lies_stays_in_bounds);
    return run("libvmrt parts", tests);
}
