// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of sides; launching by MPICH's and Open MPI's mpiexec.
#include "fold_side.hpp"

#include "baselines.hpp"
#include "layout/idle_threads.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace vmall::bench {
namespace {

Strategy next(std::uint32_t who) {
    Strategy strategy;
    strategy.next_rank = who;
    strategy.run_queues = VMALL_QUEUES_LOCAL;
    return strategy;
}

Strategy queues(std::uint32_t which) {
    Strategy strategy;
    strategy.run_queues = which;
    return strategy;
}

Strategy coscheduling(std::uint32_t how, std::uint32_t next = VMALL_NEXT_ROUND_ROBIN) {
    Strategy strategy;
    strategy.coscheduling = how;
    strategy.next_rank = next;
    strategy.run_queues = VMALL_QUEUES_LOCAL;
    return strategy;
}

// DLB's libdlb_mpi.so, built for the MPI that is measured; empty: none.
const char *lewi_preload() {
    const char *path = std::getenv("LEWI_PRELOAD");
    return path == nullptr ? "" : path;
}

// Empty: none. Open MPI has a setting for yielding.
std::string library_of(const Side &side) {
    switch (side.preload) {
    case Preload::runtime:
        return LIBVMRT;
    case Preload::baselines:
        return BASELINES;
    case Preload::yield:
        return side.mpi == Mpi::mpich ? YIELD_PRELOAD : "";
    case Preload::lewi:
        return lewi_preload();
    case Preload::none:
        break;
    }
    return {};
}

std::vector<std::string> launcher(const Side &side, const std::string &folder, int ranks) {
    std::vector<std::string> words;
    if (side.mpi == Mpi::mpich)
        words = {MPIEXEC};
    else
        words = {OPEN_MPIEXEC,
                 "--allow-run-as-root",
                 "--host", // with too few slots Open MPI 5 yields, whatever else it is told
                 "localhost:" + std::to_string(ranks),
                 "--bind-to",
                 "none",
                 "--mca",
                 "mpi_yield_when_idle",
                 side.preload == Preload::yield ? "1" : "0"};
    words.insert(words.end(), {"-wdir", folder, "-n", std::to_string(ranks)});
    return words;
}

std::vector<std::string> preloaded(const Side &side, const test::Stage &stage) {
    const std::string library = library_of(side);
    if (library.empty())
        return {};
    std::vector<std::string> environment{"LD_PRELOAD=" + library};
    if (side.preload == Preload::lewi)
        environment.emplace_back("DLB_ARGS=--lewi");
    else if (side.preload != Preload::yield)
        environment.push_back(VMALL_ENV_CONTROL "=" + stage.control_path());
    return environment;
}

test::Program start(const Application &application, const Shape &shape, const Side &side,
                    const test::Stage &stage, const std::string &folder) {
    std::vector<std::string> command = launcher(side, folder, shape.ranks());
    for (const std::string &word : application.command(shape, side.mpi))
        command.push_back(word);
    std::vector<std::string> environment = preloaded(side, stage);
    for (const std::string &variable : application.environment())
        environment.push_back(variable);
    if (side.preload == Preload::runtime && shape.threads > 1 && side.idle_threads_sleep)
        environment.insert(environment.end(),
                           {VMALL_ENV_WAIT_POLICY "=passive",
                            VMALL_ENV_GCC_SPINS "=" VMALL_GCC_SPINS, VMALL_ENV_LLVM_TIME "=0"});
    return {command, environment};
}

void tell(test::Stage &stage, const Strategy &strategy, int threads, const test::Cpus &cpus,
          std::uint32_t flags) {
    vmall_control_block &control = stage.control();
    control.coscheduling = strategy.coscheduling;
    control.next_rank = strategy.next_rank;
    control.run_queues = strategy.run_queues;
    control.cpus_per_rank = static_cast<std::uint32_t>(threads);
    control.node_count = 1;
    stage.allot(cpus, flags);
}

} // namespace

