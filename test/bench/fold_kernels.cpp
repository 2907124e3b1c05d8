// SPDX-License-Identifier: GPL-2.0-or-later
//
// The programs of test/mpi. Sizes: about expected_seconds() with two ranks on two CPUs.
#include "fold_application.hpp"
#include "fold_output.hpp"

#include <array>
#include <numeric>
#include <unistd.h>

namespace vmall::bench {
namespace {

struct Argument {
    long value, short_value;
    bool grows;            // with the length of the run
    bool of_a_folded_rank; // work of a rank; where there are `mpl` times fewer, each does more
    long at(Length length) const {
        switch (length) {
        case Length::short_run:
            return short_value;
        case Length::full:
            break;
        case Length::fourfold:
            return grows ? 4 * value : value;
        case Length::tenfold:
            return grows ? 10 * value : value;
        }
        return value;
    }
};

Argument fixed(long value) {
    return {value, value, false, false};
}
Argument steps(long value, long short_value) {
    return {value, short_value, true, false};
}
Argument grain(long microseconds) {
    return {microseconds, microseconds, false, true};
}

std::string key_of_length(Length length) {
    static const std::array names{"short", "full", "fourfold", "tenfold"};
    return names.at(static_cast<std::size_t>(length));
}

enum class Result { same_for_all, by_ranks };

constexpr double sums_in_another_order = 1e-9;

class Kernel : public Application {
  public:
    // Unfolded it may take other arguments to do the same work.
    Kernel(std::string its_name, std::string program, std::vector<Argument> folded,
           std::vector<Argument> unfolded, Result result, double tolerance)
        : Application(std::move(its_name)), program_(std::move(program)),
          folded_(std::move(folded)), unfolded_(std::move(unfolded)), result_(result),
          tolerance_(tolerance) {}

    std::string missing(Mpi mpi) const override {
        const std::string path = path_for(mpi);
        return access(path.c_str(), X_OK) == 0 ? "" : path + " is not built";
    }

    std::vector<std::string> command(const Shape &shape, Mpi mpi) const override {
        std::vector<std::string> words{path_for(mpi)};
        for (const Argument &argument : shape.folded ? folded_ : unfolded_) {
            const long value = argument.at(shape.length);
            const bool more = argument.of_a_folded_rank && !shape.folded;
            words.push_back(std::to_string(more ? value * shape.mpl : value));
        }
        return words;
    }

    Reading read(const Shape &, const std::string &output) const override {
        return {number_after("seconds=", output), number_after("checksum=", output)};
    }

    double expected_seconds(const Shape &shape) const override {
        switch (shape.length) {
        case Length::short_run:
            return 0.05;
        case Length::full:
            break;
        case Length::fourfold:
            return 2.4;
        case Length::tenfold:
            return 6;
        }
        return 0.6;
    }

    double tolerance() const override { return tolerance_; }

    std::string result_key(const Shape &shape) const override {
        if (result_ == Result::same_for_all)
            return key_of_length(shape.length);
        const std::vector<std::string> words = command(shape, Mpi::mpich);
        return std::accumulate(
            words.begin() + 1, words.end(), std::to_string(shape.ranks()),
            [](const std::string &a, const std::string &b) { return a + ' ' + b; });
    }

  private:
    std::string path_for(Mpi mpi) const {
        return MPI_PROGRAMS "/" + program_ + (mpi == Mpi::mpich ? "" : ".openmpi");
    }

    std::string program_;
    std::vector<Argument> folded_, unfolded_;
    Result result_;
    double tolerance_;
};

// Threads share the work of a rank.
class HybridKernel final : public Kernel {
  public:
    HybridKernel(const std::string &program, const std::vector<Argument> &arguments, int threads)
        : Kernel(program + " x" + std::to_string(threads), program, arguments, arguments,
                 Result::same_for_all, sums_in_another_order),
          threads_(threads) {}

    int threads() const override { return threads_; }
    std::vector<std::string> environment() const override {
        return {"OMP_NUM_THREADS=" + std::to_string(threads_)};
    }

