// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmd waits for its own children by their numbers only.
#include "spank_vm/agent/slurm_command.hpp"

#include "common/descriptor.hpp"
#include "wire/patience.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>

extern char **environ;

namespace vmall::agent {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t longest_text = 64 * 1024;

void check(int error, const std::string &what) {
    if (error != 0)
        throw std::system_error(error, std::generic_category(), what);
}

// Killed and reaped at last.
class Child {
  public:
    Child(const std::string &path, std::vector<std::string> arguments, int output) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, 1);
        posix_spawn_file_actions_adddup2(&actions, output, 2);
        posix_spawnattr_init(&attributes);
        sigset_t none; // ours are blocked
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        std::string name = path;
        std::vector<char *> words = {name.data()};
        for (std::string &argument : arguments)
            words.push_back(argument.data());
        words.push_back(nullptr);
        const int error =
            posix_spawn(&pid_, path.c_str(), &actions, &attributes, words.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        check(error, "cannot run " + path);
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;
    ~Child() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            wait();
        }
    }
    int wait() {
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    pid_t pid_ = 0;
};

// Until its end. False: it did not come in time.
bool read_all(int fd, std::string &text, std::chrono::steady_clock::time_point deadline,
              const Stopping &stopping) {
    for (;;) {
        pollfd waits_for[] = {{fd, POLLIN, 0}, {stopping.fd(), POLLIN, 0}};
        const int left = wire::milliseconds_until(deadline);
        if (left == 0 || poll(waits_for, 2, left) == 0 || waits_for[1].revents)
            return false;
        char part[4096];
        const ssize_t count = read(fd, part, sizeof part);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return true;
        if (text.size() < longest_text)
            text.append(part, static_cast<std::size_t>(count));
    }
}

} // namespace

std::string path_of_command(const std::string &program, const std::string &command) {
    const fs::path folder = fs::path(program).parent_path();
    for (const fs::path &one : {folder.parent_path() / "bin" / command, folder / command})
        if (std::error_code error; fs::is_regular_file(one, error))
            return one;
    throw std::runtime_error("there is no " + command + " of the Slurm of " + program);
}

std::optional<std::string> told_of(const std::string &answer, std::uint32_t job_id) {
    const std::string start = std::to_string(job_id) + " ";
    std::istringstream lines(answer);
    for (std::string line; std::getline(lines, line);)
        if (line.compare(0, start.size(), start) == 0)
            return line.substr(start.size());
    return std::nullopt;
}

Said run_command(const std::string &path, std::vector<std::string> arguments,
                 std::chrono::seconds patience, const Stopping &stopping) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int ends[2];
    check(pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno, "cannot make a pipe");
    const common::Descriptor reads(ends[0]);
    common::Descriptor writes(ends[1]);
    Child child(path, std::move(arguments), writes.get());
    writes = common::Descriptor();
    Said said;
    if (!read_all(reads.get(), said.text, deadline, stopping))
        throw CutOff(stopping.has_begun()
                         ? path + " is not waited for: the agent stops"
                         : path + " takes longer than " + std::to_string(patience.count()) + " s");
    said.status = child.wait();
    return said;
}

Said run_slurm(const std::string &command, std::vector<std::string> arguments,
               std::chrono::seconds patience, const Stopping &stopping) {
    return run_command(path_of_command(fs::read_symlink("/proc/self/exe"), command),
                       std::move(arguments), patience, stopping);
}

} // namespace vmall::agent