const std::vector<Side> &sides() {
    constexpr auto mpich = Mpi::mpich, open_mpi = Mpi::open_mpi;
    constexpr auto none = Preload::none, yield = Preload::yield, runtime = Preload::runtime,
                   baselines = Preload::baselines;
    constexpr auto full = Length::full, brief = Length::short_run;
    static const std::vector<Side> all{
        {"unfolded", mpich, runtime, false, full},
        {"unfolded Open MPI", open_mpi, runtime, false, full},
        {"ours", mpich, runtime, true, full},
        {"spin", mpich, baselines, true, full, coscheduling(coscheduling_spin)},
        {"busy", mpich, baselines, true, brief, coscheduling(coscheduling_busy)},
        {"messages", mpich, runtime, true, full, next(VMALL_NEXT_MESSAGES)},
        {"sender", mpich, runtime, true, full, next(VMALL_NEXT_SENDER)},
        {"local", mpich, runtime, true, full, queues(VMALL_QUEUES_LOCAL)},
        {"kernel", mpich, runtime, true, full, queues(VMALL_QUEUES_KERNEL)},
        {"time shared", mpich, runtime, true, brief, coscheduling(VMALL_COSCHEDULING_NONE)},
        {"periodic boost", mpich, baselines, true, brief,
         coscheduling(coscheduling_periodic_boost, VMALL_NEXT_MESSAGES)},
        {"threads spin", mpich, runtime, true, brief, {}, false},
        {"stock", mpich, none, true, brief},
        {"yield", mpich, yield, true, brief},
        {"lewi", mpich, Preload::lewi, true, brief},
        {"ours Open MPI", open_mpi, runtime, true, full},
        {"stock Open MPI", open_mpi, none, true, brief},
        {"yield Open MPI", open_mpi, yield, true, brief},
    };
    return all;
}

Side ideal(Mpi mpi, Length length) {
    return {"ideal", mpi, Preload::none, false, length};
}

const Side &side_named(const std::string &name) {
    for (const Side &side : sides())
        if (side.name == name)
            return side;
    throw std::out_of_range("no side " + name);
}

std::string missing(const Side &side) {
    if (side.mpi == Mpi::open_mpi && access(OPEN_MPIEXEC, X_OK) != 0)
        return "Open MPI is not installed (Debian: openmpi-bin)";
    if (side.preload == Preload::lewi && access(lewi_preload(), R_OK) != 0)
        return "LEWI_PRELOAD in the environment does not name DLB's libdlb_mpi.so";
    const std::string library = library_of(side);
    if (!library.empty() && access(library.c_str(), R_OK) != 0) // the loader would go on without
        return "no " + library + " (make bench)";
    return {};
}

TemporaryFolder::TemporaryFolder()
    : path((std::filesystem::temp_directory_path() / "vmall-fold-XXXXXX").string()) {
    if (mkdtemp(path.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), path);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

Run::Run(const Application &application, const Side &side, const test::Cpus &cpus, int mpl,
         const test::Cpus &allotment, std::uint32_t control_flags)
    : application_(application), shape_{static_cast<int>(cpus.size()), mpl, side.folded,
                                        side.length, application.threads()},
      start_(std::chrono::steady_clock::now()) {
    tell(stage_, side.strategy, shape_.threads, allotment, control_flags);
    application.prepare(shape_, folder_.path);
    program_.emplace(start(application, shape_, side, stage_, folder_.path));
}

Run::Run(const Application &application, const Side &side, const test::Cpus &cpus, int mpl)
    : Run(application, side, cpus, mpl, cpus) {}

Reading Run::finish(std::chrono::seconds limit) {
    const test::Outcome outcome = program_->wait(limit);
    if (outcome.hung)
        throw TookTooLong("ended after " + std::to_string(limit.count()) + " s");
    if (!outcome.succeeded())
        throw std::runtime_error("status " + std::to_string(outcome.status) + ": " +
                                 outcome.output);
    return application_.read(shape_, outcome.output);
}

std::chrono::duration<double> Run::age() const {
    return std::chrono::steady_clock::now() - start_;
}

} // namespace vmall::bench
