// SPDX-License-Identifier: GPL-2.0-or-later
//
// An agent with one job, whose steps are real processes, and what its answers are to be. Needs root
// and two CPUs.
#pragma once

#include "layout/runtime_page.h"
#include "limit.hpp"
#include "process_tree.hpp"
#include "run.hpp"
#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/node/cpu_mask.hpp"
#include "spank_vm/node/index_list.hpp"
#include "spank_vm/node/runtime_segment.hpp"
#include "temporary_directory.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace vmall::agent {

using namespace std::chrono_literals;
using wire::Answer;
using wire::Outcome;
using wire::Target;

inline constexpr std::uint32_t job_id = 7;
inline constexpr uid_t user = 1234;
inline constexpr std::uint32_t step_id = 3;

// Other than the defaults.
inline constexpr config::RuntimeSettings node_runtime = {VMALL_COSCHEDULING_NONE,
                                                         VMALL_NEXT_MESSAGES, VMALL_QUEUES_KERNEL};

// Of this machine, claiming as many cores as it has. Read once: that takes its time.
inline const CoreMap &core_map() {
    static const CoreMap map = [] {
        std::uint32_t cores = 1;
        while (!CoreMap(cores + 1).overclaimed())
            ++cores;
        return CoreMap(cores);
    }();
    return map;
}

// A node, and what is on its disk.
class TestNode {
  public:
    explicit TestNode(std::chrono::milliseconds patience_for_starting_steps = 500ms)
        : patience_(patience_for_starting_steps) {
        std::filesystem::create_directory(directory_ / "spool");
        start_agent();
    }
    TestNode(const TestNode &) = delete;
    TestNode &operator=(const TestNode &) = delete;
    ~TestNode() { spank_vm::remove_runtime_segment(last_runtime_key_); }
    // As after a restart of slurmd.
    void start_agent(bool folds_unserved = true, const CoreMap &map = core_map()) {
        jobs_.reset();
        jobs_ = std::make_unique<Jobs>(Node{"n1", directory_ / "spool",
                                            spank_vm::RuntimeDir(directory_ / "run"), map,
                                            Cpusets(directory_ / "cgroup", "n1"), node_runtime,
                                            patience_, folds_unserved, deals_cores_});
    }
    void let_agent_deal() {
        deals_cores_ = true;
        start_agent();
    }
    Jobs &jobs() { return *jobs_; }
    std::string file(const std::string &name) const {
        return directory_ / ("run/" + std::to_string(job_id) + "/" + name);
    }
    spank_vm::Published block() const {
        return spank_vm::ControlFile::open_read_only(file("control"), job_id).read();
    }
    std::uint32_t runtime_key() const {
        return spank_vm::ControlFile::open_read_only(file("control"), job_id).runtime_key();
    }
    void add_step(const ProcessTree &tree, std::uint32_t step = step_id,
                  const std::optional<spank_vm::Ranks> &ranks = spank_vm::Ranks{}) {
        begin_step(tree, step, ranks);
        jobs_->launched({job_id, step});
    }
    // Its cpusets and tasks are still to be made.
    void begin_step(const ProcessTree &tree, std::uint32_t step = step_id,
                    const std::optional<spank_vm::Ranks> &ranks = spank_vm::Ranks{}) {
        jobs_->add_step({job_id, step, user, {0, 1}, ranks}, find_process(tree.stepd()).value());
        last_runtime_key_ = runtime_key();
    }
    // The file that says which CPUs a cgroup of the job has.
    std::string cpuset(const std::string &below_job) const {
        return directory_ / ("cgroup/cpuset/slurm_n1/uid_" + std::to_string(user) + "/job_" +
                             std::to_string(job_id) + below_job + "/cpuset.cpus");
    }
    // Of a cgroup of the job.
    void write_members(const std::vector<pid_t> &members) const {
        const std::filesystem::path file =
            std::filesystem::path(cpuset("")).replace_filename("cgroup.procs");
        std::filesystem::create_directories(file.parent_path());
        std::ofstream out(file);
        for (const pid_t member : members)
            out << member << '\n';
    }
    std::string step_socket(std::uint32_t step) const {
        return directory_ / ("spool/n1_" + std::to_string(job_id) + "." + std::to_string(step));
    }
    // A slurmstepd that listens until the end of the test.
    void make_step_socket(std::uint32_t step) {
        slurmstepds_.push_back(bound_step_socket(step));
        ck_assert_int_eq(listen(slurmstepds_.back().get(), 1), 0);
    }
    // As a slurmstepd that is killed leaves it.
    void leave_step_socket(std::uint32_t step) const { bound_step_socket(step); }

  private:
    common::Descriptor bound_step_socket(std::uint32_t step) const {
        const std::string path = step_socket(step);
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        common::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
        ck_assert_int_eq(
            bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
        return socket;
    }

    std::chrono::milliseconds patience_;
    bool deals_cores_ = false;
    std::uint32_t last_runtime_key_ = 0;
    TemporaryDirectory directory_;
    std::vector<common::Descriptor> slurmstepds_;
    std::unique_ptr<Jobs> jobs_;
};

// The ranks of the job say that these are.
inline void write_slots(const TestNode &node, const std::vector<pid_t> &ranks,
                        std::uint32_t engines = 0) {
    const int segment = shmget(static_cast<key_t>(node.runtime_key()), 0, 0);
    void *const memory = shmat(segment, nullptr, 0);
    ck_assert(segment >= 0 && memory != reinterpret_cast<void *>(-1));
    auto *const page = static_cast<vmall_runtime_page *>(memory);
    page->magic = VMALL_RUNTIME_MAGIC;
    page->version = VMALL_RUNTIME_VERSION;
    page->size = sizeof *page;
    page->engines = engines;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        page->slots[i].owner =
            std::uint64_t(ranks[i]) << 32 |
            static_cast<std::uint32_t>(find_process(ranks[i]).value().start_time);
    shmdt(memory);
}

inline Target target(wire::Generation generation, std::vector<std::uint32_t> cores) {
    return {"n1", job_id, user, std::move(cores), 2, generation};
}

inline void expect(const Answer &answer, Outcome outcome, wire::Generation generation) {
    ck_assert_msg(answer.outcome == outcome, "outcome %d: %s", static_cast<int>(answer.outcome),
                  answer.reason.c_str());
    ck_assert_uint_eq(answer.generation, generation);
    ck_assert_uint_eq(answer.job_id, job_id);
    ck_assert_text(answer.node, "n1");
}

inline void expect_refused(const Answer &answer, const char *reason) {
    ck_assert(answer.outcome == Outcome::refused);
    ck_assert_contains(answer.reason, reason);
}

inline std::string cpus_of_core(std::uint32_t core) {
    std::vector<std::uint32_t> ascending;
    for (const std::uint16_t cpu : core_map().cpus({core}))
        ascending.push_back(cpu);
    std::sort(ascending.begin(), ascending.end());
    return spank_vm::format_index_list(ascending);
}

inline void expect_threads_on(const ProcessTree &tree, std::uint32_t core) {
    const auto lists = cpus_of_threads_below(tree.stepd());
    ck_assert(!lists.empty());
    for (const std::string &list : lists)
        ck_assert_text(list, cpus_of_core(core));
}

inline bool can_be_tested() {
    return geteuid() == 0 && !usable_cpus().empty() && core_map().claimed_cores() >= 2;
}

} // namespace vmall::agent
