// SPDX-License-Identifier: GPL-2.0-or-later
//
// RUNTIMEDIR is used only if nobody but root can have put anything there. The owners need root.
#include "run.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/node/runtime_dir.hpp"
#include "spank_vm/node/runtime_segment.hpp"
#include "temporary_directory.hpp"

#include <csignal>
#include <optional>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::spank_vm;

namespace {

constexpr uid_t somebody = 65534;

std::string refused(const std::string &path) {
    return refusal<std::exception>([&] { const RuntimeDir opened(path); });
}

mode_t mode_of(const std::string &path) {
    struct stat status;
    ck_assert_int_eq(lstat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

START_TEST(missing_directories_are_made_whatever_the_umask) {
    const TemporaryDirectory directory;
    const mode_t before = umask(0077);
    const RuntimeDir runtime(directory / "a/b");
    runtime.job(5);
    umask(before);
    for (const char *made : {"a", "a/b", "a/b/5"})
        ck_assert_int_eq(mode_of(directory / made), 0755);
}
END_TEST

START_TEST(another_owner_is_refused) {
    const TemporaryDirectory directory;
    std::filesystem::create_directories(directory / "a/b");
    ck_assert_int_eq(chown((directory / "a").c_str(), somebody, somebody), 0);
    ck_assert_contains(refused(directory / "a/b"), "belongs to user 65534");
}
END_TEST

START_TEST(a_directory_that_others_can_write_is_refused) {
    const TemporaryDirectory directory;
    for (const mode_t mode : {0775, 0757, 01777}) {
        std::filesystem::create_directories(directory / "a");
        ck_assert_int_eq(chmod((directory / "a").c_str(), mode), 0);
        ck_assert_contains(refused(directory / "a"), "can be written by others");
    }
    ck_assert_int_eq(chmod((directory / "a").c_str(), 0777), 0);
    ck_assert_contains(refused(directory / "a/b"), "can be written by others");
}
END_TEST

START_TEST(a_symbolic_link_on_the_way_is_refused) {
    const TemporaryDirectory directory;
    std::filesystem::create_directories(directory / "real/b");
    std::filesystem::create_symlink("real", directory / "link");
    ck_assert_contains(refused(directory / "link/b"), "link as a directory");
    ck_assert_contains(refused(directory / "link"), "link as a directory");
    ck_assert_contains(refused(directory / "real/../real/b"), "..");
}
END_TEST

START_TEST(a_jobs_directory_that_is_not_ours_is_refused) {
    const TemporaryDirectory directory;
    const RuntimeDir runtime(directory / "run");
    std::filesystem::create_symlink("/tmp", directory / "run/5");
    ck_assert_contains(refusal<std::exception>([&] { runtime.job(5); }), "run/5");
    std::filesystem::create_directory(directory / "run/6");
    ck_assert_int_eq(chown((directory / "run/6").c_str(), somebody, somebody), 0);
    ck_assert_contains(refusal<std::exception>([&] { runtime.job(6); }), "belongs to user");
    ck_assert_contains(refusal<std::exception>([&] { runtime.remove_job(5); }), "run/5");
    ck_assert(std::filesystem::exists("/tmp"));
}
END_TEST

START_TEST(only_job_numbers_are_jobs) {
    const TemporaryDirectory directory;
    const RuntimeDir runtime(directory / "run");
    runtime.job(12);
    for (const char *name : {"agent.sock", "012", "-1", "12x", "99999999999"})
        write_content(directory / (std::string("run/") + name), "");
    ck_assert(runtime.job_ids() == std::vector<std::uint32_t>{12});
}
END_TEST

// Whether a process that we fork can have the directory as well.
bool child_can_claim(const std::string &path) {
    const pid_t child = fork();
    if (child == 0)
        _exit(RuntimeDir(path).claim() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

START_TEST(one_process_at_a_time_has_the_directory) {
    const TemporaryDirectory directory;
    RuntimeDir runtime(directory / "run");
    ck_assert(child_can_claim(directory / "run")); // and lost it as it ended
    ck_assert(runtime.claim());
    ck_assert(runtime.claim()); // again is no error
    ck_assert_int_eq(mode_of(directory / "run/agent.lock"), 0600);
    RuntimeDir moved(std::move(runtime));
    ck_assert(!child_can_claim(directory / "run"));
    moved = RuntimeDir(directory / "other");
    ck_assert(child_can_claim(directory / "run"));
}
END_TEST

START_TEST(a_child_does_not_keep_the_directory) {
    const TemporaryDirectory directory;
    std::optional<RuntimeDir> runtime(directory / "run");
    ck_assert(runtime->claim());
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    runtime.reset();
    ck_assert(child_can_claim(directory / "run"));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}
END_TEST

START_TEST(a_removed_job_leaves_nothing) {
    const TemporaryDirectory directory;
    const RuntimeDir runtime(directory / "run");
    write_content(directory / "run/12/state", "x");
    RuntimeSegment page(somebody);
    ControlFile::create(runtime.job(12), 12, {0, 1, 1, false, {0}}, page.key());
    page.keep();
    runtime.remove_job(12);
    runtime.remove_job(12); // again is no error
    ck_assert(std::filesystem::is_empty(directory / "run"));
    ck_assert_int_eq(shmget(static_cast<key_t>(page.key()), 0, 0), -1);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (geteuid() != 0)
        return skipped;
    TCase *tests = tcase_create("runtime directory");
    tcase_add_test(tests, missing_directories_are_made_whatever_the_umask);
    tcase_add_test(tests, another_owner_is_refused);
    tcase_add_test(tests, a_directory_that_others_can_write_is_refused);
    tcase_add_test(tests, a_symbolic_link_on_the_way_is_refused);
    tcase_add_test(tests, a_jobs_directory_that_is_not_ours_is_refused);
    tcase_add_test(tests, only_job_numbers_are_jobs);
    tcase_add_test(tests, one_process_at_a_time_has_the_directory);
    tcase_add_test(tests, a_child_does_not_keep_the_directory);
    tcase_add_test(tests, a_removed_job_leaves_nothing);
    return run("runtime_dir", tests);
}
