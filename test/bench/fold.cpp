// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs: many ranks on few CPUs against a rank for each CPU that do the same work in
// total, with the preloaded runtime, as the MPI libraries come, and with their own settings. Root,
// and nobody else on the machine.
#include "fold_plan.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <stdexcept>

using namespace vmall::bench;
using vmall::test::Cpus;

namespace {

struct Options {
    Choice choice;
    double cap = 20;
    double budget_minutes = 0; // 0: none
    std::size_t cpus = 2;
    bool list = false;
    bool plan = false;
    std::string csv;
};

void add_options(CLI::App &app, Options &options) {
    Choice &choice = options.choice;
    app.add_option("--table", choice.tables, "only these")
        ->delimiter(',')
        ->check(CLI::IsMember(all_tables()));
    app.add_option("--program", choice.programs, "only these, separated by semicolons")
        ->delimiter(';')
        ->check(CLI::IsMember(all_programs()));
    app.add_option("--side", choice.sides, "only these")
        ->delimiter(',')
        ->check(CLI::IsMember(all_sides()));
    app.add_option("--mpl", choice.mpls, "ranks per CPU: 1 (the unfolded sides), 2, 4")
        ->delimiter(',')
        ->check(CLI::IsMember({1, 2, 4}));
    app.add_option("--repetitions", choice.repetitions, "instead of the planned ones")
        ->check(CLI::Range(1, 1000));
    app.add_flag("--every-side", choice.every_side,
                 "for every program; else some sides for some programs only");
    app.add_flag("--short", choice.short_runs, "short runs only: to try, not to measure");
    app.add_option("--cap", options.cap, "times the ideal after which a run is ended")
        ->check(CLI::Range(2.0, 1000.0))
        ->capture_default_str();
    app.add_option("--budget", options.budget_minutes,
                   "minutes; what does not fit any more is left out, what matters least first")
        ->check(CLI::PositiveNumber);
    app.add_option("--cpus", options.cpus, "to run on")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--csv", options.csv,
                   "file for the rows; those that it has are not measured again");
    app.add_flag("--plan", options.plan, "only say what would be measured, and how long it takes");
    app.add_flag("--list", options.list, "only the names of tables, programs and sides");
}

void list_names() {
    const auto print_all = [](const char *what, const Names &names) {
        for (const std::string &name : names)
            std::cout << what << ' ' << name << '\n';
    };
    print_all("table", all_tables());
    print_all("program", all_programs());
    print_all("side", all_sides());
}

std::string as_minutes(double seconds) {
    const long whole = static_cast<long>(seconds + 0.5);
    return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

double sum_of(const std::vector<Item> &items, std::size_t from = 0) {
    double sum = 0;
    for (std::size_t i = from; i < items.size(); ++i)
        sum += items[i].expected_seconds;
    return sum;
}

// How long things take, against what was expected.
class Watch {
  public:
    double gone() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    // The first items say little about the others.
    double predict(double expected) const {
        constexpr double enough = 60;
        return expected * (done_ < enough ? 1 : gone() / done_);
    }
    void finish(double expected) { done_ += expected; }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double done_ = 0; // seconds that were expected of what is measured
};

Cpus cpus_to_use(std::size_t count) {
    Cpus cpus = vmall::test::usable_cpus();
    if (cpus.size() < count)
        throw std::runtime_error("there are only " + std::to_string(cpus.size()) + " CPUs");
    cpus.resize(count);
    return cpus;
}

// Whether everything went well.
bool work_off(const std::vector<Item> &plan, double budget, Record &record) {
    Watch watch;
    Agreements agreements;
    bool good = true;
    std::vector<const Item *> left_out;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const Item &item = plan[i];
        if (budget > 0 && watch.gone() + watch.predict(item.expected_seconds) > budget) {
            left_out.push_back(&item);
            continue;
        }
        std::cerr << "== " << item.name << " (" << i + 1 << " of " << plan.size() << ", "
                  << as_minutes(watch.gone()) << " gone, "
                  << as_minutes(watch.predict(sum_of(plan, i))) << " to go)\n";
        for (const Row &row : item.measure(agreements)) {
            print(row, std::cout);
            record.add(row);
            good = good && row.state != State::failed;
        }
        watch.finish(item.expected_seconds);
    }
    for (const Item *item : left_out)
        std::cout << "no time for " << item->name << '\n';
    return good;
}

int run(const Options &options) {
    const Cpus cpus = cpus_to_use(options.cpus);
    Record record(options.csv);
    const std::vector<Item> plan = make_plan(options.choice, cpus, options.cap, record);
    if (options.plan)
        for (const Item &item : plan)
            std::cout << item.name << ": " << as_minutes(item.expected_seconds) << '\n';
    std::cout << plan.size() << " to measure, about " << as_minutes(sum_of(plan)) << std::endl;
    if (options.plan)
        return 0;
    vmall::test::bind_this_process(cpus);
    return work_off(plan, 60 * options.budget_minutes, record) ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"Time of folded ranks over that of a rank for each CPU doing the same work:\n"
                 "median (lowest to highest) of runs that followed each other"};
    Options options;
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        if (options.list) {
            list_names();
            return 0;
        }
        return run(options);
    } catch (const std::exception &error) {
        std::cerr << "fold: " << error.what() << '\n';
        return 1;
    }
}
