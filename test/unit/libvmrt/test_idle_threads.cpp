// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranks with two threads each, on a place of two CPUs: what they compute, and whom threads that
// spin are told to. The runtime that is asked is GCC's.
#include "trial.hpp"

#include <cstdlib>

namespace {

using namespace vmall::test;

const std::string warning = "threads that have nothing to do spin";

struct Row {
    const char *what;
    const char *program;
    const char *policy, *spins, *node; // null: not set
    std::uint32_t cpus_per_rank;
    bool warned;
};

constexpr Row rows[] = {
    {"nothing is set", "hybrid_stencil", nullptr, nullptr, nullptr, 2, true},
    {"they sleep", "hybrid_stencil", "passive", nullptr, nullptr, 2, false},
    {"they sleep, in other letters", "hybrid_stencil", "PASSIVE", nullptr, nullptr, 2, false},
    {"they spin", "hybrid_cg", "active", nullptr, nullptr, 2, true},
    {"what only this runtime reads says otherwise", "hybrid_cg", "active", "0", nullptr, 2, false},
    {"they give up soon", "hybrid_stencil", "passive", "1000", nullptr, 2, false},
    {"many times a thousand", "hybrid_stencil", "passive", "1k", nullptr, 2, true},
    {"so that they spin", "hybrid_stencil", "passive", "30000", nullptr, 2, true},
    {"the first node tells", "hybrid_stencil", nullptr, nullptr, "0", 2, true},
    {"the others do not", "hybrid_stencil", nullptr, nullptr, "1", 2, false},
    {"a program without OpenMP", "stencil", "active", nullptr, nullptr, 2, false},
    {"a CPU for each rank", "hybrid_stencil", "active", nullptr, nullptr, 1, false},
};

void set(const char *name, const char *value) {
    if (value != nullptr)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

Outcome staged(const Row &row, int threads) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    stage.control().cpus_per_rank = row.cpus_per_rank;
    stage.allot({cpus[0], cpus[1]});
    set("OMP_NUM_THREADS", std::to_string(threads).c_str());
    set("OMP_WAIT_POLICY", row.policy);
    set("GOMP_SPINCOUNT", row.spins);
    set("KMP_BLOCKTIME", nullptr);
    set("SLURM_NODEID", row.node);
    return stage.start(4, {std::string(MPI_PROGRAMS "/") + row.program, "64", "5"}).wait();
}

std::size_t count(const std::string &text, const std::string &word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++found;
    return found;
}

START_TEST(a_program_is_warned_once_of_threads_that_spin) {
    const Row &row = rows[_i];
    const Outcome outcome = staged(row, 2);
    assert_succeeded(outcome);
    ck_assert_msg(count(outcome.output, warning) == row.warned, "%s: %s", row.what,
                  outcome.output.c_str());
}
END_TEST

START_TEST(threads_compute_what_one_would) {
    const Row passive{"", "hybrid_stencil", "passive", nullptr, nullptr, 2, false};
    const std::string expected = checksum(staged(passive, 1));
    for (const int threads : {2, 4})
        ck_assert_text(checksum(staged(passive, threads)), expected);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("idle threads");
    tcase_add_loop_test(tests, a_program_is_warned_once_of_threads_that_spin, 0,
                        static_cast<int>(std::size(rows)));
    tcase_add_test(tests, threads_compute_what_one_would);
    return run("libvmrt idle threads", tests);
}
