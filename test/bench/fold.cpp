// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs: 8 ranks on 2 CPUs against 2 ranks on 2 CPUs that do the same work in total,
// with the preloaded runtime and as MPICH comes. Root, two CPUs, and nobody else on the machine.
#include "unit/libvmrt/stage.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>

using namespace vmall::test;

namespace {

constexpr int folded_ranks = 8, wide_ranks = 2;

using Command = std::vector<std::string>; // program and arguments

struct Kernel {
    std::string name;
    Command folded, wide;
    // Stock MPICH folded is up to a hundred times slower: shorter runs.
    Command short_folded, short_wide;
};

const std::vector<Kernel> kernels = {
    {"ring, 50 us",
     {"ring", "10000", "50"},
     {"ring", "10000", "200"},
     {"ring", "100", "50"},
     {"ring", "100", "200"}},
    {"cg", {"cg", "1000", "150"}, {"cg", "1000", "150"}, {"cg", "1000", "5"}, {"cg", "1000", "5"}},
    {"stencil",
     {"stencil", "2000", "400"},
     {"stencil", "2000", "400"},
     {"stencil", "2000", "10"},
     {"stencil", "2000", "10"}},
    {"imbalanced",
     {"imbalanced", "600", "50"},
     {"imbalanced", "600", "200"},
     {"imbalanced", "10", "50"},
     {"imbalanced", "10", "200"}},
};

double seconds_of(Program program) {
    const Outcome outcome = program.wait(std::chrono::seconds(300));
    const std::size_t at = outcome.output.find("seconds=");
    if (!outcome.succeeded() || at == std::string::npos)
        throw std::runtime_error("a kernel failed: " + outcome.output);
    return std::stod(outcome.output.substr(at + std::string("seconds=").size()));
}

Command built(Command command) {
    command[0] = MPI_PROGRAMS "/" + command[0];
    return command;
}

// Of the ratios of runs that followed each other.
struct Ratios {
    std::vector<double> values;
    void add(double slow, double fast) {
        values.push_back(slow / fast);
        std::sort(values.begin(), values.end());
    }
    double median() const {
        const std::size_t half = values.size() / 2;
        return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
};

void print(const char *what, const Ratios &ratios) {
    std::printf("  %s %6.2f (%.2f to %.2f)", what, ratios.median(), ratios.values.front(),
                ratios.values.back());
}

void measure(const Kernel &kernel, int repetitions, int stock_repetitions, const Stage &stage) {
    Ratios ours, stock;
    for (int i = 0; i < repetitions; ++i)
        ours.add(seconds_of(stage.start(folded_ranks, built(kernel.folded))),
                 seconds_of(Stage::start_stock(wide_ranks, built(kernel.wide))));
    for (int i = 0; i < stock_repetitions; ++i)
        stock.add(seconds_of(Stage::start_stock(folded_ranks, built(kernel.short_folded))),
                  seconds_of(Stage::start_stock(wide_ranks, built(kernel.short_wide))));
    std::printf("%-12s", kernel.name.c_str());
    print("vmall", ours);
    if (stock_repetitions > 0)
        print("stock", stock);
    std::putchar('\n');
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"Time of 8 folded ranks on 2 CPUs over that of 2 ranks doing the same work:\n"
                 "median (lowest to highest) of pairs of runs"};
    int repetitions = 7, stock_repetitions = 3;
    app.add_option("--repetitions", repetitions, "pairs of runs with the preloaded runtime")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--stock-repetitions", stock_repetitions, "pairs of (short) runs without it")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        Cpus cpus = usable_cpus();
        if (cpus.size() < wide_ranks)
            throw std::runtime_error("needs two CPUs");
        cpus.resize(wide_ranks);
        bind_this_process(cpus);
        Stage stage;
        for (const Kernel &kernel : kernels)
            measure(kernel, repetitions, stock_repetitions, stage);
    } catch (const std::exception &error) {
        std::cerr << "fold: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