  private:
    int threads_;
};

struct List {
    Applications all;
    void add(const std::string &name, const std::string &program,
             const std::vector<Argument> &folded, const std::vector<Argument> &unfolded,
             Result result, double tolerance = 0) {
        all.push_back(std::make_unique<Kernel>(name, program, folded, unfolded, result, tolerance));
    }
    void add(const std::string &program, const std::vector<Argument> &arguments, Result result,
             double tolerance = 0) {
        add(program, program, arguments, arguments, result, tolerance);
    }
    // Unfolded: the same work, dealt out evenly.
    void add_send(const std::string &name, long factor, long blockwise) {
        constexpr long light = 100;
        const Argument count = steps(3600 / (factor + 1), 300 / (factor + 1));
        add(name, "send", {count, grain(light), fixed(factor), fixed(blockwise)},
            {count, grain(light * (factor + 1) / 2), fixed(1), fixed(0)}, Result::by_ranks);
    }
    // Of fine grain: `microseconds` of a folded rank between two exchanges.
    void add_pattern(const std::string &name, long number, long microseconds) {
        constexpr long rank_us = 150000;
        const std::vector<Argument> arguments{
            fixed(number), steps(rank_us / microseconds, rank_us / 12 / microseconds),
            grain(microseconds)};
        add(name + " " + std::to_string(microseconds) + " us", "patterns", arguments, arguments,
            Result::by_ranks);
    }
    void add_ring(long microseconds, long all_steps, long few_steps) {
        const std::vector<Argument> arguments{steps(all_steps, few_steps), grain(microseconds)};
        add("ring " + std::to_string(microseconds) + " us", "ring", arguments, arguments,
            Result::by_ranks);
    }
};

} // namespace

Applications kernels() {
    List list;
    list.add_ring(50, 4000, 300);
    list.add("cg", {fixed(1000), steps(80, 6)}, Result::same_for_all, sums_in_another_order);
    list.add("stencil", {fixed(2000), steps(160, 12)}, Result::same_for_all, sums_in_another_order);
    list.add("wavefront", {steps(25000, 2000)}, Result::same_for_all);
    list.add("fourier", {fixed(7), steps(6, 1)}, Result::same_for_all);
    list.add("multigrid", {fixed(7), steps(14, 1)}, Result::same_for_all);
    list.add("sort", {fixed(1000), steps(15, 1)}, Result::same_for_all);
    list.add("gaussian", {steps(80000, 6000)}, Result::same_for_all);
    list.add("heat", {fixed(1000000), steps(900, 60)}, Result::same_for_all, sums_in_another_order);
    list.add("power", {fixed(2000), steps(220, 16)}, Result::same_for_all, sums_in_another_order);
    const Argument tasks = steps(3200, 250), task_grain = fixed(50);
    list.add("tasks", {tasks, task_grain, fixed(1)}, Result::same_for_all);
    list.add("tasks (idle master)", "tasks", {tasks, task_grain, fixed(0)},
             {tasks, task_grain, fixed(1)}, Result::same_for_all);
    list.add("imbalanced", {steps(450, 35), grain(50)}, Result::by_ranks);
    for (const long factor : {2, 3, 6})
        list.add_send("send.50x" + std::to_string(factor), factor, 0);
    for (const long factor : {2, 3, 6})
        list.add_send("send.50x" + std::to_string(factor) + " (blockwise)", factor, 1);
    for (const long microseconds : {250, 25, 5})
        list.add_pattern("allreduce", 0, microseconds);
    list.add_pattern("iallreduce", 1, 25);
    list.add_pattern("neighbour alltoall", 2, 12);
    list.add_pattern("put and fence", 3, 12);
    list.add_pattern("polls", 4, 25);
    list.add_pattern("uneven halves", 5, 25);
    return std::move(list.all);
}

Applications hybrid_kernels() {
    Applications all;
    for (const int threads : {2, 4}) {
        all.push_back(std::make_unique<HybridKernel>(
            "hybrid_cg", std::vector{fixed(1000), steps(80, 6)}, threads));
        all.push_back(std::make_unique<HybridKernel>(
            "hybrid_stencil", std::vector{fixed(2000), steps(160, 12)}, threads));
    }
    return all;
}

Applications ring_of_every_grain() {
    List list;
    for (const long microseconds : {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000})
        list.add_ring(microseconds, 150000 / microseconds, 10);
    return std::move(list.all);
}

long grain_of(const Application &application) {
    const bool is_ring = application.name.rfind("ring ", 0) == 0;
    return is_ring ? std::stol(application.name.substr(5)) : 0;
}

} // namespace vmall::bench
