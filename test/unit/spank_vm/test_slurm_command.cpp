// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's commands, and what squeue says of jobs that may have ended.
#include "run.hpp"
#include "spank_vm/agent/job_limit.hpp"
#include "spank_vm/agent/leftovers.hpp"
#include "spank_vm/agent/slurm_command.hpp"
#include "temporary_directory.hpp"

#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

using namespace vmall;
using agent::Said;

namespace {

constexpr std::chrono::seconds long_enough(60);

Said run_command(const std::string &path, std::vector<std::string> arguments,
                 std::chrono::seconds patience) {
    return agent::run_command(path, std::move(arguments), patience, agent::Stopping());
}

START_TEST(command_gets_its_words_as_they_are) {
    const auto said = run_command("/bin/echo", {"a b", "$HOME", ";x"}, long_enough);
    ck_assert_text(said.text, "a b $HOME ;x\n");
    ck_assert_int_eq(said.status, 0);
}
END_TEST

START_TEST(errors_are_told) {
    const auto said = run_command("/bin/sh", {"-c", "echo wrong >&2; exit 3"}, long_enough);
    ck_assert_text(said.text, "wrong\n");
    ck_assert_int_eq(said.status, 3);
}
END_TEST

START_TEST(who_takes_too_long_is_killed) {
    try {
        run_command("/bin/sleep", {"600"}, std::chrono::seconds(0));
        ck_abort();
    } catch (const agent::CutOff &error) {
        ck_assert_text(std::string(error.what()), "/bin/sleep takes longer than 0 s");
    }
}
END_TEST

START_TEST(nobody_waits_who_is_stopping) {
    agent::Stopping stopping;
    ck_assert(!stopping.wait_for(std::chrono::milliseconds(0)));
    std::thread other([&] { stopping.begin(); });
    try {
        agent::run_command("/bin/sleep", {"600"}, long_enough * 10, stopping);
        ck_abort();
    } catch (const agent::CutOff &error) {
        ck_assert_contains(std::string(error.what()), "the agent stops");
    }
    other.join();
    ck_assert(stopping.wait_for(long_enough));
}
END_TEST

struct LimitCase {
    const char *answer;
    int minutes; // 0: no limit
    const char *name;
};
constexpr LimitCase limit_rows[] = {
    {"7 7 5:00 n1\n", 5, "7"},
    {"7 7 1-01:00:00 n[3-4]\n", 25 * 60, "7"},
    {"7 7 UNLIMITED n1\n", 0, "7"},
    {"7 7 INVALID n1\n", 0, "7"},
    {"5 5_1 9:00 n1\n7 5_3 1:00:00 n1\n", 60, "5_3"},
};

START_TEST(limit_is_that_of_the_job_itself) {
    const auto limit = agent::limit_by(limit_rows[_i].answer, 7).value();
    ck_assert_int_eq(limit.minutes.value_or(0), limit_rows[_i].minutes);
    ck_assert_text(limit.name, limit_rows[_i].name);
    ck_assert_text(limit.first_node, _i == 1 ? "n3" : "n1");
}
END_TEST

START_TEST(who_has_ended_has_no_limit_and_who_is_not_told_none_that_we_know) {
    ck_assert(!agent::limit_by("", 7));
    ck_assert(!agent::limit_by("slurm_load_jobs error: Invalid job id specified\n", 7));
    try {
        agent::limit_by("slurm_load_jobs error: Unable to contact slurm controller\n", 7);
        ck_abort();
    } catch (const std::runtime_error &error) {
        ck_assert_contains(std::string(error.what()), "Unable to contact");
    }
}
END_TEST

START_TEST(commands_are_of_the_same_installation) {
    const TemporaryDirectory prefix;
    std::filesystem::create_directories(prefix / "bin");
    std::filesystem::create_directories(prefix / "sbin");
    write_content(prefix / "sbin/squeue", "");
    const std::string daemon = prefix / "sbin/slurmd";
    ck_assert_text(agent::path_of_command(daemon, "squeue"), prefix / "sbin/squeue");
    write_content(prefix / "bin/squeue", "");
    ck_assert_text(agent::path_of_command(daemon, "squeue"), prefix / "bin/squeue");
}
END_TEST

struct EndCase {
    const char *answer;
    bool has_ended;
};
constexpr EndCase rows[] = {
    {"7 RUNNING\n", false},
    {"7 COMPLETING\n", false},
    {"7 PENDING\n", false},
    {"7 COMPLETED\n", true},
    {"8 COMPLETED\n7 RUNNING\n", false},
    {"8 RUNNING\n7 OUT_OF_MEMORY\n", true},
    {"slurm_load_jobs error: Invalid job id specified\n", true},
    {"slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", false},
    {"", false},
};

START_TEST(only_who_is_said_to_have_ended_has) {
    ck_assert_msg(agent::has_ended_by(rows[_i].answer, 7) == rows[_i].has_ended, "%s",
                  rows[_i].answer);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("slurm_command");
    tcase_add_test(tests, command_gets_its_words_as_they_are);
    tcase_add_test(tests, errors_are_told);
    tcase_add_test(tests, who_takes_too_long_is_killed);
    tcase_add_test(tests, nobody_waits_who_is_stopping);
    tcase_add_loop_test(tests, limit_is_that_of_the_job_itself, 0,
                        static_cast<int>(std::size(limit_rows)));
    tcase_add_test(tests, who_has_ended_has_no_limit_and_who_is_not_told_none_that_we_know);
    tcase_add_test(tests, commands_are_of_the_same_installation);
    tcase_add_loop_test(tests, only_who_is_said_to_have_ended_has, 0,
                        static_cast<int>(std::size(rows)));
    return run("slurm_command", tests);
}
