// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs as Debian built them: ScaLAPACK's test programs and NWChem, with inputs of our own. They
// check their results themselves, or we compare an energy; the times are those they print.
#include "fold_application.hpp"
#include "fold_output.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace vmall::bench {
namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

// An input file, with words between @ replaced.
void write_input(const std::string &name, const std::string &folder,
                 const Replacements &replacements) {
    std::ifstream from(BENCH_INPUTS "/" + name);
    std::stringstream text;
    text << from.rdbuf();
    std::string input = text.str();
    for (const auto &[word, value] : replacements)
        for (std::size_t at; (at = input.find('@' + word + '@')) != std::string::npos;)
            input.replace(at, word.size() + 2, value);
    std::ofstream to(folder + '/' + name);
    to << input << std::flush;
    if (input.empty() || !to)
        throw std::runtime_error("cannot make the input " + folder + '/' + name);
}

std::string missing_program(const std::string &path, const std::string &package) {
    return access(path.c_str(), X_OK) == 0 ? "" : "no " + path + " (Debian: " + package + ')';
}

bool is_short(const Shape &shape) {
    return shape.length == Length::short_run;
}

// One thread for each rank.
const std::vector<std::string> single_threaded{"OMP_NUM_THREADS=1"};

// A test program of ScaLAPACK, and the lines that it prints, one for each test.
struct Tester {
    std::string program, input;
    std::string short_sizes, sizes; // of the square matrices
    // Words of a line, from 0: the size, and a million floating-point operations per second. (It
    // prints seconds too, but only hundredths.)
    std::size_t size_word, speed_word;
    double operations; // times size cubed: what it counts as the work, but for lower powers
    double expected_seconds;
    bool one_row = false; // of processes, instead of a grid as square as it can be
};

class ScaLapack : public Application {
  public:
    explicit ScaLapack(Tester tester)
        : Application("scalapack " + tester.program + (tester.one_row ? " (one row)" : "")),
          tester_(std::move(tester)) {}

    std::string missing(Mpi mpi) const override {
        return missing_program(path_for(mpi), "scalapack-mpi-test");
    }

    void prepare(const Shape &shape, const std::string &folder) const override {
        const int rows = tester_.one_row ? 1 : rows_of_grid(shape.ranks());
        const std::string &sizes = is_short(shape) ? tester_.short_sizes : tester_.sizes;
        std::istringstream words(sizes);
        int count = 0;
        for (std::string word; words >> word;)
            ++count;
        write_input(tester_.input, folder,
                    {{"COUNT", std::to_string(count)},
                     {"SIZES", sizes},
                     {"ROWS", std::to_string(rows)},
                     {"COLUMNS", std::to_string(shape.ranks() / rows)}});
    }

    std::vector<std::string> command(const Shape &, Mpi mpi) const override {
        return {path_for(mpi)};
    }
    std::vector<std::string> environment() const override { return single_threaded; }

    // With the checks, which are not part of what is compared.
    double expected_seconds(const Shape &shape) const override {
        return is_short(shape) ? 0.1 : tester_.expected_seconds;
    }

    Reading read(const Shape &, const std::string &output) const override {
        const int passed = tests(output, "completed and passed residual checks.");
        if (passed == 0 || tests(output, "completed and failed residual checks.") != 0 ||
            tests(output, "skipped because of illegal input values.") != 0)
            throw std::runtime_error("not all of its tests passed: " + output);
        return {seconds(output), static_cast<double>(passed)};
    }

    std::string result_key(const Shape &shape) const override {
        return is_short(shape) ? "short" : "full";
    }

  private:
    static int rows_of_grid(int ranks) {
        int rows = 1;
        for (int divisor = 1; divisor * divisor <= ranks; ++divisor)
            if (ranks % divisor == 0)
                rows = divisor;
        return rows;
    }

    std::string path_for(Mpi mpi) const {
        return std::string(SCALAPACK_TESTS "/") +
               (mpi == Mpi::mpich ? "mpich-tests/" : "openmpi-tests/") + tester_.program;
    }

