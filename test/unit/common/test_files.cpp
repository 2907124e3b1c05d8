// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files are read whole or not at all, and replaced whole or not at all. The owners need root.
#include "../spank_vm/temporary_directory.hpp"
#include "common/files.hpp"
#include "run.hpp"

#include <system_error>
#include <unistd.h>

using namespace vmall::common;

namespace {

constexpr uid_t somebody = 65534;

mode_t mode_of(const std::string &path) {
    struct stat status;
    ck_assert_int_eq(lstat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

START_TEST(a_file_is_replaced_whole) {
    const TemporaryDirectory directory;
    const std::string path = directory / "state";
    ck_assert(!read_file(path, 100));
    for (const Survives survives : {Survives::crash_of_ours, Survives::loss_of_power}) {
        replace_file(path, "a longer one", 0600, survives);
        replace_file(path, "two", 0600, survives);
        ck_assert_text(read_file(path, 100).value(), "two");
    }
    ck_assert_int_eq(mode_of(path), 0600);
    ck_assert(!std::filesystem::exists(path + ".new"));
}
END_TEST

START_TEST(a_mode_is_set_whatever_the_umask) {
    const TemporaryDirectory directory;
    const mode_t before = umask(0077);
    replace_file(directory.open(), "state", "x", 0644);
    umask(before);
    ck_assert_int_eq(mode_of(directory / "state"), 0644);
}
END_TEST

START_TEST(what_cannot_be_replaced_stays) {
    const TemporaryDirectory directory;
    const std::string path = directory / "state";
    write_content(path, "one");
    ck_assert_int_eq(symlink("/dev/null", (path + ".new").c_str()), 0);
    const auto replace = [](const std::string &file) {
        return refusal<std::system_error>(
            [&] { replace_file(file, "two", 0600, Survives::loss_of_power); });
    };
    ck_assert_contains(replace(path), path);
    ck_assert_text(content_of(path), "one");
    ck_assert_contains(replace(directory / "missing/state"), "missing/state");
}
END_TEST

START_TEST(a_file_is_not_read_beyond_its_bound) {
    const TemporaryDirectory directory;
    const std::string path = directory / "state";
    for (const std::size_t size : {0, 1, 65535, 65536, 65537, 200000}) {
        const std::string content(size, 'x');
        write_content(path, content);
        ck_assert(read_file(path, size) == content);
        ck_assert(read_file(path, size + 1) == content);
        if (size > 0)
            ck_assert_contains(refusal<std::system_error>([&] { read_file(path, size - 1); }),
                               path);
    }
    ck_assert_contains(refusal<std::system_error>([&] { read_file(directory.path(), 100); }),
                       directory.path());
}
END_TEST

START_TEST(nobody_is_waited_for) {
    const TemporaryDirectory directory;
    ck_assert_int_eq(mkfifo((directory / "state").c_str(), 0600), 0);
    ck_assert_text(read_file(directory / "state", 100).value(), "");
    ck_assert_contains(
        refusal<std::runtime_error>([&] { read_own_file(directory.open(), "state", 100); }),
        "only root");
}
END_TEST

START_TEST(a_file_that_is_not_roots_is_not_read) {
    const TemporaryDirectory directory;
    const std::string path = directory / "state";
    const auto answer = [&] {
        return refusal<std::exception>([&] { read_own_file(directory.open(), "state", 100); });
    };
    ck_assert_contains(answer(), "No such file");
    replace_file(directory.open(), "state", std::string(101, 'x'));
    ck_assert_contains(answer(), "too large");
    replace_file(directory.open(), "state", "x");
    ck_assert_text(read_own_file(directory.open(), "state", 100), "x");
    ck_assert_int_eq(chmod(path.c_str(), 0620), 0);
    ck_assert_contains(answer(), "only root");
    ck_assert_int_eq(chmod(path.c_str(), 0600), 0);
    ck_assert_int_eq(chown(path.c_str(), somebody, somebody), 0);
    ck_assert_contains(answer(), "only root");
    std::filesystem::remove(path);
    ck_assert_int_eq(symlink("/etc/passwd", path.c_str()), 0);
    ck_assert_contains(answer(), "state");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("files");
    tcase_add_test(tests, a_file_is_replaced_whole);
    tcase_add_test(tests, a_mode_is_set_whatever_the_umask);
    tcase_add_test(tests, what_cannot_be_replaced_stays);
    tcase_add_test(tests, a_file_is_not_read_beyond_its_bound);
    tcase_add_test(tests, nobody_is_waited_for);
    tcase_add_test(tests, a_file_that_is_not_roots_is_not_read);
    return run("files", tests);
}
