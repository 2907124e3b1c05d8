// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the bench runs: programs that do the same work with many ranks as with few.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace vmall::bench {

enum class Mpi { mpich, open_mpi };

// Short: for sides that may take a hundred times as long. Fourfold: the choice of how to wait needs
// time to decide. Tenfold: dozens of changes of the allotment in a run.
enum class Length { short_run, full, fourfold, tenfold };

// Of one run. `mpl` is what is compared: ranks per place of the runs that are folded. A place is a
// CPU, or as many as each rank has threads, or all.
struct Shape {
    int cpus;
    int mpl;
    bool folded; // `mpl` ranks for each place; otherwise one
    Length length;
    int threads = 1; // of each rank
    int places() const { return cpus > threads ? cpus / threads : 1; }
    int ranks() const { return folded ? places() * mpl : places(); }
};

struct Reading {
    double seconds; // of the part that is compared
    double result;  // what the program computed
};

class Application {
  public:
    explicit Application(std::string its_name) : name(std::move(its_name)) {}
    Application(const Application &) = delete;
    Application &operator=(const Application &) = delete;
    virtual ~Application() = default;

    // Why it cannot be run here; empty if it can.
    virtual std::string missing(Mpi mpi) const = 0;
    // Writes what the program reads into its working directory.
    virtual void prepare(const Shape &, const std::string & /*folder*/) const {}
    virtual std::vector<std::string> command(const Shape &shape, Mpi mpi) const = 0;
    virtual std::vector<std::string> environment() const { return {}; }
    virtual int threads() const { return 1; } // of each rank
    // Of a run that ended well; throws std::runtime_error if the output does not say that the
    // program succeeded.
    virtual Reading read(const Shape &shape, const std::string &output) const = 0;
    // Of one rank for each of two CPUs, roughly: for the plan of what can be measured when.
    virtual double expected_seconds(const Shape &shape) const = 0;
    // Greatest relative difference between the results of two runs of this application.
    virtual double tolerance() const { return 0; }
    // Runs of which the results are to agree have the same key.
    virtual std::string result_key(const Shape &shape) const = 0;

    const std::string name;
};

using Applications = std::vector<std::unique_ptr<Application>>;

Applications kernels();               // of test/mpi
Applications hybrid_kernels();        // those whose ranks have several threads
Applications ring_of_every_grain();   // "ring 10 us" ... "ring 10000 us"
Applications distribution_programs(); // ScaLAPACK's tests, NWChem

// Grain of an application of ring_of_every_grain(), in microseconds; 0: another one.
long grain_of(const Application &application);

} // namespace vmall::bench
