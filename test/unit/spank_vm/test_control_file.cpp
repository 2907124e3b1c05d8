// SPDX-License-Identifier: GPL-2.0-or-later
//
// The control block's file: what is written is read, never half of it, and nothing damaged is
// believed.
#include "run.hpp"
#include "spank_vm/node/control_file.hpp"
#include "temporary_directory.hpp"

#include <atomic>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace vmall::spank_vm;

namespace {

constexpr std::uint32_t job_id = 7;

Published one_cpu(std::uint16_t cpu, vmall::wire::Generation generation) {
    return {generation, 4, 1, false, {cpu}};
}

START_TEST(what_is_written_is_read) {
    const TemporaryDirectory directory;
    ControlFile file = ControlFile::create(directory.open(), job_id, one_cpu(3, 0));
    const vmall::config::RuntimeSettings runtime = {VMALL_COSCHEDULING_NONE, VMALL_NEXT_SENDER,
                                                    VMALL_QUEUES_KERNEL};
    file.write({9, 2, 4, true, {1, 5, 2}, runtime, 3, 12});
    const ControlFile reader = ControlFile::open_read_only(directory / "control", job_id);
    const Published content = reader.read();
    ck_assert_uint_eq(content.generation, 9);
    ck_assert_uint_eq(content.mpl, 2);
    ck_assert_uint_eq(content.core_count, 4);
    ck_assert(content.overclaimed);
    ck_assert(content.cpus == (std::vector<std::uint16_t>{1, 5, 2}));
    ck_assert_int_eq(content.runtime.coscheduling, runtime.coscheduling);
    ck_assert_int_eq(content.runtime.next_rank, runtime.next_rank);
    ck_assert_int_eq(content.runtime.run_queues, runtime.run_queues);
    ck_assert_uint_eq(content.cpus_per_rank, 3);
    ck_assert_uint_eq(content.node_count, 12);
}
END_TEST

START_TEST(others_can_read_it_and_not_write_it) {
    const TemporaryDirectory directory;
    const mode_t before = umask(0077);
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    umask(before);
    struct stat status;
    ck_assert_int_eq(stat((directory / "control").c_str(), &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0644);
}
END_TEST

// The generation and all CPUs always change together: a mixture of two writes shows.
START_TEST(a_reader_never_sees_half_a_write) {
    const TemporaryDirectory directory;
    const auto all_alike = [](unsigned i) {
        const auto cpu = static_cast<std::uint16_t>(i % VMALL_CONTROL_MAX_CPUS);
        return Published{i, 1, 1, false, std::vector<std::uint16_t>(VMALL_CONTROL_MAX_CPUS, cpu)};
    };
    ControlFile writer = ControlFile::create(directory.open(), job_id, all_alike(0));
    const ControlFile reader = ControlFile::open_read_only(directory / "control", job_id);
    std::atomic<bool> done(false);
    std::thread writing([&] {
        for (unsigned i = 1; i <= 500000; ++i)
            writer.write(all_alike(i));
        done = true;
    });
    while (!done) {
        const Published seen = reader.read();
        for (const std::uint16_t cpu : seen.cpus)
            ck_assert_msg(cpu == seen.generation % VMALL_CONTROL_MAX_CPUS, "torn at %llu",
                          static_cast<unsigned long long>(seen.generation));
    }
    writing.join();
}
END_TEST

START_TEST(a_write_wakes_whoever_waits) {
    const TemporaryDirectory directory;
    ControlFile writer = ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    const int fd = open((directory / "control").c_str(), O_RDONLY);
    auto *block = static_cast<vmall_control_block *>(
        mmap(nullptr, sizeof(vmall_control_block), PROT_READ, MAP_SHARED, fd, 0));
    close(fd);
    const std::uint32_t before = block->sequence;
    const auto sleeps = [&](pid_t thread) {
        const std::string stat = content_of("/proc/self/task/" + std::to_string(thread) + "/stat");
        return stat.substr(stat.rfind(')'), 3) == ") S";
    };
    std::atomic<pid_t> waiter(0);
    long result = -1;
    std::thread waiting([&] {
        waiter = gettid();
        const timespec limit = {300, 0};
        result = syscall(SYS_futex, &block->sequence, FUTEX_WAIT, before, &limit, nullptr, 0);
    });
    while (waiter == 0 || !sleeps(waiter))
        usleep(1000);
    writer.write(one_cpu(1, 1));
    waiting.join();
    ck_assert_int_eq(result, 0); // neither too late nor without a wait
    munmap(block, sizeof *block);
}
END_TEST

START_TEST(a_block_that_a_killed_writer_left_is_mended) {
    const TemporaryDirectory directory;
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    std::fstream raw(directory / "control", std::ios::in | std::ios::out | std::ios::binary);
    const std::uint32_t odd = 5;
    raw.seekp(offsetof(vmall_control_block, sequence));
    raw.write(reinterpret_cast<const char *>(&odd), sizeof odd);
    raw.close();
    ControlFile file = ControlFile::open(directory.open(), job_id);
    ck_assert_contains(refusal<std::exception>([&] { file.read(); }), "half written");
    file.write(one_cpu(2, 3));
    ck_assert_uint_eq(file.read().generation, 3);
}
END_TEST

struct Damage {
    const char *name;
    std::size_t offset;
    std::uint32_t value;
    const char *refusal;
};

const Damage damages[] = {
    {"magic", offsetof(vmall_control_block, magic), 1, "not one of job"},
    {"version", offsetof(vmall_control_block, version), 99, "not one of job"},
    {"another job", offsetof(vmall_control_block, job_id), 8, "not one of job"},
    {"no mpl", offsetof(vmall_control_block, mpl), 0, "impossible allotment"},
    {"no core", offsetof(vmall_control_block, core_count), 0, "impossible allotment"},
    {"no CPU", offsetof(vmall_control_block, cpu_count), 0, "impossible allotment"},
    {"too many CPUs", offsetof(vmall_control_block, cpu_count), 1025, "impossible allotment"},
    {"coscheduling", offsetof(vmall_control_block, coscheduling), 2, "impossible settings"},
    {"next rank", offsetof(vmall_control_block, next_rank), 3, "impossible settings"},
    {"run queues", offsetof(vmall_control_block, run_queues), 3, "impossible settings"},
    {"no CPU per rank", offsetof(vmall_control_block, cpus_per_rank), 0, "impossible settings"},
    {"no node", offsetof(vmall_control_block, node_count), 0, "impossible settings"},
    {"impossible CPU", offsetof(vmall_control_block, cpus), 1024, "impossible CPU"},
};

START_TEST(damage_is_refused) {
    const Damage &damage = damages[_i];
    const TemporaryDirectory directory;
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    std::fstream raw(directory / "control", std::ios::in | std::ios::out | std::ios::binary);
    raw.seekp(static_cast<std::streamoff>(damage.offset));
    raw.write(reinterpret_cast<const char *>(&damage.value), sizeof damage.value);
    raw.close();
    const std::string answer = refusal<std::exception>(
        [&] { ControlFile::open_read_only(directory / "control", job_id).read(); });
    ck_assert_contains(answer, damage.refusal);
}
END_TEST

START_TEST(a_file_of_another_size_is_refused) {
    const TemporaryDirectory directory;
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    for (const std::size_t size :
         {sizeof(vmall_control_block) - 1, sizeof(vmall_control_block) + 1}) {
        std::filesystem::resize_file(directory / "control", size);
        ck_assert_contains(
            refusal<std::exception>([&] { ControlFile::open(directory.open(), job_id); }), "size");
    }
}
END_TEST

START_TEST(a_file_that_others_can_write_is_refused) {
    const TemporaryDirectory directory;
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    ck_assert_int_eq(chmod((directory / "control").c_str(), 0666), 0);
    ck_assert_contains(
        refusal<std::exception>([&] { ControlFile::open(directory.open(), job_id); }), "only root");
}
END_TEST

START_TEST(a_file_of_somebody_else_is_refused) {
    constexpr uid_t somebody = 4711;
    const TemporaryDirectory directory;
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    ck_assert_int_eq(chown((directory / "control").c_str(), somebody, somebody), 0);
    ck_assert_contains(
        refusal<std::exception>([&] { ControlFile::open(directory.open(), job_id); }), "only root");
}
END_TEST

START_TEST(a_symbolic_link_is_refused) {
    const TemporaryDirectory directory;
    ControlFile::create(directory.open(), job_id, one_cpu(0, 0));
    std::filesystem::rename(directory / "control", directory / "elsewhere");
    std::filesystem::create_symlink("elsewhere", directory / "control");
    ck_assert_contains(
        refusal<std::exception>([&] { ControlFile::open(directory.open(), job_id); }),
        "cannot open");
}
END_TEST

START_TEST(an_allotment_without_cpus_is_not_written) {
    const TemporaryDirectory directory;
    ControlFile file = ControlFile::create(directory.open(), job_id, one_cpu(0, 1));
    ck_assert_contains(refusal<std::exception>([&] {
                           file.write({2, 1, 1, false, {}});
                       }),
                       "no room");
    ck_assert_uint_eq(file.read().generation, 1);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("control file");
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, others_can_read_it_and_not_write_it);
    tcase_add_test(tests, a_reader_never_sees_half_a_write);
    tcase_add_test(tests, a_write_wakes_whoever_waits);
    tcase_add_test(tests, a_block_that_a_killed_writer_left_is_mended);
    tcase_add_loop_test(tests, damage_is_refused, 0, static_cast<int>(std::size(damages)));
    tcase_add_test(tests, a_file_of_another_size_is_refused);
    tcase_add_test(tests, a_file_that_others_can_write_is_refused);
    if (geteuid() == 0)
        tcase_add_test(tests, a_file_of_somebody_else_is_refused);
    tcase_add_test(tests, a_symbolic_link_is_refused);
    tcase_add_test(tests, an_allotment_without_cpus_is_not_written);
    return run("control_file", tests);
}