    // The number before " tests `what`".
    static int tests(const std::string &output, const std::string &what) {
        const std::size_t at = output.find(" tests " + what);
        if (at == std::string::npos)
            throw std::runtime_error("it does not say how many tests " + what + ' ' + output);
        const std::size_t line = output.rfind('\n', at);
        return std::stoi(output.substr(line == std::string::npos ? 0 : line));
    }

    // Of the tests together, without start and checks.
    double seconds(const std::string &output) const {
        double sum = 0;
        std::istringstream lines(output);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream in(line);
            const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
            if (words.size() <= tester_.speed_word || words[0] != "WALL")
                continue;
            const double size = std::stod(words[tester_.size_word]);
            const double speed = 1e6 * std::stod(words[tester_.speed_word]);
            sum += tester_.operations * size * size * size / speed;
        }
        if (!(sum > 0 && std::isfinite(sum)))
            throw std::runtime_error("it does not say how fast its tests were: " + output);
        return sum;
    }

    Tester tester_;
};

class NwChem : public Application {
  public:
    NwChem() : Application("nwchem") {}

    std::string missing(Mpi mpi) const override {
        return mpi == Mpi::mpich ? missing_program(program, "nwchem-mpich")
                                 : "only MPICH's NWChem is run";
    }

    void prepare(const Shape &shape, const std::string &folder) const override {
        write_input("dimer.nw", folder, {{"BASIS", is_short(shape) ? "cc-pvdz" : "cc-pvtz"}});
    }

    std::vector<std::string> command(const Shape &, Mpi) const override {
        return {program, "dimer.nw"};
    }

    // Windows allocated by MPI do not work with MPICH 4.0 on one node.
    std::vector<std::string> environment() const override {
        std::vector<std::string> variables(single_threaded);
        variables.emplace_back("ARMCI_USE_WIN_ALLOCATE=0");
        return variables;
    }

    Reading read(const Shape &shape, const std::string &output) const override {
        // Hartree; as NWChem 7.0.2 computes them with one rank for each of two CPUs.
        const double expected = is_short(shape) ? -152.062721802475 : -152.121215115995;
        const double energy = number_after("Total SCF energy =", output);
        if (!(std::fabs(energy - expected) <= 1e-8))
            throw std::runtime_error("energy " + std::to_string(energy) + " instead of " +
                                     std::to_string(expected));
        const std::size_t at = output.find("Total times");
        return {number_after("wall:", at == std::string::npos ? "" : output.substr(at)), energy};
    }

    double expected_seconds(const Shape &shape) const override { return is_short(shape) ? 2 : 6; }
    double tolerance() const override { return 1e-10; }
    std::string result_key(const Shape &shape) const override {
        return is_short(shape) ? "short" : "full";
    }

  private:
    static constexpr const char *program = "/usr/bin/nwchem.mpich";
};

} // namespace

Applications distribution_programs() {
    // About the largest that they were compiled with memory for.
    const std::string four = "900 880 860 840";
    const std::string eight = "600 590 580 570 560 550 540 530";
    const std::string six = "550 540 530 520 510 500";
    const std::vector<Tester> testers{
        {"xdlu", "LU.dat", "300", four, 1, 10, 2.0 / 3, 1.5},
        {"xdlu", "LU.dat", "300", four, 1, 10, 2.0 / 3, 1.5, true},
        {"xdllt", "LLT.dat", "300", eight, 2, 10, 1.0 / 3, 1.5},
        {"xdqr", "QR.dat", "300", eight, 1, 8, 4.0 / 3, 1.5},
        {"xdbrd", "BRD.dat", "200", six, 1, 7, 8.0 / 3, 1.5},
        {"xdinv", "INV.dat", "300", six, 1, 7, 2, 1.5},
    };
    Applications all;
    for (const Tester &tester : testers)
        all.push_back(std::make_unique<ScaLapack>(tester));
    all.push_back(std::make_unique<NwChem>());
    return all;
}

} // namespace vmall::bench
