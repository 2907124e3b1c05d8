// SPDX-License-Identifier: GPL-2.0-or-later
//
// A rank maps only what root made for it. The owners need root.
#include "../spank_vm/temporary_directory.hpp"
#include "libvmrt/mapped_file.hpp"
#include "run.hpp"

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

using namespace vmall::runtime;

namespace {

constexpr uid_t somebody = 4711;
constexpr std::size_t bytes = 4096;
constexpr key_t key = 0x564d5401;

START_TEST(a_file_is_roots_alone_and_long_enough) {
    const TemporaryDirectory directory;
    const std::string path = directory / "file";
    std::ofstream(path) << std::string(bytes, 'x');
    ck_assert(map_file(path.c_str(), bytes));
    ck_assert(!map_file(path.c_str(), bytes + 1));
    ck_assert_int_eq(chmod(path.c_str(), 0620), 0);
    ck_assert(!map_file(path.c_str(), bytes));
    ck_assert_int_eq(chmod(path.c_str(), 0600), 0);
    ck_assert_int_eq(chown(path.c_str(), somebody, somebody), 0);
    ck_assert(!map_file(path.c_str(), bytes));
}
END_TEST

void *attached_if_made_by(uid_t user, int mode, std::size_t wanted) {
    ck_assert_int_eq(seteuid(user), 0);
    const int id = shmget(key, bytes, IPC_CREAT | IPC_EXCL | mode);
    ck_assert_int_eq(seteuid(0), 0);
    ck_assert_int_ge(id, 0);
    shmid_ds status = {};
    ck_assert_int_eq(shmctl(id, IPC_STAT, &status), 0);
    status.shm_perm.uid = 0; // given to us
    ck_assert_int_eq(shmctl(id, IPC_SET, &status), 0);
    void *memory = attach_segment(key, wanted);
    ck_assert_int_eq(shmctl(id, IPC_RMID, nullptr), 0);
    return memory;
}

START_TEST(a_segment_is_made_by_root_for_us_alone_and_long_enough) {
    ck_assert(attached_if_made_by(0, 0600, bytes));
    ck_assert(!attached_if_made_by(0, 0600, bytes + 1));
    ck_assert(!attached_if_made_by(0, 0660, bytes));
    ck_assert(!attached_if_made_by(somebody, 0600, bytes));
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (geteuid() != 0)
        return skipped;
    TCase *tests = tcase_create("mapped file");
    tcase_add_test(tests, a_file_is_roots_alone_and_long_enough);
    tcase_add_test(tests, a_segment_is_made_by_root_for_us_alone_and_long_enough);
    return run("mapped file", tests);
}
