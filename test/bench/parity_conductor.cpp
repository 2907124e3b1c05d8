// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moves the virtual clock of one slurmctld and plays its compute nodes. The clock moves only when
// slurmctld is at rest, to whatever is due next, and lets one thing happen at a time: hours pass in
// seconds, and what happens does not depend on how fast or how busy this machine is.
//
// parity-conductor CLOCK NODE:PORT…   reads commands, a line each, and answers with a line each:
//   adopt PID       slurmctld has been started
//   watch PID       another process that must be at rest before the clock moves
//   until SECONDS   moves the clock there (since the epoch)
//   free            lets time pass until the next command
#include "parity_clock.hpp"
#include "parity_rest.hpp"
#include "parity_running.hpp"

#include <chrono>
#include <sstream>

namespace {

constexpr int64_t micro = 1000000;
constexpr int64_t never = INT64_MAX;

class Conductor {
  public:
    explicit Conductor(char **arguments) : clock_(arguments[0]), jobs_(arguments + 1) {}

    void obey() {
        std::string line;
        while (std::getline(std::cin, line)) {
            std::istringstream words(line);
            std::string verb;
            int64_t number = 0;
            words >> verb >> number;
            if (verb == "adopt")
                adopt(static_cast<pid_t>(number));
            else if (verb == "watch")
                rest_.watch(static_cast<pid_t>(number));
            else if (verb == "until")
                run_until(number * micro);
            else if (verb != "free")
                throw std::runtime_error("no command: " + line);
            std::cout << line << std::endl;
            if (verb == "free")
                run_freely();
        }
    }

  private:
    static constexpr std::chrono::seconds patience{60};

    // slurmctld sleeps before its first step, and is watched from there on.
    void adopt(pid_t process) {
        auto deadline = std::chrono::steady_clock::now() + patience;
        while (clock_.first() < 0) {
            if (std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("slurmctld does not use the virtual clock");
            usleep(1000);
        }
        rest_.watch(process);
        step(never);
    }

    void wait_for_rest() {
        auto deadline = std::chrono::steady_clock::now() + patience;
        while (jobs_.answer(clock_.now()) || !is_at_rest())
            if (std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("slurmctld does not come to rest");
    }

    bool is_at_rest() {
        return !clock_.somebody_naps() && (clock_.was_in_vain() || rest_.reached());
    }

    // What is due first, if that is before the limit.
    bool step(int64_t limit) {
        int sleeper = clock_.first();
        int64_t end = jobs_.first_end();
        int64_t wake = clock_.until(sleeper);
        int64_t due = std::min(end, wake);
        if (due > limit || due == never)
            return false;
        clock_.move(due);
        if (end <= wake)
            jobs_.end_first();
        else
            clock_.wake(sleeper);
        return true;
    }

    void run_until(int64_t time) {
        do
            wait_for_rest();
        while (step(time));
        clock_.move(time);
    }

    // Slurm's clients may wait for something that only happens as time passes.
    void run_freely() {
        pollfd input = {STDIN_FILENO, POLLIN, 0};
        while (poll(&input, 1, 1) == 0) {
            wait_for_rest();
            step(never);
        }
    }

    Clock clock_;
    RunningJobs jobs_;
    Rest rest_;
};

} // namespace

int main(int count, char **arguments) try {
    if (count < 3) {
        std::cerr << "usage: parity-conductor CLOCK NODE:PORT…\n";
        return 2;
    }
    Conductor(arguments + 1).obey();
    return 0;
} catch (const std::exception &error) {
    std::cerr << "parity-conductor: error: " << error.what() << '\n';
    return 1;
}
