// SPDX-License-Identifier: GPL-2.0-or-later
//
// Real munged daemons for tests.
#include "munged.hpp"

#include "../limit.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

[[noreturn]] void fail(const std::string &action) {
    throw std::runtime_error(action + ": " + std::strerror(errno));
}

void write_key(const std::string &path, char key) {
    const std::string bytes(64, key);
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0400);
    if (fd < 0 || write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        fail("cannot write a munge key");
    close(fd);
}

bool listens(const std::string &path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected =
        connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    close(fd);
    return connected;
}

} // namespace

Munged::Munged(char key, long clock_shift) {
    write_key(directory_.path() + "/key", key);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0)
        fail("cannot fork");
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() == parent)
            become_munged(clock_shift);
        _exit(1);
    }
    wait_until_it_listens();
}

Munged::~Munged() {
    // A SIGTERM that arrives just before munged waits for a client is only seen after that client.
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Munged::become_munged(long clock_shift) const {
    const std::string &directory = directory_.path();
    const char *library = std::getenv("CLOCK_SHIFT_LIBRARY");
    if (clock_shift != 0 && library) {
        setenv("LD_PRELOAD", library, 1);
        setenv("CLOCK_SHIFT", std::to_string(clock_shift).c_str(), 1);
    }
    const char *path = std::getenv("PATH");
    setenv("PATH", (std::string(path ? path : "/usr/bin") + ":/usr/sbin").c_str(), 1);
    const int log = open((directory + "/log").c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(log, STDERR_FILENO);
    execlp("munged", "munged", "--foreground", ("--socket=" + socket()).c_str(),
           ("--key-file=" + directory + "/key").c_str(),
           ("--pid-file=" + directory + "/pid").c_str(),
           ("--seed-file=" + directory + "/seed").c_str(), nullptr);
    _exit(127);
}

void Munged::wait_until_it_listens() {
    const auto deadline = std::chrono::steady_clock::now() + vmall::test::limit;
    while (!listens(socket())) {
        if (waitpid(pid_, nullptr, WNOHANG) == pid_ ||
            std::chrono::steady_clock::now() > deadline) {
            std::ifstream log(directory_.path() + "/log");
            throw std::runtime_error("munged does not start: " +
                                     std::string(std::istreambuf_iterator<char>(log), {}));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

std::string as_another_user(const std::function<std::string()> &action) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail("cannot make a pipe");
    const pid_t child = fork();
    if (child < 0)
        fail("cannot fork");
    if (child == 0) {
        std::string result;
        try {
            if (setgid(another_uid) != 0 || setuid(another_uid) != 0)
                fail("cannot become another user");
            result = action();
        } catch (const std::exception &error) {
            result = std::string("error: ") + error.what();
        }
        const ssize_t written = write(ends[1], result.data(), result.size());
        _exit(written == static_cast<ssize_t>(result.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string result;
    char buffer[4096];
    for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
        result.append(buffer, static_cast<std::size_t>(size));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 ? result : "error: the child failed";
}
