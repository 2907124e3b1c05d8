// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ways to run a program that the bench compares, and one run of each.
#pragma once

#include "fold_application.hpp"
#include "unit/libvmrt/stage.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace vmall::bench {

enum class Preload { none, yield, lewi, runtime, baselines };

// Of the control block.
struct Strategy {
    std::uint32_t coscheduling = VMALL_COSCHEDULING_SELF;
    std::uint32_t next_rank = VMALL_NEXT_ROUND_ROBIN;
    std::uint32_t run_queues = VMALL_QUEUES_DETECTED;
};

struct Side {
    std::string name;
    Mpi mpi;
    Preload preload;
    bool folded;
    Length length;
    Strategy strategy = {};
    bool idle_threads_sleep = true; // of ranks with several threads, as spank_vm has it
};

// All but the stock MPI with a rank for each CPU, which they are compared with.
const std::vector<Side> &sides();
// Throws std::out_of_range if there is none.
const Side &side_named(const std::string &name);
Side ideal(Mpi mpi, Length length);

// Why it cannot be run here; empty if it can.
std::string missing(const Side &side);

class TemporaryFolder {
  public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    ~TemporaryFolder();
    std::string path;
};

struct TookTooLong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One run that is under way, in a directory of its own.
class Run {
  public:
    // The runtime is told that the job has `allotment`; nothing else keeps the ranks there.
    // `control_flags`: of the control block.
    Run(const Application &application, const Side &side, const test::Cpus &cpus, int mpl,
        const test::Cpus &allotment, std::uint32_t control_flags = 0);
    Run(const Application &application, const Side &side, const test::Cpus &cpus, int mpl);

    test::Stage &stage() { return stage_; }
    bool has_ended() const { return program_->has_ended(); }
    // Throws TookTooLong if it had to be ended, std::runtime_error if it failed or its output is
    // not right.
    Reading finish(std::chrono::seconds limit = std::chrono::seconds(300));
    // Since it was started.
    std::chrono::duration<double> age() const;

  private:
    const Application &application_;
    Shape shape_;
    std::chrono::steady_clock::time_point start_;
    test::Stage stage_;
    TemporaryFolder folder_;
    std::optional<test::Program> program_;
};

} // namespace vmall::bench
