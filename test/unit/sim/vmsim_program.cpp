// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program vmsim from outside.
#include "vmsim_program.hpp"

#include "run.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace vmsim_test {

fs::path folder;

// job submit wait run processors ... requested-processors requested-time ... status user ...
const char *const small_log = "; MaxProcs: 4\n"
                              "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n"
                              "2 10 90 50 4 -1 -1 4 50 -1 1 1 1 -1 1 -1 -1 -1\n"
                              "3 20 130 30 1 -1 -1 1 1000 -1 1 2 1 -1 1 -1 -1 -1\n"
                              "4 30 120 10 1 -1 -1 1 20 -1 1 2 1 -1 1 -1 -1 -1\n";

void set_up() {
    std::string name = (fs::temp_directory_path() / "vmsim.XXXXXX").string();
    ck_assert_ptr_nonnull(mkdtemp(name.data()));
    folder = name;
    std::ofstream(folder / "small.swf") << small_log;
}

void tear_down() {
    fs::remove_all(folder);
}

Ran command(const std::string &line) {
    const std::string in_folder = "exec 2>&1 </dev/null; cd '" + folder.string() + "' && " + line;
    FILE *pipe = popen(in_folder.c_str(), "r");
    ck_assert_ptr_nonnull(pipe);
    Ran ran;
    std::array<char, 4096> buffer;
    while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
        ran.output.append(buffer.data(), got);
    const int status = pclose(pipe);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

Ran vmsim(const std::string &arguments) {
    return command(VMSIM " " + arguments);
}

std::string content(const fs::path &file) {
    std::ifstream in(folder / file, std::ios::binary);
    ck_assert_msg(in.good(), "%s is not there", file.c_str());
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

pid_t start_vmsim(std::vector<const char *> arguments) {
    arguments.insert(arguments.begin(), VMSIM);
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder.c_str()) == 0 && freopen("output", "w", stdout) != nullptr &&
            freopen("output", "w", stderr) != nullptr)
            execv(VMSIM, const_cast<char *const *>(arguments.data()));
        _exit(127);
    }
    return child;
}

void wait_for_file(const fs::path &file, pid_t child) {
    while (!fs::exists(folder / file) && waitpid(child, nullptr, WNOHANG) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void wait_for_end_by(int signal, pid_t child) {
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 128 + signal);
}

void end_with(int signal, pid_t child) {
    ck_assert_int_eq(kill(child, signal), 0);
    wait_for_end_by(signal, child);
}

} // namespace vmsim_test
