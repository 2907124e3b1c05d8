// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory of a runtime page is its user's, and only as large as we make it. Needs root.
#include "run.hpp"
#include "spank_vm/node/runtime_segment.hpp"

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::spank_vm;

namespace {

constexpr uid_t user = 1234, somebody = 65534;

int id_of(std::uint32_t key) {
    return shmget(static_cast<key_t>(key), 0, 0);
}

bool is_attached(const void *memory) {
    return memory != reinterpret_cast<const void *>(-1);
}

// What a process of this user finds out.
bool as_user(uid_t uid, const std::function<bool()> &question) {
    const pid_t child = fork();
    if (child == 0)
        _exit(setgid(uid) == 0 && setuid(uid) == 0 && question() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

START_TEST(its_user_writes_what_we_read) {
    const RuntimeSegment segment(user);
    const auto page = std::make_unique<vmall_runtime_page>();
    ck_assert(read_runtime_segment(segment.key(), *page));
    struct stat pid_namespace;
    ck_assert_int_eq(stat("/proc/self/ns/pid", &pid_namespace), 0);
    ck_assert_uint_eq(page->pid_namespace, pid_namespace.st_ino);
    ck_assert_uint_eq(page->magic, 0);
    ck_assert(as_user(user, [&] {
        void *memory = shmat(id_of(segment.key()), nullptr, 0);
        if (is_attached(memory))
            std::memset(memory, 0x55, VMALL_RUNTIME_BYTES);
        return is_attached(memory);
    }));
    ck_assert(read_runtime_segment(segment.key(), *page));
    ck_assert_uint_eq(page->magic, 0x55555555);
}
END_TEST

START_TEST(nobody_else_opens_it) {
    const RuntimeSegment segment(user);
    ck_assert(as_user(somebody, [&] {
        const int id = id_of(segment.key());
        return !is_attached(shmat(id, nullptr, 0)) && !is_attached(shmat(id, nullptr, SHM_RDONLY));
    }));
}
END_TEST

START_TEST(its_user_cannot_make_it_larger) {
    const RuntimeSegment segment(user);
    ck_assert(as_user(user, [&] {
        shmid_ds status = {};
        shmctl(id_of(segment.key()), IPC_STAT, &status);
        status.shm_segsz *= 2;
        shmctl(id_of(segment.key()), IPC_SET, &status);
        return shmget(static_cast<key_t>(segment.key()), VMALL_RUNTIME_BYTES + 1, 0) < 0 &&
               errno == EINVAL;
    }));
    shmid_ds status = {};
    ck_assert_int_eq(shmctl(id_of(segment.key()), IPC_STAT, &status), 0);
    ck_assert_uint_eq(status.shm_segsz, VMALL_RUNTIME_BYTES);
}
END_TEST

START_TEST(what_is_not_kept_is_removed) {
    std::uint32_t key = 0;
    {
        const RuntimeSegment segment(user);
        key = segment.key();
        ck_assert_int_ge(id_of(key), 0);
    }
    ck_assert_int_lt(id_of(key), 0);
    {
        RuntimeSegment segment(user);
        key = segment.key();
        segment.keep();
    }
    ck_assert_int_ge(id_of(key), 0);
    remove_runtime_segment(key);
    ck_assert_int_lt(id_of(key), 0);
    remove_runtime_segment(key); // again is no error
}
END_TEST

// A job's user may remove its page, and another one take the key.
START_TEST(what_others_made_is_left_alone) {
    RuntimeSegment segment(user);
    const auto key = static_cast<key_t>(segment.key());
    ck_assert(as_user(
        user, [&] { return shmctl(id_of(segment.key()), IPC_RMID, nullptr) == 0; }));
    ck_assert(
        as_user(somebody, [&] { return shmget(key, VMALL_RUNTIME_BYTES, IPC_CREAT | 0666) >= 0; }));
    const auto page = std::make_unique<vmall_runtime_page>();
    ck_assert(!read_runtime_segment(segment.key(), *page));
    remove_runtime_segment(segment.key());
    ck_assert_int_eq(shmctl(id_of(segment.key()), IPC_RMID, nullptr), 0);
}
END_TEST

// Of a release whose page was another.
START_TEST(what_has_another_size_is_left_alone) {
    const std::uint32_t key = RuntimeSegment(user).key(); // free again
    for (const std::size_t size : {std::size_t{1}, std::size_t{VMALL_RUNTIME_BYTES} + 1}) {
        const int id = shmget(static_cast<key_t>(key), size, IPC_CREAT | IPC_EXCL | 0600);
        ck_assert_int_ge(id, 0);
        const auto page = std::make_unique<vmall_runtime_page>();
        ck_assert(!read_runtime_segment(key, *page));
        remove_runtime_segment(key);
        ck_assert_int_eq(shmctl(id, IPC_RMID, nullptr), 0);
    }
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (geteuid() != 0)
        return skipped;
    TCase *tests = tcase_create("runtime segment");
    tcase_add_test(tests, its_user_writes_what_we_read);
    tcase_add_test(tests, nobody_else_opens_it);
    tcase_add_test(tests, its_user_cannot_make_it_larger);
    tcase_add_test(tests, what_is_not_kept_is_removed);
    tcase_add_test(tests, what_others_made_is_left_alone);
    tcase_add_test(tests, what_has_another_size_is_left_alone);
    return run("memory of runtime pages", tests);
}
